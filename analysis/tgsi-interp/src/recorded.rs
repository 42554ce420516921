//! Texture look-ups under a deterministic model, made to compare interpreters
//! and not to look like a filter: every look-up takes one texel, chosen by the
//! coordinates times the size, rounded down and wrapped into the texture, on
//! every axis and for every target. Faces of cubes, layers, comparisons and
//! levels play no part. A unit without a texture answers with the coordinates
//! themselves, so that their computation is seen.

use tgsi::opcodes::ValueType;

use crate::float::Computed;
use crate::lookup::{Context, Level, LookupKind, Projection, Scalar, coordinates};
use crate::registers::{EMPTY, LANES, Register};
use crate::resources::Image;

/// Returns the texels of every lane.
pub(crate) fn look_up(context: &Context<'_>, boxes: &[Option<Image>]) -> Register {
    let (count, reference) = coordinates(context.target);
    let mut result = EMPTY;
    let kind = context.lookup.kind;
    let arguments = match kind {
        LookupKind::Detail | LookupKind::SamplePosition => return result,
        LookupKind::Samples => return [[1; LANES], [0; LANES], [0; LANES], [0; LANES]],
        LookupKind::Fetch { .. } | LookupKind::Size => texel_numbers(context, count),
        LookupKind::Sample { .. } | LookupKind::Gather => filtered(context, kind, count, reference),
    };
    for lane in 0..LANES {
        let at = arguments.map(|argument| argument[lane]);
        let unit = context.unit(context.lookup.texture, lane);
        let image = unit.and_then(|unit| boxes.get(unit)?.as_ref());
        let offsets = context.offsets(0, lane).map(i64::from);
        let texel = match (image, kind) {
            (Some(image), LookupKind::Size) => {
                let [width, height, depth] = image.size;
                [width, height, depth, 1]
            }
            (Some(image), LookupKind::Fetch { .. }) => {
                let number = |axis: usize| i64::from(at[axis] as i32) + offsets[axis];
                image.texel([number(0), number(1), number(2)])
            }
            (Some(image), _) => image.texel(place(image, at, offsets)),
            (None, LookupKind::Fetch { .. } | LookupKind::Size) => [0; 4],
            (None, _) => at,
        };
        for component in 0..4 {
            result[component][lane] = texel[component];
        }
    }
    result
}

fn texel_numbers(context: &Context<'_>, count: usize) -> [[u32; LANES]; 4] {
    std::array::from_fn(|axis| match axis {
        0..3 if axis < count => context.fetch(0, axis, ValueType::Signed),
        _ => [0; LANES],
    })
}

/// The four numbers that choose a texel or would be compared.
fn filtered(
    context: &Context<'_>,
    kind: LookupKind,
    count: usize,
    reference: Option<usize>,
) -> [[u32; LANES]; 4] {
    let (level, projection) = match kind {
        LookupKind::Sample { level, projection, .. } => (level, projection),
        _ => (Level::Implicit, Projection::No),
    };
    let divisor = match projection {
        Projection::ByW => context.floats(0, 3),
        Projection::No => [1.0; LANES],
    };
    // Where w is taken, there is no fourth coordinate.
    let taken = projection == Projection::ByW
        || matches!(
            level,
            Level::Bias(Scalar::CoordinateW) | Level::Given(Scalar::CoordinateW) | Level::Zero
        );
    let free = if taken { 3 } else { 4 };
    std::array::from_fn(|axis| {
        if axis >= free || axis >= count && Some(axis) != reference {
            return [0; LANES];
        }
        let values = context.fetch(0, axis, ValueType::Float);
        match projection {
            Projection::ByW => {
                std::array::from_fn(|lane| (f32::from_bits(values[lane]) / divisor[lane]).bits())
            }
            Projection::No => values,
        }
    })
}

/// The texel that coordinates choose. Numbers that fit no integer count as the
/// least one, as on the processors that the model was recorded on.
fn place(image: &Image, at: [u32; 4], offsets: [i64; 3]) -> [i64; 3] {
    std::array::from_fn(|axis| {
        let size = i64::from(image.size[axis].max(1));
        let scaled = (f32::from_bits(at[axis]) * size as f32).floor();
        let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&scaled);
        let number = if fits { scaled as i64 } else { i64::from(i32::MIN) };
        (number + offsets[axis]).rem_euclid(size)
    })
}
