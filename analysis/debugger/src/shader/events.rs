//! Events of a step of a shader: what it reads and makes that it should not.

use tgsi::ast::Instruction;
use tgsi::opcodes::ValueType;
use tgsi::validate::source_components;
use tgsi::words::File;
use tgsi_interp::LANES;

use super::{ShaderRun, place_name};
use crate::subject::{Event, EventKind, MADE_FLOATS};

impl ShaderRun<'_> {
    pub(super) fn active_lanes(&self, quad: usize) -> impl Iterator<Item = usize> + use<> {
        let active = self.run.active(quad);
        (0..LANES).filter(move |lane| active >> lane & 1 == 1)
    }

    /// The lanes in which a source has bits of a kind.
    pub(super) fn lanes_with(&self, quad: usize, own: &Instruction, is_it: fn(f32) -> bool) -> u8 {
        let mut lanes = 0;
        for (number, source) in own.sources.iter().enumerate() {
            let components = source_components(own, number).unwrap_or(0xf);
            for lane in self.active_lanes(quad) {
                let found = (0..4).filter(|it| components >> it & 1 == 1).any(|component| {
                    let place = self.run.place_in(quad, &source.register, component, lane);
                    let bits = place.and_then(|place| self.run.value(quad, place, lane));
                    bits.is_some_and(|bits| is_it(f32::from_bits(bits)))
                });
                lanes |= u8::from(found) << lane;
            }
        }
        lanes
    }

    /// The temporaries that an instruction reads and that nothing has written.
    pub(super) fn unwritten(&self, quad: usize, own: &Instruction) -> Option<Event> {
        for (number, source) in own.sources.iter().enumerate() {
            if source.register.file != File::Temporary {
                continue;
            }
            // What is not known to be read is not said to be.
            let components = source_components(own, number).unwrap_or(0);
            for component in (0..4).filter(|it| components >> it & 1 == 1) {
                for lane in self.active_lanes(quad) {
                    let place = self.run.place_in(quad, &source.register, component, lane)?;
                    let index = 4 * place.index + component;
                    let lanes = self.written.get(quad).and_then(|own| own.get(index));
                    if lanes.is_some_and(|lanes| lanes >> lane & 1 == 0) {
                        let what = place_name(place);
                        return Some(Event { kind: EventKind::Uninitialised, lane, what });
                    }
                }
            }
        }
        None
    }

    /// Notes what an instruction writes, before it does.
    pub(super) fn note_written(&mut self, quad: usize, own: &Instruction) {
        for (number, destination) in own.destinations.iter().enumerate() {
            if destination.register.file != File::Temporary {
                continue;
            }
            for component in self.written_components(quad, number, destination) {
                for lane in self.active_lanes(quad) {
                    let place = self.run.place_in(quad, &destination.register, component, lane);
                    let index = place.map(|place| 4 * place.index + component);
                    let lanes = index.and_then(|index| {
                        self.written.get_mut(quad).and_then(|own| own.get_mut(index))
                    });
                    if let Some(lanes) = lanes {
                        *lanes |= 1 << lane;
                    }
                }
            }
        }
    }

    /// Floats that a step made and no source had.
    pub(super) fn made(&self, own: &Instruction, lacked: [u8; 2]) -> Vec<Event> {
        let mut found = Vec::new();
        let is_float = own.info().destination_types.first() == Some(&ValueType::Float);
        let Some((quad, step)) = self.run.last_step().filter(|_| is_float) else { return found };
        let Some(destination) = own.destinations.first() else { return found };
        for ((kind, is_it), had) in MADE_FLOATS.into_iter().zip(lacked) {
            let made = step.written.iter().find_map(|(component, lanes)| {
                let lane = (0..LANES).find(|lane| {
                    step.active
                        & !had
                        & !self.run.killed(quad)
                        & self.run.present(quad)
                        & (1 << lane)
                        != 0
                        && is_it(f32::from_bits(lanes[*lane]))
                })?;
                Some((*component, lane))
            });
            if let Some((component, lane)) = made {
                let place = self.run.place_in(quad, &destination.register, component, lane);
                let what = place.map_or("a result".to_owned(), place_name);
                found.push(Event { kind, lane, what });
            }
        }
        found
    }
}
