//! The instructions that a broken line may have been meant as: those that one typing
//! mistake makes this line of.

use source::misread::{ForeignKind, foreign, with_bracket};

use crate::instruction::{Assembled, FixupKind, InstructionSet, Symbols, assemble_line};
use crate::mnemonics::{self, FormSuffix};

/// Lines that are tried for one broken line, at most.
const MOST_TRIED: usize = 400;

/// ASCII signs that no instruction has.
const SIGNS: &str = "@%$?!#~^`'\"\\&={}<>;";

/// Letters of instructions: what may have stood where a foreign sign stands now.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789_ ,[]:-|.";

/// An instruction that a line may have been meant as.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) assembled: Assembled,
}

impl Reading {
    /// The label that it jumps to.
    pub(super) fn jump(&self) -> Option<&str> {
        let fixup = self.assembled.fixup.filter(|it| it.kind == FixupKind::Branch)?;
        fixup.text(&self.text).map(str::trim)
    }
}

/// The words that a first word may have been meant as.
type Meant = fn(&str, InstructionSet) -> Vec<String>;

/// Returns the instructions that a broken line may have been meant as, each once: with its first
/// word as it is, or else with the nearest ones, or else with those that only begin otherwise, or
/// else with a letter in the place of its only foreign sign.
pub(super) fn readings(text: &str, set: InstructionSet, symbols: &dyn Symbols) -> Vec<Reading> {
    let mut tried = 0;
    let lines = repaired(text);
    let sign = foreign(text, SIGNS);
    let replaced = sign.map(|it| it.replaced(text, LETTERS)).unwrap_or_default();
    // A foreign sign and a misspelt word are two mistakes, and each would make lines for the other.
    let attempts: [(&[String], Meant); 4] = [
        (&lines, own_word),
        (&lines, nearest_words),
        (&lines, words_with_the_same_end),
        (&replaced, own_word),
    ];
    for (lines, meant) in attempts {
        let mut found: Vec<Reading> = Vec::new();
        for text in with_words(lines, meant, set) {
            tried += 1;
            if tried > MOST_TRIED {
                return Vec::new();
            }
            // A name that nobody knows may be any number: it makes every operand right. Where a
            // branch may go, only a label can stand.
            let is_open = |it: &Assembled| it.fixup.is_some_and(|it| it.kind != FixupKind::Branch);
            let assembled = assemble_line(&text, set, symbols).ok();
            let Some(assembled) = assembled.filter(|it| !is_open(it)) else { continue };
            if found.iter().all(|it| it.assembled.words() != assembled.words()) {
                found.push(Reading { text, assembled });
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The lines with each word that their first one may have been meant as. Most have the same one,
/// which is looked for once.
fn with_words(lines: &[String], meant: Meant, set: InstructionSet) -> Vec<String> {
    let mut known: (&str, Vec<String>) = ("", Vec::new());
    let mut all = Vec::new();
    for line in lines {
        let (word, rest) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
        if known.0 != word {
            known = (word, meant(word, set));
        }
        all.extend(known.1.iter().map(|word| [word, rest].concat()));
    }
    all
}

/// A line without what is too much in it, and with the bracket that it lacks.
fn repaired(text: &str) -> Vec<String> {
    let mut lines = vec![text.to_owned()];
    let mut add = |line: Option<String>| lines.extend(line.filter(|it| it != text));
    let sign = foreign(text, SIGNS).filter(|it| it.kind == ForeignKind::Sign);
    add(sign.map(|it| it.removed(text)));
    add(Some(text.replace(",,", ",")));
    add(text.find("].").map(|at| {
        let rest = &text[at + 2..];
        let word = rest.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
        [&text[..=at], &rest[word..]].concat()
    }));
    add(with_bracket(text));
    // An operand too much that is none.
    add(text.rsplit_once(',').and_then(|(line, last)| {
        let is_foreign = last.trim().starts_with(|it: char| it.is_ascii_uppercase());
        (is_foreign || last.trim().is_empty()).then(|| line.to_owned())
    }));
    add(without_reversed_range(text));
    lines.extend(with_bounds(text));
    lines
}

/// Registers that an operand takes at most, in whole numbers of words.
const WIDTHS: [u16; 6] = [2, 3, 4, 8, 16, 32];

/// Lines with each bound that a range may have for the only one that is no number. The
/// instruction takes so many registers, and one of the lines is right at most.
fn with_bounds(text: &str) -> Vec<String> {
    let is_number = |bound: &str| bound.parse::<u16>().ok();
    for (open, _) in text.match_indices('[') {
        let Some(close) = text[open..].find(']').map(|it| open + it) else { return Vec::new() };
        let Some((first, last)) = text[open + 1..close].split_once(':') else { continue };
        let line = |(first, last): (u16, u16)| {
            format!("{}{first}:{last}{}", &text[..=open], &text[close..])
        };
        let widths = WIDTHS.iter();
        let ranges: Vec<(u16, u16)> = match (is_number(first), is_number(last)) {
            (Some(_), Some(_)) => continue,
            (None, Some(end)) => {
                let starts = widths.filter_map(|it| end.saturating_add(1).checked_sub(*it));
                starts.filter(|it| may_be(first, *it)).map(|it| (it, end)).collect()
            }
            (Some(start), None) => {
                let ends = widths.filter_map(|it| start.checked_add(*it - 1));
                ends.filter(|it| may_be(last, *it)).map(|it| (start, it)).collect()
            }
            (None, None) => return Vec::new(),
        };
        return ranges.into_iter().map(line).collect();
    }
    Vec::new()
}

/// Tells whether a bound that is no number may have been meant as one: nothing is there, or a
/// letter stands for a digit or beside digits.
fn may_be(bound: &str, number: u16) -> bool {
    let Some(letter) = bound.find(|it: char| !it.is_ascii_digit()) else { return true };
    let (before, rest) = bound.split_at(letter);
    let behind = rest.trim_start_matches(|it: char| !it.is_ascii_digit());
    let number = number.to_string();
    let digits = number.strip_prefix(before).and_then(|it| it.strip_suffix(behind));
    rest.chars().count() == behind.len() + 1 && digits.is_some_and(|it| it.len() <= 1)
}

/// A line whose last range that goes down goes up.
fn without_reversed_range(text: &str) -> Option<String> {
    let ranges = text.rmatch_indices('[').filter_map(|(open, _)| {
        let close = open + text[open..].find(']')?;
        let (first, last) = text[open + 1..close].split_once(':')?;
        let (high, low): (u16, u16) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (low < high).then(|| format!("{}{low}:{high}{}", &text[..=open], &text[close..]))
    });
    ranges.into_iter().next()
}

/// The word itself, where it is a mnemonic.
fn own_word(word: &str, set: InstructionSet) -> Vec<String> {
    let is_known = !set.forms_written(word).is_empty();
    if is_known { vec![word.to_owned()] } else { Vec::new() }
}

/// The nearest mnemonics of the chip for a word that is none.
fn nearest_words(word: &str, set: InstructionSet) -> Vec<String> {
    others(word, set, &|base| source::nearest_matches(base, names(set)))
}

/// The mnemonics of the chip that differ from a word, which is none, up to the first `_` alone.
fn words_with_the_same_end(word: &str, set: InstructionSet) -> Vec<String> {
    others(word, set, &|base| {
        let Some(end) = base.find('_').map(|at| &base[at..]) else { return Vec::new() };
        let is_alike = |name: &&str| name.find('_').is_some_and(|at| &name[at..] == end);
        names(set).filter(is_alike).collect()
    })
}

/// The mnemonics that a word which is none may have been meant as.
pub(super) fn words_near(word: &str, set: InstructionSet) -> Vec<String> {
    let mut words = nearest_words(word, set);
    words.extend(words_with_the_same_end(word, set));
    words
}

/// The mnemonics of a chip.
fn names(set: InstructionSet) -> impl Iterator<Item = &'static str> {
    let infos = mnemonics::all().iter().filter(move |it| !set.forms_of(it.opcode).is_empty());
    infos.map(|it| it.name)
}

/// Other words for one that is no mnemonic; its suffix stays.
fn others(
    word: &str,
    set: InstructionSet,
    find: &dyn Fn(&str) -> Vec<&'static str>,
) -> Vec<String> {
    if word.len() < 3 || !set.forms_written(word).is_empty() {
        return Vec::new();
    }
    let (base, suffix) = mnemonics::split_suffix(word);
    let suffix = suffix.map_or("", FormSuffix::name);
    let mut words: Vec<String> =
        find(base).into_iter().map(|name| format!("{name}{suffix}")).collect();
    // The suffix may be what is misspelt.
    if let Some((stem, _)) = word.rsplit_once('_')
        && mnemonics::op_info(stem).is_some()
    {
        let own = FormSuffix::ALL.map(|suffix| format!("{stem}{}", suffix.name()));
        let near = source::nearest_matches(word, own.iter().map(String::as_str));
        words.extend(near.into_iter().map(str::to_owned));
    }
    words.retain(|word| !set.forms_written(word).is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::instruction::NoSymbols;

    fn meant(line: &str) -> Vec<String> {
        let set = InstructionSet::of(Target::find("gfx900").expect("gfx900"));
        readings(line, set, &NoSymbols).into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn one_slip_is_taken_back() {
        for (broken, sound) in [
            ("vv_mov_b32 v24, 0", "v_mov_b32 v24, 0"),
            ("bufefr_load_dword v24, off, s[8:11], 0", "buffer_load_dword v24, off, s[8:11], 0"),
            ("_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(0)"),
            ("QQXZ_and_b64 exec, exec, vcc", "s_and_b64 exec, exec, vcc"),
            ("v_lshlrev_b32_e23 v0, 3, v1", "v_lshlrev_b32_e32 v0, 3, v1"),
            ("s_load_dword s40, s[4:5, 0x0", "s_load_dword s40, s[4:5], 0x0"),
            ("s_load_dwordx2 vcc, s4:5], 0x0", "s_load_dwordx2 vcc, s[4:5], 0x0"),
            ("s_mov_b64 s[3:2], 0", "s_mov_b64 s[2:3], 0"),
            ("v_mov_b32 v1,, 0", "v_mov_b32 v1, 0"),
            ("v_mov_b32 @v28, 0", "v_mov_b32 v28, 0"),
            ("buffer_store_dword v4, off, s[4:7].xq, 0", "buffer_store_dword v4, off, s[4:7], 0"),
            ("v_mov_b32 v1, 0x41, TEMP[0]", "v_mov_b32 v1, 0x41"),
            ("s_load_dword s40, s[x:5], 0x0", "s_load_dword s40, s[4:5], 0x0"),
            ("buffer_store_dword v4, off, s[x:11], 0", "buffer_store_dword v4, off, s[8:11], 0"),
            ("v_add_f64 v[2:3], v[4:], v[6:7]", "v_add_f64 v[2:3], v[4:5], v[6:7]"),
        ] {
            assert_eq!(meant(broken), [sound], "{broken}");
        }
    }

    #[test]
    fn a_line_that_may_be_many_is_none_of_them() {
        // A digit may have stood there, or none.
        assert_eq!(meant("v_mov_b32 v2%s, 0").len(), 11);
        for broken in [
            "v_add_f32 v1, v2",
            "v_mov_b32 v1, s[x:4]",
            "s_load_dword s40, s[x0:5], 0x0",
            "s",
            "",
            "[",
            "what is this",
        ] {
            assert!(meant(broken).is_empty(), "{broken}: {:?}", meant(broken));
        }
    }
}
