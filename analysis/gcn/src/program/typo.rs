//! Typos: the register, modifier, symbol, label or directive that a word
//! was probably meant to be.
//!
//! In a line that is wrong every word that nobody knows is held against those that the
//! instruction takes; what is offered makes the line right. So a word is named only
//! where it is the one to blame.

use std::cell::Cell;

use source::{Diagnostic, Fix};

use crate::assembler::Expansion;
use crate::assembler::sources::{SourceId, Span};
use crate::assembler::symbols::SymbolKind;
use crate::describe::{self, NAMED_REGISTERS};
use crate::dialect::words::shifted;
use crate::instruction::form::SlotKind;
use crate::instruction::modifier::{self, BARE_MOVEMENTS, MOVEMENTS, SELECTIONS, UNUSED};
use crate::instruction::suggest::write_instead;
use crate::instruction::{
    COUNTERS, FixupKind, InstructionSet, Symbols, assemble_line, counter_name, names,
};
use crate::limits::{NAMES_COMPARED, NEAR_NAMES};
use crate::mnemonics::{self, FormSuffix};

/// Words of a line that are looked at, and of each the neighbours, at most.
const MAX_WORDS: usize = 8;
const MAX_NEAR: usize = 4;

/// Finds typos, a bounded number of times.
#[derive(Debug, Default)]
pub(super) struct TypoFinder {
    tried: Cell<usize>,
}

impl TypoFinder {
    fn is_over(&self) -> bool {
        self.tried.set(self.tried.get() + 1);
        self.tried.get() > NEAR_NAMES
    }

    /// The word of a wrong line that, written otherwise, makes it right.
    pub(super) fn of_line(
        &self,
        line: &str,
        set: InstructionSet,
        expansion: &Expansion,
        symbols: &dyn Symbols,
    ) -> Option<Fix> {
        let start = line.len() - line.trim_start().len();
        let length = line[start..].find(char::is_whitespace)?;
        let mut known = words_of(&line[start..start + length], set);
        if known.is_empty() || self.is_over() {
            return None;
        }
        known.extend(defined(expansion, |_| true));
        for (at, word) in words(line, start + length).take(MAX_WORDS) {
            if known.iter().any(|it| it.eq_ignore_ascii_case(word)) || is_numbered(word) {
                continue;
            }
            for name in
                source::close_matches(word, known.iter().copied()).into_iter().take(MAX_NEAR)
            {
                let corrected = [&line[..at], name, &line[at + word.len()..]].concat();
                if assemble_line(&corrected, set, symbols).is_ok() {
                    return Some(write_instead(shifted(0, at, at + word.len()), name));
                }
            }
        }
        None
    }

    /// Finds the symbol that an unknown name is a typo of; a label where a jump goes.
    pub(super) fn of_symbol(
        &self,
        name: &str,
        kind: FixupKind,
        expansion: &Expansion,
    ) -> Option<Fix> {
        if name.len() < 3 || words(name, 0).next() != Some((0, name)) || self.is_over() {
            return None;
        }
        let jumps = kind == FixupKind::Branch;
        let symbols = defined(expansion, |of| !jumps || of == SymbolKind::Label);
        let specials = NAMED_REGISTERS.iter().filter(|_| !jumps).map(|it| it.name);
        let near = source::closest_match(name, symbols.chain(specials).filter(|it| *it != name))?;
        Some(write_instead(shifted(0, 0, name.len()), near))
    }
}

/// Adds fixes to diagnostics of unknown directives.
pub(super) fn of_directives(expansion: &Expansion, diagnostics: &mut [(Diagnostic, Span)]) {
    let unknown = diagnostics.iter_mut().filter(|it| it.0.code == crate::codes::UNKNOWN_DIRECTIVE);
    for (diagnostic, place) in unknown.take(NEAR_NAMES) {
        let written = place.source == SourceId::ROOT && place.range == diagnostic.range;
        let known = describe::directives().iter();
        let known = known.filter(|it| it.dialects.contains(&expansion.dialect));
        let near = source::closest_match(expansion.source_text(*place), known.map(|it| it.name));
        if let Some(near) = near.filter(|_| written) {
            diagnostic.fixes.push(write_instead(place.range, near));
        }
    }
}

/// The fields of kernels' descriptors.
pub(super) fn fields() -> impl Iterator<Item = &'static str> {
    describe::directives().iter().map(|it| it.name).filter(|it| it.starts_with(".amdhsa_"))
}

/// Tells whether nobody knows this field of a kernel's descriptor.
pub(super) fn is_unknown_field(name: &str) -> bool {
    name.starts_with(".amdhsa_") && !fields().any(|it| it.eq_ignore_ascii_case(name))
}

/// The names of symbols that the text defines.
fn defined(
    expansion: &Expansion,
    wanted: impl Fn(SymbolKind) -> bool,
) -> impl Iterator<Item = &str> {
    let symbols = expansion.symbols().iter().take(NAMES_COMPARED);
    let symbols = symbols.filter(move |it| wanted(it.kind) && !it.definitions.is_empty());
    symbols.map(|it| &*it.name)
}

/// Words behind a place of a line, of three letters and more, with their places.
fn words(line: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let mut at = from;
    let words = std::iter::from_fn(move || {
        let bytes = line.as_bytes();
        at += bytes.get(at..)?.iter().position(|byte| is_letter(*byte))?;
        let start = at;
        at += bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
        Some((start, line.get(start..at)?))
    });
    words.filter(|(_, word)| word.len() >= 3 && !word.as_bytes()[0].is_ascii_digit())
}

