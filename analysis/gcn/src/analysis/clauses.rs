//! Clauses of memory instructions that a wave may have to repeat.
//!
//! Memory instructions of one kind in a row, scalar or vector, are a clause. Where page faults are
//! retried (XNACK) the clause is repeated from its start once the page is there, so nothing in it
//! may change what an instruction of it reads. LLVM puts a state between, and before each store
//! behind a load of the clause, whose addresses it does not compare (GCNHazardRecognizer,
//! checkSoftClauseHazards). Whether pages are retried is known when the code runs alone: a hint.

use source::Severity;

use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::diagnostic::{Change, InstDiagnostic};
use super::register_set::RegisterSet;
use crate::behaviour::Unit;
use crate::codes;

/// The memory that the instructions of a clause reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scalar,
    Vector,
}

/// The clause that an instruction stands in, up to there.
#[derive(Default)]
struct Clause {
    kind: Option<Kind>,
    reads: RegisterSet,
    writes: RegisterSet,
}

/// Finds the instructions that a clause must end before.
pub(super) fn clauses(code: &Code, def_use: &[DefUse], cfg: &Cfg) -> Vec<InstDiagnostic> {
    if !code.may_repeat {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    for block in cfg.blocks.iter().filter(|block| block.reachable) {
        let mut clause = Clause::default();
        for index in block.instructions() {
            let own = &def_use[index];
            // Nobody knows whether what such a line reads ends the clause.
            let kind = kind(own).filter(|_| !code.is_gap(index));
            if kind.is_none() || kind != clause.kind {
                clause = Clause { kind, ..Clause::default() };
            }
            let loads_before = !clause.writes.is_empty();
            clause.reads.add_all(&own.read_set());
            clause.writes.add_all(&own.write_set());
            if kind.is_none() || !loads_before {
                continue;
            }
            let changed = clause.reads.intersection(&clause.writes).registers().next();
            let is_store = own.desc.is_some_and(|it| it.flags().store() || it.flags().atomic());
            let name = own.name();
            let reason = match changed {
                Some(register) => {
                    let register = register.name(code.target);
                    format!("its clause of memory instructions reads and writes `{register}`")
                }
                None if is_store => "a clause of loads goes on with it".to_owned(),
                None => continue,
            };
            let message = format!(
                "`{name}` needs a wait state before it where page faults are retried: {reason}, \
                 and would be repeated from its start"
            );
            diagnostics.push(
                InstDiagnostic::new(codes::MISSING_WAIT_STATES, Severity::Hint, index, message)
                    .fix("insert 1 wait state", Change::InsertBefore("s_nop 0".to_owned())),
            );
            clause = Clause { kind, reads: own.read_set(), writes: own.write_set() };
        }
    }
    diagnostics
}

/// Returns the memory that an instruction reaches; `None` for what ends a clause.
fn kind(def_use: &DefUse) -> Option<Kind> {
    match def_use.desc?.behaviour().unit {
        Unit::Smem => Some(Kind::Scalar),
        Unit::Vmem | Unit::Flat | Unit::Scratch => Some(Kind::Vector),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::code_lines::from_lines;

    fn found(text: &str) -> Vec<u32> {
        let target = Target::find("gfx942").expect("a chip");
        let mut code = from_lines(target, text).expect(text);
        code.may_repeat = true;
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let diagnostics = clauses(&code, &def_use, &cfg);
        diagnostics.iter().map(|diagnostic| diagnostic.instruction).collect()
    }

    /// The verdicts of LLVM 22 on the same pairs.
    #[test]
    fn a_clause_may_not_change_what_it_reads() {
        let load = "global_load_dword v2, v[0:1], off\n";
        let over = "global_load_dword v0, v[4:5], off";
        let store = "global_store_dword v[4:5], v9, off";
        assert_eq!(found(&format!("{load}{over}")), [1]);
        assert_eq!(found(&format!("{load}v_mov_b32 v7, 0\n{over}")), []);
        assert_eq!(found(&format!("{load}s_waitcnt 0\n{over}")), []);
        assert_eq!(found(&format!("{load}{store}")), [1]);
        assert_eq!(found(&format!("{store}\n{over}")), []);
        assert_eq!(found("global_load_dword v0, v[0:1], off"), []);
        let flat = "flat_load_dword v16, v[10:11]\nglobal_load_dword v10, v[12:13], off";
        assert_eq!(found(flat), [1]);
        let between = "ds_read_b32 v9, v4\n";
        assert_eq!(found(&format!("{load}{between}{over}")), []);
        let scalar = "s_load_dwordx2 s[4:5], s[0:1], 0x0\n";
        let again = "s_load_dwordx2 s[0:1], s[8:9], 0x0";
        assert_eq!(found(&format!("{scalar}{again}")), [1]);
        assert_eq!(found(&format!("{scalar}v_mov_b32 v3, 0\n{again}")), []);
    }

    #[test]
    fn nothing_is_said_where_nothing_is_repeated() {
        let target = Target::find("gfx942").expect("a chip");
        let text = "global_load_dword v2, v[0:1], off\nglobal_load_dword v0, v[4:5], off";
        let code = from_lines(target, text).expect("assembles");
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        assert_eq!(clauses(&code, &def_use, &cfg), []);
    }
}
