//! Which registers hold something that is needed later, at every instruction.
//!
//! Scalar registers follow the control flow alone. Vector registers are judged by
//! lane: a write ends the need for the old value only in lanes that are active,
//! so the need is kept for every class of lanes that [`super::masks`] tells apart.
//! A register counts as live where any lane needs it.

use super::code::Code;
use super::effects::{Access, Effects, Manner};
use super::flow::{Exit, Flow};
use super::masks::Masks;
use super::recipe::Recipes;
use super::register_set::RegisterSet;
use crate::behaviour::{Event, Unit};
use crate::instruction::{Bank, Register, field};
use crate::registers::RegisterUse;

/// The needs of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liveness {
    /// The registers that are live before each instruction.
    before: Vec<RegisterSet>,
    /// The registers that are live at the end of each block.
    ends: Vec<RegisterSet>,
    /// What is live during each instruction: its results take room beside what is
    /// needed behind it, and beside its sources where those are read late.
    during: Vec<Pressure>,
}

/// How many registers are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pressure {
    /// Vector registers.
    pub vgprs: u16,
    /// Numbered scalar registers and the halves of VCC; EXEC, M0 and SCC are not of the
    /// file.
    pub sgprs: u16,
}

impl Pressure {
    fn of(set: &RegisterSet) -> Pressure {
        Pressure { vgprs: set.vector_count() as u16, sgprs: set.scalar_count() as u16 }
    }

    fn max(self, other: Pressure) -> Pressure {
        Pressure { vgprs: self.vgprs.max(other.vgprs), sgprs: self.sgprs.max(other.sgprs) }
    }
}

/// A value that is live across an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossing {
    /// The register.
    pub register: Register,
    /// The instructions that may have written what it holds; of many the first few.
    pub definitions: Vec<u32>,
    /// Whether it may hold what it held at the start.
    pub from_start: bool,
}

/// So many writers of one value are named.
const MOST_DEFINITIONS: usize = 8;

/// The vector part of a set.
type Lanes = [u64; 4];

const NO_LANES: Lanes = [0; 4];

fn add(own: &mut Lanes, more: &Lanes) {
    for (own, more) in own.iter_mut().zip(more) {
        *own |= more;
    }
}

/// What an instruction, or several, need before and make needless.
#[derive(Debug, Clone, Copy, Default)]
struct Transfer {
    /// Read of a lane that is active.
    read: Lanes,
    /// Read of a lane that is not.
    read_inactive: Lanes,
    /// Written whole.
    written: Lanes,
    scalar_read: u128,
    scalar_written: u128,
    /// Two vector registers that are exchanged, by an instruction alone.
    exchanged: Option<(u16, u16)>,
}

impl Transfer {
    fn of(effects: &Effects, named: &RegisterSet) -> Transfer {
        let mut transfer = Transfer::default();
        let exchanges = effects.recipe.is_some_and(|recipe| recipe.name == "v_swap_b32");
        if let (true, [first, second]) = (exchanges, effects.writes()) {
            transfer.exchanged = Some((first.register.first, second.register.first));
            return transfer;
        }
        for access in effects.reads() {
            let mut set = RegisterSet::of(access.register);
            if access.manner == Manner::Relative {
                set = set.intersection(named);
            }
            transfer.scalar_read |= set.scalar;
            add(&mut transfer.read, &set.vector);
            if access.manner == Manner::Lane {
                add(&mut transfer.read_inactive, &set.vector);
            }
        }
        for access in effects.writes().iter().filter(|access| access.manner == Manner::Whole) {
            let set = RegisterSet::of(access.register);
            transfer.scalar_written |= set.scalar;
            add(&mut transfer.written, &set.vector);
        }
        transfer
    }

    fn active(&self, live: &mut Lanes) {
        if let Some((first, second)) = self.exchanged {
            let bit = |register: u16| (usize::from(register / 64), register % 64);
            let ((one, low), (other, high)) = (bit(first), bit(second));
            if (live[one] >> low ^ live[other] >> high) & 1 == 1 {
                live[one] ^= 1 << low;
                live[other] ^= 1 << high;
            }
            return;
        }
        for (index, live) in live.iter_mut().enumerate() {
            *live = *live & !self.written[index] | self.read[index];
        }
    }

    fn inactive(&self, live: &mut Lanes) {
        add(live, &self.read_inactive);
    }

    fn scalar(&self, live: u128) -> u128 {
        live & !self.scalar_written | self.scalar_read
    }

    /// This one, then another.
    fn then(self, next: &Transfer) -> Transfer {
        let mut whole = self;
        whole.scalar_read = self.scalar(next.scalar_read);
        whole.scalar_written |= next.scalar_written;
        whole.read = next.read;
        self.active(&mut whole.read);
        self.inactive(&mut whole.read_inactive);
        add(&mut whole.read_inactive, &next.read_inactive);
        add(&mut whole.written, &next.written);
        whole
    }
}

