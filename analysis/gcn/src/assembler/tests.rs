//! Expansion, shown.
