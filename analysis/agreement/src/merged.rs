//! Two stages that run as one program, on gfx9: a wave has lanes of both, and what the
//! first leaves in the memory of the group is what the second reads. The interpreter goes
//! through them one after the other, and what the second leaves is compared.

use emulate::{LANES, Wave};
use run::{Resources, Textures};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::File;

use crate::difference::{Judged, Verdict};
use crate::evaluation::Points;
use crate::geometry::WAVE_ID;
use crate::given::Source;
use crate::handover::SHARE;
use crate::launched::Setup;
use crate::linked::{Attribute, Slots};
use crate::outputs::{Expected, outputs_written};
use crate::random::{Flavour, Random};
use crate::subject::{Compiled, Subject, Watchers};
use crate::vertex::Vertices;

/// The most patches of a wave.
const MOST_PATCHES: usize = 16;

/// Two shaders and the machine code of the program that they are together. Differences
/// count the instructions of the first, then those of the second.
pub struct Merged<'a> {
    first: Subject<'a>,
    second: Subject<'a>,
}

/// What the lanes of the first shader are.
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
    ) -> Result<Merged<'a>, String> {
        let mut first = Subject::new(first, compiled)?;
        let second = Subject::new(second, compiled)?;
        let single = "ptrtoint ptr addrspace(6) %first_const_and_shader";
        first.single_constants = compiled.ir.contains(single);
        if [&first, &second].iter().any(|it| it.watchers != Watchers::None) {
            return Err("lanes of two stages that see each other".to_owned());
        }
        if !first.program.is_exact() {
            return Err("a first half with functions that are not exact".to_owned());
        }
        Ok(Merged { first, second })
    }

    /// How many values were compared so far.
    pub fn compared(&self) -> usize {
        self.second.compared()
    }

    /// Runs both sides on inputs that a seed makes up, and compares. The numbers are
    /// ordinary ones: what the first hands over has to be the same to the bit.
    pub fn judge(&self, seed: u64) -> Verdict {
        let flavour = if seed.is_multiple_of(2) { Flavour::Ordinary } else { Flavour::Whole };
        self.judge_wave(Source::Seed(seed), flavour).err().unwrap_or(Verdict::Agree)
    }

    fn judge_wave(&self, source: Source<'_>, flavour: Flavour) -> Judged {
        let Merged { first, second } = self;
        let mut random = Random::new(source.seed());
        let given = first.resources(source, &mut random, flavour);
        if !has_only_constants(&given) {
            return Err("a first half with more in memory than constants".into());
        }
        let before = second.resources(source, &mut random, flavour);
        let lanes = match first.shader.stage.value {
            Stage::Vertex => Lanes::Vertices(first.vertices(source, &mut random, flavour)?),
            _ => Lanes::Points(first.points(source, &mut random, flavour)),
        };
        let handed = match &lanes {
            Lanes::Vertices(vertices) => first.interpret_vertices(source, &given, vertices)?,
            Lanes::Points(points) => first.interpret_points(source, &given, points)?,
        };
        let vertices = self.handed(&handed)?;
        let mut setup = second.set_up(&before)?;
        setup.share = vec![0; SHARE];
        let mut wave = Wave::new(u64::MAX);
        self.give_first(&mut wave, &mut setup, &given, &lanes)?;
        match second.shader.stage.value {
            Stage::TessellationControl => {
                self.judge_patches(source, &before, setup, wave, &vertices)
            }
            _ => self.judge_primitives(source, &before, setup, wave, &vertices),
        }
    }

    /// Words between vertices in the memory of the group.
    fn stride(&self) -> usize {
        self.first.handed_words() + 1
    }

    fn judge_patches(
        &self,
        source: Source<'_>,
        before: &Resources,
        mut setup: Setup<'_>,
        mut wave: Wave,
        vertices: &[Slots],
    ) -> Judged {
        let second = &self.second;
        let shape = second.control_shape(source, self.stride(), MOST_PATCHES)?;
        let most = MOST_PATCHES.min(LANES / shape.vertices_in);
        let shape = second.control_shape(source, self.stride(), most)?;
        let patches = vertices.chunks(shape.vertices_in).take(shape.patches);
        let patches: Vec<Vec<Slots>> = patches.map(<[Slots]>::to_vec).collect();
        let number = second.first_primitive(source, 0);
        let (outcomes, expected) = second.interpret_patches(&patches, before, number)?;
        let lanes = [shape.vertices_in, shape.vertices_out].map(|it| (it * shape.patches) as u32);
        second.give_all(&mut wave, "wave_info", lanes[0] | lanes[1] << 8);
        second.give_patches(&mut wave, &mut setup, &shape, number)?;
        let left = second.launch(setup, [vec![wave]])?;
        second.compare_patches(&shape, &outcomes, &left)?;
        second.compare_memory(&left, &expected)
    }

    fn judge_primitives(
        &self,
        source: Source<'_>,
        before: &Resources,
        mut setup: Setup<'_>,
        mut wave: Wave,
        vertices: &[Slots],
    ) -> Judged {
        let second = &self.second;
        let all = vertices.chunks_exact(second.vertices_in()).map(<[Slots]>::to_vec).collect();
        let primitives = second.primitives(source, all, self.stride());
        let (emitted, expected) = second.interpret_primitives(&primitives, before)?;
        let count = (LANES / second.vertices_in()) as u32;
        let vertices = count * second.vertices_in() as u32;
        let info = vertices | count << 8 | WAVE_ID << 16;
        second.give_all(&mut wave, "wave_info", info);
        let ring = second.give_primitives(&mut wave, &mut setup, &primitives)?;
        let left = second.launch(setup, [vec![wave]])?;
        second.compare_emitted(&emitted, &left, ring)?;
        second.compare_memory(&left, &expected)
    }

    /// Tells a wave of the lanes of the first shader, and where its constants are.
    fn give_first(
        &self,
        wave: &mut Wave,
        setup: &mut Setup<'_>,
        given: &Resources,
        lanes: &Lanes,
    ) -> Result<(), String> {
        let first = &self.first;
        let generation = first.generation();
        let lists = setup.layout.resources(given, &[], 0, first.single_constants, generation)?;
        first.give_all(wave, "first_const_and_shader_buffers", lists.buffers);
        first.give_all(wave, "first_samplers_and_images", lists.images);
        first.give(wave, "relative_vertex", &|_, lane| lane as u32);
        match lanes {
            Lanes::Vertices(vertices) => first.give_vertices(wave, &mut setup.layout, vertices),
            Lanes::Points(points) => first.give_points(wave, &mut setup.layout, points),
        }
    }

    /// The slots of the vertex of each lane, as the first shader leaves them.
    ///
    /// # Errors
    /// The second may read what the first leaves open.
    fn handed(&self, handed: &Expected) -> Result<Vec<Slots>, String> {
        let open = || "a second half that may read what the first leaves open".to_owned();
        let slots = self.first.handed_words() / 4;
        let mut vertices = vec![vec![[0; 4]; slots]; LANES];
        let mut known = vec![[false; 4]; slots];
        let of_vertex = |(register, attribute)| match attribute {
            Attribute::Vertex(slot) => Some((register, slot)),
            Attribute::Patch(_) => None,
        };
        let outputs = self.first.attributes(File::Output).into_iter().filter_map(of_vertex);
        let places: Vec<(usize, usize)> = outputs.collect();
        for (register, component) in outputs_written(self.first.shader) {
            let place = places.iter().find(|(own, _)| *own == register as usize);
            let Some((_, slot)) = place else { continue };
            known[*slot][component] = true;
            for (lane, vertex) in vertices.iter_mut().enumerate() {
                let word = handed.output(register, component, lane).map_err(|_| open())?;
                vertex[*slot][component] = word.bits;
            }
        }
        let mut read = self.second.attributes(File::Input).into_iter().filter_map(of_vertex);
        let all_known = read.all(|(_, slot)| known.get(slot) == Some(&[true; 4]));
        all_known.then_some(vertices).ok_or_else(open)
    }
}

/// Whether there is nothing in memory but constants.
fn has_only_constants(resources: &Resources) -> bool {
    let Resources { buffers, counters, images, textures, .. } = resources;
    let textures = match textures {
        Textures::Sampled(sampled) => sampled.textures.iter().all(Option::is_none),
        _ => false,
    };
    textures && buffers.is_empty() && counters.is_empty() && images.is_empty()
}
