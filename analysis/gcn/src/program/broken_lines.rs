//! The effect that a line may have which is not an instruction, or none yet, told from its words.

use super::Program;
use crate::analysis::{Control, Gap, RegisterSet, VCC};
use crate::encoding::Encoding;
use crate::instruction::form::InstDesc;
use crate::instruction::{InstructionSet, Register};
use crate::mnemonics::{self, OpInfo};

/// Words in an operand's place that name no register.
const NO_REGISTERS: [&str; 4] = ["off", "lds", "null", "vmcnt"];

/// The gap that stands for a line.
pub(super) fn gap(program: &Program, text: &str, instruction: u32) -> Gap {
    let text = text.trim();
    let (word, operands) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let set = InstructionSet::of(program.target);
    let forms = set.forms_written(word);
    let family = family(word);
    let first = family.iter().find_map(|info| set.forms_of(info.opcode).first());
    // Behind all that is not scalar control goes on to the next line.
    let is_scalar = first.is_some_and(|form| form.encoding.is_scalar());
    let is_plain = first.is_some() && !is_scalar;
    let near = match forms.is_empty() {
        true if is_plain => Vec::new(),
        true => meant(word, set),
        false => forms.clone(),
    };
    // Of a word that is like none only the operands tell: a label, or nothing.
    let unknown = near.is_empty() && first.is_none();
    let label = !operands.contains(',') && operand_registers(operands.trim()).is_none();
    let steers = unknown || near.iter().any(|form| form.control() != Control::Next);
    let ends = unknown && label || near.iter().any(|form| ends_path(form.control()));
    // Masks of lanes rule what others write.
    let masks =
        is_plain && writes_mask(word, set) || near.iter().any(|form| form.flags().writes_exec());
    let known = is_plain || !forms.is_empty();
    let registers = registers(operands, &forms).filter(|_| known && !masks && !steers);
    Gap { instruction, steers, ends, registers }
}

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

/// The registers that operands name, if each is read for certain and none lacks.
fn registers(operands: &str, forms: &[&'static InstDesc]) -> Option<RegisterSet> {
    let mut all = RegisterSet::of(Register::scalar(VCC, 2));
    let mut count = 0;
    for operand in operands.split(',') {
        let word = operand.split_whitespace().next()?;
        all.add_all(&operand_registers(word)?);
        count += 1;
    }
    let wanted = forms.iter().map(|form| form.operands().len()).max().unwrap_or(1);
    (count >= wanted).then_some(all)
}

fn operand_registers(word: &str) -> Option<RegisterSet> {
    let word = word.trim_start_matches(['-', '|']).trim_end_matches('|');
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        return word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '.')
            .then(RegisterSet::default);
    }
    if NO_REGISTERS.contains(&word) || word.starts_with("vcc") {
        return Some(RegisterSet::default());
    }
    let make = match first {
        'v' => Register::vector,
        's' => Register::scalar,
        _ => return None,
    };
    let rest = &word[1..];
    let range = rest.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let (low, high) = match range {
        Some(range) => range.split_once(':').unwrap_or((range, range)),
        None => (rest, rest),
    };
    let (low, high): (u16, u16) = (low.parse().ok()?, high.parse().ok()?);
    let dwords = u8::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
    Some(RegisterSet::of(make(low, dwords)))
}
