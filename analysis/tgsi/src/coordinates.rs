//! Components of a coordinate that each texture target uses, read from the target's row of
//! `data/words.tsv`.

use crate::ast::Component;
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
