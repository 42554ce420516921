//! The copy shader behind a geometry shader: what lies in the ring is exported, and written
//! to the buffers of stream output.

use emulate::{LANES, Wave};
use lower::internal_buffers::{STREAM_OUTPUT, WRITTEN_RING};
use run::{EMPTY, Register, Resources};

use crate::descriptors::raw;
use crate::difference::{Judged, Place, Verdict};
use crate::geometry::SIDE_BY_SIDE;
use crate::given::Source;
use crate::outputs::{Expected, Quad, Run};
use crate::subject::Subject;

/// The first vertex of the wave in the buffer, and where the buffer's part begins, in words.
const FIRST_VERTEX: usize = 5;
const FIRST_WORD: usize = 3;

/// A component that stream output writes, and its word of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// The output register.
    pub register: u32,
    /// The component.
    pub component: usize,
    /// The word within the vertex.
    pub word: usize,
}

impl Subject<'_> {
    /// Runs the copy shader of a geometry shader on a ring of made-up vertices. `captured`
    /// is what is written to the first buffer of stream output, `stride` the words of a
    /// vertex there.
    pub fn judge_copy(&self, seed: u64, captured: &[Captured], stride: usize) -> Verdict {
        self.copied(seed, captured, stride).err().unwrap_or(Verdict::Agree)
    }

    fn copied(&self, seed: u64, captured: &[Captured], stride: usize) -> Judged {
        let (mut random, flavour) = self.numbers(Source::Seed(seed));
        let [components, ..] = self.stream_components();
        let most = self.program.vertices as usize;
        let ring: Vec<u32> =
            (0..components.len() * most * SIDE_BY_SIDE).map(|_| random.value(flavour)).collect();
        // Vertices that were emitted one after the other lie behind each other.
        let first =
            |lane: usize| lane / SIDE_BY_SIDE % most.max(1) * SIDE_BY_SIDE + lane % SIDE_BY_SIDE;
        let count = components.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let value = |register: u32, component: usize, lane: usize| {
            let place = components.iter().position(|it| *it == (register, component))?;
            ring.get(first(lane) + place * most * SIDE_BY_SIDE).copied()
        };
        let quads = (0..LANES / run::LANES).map(|quad| {
            let register = |register: u32| -> Register {
                let mut all = EMPTY;
                for (component, lanes) in all.iter_mut().enumerate() {
                    for (inside, word) in lanes.iter_mut().enumerate() {
                        let lane = quad * run::LANES + inside;
                        *word = value(register, component, lane).unwrap_or(0);
                    }
                }
                all
            };
            let outputs = (0..count).map(register).collect();
            Some(Quad { outputs, killed: 0, strayed: 0, inexact: 0, ended: true })
        });
        let quads = quads.collect();
        let before: Resources = self.resources(Source::Seed(seed), &mut random, flavour);
        let resources = before.clone();
        let run = Run { quads, resources, astray: false, inexact: 0, ended: true };
        let expected = Expected::new(before.clone(), vec![run], 1);
        let mut setup = self.set_up(&before)?;
        let words = FIRST_WORD + (FIRST_VERTEX + LANES) * stride;
        let buffer = setup.layout.place(&vec![0; words])?;
        let from = setup.layout.place(&ring)?;
        setup.give_internal(WRITTEN_RING, &raw(from, ring.len()))?;
        setup.give_internal(STREAM_OUTPUT, &raw(buffer, words))?;
        let mut wave = Wave::new(u64::MAX);
        self.give_all(&mut wave, "stream_configuration", (LANES as u32) << 16);
        self.give_all(&mut wave, "stream_index", FIRST_VERTEX as u32);
        self.give_all(&mut wave, "stream_offset0", FIRST_WORD as u32);
        self.give(&mut wave, "vertex_id", &|_, lane| first(lane) as u32);
        let left = self.launch(setup, [vec![wave]])?;
        self.compare_exports(&expected, &left)?;
        let written = left.words(buffer);
        for Captured { register, component, word } in captured {
            for lane in 0..LANES {
                let at = FIRST_WORD + (FIRST_VERTEX + lane) * stride + word;
                let wanted = expected.output(*register, *component, lane);
                let resource = "the first buffer of stream output".to_owned();
                let place = Place::Memory { resource, word: at };
                self.judge_word(place, lane, wanted, written.get(at))?;
            }
        }
        Ok(())
    }
}
