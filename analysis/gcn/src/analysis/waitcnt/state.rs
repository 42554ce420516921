//! State of the wait counters: operations that were issued and have not surely arrived, the
//! three counters of `s_waitcnt`, on every path to an instruction.
//!
//! Rules: GCN3 ISA 4.4, ACO's insert_waitcnt. Operations of one kind come back in order, but
//! for scalar memory, and flat memory, which goes either way. So many operations of its kind
//! as were issued after one are under way while it is, and the counter is higher than their
//! number: a wait for that number is enough, whatever else raised the counter. LLVM waits for
//! zero where kinds are mixed; that is more than is needed.

use crate::Generation;
use crate::analysis::code::GapKind;
use crate::analysis::def_use::DefUse;
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::{Condition, Counter, CounterEvent, CounterInc, Unit};
pub(crate) use crate::instruction::COUNTERS;
use crate::instruction::modifier::Flag;
use crate::instruction::{Bank, Class, counter_limit, counter_name, counter_value};
use crate::mnemonics::Opcode;

/// A kind of operations, which come back in the order of their issue among each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ReturnOrder {
    /// Vector memory, with what it moves through: samplers or not.
    Vector {
        sampler: bool,
    },
    LocalShare,
    GlobalShare,
    Message,
    /// Exports of one kind of target: 0 colours and depth, 1 positions, 2 parameters.
    Export(u8),
    /// Store data of gfx6.
    StoreData,
    /// Scalar memory: in no order.
    Scalar,
    /// Flat memory: in no order with anything.
    Flat,
}

impl ReturnOrder {
    /// Tells whether operations of the kind come back in order among each other.
    pub(crate) fn is_in_order(self) -> bool {
        !matches!(self, ReturnOrder::Scalar | ReturnOrder::Flat)
    }

    /// Tells whether operations of two kinds on one counter come back in order.
    fn keeps_with(self, other: ReturnOrder) -> bool {
        match (self, other) {
            (ReturnOrder::Vector { .. }, ReturnOrder::Vector { .. }) => true,
            _ => self.is_in_order() && self == other,
        }
    }
}

/// A number of operations that were issued after one, on the path with the fewest and on the
/// one with the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Younger {
    pub(crate) min: u8,
    pub(crate) max: u8,
}

impl Younger {
    /// Counts one more.
    fn add_one(&mut self) {
        self.min = self.min.saturating_add(1).min(BEYOND);
        self.max = self.max.saturating_add(1).min(BEYOND);
    }

    /// Joins the numbers of two paths.
    fn join(self, other: Younger) -> Younger {
        Younger { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Widens a number that has grown to the largest at once.
    fn widen(&mut self, before: Younger) {
        if self.max > before.max {
            self.max = BEYOND;
        }
    }
}

/// An operation that may be under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutstandingOp {
    /// The instruction that issued it.
    pub(crate) instruction: u32,
    pub(crate) counter: Counter,
    pub(crate) event: CounterEvent,
    pub(crate) order: ReturnOrder,
    /// The operations of the counter that were issued after it.
    pub(crate) younger: Younger,
    /// The ones among them that come back after it; none of an operation in no order.
    pub(crate) ordered: Younger,
    /// True if it is under way on every path.
    pub(crate) on_every_path: bool,
    /// True if a wait would have been enough if its kind kept order.
    pub(crate) waited: bool,
    /// True if that wait would have been enough but for stores to flat memory, behind which
    /// AMD's own compiler takes local memory to come back in order.
    pub(crate) beside_flat_stores: bool,
    /// True if another path leads through words that may be anything, so that it may be under
    /// way there or not.
    pub(crate) unsure: bool,
    /// The number of younger operations that lines of unknown effect may have issued beside
    /// those that are counted.
    pub(crate) perhaps_younger: u8,
}

impl OutstandingOp {
    /// Returns the largest value of its counter that says on every path that it is done. It is
    /// zero of an operation in no order.
    pub(crate) fn done_at(&self) -> u8 {
        self.ordered.min
    }

    /// Tells whether a wait says on every path that it is done.
    pub(crate) fn is_done_by(&self, value: u8) -> bool {
        value <= self.ordered.min
    }

    /// Tells whether a wait says on some path that it is done.
    pub(crate) fn may_be_done_by(&self, value: u8) -> bool {
        value <= self.ordered.max
    }

    /// The order of operations in a state.
    fn key(&self) -> (u32, Counter) {
        (self.instruction, self.counter)
    }

