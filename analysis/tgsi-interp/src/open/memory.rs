//! The shadow of memory: what the words of buffers, images and the share may be.

use std::collections::BTreeMap;

use open_bits::{Image, Rule, Rules, Word, apply};
use tgsi::Opcode;
use tgsi::opcodes::ValueType;

use super::arithmetic::Results;
use super::patch::OutputPlace;
use super::races::{Changer, Changes};
use crate::access::{Access, Atomic, Location};
use crate::precision::Promised;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::LANES;
use crate::resources::Resources;

/// Addresses that an open one is followed to, at most.
const MOST: usize = 16;

/// A kind of memory that shaders change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// `BUFFER`.
    Buffer,
    /// `HWATOMIC`.
    Counter,
    /// `MEMORY`.
    Shared,
    /// `IMAGE`.
    Image,
}

/// The words that places of memory may hold, where these are more than their bits.
#[derive(Clone, Default, PartialEq)]
pub struct OpenMemory {
    words: BTreeMap<(Space, usize, usize), Word>,
    /// Resources into which something was stored at an open place.
    lost: BTreeMap<(Space, usize), Rules>,
    /// The words that invocations changed.
    pub(crate) changes: Changes<(Space, usize, usize)>,
    /// The outputs of patches that invocations changed.
    pub(crate) outputs: Changes<OutputPlace>,
}

impl std::fmt::Debug for OpenMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OpenMemory { words, lost, .. } = self;
        f.debug_struct("OpenMemory").field("words", words).field("lost", lost).finish()
    }
}

impl OpenMemory {
    /// Returns what a word may be that has these bits.
    pub fn word(&self, space: Space, unit: usize, place: usize, bits: u32) -> Word {
        if let Some(rules) = self.lost.get(&(space, unit)) {
            return Word::any(*rules);
        }
        self.words.get(&(space, unit, place)).cloned().unwrap_or(Word::exactly(bits))
    }

    /// Lets an invocation change a word.
    fn set(
        &mut self,
        (location, component): (Location, usize),
        changer: Changer,
        [old, new]: [&Word; 2],
    ) {
        let key = location.key(component);
        let word = match self.changes.note(key, changer, !new.is_same(old)) {
            true => Word::any(new.rules().plus(old.rules()).with(Rule::InvocationOrder)),
            false => new.clone(),
        };
        self.words.insert(key, word);
    }

    /// Takes in the reads of a run that others turned out to have no order with, for the next run in
    /// the same order of quads. Returns whether there are any that were not known.
    pub fn foresee(&mut self, run: &OpenMemory) -> bool {
        let [changes, outputs] =
            [self.changes.foresee(&run.changes), self.outputs.foresee(&run.outputs)];
        changes || outputs
    }

    /// Goes on to a group of invocations that never meet those before.
    pub(crate) fn begin_group(&mut self) {
        self.changes.begin_group(|(space, ..)| *space == Space::Shared);
        self.outputs.begin_group(|_| true);
    }

    /// Tells whether nothing in it is open.
    pub fn is_exact(&self) -> bool {
        self.words.values().all(|it| it.bits().is_some()) && self.lost.is_empty()
    }

    /// Returns the rules by which a resource is open altogether.
    pub(crate) fn lose(&mut self, space: Space, unit: usize, rules: Rules) {
        let own = self.lost.entry((space, unit)).or_default();
        *own = own.plus(rules);
    }
}

/// The locations that an access may mean in a lane.
enum Locations {
    /// Of these addresses.
    Listed(Vec<[u32; 4]>, Rules),
    Any(Rules),
}

