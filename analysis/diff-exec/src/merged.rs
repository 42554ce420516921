//! Two stages that run as one program, on gfx9: a wave has lanes of both, and what the
//! first leaves in the memory of the group is what the second reads. The interpreter goes
//! through them one after the other, and what the second leaves is compared.

use gcn::compiled::Instruction;
use gcn_emu::{LANES, Wave};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::File;
use tgsi_interp::{Register, Resources, Textures};

use crate::difference::{Checked, Verdict};
use crate::error::Error;
use crate::es_ls_outputs::SHARE;
use crate::evaluation::Points;
use crate::geometry::WAVE_ID;
use crate::input_source::{ExplicitInputs, InputSource};
use crate::inputs::Demand;
use crate::interface::{OpenSlots, Slots, unwritten};
use crate::launch::Setup;
use crate::outputs::{Expected, outputs_written};
use crate::random::{Distribution, Random};
use crate::start::Start;
use crate::test_pair::{Compiled, LaneCoupling, TestPair, holds_constants};
use crate::vertex::Vertices;

/// The most patches of a wave.
const MOST_PATCHES: usize = 16;

/// Two shaders and the machine code of the program that they are together. Differences
/// count the instructions of the first, then those of the second.
pub struct Merged<'a> {
    first: TestPair<'a>,
    second: TestPair<'a>,
}

/// The inputs of each of two shaders.
type Sources<'a> = [InputSource<'a>; 2];

/// The inputs of the first shader's lanes.
enum Lanes {
    Vertices(Vertices),
    Points(Points),
}