    /// A count of younger operations with those that there may be beside.
    fn perhaps(&self, younger: u8) -> u8 {
        younger.saturating_add(self.perhaps_younger)
    }
}

/// More than any counter counts.
const BEYOND: u8 = 200;

/// So many operations are followed at once; older ones are taken to be done.
const MOST: usize = 192;

/// The values of the three counters in an `s_waitcnt`; `None` where it does not wait.
pub(crate) type Wait = [Option<u8>; 3];

/// Returns the counters that an `s_waitcnt` waits for; `None` for other instructions.
pub(crate) fn wait_of(def_use: &DefUse, generation: Generation) -> Option<Wait> {
    let desc = def_use.desc?;
    if desc.opcode() != Opcode::s_waitcnt {
        return None;
    }
    Some(COUNTERS.map(|counter| {
        let value = counter_value(def_use.first_words(), counter, generation);
        (value < counter_limit(counter, generation)).then_some(value as u8)
    }))
}

/// The largest value of a counter.
pub(crate) fn limit(counter: Counter, generation: Generation) -> u8 {
    counter_limit(counter, generation) as u8
}

/// An `s_waitcnt` as text.
pub(crate) fn wait_text(wait: Wait) -> String {
    let counters = wait.into_iter().enumerate();
    let counters = counters.filter_map(|(place, value)| Some(counter_text(place, value?)));
    let mut words = vec![Opcode::s_waitcnt.name().to_owned()];
    words.extend(counters);
    words.join(" ")
}

/// A counter of an `s_waitcnt` as text, by its place among [`COUNTERS`].
pub(crate) fn counter_text(place: usize, value: u8) -> String {
    format!("{}({value})", counter_name(COUNTERS[place]))
}

/// The operations that may be outstanding, ordered by instruction and counter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WaitcntState {
    pub(crate) entries: Vec<OutstandingOp>,
    /// Every register that one of them will write, or still reads.
    results: RegisterSet,
    sources: RegisterSet,
    /// Set where more may be under way.
    unknown: bool,
}

impl WaitcntState {
    /// The state behind words that may be anything: nothing is known to be under way.
    pub(crate) fn unknown() -> WaitcntState {
        WaitcntState { unknown: true, ..WaitcntState::default() }
    }

    /// Tells whether anything may be under way that has to do with these registers.
    pub(crate) fn touches(&self, reads: &RegisterSet, writes: &RegisterSet) -> bool {
        self.results.meets(reads) || self.results.meets(writes) || self.sources.meets(writes)
    }

