//! The outputs of both sides, brought together by lane.

use std::collections::{BTreeMap, BTreeSet};

use gcn_emu::{Export, LANES};
use tgsi::ast::{Register, Semantic, Shader};
use tgsi::words::{File, SemanticName};
use tgsi_interp::Resources;
use tgsi_interp::launch::QuadOutputs;

use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::expectation::{Expectation, Indeterminate, RunVariant};
use crate::launch::FinalState;
use crate::layout::memory_of;
use crate::test_pair::TestPair;

/// The outputs of a quad in one run of the interpreter; by default one that did not come to
/// its end.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuadRun {
    pub(crate) left: QuadOutputs,
    /// True if it came to its end.
    pub(crate) ended: bool,
}

/// The outputs of one run of the interpreter.
#[derive(Debug, Clone, Default)]
pub(crate) struct InterpreterRun {
    /// By quad; nothing of those that did not run.
    pub(crate) quads: Vec<Option<QuadRun>>,
    pub(crate) resources: Resources,
    /// True if any index was out of bounds.
    pub(crate) out_of_bounds: bool,
    /// The most inexact results that went into one word of memory.
    pub(crate) inexact: u32,
    /// True if all of it came to its end.
    pub(crate) ended: bool,
}

/// A word before the run, and what it may be after it.
type ExpectedWord = (u32, Result<Expectation, Indeterminate>);

/// The expected outputs, by the interpreter, with the parts of them that are defined.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    /// Memory before the run.
    pub(crate) before: Resources,
    /// The runs, in the order of [`ShaderTraits::variants`](crate::expectation::ShaderTraits::variants).
    pub(crate) runs: Vec<InterpreterRun>,
    /// The number of runs, the first ones, that have to be equal.
    pub(crate) alike: usize,
}

impl Expected {
    /// Returns the quad of a lane in every run, where the run defines the lane.
    fn quads(&self, lane: usize) -> impl Iterator<Item = Result<&QuadRun, Indeterminate>> {
        self.runs.iter().map(move |run| {
            let quad = run.quads.get(lane / tgsi_interp::LANES).and_then(Option::as_ref);
            let quad = quad.ok_or(Indeterminate::Inactive)?;
            match quad.left.out_of_bounds >> (lane % tgsi_interp::LANES) & 1 {
                0 => Ok(quad),
                _ => Err(Indeterminate::OutOfBounds),
            }
        })
    }

    /// A component of an output in a lane.
    pub(crate) fn output(
        &self,
        register: u32,
        component: usize,
        lane: usize,
    ) -> Result<Expectation, Indeterminate> {
        let inexact = self.quads(lane).flatten().map(|quad| quad.left.inexact).max();
        let values = self.quads(lane).map(|quad| {
            let output =
                quad?.left.outputs.get(register as usize).ok_or(Indeterminate::Undefined)?;
            Ok(output[component & 3][lane % tgsi_interp::LANES])
        });
        Expectation::of(values, self.alike, inexact.unwrap_or(0))
    }

    /// Tells whether a lane was killed.
    pub(crate) fn killed(&self, lane: usize) -> Result<bool, Indeterminate> {
        let bits = |quad: &QuadRun| quad.left.killed >> (lane % tgsi_interp::LANES) & 1 == 1;
        let ended =
            |quad: &Result<&QuadRun, Indeterminate>| quad.is_err() || quad.is_ok_and(|it| it.ended);
        let mut runs = self.quads(lane).filter(ended).map(|quad| quad.map(bits));
        let first = runs.next().unwrap_or(Err(Indeterminate::Inactive))?;
        for run in runs.by_ref().take(self.alike - 1) {
            if run? != first {
                return Err(Indeterminate::Undefined);
            }
        }
        if runs.any(|run| run != Ok(first)) {
            return Err(Indeterminate::Diverging);
        }
        Ok(first)
    }

    /// Tells whether any run killed a lane.
    pub(crate) fn kills(&self) -> bool {
        let quads = self.runs.iter().flat_map(|run| run.quads.iter().flatten());
        quads.into_iter().any(|quad| quad.left.killed != 0)
    }

    /// Returns words by resource: their contents before the run and the expectation after
    /// it.
    fn memory(&self) -> Vec<(String, Vec<ExpectedWord>)> {
        let left =
            |run: &InterpreterRun| if run.ended { memory_of(&run.resources) } else { Vec::new() };
        let runs: Vec<_> = self.runs.iter().map(left).collect();
        let inexact = self.runs.iter().map(|run| run.inexact).max().unwrap_or(0);
        let word = |resource: usize, word: usize| {
            let values = runs.iter().map(|run| {
                let found = run.get(resource).and_then(|(_, words)| words.get(word));
                found.copied().ok_or(Indeterminate::Diverging)
            });
            Expectation::of(values, self.alike, inexact)
        };
        let before = memory_of(&self.before).into_iter().enumerate();
        before
            .map(|(resource, (name, words))| {
                let words = words.into_iter().enumerate();
                let words = words.map(|(place, before)| (before, word(resource, place)));
                (name, words.collect())
            })
            .collect()
    }
}

