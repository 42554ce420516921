//! Liveness: the registers that hold something that is needed later, at every instruction.
//!
//! Scalar registers follow the control flow alone. Vector registers are judged by
//! lane: a write ends the need for the old value only in lanes that are active,
//! so the need is kept for every class of lanes that [`super::divergence`] tells apart.
//! A register counts as live where any lane needs it.

use super::cancellation::CancelTicker;
use super::cfg::{Cfg, Exit};
use super::code::Code;
use super::def_use::{AccessKind, DefUse};
use super::divergence::Divergence;
use super::register_set::RegisterSet;
use super::register_use::{named, reachable};
use crate::behaviour::CounterEvent;
use crate::instruction::Bank;
use crate::mnemonics::Opcode;
use text::Checkpoint;

/// The needs of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liveness {
    /// The registers that are live before each instruction.
    before: Vec<RegisterSet>,
    /// The registers that are live at the end of each block.
    ends: Vec<RegisterSet>,
    /// The pressure during each instruction: its results take room beside what is needed
    /// behind it, and beside its sources where those are read late.
    during: Vec<Pressure>,
    /// Stretches of instructions that some lanes may not take part in.
    divergent: Vec<std::ops::Range<u32>>,
}

/// Numbers of live registers.
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

/// The vector part of a set.
type Lanes = [u64; 4];

const NO_LANES: Lanes = [0; 4];

fn add(own: &mut Lanes, more: &Lanes) {
    for (own, more) in own.iter_mut().zip(more) {
        *own |= more;
    }
}

