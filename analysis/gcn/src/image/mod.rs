//! Registers of image instructions: what stands in those of the address and of the data, and
//! in which order.
//!
//! The encoding says neither the dimension nor the number of address registers:
//! they follow from the resource, which only a program knows at run time. So the
//! dimension is a question here, not an answer.

mod data;

pub use data::{Data, DataModifiers};

use isa::gcn::names::SuffixPlace;
use isa::gcn::{OpGroup, Suffix};

use crate::mnemonics::Opcode;

isa::words! {
    /// The shape of an image.
    Dimension {
        /// One dimension.
        One "1D",
        /// Two dimensions.
        Two "2D",
        /// Three dimensions.
        Three "3D",
        /// Six faces.
        Cube "cube",
        /// Layers of one dimension.
        OneArray "1D array",
        /// Layers of two dimensions.
        TwoArray "2D array",
        /// Several samples for each texel.
        Multisample "2D multisample",
        /// Layers of such.
        MultisampleArray "2D multisample array",
    }
}

impl Dimension {
    /// Returns the coordinates, and along how many of them there are derivatives.
    fn coordinates(self) -> (&'static [&'static str], usize) {
        match self {
            Dimension::One => (&["x"], 1),
            Dimension::Two => (&["x", "y"], 2),
            Dimension::Three => (&["x", "y", "z"], 3),
            Dimension::Cube => (&["x", "y", "face"], 2),
            Dimension::OneArray => (&["x", "layer"], 1),
            Dimension::TwoArray => (&["x", "y", "layer"], 2),
            Dimension::Multisample => (&["x", "y", "sample"], 2),
            Dimension::MultisampleArray => (&["x", "y", "layer", "sample"], 2),
        }
    }

    /// Tells whether the modifier `da` must be there (layers and faces are counted).
    pub fn needs_da(self) -> bool {
        self.coordinates().0.iter().any(|coordinate| ["layer", "face"].contains(coordinate))
    }
}

/// The bits that each part of an address has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// A register each.
    Whole,
    /// With `a16`: 16 bits, two to a register.
    Halves,
}

/// Components of an address that follow one another.
struct Part {
    components: Vec<&'static str>,
    /// Tells whether two of them share a register where they are halves.
    pairs: bool,
}

/// The address of an image of one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The image's shape.
    pub dimension: Dimension,
    /// The components that each register holds.
    pub registers: Vec<String>,
}

/// Returns the components of an image instruction's address in their order. `None` where
/// the operation takes no image of that shape, or is none of images.
fn parts(opcode: Opcode, dimension: Dimension) -> Option<Vec<Part>> {
    use OpGroup::*;
    let multisample = matches!(dimension, Dimension::Multisample | Dimension::MultisampleArray);
    let own = opcode.suffixes();
    let is_flat = matches!(dimension, Dimension::Two | Dimension::Cube | Dimension::TwoArray);
    let takes_dimension = match opcode.group()? {
        ImageSize | ImageLoad | ImageStore | ImageAtomic => true,
        ImageSample | ImageLevel => !multisample,
        ImageGather => is_flat,
        Reversed | Dot | DoubleFma | RowSwap | ToBytes | ToNibbles => false,
    };
    let has = |word: &str| own.iter().any(|suffix| suffix.word == word);
    if !takes_dimension || (multisample && has("mip")) {
        return None;
    }
    let (coordinates, spatial) = dimension.coordinates();
    // The rows of the table are in the order of the address.
    let front = Suffix::all().iter().filter(|it| it.place == SuffixPlace::Front && has(it.word));
    let whole = |component| Part { components: vec![component], pairs: false };
    let mut parts: Vec<Part> = front.map(|suffix| whole(suffix.component)).collect();
    if own.iter().any(|suffix| suffix.place == SuffixPlace::Derivatives) {
        for direction in [["dx/dh", "dy/dh", "dz/dh"], ["dx/dv", "dy/dv", "dz/dv"]] {
            parts.push(Part { components: direction[..spatial].to_vec(), pairs: true });
        }
    }
    if opcode.group() == Some(ImageSize) {
        parts.push(whole("level"));
    } else {
        let behind = own.iter().filter(|suffix| suffix.place == SuffixPlace::Body);
        let behind = behind.map(|suffix| suffix.component);
        let components = coordinates.iter().copied().chain(behind).collect();
        parts.push(Part { components, pairs: true });
    }
    Some(parts)
}

/// Returns the components of an image instruction's address, a register each. `None` where
/// the operation takes no image of that shape, or is none of images.
pub fn address(opcode: Opcode, dimension: Dimension) -> Option<Vec<&'static str>> {
    let parts = parts(opcode, dimension)?;
    Some(parts.into_iter().flat_map(|part| part.components).collect())
}

