//! Dependences by value: two values of one register may come in either order, as long as each
//! is read before the next one is written.

use gcn::analysis::{AccessKind, EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};

use super::listing::Listing;

/// Instructions of a stretch that are to be put in order, by their places in it.
pub(super) struct Values {
    /// For each instruction the ones that have to be there before it.
    pub(super) needs: Vec<Vec<usize>>,
    uses: Vec<Uses>,
    held: Vec<Held>,
}

/// The values that an instruction reads and writes: a register's place in `held`, and the
/// number of the value in it; 0 is the one from before the stretch.
#[derive(Debug, Default)]
struct Uses {
    reads: Vec<(usize, usize)>,
    writes: Vec<(usize, usize)>,
}

/// A register that the stretch writes.
#[derive(Debug)]
struct Held {
    register: Register,
    /// Readers of each value that are still to come.
    readers: Vec<usize>,
    /// The value that it has now.
    now: usize,
    /// Values that are still to be written.
    open: usize,
    /// Set where somebody reads the last value after the stretch.
    is_live: bool,
}

/// Registers whose values keep the order of the text: nobody can say which lanes or which of
/// the registers are meant.
pub(super) fn fixed(listing: &Listing, own: &[usize]) -> RegisterSet {
    let exec = Register { bank: Bank::Scalar, first: EXEC, dwords: 2 };
    if own.iter().any(|place| listing.instructions[*place].writes.touches(exec)) {
        // Writes under one mask do not replace what was written under another.
        return RegisterSet::ALL;
    }
    let def_use = own.iter().filter_map(|place| listing.def_use.get(*place));
    let accesses = def_use.flat_map(|it| it.reads().iter().chain(it.writes()));
    let unclear = accesses.filter(|it| !matches!(it.kind, AccessKind::Full | AccessKind::Partial));
    unclear.map(|it| it.register).collect()
}

impl Values {
    /// Reads a stretch, with registers whose values keep their order.
    pub(super) fn of(listing: &Listing, own: &[usize], fixed: &RegisterSet) -> Values {
        let instruction = |place: usize| &listing.instructions[own[place]];
        let written: RegisterSet = (0..own.len())
            .map(|place| instruction(place).writes.without(fixed))
            .fold(RegisterSet::EMPTY, |all, it| all.union(&it));
        let live = own.last().map(|last| listing.liveness.after(&listing.cfg, *last));
        let hold = |register| Held {
            register,
            readers: vec![0],
            now: 0,
            open: 0,
            is_live: live.is_some_and(|it| it.touches(register)),
        };
        let mut held: Vec<Held> = written.registers().map(hold).collect();
        let mut writers: Vec<Vec<usize>> = vec![Vec::new(); held.len()];
        let (mut needs, mut uses) = (Vec::new(), Vec::new());
        for (place, at) in own.iter().enumerate() {
            let late = instruction(place);
            // What a partial write leaves of the old value is read by it.
            let parts = listing.def_use.get(*at).into_iter().flat_map(|it| it.writes());
            let parts = parts.filter(|it| it.kind == AccessKind::Partial).map(|it| it.register);
            let reads = late.reads.union(&parts.collect());
            let mut own_needs: Vec<usize> =
                (0..place).filter(|early| late.keeps_behind(instruction(*early), fixed)).collect();
            let mut own_uses = Uses::default();
            for (number, (register, writers)) in held.iter_mut().zip(&mut writers).enumerate() {
                if reads.touches(register.register) {
                    own_uses.reads.push((number, writers.len()));
                    register.readers[writers.len()] += 1;
                    own_needs.extend(writers.last());
                }
                if late.writes.touches(register.register) {
                    writers.push(place);
                    own_uses.writes.push((number, writers.len()));
                    register.readers.push(0);
                    register.open += 1;
                }
            }
            own_needs.sort_unstable();
            own_needs.dedup();
            needs.push(own_needs);
            uses.push(own_uses);
        }
        Values { needs, uses, held }
    }

    /// Tells whether an instruction may come next, as far as values that are still read go.
    pub(super) fn may_come(&self, place: usize) -> bool {
        self.blocking(place).is_empty()
    }

    /// The registers for which an instruction has to wait.
    pub(super) fn blocking(&self, place: usize) -> RegisterSet {
        let Some(uses) = self.uses.get(place) else { return RegisterSet::EMPTY };
        let blocks = |(number, value): &(usize, usize)| {
            let held = self.held.get(*number)?;
            let own = usize::from(uses.reads.contains(&(*number, held.now)));
            let is_read = held.readers.get(held.now).is_some_and(|readers| *readers > own);
            let is_last = value + 1 == held.readers.len();
            (is_read || is_last && held.is_live && held.open > 1).then_some(held.register)
        };
        uses.writes.iter().filter_map(blocks).collect()
    }

    /// An instruction comes next.
    pub(super) fn take(&mut self, place: usize) {
        let Some(uses) = self.uses.get(place) else { return };
        for (number, value) in &uses.reads {
            if let Some(readers) =
                self.held.get_mut(*number).and_then(|it| it.readers.get_mut(*value))
            {
                *readers = readers.saturating_sub(1);
            }
        }
        for (number, value) in &uses.writes {
            if let Some(held) = self.held.get_mut(*number) {
                held.now = *value;
                held.open = held.open.saturating_sub(1);
            }
        }
    }
}
