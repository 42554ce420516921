//! How many waves fit on a SIMD, and what limits them, by granule arithmetic.
