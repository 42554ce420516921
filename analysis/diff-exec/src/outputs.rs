//! The outputs of both sides, brought together by lane.

use std::collections::{BTreeMap, BTreeSet};

use gcn_emu::{Export, LANES};
use open_bits::{Rule, Rules, Word};
use tgsi::ast::{Register, Semantic, Shader};
use tgsi::words::{File, SemanticName};
use tgsi_interp::Resources;
use tgsi_interp::launch::QuadOutputs;
use tgsi_interp::open::OpenOutputs;
use tgsi_interp::patch::Order;

use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::expectation::{Expectation, MOST_ROUNDS, RunVariant, orders};
use crate::launch::FinalState;
use crate::layout::{Contents, memory_of};
use crate::stored::Stored;
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
    pub(crate) order: Order,
    /// By quad; nothing of those that did not run.
    pub(crate) quads: Vec<Option<QuadRun>>,
    pub(crate) resources: Resources,
    /// The rules by which all of memory is open.
    pub(crate) lost: Rules,
    /// The open conditions of the lane that came to the most.
    pub(crate) decisions: usize,
    /// The rules of all open conditions.
    pub(crate) conditions: Rules,
    /// True if all of it came to its end.
    pub(crate) ended: bool,
}

impl InterpreterRun {
    /// Takes in what the results of a quad hang on.
    pub(crate) fn note(&mut self, words: &OpenOutputs) {
        self.decisions = words.decisions.iter().copied().fold(self.decisions, usize::max);
        self.conditions = words.conditions.into_iter().fold(self.conditions, Rules::plus);
        self.lost = words.lost.into_iter().fold(self.lost, Rules::plus);
    }
}

/// The expected outputs, by the interpreter.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    /// Memory before the run.
    pub(crate) before: Resources,
    /// The memory that the shader may change.
    pub(crate) stored: Stored,
    /// The runs, that on the way of the bits first.
    pub(crate) runs: Vec<InterpreterRun>,
    /// True if every way through open conditions was taken.
    pub(crate) complete: bool,
}

/// The fates of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Alive,
    Killed,
    /// An open condition decides.
    Either,
}

impl Expected {
    /// The runs in which a lane came to its end, each with its quad.
    fn quads(&self, lane: usize) -> impl Iterator<Item = (&InterpreterRun, &QuadRun)> {
        self.runs
            .iter()
            .filter_map(move |run| Some((run, run.quads.get(lane / tgsi_interp::LANES)?.as_ref()?)))
    }

    /// Returns the rules by which all of a lane is open: there are more ways to it than were
    /// taken, or one does not end.
    fn unfollowed(&self, lane: usize) -> Rules {
        let inside = lane % tgsi_interp::LANES;
        let mut rules = Rules::NONE;
        for (_, quad) in self.quads(lane) {
            let decided = quad.left.words.as_ref().filter(|it| it.decisions[inside] > 0);
            if let Some(words) = decided.filter(|_| !self.complete) {
                rules = rules.plus(words.conditions[inside]).with(Rule::Condition);
            }
            if !quad.ended {
                rules = rules.with(Rule::Condition);
            }
        }
        rules
    }

    /// A component of an output in a lane, of the runs in which it is alive.
    pub(crate) fn output(
        &self,
        register: u32,
        component: usize,
        lane: usize,
    ) -> Option<Expectation> {
        let inside = lane % tgsi_interp::LANES;
        let values = self.quads(lane).filter_map(|(run, quad)| {
            if !quad.ended || quad.left.killed >> inside & 1 == 1 {
                return None;
            }
            let bits = quad.left.outputs.get(register as usize)?[component & 3][inside];
            let word = match &quad.left.words {
                Some(words) => words.outputs.get(register as usize)?[component & 3][inside].clone(),
                None => Word::exactly(bits),
            };
            Some((run.order, bits, word))
        });
        Some(Expectation::of(values)?.or_any(self.unfollowed(lane)))
    }

    /// Returns the fate of a lane; `None` where nobody ran.
    pub(crate) fn fate(&self, lane: usize) -> Option<Fate> {
        let mut fates = self.quads(lane).map(|(_, quad)| {
            match (quad.ended, quad.left.killed >> (lane % tgsi_interp::LANES) & 1) {
                (false, _) => Fate::Either,
                (true, 0) => Fate::Alive,
                (true, _) => Fate::Killed,
            }
        });
        let first = fates.next()?;
        let same = fates.all(|it| it == first) && self.unfollowed(lane) == Rules::NONE;
        Some(if same { first } else { Fate::Either })
    }

    /// Tells whether any run killed a lane.
    pub(crate) fn kills(&self) -> bool {
        let quads = self.runs.iter().flat_map(|run| run.quads.iter().flatten());
        quads.into_iter().any(|quad| quad.left.killed != 0)
    }

