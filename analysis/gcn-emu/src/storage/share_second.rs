//! Instructions of the share whose second operand is another place of the share
//! (DS_*_SRC2_*), and the conditional exchange.
//!
//! Source: ISA manuals, DS. The second place is at a distance in words from the first:
//! in the upper bits of the address where bit 7 of the second offset is set, else in
//! the two offsets, whose bits 0 to 14 are then a number with sign.

/// The address of the second operand.
pub(super) fn second_place(address: u32, offsets: [u32; 2]) -> u32 {
    let [low, high] = offsets;
    let fifteen_bits = if high & 0x80 != 0 { address >> 17 } else { (high & 0x7f) << 8 | low };
    let distance = ((fifteen_bits << 17) as i32) >> 17;
    (address & 0x1_ffff).wrapping_add_signed(distance * 4)
}

/// Returns the new value of a word after a conditional exchange.
pub(super) fn exchanged(old: u32, data: u32) -> u32 {
    if data >> 31 == 1 { data & 0x7fff_ffff } else { old }
}

#[cfg(test)]
mod tests {
    use super::second_place;

    #[test]
    fn the_second_place_is_near_the_first_or_named_by_it() {
        assert_eq!(second_place(64, [3, 0]), 76);
        assert_eq!(second_place(64, [0xff, 0x7f]), 60);
        assert_eq!(second_place(64, [0, 1]), 64 + 1024);
        assert_eq!(second_place(64 | 5 << 17, [9, 0x80]), 84);
        assert_eq!(second_place(64 | 0x7fff << 17, [9, 0x80]), 60);
    }
}
