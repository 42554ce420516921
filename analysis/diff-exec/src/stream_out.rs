//! Stream output: the buffers that the last stage before the rasterizer writes beside what
//! it exports.

use gcn_emu::{LANES, Wave};
use lower::StreamOutput;
use lower::internal_buffers::STREAM_OUTPUT;

use crate::descriptors::raw;
use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::launch::{FinalState, Setup};
use crate::outputs::Expected;
use crate::test_pair::TestPair;

/// The number of the wave's first vertex in the buffers.
const FIRST_VERTEX: usize = 5;
/// Lanes that may write: not all, so that writes of others would be seen.
const WRITING: usize = LANES - 3;
/// The contents of the buffers before the run.
const BEFORE: u32 = 0x5eed_5eed;

/// Returns the first word of the wave's part of a buffer.
fn first_word(buffer: usize) -> usize {
    3 + 2 * buffer
}

impl TestPair<'_> {
    /// The same shader, whose code was compiled to write what stream output captures.
    #[must_use]
    pub fn with_stream_output(mut self, stream_output: StreamOutput) -> Self {
        self.stream_output = stream_output;
        self
    }

    /// Tells waves where they write. Gives the addresses of the buffers.
    pub(crate) fn set_stream_out(
        &self,
        waves: &mut [Wave],
        setup: &mut Setup<'_>,
    ) -> Result<Vec<u32>, Error> {
        let mut buffers = Vec::new();
        for (buffer, stride) in self.stream_output.strides().into_iter().enumerate() {
            let words = first_word(buffer) + (FIRST_VERTEX + LANES) * usize::from(stride);
            let start = setup.layout.place(&vec![BEFORE; words])?;
            setup.set_internal_buffer(STREAM_OUTPUT + buffer as u32, &raw(start, words))?;
            buffers.push(start);
        }
        for wave in waves {
            self.set_uniform(wave, "stream_configuration", (WRITING as u32) << 16);
            self.set_uniform(wave, "stream_index", FIRST_VERTEX as u32);
            for buffer in 0..buffers.len() {
                let name = format!("stream_offset{buffer}");
                self.set_uniform(wave, &name, first_word(buffer) as u32);
            }
        }
        Ok(buffers)
    }

    /// Compares every word of the buffers.
    pub(crate) fn compare_stream_out(
        &self,
        expected: &Expected,
        state: &FinalState,
        buffers: &[u32],
    ) -> Checked {
        let strides = self.stream_output.strides().map(usize::from);
        for (buffer, (start, stride)) in buffers.iter().zip(strides).enumerate() {
            let found = state.words(*start);
            let words = first_word(buffer) + (FIRST_VERTEX + LANES) * stride;
            // The lane of each word that is written, and what it should be.
            let mut wanted: Vec<Option<(usize, Option<Expectation>)>> = vec![None; words];
            for own in self.stream_output.components().filter(|own| own.buffer == buffer) {
                for lane in 0..WRITING {
                    let at = first_word(buffer) + (FIRST_VERTEX + lane) * stride + own.word;
                    let value = expected.output(own.register, own.component, lane);
                    wanted[at] = Some((lane, value));
                }
            }
            for (word, wanted) in wanted.into_iter().enumerate() {
                let resource = format!("stream output {buffer}");
                let place = Observed::Memory { resource, word };
                match wanted {
                    Some((lane, wanted)) => {
                        self.check_word(place, lane, wanted, found.get(word))?;
                    }
                    // Nobody may write it: compared, and not counted.
                    None if found.get(word) == Some(&BEFORE) => {}
                    None => {
                        let wanted = Expectation::exactly(BEFORE);
                        let values = (0, &wanted, found.get(word).copied().unwrap_or(0));
                        return Err(self.difference(place, values, None, None));
                    }
                }
            }
        }
        Ok(())
    }
}
