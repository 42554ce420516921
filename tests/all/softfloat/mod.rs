//! Tests of `softfloat`.

mod exact;
mod half;
mod nan;
mod small;
