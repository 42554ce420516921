//! Addresses of image instructions: what stands in their registers, and in which order.
//!
//! The encoding says neither the dimension nor the number of address registers:
//! they follow from the resource, which only a program knows at run time. So the
//! dimension is a question here, not an answer.

use isa::gcn::names::SuffixPlace;
use isa::gcn::{Group, Suffix};

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

/// The width of the numbers of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// One in a register.
    Whole,
    /// Two halves in a register: the modifier `a16` of gfx9. Offsets, bias and
    /// reference keep a register each.
    Halves,
}

/// Returns the components of an image instruction's address, register by register: each
/// has one name, or with halves up to two, the low one first. `None` where the
/// operation takes no image of that shape, or is none of images.
pub fn address(
    opcode: Opcode,
    dimension: Dimension,
    width: Width,
) -> Option<Vec<Vec<&'static str>>> {
    let multisample = matches!(dimension, Dimension::Multisample | Dimension::MultisampleArray);
    let own = opcode.suffixes();
    let is_flat = matches!(dimension, Dimension::Two | Dimension::Cube | Dimension::TwoArray);
    let takes_dimension = match opcode.group()? {
        Group::ImageSize | Group::ImageLoad | Group::ImageStore | Group::ImageAtomic => true,
        Group::ImageSample | Group::ImageLevel => !multisample,
        Group::ImageGather => is_flat,
        Group::Reversed => false,
    };
    if !takes_dimension {
        return None;
    }
    let (coordinates, spatial) = dimension.coordinates();
    let mut body = match opcode.group() {
        Some(Group::ImageSize) => vec!["level"],
        _ => coordinates.to_vec(),
    };
    let has = |word: &str| own.iter().any(|suffix| suffix.word == word);
    if multisample && has("mip") {
        return None;
    }
    let behind = own.iter().filter(|suffix| suffix.place == SuffixPlace::Body);
    body.extend(behind.map(|suffix| suffix.component));
    // The rows of the table are in the order of the address.
    let mut registers: Vec<Vec<&'static str>> = Suffix::all()
        .iter()
        .filter(|row| row.place == SuffixPlace::Front && has(row.word))
        .map(|row| vec![row.component])
        .collect();
    let mut push = |components: &[&'static str]| match width {
        Width::Whole => registers.extend(components.iter().map(|one| vec![*one])),
        Width::Halves => registers.extend(components.chunks(2).map(<[_]>::to_vec)),
    };
    if own.iter().any(|suffix| suffix.place == SuffixPlace::Derivatives) {
        // Each direction of the screen begins a register.
        push(&["dx/dh", "dy/dh", "dz/dh"][..spatial]);
        push(&["dx/dv", "dy/dv", "dz/dv"][..spatial]);
    }
    push(&body);
    Some(registers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(name: &str, dimension: Dimension, width: Width) -> String {
        let opcode = Opcode::named(name).expect(name);
        let registers = address(opcode, dimension, width).unwrap_or_default();
        registers.iter().map(|it| it.join("+")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn addresses_are_in_order() {
        let whole = |name, dimension| show(name, dimension, Width::Whole);
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
        assert_eq!(address(Opcode::image_gather4, Dimension::Three, Width::Whole), None);
        assert_eq!(address(Opcode::image_sample, Dimension::Multisample, Width::Whole), None);
        assert_eq!(address(Opcode::buffer_load_dword, Dimension::Two, Width::Whole), None);
    }

    #[test]
    fn halves_share_registers() {
        let halves = |name, dimension| show(name, dimension, Width::Halves);
        assert_eq!(halves("image_sample_l", Dimension::Two), "x+y level");
        assert_eq!(
            halves("image_sample_c_d_o", Dimension::Three),
            "offsets reference dx/dh+dy/dh dz/dh dx/dv+dy/dv dz/dv x+y z"
        );
        assert_eq!(halves("image_load_mip", Dimension::TwoArray), "x+y layer+level");
    }
}
