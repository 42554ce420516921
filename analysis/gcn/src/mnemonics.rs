//! Every mnemonic, with its encodings and opcode numbers on each chip.

use isa::gcn::{FeatureSet, unknown_name};

pub use isa::gcn::{OpEncoding, OpInfo, Opcode};

use crate::dialect::Dialect;

/// Returns the facts about a mnemonic; letter case and the suffix of its form do not count.
pub fn op_info(name: &str) -> Option<&'static OpInfo> {
    let find = |name: &str| Opcode::find(base_name(name)).map(Opcode::row);
    find(name).or_else(|| find(&name.to_ascii_lowercase()))
}

/// Tells whether a dialect does not know a name; with it, what it says instead, empty where
/// it lacks the instruction.
pub(crate) fn is_unknown_to(
    name: &str,
    features: FeatureSet,
    dialect: Dialect,
) -> Option<&'static str> {
    unknown_name(Opcode::named(name)?, features, dialect)
}

isa::words! {
    /// The suffix of a mnemonic, which asks for one of its forms.
    FormSuffix {
        /// The short encoding.
        Short "_e32",
        /// The long encoding.
        Long "_e64",
        /// The selection of bytes and words.
        Sdwa "_sdwa",
        /// The movement between lanes.
        Dpp "_dpp",
    }
}

/// Splits a mnemonic into its base and the suffix that chooses its form.
pub fn split_suffix(mnemonic: &str) -> (&str, Option<FormSuffix>) {
    // The last letter tells which one it could be.
    let suffix = match mnemonic.as_bytes().last() {
        Some(b'2') => FormSuffix::Short,
        Some(b'4') => FormSuffix::Long,
        Some(b'a') => FormSuffix::Sdwa,
        Some(b'p') => FormSuffix::Dpp,
        _ => return (mnemonic, None),
    };
    match mnemonic.strip_suffix(suffix.name()) {
        Some(base) => (base, Some(suffix)),
        None => (mnemonic, None),
    }
}

/// Returns a mnemonic without the suffix that chooses its form.
pub fn base_name(mnemonic: &str) -> &str {
    split_suffix(mnemonic).0
}

/// Tells whether a word begins as some mnemonic does, up to the first `_`, so that it is
/// worth a message where no chip has it.
pub(crate) fn begins_like_one(word: &str) -> bool {
    let Some(length) = word.find('_') else { return false };
    let is_lower = !word.bytes().any(|byte| byte.is_ascii_uppercase());
    is_lower && !beginning_with(&word[..=length]).is_empty()
}

/// Lists the mnemonics that begin with some letters, in order of the alphabet.
pub(crate) fn beginning_with(letters: &str) -> &'static [OpInfo] {
    let behind = &all()[all().partition_point(|row| row.name < letters)..];
    &behind[..behind.partition_point(|row| row.name.starts_with(letters))]
}

/// Lists every mnemonic in order of the alphabet.
pub fn all() -> &'static [OpInfo] {
    Opcode::rows()
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::encoding::Encoding;
    use crate::{Generation, Target};

    #[test]
    fn suffixes_case_and_aliases_do_not_count() {
        let add = op_info("v_add_f32").expect("v_add_f32");
        for name in ["v_add_f32_e32", "v_add_f32_e64", "V_ADD_F32_SDWA", "v_add_f32_dpp"] {
            assert_eq!(op_info(name).map(|info| info.name), Some(add.name), "{name}");
        }
        assert_eq!(op_info("v_cmp_lg_u32").map(|info| info.name), Some("v_cmp_ne_u32"));
        assert!(op_info("v_add").is_none());
        assert!(op_info("").is_none());
    }

    #[test]
    fn chips_of_a_generation_may_differ() {
        let target = |name| Target::find(name).expect(name);
        let dot = op_info("v_dot2_f32_f16").expect("v_dot2_f32_f16");
        assert!(dot.forms(target("vega10")).is_empty());
        assert_eq!(dot.forms(target("vega20"))[0].encoding, Encoding::Vop3p);
        let mix = op_info("v_mad_mix_f32").expect("v_mad_mix_f32");
        assert!(mix.forms(target("vega20")).is_empty() && !mix.forms(target("vega10")).is_empty());
    }

    #[test]
    fn no_opcode_has_two_names() {
        for generation in Generation::ALL {
            let mut seen = FxHashMap::default();
            for info in all() {
                for form in info.generation_forms(generation) {
                    let other = seen.insert((form.encoding, form.opcode), info.name);
                    assert_eq!(other, None, "{generation} {}", info.name);
                }
            }
            assert!(seen.len() > 800, "{generation}: {}", seen.len());
        }
    }
}
