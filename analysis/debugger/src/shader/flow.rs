//! The flow of values through a step of a shader: what it writes, and from which values.

use tgsi::ast::{Destination, Index, Instruction, Register, Source};
use tgsi::opcodes::{Family, Flag, Lookup, OutputMode, Reads};
use tgsi::validate::operand_components;
use tgsi::words::File;
use tgsi_interp::{LANES, Place};

use super::ShaderRun;
use crate::location::Location;

/// The files whose registers hold values.
const VALUES: [File; 8] = [
    File::Temporary,
    File::TemporaryArray,
    File::Input,
    File::Output,
    File::Constant,
    File::Immediate,
    File::Address,
    File::SystemValue,
];

/// Tells whether a file is memory that is told word by word.
fn is_memory(file: File) -> bool {
    matches!(file, File::Buffer | File::Memory)
}

impl<'s> ShaderRun<'s> {
    /// The quad whose turn it is, and its next instruction.
    fn next(&self) -> Option<(usize, &'s Instruction)> {
        let quad = self.run.quad()?;
        let own = (self.run.ordinal(quad)? as usize).checked_sub(1)?;
        Some((quad, self.shader.instructions.get(own)?))
    }

    /// The component of a register that an operand means in a lane.
    fn component(
        &self,
        quad: usize,
        register: &Register,
        component: usize,
        lane: usize,
    ) -> Option<Location> {
        let place = self.run.place_in(quad, register, component, lane)?;
        Some(Location::Component { quad, place })
    }

    /// The first word of memory that an instruction reaches in a lane.
    fn word(
        &self,
        quad: usize,
        register: &Register,
        address: &Source,
        lane: usize,
    ) -> Option<(File, usize, usize)> {
        let first = address.swizzle.0[0] as usize;
        let place = self.run.place_in(quad, &address.register, first, lane)?;
        let address = self.run.value(quad, place, lane)?;
        let number = self.run.place_in(quad, register, 0, lane)?;
        Some((register.file, number.index, address as usize / 4))
    }

    /// The memory that an instruction writes, with the number of the operand of its address.
    fn written_memory(own: &Instruction) -> Option<(&Register, usize)> {
        match own.info().family {
            Family::Store => Some((&own.destinations.first()?.register, 0)),
            Family::Atomic => Some((&own.sources.first()?.register, 1)),
            _ => None,
        }
        .filter(|(register, _)| is_memory(register.file))
    }

    /// The components that the next instruction of a quad writes of one of its destinations.
    pub(super) fn written_components(
        &self,
        quad: usize,
        number: usize,
        destination: &Destination,
    ) -> impl Iterator<Item = usize> + use<> {
        let written = if number == 0 { self.run.written(quad) } else { destination.mask.0 };
        (0..4).filter(move |component| written >> component & 1 == 1)
    }

    pub(super) fn all_targets(&self) -> Vec<(Location, u64)> {
        let Some((quad, own)) = self.next() else { return Vec::new() };
        let mut all: Vec<(Location, u64)> = Vec::new();
        let mut add = |location: Location, lane: usize| match all
            .iter_mut()
            .find(|(known, _)| *known == location)
        {
            Some((_, lanes)) => *lanes |= 1 << lane,
            None => all.push((location, 1 << lane)),
        };
        for (number, destination) in own.destinations.iter().enumerate() {
            if !VALUES.contains(&destination.register.file) {
                continue;
            }
            for component in self.written_components(quad, number, destination) {
                for lane in self.active_lanes(quad) {
                    if let Some(own) = self.component(quad, &destination.register, component, lane)
                    {
                        add(own, lane);
                    }
                }
            }
        }
        if let Some((register, operand)) = Self::written_memory(own) {
            let mask = own.destinations.first().map_or(1, |it| it.mask.0);
            let mask = if own.info().family == Family::Atomic { 1 } else { mask };
            for lane in self.active_lanes(quad) {
                let Some(address) = own.sources.get(operand) else { continue };
                let Some((file, buffer, first)) = self.word(quad, register, address, lane) else {
                    continue;
                };
                for component in (0..4).filter(|it| mask >> it & 1 == 1) {
                    add(Location::Word { file, buffer, word: first + component }, lane);
                }
            }
        }
        // A word of memory is the same for all lanes.
        for (location, lanes) in &mut all {
            if !location.has_lanes() {
                *lanes = u64::MAX;
            }
        }
        all
    }