/// All registers that are named, without those that only an index may reach.
pub(crate) fn named(effects: &[Effects]) -> RegisterSet {
    let mut named = RegisterSet::EMPTY;
    let mut add = |access: &Access| match access.manner {
        Manner::Guess => {}
        Manner::Relative => named.insert(Register { dwords: 1, ..access.register }),
        _ => named.insert(access.register),
    };
    for effects in effects {
        effects.reads().iter().for_each(&mut add);
        effects.writes().iter().for_each(&mut add);
    }
    named
}

/// The registers that indices may reach: all up to the highest named.
fn reachable(named: &RegisterSet) -> RegisterSet {
    let mut all = *named;
    if let Some(highest) = named.highest_vector() {
        for number in 0..=highest {
            all.vector[usize::from(number / 64)] |= 1 << (number % 64);
        }
    }
    let numbered = named.scalar & ((1 << 106) - 1);
    all.scalar |= match numbered.leading_zeros() {
        128 => 0,
        zeros => u128::MAX >> zeros,
    };
    all
}

/// The registers that a code uses, as its allocation counts them.
pub fn register_use(code: &Code, effects: &[Effects]) -> RegisterUse {
    let named = named(effects);
    let features = Recipes::of(code.target).features();
    let numbered = features.generation.addressable_sgprs();
    let (flat, xnack) = match features.generation {
        crate::Generation::Gfx6 => (0, 0),
        crate::Generation::Gfx7 => (3 << 104, 0),
        _ => (3 << 102, if features.xnack_mask { 3 << 104 } else { 0 }),
    };
    let flat_used = named.scalar & flat != 0;
    let below = named.scalar & ((1 << numbered) - 1);
    let attribute = field("VINTRP", features.generation, "attr");
    let interpolants = effects.iter().filter_map(|effects| {
        let interpolates = effects.recipe?.behaviour?.unit == Unit::Interp;
        interpolates.then(|| attribute.map_or(0, |field| field.value(effects.bits) as u32 + 1))
    });
    RegisterUse {
        vgprs: named.highest_vector().map_or(0, |highest| u32::from(highest) + 1),
        numbered_sgprs: 128 - below.leading_zeros(),
        vcc: named.scalar & (3 << 106) != 0,
        flat_scratch: flat_used,
        xnack_mask: named.scalar & xnack != 0,
        interpolants: interpolants.max().unwrap_or(0),
    }
}

/// The sets where blocks begin: for every class the vector registers, and the scalar
/// ones.
struct Solver<'a> {
    flow: &'a Flow,
    masks: Masks,
    /// Per segment.
    transfers: Vec<Transfer>,
    /// Per block where its classes' sets begin.
    starts: Vec<u32>,
    lanes: Vec<Lanes>,
    scalars: Vec<u128>,
    /// What code elsewhere may need.
    unknown: RegisterSet,
}

impl Liveness {
    /// The needs of a code.
    pub fn of(code: &Code, effects: &[Effects], flow: &Flow) -> Liveness {
        let named = reachable(&named(effects));
        let transfers: Vec<Transfer> =
            effects.iter().map(|effects| Transfer::of(effects, &named)).collect();
        let masks = Masks::of(code, effects, flow);
        let of_segments = masks
            .segments
            .iter()
            .map(|segment| {
                let own = transfers.get(segment.first as usize..segment.end as usize);
                own.unwrap_or_default()
                    .iter()
                    .rev()
                    .fold(Transfer::default(), |after, own| own.then(&after))
            })
            .collect();
        let mut starts = Vec::with_capacity(flow.blocks.len());
        let mut count = 0;
        for block in 0..flow.blocks.len() {
            starts.push(count as u32);
            count += masks.segments_of(block).first().map_or(0, |first| first.classes());
        }
        let mut solver = Solver {
            flow,
            masks,
            transfers: of_segments,
            starts,
            lanes: vec![NO_LANES; count],
            scalars: vec![0; flow.blocks.len()],
            unknown: named,
        };
        solver.solve();
        solver.write_down(code, effects, &transfers)
    }

    /// The registers that are live before an instruction.
    pub fn before(&self, instruction: usize) -> &RegisterSet {
        self.before.get(instruction).unwrap_or(&RegisterSet::EMPTY)
    }

    /// The registers that are live behind an instruction.
    pub fn after(&self, flow: &Flow, instruction: usize) -> &RegisterSet {
        let block = flow.block_of(instruction) as usize;
        let last =
            flow.blocks.get(block).is_some_and(|block| block.end as usize == instruction + 1);
        if last {
            self.ends.get(block).unwrap_or(&RegisterSet::EMPTY)
        } else {
            self.before(instruction + 1)
        }
    }