/// Tells whether a word is a register with a number, such as `v12`.
fn is_numbered(word: &str) -> bool {
    let number = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    number.len() < word.len()
        && !number.is_empty()
        && number.bytes().all(|it| it.is_ascii_digit())
        && matches!(&word[..word.len() - number.len()], "v" | "s" | "a" | "ttmp")
}

/// The words that an instruction takes: registers with names, modifiers, and names of
/// numbers. Nothing for an unknown instruction.
fn words_of(mnemonic: &str, set: InstructionSet) -> Vec<&'static str> {
    let forms = set.forms_written(mnemonic);
    if forms.is_empty() {
        return Vec::new();
    }
    let mut words: Vec<&'static str> = NAMED_REGISTERS.iter().map(|it| it.name).collect();
    for slot in forms.iter().flat_map(|form| form.slots()) {
        match slot.kind {
            SlotKind::Flag(flag) => words.push(flag.name()),
            SlotKind::Number { key, .. } | SlotKind::List { key, .. } => {
                words.push(key.name());
            }
            SlotKind::CachePolicy { .. } => words.extend(modifier::cache::taken(slot)),
            SlotKind::WaitCounters => words.extend(COUNTERS.map(counter_name)),
            SlotKind::HardwareRegister | SlotKind::Message => {
                words.extend(names::all(set.target().features()));
                words.extend(["hwreg", "sendmsg"]);
            }
            SlotKind::ExportTarget => words.extend(EXPORTS),
            _ => {}
        }
    }
    match mnemonics::split_suffix(mnemonic).1 {
        Some(FormSuffix::Sdwa) => words.extend(SELECTIONS.iter().chain(&UNUSED)),
        Some(FormSuffix::Dpp) => {
            words.extend(MOVEMENTS.iter().map(|(name, ..)| name));
            words.extend(BARE_MOVEMENTS.iter().map(|(name, _)| name));
        }
        Some(FormSuffix::Short | FormSuffix::Long) | None => {}
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The beginnings of what can be exported to, with the usual numbers.
const EXPORTS: [&str; 15] = [
    "mrt0", "mrt1", "mrt2", "mrt3", "mrtz", "null", "pos0", "pos1", "pos2", "pos3", "param0",
    "param1", "param2", "param3", "done",
];

#[cfg(test)]
mod tests {
    use crate::program::{Options, assemble};

    /// Returns the text with the only fix of its only diagnostic made.
    fn corrected(line: &str) -> Option<String> {
        let text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\ncount = 4\nmain:\n{line}\n s_endpgm\n"
        );
        let program = assemble(&text, &Options::default(), &|_| None, &source::no_checkpoint);
        let [diagnostic] = program.diagnostics.as_slice() else {
            panic!("{line}: {:?}", program.diagnostics)
        };
        let [fix] = diagnostic.fixes.as_slice() else { return None };
        let mut text = text;
        let edit = &fix.edits[0];
        text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
        text.lines().nth(3).map(str::to_owned)
    }

    #[test]
    fn a_word_that_is_a_slip_is_named_and_mended() {
        for (wrong, right) in [
            ("v_mov_b32 v0, cuont", Some("v_mov_b32 v0, count")),
            ("s_mov_b64 vcc, exce", Some("s_mov_b64 vcc, exec")),
            ("s_mov_b32 vcc_l, 0", Some("s_mov_b32 vcc_lo, 0")),
            ("s_branch mian", Some("s_branch main")),
            // A jump goes to no number.
            ("s_branch cuont", None),
            (
                "buffer_load_dword v0, off, s[0:3], 0 ofset:4",
                Some("buffer_load_dword v0, off, s[0:3], 0 offset:4"),
            ),
            (
                "buffer_load_dword v0, off, s[0:3], 0 glcc",
                Some("buffer_load_dword v0, off, s[0:3], 0 glc"),
            ),
            (
                "image_sample v[0:3], v[0:3], s[0:7], s[0:3] dmsk:0xf",
                Some("image_sample v[0:3], v[0:3], s[0:7], s[0:3] dmask:0xf"),
            ),
            ("s_waitcnt vmcn(0)", Some("s_waitcnt vmcnt(0)")),
            ("s_getreg_b32 s0, hwreg(HW_REG_MOD)", Some("s_getreg_b32 s0, hwreg(HW_REG_MODE)")),
            ("s_sendmsg sendmsg(MSG_INTERUPT)", Some("s_sendmsg sendmsg(MSG_INTERRUPT)")),
            ("exp mtr0 v0, v0, v0, v0 done", Some("exp mrt0 v0, v0, v0, v0 done")),
            ("v_mov_b32_sdwa v0, v1 dst_sel:BYT_0", Some("v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0")),
            (
                "v_mov_b32_dpp v0, v1 quad_prem:[0,1,2,3]",
                Some("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3]"),
            ),
            (".macr twice", Some(".macro twice")),
            // `v1` and `s1` are as near as each other.
            ("v_add_f32 v0, w1, v2", None),
            ("v_mov_b32 s0, v1", None),
        ] {
            assert_eq!(corrected(wrong).as_deref(), right, "{wrong}");
        }
        let field = ".amdhsa_kernel main\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n\
                     .amdhsa_ieee_mod 1\n.end_amdhsa_kernel";
        // The fourth line of the text is the block's first.
        assert_eq!(corrected(field).as_deref(), Some(".amdhsa_kernel main"));
    }
}
