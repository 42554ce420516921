//! The outcome of a run beside what is recorded.

use run_inputs::{Tolerance, agree};
use tgsi::service::declared::Declared;
use tgsi::words::File;
use tgsi_interp::{DeclaredImages, EMPTY, Register, Resources};

use super::{HexWord, Outputs, Stream};

/// Programs that compute transcendental functions may differ a little.
pub(super) fn tolerance(shader: &tgsi::ast::Shader) -> Tolerance {
    use tgsi::Opcode;
    const INEXACT: [Opcode; 10] = [
        Opcode::EX2,
        Opcode::LG2,
        Opcode::POW,
        Opcode::SIN,
        Opcode::COS,
        Opcode::RSQ,
        Opcode::EXP,
        Opcode::LOG,
        Opcode::LIT,
        Opcode::SCS,
    ];
    let inexact = shader.instructions().any(|it| INEXACT.contains(&it.opcode.value));
    Tolerance { ulps: if inexact { 4 } else { 0 } }
}

/// The comparison of a run with its record.
pub(super) struct Judge {
    pub(super) tolerance: Tolerance,
}

impl Judge {
    fn word(&self, place: impl Fn() -> String, ours: u32, recorded: HexWord) -> Option<String> {
        if agree(ours, recorded.0, self.tolerance) {
            return None;
        }
        let [a, b] =
            [ours, recorded.0].map(|bits| format!("{bits:08x} ({})", f32::from_bits(bits)));
        Some(format!("{}: {a}, recorded {b}", place()))
    }

    pub(super) fn outputs(
        &self,
        recorded: &Outputs,
        ours: &[Register],
        killed: u8,
    ) -> Option<String> {
        for (number, components) in &recorded.out {
            for (name, lanes) in components {
                let component = name.chars().next().and_then(tgsi::ast::Component::from_letter)?;
                for (lane, word) in lanes.iter().enumerate() {
                    if killed & (1 << lane) != 0 {
                        continue;
                    }
                    let register = ours.get(*number).copied().unwrap_or(EMPTY);
                    let place = || format!("OUT[{number}].{name} lane {lane}");
                    let found = self.word(place, register[component as usize][lane], *word);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// Compares what is left in buffers and images. Whoever recorded it wrote four components of
    /// every format; those that a format does not store say nothing.
    pub(super) fn memory(
        &self,
        recorded: &Outputs,
        ours: &Resources,
        shader: &tgsi::ast::Shader,
    ) -> Option<String> {
        let declared = DeclaredImages::all(shader);
        let is_stored = |unit: usize, component: usize| {
            let own = declared.iter().find(|it| it.numbers.contains(unit as u32));
            own.is_none_or(|it| it.absent[component].is_none())
        };
        let buffers = recorded.buf.iter().flat_map(|(unit, words)| {
            let mine = ours.buffers.get(*unit).map_or(&[][..], Vec::as_slice);
            words.iter().enumerate().map(move |(at, word)| {
                let value = mine.get(at).copied().unwrap_or(0);
                (format!("BUFFER[{unit}] word {at}"), value, *word)
            })
        });
        let images = recorded.img.iter().flat_map(|(unit, texels)| {
            let mine = ours.images.get(*unit).and_then(Option::as_ref);
            let stored: Vec<usize> = (0..4).filter(|it| is_stored(*unit, *it)).collect();
            texels.iter().enumerate().flat_map(move |(at, texel)| {
                let value = mine.and_then(|image| image.texels.get(at)).copied();
                stored.clone().into_iter().map(move |it| {
                    let place = format!("IMAGE[{unit}] texel {at} component {it}");
                    (place, value.unwrap_or([0; 4])[it], texel[it])
                })
            })
        });
        buffers
            .chain(images)
            .find_map(|(place, value, word)| self.word(|| place.clone(), value, word))
    }

    /// Compares what was emitted. Registers of other streams say nothing.
    pub(super) fn streams(
        &self,
        recorded: &[Stream],
        ours: &[Vec<Vec<Vec<[u32; 4]>>>],
        shader: &tgsi::ast::Shader,
    ) -> Option<String> {
        let declared = Declared::new(shader);
        for (number, (recorded, ours)) in recorded.iter().zip(ours).enumerate() {
            let mine: Vec<usize> = ours.iter().map(Vec::len).collect();
            let theirs: Vec<usize> = recorded.iter().map(Vec::len).collect();
            if mine != theirs {
                return Some(format!("stream {number}: vertices {mine:?}, recorded {theirs:?}"));
            }
            for (place, (recorded, ours)) in
                recorded.iter().flatten().zip(ours.iter().flatten()).enumerate()
            {
                for (register, words) in recorded {
                    for component in 0..4 {
                        let streams = declared.covering(File::Output, *register as u32);
                        let streams = streams.and_then(|it| it.streams).unwrap_or_default();
                        if streams.value[component] != number as u32 {
                            continue;
                        }
                        let value = ours.get(*register).map_or(0, |it| it[component]);
                        let what = || format!("stream {number} vertex {place} OUT[{register}]");
                        let found = self.word(what, value, words[component]);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
        }
        None
    }
}