    pub(super) fn all_sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)> {
        let Some((quad, own)) = self.next() else { return Vec::new() };
        let mut all = Vec::new();
        match *target {
            Location::Component { place, .. } => {
                self.sources_of_component(quad, own, place, lane, &mut all);
            }
            Location::Word { file, buffer, word } => {
                self.sources_of_word(quad, own, (file, buffer, word), &mut all);
            }
            Location::Register { .. } => {}
        }
        all
    }

    fn sources_of_component(
        &self,
        quad: usize,
        own: &Instruction,
        target: Place,
        lane: usize,
        all: &mut Vec<(Location, usize)>,
    ) {
        let row = own.info();
        for (number, source) in own.sources.iter().enumerate() {
            self.push_index(quad, &source.register, lane, all);
            if is_memory(source.register.file)
                && let Some((file, buffer, first)) = own
                    .sources
                    .get(number + 1)
                    .and_then(|address| self.word(quad, &source.register, address, lane))
            {
                let word = first + target.component;
                all.push((Location::Word { file, buffer, word }, lane));
            }
            if !VALUES.contains(&source.register.file) {
                continue;
            }
            let component = source.swizzle.0[target.component & 3] as u8;
            let is_alone =
                row.output == OutputMode::Componentwise && row.read_of(number) == Reads::Written;
            let components = match (is_alone, row.lookup) {
                (true, _) => 1 << component,
                // The address of an access to memory is one number.
                _ if is_memory(own.sources[0].register.file) => 1 << source.swizzle.0[0] as u8,
                (false, Lookup::None | Lookup::Implicit) => {
                    operand_components(own, number).unwrap_or(0xf)
                }
                (false, _) => 0xf,
            };
            for component in (0..4).filter(|it| components >> it & 1 == 1) {
                self.push(quad, &source.register, component, lane, all);
                if row.has(Flag::Derivatives) {
                    for other in (0..LANES).filter(|other| *other != lane) {
                        self.push(quad, &source.register, component, other, all);
                    }
                }
            }
        }
        for destination in &own.destinations {
            self.push_index(quad, &destination.register, lane, all);
        }
    }

    /// The last lane that writes a word decides.
    fn sources_of_word(
        &self,
        quad: usize,
        own: &Instruction,
        (file, buffer, word): (File, usize, usize),
        all: &mut Vec<(Location, usize)>,
    ) {
        let Some((register, operand)) = Self::written_memory(own) else { return };
        let Some(address) = own.sources.get(operand) else { return };
        let lanes: Vec<usize> = self.active_lanes(quad).collect();
        for lane in lanes.into_iter().rev() {
            let Some((own_file, own_buffer, first)) = self.word(quad, register, address, lane)
            else {
                continue;
            };
            let component = word.wrapping_sub(first);
            if (own_file, own_buffer) != (file, buffer) || component > 3 {
                continue;
            }
            if own.info().family == Family::Atomic {
                all.push((Location::Word { file, buffer, word }, lane));
            }
            for source in own.sources.iter().skip(operand + 1) {
                let component = source.swizzle.0[component] as usize;
                self.push(quad, &source.register, component, lane, all);
            }
            self.push(quad, &address.register, address.swizzle.0[0] as usize, lane, all);
            return;
        }
    }

    /// The register that an index is computed from.
    fn push_index(
        &self,
        quad: usize,
        register: &Register,
        lane: usize,
        all: &mut Vec<(Location, usize)>,
    ) {
        let indices = register.dimension.iter().chain([&register.index]);
        for indirect in indices.filter_map(|index| index.indirect) {
            let index = Index { offset: indirect.index as i32, indirect: None };
            let own = Register { file: indirect.file, dimension: None, index, ..*register };
            self.push(quad, &own, indirect.component as usize, lane, all);
        }
    }

    fn push(
        &self,
        quad: usize,
        register: &Register,
        component: usize,
        lane: usize,
        all: &mut Vec<(Location, usize)>,
    ) {
        let own = self.component(quad, register, component, lane);
        if let Some(own) = own.map(|own| (own, lane)).filter(|own| !all.contains(own)) {
            all.push(own);
        }
    }

    pub(super) fn bits_at(&self, location: &Location, lane: usize) -> Option<u32> {
        match *location {
            Location::Component { quad, place } => self.run.value(quad, place, lane),
            Location::Word { file, buffer, word } => {
                let resources = self.run.resources();
                let words = match file {
                    File::Buffer => resources.buffers.get(buffer)?,
                    _ => &resources.shared,
                };
                words.get(word).copied()
            }
            Location::Register { .. } => None,
        }
    }
}
