//! Image instructions: registers to a request, and its answer to registers.

use gcn::Target;
use gcn::image::Data;
use isa::gcn::Feature;
use isa::gcn::operation::{self, Atomic, ImageAccess};
use softfloat::from_half;

use super::{ImageAddress, ImageOperation, ImageRequest, Images};
use crate::memory::Memory;
use crate::operand::Fields;
use crate::stop::Reason;
use crate::storage::{Halves, narrowed, widened};
use crate::wave::{LANES, Wave};

/// An image instruction, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Image {
    operation: ImageOperation,
    access: ImageAccess,
    /// R128: the descriptor has four words instead of eight.
    short_resource: bool,
    atomic: Option<Atomic>,
    data: Data,
    first: usize,
    address: usize,
    resource: u16,
    sampler: u16,
    unnormalized: bool,
    array: bool,
    /// A16: addresses are of 16 bits, two to a register (Vega ISA).
    short: bool,
    returns: bool,
    status: bool,
    halves: Halves,
}

/// The type of an address's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Floats,
    Integers,
}

/// The registers of a lane's address, read one after the other. Where parts are short,
/// two that follow one another share a register, within each group: the bias, the
/// derivatives along x, those along y, coordinates with level.
struct Words<'a> {
    wave: &'a Wave,
    lane: usize,
    at: usize,
    /// The upper half of the last register, where it is still to be read.
    half: Option<u16>,
    short: bool,
}

impl Words<'_> {
    fn whole(&mut self) -> u32 {
        self.at += 1;
        self.wave.lane(self.at - 1, self.lane)
    }

    fn part(&mut self, numbers: Numbers) -> u32 {
        if !self.short {
            return self.whole();
        }
        let bits = self.half.take().unwrap_or_else(|| {
            let word = self.whole();
            self.half = Some((word >> 16) as u16);
            word as u16
        });
        match numbers {
            Numbers::Floats => from_half(bits).to_bits(),
            Numbers::Integers => bits.into(),
        }
    }

    fn end_group(&mut self) {
        self.half = None;
    }
}

impl Image {
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(crate) fn of(
        operation: operation::Image,
        fields: &Fields,
        data: Data,
        target: Target,
    ) -> Option<Image> {
        use operation::Image as Unit;
        let (operation, access, atomic) = match operation {
            Unit::Sample { access } => (ImageOperation::Sample, access, None),
            Unit::Gather { access } => (ImageOperation::Gather, access, None),
            Unit::Load { access } => (ImageOperation::Load, access, None),
            Unit::Store { access } => (ImageOperation::Store, access, None),
            Unit::Atomic { atomic } => (ImageOperation::Atomic, ImageAccess::PLAIN, Some(atomic)),
            Unit::LevelQuery => (ImageOperation::LevelQuery, ImageAccess::PLAIN, None),
            Unit::SizeQuery => (ImageOperation::SizeQuery, ImageAccess::PLAIN, None),
            Unit::GatherRow => return None,
        };
        let packs = target.has(Feature::PackedD16);
        Some(Image {
            operation,
            access,
            atomic,
            short_resource: fields.flag("r128"),
            data,
            first: fields.data("vdata"),
            address: fields.get("vaddr") as usize,
            resource: fields.get("srsrc") as u16 * 4,
            sampler: fields.get("ssamp") as u16 * 4,
            unnormalized: fields.flag("unorm"),
            array: fields.flag("da"),
            short: fields.flag("a16"),
            returns: fields.flag("glc"),
            status: fields.flag("tfe"),
            halves: match (fields.flag("d16"), packs) {
                (false, _) => Halves::No,
                (true, true) => Halves::Packed,
                (true, false) => Halves::Unpacked,
            },
        })
    }

    /// Returns the number of coordinates, and of derivatives each way, of an image by its
    /// descriptor: by the types 8 to 15 of the fourth word.
    fn dimensions(resource: &[u32; 8]) -> (usize, usize) {
        match resource[3] >> 28 {
            8 => (1, 1),
            10 => (3, 3),
            11 | 13 | 14 => (3, 2),
            12 => (2, 1),
            15 => (4, 2),
            _ => (2, 2),
        }
    }

