//! Machine code that a driver's compiler made: it finds its resources by one descriptor set, and
//! begins with registers as the driver loads them.

use gcn::Target;
use gcn::compiled::Instruction;
use gcn_emu::launch::on_axes;
use gcn_emu::{
    Attribute, Execution, LANES, Limits, Machine, Program, Reason, Stop, TimingFaults, Wave,
};
use sampler::{Dimension, Texture};
use tgsi_interp::{Image, Resources, Textures};

use crate::compute::{SHARE, groups_of, threads_of};
use crate::control::lanes_of;
use crate::descriptors::{elements, image_elements, raw, scratch, vertices};
use crate::difference::{Checked, Difference, Observed, Verdict};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::input_source::ExplicitInputs;
use crate::inputs::Demand;
use crate::launch::{MOST_RECORDS, MOST_STEPS};
use crate::layout::{HIGH, Layout, keep_stored};
use crate::reference::Reference;
use crate::test_pair::{SCRATCH, named, prepared};
use crate::textures::{
    LAST, TextureUnit, image_descriptor, sampler_descriptor, texture_descriptor,
};

/// Lanes of the vertices or pixels that run.
const QUAD: usize = tgsi_interp::LANES;
/// Bits of the upper half of an address that count.
const HIGH_BITS: u32 = 0xffff;

/// A half of an address or of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordHalf {
    /// The lower half.
    Low,
    /// The upper half.
    High,
}

/// The contents of a scalar register before the code begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarStart {
    /// Zero.
    Zero,
    /// The lower half of the address of the descriptor set.
    Set,
    /// The address of the numbers of groups on the axes.
    GridSize(WordHalf),
    /// The number of the group on an axis.
    Group(u8),
    /// The number of the wave in its group, from bit 6 on, with the number of all below.
    Wave,
    /// The first two words of the descriptor of scratch memory.
    Scratch(WordHalf),
    /// The address of a table that begins with those words: the descriptors of memory of the
    /// driver's own.
    ScratchTable(WordHalf),
    /// Of two merged stages the counts of lanes that each runs in, the second's from bit 8 on: as
    /// many. Code may have the first's count hold for both.
    Lanes,
    /// The offset of the wave in scratch memory.
    ScratchOffset,
    /// The lower half of the address of the descriptors of vertex buffers.
    VertexBuffers,
}

/// The contents of a vector register before the code begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorStart {
    /// Zero.
    Zero,
    /// The number of the thread in its group on an axis.
    Thread(u8),
    /// The number of the lane.
    Lane,
    /// The number of the lane from bit 8 on.
    Invocation,
    /// The centre of the lane's pixel on an axis, a float.
    Pixel(u8),
    /// The lane's pixel, integers of 16 bits: x, and y above it.
    PixelPair,
}

/// The lanes that run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// Four vertices or points, or two by two pixels.
    Quad,
    /// The invocation of a primitive.
    Primitive,
    /// So many invocations of a patch.
    Patch(u32),
    /// Groups of threads.
    Grid {
        /// The threads of a group.
        block: [u32; 3],
        /// The groups.
        groups: [u32; 3],
    },
}

/// The way by which a quad's inputs come to the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery<'a> {
    /// By buffers of the descriptor set, or there are none.
    Set,
    /// As attributes that are interpolated: for each component the input register and its
    /// component.
    Attributes(&'a [[Option<(u32, u8)>; 4]]),
    /// From one buffer of vertices, which has a vector for each input register.
    Vertices,
}

/// A resource of the descriptor set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A buffer of words.
    Words(Vec<u32>),
    /// The texture of a unit: an image and, so many bytes behind it, its sampler; or a buffer.
    Texture {
        /// The unit.
        unit: usize,
        /// Bytes to the sampler.
        sampler: u32,
    },
    /// The image of a number.
    Image(usize),
}

/// The contents of a descriptor set's resources afterwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetAfter {
    /// The words of each entry.
    pub words: Vec<Vec<u32>>,
    /// The images.
    pub images: Vec<Option<Image>>,
}