impl<'a> Merged<'a> {
    /// Joins two shaders and their code.
    ///
    /// # Errors
    /// Why they cannot be compared.
    pub fn new(
        first: &'a Shader,
        second: &'a Shader,
        compiled: &Compiled<'_>,
    ) -> Result<Merged<'a>, Error> {
        let mut first = TestPair::new(first, compiled)?;
        let second = TestPair::new(second, compiled)?;
        first.single_constants = holds_constants(compiled.entry, "first_const_and_shader_buffers");
        if [&first, &second].iter().any(|it| it.coupling != LaneCoupling::None) {
            return Err(Error::CoupledStages);
        }
        Ok(Merged { first, second })
    }

    /// Returns the number of values that were compared so far.
    pub fn compared(&self) -> usize {
        self.second.compared()
    }

    /// Runs both sides on inputs that a seed makes up, and compares. The numbers are
    /// ordinary ones: little is then open of what the first hands over.
    pub fn check(&self, seed: u64) -> Verdict {
        let distribution =
            if seed.is_multiple_of(2) { Distribution::Ordinary } else { Distribution::Whole };
        let source = InputSource::Seed(seed);
        self.check_wave([source; 2], distribution).err().unwrap_or(Verdict::Agree)
    }

    /// Runs both sides on explicit inputs of each shader, and compares. What the second reads
    /// of vertices is what the first hands over, whatever its inputs say: the first four lanes
    /// are the vertices of one primitive or patch.
    pub fn check_explicit(&self, inputs: [&ExplicitInputs; 2]) -> Verdict {
        let sources = inputs.map(InputSource::Explicit);
        self.check_wave(sources, Distribution::Ordinary).err().unwrap_or(Verdict::Agree)
    }

    /// Prepares the machine as [`Merged::check_explicit`] does, and leaves it before its first
    /// instruction.
    ///
    /// # Errors
    /// Why it cannot be launched.
    pub fn start(&self, inputs: [&ExplicitInputs; 2]) -> Result<Start, Error> {
        self.second.held_by(|| self.check_explicit(inputs))
    }

    /// Runs the first shader on explicit inputs: the input registers that the second has of each
    /// vertex then.
    ///
    /// # Errors
    /// Why they cannot be compared.
    pub fn handed_on(&self, inputs: [&ExplicitInputs; 2]) -> Result<Vec<Vec<Register>>, Error> {
        let sources = inputs.map(InputSource::Explicit);
        let (mut random, ordinary) = (Random::new(0), Distribution::Ordinary);
        let memory = self.first_memory(sources[0], &mut random, ordinary)?;
        let lanes = self.first_lanes(sources[0], &mut random, ordinary)?;
        let (vertices, _) = self.handed(&self.interpret_first(sources[0], &memory, &lanes)?);
        let count = match self.second.shader.stage.value {
            Stage::TessellationControl => {
                self.second.patch_layout(sources[1], self.stride(), 1)?.vertices_in
            }
            _ => self.second.vertices_in(),
        };
        let vertices = match count <= self.vertices_run(sources[1]) {
            true => vertices.get(..count).unwrap_or_default(),
            false => return Err(Error::VerticesOfSeveralQuads),
        };
        Ok(self.second.linked_inputs(vertices, &Slots::new()))
    }

    /// The second shader and the code, which is that of both.
    pub fn second(&self) -> &TestPair<'a> {
        &self.second
    }

    /// Puts machine code in place of the compiler's, as [`TestPair::edit`] does.
    pub fn edit(&mut self, instructions: Vec<Instruction>) {
        self.second.edit(instructions);
    }

    /// The memory of the first shader.
    fn first_memory(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Result<Resources, Error> {
        let mut memory = self.first.resources(source, random, distribution);
        if source.explicit().is_some() && self.first.demand.is_constants() {
            // Inputs may give more than the shader declares.
            let Resources { buffers, counters, images, .. } = &mut memory;
            buffers.clear();
            counters.clear();
            images.clear();
        }
        has_only_constants(&memory).then_some(memory).ok_or(Error::MemoryInFirstHalf)
    }

    /// The inputs of the first shader's lanes.
    fn first_lanes(
        &self,
        source: InputSource<'_>,
        random: &mut Random,
        distribution: Distribution,
    ) -> Result<Lanes, Error> {
        if self.first.shader.stage.value != Stage::Vertex {
            return Ok(Lanes::Points(self.first.points(source, random, distribution)));
        }
        let vertices = self.first.vertices(source, random, distribution)?;
        if source.explicit().is_some() && !vertices.run_together() {
            return Err(Error::LaneNumbers);
        }
        Ok(Lanes::Vertices(vertices))
    }

    fn interpret_first(
        &self,
        source: InputSource<'_>,
        memory: &Resources,
        lanes: &Lanes,
    ) -> Result<Expected, Error> {
        match lanes {
            Lanes::Vertices(vertices) => self.first.interpret_vertices(source, memory, vertices),
            Lanes::Points(points) => self.first.interpret_points(source, memory, points),
        }
    }

    fn check_wave(&self, sources: Sources<'_>, distribution: Distribution) -> Checked {
        let [first, second] = sources;
        let mut random = Random::new(first.seed());
        let first_memory = self.first_memory(first, &mut random, distribution)?;
        let before = self.second.resources(second, &mut random, distribution);
        let lanes = self.first_lanes(first, &mut random, distribution)?;
        let (vertices, words) = self.handed(&self.interpret_first(first, &first_memory, &lanes)?);
        let mut setup = self.second.set_up(&before)?;
        setup.share = vec![0; SHARE];
        let mut wave = Wave::new(u64::MAX);
        self.set_first(&mut wave, &mut setup, &first_memory, &lanes)?;
        match self.second.shader.stage.value {
            Stage::TessellationControl => {
                self.check_patches(second, &before, (setup, wave), (&vertices, &words))
            }
            _ => self.check_primitives(second, &before, (setup, wave), (&vertices, &words)),
        }
    }

    /// The vertices that the first shader runs at.
    fn vertices_run(&self, source: InputSource<'_>) -> usize {
        if source.explicit().is_some() { tgsi_interp::LANES } else { LANES }
    }

    /// Words between vertices in the memory of the group.
    fn stride(&self) -> usize {
        self.first.es_output_words() + 1
    }

    fn check_patches(
        &self,
        source: InputSource<'_>,
        before: &Resources,
        (mut setup, mut wave): (Setup<'_>, Wave),
        (vertices, words): (&[Slots], &[OpenSlots]),
    ) -> Checked {
        let second = &self.second;
        let shape = second.patch_layout(source, self.stride(), MOST_PATCHES)?;
        let most = MOST_PATCHES.min(self.vertices_run(source) / shape.vertices_in);
        if most == 0 {
            return Err(Error::VerticesOfSeveralQuads.into());
        }
        let shape = second.patch_layout(source, self.stride(), most)?;
        let patches = vertices.chunks(shape.vertices_in).take(shape.patches);
        let patches: Vec<Vec<Slots>> = patches.map(<[Slots]>::to_vec).collect();
        let number = second.first_primitive(source, 0);
        let words: Vec<Vec<OpenSlots>> =
            words.chunks(shape.vertices_in).map(<[OpenSlots]>::to_vec).collect();
        let (outcomes, expected) = second.interpret_patches(&patches, &words, before, number)?;
        let lanes = [shape.vertices_in, shape.vertices_out].map(|it| (it * shape.patches) as u32);
        second.set_uniform(&mut wave, "wave_info", lanes[0] | lanes[1] << 8);
        second.set_patches(&mut wave, &mut setup, &shape, number)?;
        let state = second.launch(setup, [vec![wave]])?;
        second.compare_patches(&shape, &outcomes, &state)?;
        second.compare_memory(&state, &expected)
    }

    fn check_primitives(
        &self,
        source: InputSource<'_>,
        before: &Resources,
        (mut setup, mut wave): (Setup<'_>, Wave),
        (vertices, words): (&[Slots], &[OpenSlots]),
    ) -> Checked {
        let second = &self.second;
        let each = second.vertices_in();
        let count = match (source.explicit(), self.vertices_run(source) / each) {
            (_, 0) => return Err(Error::VerticesOfSeveralQuads.into()),
            (Some(_), _) => 1,
            (None, count) => count,
        };
        let all = vertices.chunks_exact(each).take(count).map(<[Slots]>::to_vec).collect();
        let words = words.chunks_exact(each).take(count).map(<[OpenSlots]>::to_vec);
        let mut primitives = second.primitives(source, all, self.stride());
        primitives.words = words.collect();
        let (emitted, expected) = second.interpret_primitives(&primitives, before)?;
        let (count, vertices) = (count as u32, (count * each) as u32);
        let info = vertices | count << 8 | WAVE_ID << 16;
        second.set_uniform(&mut wave, "wave_info", info);
        let ring = second.set_primitives(&mut wave, &mut setup, &primitives)?;
        let state = second.launch(setup, [vec![wave]])?;
        second.compare_emitted(&emitted, &state, ring)?;
        second.compare_memory(&state, &expected)
    }

    /// Tells a wave of the lanes of the first shader, and where its constants are.
    fn set_first(
        &self,
        wave: &mut Wave,
        setup: &mut Setup<'_>,
        first_memory: &Resources,
        lanes: &Lanes,
    ) -> Result<(), Error> {
        let first = &self.first;
        let generation = first.generation();
        let lists = setup.layout.resources(
            first_memory,
            &Demand::default(),
            first.single_constants,
            generation,
        )?;
        first.set_uniform(wave, "first_const_and_shader_buffers", lists.buffers);
        first.set_uniform(wave, "first_samplers_and_images", lists.images);
        first.set_parameter(wave, "relative_vertex", &|_, lane| lane as u32);
        match lanes {
            Lanes::Vertices(vertices) => first.set_vertices(wave, &mut setup.layout, vertices),
            Lanes::Points(points) => first.set_points(wave, &mut setup.layout, points),
        }
    }

    /// Returns the slots of the vertex of each lane after the first shader, and the words that
    /// they may hold.
    fn handed(&self, handed: &Expected) -> (Vec<Slots>, Vec<OpenSlots>) {
        let slots = self.first.es_output_words() / 4;
        let mut vertices = vec![vec![[0; 4]; slots]; LANES];
        let mut words: Vec<OpenSlots> =
            (0..LANES).map(|_| (0..slots).map(|_| unwritten()).collect()).collect();
        let places = self.first.vertex_slots(File::Output);
        for (register, component) in outputs_written(self.first.shader) {
            let place = places.iter().find(|(own, _)| *own == register as usize);
            let Some((_, slot)) = place else { continue };
            for (lane, (vertex, words)) in vertices.iter_mut().zip(&mut words).enumerate() {
                let Some(wanted) = handed.output(register, component, lane) else { continue };
                vertex[*slot][component] = wanted.bits;
                words[*slot][component] = wanted.word.bits().is_none().then_some(wanted.word);
            }
        }
        (vertices, words)
    }
}

/// Tells whether memory holds nothing but constants.
fn has_only_constants(resources: &Resources) -> bool {
    let Resources { buffers, counters, images, textures, .. } = resources;
    let textures = match textures {
        Textures::Sampled(sampled) => sampled.textures.iter().all(Option::is_none),
        _ => false,
    };
    textures && buffers.is_empty() && counters.is_empty() && images.is_empty()
}
