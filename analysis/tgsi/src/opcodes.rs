//! The opcode table, made by the build of crate `isa`.
//!
//! The parser, hovers, completion, validation and lowering all read the same row.

pub use isa::tgsi::{
    Argument, Bound, ByOpcode, Control, Family, Flag, Lookup, OpInfo, Opcode, OutputMode, Reads,
    Scale, ValueType,
};

/// The source that names the view, in the families that have one.
pub(crate) const VIEW: usize = 1;

/// Most texel offsets that the token format has room for in an instruction.
pub(crate) const MAX_OFFSETS: usize = 4;

/// The opcodes `SAMPLE` to `GATHER4`.
const SAMPLE_NUMBERS: std::ops::RangeInclusive<u8> = 145..=153;

/// The opcodes `LOAD` to `ATOMIMAX`. The range is Mesa's, accidents included.
const MEMORY_NUMBERS: std::ops::RangeInclusive<u8> = 161..=176;

/// The opcode `RESQ`.
const RESOURCE_QUERY: u8 = 105;

/// Returns whether texel offsets may follow the operands, and a texture word goes with the
/// instruction's tokens.
pub(crate) fn has_offsets(row: &OpInfo) -> bool {
    row.texture || row.number.is_some_and(|number| SAMPLE_NUMBERS.contains(&number))
}

/// Returns whether qualifiers, a target and a format may follow the operands, and a memory
/// word goes with the instruction's tokens.
pub(crate) fn has_memory_words(row: &OpInfo) -> bool {
    row.number.is_some_and(|it| MEMORY_NUMBERS.contains(&it) || it == RESOURCE_QUERY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;

    #[test]
    fn every_row_is_complete() {
        for row in Opcode::all().map(Opcode::row) {
            assert!(!row.formula.is_empty() && !row.source.is_empty(), "{row:?}");
            assert!(row.description.ends_with('.'), "{row:?}");
            assert_eq!(row.destination_types.len(), row.destinations, "{row:?}");
            assert_eq!(row.source_types.len(), row.sources, "{row:?}");
            assert_eq!(row.until.is_empty(), row.replacement.is_empty(), "{row:?}");
            assert!(row.until.is_empty() || row.since < row.until, "{row:?}");
            assert!(row.number.is_some() || !row.until.is_empty(), "{row:?}");
            let known = |word| Stage::from_word(word).is_some();
            assert!(row.stages == "any" || row.stages.split(' ').all(known), "{row:?}");
        }
    }

    #[test]
    fn formulas_name_only_operands_that_exist() {
        for row in Opcode::all().map(Opcode::row) {
            for number in 0..6 {
                let named = row.formula.contains(&format!("src{number}"));
                assert!(!named || number < row.sources, "{row:?}");
            }
            assert!(row.destinations > 0 || !row.formula.contains("dst"), "{row:?}");
        }
    }

    #[test]
    fn numbers_are_unique_among_the_living() {
        let mut owner = [None; 256];
        for opcode in Opcode::all().filter(|opcode| opcode.row().until.is_empty()) {
            let Some(number) = opcode.row().number else { continue };
            let other = owner[usize::from(number)].replace(opcode);
            assert_eq!(other, None, "{number} is also {opcode:?}");
        }
        assert!(owner[..252].iter().all(Option::is_some), "a number has no name");
    }

    #[test]
    fn mnemonics_are_found_in_any_letter_case() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::find(opcode.mnemonic()), Some(opcode));
            assert_eq!(Opcode::find(&opcode.mnemonic().to_lowercase()), Some(opcode));
        }
        for unknown in ["", "MADD2", "INTERP_CENTROIDS", "M\u{e4}d", "MOV_SAT"] {
            assert_eq!(Opcode::find(unknown), None);
        }
    }

    #[test]
    fn gaps_and_dump_words_are_told_apart() {
        let gaps = Opcode::all().filter(|opcode| opcode.is_gap()).count();
        assert_eq!(gaps, 9);
        let had_text_form = |word| Opcode::find(word).map(Opcode::had_text_form);
        assert_eq!(had_text_form("MAD"), Some(true));
        assert_eq!(had_text_form("LERP"), Some(true));
        assert_eq!(had_text_form("TEXBEML"), Some(false));
    }
}
