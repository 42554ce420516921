//! Descriptors of buffers, and where in a buffer a lane's access is.
//!
//! Source: ISA manuals, "buffer resource descriptor", "buffer addressing", "range
//! checking". What the number of records counts differs: on gfx6 and gfx7 elements
//! where there is a stride; on gfx8 elements only of swizzled buffers, else bytes; on
//! gfx9 elements where the instruction has an index (Mesa, si_descriptors.c).

use gcn::Generation;

use super::ADDRESS_BITS;

/// A buffer's descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Descriptor {
    pub(super) base: u64,
    stride: u64,
    records: u64,
    swizzled: bool,
    /// Bytes that stay together, and elements that are interleaved, of swizzled buffers.
    element: u64,
    interleaved: u64,
    adds_lane: bool,
    /// The source of each component of a result: 0, 1, or 4 to 7 for the components of
    /// memory.
    pub(super) select: [u8; 4],
    pub(super) number_format: u8,
    pub(super) data_format: u8,
    generation: Generation,
}

/// The two kinds of instructions on buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typing {
    /// MUBUF: a format is the descriptor's.
    Untyped,
    /// MTBUF: the instruction says the format.
    Typed,
}

/// The part of an address that an instruction adds to a descriptor, in one lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneAddress {
    pub(super) index: Option<u32>,
    pub(super) offset: u64,
    pub(super) scalar_offset: u32,
    pub(super) lane: u32,
}

impl Descriptor {
    pub(super) fn of(words: [u32; 4], generation: Generation, kind: Typing) -> Descriptor {
        let [low, high, records, rest] = words;
        let field = |shift: u32, width: u32| rest >> shift & ((1 << width) - 1);
        let adds_lane = field(23, 1) == 1;
        let mut stride = u64::from(high >> 16 & 0x3fff);
        // Where the lane is added, the bits of the data format extend the stride; but not
        // for instructions that say the format themselves (drivers wrote rings so).
        if adds_lane && generation >= Generation::Gfx8 && kind == Typing::Untyped {
            stride |= u64::from(field(15, 4)) << 14;
        }
        let element = match generation {
            Generation::Gfx9 => 4,
            _ => 2 << field(19, 2),
        };
        Descriptor {
            base: (u64::from(low) | u64::from(high) << 32) & ADDRESS_BITS,
            stride,
            records: records.into(),
            swizzled: high >> 31 == 1,
            element,
            interleaved: 8 << field(21, 2),
            adds_lane,
            select: [0, 3, 6, 9].map(|shift| field(shift, 3) as u8),
            number_format: field(12, 3) as u8,
            data_format: field(15, 4) as u8,
            generation,
        }
    }

    /// The address of a byte of a lane's element; `None` where the range check refuses
    /// it.
    pub(super) fn place(&self, at: &LaneAddress, byte: u64, bytes: u64) -> Option<u64> {
        let lane = if self.adds_lane { u64::from(at.lane) } else { 0 };
        let index = u64::from(at.index.unwrap_or(0)) + lane;
        let offset = at.offset + byte;
        let inside = if self.swizzled {
            let group = self.interleaved;
            let whole = index / group * self.stride + offset / self.element * self.element;
            whole * group + index % group * self.element + offset % self.element
        } else {
            index * self.stride + offset
        };
        let structured = self.stride != 0
            && match self.generation {
                Generation::Gfx6 | Generation::Gfx7 => true,
                Generation::Gfx8 => self.swizzled,
                Generation::Gfx9 => at.index.is_some() || self.adds_lane,
            };
        let in_range = if structured {
            index < self.records
        } else {
            let end = inside + bytes + u64::from(at.scalar_offset);
            end <= self.records
        };
        let address = self.base.wrapping_add(inside).wrapping_add(at.scalar_offset.into());
        in_range.then_some(address & ADDRESS_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERATIONS: [Generation; 4] =
        [Generation::Gfx6, Generation::Gfx7, Generation::Gfx8, Generation::Gfx9];

    #[test]
    fn the_format_extends_the_stride_where_the_lane_is_added() {
        // Stride 3; data format 5; the lane is added.
        let words = [0x1000, 3 << 16, 100, 1 << 23 | 5 << 15];
        for generation in GENERATIONS {
            let long = generation >= Generation::Gfx8;
            let stride = if long { 5 << 14 | 3 } else { 3 };
            assert_eq!(Descriptor::of(words, generation, Typing::Untyped).stride, stride);
            assert_eq!(Descriptor::of(words, generation, Typing::Typed).stride, 3);
            let without = [0x1000, 3 << 16, 100, 5 << 15];
            assert_eq!(Descriptor::of(without, generation, Typing::Untyped).stride, 3);
        }
    }

    #[test]
    fn what_is_counted_follows_from_the_generation() {
        let at = |index, offset| LaneAddress { index, offset, scalar_offset: 0, lane: 0 };
        for generation in GENERATIONS {
            let of = |words| Descriptor::of(words, generation, Typing::Untyped);
            // Two records of 16 bytes; two bytes too many without a stride.
            let records = of([0x1000, 16 << 16, 2, 0]);
            let bytes = of([0x1000, 0, 18, 0]);
            assert_eq!(bytes.place(&at(None, 14), 0, 4), Some(0x100e), "{generation:?}");
            assert_eq!(bytes.place(&at(None, 15), 0, 4), None, "{generation:?}");
            let indexed = records.place(&at(Some(1), 0), 0, 4);
            let beyond = records.place(&at(Some(2), 0), 0, 4);
            let plain = records.place(&at(None, 20), 0, 4);
            let expected = match generation {
                Generation::Gfx6 | Generation::Gfx7 => (Some(0x1010), None, Some(0x1014)),
                // The records are bytes.
                Generation::Gfx8 => (None, None, None),
                Generation::Gfx9 => (Some(0x1010), None, None),
            };
            assert_eq!((indexed, beyond, plain), expected, "{generation:?}");
        }
    }

    #[test]
    fn elements_of_a_swizzled_buffer_lie_apart() {
        // Stride 8, elements of 4 bytes, 8 indices together.
        let words = [0x1000, 8 << 16 | 1 << 31, 100, 1 << 19];
        let descriptor = Descriptor::of(words, Generation::Gfx8, Typing::Untyped);
        for (index, offset, place) in [(0, 0, 0), (1, 0, 4), (0, 4, 32), (7, 5, 61), (8, 0, 64)] {
            let at = LaneAddress { index: Some(index), offset, scalar_offset: 0, lane: 0 };
            assert_eq!(descriptor.place(&at, 0, 1), Some(0x1000 + place), "{index} {offset}");
        }
        let lane = Descriptor::of([0, 8 << 16, 1000, 1 << 23], Generation::Gfx9, Typing::Typed);
        let at = LaneAddress { index: None, offset: 0, scalar_offset: 4, lane: 3 };
        assert_eq!(lane.place(&at, 1, 1), Some(3 * 8 + 1 + 4));
    }
}
