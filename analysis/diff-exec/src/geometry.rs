//! Geometry shaders: primitives from the ring of the stage before, or from the memory of
//! the group; what is emitted in another ring, and the messages that announce it.

use gcn_emu::{LANES, Message, Wave};
use lower::internal_buffers::{READ_RING, WRITTEN_RING};
use open_bits::Rules;
use tgsi::ast::PropertyValue;
use tgsi::words::{File, PropertyName, SemanticName};
use tgsi_interp::Subgroup;
use tgsi_interp::launch::{QuadInputs, run_quad};

use crate::control::lanes_of;
use crate::descriptors::raw;
use crate::difference::{Checked, Observed};
use crate::emitted::{self, Components, Emitted, STREAMS, stream_components};
use crate::error::Error;
use crate::es_ls_outputs::SHARE;
use crate::expectation::Expectation;
use crate::input_source::InputSource;
use crate::interface::{OpenSlots, Slots, group_memory};
use crate::launch::{FinalState, Setup};
use crate::layout::Layout;
use crate::outputs::{Expected, declared, outputs_written};
use crate::test_pair::{LaneCoupling, TestPair};

/// The number of the first primitive.
const FIRST_PRIMITIVE: u32 = 30;
/// The number of the wave, which goes with every message.
pub(crate) const WAVE_ID: u32 = 5;
/// Bytes before the wave's part of the ring that is written.
const RING_OFFSET: u32 = 128;
/// Lanes that lie side by side in the ring that is written.
pub(crate) const SIDE_BY_SIDE: usize = 16;
/// Messages of geometry shaders, and the operations they ask for, as bits.
const GEOMETRY: u16 = 2;
const GEOMETRY_DONE: u16 = 3;
const CUT: u16 = 1;
const EMIT: u16 = 2;

/// The primitives of a wave.
pub(crate) struct Primitives {
    /// The vertices of each.
    all: Vec<Vec<Slots>>,
    /// The words that the vertices of each may hold, where these are more than their bits.
    pub(crate) words: Vec<Vec<OpenSlots>>,
    /// Words between vertices in the memory of the group.
    stride: usize,
    lanes: u64,
    /// The number of the first.
    first: u32,
    invocation: u32,
}

