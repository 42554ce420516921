//! The reference for whoever executes a shader, whatever it is: all that the language allows it to
//! leave on explicit inputs, by the interpreter alone, with the precision that Vulkan promises.

mod by_vertex;

use std::cell::Cell;

pub use by_vertex::PatchRecords;
use open_bits::{Rules, Word};
use tgsi::Stage;
use tgsi::ast::{Instruction, Shader};
use tgsi::opcodes::{Family, Flag, OpInfo};
use tgsi::words::{File, SemanticName};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::{Grid, QuadInputs, run_quad, run_watched_grid};
use tgsi_interp::{Denormals, LANES, Limits, Program, Promised, Resources, Subgroup, Textures};

use crate::compute::{groups_of, threads_of};
use crate::control::PatchOutputs;
use crate::difference::{Checked, Difference, Observed, Verdict};
use crate::emitted::{Emitted, STREAMS, Stream};
use crate::error::Error;
use crate::expectation::{Expectation, Statistics};
use crate::input_source::ExplicitInputs;
use crate::inputs::Demand;
use crate::layout::memory_of;
use crate::outputs::{Expected, Fate, QuadRun, outputs_written, run_variants};
use crate::stored::Stored;

/// All that a shader may leave on explicit inputs: those of four vertices or points of the
/// tessellator, of two by two pixels, of a primitive, of a patch, or of the groups of a grid.
#[derive(Debug)]
pub struct Reference<'a> {
    shader: &'a Shader,
    inputs: ExplicitInputs,
    expected: Expected,
    left: Left,
    block: [u32; 3],
    statistics: Cell<Statistics>,
}

/// The outputs that stages leave whose outputs are not those of lanes.
#[derive(Debug)]
enum Left {
    /// Outputs of lanes, or nothing but memory.
    Lanes,
    /// The vertices that a primitive's invocation emits.
    Emitted(Emitted),
    /// The outputs of a patch.
    Patch(PatchOutputs),
}

/// The outputs of whoever executed a shader.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutorOutputs {
    /// The output registers of each lane; `None` where it did not come to its end alive.
    pub lanes: [Option<Vec<[u32; 4]>>; LANES],
    /// The vertices that a primitive's invocation emitted: by stream, strip and vertex the output
    /// registers.
    pub streams: [Stream; STREAMS],
    /// The outputs of a patch.
    pub patch: PatchRecords,
    /// Buffers, counters and images afterwards.
    pub resources: Resources,
}

impl<'a> Reference<'a> {
    /// Runs the interpreter on inputs, in every way that the language leaves open. Nothing is known
    /// of the subgroups of whoever executes.
    ///
    /// # Errors
    /// The shader or the inputs are not such that others could execute them too.
    pub fn of(shader: &'a Shader, inputs: &Inputs) -> Result<Reference<'a>, Error> {
        Reference::among(shader, inputs, None)
    }

    /// The same for who executes in waves of 64 lanes: a quad's are the first four, the threads of
    /// a group follow each other.
    ///
    /// # Errors
    /// As [`Reference::of`].
    pub fn in_waves(shader: &'a Shader, inputs: &Inputs) -> Result<Reference<'a>, Error> {
        Reference::among(shader, inputs, Some(Subgroup::Wave))
    }

    fn among(
        shader: &'a Shader,
        inputs: &Inputs,
        subgroup: Option<Subgroup>,
    ) -> Result<Reference<'a>, Error> {
        let stage = shader.stage.value;
        let any = |is: fn(&OpInfo) -> bool| shader.instructions().any(|it| is(it.info()));
        if any(|row| row.family == Family::Framebuffer) {
            return Err(Error::Framebuffer);
        }
        let mut program = Program::prepare(shader)?;
        let sees_subgroup = |(_, name): &(u32, SemanticName)| name.is_of_subgroup();
        let sees_others =
            any(|row| row.has(Flag::Lanes)) || program.system_values.iter().any(sees_subgroup);
        let subgroup = match subgroup {
            None if sees_others => return Err(Error::Subgroup),
            subgroup => subgroup.unwrap_or_default(),
        };
        program.denormals = Denormals::Flushed;
        program.bound_by(Promised::ByVulkan);
        let mut inputs = ExplicitInputs::of(inputs, &program)?;
        if matches!(inputs.resources.textures, Textures::Recorded(_)) {
            return Err(Error::RecordedTextures);
        }
        inputs.resources = Demand::of(shader).complete(inputs.resources);
        if !matches!(stage, Stage::Vertex | Stage::Fragment | Stage::Compute) {
            by_vertex::spread(&mut inputs.vertices);
        }
        let stored = Stored::of(shader);
        let (expected, left) = match stage {
            Stage::Compute => (grid(&program, &inputs, subgroup, stored)?, Left::Lanes),
            Stage::Geometry => by_vertex::primitive(&program, &inputs, subgroup, stored)?,
            Stage::TessellationControl => by_vertex::patch(&program, &inputs, subgroup, stored)?,
            Stage::Vertex | Stage::TessellationEvaluation | Stage::Fragment => {
                (quad(&program, &inputs, subgroup, stored)?, Left::Lanes)
            }
        };
        let block = program.block;
        Ok(Reference { shader, inputs, expected, left, block, statistics: Cell::default() })
    }

    /// The shader.
    pub fn shader(&self) -> &'a Shader {
        self.shader
    }

    /// The threads of a group on each axis.
    pub fn block(&self) -> [u32; 3] {
        self.block
    }

