//! Fixes of lines that are not instructions.
//!
//! A fix is offered only after the fixed line was assembled, and only where
//! one way leads on: another suffix, the name that the target has for the same
//! operation, the `glc` without which nothing is returned. A name that nothing has
//! may be a typo of another: the nearest is offered, even where the operands are
//! wrong too.

use source::{Fix, TextEdit, TextRange};

use crate::codes;
use crate::dialect::Dialect;
use crate::dialect::words::shifted;

use super::{InstructionSet, LineError, Symbols, assemble_line};
use crate::mnemonics::{self, FormSuffix, Opcode};

/// Finds a fix of a line, in places of the line.
pub fn find(
    line: &str,
    error: &LineError,
    set: InstructionSet,
    symbols: &dyn Symbols,
) -> Option<Fix> {
    let start = line.len() - line.trim_start().len();
    let length = line[start..].find(char::is_whitespace).unwrap_or(line.len() - start);
    let word = &line[start..start + length];
    let attempt = |at: (usize, usize), insert: &str| {
        let fixed = [&line[..at.0], insert, &line[at.1..]].concat();
        assemble_line(&fixed, set, symbols).is_ok()
    };
    let mnemonic = (start, start + length);
    let base = mnemonics::base_name(word);
    let mut names = other_suffixes(word, base);
    names.extend(of_dialect(base, set).map(|name| format!("{name}{}", &word[base.len()..])));
    if !matches!(error.code, codes::CONSTANT_BUS | codes::LITERAL) {
        names.extend(other_names(word, base));
    }
    if let Some(name) = names.into_iter().find(|name| attempt(mnemonic, name)) {
        return Some(write_instead(shifted(0, mnemonic.0, mnemonic.1), &name));
    }
    if error.code == codes::UNKNOWN_MNEMONIC {
        let name = meant(word, set, |name| attempt(mnemonic, name))?;
        return Some(write_instead(shifted(0, mnemonic.0, mnemonic.1), &name));
    }
    // The one modifier that can be missing.
    let end = line.trim_end().len();
    if error.code != codes::MODIFIER {
        return None;
    }
    let word = ["glc", "sc0"].into_iter().find(|word| attempt((end, end), &format!(" {word}")))?;
    let edits = vec![TextEdit::replace(shifted(0, end, end), format!(" {word}"))];
    Some(Fix { title: format!("Add `{word}`"), edits })
}

/// Writes a word in place of another.
pub(crate) fn write_instead(range: TextRange, word: &str) -> Fix {
    Fix { title: format!("Write `{word}`"), edits: vec![TextEdit::replace(range, word)] }
}

/// The encodings that the line may have meant. Without a suffix the assembler
/// already tried them all.
fn other_suffixes(word: &str, base: &str) -> Vec<String> {
    let other = match mnemonics::split_suffix(word).1 {
        Some(FormSuffix::Short) => FormSuffix::Long,
        Some(FormSuffix::Long) => FormSuffix::Short,
        Some(FormSuffix::Sdwa | FormSuffix::Dpp) | None => return Vec::new(),
    };
    vec![format!("{base}{}", other.name())]
}

/// Returns what the dialect of the set calls an instruction, where it is something else.
fn of_dialect(base: &str, set: InstructionSet) -> Option<&'static str> {
    let lower = base.to_ascii_lowercase();
    let other = match mnemonics::is_unknown_to(&lower, set.target().features(), set.dialect()) {
        Some(other) => other,
        None => mnemonics::op_info(&lower)?.name,
    };
    (!other.is_empty() && other != lower).then_some(other)
}

/// The mnemonic of the target that a word is a typo or the beginning of. One with
/// which the line is right wins.
fn meant(word: &str, set: InstructionSet, is_right: impl Fn(&str) -> bool) -> Option<String> {
    let wrong_suffix = word.rsplit_once('_').and_then(|(stem, suffix)| {
        mnemonics::op_info(stem)?;
        let known = FormSuffix::ALL.map(|it| &it.name()[1..]);
        let suffix = source::closest_match(suffix, known)?;
        Some(format!("{stem}_{suffix}"))
    });
    let base = mnemonics::base_name(word);
    let suffix = &word[base.len()..];
    let with_suffix = |name: &str| format!("{name}{suffix}");
    let known = |name: &&str| {
        mnemonics::is_unknown_to(name, set.target().features(), set.dialect()).is_none()
    };
    let near =
        source::close_matches(base, names_of(set)).into_iter().filter(known).map(with_suffix);
    let near: Vec<String> = wrong_suffix.into_iter().chain(near).collect();
    if let Some(right) = near.iter().find(|name| is_right(name)) {
        return Some(right.clone());
    }
    let stem = format!("{}_", base.to_ascii_lowercase());
    let longer = names_of(set).filter(|name| name.starts_with(&stem)).filter(known);
    let mut right = longer.map(with_suffix).filter(|name| is_right(name));
    match (right.next(), right.next()) {
        (Some(only), None) => Some(only),
        _ => {
            let of_type = type_of(base);
            let mut near = near.into_iter();
            near.find(|name| of_type.is_none() || type_of(mnemonics::base_name(name)) == of_type)
        }
    }
}