impl TestPair<'_> {
    /// Returns the number of vertices of an input primitive.
    pub(crate) fn vertices_in(&self) -> usize {
        match self.property(PropertyName::GeometryInputPrimitive) {
            Some(PropertyValue::Primitive(primitive)) => primitive.geometry_vertices() as usize,
            _ => 6,
        }
    }

    pub(crate) fn stream_components(&self) -> [Components; STREAMS] {
        stream_components(self.shader)
    }

    pub(crate) fn check_primitives(&self, source: InputSource<'_>) -> Checked {
        let (mut random, distribution) = self.numbers(source);
        let before = self.resources(source, &mut random, distribution);
        let vertices = self.vertices_in();
        let slots = self.slots_read();
        let stride = slots * 4 + 1;
        // On gfx9 all vertices lie in the memory of the group, and a wave's lanes are the first ones.
        let most = match () {
            // A subgroup of the interpreter has one primitive.
            () if source.explicit().is_some() || self.coupling == LaneCoupling::Subgroup => 1,
            () if self.is_merged() && self.coupling != LaneCoupling::None => tgsi_interp::LANES,
            () => LANES,
        };
        let count = (SHARE / 4 / (stride * vertices)).min(most);
        let mut slots_of =
            |vertex| self.vertex_inputs(source, (&mut random, distribution), vertex, slots);
        let all = (0..count).map(|_| (0..vertices).map(&mut slots_of).collect()).collect();
        let primitives = self.primitives(source, all, stride);
        let (emitted, expected) = self.interpret_primitives(&primitives, &before)?;
        let mut setup = self.set_up(&before)?;
        setup.share = match self.is_merged() {
            true => group_memory(&primitives.all, stride, SHARE),
            false => Vec::new(),
        };
        let read = place_ring(&mut setup.layout, &primitives.all, slots)?;
        setup.set_internal_buffer(READ_RING, &raw(read.0, read.1))?;
        let mut wave = Wave::new(primitives.lanes);
        self.set_uniform(&mut wave, "wave_info", (count as u32) << 8 | WAVE_ID << 16);
        let written = self.set_primitives(&mut wave, &mut setup, &primitives)?;
        let state = self.launch(setup, [vec![wave]])?;
        self.compare_emitted(&emitted, &state, written)?;
        self.compare_memory(&state, &expected)
    }

    /// The primitives of a wave, from the vertices of each and the words between those in
    /// memory.
    pub(crate) fn primitives(
        &self,
        source: InputSource<'_>,
        all: Vec<Vec<Slots>>,
        stride: usize,
    ) -> Primitives {
        let count = all.len();
        Primitives {
            stride,
            lanes: match lanes_of(count) & self.lanes(source) {
                0 => lanes_of(count.min(tgsi_interp::LANES)),
                lanes => lanes,
            },
            first: self.first_primitive(source, FIRST_PRIMITIVE),
            invocation: self.explicit_value(source, SemanticName::InvocationId, 0, 0).unwrap_or(0),
            all,
            words: Vec::new(),
        }
    }

    /// Tells a wave of its primitives, and makes room for what it emits: gives where.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn set_primitives(
        &self,
        wave: &mut Wave,
        setup: &mut Setup<'_>,
        primitives: &Primitives,
    ) -> Result<u32, Error> {
        let (vertices, count) = (self.vertices_in(), primitives.all.len());
        let most = self.program.vertices as usize;
        let records = self.stream_components().map(|it| it.len() * 4 * most);
        let bytes = records.iter().sum::<usize>() * LANES + RING_OFFSET as usize;
        let written = setup.layout.place_zeros(bytes / 4)?;
        setup.set_internal_buffer(WRITTEN_RING, &raw(written, bytes / 4))?;
        self.set_uniform(wave, "wave_id", WAVE_ID);
        self.set_uniform(wave, "ring_offset", RING_OFFSET);
        self.set_uniform(wave, "invocation_id", primitives.invocation);
        self.set_parameter(wave, "geometry_primitive_id", &|_, lane| {
            primitives.first.wrapping_add(lane as u32)
        });
        let offset = |lane: usize, vertex: usize| {
            let number = lane * vertices + vertex;
            match self.is_merged() {
                true => number * primitives.stride,
                false => number / LANES * self.slots_read() * 4 * LANES + number % LANES,
            }
        };
        for (vertex, name) in VERTEX_OFFSETS.iter().enumerate().take(vertices) {
            self.set_parameter(wave, name, &|_, lane| offset(lane, vertex) as u32);
        }
        for (pair, name) in ["vertices01", "vertices23", "vertices45"].iter().enumerate() {
            self.set_parameter(wave, name, &|_, lane| {
                // Lanes that do not run have no place.
                let place = |vertex| offset(lane.min(count - 1), vertex) as u32 & 0xffff;
                place(pair * 2) | place(pair * 2 + 1) << 16
            });
        }
        Ok(written)
    }

    /// Runs the interpreter on all primitives, in every variant.
    pub(crate) fn interpret_primitives(
        &self,
        &Primitives { all: ref primitives, ref words, lanes, first, invocation, .. }: &Primitives,
        before: &tgsi_interp::Resources,
    ) -> Result<(Vec<Emitted>, Expected), Error> {
        let mut emitted = vec![Emitted::default(); primitives.len()];
        let expected = self.run_variants(before, |variant, run| {
            if variant.begins() {
                for own in &mut emitted {
                    own.restart(variant.order);
                }
            }
            let order = variant.numbers(primitives.len()).into_iter();
            for number in order.filter(|number| lanes >> number & 1 == 1) {
                let primitive = first.wrapping_add(number as u32);
                let system = |name: SemanticName, _: usize, _: usize| match name {
                    SemanticName::PrimitiveId => primitive,
                    SemanticName::VerticesIn => primitives[number].len() as u32,
                    SemanticName::InvocationId => invocation,
                    _ => 0,
                };
                let mut inputs = self.linked_inputs(&primitives[number], &Slots::new());
                for (register, semantic) in declared(self.shader, File::Input) {
                    if semantic.is_some_and(|it| it.name == SemanticName::PrimitiveId) {
                        inputs[0][register as usize] = [[primitive; tgsi_interp::LANES]; 4];
                    }
                }
                let inputs = QuadInputs {
                    inputs,
                    input_words: words.get(number).map_or(Vec::new(), |it| self.linked_words(it)),
                    system_values: self.system_values(0, &system),
                    mask: 1,
                    open: Some(variant.script.clone()),
                    subgroup: Subgroup::Wave,
                    first_lane: number,
                    ..QuadInputs::default()
                };
                let limits = self.limits(1 << 16);
                let left = run_quad(&self.program, &mut run.resources, &inputs, limits);
                match emitted[number].add(variant.order, variant.survives(left)?) {
                    Some(words) => run.note(words),
                    None => run.ended = false,
                }
            }
            Ok(())
        })?;
        if !expected.complete {
            emitted.iter_mut().for_each(Emitted::leave_conditions_open);
        }
        Ok((emitted, expected))
    }

    /// Compares how many vertices each lane announced and where strips end, then what the
    /// ring has of them.
    pub(crate) fn compare_emitted(
        &self,
        emitted: &[Emitted],
        state: &FinalState,
        ring: u32,
    ) -> Checked {
        let streams = self.stream_components();
        let written = outputs_written(self.shader);
        let run = |what: String, lane: usize| {
            let wanted = Expectation::exactly(0);
            Err(self.difference(Observed::Run(what), (lane, &wanted, 0), None, None))
        };
        let (messages, ring) = (&state.machine.messages, state.words(ring));
        let done = messages.iter().filter(|it| it.id() == GEOMETRY_DONE).count();
        if done != 1 {
            return run(format!("the wave said {done} times that it is done"), 0);
        }
        if messages.iter().any(|message| message.m0 & 0xff != WAVE_ID) {
            return run("a message without the number of its wave".to_owned(), 0);
        }
        let most = self.program.vertices as usize;
        for (lane, emitted) in emitted.iter().enumerate() {
            if emitted.lengths(0).is_none() {
                continue;
            }
            if emitted.lost != Rules::NONE {
                self.leave(emitted.lost);
                continue;
            }
            let mut behind = 0;
            for (stream, components) in streams.iter().enumerate() {
                let record = components.len() * most;
                let start = (RING_OFFSET as usize + behind) / 4;
                behind += record * 4 * LANES;
                if components.is_empty() {
                    continue;
                }
                let found = announced(messages, lane, stream);
                let alike = emitted.alike(stream, &found);
                if alike.is_empty() {
                    let wanted = emitted.lengths(stream).unwrap_or_default();
                    let what = format!("stream {stream}: strips of {found:?}, not {wanted:?}");
                    return run(format!("{what} vertices"), lane);
                }
                self.count();
                for vertex in 0..found.iter().sum() {
                    for (place, (register, component)) in components.iter().enumerate() {
                        if !written.contains(&(*register, *component)) {
                            continue;
                        }
                        let wanted =
                            emitted::component(&alike, (stream, vertex), (*register, *component));
                        let word = vertex + place * most;
                        let group = lane / SIDE_BY_SIDE * SIDE_BY_SIDE;
                        let at = start + group * record + word * SIDE_BY_SIDE + lane % SIDE_BY_SIDE;
                        let place = Observed::Output { register: *register, component: *component };
                        self.check_word(place, lane, wanted, ring.get(at))?;
                    }
                }
            }
        }
        Ok(())
    }
}

