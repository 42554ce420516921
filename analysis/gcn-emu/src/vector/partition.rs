//! V_SCREEN_PARTITION_4SE_B32: the shader engine, of four, that a rectangle of the screen
//! belongs to.
//!
//! Source: Vega ISA, V_SCREEN_PARTITION_4SE_B32, whose table of 256 entries CLRX prints
//! (GcnInstrsVop1). All of them follow from what the manual says of it: tiles of 32 pixels
//! a side belong to the engines in a pattern of four by four, and the source has the first
//! and the last tile of the rectangle, in both directions and counted within the pattern.

use super::Inputs;

/// The engine of a tile.
fn engine(x: u64, y: u64) -> u64 {
    ((x & 1) ^ (y >> 1 & 1)) << 1 | ((y & 1) ^ (x >> 1 & 1))
}

/// From a tile to another, over the pattern's edge where the second comes first.
fn tiles(first: u64, last: u64) -> impl Iterator<Item = u64> + Clone {
    (0..=(last.wrapping_sub(first) & 3)).map(move |step| (first + step) & 3)
}

/// A bit for every engine that has a tile of the rectangle.
pub(super) fn engines(i: &Inputs) -> u64 {
    let [first_x, first_y, last_x, last_y] = [6, 4, 2, 0].map(|shift| i.s[0] >> shift & 3);
    let rows = tiles(first_y, last_y);
    tiles(first_x, last_x)
        .flat_map(|x| rows.clone().map(move |y| engine(x, y)))
        .fold(0, |all, engine| all | 1 << engine)
}
