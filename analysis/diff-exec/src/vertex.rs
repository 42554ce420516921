//! Vertex shaders before the rasterizer: attributes from buffers, positions and
//! parameters as exports.

use gcn_emu::{LANES, Wave};
use tgsi::ast::Semantic;
use tgsi::words::{File, SemanticName};
use tgsi_interp::launch::{QuadInputs, run_quad};
use tgsi_interp::{Register, Resources, Subgroup};

use crate::descriptors::{elements, single};
use crate::difference::Checked;
use crate::error::Error;
use crate::es_ls_outputs::Next;
use crate::input_source::InputSource;
use crate::launch::{FinalState, Setup};
use crate::layout::Layout;
use crate::outputs::{Expected, QuadRun, declared};
use crate::random::{Distribution, Random};
use crate::test_pair::{LaneCoupling, TestPair, quad_register};

/// The parameters of the draw call.
const BASE_VERTEX: u32 = 3;
const START_INSTANCE: u32 = 5;
const DRAW_ID: u32 = 7;
/// The state bit of a draw with an index buffer.
pub(crate) const INDEXED: u32 = 2;
/// Export targets.
const FIRST_POSITION: u8 = 12;
const FIRST_PARAMETER: u8 = 32;

/// The vertices of a wave.
pub(crate) struct Vertices {
    /// By register, then lane.
    attributes: Vec<[[u32; 4]; LANES]>,
    draws: Vec<Draw>,
}

impl Vertices {
    /// Tells whether the first quad's vertices can be lanes of one wave: they are of one draw, and
    /// the attributes of each are found by its number.
    pub(crate) fn run_together(&self) -> bool {
        let Some(first) = self.draws.first() else { return true };
        self.draws.iter().take(tgsi_interp::LANES).enumerate().all(|(lane, draw)| {
            let is_same_draw =
                (draw.base, draw.start, draw.number) == (first.base, first.start, first.number);
            is_same_draw && (self.attributes.is_empty() || draw.vertex == lane as u32)
        })
    }
}

