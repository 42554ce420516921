//! The copy shader behind a geometry shader: what lies in the ring is exported, and written
//! to the buffers of stream output.

use emulate::{LANES, Wave};
use lower::internal_buffers::WRITTEN_RING;
use run::{EMPTY, Register, Resources};

use crate::descriptors::raw;
use crate::difference::{Judged, Verdict};
use crate::geometry::SIDE_BY_SIDE;
use crate::given::Source;
use crate::outputs::{Expected, Quad, Run};
use crate::subject::Subject;

impl Subject<'_> {
    /// Runs the copy shader of a geometry shader on a ring of made-up vertices.
    pub fn judge_copy(&self, seed: u64) -> Verdict {
        self.copied(seed).err().unwrap_or(Verdict::Agree)
    }

    fn copied(&self, seed: u64) -> Judged {
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
        let from = setup.layout.place(&ring)?;
        setup.give_internal(WRITTEN_RING, &raw(from, ring.len()))?;
        let mut waves = vec![Wave::new(u64::MAX)];
        let buffers = self.give_captured(&mut waves, &mut setup)?;
        for wave in &mut waves {
            self.give(wave, "vertex_id", &|_, lane| first(lane) as u32);
        }
        let left = self.launch(setup, [waves])?;
        self.compare_exports(&expected, &left)?;
        self.compare_captured(&expected, &left, &buffers)
    }
}
