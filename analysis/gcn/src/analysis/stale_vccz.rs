//! Branches on VCC that ask a bit which the hardware forgot to bring up to date.
//!
//! `s_cbranch_vccz` and `s_cbranch_vccnz` do not look at VCC but at a bit that says
//! whether it is zero. On gfx6 and gfx7 a load of scalar memory into VCC leaves that bit
//! as it was; any other write of VCC brings it up to date, so compilers write VCC to itself (LLVM
//! SIInsertWaitcnts and GCNSubtarget: the VCCZ bug). No wait helps, and no distance: this
//! is not a row of the table of hazards. Only the branch's own block is checked, where the
//! last write of VCC is certain.

use source::Severity;

use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::{Change, InstDiagnostic};
use crate::behaviour::{BranchCondition, Control, Unit};
use crate::instruction::Register;
use crate::instruction::code::VCC;
use crate::{Generation, codes};

/// The branches whose last write of VCC is a load of scalar memory.
pub(super) fn stale_vccz(code: &Code, def_use: &[DefUse], cfg: &Cfg) -> Vec<InstDiagnostic> {
    if code.target.generation() > Generation::Gfx7 {
        return Vec::new();
    }
    let vcc = Register::scalar(VCC, 2);
    let mut diagnostics = Vec::new();
    for block in cfg.blocks.iter().filter(|block| block.reachable) {
        let Some((branch, before)) = def_use[block.instructions()].split_last() else { continue };
        let Control::Branch(BranchCondition::VccZero | BranchCondition::VccNotZero) =
            branch.control()
        else {
            continue;
        };
        let writer = before.iter().rposition(|def_use| def_use.write_set().touches(vcc));
        let is_load =
            |at: &usize| before[*at].desc.is_some_and(|desc| desc.behaviour().unit == Unit::Smem);
        let hidden =
            |at: &usize| (*at..before.len()).any(|it| code.is_gap(block.first as usize + it));
        let Some(writer) = writer.filter(is_load).filter(|it| !hidden(it)) else { continue };
        let (name, load) = (branch.name(), before[writer].name());
        let message = format!(
            "`{name}` does not see what `{load}` loaded into VCC: this chip does not renew the \
             bit that it tests"
        );
        let index = block.end as usize - 1;
        let again = Change::InsertBefore("s_mov_b64 vcc, vcc".to_owned());
        diagnostics.push(
            InstDiagnostic::new(codes::STALE_VCCZ, Severity::Warning, index, message)
                .related(block.first + writer as u32, format!("`{load}` is here"))
                .fix("write VCC to itself", again),
        );
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::code_lines::from_lines;

    fn found(chip: &str, text: &str) -> Vec<u32> {
        let target = Target::find(chip).expect(chip);
        let code = from_lines(target, text).expect(text);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let diagnostics = stale_vccz(&code, &def_use, &cfg);
        diagnostics.iter().map(|diagnostic| diagnostic.instruction).collect()
    }

    fn loaded_and(between: &str, branch: &str) -> String {
        format!(
            "s_load_dwordx2 vcc, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n{between}{branch} there\n\
             v_mov_b32 v0, 0\nthere:\ns_endpgm"
        )
    }

    #[test]
    fn a_load_into_vcc_is_not_seen_by_a_branch_on_old_chips() {
        for branch in ["s_cbranch_vccz", "s_cbranch_vccnz"] {
            let text = loaded_and("", branch);
            assert_eq!(found("tahiti", &text), [2]);
            assert_eq!(found("bonaire", &text), [2]);
            assert_eq!(found("polaris10", &text), []);
        }
    }

    #[test]
    fn another_write_or_another_condition_is_right() {
        let text = loaded_and("s_mov_b64 vcc, vcc\n", "s_cbranch_vccz");
        assert_eq!(found("tahiti", &text), []);
        let text = loaded_and("v_cmp_lt_f32 vcc, v0, v1\n", "s_cbranch_vccz");
        assert_eq!(found("tahiti", &text), []);
        assert_eq!(found("tahiti", &loaded_and("", "s_cbranch_scc1")), []);
    }
}