/// Code, and the state in which it begins.
#[derive(Debug, Clone)]
pub struct OutsideCode<'a> {
    /// The chip.
    pub target: Target,
    /// The instructions.
    pub instructions: &'a [Instruction],
    /// The constants that follow the code, which reads them there.
    pub constants: &'a [u32],
    /// The scalar registers, from the first on.
    pub scalars: Vec<ScalarStart>,
    /// The vector registers, from the first on.
    pub vectors: Vec<VectorStart>,
    /// The upper half of the address of the descriptor set.
    pub high: u32,
    /// Bytes of scratch memory of a wave.
    pub scratch: u32,
    /// The lanes.
    pub lanes: Lanes,
    /// The way by which inputs come.
    pub delivery: Delivery<'a>,
}

/// Looks on while code runs.
pub(crate) trait Observer {
    /// Is told before a wave executes an instruction.
    fn before(&mut self, machine: &Machine, wave: usize, instruction: usize);
    /// Is told when it has.
    fn after(&mut self, machine: &Machine, wave: usize, instruction: usize);
}

/// Nobody.
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn before(&mut self, _: &Machine, _: usize, _: usize) {}
    fn after(&mut self, _: &Machine, _: usize, _: usize) {}
}

/// A run of code: what it takes and how long it may last.
pub(crate) struct Watched<'w> {
    pub(crate) code: &'w Program,
    /// The resources of the shader.
    pub(crate) demand: &'w Demand,
    pub(crate) inputs: &'w ExplicitInputs,
    pub(crate) steps: u64,
    pub(crate) timing: TimingFaults,
}

/// The state of a machine and its images after a run, with the reason why it ended too early.
pub(crate) struct Ran {
    machine: Machine,
    images: Vec<Option<Image>>,
    words: Vec<Option<(u32, usize)>>,
    stop: Option<Stop>,
}

/// A descriptor set that is laid out.
struct Laid {
    layout: Layout,
    set: u32,
    grid: u32,
    scratch_table: u32,
    vertex_buffers: u32,
    /// The address of each entry's words, and how many they are.
    words: Vec<Option<(u32, usize)>>,
}