/// Returns the components that each register of an address holds.
pub fn registers(opcode: Opcode, dimension: Dimension, packing: Packing) -> Option<Vec<String>> {
    let registers = parts(opcode, dimension)?.into_iter().flat_map(|part| {
        let size = if part.pairs && packing == Packing::Halves { 2 } else { 1 };
        let registers = part.components.chunks(size).map(|it| it.join(" & "));
        registers.collect::<Vec<_>>()
    });
    Some(registers.collect())
}

/// Returns the addresses of all images that an instruction may be of: `da` tells images with
/// layers or faces from the others.
pub fn shapes(opcode: Opcode, array: bool, packing: Packing) -> Vec<Shape> {
    let dimensions = Dimension::ALL.into_iter().filter(|it| it.needs_da() == array);
    let shape = |dimension| {
        let registers = registers(opcode, dimension, packing)?;
        Some(Shape { dimension, registers })
    };
    dimensions.filter_map(shape).collect()
}

/// The registers of an address by the shapes that an image may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressSize {
    /// Registers that every shape has.
    pub least: u8,
    /// Registers of the shape that most images have: two dimensions.
    pub usual: u8,
    /// Registers of the largest shape.
    pub most: u8,
}

impl AddressSize {
    /// Returns the sizes of an opcode's address; `None` where it is none of images.
    pub fn of(opcode: Opcode, array: bool, packing: Packing) -> Option<AddressSize> {
        let sizes = || {
            let dimensions = Dimension::ALL.into_iter().filter(|it| it.needs_da() == array);
            dimensions.filter_map(|it| Some(count(&parts(opcode, it)?, packing)))
        };
        let flat = if array { Dimension::TwoArray } else { Dimension::Two };
        let usual = count(&parts(opcode, flat)?, packing);
        Some(AddressSize { least: sizes().min()?, usual, most: sizes().max()? })
    }
}

fn count(parts: &[Part], packing: Packing) -> u8 {
    let registers = parts.iter().map(|part| match packing {
        Packing::Halves if part.pairs => part.components.len().div_ceil(2),
        _ => part.components.len(),
    });
    registers.sum::<usize>() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(name: &str, dimension: Dimension) -> String {
        address(Opcode::named(name).expect(name), dimension).unwrap_or_default().join(" ")
    }

    #[test]
    fn addresses_are_in_order() {
        assert_eq!(whole("image_sample", Dimension::Two), "x y");
        assert_eq!(
            whole("image_sample_c_b_cl_o", Dimension::TwoArray),
            "offsets bias reference x y layer clamp"
        );
        assert_eq!(
            whole("image_sample_c_d_cl_o", Dimension::Three),
            "offsets reference dx/dh dy/dh dz/dh dx/dv dy/dv dz/dv x y z clamp"
        );
        assert_eq!(whole("image_load_mip", Dimension::OneArray), "x layer level");
        assert_eq!(whole("image_atomic_add", Dimension::MultisampleArray), "x y layer sample");
        assert_eq!(whole("image_get_resinfo", Dimension::Three), "level");
        assert_eq!(whole("image_get_lod", Dimension::Cube), "x y face");
        assert_eq!(address(Opcode::image_gather4, Dimension::Three), None);
        assert_eq!(address(Opcode::image_sample, Dimension::Multisample), None);
        assert_eq!(address(Opcode::buffer_load_dword, Dimension::Two), None);
    }

    #[test]
    fn halves_share_registers_within_their_part() {
        let halves = |name: &str, dimension| {
            let opcode = Opcode::named(name).expect(name);
            registers(opcode, dimension, Packing::Halves).unwrap_or_default().join(", ")
        };
        assert_eq!(halves("image_sample_l", Dimension::Two), "x & y, level");
        assert_eq!(
            halves("image_sample_c_d_o", Dimension::Three),
            "offsets, reference, dx/dh & dy/dh, dz/dh, dx/dv & dy/dv, dz/dv, x & y, z"
        );
        assert_eq!(halves("image_get_resinfo", Dimension::Two), "level");
    }

    #[test]
    fn sizes_are_those_of_the_shapes() {
        for opcode in Opcode::all().filter(|opcode| opcode.row().is_of_images()) {
            for (array, packing) in [
                (false, Packing::Whole),
                (true, Packing::Whole),
                (false, Packing::Halves),
                (true, Packing::Halves),
            ] {
                let sizes = shapes(opcode, array, packing);
                let sizes = || sizes.iter().map(|shape| shape.registers.len() as u8);
                let size = AddressSize::of(opcode, array, packing);
                let size = size.unwrap_or_else(|| panic!("{}", opcode.name()));
                assert_eq!(Some(size.least), sizes().min(), "{}", opcode.name());
                assert_eq!(Some(size.most), sizes().max(), "{}", opcode.name());
                assert!(sizes().any(|it| it == size.usual), "{}", opcode.name());
            }
        }
    }
}
