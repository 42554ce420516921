//! x
/// X.
pub const INTRINSICS: &str = "";
/// X.
pub fn intrinsic_allowed(name: &str) -> bool {
    INTRINSICS.contains(name)
}