impl OutsideCode<'_> {
    /// Executes the code on the inputs of a reference. `set` has the entries of the descriptor set
    /// with their places in bytes.
    ///
    /// # Errors
    /// The run did not end, which is a difference unless it took too many steps.
    pub fn execute(
        &self,
        reference: &Reference<'_>,
        set: &[(u32, Entry)],
    ) -> Result<SetAfter, Verdict> {
        let demand = Demand::of(reference.shader());
        let (code, lines) = prepared(self.instructions, self.target);
        let watched = Watched {
            code: &code,
            demand: &demand,
            inputs: reference.inputs(),
            steps: MOST_STEPS,
            timing: TimingFaults::Stop,
        };
        let Ran { machine, mut images, words, stop } = self.run(&watched, set, &mut Nobody)?;
        if let Some(stop) = stop {
            return Err(stopped(&stop, &code, &lines));
        }
        let read = |place: &Option<(u32, usize)>| {
            let Some((start, count)) = place else { return Vec::new() };
            let mut words = machine.memory.words(HIGH | u64::from(*start));
            words.truncate(*count);
            words
        };
        let words: Vec<Vec<u32>> = words.iter().map(read).collect();
        for ((_, entry), words) in set.iter().zip(&words).filter(|(_, words)| !words.is_empty()) {
            // An image that is a buffer.
            if let Entry::Image(number) = entry
                && let Some(image) = images.get_mut(*number).and_then(Option::as_mut)
            {
                keep_stored(&mut image.texels, words.as_chunks().0, demand.absent(*number));
            }
        }
        Ok(SetAfter { words, images })
    }

    /// Runs the code on inputs, and has someone look on.
    pub(crate) fn run(
        &self,
        watched: &Watched<'_>,
        set: &[(u32, Entry)],
        observer: &mut dyn Observer,
    ) -> Checked<Ran> {
        let Watched { code, demand, inputs, steps, timing } = *watched;
        let laid = self.lay_out(demand, inputs, set)?;
        let Laid { set: start, grid, scratch_table, vertex_buffers, words, layout } = laid;
        let mut textures = TextureUnit::new(&inputs.resources, demand, self.target.generation())?;
        let share = vec![0; SHARE];
        let mut machine = Machine { memory: layout.memory, share, ..Machine::default() };
        let limits = Limits { steps, records: MOST_RECORDS };
        let (groups, threads) = match self.lanes {
            Lanes::Quad => (1, QUAD as u32),
            Lanes::Primitive => (1, 1),
            Lanes::Patch(invocations) => (1, invocations),
            Lanes::Grid { block, groups } => (groups_of(groups)?, threads_of(block)?),
        };
        let mut stop = None;
        for group in 0..groups {
            let waves = (0..threads).step_by(LANES).enumerate();
            machine.waves = waves
                .map(|(number, first)| {
                    // Merged stages find out by themselves in which lanes they run.
                    let lanes = match self.scalars.contains(&ScalarStart::Lanes) {
                        true => LANES,
                        false => (threads - first) as usize,
                    };
                    let mut wave = Wave::new(lanes_of(lanes));
                    let place = Place { group, first, number: number as u32, threads };
                    let addresses = [start, grid, scratch_table, vertex_buffers];
                    self.set_scalars(&mut wave, &place, addresses);
                    self.set_vectors(&mut wave, &place);
                    wave.attributes = self.attributes(inputs);
                    wave
                })
                .collect();
            let mut execution = Execution::new(code, machine, limits).with_timing(timing);
            while stop.is_none()
                && let Some(wave) = execution.wave()
            {
                let instruction = execution.instruction(wave);
                if let Some(instruction) = instruction {
                    observer.before(execution.machine(), wave, instruction);
                }
                stop = execution.step(&mut textures).err();
                if let (Some(instruction), None) = (instruction, &stop) {
                    observer.after(execution.machine(), wave, instruction);
                }
            }
            machine = execution.into_machine();
            if stop.is_some() {
                break;
            }
        }
        Ok(Ran { machine, images: textures.images, words, stop })
    }

    /// The attributes of a quad's pixels.
    fn attributes(&self, inputs: &ExplicitInputs) -> Vec<Attribute> {
        let Delivery::Attributes(registers) = self.delivery else { return Vec::new() };
        let attribute = |components: &[Option<(u32, u8)>; 4]| {
            let value = |own: Option<(u32, u8)>, lane| match own {
                Some((register, component)) => {
                    f32::from_bits(inputs.input(0, register as usize, component.into(), lane))
                }
                // Nothing that an input has.
                None => f32::NAN,
            };
            let quad = [0, 1, 2, 3].map(|lane| components.map(|own| value(own, lane)));
            Attribute { quad: Some(quad), ..Attribute::default() }
        };
        registers.iter().map(attribute).collect()
    }

    /// The words of a buffer of vertices, and those of a vertex.
    fn vertices(inputs: &ExplicitInputs) -> (Vec<u32>, u32) {
        let count = inputs.vertices.first().map_or(0, Vec::len);
        let word = |vertex, at: usize| inputs.input(0, at / 4, at % 4, vertex);
        let words = (0..QUAD).flat_map(|vertex| (0..4 * count).map(move |at| word(vertex, at)));
        (words.collect(), 4 * count as u32)
    }

    fn lay_out(
        &self,
        demand: &Demand,
        inputs: &ExplicitInputs,
        set: &[(u32, Entry)],
    ) -> Checked<Laid> {
        let generation = self.target.generation();
        let resources = &inputs.resources;
        let buffer_images = demand.buffer_images();
        let mut layout = Layout::new();
        let end = set.iter().map(|(place, _)| place / 4 + DESCRIPTOR_WORDS).max().unwrap_or(1);
        let mut list = vec![0; end as usize];
        let mut put = |place: u32, words: &[u32]| {
            let start = place as usize / 4;
            let own = list.get_mut(start..start + words.len()).ok_or(Error::NoMemory)?;
            own.copy_from_slice(words);
            Ok::<(), Error>(())
        };
        let mut words = Vec::new();
        for (place, entry) in set {
            words.push(None);
            match entry {
                Entry::Words(own) => {
                    let start = layout.place(own)?;
                    put(*place, &raw(start, own.len()))?;
                    *words.last_mut().ok_or(Error::NoMemory)? = Some((start, own.len()));
                }
                Entry::Texture { unit, sampler } => {
                    let mut own = sampler_descriptor(*unit);
                    if generation <= gcn::Generation::Gfx7 {
                        // This driver does not have code keep the mask that images have.
                        own[0] &= LAST;
                    }
                    let Some(texture) = texture_of(resources, *unit) else {
                        put(place + sampler, &own)?;
                        continue;
                    };
                    if texture.shape().dimension == Dimension::Buffer {
                        let count = texture.shape().size[0];
                        let texels = (0..count).map(|at| texture.fetch([at as i32, 0, 0], 0, 0));
                        let texels: Vec<[u32; 4]> = texels.collect();
                        let start = layout.place(texels.as_flattened())?;
                        put(*place, &elements(start, count, generation))?;
                        continue;
                    }
                    let image = texture_descriptor(*unit, texture, generation);
                    put(*place, &image)?;
                    put(place + sampler, &own)?;
                }
                Entry::Image(number) => {
                    let image = resources.images.get(*number).and_then(Option::as_ref);
                    let Some(image) = image else { continue };
                    if buffer_images.get(*number) == Some(&true) {
                        let texels = image.texels.as_flattened();
                        let start = layout.place(texels)?;
                        let absent = demand.absent(*number);
                        put(*place, &image_elements(start, image.size[0], absent, generation))?;
                        *words.last_mut().ok_or(Error::NoMemory)? = Some((start, texels.len()));
                        continue;
                    }
                    let target = demand.images.get(*number).copied().flatten();
                    put(*place, &image_descriptor(*number, image, target, generation))?;
                }
            }
        }
        let start = layout.place(&list)?;
        let high = u64::from(self.high & HIGH_BITS) << 32;
        if high != HIGH {
            let mapped = layout.memory.map_words(high | u64::from(start), &list);
            mapped.map_err(|_| Error::TooMuchMemory)?;
        }
        if self.scalars.contains(&ScalarStart::Lanes) {
            // The first of two merged stages looks for its attributes at an address that is zero.
            let mapped = layout.memory.map_words(high, &[0; NO_ATTRIBUTES]);
            mapped.map_err(|_| Error::TooMuchMemory)?;
        }
        let vertex_buffers = match self.delivery {
            Delivery::Vertices => {
                let (words, each) = Self::vertices(inputs);
                let start = layout.place(&words)?;
                let descriptor = vertices(start, each, QUAD as u32, generation);
                let table = descriptor.repeat(MOST_BUFFERS);
                let place = layout.place(&table)?;
                if high != HIGH {
                    let mapped = layout.memory.map_words(high | u64::from(place), &table);
                    mapped.map_err(|_| Error::TooMuchMemory)?;
                }
                place
            }
            Delivery::Set | Delivery::Attributes(_) => 0,
        };
        if !self.constants.is_empty() {
            // Code has its addresses from its beginning.
            let code = self.instructions.iter().flat_map(|own| own.words.iter().copied());
            let all: Vec<u32> = code.chain(self.constants.iter().copied()).collect();
            layout.memory.map_words(0, &all).map_err(|_| Error::TooMuchMemory)?;
        }
        let groups = match self.lanes {
            Lanes::Quad | Lanes::Primitive | Lanes::Patch(_) => [1; 3],
            Lanes::Grid { groups, .. } => groups,
        };
        let grid = layout.place(&groups)?;
        let mut table = scratch(SCRATCH).to_vec();
        for _ in 0..OWN_DESCRIPTORS {
            table.resize(table.len().next_multiple_of(4), 0);
            table.extend(raw(layout.place_zeros(OWN_WORDS)?, OWN_WORDS));
        }
        let scratch_table = layout.place(&table)?;
        if self.scratch > 0 {
            let waves = match self.lanes {
                Lanes::Quad | Lanes::Primitive | Lanes::Patch(_) => 1,
                Lanes::Grid { block, .. } => threads_of(block)?.div_ceil(LANES as u32),
            };
            layout.map(SCRATCH, self.scratch as usize * waves as usize)?;
        }
        Ok(Laid { layout, set: start, grid, scratch_table, vertex_buffers, words })
    }

    fn set_scalars(&self, wave: &mut Wave, place: &Place, addresses: [u32; 4]) {
        let [set, grid, table, vertex_buffers] = addresses;
        let high = (HIGH >> 32) as u32;
        let [scratch_low, scratch_high] = scratch(SCRATCH);
        for (register, own) in (0..).zip(&self.scalars) {
            let value = match own {
                ScalarStart::Zero => 0,
                ScalarStart::Set => set,
                ScalarStart::VertexBuffers => vertex_buffers,
                ScalarStart::GridSize(WordHalf::Low) => grid,
                ScalarStart::ScratchTable(WordHalf::Low) => table,
                ScalarStart::GridSize(WordHalf::High)
                | ScalarStart::ScratchTable(WordHalf::High) => high,
                ScalarStart::Group(axis) => {
                    let Lanes::Grid { groups, .. } = self.lanes else { continue };
                    on_axes(place.group, groups)[usize::from(*axis)]
                }
                ScalarStart::Lanes => place.threads << 8 | place.threads,
                ScalarStart::Wave => place.number << 6 | place.threads.div_ceil(LANES as u32),
                ScalarStart::Scratch(WordHalf::Low) => scratch_low,
                ScalarStart::Scratch(WordHalf::High) => scratch_high,
                ScalarStart::ScratchOffset => place.number * self.scratch,
            };
            wave.set_scalar(register, value);
        }
    }

    fn set_vectors(&self, wave: &mut Wave, place: &Place) {
        for (register, own) in self.vectors.iter().enumerate() {
            for lane in 0..LANES {
                let number = lane as u32;
                let value = match own {
                    VectorStart::Zero => 0,
                    VectorStart::Lane => number,
                    VectorStart::Invocation => number << 8,
                    VectorStart::Thread(axis) => {
                        let Lanes::Grid { block, .. } = self.lanes else { continue };
                        on_axes(place.first + number, block)[usize::from(*axis)]
                    }
                    VectorStart::Pixel(axis) => {
                        let side = if *axis == 0 { number % 2 } else { number / 2 };
                        (side as f32 + 0.5).to_bits()
                    }
                    VectorStart::PixelPair => ((number / 2) << 16) | (number % 2),
                };
                wave.set_lane(register, lane, value);
            }
        }
    }
}