/// The type that a mnemonic ends with, `u64`: who writes one means it.
fn type_of(name: &str) -> Option<&str> {
    let (_, last) = name.rsplit_once('_')?;
    let bits = last.strip_prefix(['b', 'f', 'i', 'u'])?;
    ["8", "16", "24", "32", "64"].contains(&bits).then_some(last)
}

/// The mnemonics that a set has, with the other spellings where its dialect takes
/// them.
fn names_of(set: InstructionSet) -> impl Iterator<Item = &'static str> + use<> {
    let rows = mnemonics::all().iter();
    rows.filter(move |info| !set.forms_of(info.opcode).is_empty()).flat_map(move |info| {
        let others = match set.dialect() {
            Dialect::Llvm => info.llvm_aliases,
            Dialect::Clrx => info.aliases,
        };
        std::iter::once(info.name).chain(others.iter().copied())
    })
}

/// Returns the names that other generations have for the operation.
pub(crate) fn other_names(word: &str, base: &str) -> Vec<String> {
    let suffix = &word[base.len()..];
    let Some(opcode) = Opcode::named(&base.to_ascii_lowercase()) else { return Vec::new() };
    let others = isa::gcn::renames(opcode).iter().filter(|other| **other != opcode);
    others.map(|other| format!("{}{suffix}", other.name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::instruction::NoSymbols;

    fn fixed(target: &str, line: &str) -> Option<String> {
        let set = InstructionSet::of(Target::find(target).expect(target));
        let error = assemble_line(line, set, &NoSymbols).expect_err(line);
        let fix = find(line, &error, set, &NoSymbols)?;
        let edit = &fix.edits[0];
        let mut text = line.to_owned();
        text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
        Some(text)
    }

    #[test]
    fn lines_are_fixed_where_one_way_leads_on() {
        for (target, line, expected) in [
            ("gfx803", "v_add_f32_e32 v0, v1, s2", Some("v_add_f32_e64 v0, v1, s2")),
            ("gfx803", "v_mul_f32_e64 v0, 0x1234, v1", Some("v_mul_f32_e32 v0, 0x1234, v1")),
            ("gfx803", "v_add_f32_e64 v0, s1, s2", None),
            ("gfx900", "v_add_i32 v0, vcc, v1, v2", Some("v_add_co_u32 v0, vcc, v1, v2")),
            ("gfx803", "v_add_i32_e32 v0, vcc, v1, v2", Some("v_add_u32_e32 v0, vcc, v1, v2")),
            ("gfx600", "v_add_u32 v0, vcc, v1, v2", Some("v_add_i32 v0, vcc, v1, v2")),
            (
                "gfx803",
                "v_addc_co_u32 v0, vcc, v1, v2, vcc",
                Some("v_addc_u32 v0, vcc, v1, v2, vcc"),
            ),
            (
                "gfx803",
                "flat_atomic_add v0, v[2:3], v1",
                Some("flat_atomic_add v0, v[2:3], v1 glc"),
            ),
            ("gfx803", "v_mov_b33 v0, v1", Some("v_mov_b32 v0, v1")),
            ("gfx803", "v_mov_b32_e46 v0, v1", Some("v_mov_b32_e64 v0, v1")),
            ("gfx803", "v_maddd_f32 v0, v1, v2, v3", Some("v_mad_f32 v0, v1, v2, v3")),
            // The nearest name, although its operands are others.
            ("gfx803", "v_maddd_f32 v0", Some("v_mad_f32 v0")),
            ("gfx803", "V_MADDD_F32_e64 v0, v1, v2, 0", Some("v_mad_f32_e64 v0, v1, v2, 0")),
            // Only what the target has: `ds_read_b96` is near, but not of gfx600.
            ("gfx600", "ds_reed_b96 v[0:2], v3", None),
            ("gfx803", "ds_reed_b96 v[0:2], v3", Some("ds_read_b96 v[0:2], v3")),
            ("gfx803", "s_movk s0, 1", Some("s_movk_i32 s0, 1")),
            (
                "gfx900",
                "buffer_load_format_d16 v0, v1, s[0:3], 0 idxen",
                Some("buffer_load_format_d16_x v0, v1, s[0:3], 0 idxen"),
            ),
            ("gfx803", "v_cmp_lg_u32 vcc, v0, v1", Some("v_cmp_ne_u32 vcc, v0, v1")),
            ("gfx803", "nonsense_of_nobody v0", None),
            ("gfx803", "é_mov_b32 v0", Some("s_mov_b32 v0")),
        ] {
            assert_eq!(fixed(target, line).as_deref(), expected, "{target} {line}");
        }
    }
}
