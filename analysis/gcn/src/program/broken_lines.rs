//! The meaning of a line that is not an instruction, or none yet, told from its words: the
//! instruction that it must have been meant as, or else the effects that it may have.

use super::Program;
use super::broken_operands::{BrokenOperands, registers};
use super::completion::completion;
use super::readings::{self, Reading};
use crate::Target;
use crate::analysis::{Control, DefUse, EXEC, Gap, GapKind, Instruction, RegisterSet};
use crate::behaviour::Unit;
use crate::instruction::form::InstDesc;
use crate::instruction::{Assembled, InstructionSet, Register};
use crate::mnemonics::{self, OpInfo};

/// The meaning of a broken line.
pub(super) enum Meaning {
    /// The only instruction that one mistake makes the line of, and the effects that the line may
    /// have otherwise.
    Instruction(Reading, Gap),
    /// An instruction with the effects of the line but for the registers that it reads.
    Part(Assembled, Gap),
    /// The effects that it may have.
    Gap(Gap),
}

impl Meaning {
    /// The meaning in a kernel with some labels: nothing jumps to any other.
    pub(super) fn with_labels(self, is_label: impl Fn(&str) -> bool) -> Meaning {
        match self {
            Meaning::Instruction(it, gap) if it.jump().is_some_and(|own| !is_label(own)) => {
                Meaning::Gap(gap)
            }
            other => other,
        }
    }
}

/// Returns the meaning of a statement that stands in the place of a number of the code.
pub(super) fn meaning(program: &Program, text: &str, statement: u32, place: u32) -> Meaning {
    let text = behind_unknown_word(text.trim());
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    // A macro that is missing or misspelt may do anything.
    let expansion = &program.expansion;
    let has_macros = !expansion.macros.is_empty() || !expansion.wanted.is_empty();
    if has_macros && set.forms_written(word).is_empty() {
        return Meaning::Gap(unknown(text, program.target, place));
    }
    let symbols = expansion.symbols_at(statement);
    let mut readings = readings::readings(text, set, &symbols);
    let uses: Vec<DefUse> = readings.iter().map(|it| def_use(it, program)).collect();
    match (uses.as_slice(), readings.pop()) {
        ([_], Some(reading)) => Meaning::Instruction(reading, of_words(text, set, place)),
        ([], _) | (_, None) => {
            let gap = of_words(text, set, place);
            match completion(text, &gap, set, &symbols) {
                // Its own operations are those of the instruction.
                Some(own) => Meaning::Part(own, Gap { kind: GapKind::Computes, ..gap }),
                None => Meaning::Gap(gap),
            }
        }
        (uses, _) => Meaning::Gap(of_instructions(uses, place)),
    }
}

fn def_use(reading: &Reading, program: &Program) -> DefUse {
    DefUse::of(&Instruction::new(0, reading.assembled.words(), None), program.target)
}

/// The gap of a line that is one of some instructions.
fn of_instructions(uses: &[DefUse], instruction: u32) -> Gap {
    let all = |of: fn(&DefUse) -> RegisterSet| {
        uses.iter().fold(RegisterSet::EMPTY, |all, own| all.union(&of(own)))
    };
    let forms: Vec<&InstDesc> = uses.iter().filter_map(|own| own.desc).collect();
    of_forms(&forms, all(DefUse::read_set), all(DefUse::write_set), instruction)
}

/// The gap of a line of which some words cannot be read.
pub(super) fn of_words(text: &str, set: InstructionSet, instruction: u32) -> Gap {
    let (word, operands) = word_and_operands(text);
    let own = BrokenOperands::of(operands);
    let forms = own.fitting(forms_near(word, operands.starts_with(','), set));
    if forms.is_empty() {
        return unknown(text, set.target(), instruction);
    }
    let accesses = own.accesses(&forms, set.target());
    let gap = of_forms(&forms, accesses.reads, accesses.writes, instruction);
    Gap { named: own.named(), ..gap }
}

/// The gap of a line that has one of these forms.
fn of_forms(forms: &[&InstDesc], reads: RegisterSet, writes: RegisterSet, instruction: u32) -> Gap {
    let any = |is: fn(&InstDesc) -> bool| forms.iter().any(|form| is(form));
    let steers = any(|form| form.control() != Control::Next);
    let kind = match () {
        () if forms.iter().all(|form| computes(form)) => GapKind::Computes,
        () if !any(may_wait) => GapKind::Accesses,
        () => GapKind::Anything,
    };
    let masks = steers || writes.touches(Register::scalar(EXEC, 2));
    let [reads, writes] = if steers { [RegisterSet::ALL; 2] } else { [reads, writes] };
    let ends = any(|form| ends_path(form.control()));
    Gap { instruction, steers, ends, masks, kind, named: RegisterSet::EMPTY, reads, writes }
}

