//! Tests of `softfloat`.

mod exact;
mod half;
mod small;
