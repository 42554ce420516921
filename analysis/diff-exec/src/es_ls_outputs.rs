//! The outputs of vertex and evaluation shaders before tessellation control (LS) or
//! geometry (ES): in the memory of the group, or, of ES before gfx9, in the ES-GS ring,
//! which interleaves lanes.

use gcn_emu::{LANES, Wave};
use lower::internal_buffers::EXPORT_RING;
use tgsi::words::{File, SemanticName};

use crate::descriptors::raw;
use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::interface::slot_count;
use crate::launch::{FinalState, Setup};
use crate::outputs::{Expected, declared, outputs_written};
use crate::test_pair::TestPair;

/// Bytes before the wave's part of the ring.
const RING_OFFSET: u32 = 128;
/// In the second word of its descriptor: lanes are interleaved.
const SWIZZLED: u32 = 1 << 31;
/// The fourth: elements of 4 bytes, 64 lanes side by side, the lane added to the index.
const INTERLEAVED: u32 = 0x00ea_7fac;
/// Bytes of the memory of a group.
pub(crate) const SHARE: usize = 64 << 10;

/// The destination of the outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Rasterizer,
    /// To the memory of the group, `stride` words to a vertex.
    Group {
        stride: usize,
    },
    /// To a ring at this address.
    Ring {
        start: u32,
    },
}

impl TestPair<'_> {
    /// Words of all slots of a vertex.
    pub(crate) fn es_output_words(&self) -> usize {
        slot_count(&self.vertex_slots(File::Output)) * 4
    }

    /// Tells waves where their outputs go.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn set_next(
        &self,
        waves: &mut [Wave],
        setup: &mut Setup<'_>,
    ) -> Result<Next, Error> {
        let words = self.es_output_words();
        match self.convention {
            "amdgpu_vs" => Ok(Next::Rasterizer),
            "amdgpu_es" => {
                let length = RING_OFFSET as usize / 4 + words * LANES;
                let start = setup.layout.place(&vec![0; length])?;
                let mut ring = raw(start, length);
                ring[1] |= SWIZZLED;
                ring[3] = INTERLEAVED;
                setup.set_internal_buffer(EXPORT_RING, &ring)?;
                for wave in waves {
                    self.set_uniform(wave, "export_offset", RING_OFFSET);
                }
                Ok(Next::Ring { start })
            }
            _ => {
                for wave in waves {
                    self.set_parameter(wave, "relative_vertex", &|_, lane| lane as u32);
                    if self.is_merged() {
                        let lanes = 64 - wave.exec().leading_zeros();
                        self.set_uniform(wave, "wave_info", lanes | lanes << 8);
                    }
                }
                setup.share = vec![0; SHARE];
                Ok(Next::Group { stride: words + 1 })
            }
        }
    }

    /// Compares the outputs in the memory of the group, or in the ring.
    pub(crate) fn compare_es_outputs(
        &self,
        expected: &Expected,
        state: &FinalState,
        next: Next,
    ) -> Checked {
        let written = outputs_written(self.shader);
        // Only the last stage before the rasterizer exports these two.
        let skipped: Vec<usize> = declared(self.shader, File::Output)
            .into_iter()
            .filter(|(_, semantic)| {
                let name = semantic.map(|it| it.name);
                matches!(name, Some(SemanticName::Layer | SemanticName::ViewportIndex))
            })
            .map(|(register, _)| register as usize)
            .collect();
        let words = match next {
            Next::Ring { start } => state.words(start),
            _ => {
                let bytes = state.machine.share.as_chunks::<4>().0.iter();
                bytes.map(|word| u32::from_le_bytes(*word)).collect()
            }
        };
        for (register, slot) in self.vertex_slots(File::Output) {
            if skipped.contains(&register) {
                continue;
            }
            for component in 0..4 {
                if !written.contains(&(register as u32, component)) {
                    continue;
                }
                for lane in 0..LANES {
                    let word = slot * 4 + component;
                    let at = match next {
                        Next::Group { stride } => lane * stride + word,
                        _ => RING_OFFSET as usize / 4 + word * LANES + lane,
                    };
                    let wanted = expected.output(register as u32, component, lane);
                    let place = Observed::Output { register: register as u32, component };
                    self.check_word(place, lane, wanted, words.get(at))?;
                }
            }
        }
        Ok(())
    }
}