const VERTEX_OFFSETS: [&str; 6] =
    ["vertex0", "vertex1", "vertex2", "vertex3", "vertex4", "vertex5"];

/// The lengths of the strips that a lane announced for a stream.
fn announced(messages: &[Message], lane: usize, stream: usize) -> Vec<usize> {
    let mut strips = Vec::new();
    let mut open = 0;
    let own = messages.iter().filter(|message| {
        message.id() == GEOMETRY
            && usize::from(message.stream()) == stream
            && message.lanes >> lane & 1 == 1
    });
    for message in own {
        if message.operation() & EMIT != 0 {
            open += 1;
        }
        if message.operation() & CUT != 0 && open > 0 {
            strips.push(open);
            open = 0;
        }
    }
    if open > 0 {
        strips.push(open);
    }
    strips
}

/// The ring between the stages: of 64 vertices each word side by side. Gives its address
/// and its words.
fn place_ring(
    layout: &mut Layout,
    primitives: &[Vec<Slots>],
    slots: usize,
) -> Result<(u32, usize), Error> {
    let vertices: Vec<&Slots> = primitives.iter().flatten().collect();
    let mut words = Vec::new();
    for wave in vertices.chunks(LANES) {
        for word in 0..slots * 4 {
            let lane = |lane: usize| wave.get(lane).map_or(0, |it| it[word / 4][word % 4]);
            words.extend((0..LANES).map(lane));
        }
    }
    Ok((layout.place(&words)?, words.len()))
}