    /// The inputs, with zeros up to the ends that the shader declares.
    pub fn inputs(&self) -> &ExplicitInputs {
        &self.inputs
    }

    /// Statistics of all results that were compared.
    pub fn statistics(&self) -> Statistics {
        self.statistics.get()
    }

    /// Tells whether the outputs of whoever executed the shader are allowed.
    pub fn check(&self, found: &ExecutorOutputs) -> Verdict {
        self.compare(found).err().unwrap_or(Verdict::Agree)
    }

    fn compare(&self, found: &ExecutorOutputs) -> Checked {
        match &self.left {
            Left::Emitted(emitted) => self.compare_emitted(emitted, &found.streams)?,
            Left::Patch(outputs) => self.compare_patch(outputs, &found.patch)?,
            Left::Lanes if self.shader.stage.value == Stage::Compute => {}
            Left::Lanes => {
                for (lane, own) in found.lanes.iter().enumerate() {
                    self.compare_lane(lane, own.as_deref())?;
                }
            }
        }
        for (place, wanted, found) in self.expected.changes(memory_of(&found.resources)) {
            self.compare_word(place, 0, &wanted, found)?;
        }
        Ok(())
    }

    fn compare_lane(&self, lane: usize, found: Option<&[[u32; 4]]>) -> Checked {
        let fate = self.expected.fate(lane);
        let alive = match fate {
            Some(Fate::Alive) => Some(true),
            Some(Fate::Killed) => Some(false),
            Some(Fate::Either) | None => None,
        };
        if let Some(alive) = alive {
            let wanted = Expectation::exactly(alive.into());
            if alive != found.is_some() {
                return Err(self.difference(Observed::Alive, lane, &wanted, !alive as u32));
            }
        }
        let Some(found) = found else { return Ok(()) };
        for (register, component) in outputs_written(self.shader) {
            let wanted = self.expected.output(register, component, lane);
            let own = found.get(register as usize).map(|it| it[component & 3]);
            let (Some(wanted), Some(own)) = (wanted, own) else { continue };
            self.compare_word(Observed::Output { register, component }, lane, &wanted, own)?;
        }
        Ok(())
    }

    fn compare_word(
        &self,
        place: Observed,
        lane: usize,
        wanted: &Expectation,
        found: u32,
    ) -> Checked {
        if !wanted.word.holds(found) {
            return Err(self.difference(place, lane, wanted, found));
        }
        let mut statistics = self.statistics.get();
        statistics.add(&wanted.word);
        self.statistics.set(statistics);
        Ok(())
    }

    /// Counts a result that may be any word.
    fn leave(&self, rules: Rules) {
        let mut statistics = self.statistics.get();
        statistics.add(&Word::any(rules));
        self.statistics.set(statistics);
    }

    fn difference(
        &self,
        place: Observed,
        lane: usize,
        wanted: &Expectation,
        found: u32,
    ) -> Verdict {
        let ordinal = match place {
            Observed::Output { register, component } => self.last_writer(register, component),
            _ => 0,
        };
        Verdict::Differ(Box::new(Difference {
            place,
            lane,
            expected: wanted.bits,
            allowed: wanted.word.clone(),
            found,
            instruction: String::new(),
            register: None,
            ordinal,
        }))
    }

    /// The last instruction of the text that names a component of an output as its target, from
    /// 1; 0 where none does.
    fn last_writer(&self, register: u32, component: usize) -> u32 {
        let names = |it: &&Instruction| {
            it.destinations.iter().any(|it| {
                it.register.file == File::Output
                    && it.register.number() == Some(register)
                    && it.mask.components().any(|it| it as usize == component)
            })
        };
        let last = self.shader.instructions().filter(names).last();
        last.map_or(0, |it| it.ordinal)
    }
}

fn quad(
    program: &Program,
    inputs: &ExplicitInputs,
    subgroup: Subgroup,
    stored: Stored,
) -> Result<Expected, Error> {
    run_variants(stored, &inputs.resources, |variant, run| {
        let quad = QuadInputs {
            inputs: inputs.vertices.clone(),
            system_values: inputs.system_values.clone(),
            mask: 0xf,
            open: Some(variant.script.clone()),
            subgroup,
            ..QuadInputs::default()
        };
        let limits = Limits { steps: 1 << 16, ..Limits::default() };
        let ended = variant.survives(run_quad(program, &mut run.resources, &quad, limits))?;
        run.ended = ended.is_some();
        let own = QuadRun { ended: ended.is_some(), left: ended.unwrap_or_default() };
        own.left.words.iter().for_each(|words| run.note(words));
        run.quads = vec![Some(own)];
        Ok(())
    })
}

fn grid(
    program: &Program,
    inputs: &ExplicitInputs,
    subgroup: Subgroup,
    stored: Stored,
) -> Result<Expected, Error> {
    groups_of(inputs.grid)?;
    threads_of(program.block)?;
    run_variants(stored, &inputs.resources, |variant, run| {
        let limits = Limits { steps: 1 << 20, ..Limits::default() };
        let launch = Grid {
            groups: inputs.grid,
            system_values: &inputs.system_values,
            order: variant.order,
            subgroup,
            open: Some(variant.script.clone()),
            ..Grid::default()
        };
        let left = run_watched_grid(program, &mut run.resources, &launch, limits);
        let left = variant.survives(left)?;
        run.ended = left.is_some();
        left.unwrap_or_default().words.iter().for_each(|words| run.note(words));
        Ok(())
    })
}