    /// Returns the words of memory that changed, or may have, with what is wanted and what was
    /// found there. Words that nobody changes say little: they are equal, and not counted.
    pub(crate) fn changes(
        &self,
        found: Vec<Contents>,
    ) -> impl Iterator<Item = (Observed, Expectation, u32)> {
        self.memory().into_iter().zip(found).flat_map(|((resource, wanted), found)| {
            let words = wanted.into_iter().zip(found.words).enumerate();
            words.filter_map(move |(word, ((before, wanted), found))| {
                let is_kept = wanted.word.bits() == Some(before) && found == before;
                let place = || Observed::Memory { resource: resource.clone(), word };
                (!is_kept).then(|| (place(), wanted, found))
            })
        })
    }

    /// Returns words by resource: their contents before the run and the expectation after
    /// it.
    fn memory(&self) -> Vec<(String, Vec<(u32, Expectation)>)> {
        let runs: Vec<_> = self
            .runs
            .iter()
            .filter(|run| run.ended)
            .map(|run| (run, memory_of(&run.resources)))
            .collect();
        let ended = runs.len() == self.runs.len();
        let mut lost = self.runs.iter().fold(Rules::NONE, |all, run| all.plus(run.lost));
        if !ended || !self.complete && self.runs.iter().any(|run| run.decisions > 0) {
            let conditions = self.runs.iter().map(|run| run.conditions);
            lost = conditions.fold(lost.with(Rule::Condition), Rules::plus);
        }
        let before = memory_of(&self.before).into_iter().enumerate();
        before
            .map(|(resource, own)| {
                let rules = if self.stored.contains(own.key) { lost } else { Rules::NONE };
                let words = own.words.iter().enumerate().map(|(place, before)| {
                    let values = runs.iter().filter_map(|(run, memory)| {
                        let own = memory.get(resource)?;
                        let bits = *own.words.get(place)?;
                        let (space, unit) = own.key;
                        Some((run.order, bits, run.resources.open.word(space, unit, place, bits)))
                    });
                    let wanted = Expectation::of(values).unwrap_or(Expectation::exactly(*before));
                    (*before, wanted.or_any(rules))
                });
                (own.name, words.collect())
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

/// Runs the interpreter in every variant, each time from the same memory, of which the shader may
/// change what is stored to.
pub(crate) fn run_variants(
    stored: Stored,
    before: &Resources,
    mut interpret: impl FnMut(&RunVariant, &mut InterpreterRun) -> Result<(), Error>,
) -> Result<Expected, Error> {
    let mut runs = Vec::new();
    let mut complete = true;
    for order in orders(&stored).iter().copied() {
        let mut start = before.clone();
        let mut round = 1;
        let (own, scripts) = loop {
            let mut scripts = RunVariant::scripts();
            let mut own = Vec::new();
            while let Some(script) = scripts.next() {
                let variant = RunVariant { script, order };
                let resources = start.clone();
                let mut run =
                    InterpreterRun { order, resources, ended: true, ..InterpreterRun::default() };
                interpret(&variant, &mut run)?;
                scripts.found(&variant.script, run.decisions);
                own.push(run);
            }
            let news = own.iter().fold(false, |news, run| {
                let own: &InterpreterRun = run;
                start.open.foresee(&own.resources.open) || news
            });
            if !news || round == MOST_ROUNDS {
                break (own, scripts);
            }
            round += 1;
        };
        runs.extend(own);
        complete &= scripts.is_complete();
    }
    Ok(Expected { before: before.clone(), stored, runs, complete })
}

impl TestPair<'_> {
    /// Runs the interpreter in every variant, each time from the same memory.
    pub(crate) fn run_variants(
        &self,
        before: &Resources,
        interpret: impl FnMut(&RunVariant, &mut InterpreterRun) -> Result<(), Error>,
    ) -> Result<Expected, Error> {
        run_variants(self.stored.clone(), before, interpret)
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
            let fate = expected.fate(lane);
            let Some(wanted) = expected.output(register, component, lane) else { continue };
            let place = Observed::Output { register, component };
            let Some(found) = ExportedValue::of(exports, target, sent, lane) else {
                if fate != Some(Fate::Alive) {
                    continue;
                }
                let place = Observed::Run(format!("nothing was exported for OUT[{register}]"));
                return Err(self.difference(place, (lane, &wanted, 0), None, None));
            };
            if self.misses(&wanted, found.bits) {
                let register = Some(found.register);
                let values = (lane, &wanted, found.bits);
                return Err(self.difference(place, values, Some(found.instruction), register));
            }
        }
        Ok(())
    }

    /// Compares all that a shader can change in memory.
    pub(crate) fn compare_memory(&self, state: &FinalState, expected: &Expected) -> Checked {
        let memory = &state.machine.memory;
        let found = state.lists.read_back(memory, &expected.before, &state.images);
        for (place, wanted, found) in expected.changes(found) {
            if self.misses(&wanted, found) {
                return Err(self.difference(place, (0, &wanted, found), None, None));
            }
        }
        Ok(())
    }
}