/// A value that was exported in a lane.
struct ExportedValue {
    bits: u32,
    /// The instruction that made it, and the register.
    instruction: usize,
    register: u8,
}

impl ExportedValue {
    /// A component that was sent to a target; `None` where nothing was.
    fn of(exports: &[Export], target: u8, component: usize, lane: usize) -> Option<ExportedValue> {
        let has = |lanes: u64, place: usize| lanes >> place & 1 == 1;
        let export = exports.iter().rfind(|export| {
            let sent = &export.sent;
            sent.target == target && has(export.lanes, lane) && has(sent.enabled.into(), component)
        })?;
        let place = if export.sent.compressed { component / 2 } else { component };
        let writer = export.writers[place & 3];
        let known = (writer != u32::MAX).then_some(writer as usize);
        Some(ExportedValue {
            bits: export.values[place & 3][lane],
            instruction: known.unwrap_or(export.instruction),
            register: export.sent.registers[place & 3],
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

/// The outputs that an index may lead to. Of the patch it stays off the tessellation levels, which
/// are variables of their own (GLSL 4.60, section 7.1.3), where there are other outputs of it.
fn outputs_in_reach(shader: &Shader, register: &Register) -> Vec<u32> {
    let name = |semantic: &Option<Semantic>| semantic.map(|it| it.name);
    let is_level = |semantic: &Option<Semantic>| {
        use SemanticName::{TessellationInner, TessellationOuter};
        matches!(name(semantic), Some(TessellationOuter | TessellationInner))
    };
    let mut all = declared(shader, File::Output);
    let of_patch = |it: &(u32, Option<Semantic>)| name(&it.1) == Some(SemanticName::Patch);
    if register.dimension.is_some() || all.iter().any(of_patch) {
        all.retain(|(_, semantic)| !is_level(semantic));
    }
    all.into_iter().map(|(register, _)| register).collect()
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
                None => outputs_in_reach(shader, &register),
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

impl TestPair<'_> {
    /// Runs the interpreter in every variant, each time from the same memory.
    pub(crate) fn run_variants(
        &self,
        before: &Resources,
        mut interpret: impl FnMut(RunVariant, &mut InterpreterRun) -> Result<(), Error>,
    ) -> Result<Expected, Error> {
        let mut runs = Vec::new();
        for variant in self.variants() {
            let resources = before.clone();
            let mut run = InterpreterRun { resources, ended: true, ..InterpreterRun::default() };
            interpret(variant, &mut run)?;
            runs.push(run);
        }
        Ok(Expected { before: before.clone(), runs, alike: self.alike() })
    }

    /// Compares the outputs that some instruction writes: registers, components, and where
    /// these are exported.
    pub(crate) fn compare_outputs(
        &self,
        expected: &Expected,
        state: &FinalState,
        places: &[(u32, usize, (u8, usize))],
    ) -> Checked {
        let written = outputs_written(self.shader);
        for (register, component, sent) in places {
            if written.contains(&(*register, *component)) {
                self.compare_output(
                    expected,
                    &state.machine.exports,
                    *register,
                    *component,
                    *sent,
                )?;
            }
        }
        Ok(())
    }

    /// Compares a component of an output in all lanes that are alive.
    fn compare_output(
        &self,
        expected: &Expected,
        exports: &[Export],
        register: u32,
        component: usize,
        (target, sent): (u8, usize),
    ) -> Checked {
        for lane in 0..LANES {
            match expected.killed(lane) {
                Ok(false) => {}
                Ok(true) => continue,
                Err(open) => {
                    self.leave(open);
                    continue;
                }
            }
            let wanted = expected.output(register, component, lane);
            let place = Observed::Output { register, component };
            let Some(found) = ExportedValue::of(exports, target, sent, lane) else {
                let Ok(wanted) = wanted else { continue };
                let place = Observed::Run(format!("nothing was exported for OUT[{register}]"));
                return Err(self.difference(place, [lane as u32, wanted.bits, 0], None, None));
            };
            if let Some(wanted) = self.misses(wanted, found.bits) {
                let values = [lane as u32, wanted, found.bits];
                let register = Some(found.register);
                return Err(self.difference(place, values, Some(found.instruction), register));
            }
        }
        Ok(())
    }

    /// Compares all that a shader can change in memory.
    pub(crate) fn compare_memory(&self, state: &FinalState, expected: &Expected) -> Checked {
        let memory = &state.machine.memory;
        let found = state.lists.read_back(memory, &expected.before, &state.images);
        for ((resource, wanted), (_, found)) in expected.memory().into_iter().zip(found) {
            for (word, ((before, wanted), found)) in wanted.into_iter().zip(found).enumerate() {
                // Words that nobody changes say little: they are compared, and not counted.
                let unchanged = wanted == Ok(Expectation::exactly(before)) && found == before;
                if unchanged {
                    continue;
                }
                let wanted = if expected.runs.iter().any(|run| run.out_of_bounds) {
                    Err(Indeterminate::OutOfBounds)
                } else {
                    wanted
                };
                if let Some(wanted) = self.misses(wanted, found) {
                    let place = Observed::Memory { resource, word };
                    return Err(self.difference(place, [0, wanted, found], None, None));
                }
            }
        }
        Ok(())
    }
}