    /// How many registers are live before an instruction.
    pub fn pressure_before(&self, instruction: usize) -> Pressure {
        Pressure::of(self.before(instruction))
    }

    /// How many registers an instruction needs at once.
    pub fn pressure(&self, instruction: usize) -> Pressure {
        self.during.get(instruction).copied().unwrap_or_default()
    }

    /// The first instructions where the most vector and the most scalar registers are
    /// live, with how many; `None` where there are no instructions.
    pub fn peaks(&self) -> Option<((usize, u16), (usize, u16))> {
        let peak = |count: fn(&Pressure) -> u16| {
            let all = self.during.iter().map(count).enumerate();
            all.reduce(|best, own| if own.1 > best.1 { own } else { best })
        };
        Some((peak(|pressure| pressure.vgprs)?, peak(|pressure| pressure.sgprs)?))
    }

    /// The values that are live before and behind an instruction, or that it writes,
    /// each with the instructions that may have written it.
    pub fn crossing(&self, flow: &Flow, effects: &[Effects], instruction: usize) -> Vec<Crossing> {
        let mut set = *self.before(instruction);
        if let Some(own) = effects.get(instruction) {
            let needed = self.after(flow, instruction).intersection(&own.write_set());
            set.add_all(&needed);
        }
        let mut found: Vec<Crossing> = set
            .registers()
            .map(|register| Crossing { register, definitions: Vec::new(), from_start: false })
            .collect();
        let block = flow.block_of(instruction) as usize;
        let first = flow.blocks.get(block).map_or(0, |block| block.first as usize);
        let mut seen: Vec<RegisterSet> = vec![RegisterSet::EMPTY; flow.blocks.len()];
        let mut stack = vec![(block, instruction + 1, set)];
        let mut start = RegisterSet::EMPTY;
        while let Some((block, end, mut wanted)) = stack.pop() {
            let Some(own) = flow.blocks.get(block) else { continue };
            for index in (own.first as usize..end).rev() {
                let Some(effects) = effects.get(index) else { continue };
                for access in effects.writes() {
                    if !wanted.touches(access.register) {
                        continue;
                    }
                    for crossing in &mut found {
                        let one = crossing.register;
                        let hit = wanted.touches(one)
                            && RegisterSet::of(access.register).touches(one)
                            && !crossing.definitions.contains(&(index as u32));
                        if hit && crossing.definitions.len() < MOST_DEFINITIONS {
                            crossing.definitions.push(index as u32);
                        }
                    }
                    if access.manner == Manner::Whole {
                        wanted.remove(access.register);
                    }
                }
                if wanted.is_empty() {
                    break;
                }
            }
            if wanted.is_empty() {
                continue;
            }
            if flow.entries.contains(&(block as u32)) {
                start.add_all(&wanted);
            }
            for predecessor in &own.predecessors {
                let predecessor = *predecessor as usize;
                let Some(known) = seen.get_mut(predecessor) else { continue };
                let more = wanted.without(known);
                if more.is_empty() {
                    continue;
                }
                known.add_all(&more);
                let end = flow.blocks.get(predecessor).map_or(first, |block| block.end as usize);
                stack.push((predecessor, end, more));
            }
        }
        for crossing in &mut found {
            crossing.from_start = start.touches(crossing.register);
            crossing.definitions.sort_unstable();
        }
        found
    }
}

