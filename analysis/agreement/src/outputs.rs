//! What both sides leave, brought together by lane.

use std::collections::{BTreeMap, BTreeSet};

use emulate::{Export, LANES, Machine};
use run::{Image, Register, Resources};
use tgsi::ast::{Semantic, Shader};
use tgsi::words::File;

use crate::difference::{Place, Verdict};
use crate::layout::{Lists, memory_of};
use crate::subject::Subject;

/// What one run of the interpreter leaves: by quad the outputs, the lanes that were
/// killed and those whose indices led astray; the resources,
/// and whether any did.
type Run = (Vec<(Vec<Register>, u8, u8)>, Resources, bool);

/// What the interpreter says, and how much of it is defined.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    runs: [Run; 2],
}

impl Expected {
    pub(crate) fn new(one: Run, two: Run) -> Expected {
        Expected { runs: [one, two] }
    }

    /// A component of an output in a lane; `None` where it is undefined.
    pub(crate) fn output(&self, register: u32, component: usize, lane: usize) -> Option<u32> {
        let of = |run: &Run| {
            let (outputs, _, strayed) = run.0.get(lane / run::LANES)?;
            if strayed >> (lane % run::LANES) & 1 == 1 {
                return None;
            }
            Some(outputs.get(register as usize)?[component & 3][lane % run::LANES])
        };
        let [one, two] = self.runs.each_ref().map(of);
        one.filter(|_| one == two)
    }

    /// Whether a lane was killed; `None` where that is undefined.
    pub(crate) fn killed(&self, lane: usize) -> Option<bool> {
        let of = |run: &Run| {
            let (_, killed, strayed) = run.0.get(lane / run::LANES)?;
            let bit = |mask: u8| mask >> (lane % run::LANES) & 1 == 1;
            (!bit(*strayed)).then(|| bit(*killed))
        };
        let [one, two] = self.runs.each_ref().map(of);
        one.filter(|_| one == two)
    }

    /// Whether any lane's indices led astray.
    fn is_astray(&self) -> bool {
        self.runs.iter().any(|run| run.2)
    }

    /// What memory holds: words, with `None` for those that are undefined.
    fn memory(&self) -> Vec<(String, Vec<Option<u32>>)> {
        let [one, two] = self.runs.each_ref().map(|run| memory_of(&run.1));
        one.into_iter()
            .zip(two)
            .map(|((name, one), (_, two))| {
                let words = one.into_iter().zip(two);
                (name, words.map(|(one, two)| (one == two).then_some(one)).collect())
            })
            .collect()
    }
}

/// Exports by target.
#[derive(Debug)]
pub(crate) struct Exported<'a> {
    by_target: BTreeMap<u8, Vec<&'a Export>>,
}

/// What was exported in a lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) bits: u32,
    /// The instruction that made it, and the register.
    pub(crate) instruction: usize,
    pub(crate) register: u8,
}

impl<'a> Exported<'a> {
    pub(crate) fn of(exports: &'a [Export]) -> Exported<'a> {
        let mut by_target: BTreeMap<u8, Vec<&Export>> = BTreeMap::new();
        for export in exports {
            by_target.entry(export.target).or_default().push(export);
        }
        Exported { by_target }
    }

    /// A component that was sent to a target; `None` where nothing was.
    pub(crate) fn component(&self, target: u8, component: usize, lane: usize) -> Option<Sent> {
        let exports = self.by_target.get(&target)?;
        let export = exports.iter().rfind(|export| {
            export.lanes >> lane & 1 == 1 && export.enabled >> component & 1 == 1
        })?;
        let place = if export.compressed { component / 2 } else { component };
        let writer = export.writers[place & 3];
        let known = (writer != u32::MAX).then_some(writer as usize);
        Some(Sent {
            bits: export.values[place & 3][lane],
            instruction: known.unwrap_or(export.instruction),
            register: export.registers[place & 3],
        })
    }
}

/// The registers of a file that are declared, each with its semantic, in order.
pub(crate) fn declared(shader: &Shader, file: File) -> Vec<(u32, Option<Semantic>)> {
    let mut all = BTreeMap::new();
    for declaration in shader.declarations().filter(|it| it.file.value == file) {
        let range = declaration.range.value;
        for register in range.first..=range.last.min(range.first.saturating_add(80)) {
            let semantic = declaration.semantic.map(|it| Semantic {
                name: it.value.name,
                index: it.value.index + (register - range.first),
            });
            all.insert(register, semantic);
        }
    }
    all.into_iter().collect()
}

/// The components of outputs that some instruction writes.
pub(crate) fn outputs_written(shader: &Shader) -> BTreeSet<(u32, usize)> {
    let mut written = BTreeSet::new();
    for instruction in shader.instructions() {
        for destination in &instruction.destinations {
            let register = destination.register;
            if register.file != File::Output {
                continue;
            }
            let direct = u32::try_from(register.index.offset)
                .ok()
                .filter(|_| register.index.indirect.is_none());
            let registers: Vec<u32> = match direct {
                Some(number) => vec![number],
                None => declared(shader, File::Output).into_iter().map(|(it, _)| it).collect(),
            };
            for register in registers {
                written.extend(destination.mask.components().map(|it| (register, it as usize)));
            }
        }
    }
    // What is written to a component that no declaration has goes nowhere.
    let declared = |register: u32, component: usize| {
        shader.declarations().any(|declaration| {
            let range = declaration.range.value;
            let mask = declaration.mask.map(|mask| mask.value);
            declaration.file.value == File::Output
                && (range.first..=range.last).contains(&register)
                && mask.is_none_or(|mask| mask.components().any(|it| it as usize == component))
        })
    };
    written.retain(|(register, component)| declared(*register, *component));
    written
}

impl Subject<'_> {
    /// Compares a component of an output in all lanes that are alive.
    pub(crate) fn compare_output(
        &self,
        expected: &Expected,
        exported: &Exported<'_>,
        register: u32,
        component: usize,
        (target, sent): (u8, usize),
    ) -> Option<Verdict> {
        for lane in 0..LANES {
            if expected.killed(lane) != Some(false) {
                continue;
            }
            let Some(wanted) = expected.output(register, component, lane) else { continue };
            let place = Place::Output { register, component };
            let Some(found) = exported.component(target, sent, lane) else {
                let place = Place::Run(format!("nothing was exported for OUT[{register}]"));
                return Some(self.difference(place, [lane as u32, wanted, 0], None, None));
            };
            if !self.same(wanted, found.bits) {
                let values = [lane as u32, wanted, found.bits];
                let register = Some(found.register);
                return Some(self.difference(place, values, Some(found.instruction), register));
            }
        }
        None
    }

    /// Compares all that a shader can change in memory.
    pub(crate) fn compare_memory(
        &self,
        lists: &Lists,
        machine: &Machine,
        expected: &Expected,
        images: &[Option<Image>],
    ) -> Verdict {
        if expected.is_astray() {
            return Verdict::Agree;
        }
        let found = lists.read_back(&machine.memory, &expected.runs[0].1, images);
        for ((resource, wanted), (_, found)) in expected.memory().into_iter().zip(found) {
            for (word, (wanted, found)) in wanted.into_iter().zip(found).enumerate() {
                let Some(wanted) = wanted.filter(|it| !self.same(*it, found)) else {
                    continue;
                };
                let place = Place::Memory { resource, word };
                return self.difference(place, [0, wanted, found], None, None);
            }
        }
        Verdict::Agree
    }
}
