//! The chip that a text was written for which names none, guessed by its lines.
//!
//! Generations renamed and dropped instructions, so a text of one is full of
//! errors on another. The chip that takes the most lines is the better guess; it
//! stays a guess, and what follows from it accuses nobody.

use std::borrow::Cow;

use isa::gcn::{Side, side_of};
use rustc_hash::FxHashMap;

use super::Options;
use crate::Target;
use crate::assembler::lines::is_word;
use crate::dialect::{Listing, Unsupported, parts, printed};
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use crate::mnemonics::{base_name, op_info};

/// The chips that are tried behind the default one; of equals the first wins. Each
/// stands for a set of instructions.
const CANDIDATES: [&str; 9] =
    ["gfx803", "gfx900", "gfx700", "gfx600", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"];

/// Lines of one mnemonic that are looked at: more of them say the same.
const LINES_OF_A_MNEMONIC: u32 = 4;

/// Bytes of a text that are looked at. Of a longer one it is [`PIECES`] of equal
/// length with equal gaps: what an edit asks for must not grow with all the text.
const BYTES_READ: usize = 256 << 10;

/// The pieces of a long text.
const PIECES: usize = 16;

/// The chip that a text was guessed to be for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTarget {
    /// The chip.
    pub target: Result<Target, Unsupported>,
    /// The evidence, in words.
    pub why: String,
}

/// The parts of a text that are looked at, each of whole lines.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let (count, length) = match text.len() {
        short if short <= BYTES_READ => (1, short),
        _ => (PIECES, BYTES_READ / PIECES),
    };
    let behind_line = |at: usize| match at {
        0 => 0,
        _ => text.as_bytes()[at..]
            .iter()
            .position(|it| *it == b'\n')
            .map_or(text.len(), |it| at + it + 1),
    };
    (0..count).filter_map(move |piece| {
        let start = behind_line(text.len() / count * piece);
        let end = match start + length {
            end if end < text.len() => behind_line(end),
            _ => text.len(),
        };
        text.get(start..end)
    })
}

/// The chip whose instructions the lines of a text are, where more of them are
/// right on it than on the default chip of `options`; with the reason in words. Where lines are of
/// chips that are not supported, and none is of supported ones alone, it is such a chip.
/// Takes time linear in the text, up to a bound.
pub fn guess_target(text: &str, options: &Options) -> Option<FoundTarget> {
    let default = options.default_target;
    let others = CANDIDATES.into_iter().filter_map(Target::find).filter(|it| *it != default);
    let targets: Vec<Target> = std::iter::once(default).chain(others).collect();
    let set = |target: &Target| InstructionSet::in_dialect(*target, options.dialect);
    let sets: Vec<InstructionSet> = targets.iter().map(set).collect();
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    let mut right = vec![0_u32; sets.len()];
    let mut lines = 0;
    let (mut newer, mut has_older) = (None, false);
    let codes = pieces(text).map(|piece| match options.listing {
        Some(listing) => printed::code_of(piece, listing, &parts(piece)),
        None => piece.into(),
    });
    let codes: Vec<Cow<'_, str>> = codes.collect();
    for line in codes.iter().flat_map(|code| code.lines()) {
        let whole = line;
        let Some((mnemonic, line)) = instruction(line) else { continue };
        let shown = options.listing.and_then(|it| printed::words_of(whole, it));
        if options.listing == Some(Listing::Radv) && shown.is_none() {
            continue; // A line of an intermediate program, whose heading is in no piece.
        }
        let seen = seen.entry(mnemonic).or_default();
        *seen += 1;
        if *seen > LINES_OF_A_MNEMONIC {
            continue;
        }
        match side_of(base_name(mnemonic)) {
            Some(Side::Newer(since)) => newer = newer.or(Some((mnemonic, since))),
            Some(Side::Older) => has_older = true,
            None => {}
        }
        let Some(info) = op_info(mnemonic) else { continue };
        let exists: Vec<bool> = targets.iter().map(|it| !info.forms(*it).is_empty()).collect();
        let takes = |set: &InstructionSet| match (assemble_line(line, *set, &NoSymbols), &shown) {
            // Where a listing shows the words, they must be the same.
            (Ok(assembled), Some(shown)) => {
                assembled.fixup.is_some() || assembled.words() == shown.as_slice()
            }
            (assembled, _) => assembled.is_ok(),
        };
        let taken: Vec<bool> = sets.iter().map(takes).collect();
        // What nobody takes has names of the text in it, or is wrong: its mnemonic
        // still says where it may be from.
        let counted = if taken.contains(&true) { taken } else { exists };
        for (right, counts) in right.iter_mut().zip(counted) {
            *right += u32::from(counts);
        }
        lines += 1;
    }
    if let Some((mnemonic, since)) = newer.filter(|_| !has_older) {
        let target = Err(Unsupported::Having(mnemonic.into(), since));
        return Some(FoundTarget { target, why: "its lines".to_owned() });
    }
    let mut best = 0;
    for index in 1..right.len() {
        if right[index] > right[best] {
            best = index;
        }
    }
    let found = (best > 0).then_some(best)?;
    let (there, here) = (right[found], right[0]);
    let why =
        format!("its lines: it has {there} of {lines} looked at, {} has {here}", default.name());
    Some(FoundTarget { target: Ok(targets[found]), why })
}

