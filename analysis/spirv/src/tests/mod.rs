//! Tests of the whole translation.
