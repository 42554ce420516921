//! The effect that a line may have which is not an instruction, or none yet, told from its words.

use super::Program;
use super::broken_operands::{BrokenOperands, registers};
use crate::analysis::{Control, Gap, RegisterSet};
use crate::behaviour::Unit;
use crate::encoding::Encoding;
use crate::instruction::InstructionSet;
use crate::instruction::form::InstDesc;
use crate::mnemonics::{self, OpInfo};

/// The gap that stands for a line.
pub(super) fn gap(program: &Program, text: &str, instruction: u32) -> Gap {
    let text = behind_unknown_word(text.trim());
    // Without a mnemonic the first operand stands in its place.
    let (word, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let (word, operands) = match word.strip_suffix(',') {
        Some(first) if registers(first).is_some() => ("", text),
        Some(word) => (word, &text[word.len()..]),
        None => (word, operands),
    };
    let set = InstructionSet::of(program.target);
    let forms = set.forms_written(word);
    let family = family(word);
    let first = family.iter().find_map(|info| set.forms_of(info.opcode).first());
    // Behind all that is not scalar control goes on to the next line.
    let is_scalar = first.is_some_and(|form| form.encoding.is_scalar());
    // No scalar instruction, and so no branch, names a vector register.
    let own = BrokenOperands::of(operands, &forms);
    let names_vectors = own.named.vector_end() > 0 || !own.may_steer(operands);
    // A macro that is missing or misspelt may do anything.
    let expansion = &program.expansion;
    let is_lone = expansion.macros.is_empty() && expansion.wanted.is_empty();
    let is_plain = first.is_some() && !is_scalar || first.is_none() && names_vectors && is_lone;
    let near = match forms.is_empty() {
        true if is_plain => Vec::new(),
        true => meant(word, set),
        false => forms.clone(),
    };
    // Of a word that is like none only the operands tell: a label, or nothing.
    let unknown = near.is_empty() && !is_plain && first.is_none();
    let label = !operands.contains(',') && registers(operands.trim()).is_none();
    let steers = unknown || near.iter().any(|form| form.control() != Control::Next);
    let ends = unknown && label || near.iter().any(|form| ends_path(form.control()));
    // Masks of lanes rule what others write.
    let masks = match is_plain {
        true => first.is_none() || writes_mask(word, set),
        false => {
            let implied = forms.iter().any(|form| form.flags().writes_exec());
            implied || forms.is_empty() || !own.is_whole
        }
    };
    let computes = match is_plain {
        true => first.is_some_and(computes) && family.iter().all(|info| is_vector(info, set)),
        false => !near.is_empty() && near.iter().all(|form| computes(form)),
    };
    // A scalar instruction reaches no vector register.
    let reachable = if is_scalar { SCALARS } else { RegisterSet::ALL };
    let [reads, writes] = match steers {
        true => [RegisterSet::ALL; 2],
        false => [own.reads, own.writes].map(|it| it.intersection(&reachable)),
    };
    Gap { instruction, steers, ends, masks, computes, reads, writes }
}

/// Tells whether a form is one that only computes.
fn computes(form: &InstDesc) -> bool {
    let behaviour = form.behaviour();
    let is_alu = matches!(behaviour.unit, Unit::Valu | Unit::Salu);
    is_alu && behaviour.counters.is_empty() && form.control() == Control::Next
}

/// Tells whether a mnemonic is of vector arithmetic, where the chip has it.
fn is_vector(info: &OpInfo, set: InstructionSet) -> bool {
    set.forms_of(info.opcode).iter().all(|form| form.encoding.is_vector())
}

/// A line without its first word, where that is no mnemonic and the next one is.
fn behind_unknown_word(text: &str) -> &str {
    let Some((word, rest)) = text.split_once([' ', '\t']) else { return text };
    let rest = rest.trim_start();
    let next = rest.split([' ', '\t']).next().unwrap_or_default();
    let is_behind = mnemonics::op_info(word).is_none() && mnemonics::op_info(next).is_some();
    if is_behind { rest } else { text }
}

/// The registers of the scalar unit.
const SCALARS: RegisterSet = RegisterSet { scalar: u128::MAX, vector: [0; 8] };

/// The mnemonics that begin like a word, up to its first `_`.
fn family(word: &str) -> &'static [OpInfo] {
    word.find('_').map_or(&[], |end| mnemonics::beginning_with(&word[..=end]))
}

/// Tells whether a vector instruction of this name may be a comparison: mnemonics with its
/// first letters are.
fn writes_mask(word: &str, set: InstructionSet) -> bool {
    const LETTERS: usize = 4;
    let near = word.get(..LETTERS).map_or(&[][..], mnemonics::beginning_with);
    let forms = near.iter().flat_map(|info| set.forms_of(info.opcode));
    forms.into_iter().any(|form| form.encoding == Encoding::Vopc)
}

/// The forms of the scalar mnemonics that a word is near to, or the beginning of.
fn meant(word: &str, set: InstructionSet) -> Vec<&'static InstDesc> {
    let near = |info: &&OpInfo| {
        info.name.starts_with(word) || !source::close_matches(word, [info.name]).is_empty()
    };
    let forms = mnemonics::all().iter().filter(near).flat_map(|info| set.forms_of(info.opcode));
    forms.filter(|form| form.encoding.is_scalar()).collect()
}

/// Tells whether control never goes on behind an instruction.
fn ends_path(control: Control) -> bool {
    matches!(control, Control::Jump | Control::Indirect | Control::End)
}
