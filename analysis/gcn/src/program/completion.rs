//! Lines of which only registers that they read are unknown: `ds_read_b32 v22,` writes `v22` and
//! is under way until a wait, whatever its address is.

use super::broken_operands::BrokenOperands;
use crate::analysis::{DefUse, Gap, GapKind, Instruction};
use crate::instruction::form::{InstDesc, Role, Slot, SlotKind, SourceSet};
use crate::instruction::{Assembled, InstructionSet, Symbols, assemble_line};

/// Returns an instruction that does what a line does whose operands are broken or missing, with
/// any others in their place; `None` where the effect of the line depends on them. The registers
/// that it reads are those of `gap` and no others.
pub(super) fn completion(
    text: &str,
    gap: &Gap,
    set: InstructionSet,
    symbols: &dyn Symbols,
) -> Option<Assembled> {
    let (word, operands) = text.split_once([' ', '\t'])?;
    let forms = set.forms_written(word);
    let first = forms.first()?;
    let one_opcode = forms.iter().all(|form| form.opcode() == first.opcode());
    let exchanges = forms.iter().any(|form| form.flags().atomic());
    if !one_opcode || exchanges || gap.steers || gap.masks || gap.kind == GapKind::Anything {
        return None;
    }
    let own = BrokenOperands::of(operands);
    let lines = own.fitting(forms).into_iter().filter_map(|form| own.filled(word, form, filler));
    lines.filter_map(|line| assemble_line(&line, set, symbols).ok()).find(|it| {
        let def_use = DefUse::of(&Instruction::new(0, it.words(), None), set.target());
        it.fixup.is_none() && gap.writes.without(&def_use.write_set()).is_empty()
    })
}

/// An operand for a slot whose register is only read; `None` for all other slots.
fn filler(form: &InstDesc, slot: &Slot) -> Option<String> {
    let role = form.operands().iter().find(|(own, _)| own == slot).map(|(_, role)| *role);
    let range = |bank: char, dwords: u8| match dwords {
        0 | 1 => format!("{bank}0"),
        more => format!("{bank}[0:{}]", more - 1),
    };
    let own = match slot.kind {
        SlotKind::Vector { dwords } | SlotKind::VectorOrAccumulator { dwords } => {
            range('v', dwords)
        }
        SlotKind::Accumulator { dwords } => range('a', dwords),
        SlotKind::Scalar { dwords, .. } => range('s', dwords),
        SlotKind::Source(source) => match source.from {
            SourceSet::Vector | SourceSet::ShortVector => range('v', 1),
            _ => "0".to_owned(),
        },
        SlotKind::VectorOrLds => range('v', 1),
        SlotKind::Mask => range('s', 2),
        SlotKind::Vcc => "vcc".to_owned(),
        SlotKind::Sum { .. } | SlotKind::ScalarSource { .. } | SlotKind::Lane { .. } => {
            "0".to_owned()
        }
        SlotKind::ScalarOffset(_) => "0".to_owned(),
        _ => return None,
    };
    role.is_none_or(|role| role == Role::Read).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::instruction::NoSymbols;
    use crate::program::broken_lines::of_words;

    fn completed(line: &str) -> Option<String> {
        let set = InstructionSet::of(Target::find("gfx900").expect("gfx900"));
        let gap = of_words(line, set, 0);
        let own = completion(line, &gap, set, &NoSymbols)?;
        let def_use = DefUse::of(&Instruction::new(0, own.words(), None), set.target());
        Some(format!("{} {:?}", def_use.name(), def_use.write_set().registers().next()))
    }

    #[test]
    fn a_line_whose_sources_are_missing_writes_what_it_writes() {
        let register = |bank: &str, first: u16| {
            format!("Some(Register {{ bank: {bank}, first: {first}, dwords: 1 }})")
        };
        for (line, opcode, written) in [
            ("ds_read_b32 v22", "ds_read_b32", register("Vector", 22)),
            ("ds_read_b32 v22,", "ds_read_b32", register("Vector", 22)),
            (
                "buffer_load_dword v20, v1, s[], 0 offen",
                "buffer_load_dword",
                register("Vector", 20),
            ),
            ("buffer_load_dword v24, off, s[8:11],", "buffer_load_dword", register("Vector", 24)),
            ("v_readfirstlane_b32 s43", "v_readfirstlane_b32", register("Scalar", 43)),
            ("v_lshlrev_b32_e32 v0, 3", "v_lshlrev_b32", register("Vector", 0)),
            ("s_setreg_b32 hwreg(HW_REG_MODE),", "s_setreg_b32", "None".to_owned()),
        ] {
            assert_eq!(completed(line), Some(format!("{opcode} {written}")), "{line}");
        }
    }

    #[test]
    fn a_line_whose_effect_is_not_known_is_not_completed() {
        for line in [
            // Nobody knows what they write.
            "v_mov_b32 v",
            "v_mov_b32",
            "s_load_dword s[",
            // The mode, the wait and the lanes.
            "s_setreg_b32 hw, s1",
            "s_waitcnt",
            "s_mov_b64 exec,",
            "v_cmpx_eq_u32 vcc, v1,",
            // Whether the atomic returns what it found is said behind what is missing.
            "buffer_atomic_add v1, off, s[0:3],",
            "v_nothing v1,",
        ] {
            assert_eq!(completed(line), None, "{line}");
        }
    }
}
