//! The copy shader behind a geometry shader: what lies in the ring is exported, and written
//! to the buffers of stream output.

use gcn_emu::{LANES, Wave};
use lower::internal_buffers::WRITTEN_RING;
use tgsi_interp::Resources;
use tgsi_interp::launch::QuadOutputs;

use crate::descriptors::raw;
use crate::difference::{Checked, Verdict};
use crate::geometry::SIDE_BY_SIDE;
use crate::input_source::InputSource;
use crate::outputs::{Expected, InterpreterRun, QuadRun};
use crate::stored::Stored;
use crate::test_pair::{TestPair, quad_register};

impl TestPair<'_> {
    /// Runs the copy shader of a geometry shader on a ring of random vertices.
    pub fn check_copy(&self, seed: u64) -> Verdict {
        self.copied(seed).err().unwrap_or(Verdict::Agree)
    }

    fn copied(&self, seed: u64) -> Checked {
        let (mut random, distribution) = self.numbers(InputSource::Seed(seed));
        let [components, ..] = self.stream_components();
        let most = self.program.vertices as usize;
        let ring: Vec<u32> = (0..components.len() * most * SIDE_BY_SIDE)
            .map(|_| random.value(distribution))
            .collect();
        // Vertices that were emitted one after the other lie behind each other.
        let first =
            |lane: usize| lane / SIDE_BY_SIDE % most.max(1) * SIDE_BY_SIDE + lane % SIDE_BY_SIDE;
        let count = components.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let value = |register: u32, component: usize, lane: usize| {
            let place = components.iter().position(|it| *it == (register, component))?;
            ring.get(first(lane) + place * most * SIDE_BY_SIDE).copied()
        };
        let quads = (0..LANES / tgsi_interp::LANES).map(|quad| {
            let register = |register: u32| {
                let word = |component, lane| value(register, component, lane).unwrap_or(0);
                quad_register(quad, &word)
            };
            let outputs = (0..count).map(register).collect();
            Some(QuadRun { left: QuadOutputs { outputs, ..QuadOutputs::default() }, ended: true })
        });
        let quads = quads.collect();
        let before: Resources = self.resources(InputSource::Seed(seed), &mut random, distribution);
        let resources = before.clone();
        let run = InterpreterRun { quads, resources, ended: true, ..InterpreterRun::default() };
        let expected = Expected {
            before: before.clone(),
            stored: Stored::default(),
            runs: vec![run],
            complete: true,
        };
        let mut setup = self.set_up(&before)?;
        let from = setup.layout.place(&ring)?;
        setup.set_internal_buffer(WRITTEN_RING, &raw(from, ring.len()))?;
        let mut waves = vec![Wave::new(u64::MAX)];
        let buffers = self.set_stream_out(&mut waves, &mut setup)?;
        for wave in &mut waves {
            self.set_parameter(wave, "vertex_id", &|_, lane| first(lane) as u32);
        }
        let state = self.launch(setup, [waves])?;
        self.compare_exports(&expected, &state)?;
        self.compare_stream_out(&expected, &state, &buffers)
    }
}