    fn addresses(&self, wave: &Wave, resource: &[u32; 8]) -> Box<[ImageAddress; LANES]> {
        let (coordinates, derivatives) = Image::dimensions(resource);
        let mut all = Box::new([ImageAddress::default(); LANES]);
        for lane in wave.active() {
            let mut words = Words { wave, lane, at: self.address, half: None, short: self.short };
            let own = &mut all[lane];
            if self.access.offset {
                own.offset = words.whole();
            }
            if self.access.bias {
                own.bias = words.part(Numbers::Floats);
                words.end_group();
            }
            if self.access.reference {
                own.reference = words.whole();
            }
            if self.access.derivatives {
                for direction in &mut own.derivatives {
                    let used = direction.iter_mut().take(derivatives);
                    used.for_each(|it| *it = words.part(Numbers::Floats));
                    words.end_group();
                }
            }
            if self.operation == ImageOperation::SizeQuery {
                own.level = words.whole();
                continue;
            }
            let numbers = match self.operation {
                ImageOperation::Load | ImageOperation::Store | ImageOperation::Atomic => {
                    Numbers::Integers
                }
                _ => Numbers::Floats,
            };
            let used = own.coordinates.iter_mut().take(coordinates);
            used.for_each(|it| *it = words.part(numbers));
            if self.access.level || self.access.least_level {
                own.level = words.part(numbers);
            }
        }
        all
    }

    /// Returns the number of data registers without that of the status.
    fn words(&self) -> usize {
        self.data.moved().into()
    }

    /// Reads the texels to store: the components of the mask, the others 0.
    fn stored(&self, wave: &Wave) -> Box<[[u32; 4]; LANES]> {
        let mut all = Box::new([[0; 4]; LANES]);
        for lane in wave.active() {
            let chosen = (0..4).filter(|component| self.data.mask() >> component & 1 == 1);
            for (place, component) in chosen.enumerate() {
                let register = |number: usize| wave.lane(self.first + number, lane);
                all[lane][component] = self.halves.component(place, register, widened);
            }
        }
        all
    }

    pub(crate) fn run(
        &self,
        wave: &mut Wave,
        (images, memory): (&mut dyn Images, &mut Memory),
        instruction: u32,
    ) -> Result<(), Reason> {
        let words = if self.short_resource { 4 } else { 8 };
        let mut resource = [0; 8];
        for (place, word) in resource.iter_mut().enumerate().take(words) {
            *word = wave.scalar(self.resource + place as u16);
        }
        let sampler: [u32; 4] =
            std::array::from_fn(|place| wave.scalar(self.sampler + place as u16));
        let addresses = self.addresses(wave, &resource);
        let data = match self.operation {
            ImageOperation::Store => self.stored(wave),
            ImageOperation::Atomic => {
                let mut all = Box::new([[0; 4]; LANES]);
                let size = self.value();
                for lane in wave.active() {
                    let register = |number: usize| wave.lane(self.first + number, lane);
                    for place in 0..size {
                        all[lane][place] = register(place);
                        if self.compares() {
                            all[lane][2 + place] = register(size + place);
                        }
                    }
                }
                all
            }
            _ => Box::new([[0; 4]; LANES]),
        };
        let request = ImageRequest {
            operation: self.operation,
            access: self.access,
            unnormalized: self.unnormalized,
            array: self.array,
            components: self.data.mask(),
            resource,
            sampler,
            lanes: wave.exec(),
            addresses: &addresses,
            data: &data,
            atomic: self.atomic,
            wide: self.value() > 1,
        };
        let answer = images.access(&request, memory);
        let texels = answer.map_err(|error| Reason::Unsupported(error.to_string()))?;
        match self.operation {
            ImageOperation::Store => return Ok(()),
            ImageOperation::Atomic => {
                if self.returns {
                    for lane in wave.active() {
                        for place in 0..self.value() {
                            wave.set_lane(self.first + place, lane, texels[lane][place]);
                        }
                    }
                    wave.note_writer(self.first, self.value(), instruction);
                }
                return Ok(());
            }
            _ => {}
        }
        for lane in wave.active() {
            self.load(wave, lane, &texels[lane]);
        }
        wave.note_writer(self.first, self.words() + usize::from(self.status), instruction);
        Ok(())
    }

    /// Returns the registers of an atomic's value: the mask says how wide texels are. More
    /// than two has none.
    fn value(&self) -> usize {
        let parts = if self.compares() { 2 } else { 1 };
        (self.words() / parts).clamp(1, 2)
    }

    fn compares(&self) -> bool {
        self.atomic.is_some_and(Atomic::compares)
    }

    fn load(&self, wave: &mut Wave, lane: usize, texel: &[u32; 4]) {
        let whole = self.operation == ImageOperation::Gather;
        let mut values = [0; 4];
        let mut count = 0;
        for (component, bits) in texel.iter().enumerate() {
            if whole || self.data.mask() >> component & 1 == 1 {
                values[count] = *bits;
                count += 1;
            }
        }
        for place in 0..self.words() {
            let value = self.halves.register(place, values, 0, narrowed);
            wave.set_lane(self.first + place, lane, value);
        }
        if self.status {
            wave.set_lane(self.first + self.words(), lane, 0);
        }
    }
}
