//! Two stages that run as one program, on gfx9: a wave has lanes of both, and what the
//! first leaves in the memory of the group is what the second reads. The interpreter goes
//! through them one after the other, and what the second leaves is compared.

use gcn_emu::{LANES, Wave};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::File;
use tgsi_interp::{Resources, Textures};

use crate::difference::{Checked, Verdict};
use crate::error::Error;
use crate::es_ls_outputs::SHARE;
use crate::evaluation::Points;
use crate::geometry::WAVE_ID;
use crate::input_source::InputSource;
use crate::interface::{OpenSlots, Slots, unwritten};
use crate::launch::Setup;
use crate::outputs::{Expected, outputs_written};
use crate::random::{Distribution, Random};
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
        self.check_wave(InputSource::Seed(seed), distribution).err().unwrap_or(Verdict::Agree)
    }

    fn check_wave(&self, source: InputSource<'_>, distribution: Distribution) -> Checked {
        let Merged { first, second } = self;
        let mut random = Random::new(source.seed());
        let first_memory = first.resources(source, &mut random, distribution);
        if !has_only_constants(&first_memory) {
            return Err(Error::MemoryInFirstHalf.into());
        }
        let before = second.resources(source, &mut random, distribution);
        let lanes = match first.shader.stage.value {
            Stage::Vertex => Lanes::Vertices(first.vertices(source, &mut random, distribution)?),
            _ => Lanes::Points(first.points(source, &mut random, distribution)),
        };
        let handed = match &lanes {
            Lanes::Vertices(vertices) => {
                first.interpret_vertices(source, &first_memory, vertices)?
            }
            Lanes::Points(points) => first.interpret_points(source, &first_memory, points)?,
        };
        let (vertices, words) = self.handed(&handed);
        let mut setup = second.set_up(&before)?;
        setup.share = vec![0; SHARE];
        let mut wave = Wave::new(u64::MAX);
        self.set_first(&mut wave, &mut setup, &first_memory, &lanes)?;
        match second.shader.stage.value {
            Stage::TessellationControl => {
                self.check_patches(source, &before, (setup, wave), (&vertices, &words))
            }
            _ => self.check_primitives(source, &before, (setup, wave), (&vertices, &words)),
        }
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
        let most = MOST_PATCHES.min(LANES / shape.vertices_in);
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
        let all = vertices.chunks_exact(second.vertices_in()).map(<[Slots]>::to_vec).collect();
        let words = words.chunks_exact(second.vertices_in()).map(<[OpenSlots]>::to_vec);
        let mut primitives = second.primitives(source, all, self.stride());
        primitives.words = words.collect();
        let (emitted, expected) = second.interpret_primitives(&primitives, before)?;
        let count = (LANES / second.vertices_in()) as u32;
        let vertices = count * second.vertices_in() as u32;
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
        let lists =
            setup.layout.resources(first_memory, &[], 0, first.single_constants, generation)?;
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
