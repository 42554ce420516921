//! Waits that are longer than anybody needs.
//!
//! A wait is *open* until the next one of its counter in the block: what is used between
//! them shows how many operations it had to wait for.

use source::Severity;

use super::Walk;
use super::state::{COUNTERS, OutstandingOp, Wait, WaitcntState, counter_text, wait_of, wait_text};
use crate::analysis::def_use::DefUse;
use crate::analysis::diagnostic::{Change, InstDiagnostic};
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::CounterEvent;
use crate::codes;

/// A wait whose operations are still looked for in the code behind it.
pub(super) struct OpenWait {
    instruction: usize,
    counter: usize,
    value: u8,
    /// The operations that it waited for, the registers of each, and whether they were used
    /// since.
    released: Vec<(OutstandingOp, RegisterSet, bool)>,
    registers: RegisterSet,
    ordered: bool,
    /// Operations of the counter since.
    issued: u8,
}

impl OpenWait {
    /// Watches an instruction: what it uses of the registers, and whether it issues an
    /// operation of the counter.
    pub(super) fn observe(&mut self, def_use: &DefUse, reads: &RegisterSet, writes: &RegisterSet) {
        let meets = |set: &RegisterSet| reads.meets(set) || writes.meets(set);
        // Most instructions touch none of them: one look at all registers comes first.
        if meets(&self.registers) {
            for (_, registers, used) in &mut self.released {
                *used |= meets(registers);
            }
        }
        let counters = def_use.desc.map_or(&[][..], |desc| desc.behaviour().counters);
        if counters.iter().any(|inc| inc.counter == COUNTERS[self.counter]) {
            self.issued = self.issued.saturating_add(1);
        }
    }
}

impl Walk<'_> {
    /// Tells whether a wait was of use, and begins to watch what follows it.
    pub(super) fn check_wait(
        &self,
        index: usize,
        wait: Wait,
        before: &WaitcntState,
        open: &mut Vec<OpenWait>,
        diagnostics: &mut Vec<InstDiagnostic>,
    ) {
        let mut useless = Vec::new();
        for (place, value) in wait.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let counter = COUNTERS[place];
            let at = open.iter().position(|open| open.counter == place);
            let earlier = at.map(|at| open.swap_remove(at));
            // Where the earlier one is loosened, this one has to do its work.
            let relied_upon =
                earlier.is_some_and(|earlier| self.close(&earlier, value, diagnostics));
            let own: Vec<&OutstandingOp> =
                before.entries.iter().filter(|entry| entry.counter == counter).collect();
            let ordered = before.is_ordered(counter);
            let released: Vec<OutstandingOp> = own
                .iter()
                .filter(|entry| entry.may_be_done_by(value))
                .map(|entry| **entry)
                .collect();
            if released.is_empty() {
                if !relied_upon && own.iter().all(|entry| ordered && entry.younger.max < value) {
                    useless.push(place);
                }
                continue;
            }
            // A wait for stores may be there for the order of memory, and one for an
            // operation on some paths only cannot be judged here: they are left alone.
            let plain = released.iter().all(|entry| {
                entry.event == CounterEvent::Result
                    && entry.on_every_path
                    && entry.ordered.min == entry.ordered.max
            });
            if plain {
                let mut registers = RegisterSet::EMPTY;
                let released: Vec<(OutstandingOp, RegisterSet, bool)> = released
                    .into_iter()
                    .map(|entry| {
                        let def_use = self.def_use.get(entry.instruction as usize);
                        let set = def_use.map_or(RegisterSet::EMPTY, DefUse::write_set);
                        registers.add_all(&set);
                        (entry, set, false)
                    })
                    .collect();
                open.push(OpenWait {
                    instruction: index,
                    counter: place,
                    value,
                    released,
                    registers,
                    ordered,
                    issued: 0,
                });
            }
        }
        if !useless.is_empty() {
            let mut left = wait;
            useless.iter().for_each(|place| left[*place] = None);
            let names: Vec<String> = useless
                .iter()
                .filter_map(|place| Some(counter_text(*place, wait[*place]?)))
                .collect();
            let message = format!(
                "`{}` waits for nothing: no such operation is in flight on any path",
                names.join(" ")
            );
            diagnostics.push(loosened(index, message, left));
        }
    }

    /// Ends an open wait at the next wait of its counter, and reports it where that one would
    /// have waited for the operations that were not used in between. Tells whether it did.
    fn close(&self, open: &OpenWait, next: u8, diagnostics: &mut Vec<InstDiagnostic>) -> bool {
        let used =
            open.released.iter().filter(|(_, _, used)| *used).map(|(entry, ..)| entry.done_at());
        // The youngest operation that is used decides: counters fall in order.
        let better = used.min();
        let covered = open.released.iter().filter(|(_, _, used)| !used).all(|(entry, ..)| {
            next == 0 || open.ordered && entry.done_at().saturating_add(open.issued) >= next
        });
        let improves = match better {
            None => true,
            Some(better) => better > open.value,
        };
        if !covered || !improves {
            return false;
        }
        let Some(def_use) = self.def_use.get(open.instruction) else { return false };
        let Some(mut wait) = wait_of(def_use, self.generation) else { return false };
        let old = counter_text(open.counter, open.value);
        wait[open.counter] = better;
        let message = match better {
            Some(better) => {
                let new = counter_text(open.counter, better);
                format!(
                    "`{old}` waits for more than is used before the next wait; `{new}` is enough"
                )
            }
            None => format!("`{old}` is not needed here: nothing is used before the next wait"),
        };
        diagnostics.push(loosened(open.instruction, message, wait));
        true
    }
}

/// A wait that may be another, or none.
fn loosened(index: usize, message: String, wait: Wait) -> InstDiagnostic {
    let diagnostic = InstDiagnostic::new(codes::TOO_STRICT_WAIT, Severity::Hint, index, message);
    if wait == [None; 3] {
        return diagnostic.fix("remove the wait", Change::Remove);
    }
    let text = wait_text(wait);
    diagnostic.fix(format!("wait with `{text}`"), Change::Replace(text))
}
