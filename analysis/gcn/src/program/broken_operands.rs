//! The registers that the operands of a line may stand for which is not an instruction yet:
//! operands that can be read stand for themselves, all others for any register that the
//! instruction takes in their place.

use crate::Target;
use crate::analysis::{
    EXEC, FLAT_SCRATCH, FLAT_SCRATCH_GFX7, M0, RegisterSet, SCC, VCC, unnamed_of,
};
use crate::instruction::form::{InstDesc, Role, Slot, SlotKind, SourceSet};
use crate::instruction::{Bank, Register};

/// Words in an operand's place that name no register.
const NO_REGISTERS: [&str; 4] = ["off", "lds", "null", "vmcnt"];

/// The operands of most instructions, at least: one that stands alone may be what is left.
const LEAST: usize = 2;

/// Registers that instructions access though no operand names them: of those that nobody knows.
const UNNAMED: [(u16, u8); 5] =
    [(VCC, 2), (SCC, 1), (M0, 1), (FLAT_SCRATCH, 2), (FLAT_SCRATCH_GFX7, 2)];

/// The operands of a broken line, from the left to the right.
pub(super) struct BrokenOperands<'a> {
    words: Vec<Word<'a>>,
}

/// An operand.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// The same with the modifiers behind it.
    whole: &'a str,
    /// The registers that it names; `None` where that is not certain.
    named: Option<RegisterSet>,
    /// The registers that it may stand for.
    may_be: RegisterSet,
}

/// The registers that a line may access.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    pub(super) reads: RegisterSet,
    pub(super) writes: RegisterSet,
}

