//! Lengths and encodings of instructions.

pub use isa::gcn::encoding::{
    Encoding, Extension, InstLayout, Undecodable, base, identifying, shape, words,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generation;

    #[test]
    fn a_word_that_waits_for_another_is_truncated() {
        // v_mov_b32 v0, 0x12345678
        assert_eq!(shape(&[0x7e00_02ff], Generation::Gfx6), Err(Undecodable::Truncated));
        assert_eq!(shape(&[], Generation::Gfx9), Err(Undecodable::Truncated));
        let whole = shape(&[0x7e00_02ff, 0x1234_5678], Generation::Gfx6).expect("v_mov_b32");
        assert_eq!((whole.encoding, whole.words), (Encoding::Vop1, 2));
        assert_eq!(whole.extension, Extension::Literal);
    }

    #[test]
    fn the_same_word_differs_by_generation() {
        // s_load_dword s0, s[0:1], 0xff words of offset: gfx7 reads another word.
        let words = [0xc000_00ff, 0x1000];
        assert_eq!(shape(&words, Generation::Gfx6).map(|shape| shape.words), Ok(1));
        assert_eq!(shape(&words, Generation::Gfx7).map(|shape| shape.words), Ok(2));
        assert_eq!(shape(&words, Generation::Gfx8).map(|shape| shape.encoding), Ok(Encoding::Smem));
        // Source 249 is not an operand before gfx8.
        let words = [0x7e00_02f9, 0];
        assert_eq!(shape(&words, Generation::Gfx7).map(|shape| shape.words), Ok(1));
        assert_eq!(
            shape(&words, Generation::Gfx8).map(|shape| shape.extension),
            Ok(Extension::Sdwa)
        );
        // No flat memory on gfx6; no fourth segment on gfx9.
        assert_eq!(shape(&[0xdc30_0000, 0], Generation::Gfx6), Err(Undecodable::Unassigned));
        assert_eq!(shape(&[0xdc30_c000, 0], Generation::Gfx9), Err(Undecodable::Unassigned));
    }

    /// The bits of one encoding are a hole in the opcodes of another at times.
    #[test]
    fn of_the_encodings_that_a_word_fits_the_most_bits_count() {
        for generation in Generation::ALL {
            let outlines = Encoding::ALL.into_iter().filter(|it| *it != Encoding::Vop3px);
            let outlines = outlines.filter_map(|encoding| {
                let value = base(encoding, 0, generation)?;
                let (mask, _) = identifying(value, generation)?;
                Some((encoding, mask, value))
            });
            let outlines: Vec<_> = outlines.collect();
            assert!(outlines.len() >= 15, "{outlines:?}");
            for upper in 0..=0xffff_u32 {
                // All values of the bits that tell a segment, and others.
                for lower in [0, 0x4000, 0x8000, 0xc000, 0xffff] {
                    let word = upper << 16 | lower;
                    let fit = outlines.iter().filter(|(_, mask, value)| word & mask == *value);
                    let best = fit.max_by_key(|(_, mask, _)| mask.count_ones());
                    let found = shape(&[word, 0], generation).ok().map(|it| it.encoding);
                    assert_eq!(found, best.map(|it| it.0), "{word:x} on {generation:?}");
                }
            }
        }
    }

    #[test]
    fn every_leading_half_word_has_an_answer() {
        for generation in Generation::ALL {
            for high in 0..=0xffff_u32 {
                for low in [0, 0xf9, 0xfa, 0xff, 0x1ff, 0xff00, 0xffff] {
                    if let Ok(shape) = shape(&[high << 16 | low, 0], generation) {
                        assert!(matches!(shape.words, 1 | 2));
                    }
                }
            }
        }
    }
}