    /// The place of an operation, or that where it belongs.
    fn entry(&self, key: (u32, Counter)) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&key, OutstandingOp::key)
    }

    /// Issues an instruction's operations.
    pub(crate) fn issue(&mut self, instruction: usize, def_use: &DefUse, generation: Generation) {
        let Some(desc) = def_use.desc else { return };
        let behaviour = desc.behaviour();
        let of_data_share = behaviour.unit == Unit::Gds || def_use.has(Flag::Gds);
        // An atomic that returns raises one counter once, though it also has data.
        for counter in COUNTERS {
            let incs = |inc: &&CounterInc| {
                inc.counter == counter && (inc.condition == Condition::Always || of_data_share)
            };
            let Some(inc) = behaviour.counters.iter().find(incs) else { continue };
            let limit = limit(counter, generation);
            let order = order_of(def_use, counter, of_data_share);
            for entry in self.entries.iter_mut().filter(|entry| entry.counter == counter) {
                entry.younger.add_one();
                if entry.order.keeps_with(order) {
                    entry.ordered.add_one();
                }
            }
            // The hardware waits where the counter is full: what is older is done.
            self.entries.retain_mut(|entry| {
                if entry.counter != counter || !entry.order.is_in_order() {
                    return true;
                }
                entry.unsure |= entry.perhaps(entry.ordered.min) >= limit;
                !entry.is_done_by(limit)
            });
            let own = OutstandingOp {
                instruction: instruction as u32,
                counter,
                event: match inc.event {
                    CounterEvent::Result if def_use.writes().is_empty() => CounterEvent::Done,
                    event => event,
                },
                order,
                younger: Younger::default(),
                ordered: Younger::default(),
                on_every_path: true,
                waited: false,
                beside_flat_stores: false,
                unsure: false,
                perhaps_younger: 0,
            };
            match self.entry(own.key()) {
                Ok(at) => self.entries[at] = own,
                Err(at) if self.entries.len() < MOST => self.entries.insert(at, own),
                Err(_) => {}
            }
            self.add_registers(own.event, def_use);
        }
    }

    /// Goes on over a line of unknown effect that waits for nothing and has to do with some
    /// registers: what is under way may be used too early there, and one more operation be
    /// behind it.
    pub(crate) fn pass(&mut self, registers: &RegisterSet, kind: GapKind, all: &[DefUse]) {
        for entry in &mut self.entries {
            let own = all.get(entry.instruction as usize);
            let own = own.map_or(RegisterSet::EMPTY, |own| registers_of(entry.event, own));
            entry.unsure |= own.meets(registers);
            if kind != GapKind::Computes {
                entry.perhaps_younger = entry.perhaps_younger.saturating_add(1).min(BEYOND);
            }
        }
    }

    /// Adds the registers of an operation to the sums: nearly all instructions touch nothing
    /// that is outstanding, and find so by three intersections.
    fn add_registers(&mut self, event: CounterEvent, def_use: &DefUse) {
        match event {
            CounterEvent::Result => self.results.add_all(&def_use.write_set()),
            CounterEvent::Source => self.sources.add_all(&data_of(def_use)),
            CounterEvent::Done => {}
        }
    }

    /// Waits: what is then surely done is outstanding no more.
    pub(crate) fn wait(&mut self, wait: Wait, all: &[DefUse]) {
        for (counter, value) in COUNTERS.into_iter().zip(wait) {
            let Some(value) = value else { continue };
            let beside_flat_stores = counter == Counter::Lgkm && self.is_local_but_flat_stores();
            // Flat memory raises two counters and comes back by one: who knows which waits
            // for that one only.
            let mut flat = Vec::new();
            self.entries.retain_mut(|entry| {
                if entry.counter != counter {
                    return true;
                }
                if entry.order == ReturnOrder::Flat && entry.younger.max >= value {
                    flat.push(entry.instruction);
                }
                if entry.is_done_by(value) {
                    return false;
                }
                entry.unsure |=
                    entry.perhaps_younger > 0 && entry.perhaps(entry.younger.max) >= value;
                if entry.may_be_done_by(value) {
                    entry.on_every_path = false;
                } else if entry.younger.max >= value {
                    entry.waited = true;
                    entry.beside_flat_stores = beside_flat_stores && entry.younger.min >= value;
                }
                true
            });
            for entry in &mut self.entries {
                entry.waited |=
                    entry.order == ReturnOrder::Flat && flat.contains(&entry.instruction);
            }
        }
        self.collect(all);
    }

    /// An instruction's operation on a counter brings no data: it is only counted.
    pub(crate) fn without_data(&mut self, instruction: usize, counter: Counter, all: &[DefUse]) {
        for entry in &mut self.entries {
            if entry.instruction as usize == instruction && entry.counter == counter {
                entry.event = CounterEvent::Done;
            }
        }
        self.collect(all);
    }

    /// Tells whether all that is under way on a counter comes back in order.
    pub(crate) fn is_ordered(&self, counter: Counter) -> bool {
        let mut own = self.entries.iter().filter(|entry| entry.counter == counter);
        let Some(first) = own.next() else { return true };
        first.order.is_in_order() && own.all(|entry| entry.order.keeps_with(first.order))
    }

    /// Tells whether all that is under way beside local memory are stores to flat memory.
    fn is_local_but_flat_stores(&self) -> bool {
        let mut own = self.entries.iter().filter(|entry| entry.counter == Counter::Lgkm);
        own.all(|entry| match entry.order {
            ReturnOrder::LocalShare => true,
            order => order == ReturnOrder::Flat && entry.event != CounterEvent::Result,
        })
    }

    pub(crate) fn collect(&mut self, all: &[DefUse]) {
        self.results = RegisterSet::EMPTY;
        self.sources = RegisterSet::EMPTY;
        for at in 0..self.entries.len() {
            let OutstandingOp { instruction, event, .. } = self.entries[at];
            if let Some(def_use) = all.get(instruction as usize) {
                self.add_registers(event, def_use);
            }
        }
    }

    /// Joins the states of two paths.
    pub(crate) fn join(&self, other: &WaitcntState) -> WaitcntState {
        let alone = |entry: &OutstandingOp, other: &WaitcntState| OutstandingOp {
            on_every_path: false,
            unsure: entry.unsure || other.unknown,
            ..*entry
        };
        let both = |one: &OutstandingOp, two: &OutstandingOp| OutstandingOp {
            younger: one.younger.join(two.younger),
            ordered: one.ordered.join(two.ordered),
            on_every_path: one.on_every_path && two.on_every_path,
            waited: one.waited || two.waited,
            beside_flat_stores: (one.beside_flat_stores || !one.waited)
                && (two.beside_flat_stores || !two.waited)
                && (one.waited || two.waited),
            unsure: one.unsure || two.unsure,
            perhaps_younger: one.perhaps_younger.max(two.perhaps_younger),
            ..*one
        };
        let own = self.entries.iter().map(|one| match other.entry(one.key()) {
            Ok(at) => both(one, &other.entries[at]),
            Err(_) => alone(one, other),
        });
        let others = other.entries.iter().filter(|two| self.entry(two.key()).is_err());
        let others = others.map(|two| alone(two, self));
        let mut entries: Vec<OutstandingOp> = own.chain(others).collect();
        entries.sort_unstable_by_key(OutstandingOp::key);
        entries.truncate(MOST);
        WaitcntState {
            entries,
            results: self.results.union(&other.results),
            sources: self.sources.union(&other.sources),
            unknown: self.unknown || other.unknown,
        }
    }

    /// Widens counts that grow with every iteration of a loop to the largest at once, so that
    /// the iterations need not be followed until the counter is full.
    pub(crate) fn widen(&mut self, before: &WaitcntState) {
        for entry in &mut self.entries {
            let Ok(at) = before.entry(entry.key()) else { continue };
            let known = before.entries[at];
            entry.younger.widen(known.younger);
            entry.ordered.widen(known.ordered);
            if entry.perhaps_younger > known.perhaps_younger {
                entry.perhaps_younger = BEYOND;
            }
        }
    }
}