/// The texture of a unit.
fn texture_of(resources: &Resources, unit: usize) -> Option<&Texture> {
    let Textures::Sampled(sampled) = &resources.textures else { return None };
    sampled.textures.get(unit)?.as_ref()
}

/// Descriptors of the driver's own memory behind that of scratch memory: what stages hand on, and
/// what the tessellator reads.
const OWN_DESCRIPTORS: usize = 7;
/// Buffers of vertices that a program may ask for.
const MOST_BUFFERS: usize = 32;
/// Words of the descriptors of attributes that are not there.
const NO_ATTRIBUTES: usize = 4 * 32;
/// Words of each such memory.
const OWN_WORDS: usize = 1 << 14;

/// Words from the beginning of an entry to its end, at most.
const DESCRIPTOR_WORDS: u32 = 24;

/// The place of a wave.
struct Place {
    /// The number of its group.
    group: u32,
    /// The number of its first thread in the group.
    first: u32,
    /// Its number in the group.
    number: u32,
    /// The threads of the group.
    threads: u32,
}

/// The verdict of a run that stopped.
fn stopped(stop: &Stop, code: &Program, lines: &[(String, u32)]) -> Verdict {
    let Stop { instruction, reason, .. } = stop;
    if matches!(reason, Reason::Steps) {
        return Error::TooManySteps.into();
    }
    let own = code.instructions.get(*instruction).zip(lines.get(*instruction));
    let nothing = Expectation::exactly(0);
    Verdict::Differ(Box::new(Difference {
        place: Observed::Run(reason.to_string()),
        lane: 0,
        expected: nothing.bits,
        allowed: nothing.word,
        found: 0,
        instruction: own.map_or(String::new(), |(own, (text, _))| named(own, text)),
        register: None,
        ordinal: 0,
    }))
}
