//! Memory of a launch: buffers, images, arguments, the dispatch packet, the queue, scratch.

use gcn::Generation;

use super::scratch::SCRATCH;
use super::{InputWord, Launch, LaunchError};
use crate::memory::Memory;

/// The address of the dispatch packet.
pub(super) const PACKET: u64 = 0x10_0000;
/// The address of the queue.
pub(super) const QUEUE: u64 = 0x18_0000;
/// The address of the arguments.
pub(super) const ARGUMENTS: u64 = 0x20_0000;
/// The address of the first buffer, and the distance to the next: what leads out of one is in
/// none.
pub(super) const BUFFERS: u64 = 1 << 36;
pub(super) const BUFFER_DISTANCE: u64 = 1 << 32;
/// The address of the first image; the next ones are as far from each other as buffers are.
const IMAGES: u64 = 1 << 44;
/// The last word of a descriptor of raw bytes: components x to w, floats of 32 bits (GCN3 ISA,
/// table of the buffer resource).
const RAW_BUFFER: u32 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15;

impl Launch {
    /// Places buffers, arguments and the dispatch packet in memory.
    pub(super) fn lay_out(&mut self) -> Result<(), LaunchError> {
        let full = |_| LaunchError::Memory;
        let mut memory = Memory::default();
        // Words of all else may hold their descriptors.
        for (number, image) in self.inputs.images.iter().enumerate() {
            let has_levels = image.as_ref().is_some_and(|image| image.shape.levels > 1);
            if has_levels && self.program.target.generation() != Generation::Gfx9 {
                return Err(LaunchError::Levels(number));
            }
            let address = IMAGES + number as u64 * BUFFER_DISTANCE;
            let mapped = image.as_ref().map(|image| image.map(&mut memory, address));
            self.images.push(mapped.transpose().map_err(full)?);
        }
        let mut end = 0;
        let mut last = 0;
        for (offset, words) in &self.inputs.arguments {
            if *offset < end {
                return Err(LaunchError::Arguments(last, *offset));
            }
            let own = self.words(words)?;
            (last, end) = (*offset, offset + 4 * own.len());
        }
        let said = self.entry.as_ref().map_or(0, |entry| entry.argument_bytes as usize);
        // A load of several words may reach behind the last argument.
        let hidden = self.hidden.iter().map(|own| own.offset.saturating_add(own.size)).max();
        let end = end.max(said).max(hidden.unwrap_or(0) as usize);
        let mut bytes = vec![0; end.next_multiple_of(64).min(1 << 20)];
        for (offset, words) in &self.inputs.arguments {
            let own = self.words(words)?;
            let own: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
            if let Some(place) = bytes.get_mut(*offset..offset + own.len()) {
                place.copy_from_slice(&own);
            }
        }
        self.fill_hidden(&mut bytes);
        let word = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        self.arguments = bytes.chunks_exact(4).map(word).collect();
        if !bytes.is_empty() {
            memory.map(ARGUMENTS, bytes).map_err(full)?;
        }
        memory.map_words(PACKET, &self.packet()).map_err(full)?;
        memory.map_words(QUEUE, &self.scratch.queue(self.program.target)).map_err(full)?;
        if let Some(bytes) = self.scratch.zeros() {
            memory.map(SCRATCH, bytes).map_err(full)?;
        }
        for (number, words) in self.inputs.buffers.iter().enumerate() {
            let Some(words) = words.as_ref().filter(|words| !words.is_empty()) else { continue };
            let words = self.words(words)?;
            memory.map_words(Launch::buffer_address(number), &words).map_err(full)?;
        }
        self.memory = memory;
        // Registers may name buffers that are not there.
        for words in self.inputs.scalars.iter().flatten() {
            self.words(words)?;
        }
        Ok(())
    }

    /// The dispatch packet: sizes of group and grid, and where the arguments are.
    fn packet(&self) -> [u32; 16] {
        let [x, y, z] = self.inputs.group;
        let sizes: [u32; 3] = std::array::from_fn(|axis| {
            self.inputs.grid[axis].saturating_mul(self.inputs.group[axis])
        });
        let mut packet = [0; 16];
        packet[0] = 3 << 16 | 2;
        (packet[1], packet[2]) = (x | y << 16, z);
        packet[3..6].copy_from_slice(&sizes);
        packet[7] = self.share as u32;
        (packet[10], packet[11]) = (ARGUMENTS as u32, (ARGUMENTS >> 32) as u32);
        packet
    }

    /// Words of inputs with addresses and descriptors in their places.
    pub(super) fn words(&self, words: &[InputWord]) -> Result<Vec<u32>, LaunchError> {
        let mut all = Vec::with_capacity(words.len());
        for word in words {
            let bytes = |number: usize| {
                let buffer = self.inputs.buffers.get(number).and_then(Option::as_ref);
                let count =
                    |words: &Vec<InputWord>| words.iter().map(|it| it.count()).sum::<u32>() * 4;
                buffer.map(count).ok_or(LaunchError::NoBuffer(number))
            };
            match *word {
                InputWord::Word(word) => all.push(word),
                InputWord::Address(number) | InputWord::Descriptor(number) => {
                    let bytes = bytes(number)?;
                    let address = Launch::buffer_address(number);
                    all.extend([address as u32, (address >> 32) as u32]);
                    if matches!(word, InputWord::Descriptor(_)) {
                        all.extend([bytes, RAW_BUFFER]);
                    }
                }
                InputWord::Image(number) => {
                    let image = self.image(number).ok_or(LaunchError::NoImage(number))?;
                    all.extend(image.words(self.program.target.generation()));
                }
                InputWord::Sampler(number) => {
                    let sampler = self.inputs.samplers.get(number).copied().flatten();
                    all.extend(sampler.ok_or(LaunchError::NoSampler(number))?);
                }
            }
        }
        Ok(all)
    }
}