impl Quad<'_> {
    fn addresses(
        &self,
        op: &MicroOp,
        source: usize,
        lane: usize,
        resources: &Resources,
    ) -> Locations {
        let words: [Word; 4] = std::array::from_fn(|it| {
            self.word(op, source, it, ValueType::Unsigned, lane, resources)
        });
        // Components that are not read are mostly not written either.
        let count = self.access(op).coordinates().clamp(1, 4);
        let mut all = vec![[0; 4]];
        let mut rules = Rules::NONE;
        for (place, word) in words.iter().enumerate().take(count) {
            rules = rules.plus(word.rules());
            let Some(members) = word.members(MOST) else { return Locations::Any(rules) };
            let longer = all.iter().flat_map(|it: &[u32; 4]| {
                members.iter().map(move |member| {
                    let mut next = *it;
                    next[place] = *member;
                    next
                })
            });
            all = longer.collect();
            if all.len() > MOST {
                return Locations::Any(rules);
            }
        }
        Locations::Listed(all, rules)
    }

    /// Returns what a lane may see in a word: any where another invocation changes it and nothing
    /// keeps an order.
    fn seen(
        &self,
        access: &Access<'_>,
        resources: &mut Resources,
        (at, component): ([u32; 4], usize),
        lane: usize,
    ) -> Word {
        let word = access.open_word(resources, at, component, lane);
        let Some(location) = access.located(resources, at, component, lane) else { return word };
        let (key, own) = (location.key(component), self.first_thread + lane);
        match resources.open.changes.load(&key, own) {
            true => Word::any(word.rules().with(Rule::InvocationOrder)),
            false => word,
        }
    }

    fn changer(&self, op: &MicroOp, lane: usize, atomic: Option<Opcode>) -> Changer {
        let ordinal = op.instruction.ordinal;
        Changer { invocation: self.first_thread + lane, ordinal, atomic }
    }

    /// Tells whether the number of the resource is open in a lane.
    fn names_open_unit(&self, op: &MicroOp, lane: usize) -> Option<Rules> {
        let operand = self.access(op).operand();
        if !operand.is_computed() {
            return None;
        }
        if self.program.divergence.names_several(op, operand) {
            return Some(Rules::of(Rule::NonUniform));
        }
        match self.registers.places(operand, 0, lane) {
            Ok((places, _)) if places.len() == 1 && self.is_inside(operand, lane) => None,
            Ok((_, rules)) => Some(rules.with(Rule::OutOfBounds)),
            Err(rules) => Some(rules.with(Rule::OutOfBounds)),
        }
    }

    /// Returns what a load may give.
    pub(crate) fn open_load(
        &self,
        op: &MicroOp,
        resources: &mut Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let mut results = Box::<Results>::default();
        let swizzle = op.resource_swizzle().0;
        let access = self.access(op);
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
            let (all, mut rules) = match self.addresses(op, 1, lane, resources) {
                Locations::Listed(all, rules) => (all, rules),
                Locations::Any(rules) => (Vec::new(), rules),
            };
            let unit = self.names_open_unit(op, lane);
            rules = rules.plus(unit.unwrap_or_default());
            for (component, own) in results.iter_mut().enumerate() {
                let from = swizzle[component] as usize;
                let mut one = |at: [u32; 4]| self.seen(&access, resources, (at, from), lane);
                let word = all
                    .iter()
                    .filter(|_| unit.is_none())
                    .map(|at| one(*at))
                    .reduce(|a, b| a.join(&b));
                own[lane] = Some(word.map_or(Word::any(rules), |word| word.by(rules)));
            }
        }
        Some(results)
    }

    /// Returns what the size of a resource may be, where something of it is open: components that the
    /// resource does not have.
    pub(crate) fn open_size(&self, op: &MicroOp) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let access = self.access(op);
        let any = || Some(Word::any(Rules::of(Rule::LookUp)));
        let results = (0..4).map(|component| match access.has_size(component) {
            true => std::array::from_fn(|_| None),
            false => std::array::from_fn(|_| any()),
        });
        let results: Vec<_> = results.collect();
        Some(Box::new(results.try_into().ok()?))
    }

    /// Writes what a store may leave in memory. The bits are those before it.
    pub(crate) fn open_memory_store(
        &mut self,
        op: &MicroOp,
        writers: u8,
        resources: &mut Resources,
    ) {
        if self.registers.open.is_none() {
            return;
        }
        for lane in (0..LANES).filter(|lane| writers >> lane & 1 == 1) {
            let values: [Word; 4] =
                std::array::from_fn(|it| self.word(op, 1, it, ValueType::Untyped, lane, resources));
            let locations = self.addresses(op, 0, lane, resources);
            let unit = self.names_open_unit(op, lane);
            let access = self.access(op);
            let (all, rules) = match (locations, unit) {
                (Locations::Listed(all, rules), None) => (all, rules),
                (Locations::Any(rules), None) if access.reach(resources, lane).is_some() => {
                    self.scatter(op, lane, rules, resources, |component, _| {
                        values[component].clone()
                    });
                    continue;
                }
                (Locations::Listed(_, rules) | Locations::Any(rules), unit) => {
                    access.lose(resources, lane, rules.plus(unit.unwrap_or_default()));
                    continue;
                }
            };
            let several = all.len() > 1;
            for at in all {
                for component in access.components_stored() {
                    let Some(location) = access.located(resources, at, component, lane) else {
                        continue;
                    };
                    let old = access.open_word(resources, at, component, lane);
                    let word = match several {
                        true => old.join(&values[component]).by(rules),
                        false => values[component].clone(),
                    };
                    let changer = self.changer(op, lane, None);
                    resources.open.set((location, component), changer, [&old, &word]);
                }
            }
        }
    }

    /// Lets an access at an open place change any word of its resource: each becomes what it gives
    /// there, by the component and the old word, or stays as it is. What would be outside is not
    /// written.
    fn scatter(
        &self,
        op: &MicroOp,
        lane: usize,
        rules: Rules,
        resources: &mut Resources,
        changed: impl Fn(usize, &Word) -> Word,
    ) {
        let access = self.access(op);
        let Some(reach) = access.reach(resources, lane) else { return };
        let opcode = op.instruction.opcode.value;
        let (components, source) = match opcode {
            Opcode::STORE => (access.components_stored(), 0),
            _ => (vec![0], 1),
        };
        let address = self.word(op, source, 0, ValueType::Unsigned, lane, resources).known_bits();
        let changer = self.changer(op, lane, Some(opcode));
        for location in reach.words() {
            let Some(bits) = location.bits(resources, 0) else { continue };
            let old = {
                let (space, unit, place) = location.key(0);
                resources.open.word(space, unit, place, bits)
            };
            let own = components.iter().filter(|it| location.may_be_of(**it, address));
            let words = own.map(|component| changed(*component, &old));
            let Some(new) = words.reduce(|one, two| one.join(&two)) else { continue };
            let word = old.join(&new).by(rules);
            resources.open.set((location, 0), changer, [&old, &word]);
        }
    }

    /// Carries out an atomic on the shadow; returns what the old value may be.
    pub(crate) fn open_atomic(
        &mut self,
        op: &MicroOp,
        atomic: Atomic,
        writers: u8,
        resources: &mut Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let mut results = Box::<Results>::default();
        let float = op.instruction.opcode.value == Opcode::ATOMFADD;
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
            let operand = |source: usize| {
                let word = self.word(op, source, 0, ValueType::Unsigned, lane, resources);
                if float { word.flushable().either_zero() } else { word.as_bits() }
            };
            let operands = [operand(2), operand(3)];
            let changed = |old: &Word| changed(atomic, float, old, &operands);
            let locations = self.addresses(op, 1, lane, resources);
            let unit = self.names_open_unit(op, lane);
            let access = self.access(op);
            if writers >> lane & 1 == 0 {
                // What a lane that was killed reads is no matter to anyone.
                results[0][lane] = Some(Word::any(Rules::of(Rule::InactiveLane)));
                continue;
            }
            let at = match (locations, unit) {
                (Locations::Listed(all, _), None) if all.len() == 1 => all[0],
                (Locations::Listed(_, rules) | Locations::Any(rules), unit) => {
                    let rules = rules.plus(unit.unwrap_or_default());
                    match access.reach(resources, lane).filter(|_| unit.is_none()) {
                        Some(_) => self.scatter(op, lane, rules, resources, |_, old| changed(old)),
                        None => access.lose(resources, lane, rules),
                    }
                    results[0][lane] = Some(Word::any(rules));
                    continue;
                }
            };
            let Some(location) = access.located(resources, at, 0, lane) else {
                // Vulkan leaves open what an atomic finds where nothing is.
                results[0][lane] = Some(match self.program.promised {
                    Promised::ByHardware => Word::exactly(0),
                    Promised::ByVulkan => Word::any(Rules::of(Rule::OutOfBounds)),
                });
                continue;
            };
            let old = access.open_word(resources, at, 0, lane);
            let new = changed(&old);
            // Two orders of all quads tell whether it depends on others, where each changes it once; to
            // open it wherever others may come first would lose all that it is an index to.
            results[0][lane] = Some(match resources.open.changes.is_contested(&location.key(0)) {
                true => Word::any(old.rules().with(Rule::InvocationOrder)),
                false => old.clone(),
            });
            let changer = self.changer(op, lane, Some(op.instruction.opcode.value));
            resources.open.set((location, 0), changer, [&old, &new]);
        }
        let [first, others @ ..] = &mut *results;
        others.iter_mut().for_each(|own| own.clone_from(first));
        Some(results)
    }
}

/// Returns what an atomic may leave of a word.
fn changed(atomic: Atomic, float: bool, old: &Word, operands: &[Word; 2]) -> Word {
    let read = if float { old.flushable().either_zero() } else { old.as_bits() };
    let sources = [&read, &operands[0], &operands[1]];
    let new = match sources.iter().all(|it| it.is_listed()) {
        true => apply(&sources, &[], float, |v, image: &mut Image| {
            image.add(atomic.changed(v[0], v[1], v[2]));
        }),
        false => Word::any(sources.iter().fold(Rules::NONE, |all, it| all.plus(it.rules()))),
    };
    if float { new.flushable().either_zero() } else { new }
}
