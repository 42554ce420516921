//! Addresses of image instructions: what stands in their registers, and in which order.
//!
//! The encoding says neither the dimension nor the number of address registers:
//! they follow from the resource, which only a program knows at run time. So the
//! dimension is a question here, not an answer.

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

/// Returns the components of an image instruction's address, a register each. `None` where
/// the operation takes no image of that shape, or is none of images.
pub fn address(opcode: Opcode, dimension: Dimension) -> Option<Vec<&'static str>> {
    use OpGroup::*;
    let multisample = matches!(dimension, Dimension::Multisample | Dimension::MultisampleArray);
    let own = opcode.suffixes();
    let is_flat = matches!(dimension, Dimension::Two | Dimension::Cube | Dimension::TwoArray);
    let takes_dimension = match opcode.group()? {
        ImageSize | ImageLoad | ImageStore | ImageAtomic => true,
        ImageSample | ImageLevel => !multisample,
        ImageGather => is_flat,
        Reversed => false,
    };
    if !takes_dimension {
        return None;
    }
    let (coordinates, spatial) = dimension.coordinates();
    let body = match opcode.group() {
        Some(ImageSize) => &["level"],
        _ => coordinates,
    };
    let has = |word: &str| own.iter().any(|suffix| suffix.word == word);
    if multisample && has("mip") {
        return None;
    }
    // The rows of the table are in the order of the address.
    let front = Suffix::all().iter().filter(|it| it.place == SuffixPlace::Front && has(it.word));
    let mut registers: Vec<&'static str> = front.map(|suffix| suffix.component).collect();
    if own.iter().any(|suffix| suffix.place == SuffixPlace::Derivatives) {
        registers.extend(&["dx/dh", "dy/dh", "dz/dh"][..spatial]);
        registers.extend(&["dx/dv", "dy/dv", "dz/dv"][..spatial]);
    }
    registers.extend(body);
    let behind = own.iter().filter(|suffix| suffix.place == SuffixPlace::Body);
    registers.extend(behind.map(|suffix| suffix.component));
    Some(registers)
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
}