/// The transfer function of one or several instructions: what they use, and what they define.
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
    fn of(def_use: &DefUse, named: &RegisterSet) -> Transfer {
        let mut transfer = Transfer::default();
        let exchanges = def_use.desc.is_some_and(|desc| desc.opcode() == Opcode::v_swap_b32);
        if let (true, [first, second]) = (exchanges, def_use.writes()) {
            transfer.exchanged = Some((first.register.first, second.register.first));
            return transfer;
        }
        for access in def_use.reads() {
            let mut set = RegisterSet::of(access.register);
            // FLAT_SCRATCH behind a flat address is a guess: a code that never names it
            // has not set it, and its allocation has no room for it.
            let guess = access.kind == AccessKind::Unknown && access.register.bank == Bank::Scalar;
            if access.kind == AccessKind::Indexed || guess {
                set = set.intersection(named);
            }
            transfer.scalar_read |= set.scalar;
            add(&mut transfer.read, &set.vector);
            if access.kind == AccessKind::CrossLane {
                add(&mut transfer.read_inactive, &set.vector);
            }
        }
        for access in def_use.writes().iter().filter(|access| access.kind == AccessKind::Full) {
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

/// The sets where blocks begin: for every class the vector registers, and the scalar
/// ones.
struct Solver<'a> {
    cfg: &'a Cfg,
    divergence: Divergence,
    /// Per segment.
    transfers: Vec<Transfer>,
    /// Per block where its classes' sets begin.
    starts: Vec<u32>,
    lanes: Vec<Lanes>,
    scalars: Vec<u128>,
    /// The registers that unseen code may need.
    unknown: RegisterSet,
    cancel: &'a CancelTicker<'a>,
}

impl Liveness {
    /// Solves the liveness of a code, backwards over its control flow. `checkpoint` may
    /// unwind.
    pub fn of(code: &Code, def_use: &[DefUse], cfg: &Cfg, checkpoint: Checkpoint<'_>) -> Liveness {
        let cancel = &CancelTicker::new(checkpoint);
        let named = reachable(&named(def_use));
        let transfer = |def_use| {
            cancel.step();
            Transfer::of(def_use, &named)
        };
        let transfers: Vec<Transfer> = def_use.iter().map(transfer).collect();
        let divergence = Divergence::of(code, def_use, cfg, cancel);
        let of_regions = divergence
            .regions
            .iter()
            .map(|region| {
                let own = transfers.get(region.first as usize..region.end as usize);
                own.unwrap_or_default()
                    .iter()
                    .rev()
                    .fold(Transfer::default(), |after, own| own.then(&after))
            })
            .collect();
        let mut starts = Vec::with_capacity(cfg.blocks.len());
        let mut count = 0;
        for block in 0..cfg.blocks.len() {
            starts.push(count as u32);
            count += divergence.regions_of(block).first().map_or(0, |first| first.classes());
        }
        let mut solver = Solver {
            cfg,
            divergence,
            transfers: of_regions,
            starts,
            lanes: vec![NO_LANES; count],
            scalars: vec![0; cfg.blocks.len()],
            unknown: named,
            cancel,
        };
        solver.solve();
        solver.write_down(code, def_use, &transfers)
    }

    /// The registers that are live before an instruction.
    pub fn before(&self, instruction: usize) -> &RegisterSet {
        self.before.get(instruction).unwrap_or(&RegisterSet::EMPTY)
    }

    /// The registers that are live behind an instruction.
    pub fn after(&self, cfg: &Cfg, instruction: usize) -> &RegisterSet {
        let block = cfg.block_of(instruction) as usize;
        let last = cfg.blocks.get(block).is_some_and(|block| block.end as usize == instruction + 1);
        if last {
            self.ends.get(block).unwrap_or(&RegisterSet::EMPTY)
        } else {
            self.before(instruction + 1)
        }
    }

    /// The stretches, in the order of the code, in which lanes that were active at the
    /// start may be inactive: sides of divergent branches, loops that lanes leave one by
    /// one.
    pub fn divergent(&self) -> &[std::ops::Range<u32>] {
        &self.divergent
    }

    /// Returns the number of registers that are live before an instruction.
    pub fn pressure_before(&self, instruction: usize) -> Pressure {
        Pressure::of(self.before(instruction))
    }

    /// Returns the number of registers that an instruction needs at once.
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
}

impl Solver<'_> {
    fn solve(&mut self) {
        let cfg = self.cfg;
        let mut waiting = vec![true; cfg.blocks.len()];
        let mut changed = true;
        let mut classes = Vec::new();
        while changed {
            changed = false;
            for block in cfg.reverse_postorder.iter().rev().map(|block| *block as usize) {
                if !std::mem::take(&mut waiting[block]) {
                    continue;
                }
                self.cancel.step();
                let scalar = self.through(block, &mut classes, &mut |_, _, _| {});
                let start = self.starts[block] as usize;
                let own = &mut self.lanes[start..start + classes.len()];
                if own == classes.as_slice() && self.scalars[block] == scalar {
                    continue;
                }
                own.copy_from_slice(&classes);
                self.scalars[block] = scalar;
                changed = true;
                for predecessor in &cfg.blocks[block].predecessors {
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
        let regions = self.divergence.regions_of(block);
        let first =
            self.divergence.block_regions.get(block).map_or(0, |range| range.start as usize);
        classes.clear();
        let (Some(last), Some(own)) = (regions.last(), self.cfg.blocks.get(block)) else {
            return 0;
        };
        let unknown = own.exit == Exit::Unknown;
        let mut scalar = if unknown { self.unknown.scalar } else { 0 };
        for edge in own.edges.iter().flatten() {
            scalar |= self.scalars.get(edge.to as usize).copied().unwrap_or(0);
        }
        for class in 0..last.classes() {
            let mut live = if unknown { self.unknown.vector } else { NO_LANES };
            if last.reachable >> class & 1 == 1 {
                for (place, edge) in own.edges.iter().enumerate() {
                    let Some(edge) = edge else { continue };
                    let start = self.starts.get(edge.to as usize).copied().unwrap_or(0);
                    let mut rest = self.divergence.edge_classes(block, place, class);
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
        for (place, region) in regions.iter().enumerate().rev() {
            if place + 1 < regions.len() {
                let behind = std::mem::take(classes);
                classes.extend((0..region.classes()).map(|class| {
                    let mut live = NO_LANES;
                    if region.reachable >> class & 1 == 1 {
                        let mut rest = self.divergence.next_classes(region, class);
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
                if region.reachable >> class & 1 == 0 {
                    continue;
                }
                if region.is_active(class) {
                    transfer.active(live);
                } else {
                    transfer.inactive(live);
                }
            }
        }
        scalar_now
    }

    fn write_down(&self, code: &Code, def_use: &[DefUse], transfers: &[Transfer]) -> Liveness {
        let mut before = vec![RegisterSet::EMPTY; def_use.len()];
        let mut ends = vec![RegisterSet::EMPTY; self.cfg.blocks.len()];
        let mut during = vec![Pressure::default(); def_use.len()];
        let mut classes = Vec::new();
        let replays = code.target.row().xnack;
        for block in self.cfg.reverse_postorder.iter().map(|block| *block as usize) {
            let mut whole_end = None;
            self.through(block, &mut classes, &mut |index, classes, scalar| {
                let Some(region) = self.divergence.regions.get(index) else { return };
                let (mut active, mut inactive) = (NO_LANES, NO_LANES);
                // Whether any lane is active, and any is not.
                let (mut some, mut others) = (false, false);
                for (class, live) in classes.iter().enumerate() {
                    if region.reachable >> class & 1 == 0 {
                        continue;
                    }
                    if region.is_active(class) {
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
                for instruction in (region.first as usize..region.end as usize).rev() {
                    let Some(transfer) = transfers.get(instruction) else { continue };
                    self.cancel.step();
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
                    let def_use = &def_use[instruction];
                    let mut results = after.union(&def_use.write_set());
                    let late = replays && is_load(def_use);
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
        let mut divergent: Vec<std::ops::Range<u32>> = Vec::new();
        for region in self.divergence.regions.iter().filter(|region| region.narrowed) {
            match divergent.last_mut().filter(|last| last.end == region.first) {
                Some(last) => last.end = region.end,
                None => divergent.push(region.first..region.end),
            }
        }
        divergent.retain(|range| !range.is_empty());
        Liveness { before, ends, during, divergent }
    }
}

/// Tells whether results arrive later: where faults are replayed, the address must stay until
/// then.
fn is_load(def_use: &DefUse) -> bool {
    let behaviour = def_use.desc.map(|desc| desc.behaviour());
    behaviour.is_some_and(|behaviour| {
        behaviour.counters.iter().any(|inc| inc.event == CounterEvent::Result)
    }) && def_use.writes().iter().any(|access| access.register.bank != Bank::Accumulator)
}

#[cfg(test)]
mod tests {
    use super::super::AddressCounts;
    use super::*;
    use crate::Target;

    fn analyse(text: &str) -> (Vec<DefUse>, Cfg, Liveness) {
        let target = Target::find("polaris10").expect("a chip");
        let code = Code::from_lines(target, text, AddressCounts::Named).expect("assembles");
        let def_use = DefUse::of_all(&code, &text::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let liveness = Liveness::of(&code, &def_use, &cfg, &text::no_checkpoint);
        (def_use, cfg, liveness)
    }

    #[test]
    fn divergent_stretches_end_where_lanes_come_back() {
        // LLVM's way with an else side, ACO's inverted branch, a loop that lanes leave.
        for (text, expected) in [
            (
                "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
                 s_xor_b64 s[0:1], exec, s[0:1]\nv_mov_b32 v2, 0\n\
                 s_or_saveexec_b64 s[0:1], s[0:1]\ns_xor_b64 exec, exec, s[0:1]\n\
                 v_mov_b32 v2, 1.0\ns_or_b64 exec, exec, s[0:1]\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
                vec![(2, 5), (6, 8)],
            ),
            (
                "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v2, 0\n\
                 s_andn2_b64 exec, s[0:1], exec\nv_mov_b32 v2, 1.0\ns_mov_b64 exec, s[0:1]\n\
                 exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
                vec![(2, 6)],
            ),
            (
                "s_mov_b64 s[0:1], exec\nagain:\nv_add_f32 v0, v0, v1\nv_cmp_lt_f32 vcc, v0, v1\n\
                 s_and_b64 exec, exec, vcc\ns_cbranch_execnz again\ns_mov_b64 exec, s[0:1]\n\
                 exp mrt0 v0, v0, v0, v0 done vm\ns_endpgm",
                vec![(1, 6)],
            ),
            ("v_mov_b32 v0, 0\ns_endpgm", vec![]),
        ] {
            let (_, _, liveness) = analyse(text);
            let found: Vec<(u32, u32)> =
                liveness.divergent().iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn both_sides_of_a_divergent_branch_end_a_need() {
        let (.., liveness) = analyse(
            "v_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\nv_mov_b32 v2, 0\n\
             s_andn2_b64 exec, s[0:1], exec\nv_mov_b32 v2, 1.0\ns_mov_b64 exec, s[0:1]\n\
             exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
        );
        assert_eq!(liveness.before(0).vector[0], 0b011, "v2 is written for every lane");
        // On the other side the lanes of the first keep theirs.
        assert_eq!(liveness.before(4).vector[0], 0b100);
    }

    #[test]
    fn values_across_the_peak_have_their_writers() {
        let (def_use, cfg, liveness) = analyse(
            "v_mov_b32 v1, 0\ns_cbranch_scc1 join\nv_mov_b32 v1, 1.0\njoin:\n\
             v_add_f32 v2, v0, v1\nexp mrt0 v0, v1, v2, v2 done vm\ns_endpgm",
        );
        let ((peak, count), _) = liveness.peaks().expect("instructions");
        assert_eq!((peak, count), (3, 3));
        let live_across = liveness.live_across(&cfg, &def_use, peak);
        let vectors: Vec<(u16, Vec<u32>, bool)> = live_across
            .into_iter()
            .filter(|value| value.register.bank == Bank::Vector)
            .map(|value| (value.register.first, value.definitions, value.from_start))
            .collect();
        assert_eq!(vectors, [(0, vec![], true), (1, vec![0, 2], false), (2, vec![3], false)]);
    }

    #[test]
    fn replayed_loads_keep_their_address() {
        let text = "buffer_load_dwordx2 v[2:3], v[0:1], s[0:3], 0 idxen offen\n\
                    s_waitcnt vmcnt(0)\nexp mrt0 v2, v3, v3, v3 done vm\ns_endpgm";
        for (chip, count) in [("polaris10", 2), ("gfx902", 4)] {
            let target = Target::find(chip).expect(chip);
            let code = Code::from_lines(target, text, AddressCounts::Named).expect("assembles");
            let def_use = DefUse::of_all(&code, &text::no_checkpoint);
            let cfg = Cfg::of(&code, &def_use);
            assert_eq!(
                Liveness::of(&code, &def_use, &cfg, &text::no_checkpoint).pressure(0).vgprs,
                count,
                "{chip}"
            );
        }
    }
}