/// Returns the meaning of a line of a code in which too much is broken for it to be looked for.
pub(super) fn anything(text: &str, target: Target, place: u32) -> Meaning {
    Meaning::Gap(unknown(text, target, place))
}

/// The gap of lines that are not there to read; what is behind them would be of no use if control
/// never came there.
pub(super) fn any_lines(target: Target, place: u32) -> Gap {
    Gap { ends: false, ..unknown("", target, place) }
}

/// The gap of a line that may be anything but what its operands exclude.
fn unknown(text: &str, target: Target, instruction: u32) -> Gap {
    let (_, operands) = word_and_operands(text);
    let own = BrokenOperands::of(operands);
    // No scalar instruction, and so no branch, names a vector register.
    let steers = own.named().vector_end() == 0 && own.may_steer();
    let label = !operands.contains(',') && registers(operands.trim()).is_none();
    let accesses = own.accesses(&[], target);
    let [reads, writes] = match steers {
        true => [RegisterSet::ALL; 2],
        false => [accesses.reads, accesses.writes],
    };
    let kind = GapKind::Anything;
    let (ends, named) = (steers && label, own.named());
    Gap { instruction, steers, ends, masks: true, kind, named, reads, writes }
}

/// The first word of a line, and what is behind it: with the comma where one is its end.
fn word_and_operands(text: &str) -> (&str, &str) {
    let (word, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    match word.strip_suffix(',') {
        // Without a mnemonic the first operand stands in its place.
        Some(first) if registers(first).is_some() => ("", text),
        Some(word) => (word, &text[word.len()..]),
        None => (word, operands),
    }
}

/// The forms of a word, or else of those that it may have been meant as: near ones, and those of
/// which it is the beginning; of no such one those that begin alike. A word before a comma is the
/// whole part of a mnemonic before a `_`.
fn forms_near(word: &str, is_cut: bool, set: InstructionSet) -> Vec<&'static InstDesc> {
    let own = set.forms_written(word);
    if !own.is_empty() || word.is_empty() {
        return own;
    }
    let forms = |infos: &[OpInfo]| -> Vec<&'static InstDesc> {
        infos.iter().flat_map(|info| set.forms_of(info.opcode)).collect()
    };
    let begun = if is_cut { format!("{word}_") } else { word.to_owned() };
    let mut near = forms(mnemonics::beginning_with(&begun));
    if !is_cut {
        let words = readings::words_near(word, set);
        near.extend(words.iter().flat_map(|word| set.forms_written(word)));
    }
    match word.find('_').filter(|_| near.is_empty()) {
        Some(end) => forms(mnemonics::beginning_with(&word[..=end])),
        None => near,
    }
}

/// Tells whether a form is one that only computes.
fn computes(form: &InstDesc) -> bool {
    let behaviour = form.behaviour();
    let is_alu = matches!(behaviour.unit, Unit::Valu | Unit::Salu);
    is_alu && behaviour.counters.is_empty() && form.control() == Control::Next
}

/// Tells whether a form may wait, or make wait states.
fn may_wait(form: &InstDesc) -> bool {
    use Unit::{Export, Flat, Gds, Interp, Lds, Salu, Scratch, Smem, Valu, Vmem};
    let unit = form.behaviour().unit;
    !matches!(unit, Valu | Salu | Interp | Smem | Vmem | Flat | Scratch | Lds | Gds | Export)
        || form.control() != Control::Next
}

/// A line without its first word, where that is no mnemonic and the next one is.
fn behind_unknown_word(text: &str) -> &str {
    let Some((word, rest)) = text.split_once([' ', '\t']) else { return text };
    let rest = rest.trim_start();
    let next = rest.split([' ', '\t']).next().unwrap_or_default();
    let is_behind = mnemonics::op_info(word).is_none() && mnemonics::op_info(next).is_some();
    if is_behind { rest } else { text }
}

/// Tells whether control never goes on behind an instruction.
fn ends_path(control: Control) -> bool {
    matches!(control, Control::Jump | Control::Indirect | Control::End)
}