fn order_of(def_use: &DefUse, counter: Counter, of_data_share: bool) -> ReturnOrder {
    let Some(desc) = def_use.desc else { return ReturnOrder::Flat };
    match desc.behaviour().unit {
        Unit::Flat => ReturnOrder::Flat,
        Unit::Smem => ReturnOrder::Scalar,
        Unit::Message => ReturnOrder::Message,
        Unit::Export => {
            let target = (def_use.first_words() >> 4) & 63;
            ReturnOrder::Export(match target {
                12..=15 => 1,
                32.. => 2,
                _ => 0,
            })
        }
        Unit::Lds | Unit::Gds if of_data_share => ReturnOrder::GlobalShare,
        Unit::Lds | Unit::Gds => ReturnOrder::LocalShare,
        _ if counter == Counter::Exp => ReturnOrder::StoreData,
        _ => ReturnOrder::Vector { sampler: desc.flags().sampler() },
    }
}

/// The registers that an operation will write, or still reads; none where it brings nothing.
pub(crate) fn registers_of(event: CounterEvent, def_use: &DefUse) -> RegisterSet {
    match event {
        CounterEvent::Done => RegisterSet::EMPTY,
        CounterEvent::Result => def_use.write_set(),
        CounterEvent::Source => data_of(def_use),
    }
}

/// The data registers that an operation goes on reading: what an export sends, what a
/// store writes. Addresses are read at issue.
pub(crate) fn data_of(def_use: &DefUse) -> RegisterSet {
    let Some(desc) = def_use.desc else { return RegisterSet::EMPTY };
    let reads = def_use.reads().iter().map(|access| access.register);
    // Addresses are never accumulation registers: where there are some, they are the data.
    let accumulators: RegisterSet =
        reads.clone().filter(|register| register.bank == Bank::Accumulator).collect();
    let vectors = reads.filter(|register| register.bank == Bank::Vector);
    if desc.class() == Class::Export {
        return vectors.collect();
    }
    if !accumulators.is_empty() && desc.flags().store() {
        return accumulators;
    }
    let data = desc.operands().iter().filter(|(slot, _)| desc.data().contains(&slot.low));
    data.filter_map(|(slot, _)| {
        let first = ((def_use.first_words() >> (slot.low & 63)) & 0xff) as u16;
        vectors.clone().find(|register| register.first == first)
    })
    .collect()
}

/// Tells whether an operation loads from memory into the local data share.
pub(in crate::analysis) fn loads_to_share(def_use: &DefUse) -> bool {
    let Some(desc) = def_use.desc else { return false };
    match desc.class() {
        Class::Buffer => def_use.has(Flag::Lds),
        Class::Flat => desc.flags().into_lds() || def_use.has(Flag::Lds),
        _ => false,
    }
}
