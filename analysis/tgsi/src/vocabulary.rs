//! Words to meanings, quickly, and the words that were probably meant.

use crate::Opcode;
use crate::parser::Shape;
use crate::words::{File, Stage};

/// An opcode word taken apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpcodeWord {
    pub(crate) opcode: Opcode,
    pub(crate) saturate: bool,
    pub(crate) precise: bool,
    pub(crate) oddity: Option<Oddity>,
}

/// A peculiarity of an opcode word that was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// `_SATNV` or `_SSAT`, clamping to -1..1, which left the language in 2015.
    SignedSaturate,
    /// `_PRECISE` before `_SAT`.
    Order,
    /// `UNK67`: a number without an opcode.
    Gap,
}

/// Reads an opcode with its modifiers; letter case does not count.
pub(crate) fn opcode(word: &str) -> Option<OpcodeWord> {
    if let Some(opcode) = frequent(word).or_else(|| Opcode::find(word)) {
        let oddity = opcode.is_gap().then_some(Oddity::Gap);
        return Some(OpcodeWord { opcode, saturate: false, precise: false, oddity });
    }
    let mut rest = word;
    let (mut saturate, mut precise, mut oddity) = (false, false, None);
    if let Some(before) = without_suffix(rest, "_PRECISE") {
        precise = true;
        rest = before;
    }
    if let Some(before) = without_suffix(rest, "_SAT") {
        saturate = true;
        rest = before;
    } else if let Some(before) =
        without_suffix(rest, "_SATNV").or_else(|| without_suffix(rest, "_SSAT"))
    {
        oddity = Some(Oddity::SignedSaturate);
        rest = before;
    }
    if !precise && let Some(before) = without_suffix(rest, "_PRECISE") {
        precise = true;
        oddity = Some(Oddity::Order);
        rest = before;
    }
    let opcode = Opcode::find(rest).filter(|_| rest.len() < word.len())?;
    Some(OpcodeWord { opcode, saturate, precise, oddity })
}

/// The opcodes that are most of all shaders, by which a word is looked for first.
const FREQUENT: [Opcode; 8] = [
    Opcode::MOV,
    Opcode::ADD,
    Opcode::MUL,
    Opcode::MAD,
    Opcode::END,
    Opcode::UADD,
    Opcode::UARL,
    Opcode::UCMP,
];

/// The frequent opcode that a word names.
#[inline]
fn frequent(word: &str) -> Option<Opcode> {
    FREQUENT.into_iter().find(|opcode| opcode.mnemonic() == word)
}

/// A word without its end, if it ends so; letter case does not count.
fn without_suffix<'a>(word: &'a str, suffix: &str) -> Option<&'a str> {
    let at = word.len().checked_sub(suffix.len())?;
    let end = word.get(at..)?;
    end.eq_ignore_ascii_case(suffix).then(|| &word[..at])
}

/// The register file that a word names; the common ones first.
#[inline]
pub(crate) fn file(word: &str) -> Option<File> {
    match word {
        "TEMP" => Some(File::Temporary),
        "CONST" => Some(File::Constant),
        "IN" => Some(File::Input),
        "OUT" => Some(File::Output),
        "IMM" => Some(File::Immediate),
        _ => File::from_word(word),
    }
}

/// The stage that a header names, and what follows the stage's name in the
/// same word: digits of a historic version.
pub(crate) fn header(word: &str) -> Option<(Stage, &str)> {
    let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    Some((Stage::from_word(name)?, &word[name.len()..]))
}

include!(concat!(env!("OUT_DIR"), "/misnomers.rs"));

/// The word of a list that another language's word stands for; letter case does not count.
pub(crate) fn misnomer(list: &str, word: &str) -> Option<&'static str> {
    let row = MISNOMERS.iter().find(|row| row.0 == list && row.1.eq_ignore_ascii_case(word))?;
    Some(row.2)
}

/// The word of a list that was probably meant.
pub(crate) fn meant<'a>(
    list: &str,
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    misnomer(list, word).or_else(|| closest(word, candidates))
}

/// The word that was probably meant.
pub(crate) fn closest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // Of words this short every other is near.
    if word.len() <= 2 { None } else { source::closest_match(word, candidates) }
}

/// The opcodes that shaders use most, the most used first.
const COMMON: [Opcode; 24] = {
    use Opcode::*;
    [
        MOV, ADD, MUL, MAD, TEX, DP3, DP4, UADD, UARL, OR, AND, IF, UIF, END, ENDIF, ELSE, UCMP,
        LRP, RCP, RSQ, MAX, MIN, FRC, I2F,
    ]
};

/// The statement word or opcode that a word with these operands was probably meant to be,
/// modifiers kept: of those that are near enough the one that takes the operands, in this stage,
/// then the nearest, then the one that is used most.
pub(crate) fn closest_opcode(word: &str, shape: Shape, stage: Stage) -> Option<String> {
    let upper = word.to_ascii_uppercase();
    let (base, modifiers) = match upper.find("_SAT").or_else(|| upper.find("_PRECISE")) {
        Some(at) => upper.split_at(at),
        None => (upper.as_str(), ""),
    };
    let modifiers = match modifiers {
        "_SATURATE" | "_SATURATED" => "_SAT",
        others => others,
    };
    if let Some(meant) = misnomer("opcode", base) {
        return Some(format!("{meant}{modifiers}"));
    }
    if opcode(base).is_some() && opcode(&format!("{base}{modifiers}")).is_some() {
        return Some(format!("{base}{modifiers}"));
    }
    // Live opcodes come first: of equally near words the first is taken.
    let live = Opcode::all().filter(|opcode| opcode.row().number.is_some());
    let candidates = live.map(Opcode::mnemonic).chain(["DCL", "IMM", "PROPERTY"]);
    let near = source::close_matches(base, candidates);
    let rank = |(place, candidate): &(usize, &str)| {
        let row = Opcode::find(candidate).map(Opcode::row);
        let takes = row.is_some_and(|row| {
            row.destinations + row.sources == shape.operands && row.texture == shape.texture
        });
        let here = row.is_none_or(|row| row.is_for(stage.word()));
        // All that is near a short word is equally near.
        let common = COMMON.iter().position(|common| common.mnemonic() == *candidate);
        let common = if base.len() <= 4 { common.unwrap_or(COMMON.len()) } else { 0 };
        (!takes, !here, common, *place)
    };
    let best = near.into_iter().enumerate().min_by_key(rank)?.1;
    Some(format!("{best}{modifiers}"))
}