impl<'a> BrokenOperands<'a> {
    /// Splits operands at their commas.
    pub(super) fn of(operands: &'a str) -> BrokenOperands<'a> {
        let is_empty = operands.trim().is_empty();
        let words = operands.split(',').filter(|_| !is_empty);
        BrokenOperands { words: words.map(Word::of).collect() }
    }

    /// The registers that they name.
    pub(super) fn named(&self) -> RegisterSet {
        let named = self.words.iter().filter_map(|word| word.named);
        named.fold(RegisterSet::EMPTY, |all, own| all.union(&own))
    }

    /// A line of a form with these operands, and with other ones for those that are broken or
    /// missing; `None` where there is none for one of them, or there are too many.
    pub(super) fn filled(
        &self,
        word: &str,
        form: &InstDesc,
        filler: impl Fn(&InstDesc, &Slot) -> Option<String>,
    ) -> Option<String> {
        let slots: Vec<&Slot> = positional(form).collect();
        let mut operands = Vec::with_capacity(slots.len());
        for (place, slot) in slots.iter().enumerate() {
            operands.push(match self.words.get(place) {
                // What stands for no register is right as it is, or nothing is.
                Some(own) if own.named.is_some() || registers_of(slot).is_empty() => {
                    own.whole.to_owned()
                }
                Some(own) => [&filler(form, slot)?, own.modifiers()].concat(),
                None => filler(form, slot)?,
            });
        }
        (self.words.len() <= slots.len()).then(|| format!("{word} {}", operands.join(", ")))
    }

    /// Tells whether each is read for certain, of an instruction that nobody knows.
    pub(super) fn is_whole(&self) -> bool {
        self.words.len() >= LEAST && self.words.iter().all(|word| word.named.is_some())
    }

    /// Tells whether they may be those of a branch: a label, or an address in two registers.
    pub(super) fn may_steer(&self) -> bool {
        let is_pair = |it: &Word<'_>| it.text.contains(':');
        !self.is_whole() || self.words.len() <= LEAST && self.words.iter().any(is_pair)
    }

    /// The forms that may have these operands: as many, if there is one, or else more, each where
    /// a form takes it. All where none takes them.
    pub(super) fn fitting(&self, forms: Vec<&'static InstDesc>) -> Vec<&'static InstDesc> {
        let mut fitting: Vec<_> = forms.iter().copied().filter(|form| self.fits(form)).collect();
        if fitting.iter().any(|form| positional(form).count() == self.words.len()) {
            fitting.retain(|form| positional(form).count() == self.words.len());
        }
        if fitting.is_empty() { forms } else { fitting }
    }

    fn fits(&self, form: &InstDesc) -> bool {
        let words = self.words.len();
        words <= positional(form).count()
            && self.words.iter().zip(positional(form)).all(|(word, slot)| word.fits(slot))
    }

    /// The registers that they stand for in an instruction of one of these forms, of none where
    /// nobody knows the instruction.
    pub(super) fn accesses(&self, forms: &[&'static InstDesc], target: Target) -> Accesses {
        let mut all = Accesses::default();
        if forms.is_empty() {
            all.add(&unnamed(), Role::ReadWrite);
            let named = self.words.iter().filter_map(|word| word.named);
            let own =
                if self.is_whole() { named.collect::<Vec<_>>() } else { vec![RegisterSet::ALL] };
            own.iter().for_each(|own| all.add(own, Role::ReadWrite));
        }
        for form in forms {
            self.add_those_of(form, &mut all);
            let [reads, writes] = unnamed_of(form, target);
            all.reads.add_all(&reads);
            all.writes.add_all(&writes);
        }
        all
    }

    fn add_those_of(&self, form: &InstDesc, all: &mut Accesses) {
        // Whoever types goes from the left to the right: what lacks is behind.
        for (place, slot) in positional(form).enumerate() {
            let taken = registers_of(slot);
            let own = match self.words.get(place) {
                Some(word) => word.named.unwrap_or_else(|| word.may_be.intersection(&taken)),
                None => taken,
            };
            let role = form.operands().iter().find(|(own, _)| own == slot).map(|(_, role)| *role);
            all.add(&own, role.unwrap_or(Role::Read));
        }
        // Operands too much may be in any place.
        for word in self.words.iter().skip(positional(form).count()) {
            all.add(&word.named.unwrap_or_default(), Role::ReadWrite);
        }
        if form.flags().writes_exec() {
            all.writes.insert(Register::scalar(EXEC, 2));
        }
    }
}

impl Accesses {
    fn add(&mut self, registers: &RegisterSet, role: Role) {
        if role != Role::Write {
            self.reads.add_all(registers);
        }
        if role != Role::Read {
            self.writes.add_all(registers);
        }
    }
}

impl<'a> Word<'a> {
    fn of(text: &'a str) -> Word<'a> {
        let whole = text.trim();
        let text = whole.split_whitespace().next().unwrap_or("");
        let may_be = match text.trim_start_matches(['-', '|']).as_bytes() {
            [b'v', b'[' | b'0'..=b'9', ..] => bank(Bank::Vector),
            [b'a', b'[' | b'0'..=b'9', ..] => bank(Bank::Accumulator),
            [b's', b'[' | b'0'..=b'9', ..] => bank(Bank::Scalar),
            _ => RegisterSet::ALL,
        };
        Word { text, whole, named: registers(text), may_be }
    }

    fn modifiers(&self) -> &'a str {
        &self.whole[self.text.len()..]
    }

    /// Tells whether a slot takes it.
    fn fits(&self, slot: &Slot) -> bool {
        let taken = registers_of(slot);
        let number = self.text.trim_start_matches('-').starts_with(|it: char| it.is_ascii_digit());
        match self.named {
            Some(_) if number => takes_numbers(slot),
            Some(named) => named.without(&taken).is_empty(),
            // What cannot be read may be a number or a word.
            None => self.may_be == RegisterSet::ALL || self.may_be.meets(&taken),
        }
    }
}

/// The slots whose operands stand between commas.
fn positional(form: &InstDesc) -> impl Iterator<Item = &Slot> {
    form.slots().iter().filter(|slot| slot.is_positional())
}

fn takes_numbers(slot: &Slot) -> bool {
    use SlotKind::{Accumulator, Scalar, Vector, VectorOrAccumulator, VectorOrLds, Vectors};
    match slot.kind {
        Vector { .. } | Vectors | VectorOrLds | Accumulator { .. } | VectorOrAccumulator { .. } => {
            false
        }
        Scalar { .. } | SlotKind::Mask | SlotKind::Vcc => false,
        SlotKind::Source(source) => {
            !matches!(source.from, SourceSet::Vector | SourceSet::ShortVector)
        }
        _ => true,
    }
}

/// The registers that a slot takes.
fn registers_of(slot: &Slot) -> RegisterSet {
    let vectors = bank(Bank::Vector);
    let accumulators = bank(Bank::Accumulator);
    match slot.kind {
        SlotKind::Vector { .. } | SlotKind::VectorOrLds | SlotKind::ExportSource { .. } => vectors,
        SlotKind::Accumulator { .. } => accumulators,
        SlotKind::Vectors | SlotKind::VectorOrAccumulator { .. } | SlotKind::Sum { .. } => {
            vectors.union(&accumulators)
        }
        SlotKind::Source(source) => match source.from {
            SourceSet::Vector | SourceSet::ShortVector | SourceSet::VectorOrConstant => vectors,
            _ => RegisterSet::ALL,
        },
        SlotKind::Scalar { .. }
        | SlotKind::Mask
        | SlotKind::ScalarSource { .. }
        | SlotKind::Lane { .. }
        | SlotKind::ScalarOffset(_) => bank(Bank::Scalar),
        SlotKind::Vcc => RegisterSet::of(Register::scalar(VCC, 2)),
        _ => RegisterSet::EMPTY,
    }
}

fn bank(bank: Bank) -> RegisterSet {
    RegisterSet::ALL.of_bank(bank)
}

fn unnamed() -> RegisterSet {
    UNNAMED.map(|(first, dwords)| Register::scalar(first, dwords)).into_iter().collect()
}

/// The registers that an operand names; `None` where that is not certain.
pub(super) fn registers(word: &str) -> Option<RegisterSet> {
    let word = word.trim_start_matches(['-', '|']).trim_end_matches('|');
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        return word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '.')
            .then(RegisterSet::default);
    }
    if NO_REGISTERS.contains(&word) {
        return Some(RegisterSet::default());
    }
    match word {
        "vcc" => return Some(RegisterSet::of(Register::scalar(VCC, 2))),
        "vcc_lo" => return Some(RegisterSet::of(Register::scalar(VCC, 1))),
        "vcc_hi" => return Some(RegisterSet::of(Register::scalar(VCC + 1, 1))),
        "exec" => return Some(RegisterSet::of(Register::scalar(EXEC, 2))),
        "exec_lo" => return Some(RegisterSet::of(Register::scalar(EXEC, 1))),
        "exec_hi" => return Some(RegisterSet::of(Register::scalar(EXEC + 1, 1))),
        "m0" => return Some(RegisterSet::of(Register::scalar(M0, 1))),
        _ => {}
    }
    let bank = match first {
        'v' => Bank::Vector,
        's' => Bank::Scalar,
        'a' => Bank::Accumulator,
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
    Some(RegisterSet::of(Register { bank, first: low, dwords }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::InstructionSet;
    use crate::program::broken_lines::of_words;

    #[test]
    fn registers_that_no_operand_names_are_those_of_the_instruction() {
        let set = InstructionSet::of(Target::find("gfx900").expect("gfx900"));
        let (scc, m0) = (Register::scalar(SCC, 1), Register::scalar(M0, 1));
        for (line, register, accesses) in [
            ("s_addc_u32 s0, s1, s2, s9", scc, [true, true]),
            ("s_add_u32 s0, s1, s2, s9", scc, [false, true]),
            ("s_cselect_b32 s0, s1, s2, s9", scc, [true, false]),
            ("s_mov_b32 s0, s1, s9", scc, [false, false]),
            ("v_interp_p1_f32 v0, v1, attr0.x, v9", m0, [true, false]),
            ("v_mul_f32 v0, v1, v2, v9", m0, [false, false]),
        ] {
            let gap = of_words(line, set, 0);
            let found = [gap.reads, gap.writes].map(|it| it.touches(register));
            assert_eq!(found, accesses, "{line}");
        }
    }

    #[test]
    fn either_half_of_exec_masks_lanes() {
        let set = InstructionSet::of(Target::find("gfx900").expect("gfx900"));
        for (line, masks) in [
            ("s_mov_b32 exec_lo, s1, s9", true),
            ("s_mov_b32 exec_hi, s1, s9", true),
            ("s_mov_b32 vcc_hi, s1, s9", false),
        ] {
            assert_eq!(of_words(line, set, 0).masks, masks, "{line}");
        }
    }
}
