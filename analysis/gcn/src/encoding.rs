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
