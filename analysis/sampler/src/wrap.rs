//! Wrap modes: the texels along one axis that a coordinate chooses.

use crate::sampler::Filter;

/// The wrap mode: the texels beyond the edges of a texture, along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture mirrored, then again, and so on.
    Mirror,
    /// Its outermost texels.
    ClampToEdge,
    /// The texture mirrored once, then the outermost texels of that.
    MirrorClampToEdge,
    /// Half the border: a filter at the edge blends texel and border equally.
    Clamp,
    /// The texture mirrored once, then half the border.
    MirrorClamp,
    /// The border.
    ClampToBorder,
    /// The texture mirrored once, then the border.
    MirrorClampToBorder,
}

impl Wrap {
    /// All, in the order of their numbers in the samplers of GCN.
    pub const ALL: [Wrap; 8] = [
        Wrap::Repeat,
        Wrap::Mirror,
        Wrap::ClampToEdge,
        Wrap::MirrorClampToEdge,
        Wrap::Clamp,
        Wrap::MirrorClamp,
        Wrap::ClampToBorder,
        Wrap::MirrorClampToBorder,
    ];

    /// The texel that a number means, of `size` texels; `None` is the border.
    fn texel(self, number: i64, size: i64, filter: Filter) -> Option<i64> {
        // About the edge at 0: -1 is 0 again.
        let mirrored = |number: i64| if number < 0 { !number } else { number };
        let number = match self {
            Wrap::Repeat => number.rem_euclid(size),
            Wrap::Mirror => {
                let number = number.rem_euclid(2 * size);
                if number < size { number } else { 2 * size - 1 - number }
            }
            Wrap::ClampToEdge => number.clamp(0, size - 1),
            Wrap::MirrorClampToEdge => mirrored(number).min(size - 1),
            // The coordinate was clamped; only a filter reaches the border.
            Wrap::Clamp | Wrap::MirrorClamp if filter == Filter::Nearest => number.min(size - 1),
            Wrap::MirrorClamp | Wrap::MirrorClampToBorder => mirrored(number),
            Wrap::Clamp | Wrap::ClampToBorder => number,
        };
        (0..size).contains(&number).then_some(number)
    }
}

/// The two neighbours that a coordinate lies between along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Taps {
    /// Their numbers; `None` is the border. [`Filter::Nearest`] gives one twice.
    pub(crate) texels: [Option<i64>; 2],
    /// The numbers before wrapping.
    pub(crate) numbers: [i64; 2],
    /// The weight of the second, from 0 to 1; 0 for [`Filter::Nearest`].
    pub(crate) weight: f64,
}

/// The texels that a coordinate means, in texels from the first one's edge.
/// Products of singles with sizes are exact in doubles, and so are the weights.
pub(crate) fn taps(wrap: Wrap, coordinate: f64, size: u32, filter: Filter) -> Taps {
    let size_of = f64::from(size);
    let coordinate = match wrap {
        _ if coordinate.is_nan() => 0.0,
        Wrap::Clamp => coordinate.clamp(0.0, size_of),
        Wrap::MirrorClamp => coordinate.abs().min(size_of),
        _ => coordinate,
    };
    // A linear filter blends the texels whose centres, at halves, lie around the coordinate.
    let half = if filter == Filter::Linear { 0.5 } else { 0.0 };
    let first = (coordinate - half).floor();
    // The conversion saturates: a coordinate far out keeps its side.
    let number = first as i64;
    let (second, weight) = match filter {
        Filter::Nearest => (number, 0.0),
        // Far out there is nothing between two numbers.
        Filter::Linear if !first.is_finite() => (number, 0.0),
        Filter::Linear => (number.saturating_add(1), coordinate - half - first),
    };
    let numbers = [number, second];
    let texels = numbers.map(|number| wrap.texel(number, size.into(), filter));
    Taps { texels, numbers, weight }
}
