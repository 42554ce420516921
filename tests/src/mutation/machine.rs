//! Faults in machine code: a wait that is missing or too weak, a mask of lanes that is not
//! what it should be.

use diff_exec::Random;
use gcn::Target;
use gcn::analysis::{Cfg, Code, DefUse, waits};

use super::faults::Kind;

/// A word of code that does nothing.
const NO_OPERATION: u32 = 0xbf80_0000;
/// The upper half of `s_waitcnt`, and what it waits for, on all generations.
const WAIT: u32 = 0xbf8c;
/// `s_barrier`.
const BARRIER: u32 = 0xbf8a_0000;

/// A line of the listing and the word of code that it is, and what they become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of fault.
    pub kind: Kind,
    /// The line.
    pub what: String,
    /// The number of the line among those that are such a word.
    number: usize,
    word: usize,
}

/// The words of code that begin an instruction of a line, in order. Lines and words are
/// matched by their mnemonic: all of `s_waitcnt`, or of `s_or_b64 exec`.
fn places(listing: &str, code: &[u8], kind: Kind) -> Vec<(usize, String)> {
    let words = words_of(code);
    let (start, is_word): (&str, fn(u32) -> bool) = match kind {
        Kind::Wait => ("s_waitcnt ", |word| word >> 16 == WAIT),
        // SOP2 with EXEC as destination and first source; the opcode differs between
        // generations, and no other instruction of two words has such a second half.
        _ => ("s_or_b64 exec, exec, ", |word| word >> 30 == 2 && word & 0x7f_00ff == 0x7e_007e),
    };
    let lines = listing.lines().map(str::trim).filter(|line| line.starts_with(start));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    let found: Vec<usize> = (0..words.len()).filter(|word| is_word(words[*word])).collect();
    // A literal may look like an instruction: then nothing is known for sure.
    if lines.len() != found.len() {
        return Vec::new();
    }
    found.into_iter().zip(lines).collect()
}

/// A fault, of those that are possible.
pub fn choose(listing: &str, code: &[u8], random: &mut Random) -> Option<Change> {
    let kinds = [Kind::Wait, Kind::Wait, Kind::Execution];
    let kind = kinds[random.below(kinds.len() as u32) as usize];
    let places = places(listing, code, kind);
    let number = random.below(places.len().max(1) as u32) as usize;
    let (word, what) = places.get(number)?.clone();
    Some(Change { kind, what: format!("without `{what}`"), number, word })
}

impl Change {
    /// Takes the instruction out of the listing and the code.
    pub fn apply(&self, listing: &mut String, code: &mut [u8]) {
        let start = match self.kind {
            Kind::Wait => "\ts_waitcnt ",
            _ => "\ts_or_b64 exec, exec, ",
        };
        if let Some((line, _)) = listing.match_indices(start).nth(self.number) {
            let rest = &listing[line + 1..];
            let end = rest.find('\n').map_or(listing.len(), |length| line + 1 + length);
            listing.replace_range(line..end, "\ts_nop 0");
        }
        if let Some(word) = code.get_mut(4 * self.word..4 * self.word + 4) {
            word.copy_from_slice(&NO_OPERATION.to_le_bytes());
        }
    }

    /// Tells whether the changed code surely does the same: on no path a register is used
    /// before the wait that makes sure of it, and no other wave hears of memory too early.
    pub fn is_harmless(&self, right: &[u8], changed: &[u8], target: Target) -> bool {
        if self.kind != Kind::Wait {
            return false;
        }
        let words = words_of(changed);
        let after = words.get(self.word + 1..).unwrap_or_default();
        let next = after.iter().find(|word| **word >> 16 != WAIT);
        if next == Some(&BARRIER) {
            return false;
        }
        missing_waits(&words, target) <= missing_waits(&words_of(right), target)
    }
}

fn words_of(code: &[u8]) -> Vec<u32> {
    code.as_chunks::<4>().0.iter().map(|it| u32::from_le_bytes(*it)).collect()
}

/// Counts the waits that the analysis of all paths finds missing.
fn missing_waits(words: &[u32], target: Target) -> usize {
    let code = Code::from_words(target, words);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    waits(&code, &def_use, &cfg, None, &source::no_checkpoint).len()
}