impl Solver<'_> {
    fn solve(&mut self) {
        let flow = self.flow;
        let mut waiting = vec![true; flow.blocks.len()];
        let mut changed = true;
        let mut classes = Vec::new();
        while changed {
            changed = false;
            for block in flow.order.iter().rev().map(|block| *block as usize) {
                if !std::mem::take(&mut waiting[block]) {
                    continue;
                }
                let scalar = self.through(block, &mut classes, &mut |_, _, _| {});
                let start = self.starts[block] as usize;
                let own = &mut self.lanes[start..start + classes.len()];
                if own == classes.as_slice() && self.scalars[block] == scalar {
                    continue;
                }
                own.copy_from_slice(&classes);
                self.scalars[block] = scalar;
                changed = true;
                for predecessor in &flow.blocks[block].predecessors {
                    waiting[*predecessor as usize] = true;
                }
            }
        }
    }

    /// Goes back through a block: the sets of its end's classes, then those of its
    /// start's in `classes`. `at_end` is called for every segment with the sets at its
    /// end. The scalar registers that are live at the block's start are returned.
    fn through(
        &self,
        block: usize,
        classes: &mut Vec<Lanes>,
        at_end: &mut dyn FnMut(usize, &[Lanes], u128),
    ) -> u128 {
        let segments = self.masks.segments_of(block);
        let first = self.masks.of_block.get(block).map_or(0, |range| range.start as usize);
        classes.clear();
        let (Some(last), Some(own)) = (segments.last(), self.flow.blocks.get(block)) else {
            return 0;
        };
        let unknown = own.exit == Exit::Unknown;
        let mut scalar = if unknown { self.unknown.scalar } else { 0 };
        for edge in own.edges.iter().flatten() {
            scalar |= self.scalars.get(edge.to as usize).copied().unwrap_or(0);
        }
        for class in 0..last.classes() {
            let mut live = if unknown { self.unknown.vector } else { NO_LANES };
            if last.feasible >> class & 1 == 1 {
                for (place, edge) in own.edges.iter().enumerate() {
                    let Some(edge) = edge else { continue };
                    let start = self.starts.get(edge.to as usize).copied().unwrap_or(0);
                    let mut rest = self.masks.edge(block, place, class);
                    while rest != 0 {
                        let at = start as usize + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        if let Some(more) = self.lanes.get(at) {
                            add(&mut live, more);
                        }
                    }
                }
            }
            classes.push(live);
        }
        let mut scalar_now = scalar;
        for (place, segment) in segments.iter().enumerate().rev() {
            if place + 1 < segments.len() {
                let behind = std::mem::take(classes);
                classes.extend((0..segment.classes()).map(|class| {
                    let mut live = NO_LANES;
                    if segment.feasible >> class & 1 == 1 {
                        let mut rest = self.masks.step(segment, class);
                        while rest != 0 {
                            if let Some(more) = behind.get(rest.trailing_zeros() as usize) {
                                add(&mut live, more);
                            }
                            rest &= rest - 1;
                        }
                    }
                    live
                }));
            }
            at_end(first + place, classes, scalar_now);
            let Some(transfer) = self.transfers.get(first + place) else { continue };
            scalar_now = transfer.scalar(scalar_now);
            for (class, live) in classes.iter_mut().enumerate() {
                if segment.feasible >> class & 1 == 0 {
                    continue;
                }
                if segment.is_active(class) {
                    transfer.active(live);
                } else {
                    transfer.inactive(live);
                }
            }
        }
        scalar_now
    }

    fn write_down(&self, code: &Code, effects: &[Effects], transfers: &[Transfer]) -> Liveness {
        let mut before = vec![RegisterSet::EMPTY; effects.len()];
        let mut ends = vec![RegisterSet::EMPTY; self.flow.blocks.len()];
        let mut during = vec![Pressure::default(); effects.len()];
        let mut classes = Vec::new();
        let replays = code.target.row().xnack;
        for block in self.flow.order.iter().map(|block| *block as usize) {
            let mut whole_end = None;
            self.through(block, &mut classes, &mut |index, classes, scalar| {
                let Some(segment) = self.masks.segments.get(index) else { return };
                let (mut active, mut inactive) = (NO_LANES, NO_LANES);
                // Whether any lane is active, and any is not.
                let (mut some, mut others) = (false, false);
                for (class, live) in classes.iter().enumerate() {
                    if segment.feasible >> class & 1 == 0 {
                        continue;
                    }
                    if segment.is_active(class) {
                        some = true;
                        add(&mut active, live);
                    } else {
                        others = true;
                        add(&mut inactive, live);
                    }
                }
                let mut scalar = scalar;
                let mut after = RegisterSet { scalar, vector: active };
                add(&mut after.vector, &inactive);
                whole_end.get_or_insert(after);
                for instruction in (segment.first as usize..segment.end as usize).rev() {
                    let Some(transfer) = transfers.get(instruction) else { continue };
                    if some {
                        transfer.active(&mut active);
                    }
                    if others {
                        transfer.inactive(&mut inactive);
                    }
                    scalar = transfer.scalar(scalar);
                    let mut own = RegisterSet { scalar, vector: active };
                    add(&mut own.vector, &inactive);
                    before[instruction] = own;
                    let effects = &effects[instruction];
                    let mut results = after.union(&effects.write_set());
                    let late = replays && is_load(effects);
                    if late {
                        results.add_all(&own);
                    }
                    during[instruction] = Pressure::of(&results).max(Pressure::of(&own));
                    after = own;
                }
            });
            if let (Some(end), Some(place)) = (whole_end, ends.get_mut(block)) {
                *place = end;
            }
        }
        Liveness { before, ends, during }
    }
}

/// Whether results arrive later: where faults are replayed, the address must stay until
/// then.
fn is_load(effects: &Effects) -> bool {
    let behaviour = effects.recipe.and_then(|recipe| recipe.behaviour);
    behaviour.is_some_and(|behaviour| {
        behaviour.counters.iter().any(|raise| raise.event == Event::Result)
    }) && effects.writes().iter().any(|access| access.register.bank != Bank::Accumulator)
}
