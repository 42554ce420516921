//! Components of a coordinate that each texture target uses, read from the target's row of
//! `data/words.tsv`.

use crate::ast::Component;
use crate::opcodes::Lookup;
use crate::words::TextureTarget;

/// The parts of a coordinate operand for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coordinates {
    /// The number of leading components that are the place: position and layer.
    pub place: usize,
    /// The number of them that are the position, without the layer.
    pub position: usize,
    /// The place of the reference of a depth comparison; `None` without one, or where it is in an
    /// operand of its own.
    pub reference: Option<Component>,
    /// Set where depths are compared.
    pub compares: bool,
    /// Set where a sample is chosen, and not a level.
    pub samples: bool,
    /// Set where there are layers.
    pub layered: bool,
}

impl Coordinates {
    /// Returns the coordinates of a target. `UNKNOWN` says nothing, and uses all four.
    pub fn of(target: TextureTarget) -> Coordinates {
        COORDINATES[target as usize]
    }
}

include!(concat!(env!("OUT_DIR"), "/coordinates.rs"));

/// Returns what a look-up of a target has no component for: the reference that depths are
/// compared with, or what the look-up takes from w.
pub fn crowded_out(lookup: Lookup, target: TextureTarget) -> Option<&'static str> {
    let coordinates = Coordinates::of(target);
    let takes_w = target != TextureTarget::Unknown
        && (coordinates.place > 3 || coordinates.reference == Some(Component::W));
    let no_reference = coordinates.compares && coordinates.reference.is_none();
    match lookup {
        Lookup::Bias if takes_w => Some("the bias"),
        Lookup::Level if takes_w => Some("the level"),
        Lookup::Projected if takes_w => Some("the divisor"),
        Lookup::Implicit | Lookup::Zero | Lookup::Derivatives if no_reference => {
            Some("the reference")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_understood() {
        let of = |word: &str| Coordinates::of(TextureTarget::from_word(word).expect("a target"));
        assert_eq!((of("2D").place, of("2D").reference), (2, None));
        assert_eq!((of("RECT").place, of("RECT").compares), (2, false));
        let layers = of("SHADOW2D_ARRAY");
        assert_eq!((layers.place, layers.position), (3, 2));
        assert_eq!((layers.reference, layers.layered), (Some(Component::W), true));
        let cubes = of("SHADOWCUBEARRAY");
        assert_eq!((cubes.place, cubes.reference, cubes.compares), (4, None, true));
        assert!(of("2D_MSAA").samples && !of("CUBE").samples);
        assert_eq!(of("BUFFER").place, 1);
        assert_eq!(of("UNKNOWN").place, 4);
    }
}
