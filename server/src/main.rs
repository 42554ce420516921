//! The `tungsten` binary.
fn main() {}