/// The mnemonic of a line that may be an instruction, and the line from there on.
fn instruction(line: &str) -> Option<(&str, &str)> {
    let mut rest = printed::behind_comment(line.trim_ascii_start());
    loop {
        let length = rest.bytes().take_while(|byte| is_word(*byte)).count();
        let (word, behind) = rest.split_at(length);
        if let Some(code) = behind.strip_prefix(':') {
            rest = code.trim_ascii_start();
            continue;
        }
        // Every mnemonic has two parts at the least.
        return (word.contains('_') && !word.starts_with('.')).then_some((word, rest));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::assembler::Dialect;

    fn guessed(text: &str, dialect: Dialect) -> String {
        let options = Options { dialect, ..Options::default() };
        let found = guess_target(text, &options);
        found.map_or("none".to_owned(), |it| match it.target {
            Ok(target) => format!("{}: {}", target.name(), it.why),
            Err(unsupported) => format!("{unsupported}: {}", it.why),
        })
    }

    #[test]
    fn the_chip_that_takes_most_lines_is_guessed() {
        let found = [
            guessed("s_nop 0\nv_mov_b32 v0, v1\n", Dialect::Llvm),
            guessed("v_add_u32 v0, vcc, v1, v2\n", Dialect::Llvm),
            guessed("a: v_add_u32 v0, v1, v2\nv_add_co_u32 v0, vcc, v1, v2\n", Dialect::Llvm),
            guessed("v_add_i32 v0, vcc, v1, v2\n", Dialect::Llvm),
            guessed("s_buffer_load_dword s0, s[4:7], 0x12345\n", Dialect::Llvm),
            guessed("v_dot2_f32_f16 v0, v1, v2, v3\n", Dialect::Llvm),
            // Registers by name: the mnemonics alone speak.
            guessed("global_load_dword v[a], v[b:b+1], off\n", Dialect::Llvm),
            guessed("v_mac_legacy_f32 v0, v1, v2 # x\n", Dialect::Clrx),
            guessed("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]\n", Dialect::Llvm),
            guessed("buffer_wbl2 sc0 sc1\n", Dialect::Llvm),
            guessed("v_prng_b32 v0, v1\n", Dialect::Llvm),
            guessed("s_nop 0\nv_add_nc_u32_e32 v0, v1, v2\n", Dialect::Llvm),
            guessed("global_load_b32 v0, v[2:3], off\n", Dialect::Llvm),
            // A text for chips of both sides.
            guessed("v_add_nc_u32 v0, v1, v2\nv_addc_u32 v0, vcc, v1, v2, vcc\n", Dialect::Llvm),
            guessed("", Dialect::Llvm),
            guessed(":::: a:b:c\n", Dialect::Llvm),
        ];
        expect![[r#"
            none
            none
            gfx900: its lines: it has 2 of 2 looked at, polaris10 has 0
            gfx700: its lines: it has 1 of 1 looked at, polaris10 has 0
            none
            gfx906: its lines: it has 1 of 1 looked at, polaris10 has 0
            gfx900: its lines: it has 1 of 1 looked at, polaris10 has 0
            none
            gfx90a: its lines: it has 1 of 1 looked at, polaris10 has 0
            gfx942: its lines: it has 1 of 1 looked at, polaris10 has 0
            gfx950: its lines: it has 1 of 1 looked at, polaris10 has 0
            gfx10 or later (RDNA; only such chips have `v_add_nc_u32_e32`): its lines
            gfx11 or later (RDNA; only such chips have `global_load_b32`): its lines
            none
            none
            none"#]]
        .assert_eq(&found.join("\n"));
    }
}
