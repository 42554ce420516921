//! Storage images in lavapipe's words.

use diff_exec::ExplicitInputs;
use lavapipe::{Dimension, Image, Numbers, Texels};
use lower::{Shape, ShapeKind};
use spirv::layout::FIRST_IMAGE;
use tgsi::ast::Shader;
use tgsi::formats::{ChannelKind, Format};
use tgsi_interp::{DeclaredImages, Resources};

use super::LavapipeError;

/// The words of the texels of an image, and the image that they are of.
struct Contents<'a> {
    shape: Shape,
    texels: Texels,
    image: &'a tgsi_interp::Image,
}

fn contents<'a>(
    shader: &Shader,
    number: u32,
    inputs: &'a ExplicitInputs,
) -> Result<Contents<'a>, LavapipeError> {
    let not_passed = |what: &str| LavapipeError::NotPassed(format!("IMAGE[{number}]: {what}"));
    let declared = declared(shader, number).ok_or_else(|| not_passed("it is not declared"))?;
    let texels = texels(declared.format);
    let texels = texels.ok_or_else(|| not_passed("its format stores other words"))?;
    let shape = Shape::of(declared.target).ok_or_else(|| not_passed("it has no kind"))?;
    let image = inputs.resources.images.get(number as usize).and_then(Option::as_ref);
    let image = image.ok_or_else(|| not_passed("it is missing, and Vulkan needs one"))?;
    let count = image.size.iter().map(|side| u64::from(*side)).product::<u64>();
    if count == 0 || count != image.texels.len() as u64 {
        return Err(not_passed("not all of its texels are there"));
    }
    Ok(Contents { shape, texels, image })
}

/// The declaration of an image.
fn declared(shader: &Shader, number: u32) -> Option<DeclaredImages> {
    DeclaredImages::all(shader).into_iter().find(|own| own.numbers.contains(number))
}

/// The texels of a format whose components are words, as they are where there is no format;
/// `None` of others, which round.
fn texels(format: Option<&Format>) -> Option<Texels> {
    let Some(format) = format.filter(|format| format.name != "PIPE_FORMAT_NONE") else {
        return Some(Texels { numbers: Numbers::Float, components: 4 });
    };
    let [first, ..] = format.channels else { return None };
    let is_alike = format.channels.iter().all(|it| it == first);
    let components = u32::try_from(format.channels.len()).ok()?;
    let is_plain = format.layout == "plain" && format.color_space == "rgb";
    if !is_plain || !is_alike || first.bits != 32 || !matches!(components, 1 | 2 | 4) {
        return None;
    }
    let numbers = match first.kind {
        ChannelKind::Float => Numbers::Float,
        ChannelKind::Signed => Numbers::Signed,
        ChannelKind::Unsigned => Numbers::Unsigned,
        _ => return None,
    };
    // Components in another order are no format of Vulkan.
    format
        .swizzle
        .starts_with(&"xyzw"[..components as usize])
        .then_some(Texels { numbers, components })
}

impl Contents<'_> {
    fn words(&self) -> Vec<u32> {
        let components = self.texels.components as usize;
        self.image.texels.iter().flat_map(|texel| texel[..components].iter().copied()).collect()
    }
}

/// The image of a number.
pub(super) fn image(
    shader: &Shader,
    number: u32,
    inputs: &ExplicitInputs,
) -> Result<Image, LavapipeError> {
    let not_passed = |what: &str| LavapipeError::NotPassed(format!("IMAGE[{number}]: {what}"));
    let contents = contents(shader, number, inputs)?;
    let shape = contents.shape;
    let [width, height, depth] = contents.image.size;
    let (dimension, size) = match (shape.kind, shape.axes, shape.layered) {
        (ShapeKind::Cube, _, layered) => {
            if width != height || depth % 6 != 0 || (!layered && depth != 6) {
                return Err(not_passed("a cube whose faces are not six squares"));
            }
            let dimension = if layered { Dimension::CubeArray } else { Dimension::Cube };
            (dimension, contents.image.size)
        }
        (ShapeKind::Multisample | ShapeKind::Buffer, ..) => {
            return Err(not_passed("a kind that has several samples"));
        }
        // Layers follow the axes.
        (_, 1, true) => (Dimension::OneArray, [width, 1, height]),
        (_, 1, false) => (Dimension::One, [width, 1, 1]),
        (_, 2, true) => (Dimension::TwoArray, contents.image.size),
        (_, 2, false) => (Dimension::Two, [width, height, 1]),
        _ => (Dimension::Three, contents.image.size),
    };
    // Texels beyond what the kind can name are nowhere.
    if size.iter().product::<u32>() as usize != contents.image.texels.len() {
        return Err(not_passed("it has more axes than its kind"));
    }
    let (binding, words) = (FIRST_IMAGE + number, contents.words());
    Ok(Image { binding, dimension, texels: contents.texels, size, words })
}

/// The texels of an image that is a buffer.
pub(super) fn texel_buffer(
    shader: &Shader,
    number: u32,
    inputs: &ExplicitInputs,
) -> Result<(Texels, Vec<u32>), LavapipeError> {
    let contents = contents(shader, number, inputs)?;
    Ok((contents.texels, contents.words()))
}

/// Gives images the words that they have after a run, by their bindings.
pub(super) fn take_over<'a>(
    shader: &Shader,
    resources: &mut Resources,
    words: impl Fn(u32) -> Option<&'a [u32]>,
) {
    for (number, image) in (0..).zip(&mut resources.images) {
        let (Some(image), Some(words)) = (image, words(FIRST_IMAGE + number)) else { continue };
        let format = declared(shader, number).and_then(|own| own.format);
        // What came back had gone there.
        let Some(Texels { components, .. }) = texels(format) else { continue };
        for (texel, words) in image.texels.iter_mut().zip(words.chunks_exact(components as usize)) {
            texel[..words.len()].copy_from_slice(words);
        }
    }
}
