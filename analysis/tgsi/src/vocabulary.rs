//! Words to meanings, quickly, and the words that were probably meant.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::Opcode;
use crate::words::{File, Stage};

/// No opcode with its modifiers is longer.
const LONGEST: usize = 48;

/// An opcode word taken apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpcodeWord {
    pub(crate) opcode: Opcode,
    pub(crate) saturate: bool,
    pub(crate) precise: bool,
    pub(crate) oddity: Option<Oddity>,
}

/// What is unusual about an opcode word that was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// `_SSAT`, clamping to -1..1, which left the language in 2015.
    SignedSaturate,
    /// `_PRECISE` before `_SAT`.
    Order,
    /// `UNK67`: a number without an opcode.
    Gap,
}

static OPCODES: LazyLock<FxHashMap<&'static [u8], Opcode>> =
    LazyLock::new(|| Opcode::all().map(|opcode| (opcode.mnemonic().as_bytes(), opcode)).collect());

/// Opcode numbers without an opcode that Mesa's parser accepts as `UNK<number>`.
const GAPS: [&[u8]; 9] =
    [b"UNK67", b"UNK81", b"UNK82", b"UNK93", b"UNK113", b"UNK114", b"UNK115", b"UNK165", b"UNK212"];

/// Reads an opcode with its modifiers; letter case does not count.
pub(crate) fn opcode(word: &str) -> Option<OpcodeWord> {
    let mut buffer = [0u8; LONGEST];
    let upper = buffer.get_mut(..word.len())?;
    for (to, from) in upper.iter_mut().zip(word.as_bytes()) {
        *to = from.to_ascii_uppercase();
    }
    let plain =
        OpcodeWord { opcode: opcode_nothing()?, saturate: false, precise: false, oddity: None };
    let mut rest: &[u8] = upper;
    if let Some(&opcode) = OPCODES.get(rest) {
        return Some(OpcodeWord { opcode, ..plain });
    }
    if GAPS.contains(&rest) {
        return Some(OpcodeWord { oddity: Some(Oddity::Gap), ..plain });
    }
    let (mut saturate, mut precise, mut oddity) = (false, false, None);
    if let Some(before) = rest.strip_suffix(b"_PRECISE") {
        precise = true;
        rest = before;
    }
    if let Some(before) = rest.strip_suffix(b"_SAT") {
        saturate = true;
        rest = before;
    } else if let Some(before) = rest.strip_suffix(b"_SSAT") {
        oddity = Some(Oddity::SignedSaturate);
        rest = before;
    }
    if !precise && let Some(before) = rest.strip_suffix(b"_PRECISE") {
        precise = true;
        oddity = Some(Oddity::Order);
        rest = before;
    }
    let opcode = *OPCODES.get(rest)?;
    Some(OpcodeWord { opcode, saturate, precise, oddity })
}

/// `NOP`, which stands in for opcodes without meaning.
fn opcode_nothing() -> Option<Opcode> {
    static NOTHING: LazyLock<Option<Opcode>> = LazyLock::new(|| Opcode::find("NOP"));
    *NOTHING
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

/// "; did you mean `MAD`?", or nothing where no word is near.
pub(crate) fn did_you_mean(word: &str, candidates: impl Iterator<Item = &'static str>) -> String {
    match text::nearest(word, candidates) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

/// The statement word or opcode that is nearest to a word, modifiers kept.
pub(crate) fn nearest_opcode(word: &str) -> Option<String> {
    let upper = word.to_ascii_uppercase();
    let (base, modifiers) = match upper.find("_SAT").or_else(|| upper.find("_PRECISE")) {
        Some(at) => upper.split_at(at),
        None => (upper.as_str(), ""),
    };
    // Live opcodes come first: of equally near words the first is taken.
    let live = Opcode::all().filter(|opcode| opcode.row().number.is_some());
    let candidates = live.map(Opcode::mnemonic).chain(["DCL", "IMM", "PROPERTY"]);
    Some(format!("{}{modifiers}", text::nearest(base, candidates)?))
}