impl TestPair<'_> {
    pub(crate) fn check_vertices(&self, source: InputSource<'_>) -> Checked {
        let (mut random, distribution) = self.numbers(source);
        let before = self.resources(source, &mut random, distribution);
        let vertices = self.vertices(source, &mut random, distribution)?;
        let expected = self.interpret_vertices(source, &before, &vertices)?;
        let mut setup = self.set_up(&before)?;
        let mut waves = Vec::new();
        for lanes in self.vertex_waves(source)? {
            let mut wave = Wave::new(lanes);
            self.set_vertices(&mut wave, &mut setup.layout, &vertices)?;
            waves.push(wave);
        }
        self.check_waves(waves, setup, &expected)
    }

    /// The vertices of a wave.
    ///
    /// # Errors
    /// Explicit inputs contradict each other.
    pub(crate) fn vertices(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Result<Vertices, Error> {
        let inputs = declared(self.shader, File::Input);
        let count = inputs.iter().map(|(register, _)| *register as usize + 1).max().unwrap_or(0);
        let indices = self.index_inputs(source);
        let attributes = (0..count)
            .map(|register| {
                let mut word = |component, lane| match source {
                    InputSource::Seed(_) => {
                        let word = random.value(distribution);
                        let numbers = indices.and_then(|it| it.input(register, component));
                        numbers.map_or(word, |it| it.fit(word, random))
                    }
                    InputSource::Explicit(inputs) => inputs.input(0, register, component, lane),
                };
                std::array::from_fn(|lane| std::array::from_fn(|component| word(component, lane)))
            })
            .collect();
        let draws = (0..LANES).map(|lane| self.draw(source, lane));
        Ok(Vertices { attributes, draws: draws.collect::<Result<Vec<Draw>, Error>>()? })
    }

    /// Interprets the shader at vertices.
    pub(crate) fn interpret_vertices(
        &self,
        source: InputSource<'_>,
        before: &Resources,
        Vertices { attributes, draws }: &Vertices,
    ) -> Result<Expected, Error> {
        self.interpret(source, before, &|quad, pair| QuadInputs {
            inputs: vec![
                attributes
                    .iter()
                    .map(|lanes| quad_register(quad, &|component, lane| lanes[lane][component]))
                    .collect(),
            ],
            system_values: pair.system_values(quad, &|name, _, lane| draws[lane].value(name, lane)),
            mask: 0xf,
            ..QuadInputs::default()
        })
    }

    /// Tells a wave of its vertices.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn set_vertices(
        &self,
        wave: &mut Wave,
        layout: &mut Layout,
        Vertices { attributes, draws }: &Vertices,
    ) -> Result<(), Error> {
        let lanes = wave.exec();
        let first = lanes.trailing_zeros() as usize;
        let base = draws[first].base;
        let mut list = Vec::new();
        for values in attributes {
            list.extend(if lanes.count_ones() == 1 {
                // Whatever the vertex's number is.
                single(layout.place(&values[first])?)
            } else {
                let mut words = vec![0; base as usize * 4];
                words.extend(values.as_flattened());
                elements(layout.place(&words)?, base + LANES as u32, self.generation())
            });
        }
        let list = layout.place(&list)?;
        self.set_uniform(wave, "state_bits", INDEXED);
        self.set_uniform(wave, "base_vertex", draws[first].base);
        self.set_uniform(wave, "start_instance", draws[first].start);
        self.set_uniform(wave, "draw_id", draws[first].number);
        self.set_uniform(wave, "vertex_buffers", list);
        self.set_parameter(wave, "vertex_id", &|_, lane| draws[lane].vertex);
        self.set_parameter(wave, "instance_id", &|_, lane| draws[lane].instance);
        self.set_parameter(wave, "primitive_id", &|_, lane| draws[lane].primitive);
        Ok(())
    }

    /// Returns the lanes of each wave. Vertices with more explicit inputs than attributes run
    /// one by one: they need not have different numbers, nor be all of one draw.
    ///
    /// # Errors
    /// They have to run together.
    fn vertex_waves(&self, source: InputSource<'_>) -> Result<Vec<u64>, Error> {
        if source.explicit().is_none() || !self.has_numbers() {
            return Ok(vec![self.lanes(source)]);
        }
        if self.coupling == LaneCoupling::Subgroup || self.is_merged() {
            return Err(Error::LaneNumbers);
        }
        Ok((0..tgsi_interp::LANES).map(|lane| 1 << lane).collect())
    }

    /// Tells whether a vertex shader asks for numbers of its vertex.
    fn has_numbers(&self) -> bool {
        let subgroup = [SemanticName::SubgroupSize, SemanticName::SubgroupInvocation];
        self.program.system_values.iter().any(|(_, name)| !subgroup.contains(name))
    }

    /// Returns the parameters of the draw call and the hardware's numbers for the vertex of
    /// a lane.
    ///
    /// # Errors
    /// Explicit inputs contradict each other.
    fn draw(&self, source: InputSource<'_>, lane: usize) -> Result<Draw, Error> {
        if source.explicit().is_none() {
            return Ok(Draw {
                vertex: lane as u32,
                base: BASE_VERTEX,
                instance: lane as u32 / 8,
                start: START_INSTANCE,
                number: DRAW_ID,
                primitive: lane as u32 / 3,
            });
        }
        let explicit = |name| self.explicit_value(source, name, 0, lane);
        if !self.has_numbers() {
            return Ok(Draw { vertex: lane as u32, ..Draw::default() });
        }
        let base = explicit(SemanticName::BaseVertex).unwrap_or(0);
        let from_base = explicit(SemanticName::VertexId).map(|it| it.wrapping_sub(base));
        let vertex = explicit(SemanticName::VertexIdNoBase);
        if vertex.is_some() && from_base.is_some() && vertex != from_base {
            return Err(Error::VertexNumbers);
        }
        Ok(Draw {
            vertex: vertex.or(from_base).unwrap_or(0),
            base,
            instance: explicit(SemanticName::InstanceId).unwrap_or(0),
            start: explicit(SemanticName::BaseInstance).unwrap_or(0),
            number: explicit(SemanticName::DrawId).unwrap_or(0),
            primitive: explicit(SemanticName::PrimitiveId).unwrap_or(0),
        })
    }

    /// Runs waves of vertices, and compares their outputs to the next stage or the rasterizer,
    /// and memory.
    pub(crate) fn check_waves(
        &self,
        mut waves: Vec<Wave>,
        mut setup: Setup<'_>,
        expected: &Expected,
    ) -> Checked {
        let next = self.set_next(&mut waves, &mut setup)?;
        let buffers = self.set_stream_out(&mut waves, &mut setup)?;
        let state = self.launch(setup, [waves])?;
        match next {
            Next::Rasterizer => self.compare_exports(expected, &state)?,
            _ => self.compare_es_outputs(expected, &state, next)?,
        }
        self.compare_stream_out(expected, &state, &buffers)?;
        self.compare_memory(&state, expected)
    }

    /// Compares what goes to the rasterizer: position, point size and parameters.
    pub(crate) fn compare_exports(&self, expected: &Expected, state: &FinalState) -> Checked {
        let mut places = Vec::new();
        let mut parameter = FIRST_PARAMETER;
        for (register, semantic) in declared(self.shader, File::Output) {
            let Some(Semantic { name, index }) = semantic else { continue };
            let mut exports = |target: u8, components: usize| {
                places.extend((0..components).map(|it| (register, it, (target, it))));
            };
            match name {
                SemanticName::Position if index == 0 => exports(FIRST_POSITION, 4),
                SemanticName::PointSize => exports(FIRST_POSITION + 1, 1),
                _ => {}
            }
            if lower::is_parameter(name) {
                exports(parameter, 4);
                parameter += 1;
            }
        }
        self.compare_outputs(expected, state, &places)
    }

    /// The system values of a quad, by register.
    pub(crate) fn system_values(
        &self,
        quad: usize,
        value: &dyn Fn(SemanticName, usize, usize) -> u32,
    ) -> Vec<Register> {
        let count = self.program.system_values.iter().map(|(register, _)| *register + 1).max();
        let mut all = vec![tgsi_interp::EMPTY; count.unwrap_or(0).min(80) as usize];
        for (register, name) in &self.program.system_values {
            if let Some(own) = all.get_mut(*register as usize) {
                *own = quad_register(quad, &|component, lane| value(*name, component, lane));
            }
        }
        all
    }

    /// Runs the interpreter on all sixteen quads, in every variant.
    pub(crate) fn interpret(
        &self,
        source: InputSource<'_>,
        resources: &Resources,
        inputs: &dyn Fn(usize, &Self) -> QuadInputs,
    ) -> Result<Expected, Error> {
        let lanes = self.lanes(source);
        self.run_variants(resources, |variant, run| {
            run.quads = vec![None; LANES / tgsi_interp::LANES];
            for quad in variant.numbers(run.quads.len()) {
                if lanes >> (4 * quad) & 1 == 0 {
                    continue;
                }
                let open = Some(variant.script.clone());
                let (subgroup, first_lane) = (Subgroup::Wave, quad * tgsi_interp::LANES);
                let inputs = QuadInputs { open, subgroup, first_lane, ..inputs(quad, self) };
                let limits = self.limits(1 << 16);
                let left = run_quad(&self.program, &mut run.resources, &inputs, limits);
                let ended = variant.survives(left)?;
                run.ended &= ended.is_some();
                let own = QuadRun { ended: ended.is_some(), left: ended.unwrap_or_default() };
                own.left.words.iter().for_each(|words| run.note(words));
                run.quads[quad] = Some(own);
            }
            Ok(())
        })
    }
}

/// The parameters of the draw call and the hardware's numbers for a vertex.
#[derive(Debug, Clone, Copy, Default)]
struct Draw {
    /// Its number, without that of the draw's first.
    vertex: u32,
    base: u32,
    instance: u32,
    start: u32,
    /// The number of the draw.
    number: u32,
    primitive: u32,
}

impl Draw {
    /// Returns a system value in a lane.
    fn value(&self, name: SemanticName, lane: usize) -> u32 {
        match name {
            SemanticName::VertexId => self.vertex.wrapping_add(self.base),
            SemanticName::VertexIdNoBase => self.vertex,
            SemanticName::InstanceId => self.instance,
            SemanticName::BaseInstance => self.start,
            SemanticName::BaseVertex => self.base,
            SemanticName::DrawId => self.number,
            SemanticName::PrimitiveId => self.primitive,
            SemanticName::SubgroupSize => 64,
            SemanticName::SubgroupInvocation => lane as u32,
            _ => 0,
        }
    }
}
