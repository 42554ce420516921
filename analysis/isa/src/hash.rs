//! The hash index of names: made by the build, searched when the program runs.

/// Returns the slots in which a name may be, the likeliest first. `size` is a power of two.
pub(crate) fn probes(name: &[u8], size: usize) -> impl Iterator<Item = usize> {
    // FNV-1a: short names, and the build and the program must agree.
    let hash = name
        .iter()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let first = (hash ^ (hash >> 15)) as usize;
    (0..size).map(move |step| first.wrapping_add(step) & (size - 1))
}
