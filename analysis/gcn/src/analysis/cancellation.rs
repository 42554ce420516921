//! Cancellation of long analyses: every so often one asks whether anybody still wants it.
//!
//! An edit waits until what is computed of the text before it has ended. Asking for
//! each instruction would cost as much as the small steps, so it is asked for every
//! so many, counted across all loops: code may be one block of a hundred thousand
//! instructions, or as many blocks of one.

use std::cell::Cell;

use source::Checkpoint;

/// Instructions, or blocks, between two calls: at most half a millisecond.
const STRIDE: u32 = 1024;

/// Calls a checkpoint at times.
pub(crate) struct CancelTicker<'a> {
    checkpoint: Checkpoint<'a>,
    left: Cell<u32>,
}

impl<'a> CancelTicker<'a> {
    pub(crate) fn new(checkpoint: Checkpoint<'a>) -> CancelTicker<'a> {
        CancelTicker { checkpoint, left: Cell::new(STRIDE) }
    }

    /// One instruction or block more is done.
    pub(crate) fn step(&self) {
        let left = self.left.get() - 1;
        if left > 0 {
            self.left.set(left);
            return;
        }
        self.left.set(STRIDE);
        (self.checkpoint)();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, analyse, check};
    use super::*;
    use crate::Target;
    use crate::code_lines::from_lines;

    const COUNT: usize = 8 * STRIDE as usize;

    /// Counts how often an analysis and its checks ask, of one block and of as many as there
    /// are instructions.
    #[test]
    fn long_code_is_asked_about_often_however_it_branches() {
        let target = Target::default();
        let straight = "v_add_f32 v0, v1, v0\n".repeat(COUNT) + "s_endpgm";
        let branches: String =
            (0..COUNT).map(|place| format!("s_cbranch_scc0 L{place}\nL{place}:\n")).collect();
        for text in [straight, branches + "s_endpgm"] {
            let code = from_lines(target, &text).expect("code");
            let asked = Cell::new(0);
            let ask = || asked.set(asked.get() + 1);
            let report = analyse(&code, &Options::default(), &ask);
            // Effects, clocks three times over, needs: each asks for itself.
            assert!(asked.get() >= 5 * 8, "{} times", asked.get());
            asked.set(0);
            check(&code, &report.def_use, &report.cfg, &report.liveness, None, &ask);
            // Waits twice over, hazards, dead writes.
            assert!(asked.get() >= 4 * 8 - 1, "{} times", asked.get());
        }
    }
}
