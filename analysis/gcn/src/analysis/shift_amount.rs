//! Shifts of 64 bits whose amount is in the last register of those that a wave has.
//!
//! MI200 reads the amount of `v_lshlrev_b64`, `v_lshrrev_b64` and `v_ashrrev_i64` as if it were a
//! pair. Registers are given out in blocks of eight: an amount in the last of a block, with no
//! register used behind it, is read wrongly (LLVM GCNHazardRecognizer, fixShift64HighRegBug). No
//! wait helps: LLVM exchanges the amount with another register around the shift.

use isa::gcn::Feature;
use source::Severity;

use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::InstDiagnostic;
use super::register_use::named;
use crate::codes;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// Vector registers are given to a wave in blocks of so many.
const BLOCK: u16 = 8;

/// Finds the shifts whose amount stands in such a register.
pub(super) fn shift_amounts(code: &Code, def_use: &[DefUse], cfg: &Cfg) -> Vec<InstDiagnostic> {
    let target = code.target;
    if !target.has(Feature::Gfx90aInsts) || target.has(Feature::Gfx940Insts) {
        return Vec::new();
    }
    let mut used = None;
    let mut diagnostics = Vec::new();
    for (index, own) in def_use.iter().enumerate() {
        let Some(amount) = amount(own) else { continue };
        if !cfg.blocks[cfg.block_of(index) as usize].reachable {
            continue;
        }
        let used = used.get_or_insert_with(|| named(def_use));
        let next = Register { first: amount.first + 1, ..amount };
        if amount.first < 255 && used.touches(next) || !code.gaps.is_empty() {
            continue;
        }
        // A register further behind may be of another block that the wave has too.
        let is_last = used.vector_end() <= next.first && used.accumulator_count() == 0;
        let severity = if is_last { Severity::Warning } else { Severity::Hint };
        let (name, register) = (own.name(), amount.name(target));
        let message = format!(
            "`{name}` may shift by a wrong amount: `{register}` is the last of a block of eight \
             registers and the next one is not used, where this chip reads two; move the amount to \
             another register"
        );
        diagnostics.push(InstDiagnostic::new(codes::SHIFT_AMOUNT, severity, index, message));
    }
    diagnostics
}

/// Returns the last register of a block that such a shift takes its amount from.
fn amount(def_use: &DefUse) -> Option<Register> {
    let shifts = [Opcode::v_lshlrev_b64, Opcode::v_lshrrev_b64, Opcode::v_ashrrev_i64];
    let opcode = def_use.desc?.opcode();
    if !shifts.contains(&opcode) {
        return None;
    }
    let first = def_use.reads().iter().find(|access| access.operand == Some(1))?.register;
    let is_last = first.bank == Bank::Vector && first.first % BLOCK == BLOCK - 1;
    is_last.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::code_lines::from_lines;

    fn found(chip: &str, text: &str) -> Option<Severity> {
        let target = Target::find(chip).expect(chip);
        let code = from_lines(target, text).expect(text);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        shift_amounts(&code, &def_use, &cfg).first().map(|it| it.severity)
    }

    /// LLVM 22 exchanges the amount in each case but those without a severity.
    #[test]
    fn an_amount_in_the_last_register_of_a_block() {
        for shift in ["v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64"] {
            let text = format!("{shift} v[2:3], v7, v[2:3]");
            assert_eq!(found("gfx90a", &text), Some(Severity::Warning));
            assert_eq!(found("gfx908", &text), None);
            assert_eq!(found("gfx942", &text), None);
        }
        let shift = "v_lshlrev_b64 v[2:3], v7, v[2:3]\n";
        let after = |line: &str| found("gfx90a", &format!("{shift}{line}"));
        assert_eq!(after("v_mov_b32 v8, 0"), None);
        assert_eq!(after("v_mov_b32 v20, 0"), Some(Severity::Hint));
        assert_eq!(after("v_accvgpr_write_b32 a8, v1"), Some(Severity::Hint));
        assert_eq!(found("gfx90a", "v_lshlrev_b64 v[2:3], v6, v[2:3]"), None);
        assert_eq!(found("gfx90a", "v_lshlrev_b64 v[2:3], s7, v[2:3]"), None);
        let last = "v_lshlrev_b64 v[2:3], v255, v[2:3]";
        assert_eq!(found("gfx90a", last), Some(Severity::Warning));
    }
}
