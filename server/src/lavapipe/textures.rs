//! Textures and samplers in lavapipe's words.

use diff_exec::ExplicitInputs;
use lavapipe::{Dimension, Filter, MipFilter, Numbers, Sampler, Texels, Texture, Wrap};
use lower::Shape;
use spirv::layout::FIRST_SAMPLER;
use tgsi::ast::Shader;
use tgsi::opcodes::Lookup;
use tgsi::words::File;
use tgsi_interp::Textures;

use super::LavapipeError;

fn sampled(inputs: &ExplicitInputs) -> Option<&tgsi_interp::Sampled> {
    match &inputs.resources.textures {
        Textures::Sampled(sampled) => Some(sampled),
        Textures::Recorded(_) => None,
    }
}

/// The texture of a unit.
fn texture_of(inputs: &ExplicitInputs, unit: u32) -> Option<&sampler::Texture> {
    sampled(inputs)?.textures.get(unit as usize)?.as_ref()
}

/// The texels of a unit that is a buffer.
pub(super) fn texel_buffer(
    unit: u32,
    inputs: &ExplicitInputs,
) -> Result<(Texels, Vec<u32>), LavapipeError> {
    let missing = || LavapipeError::NotPassed(format!("texture {unit}: it is not a buffer"));
    let texture = texture_of(inputs, unit).ok_or_else(missing)?;
    if texture.shape().dimension != sampler::Dimension::Buffer {
        return Err(missing());
    }
    let all = (0..texture.shape().size[0] as i32).flat_map(|x| texture.fetch([x, 0, 0], 0, 0));
    let texels = Texels { numbers: numbers(texture.numbers()), components: 4 };
    Ok((texels, all.collect()))
}

fn numbers(numbers: sampler::Numbers) -> Numbers {
    match numbers {
        sampler::Numbers::Float | sampler::Numbers::Normalized => Numbers::Float,
        sampler::Numbers::Signed => Numbers::Signed,
        sampler::Numbers::Unsigned => Numbers::Unsigned,
    }
}

/// Tells whether instructions compare with a texture, and whether others only look it up.
fn uses(shader: &Shader, unit: u32) -> [bool; 2] {
    let mut uses = [false; 2];
    for instruction in shader.instructions() {
        let reads = instruction.sources.iter().any(|source| {
            matches!(source.register.file, File::Sampler | File::SamplerView | File::Resource)
                && source.register.number().is_none_or(|number| number == unit)
        });
        let lookup = instruction.info().lookup;
        if !reads || lookup.asks() {
            continue;
        }
        let target = instruction.target.map(|target| target.value);
        let reference = target.and_then(Shape::of).and_then(|shape| shape.reference);
        let compares = matches!(lookup, Lookup::Compared | Lookup::ComparedZero);
        uses[usize::from(reference.is_none() && !compares)] = true;
    }
    uses
}

/// The texture of a unit with its sampler.
pub(super) fn texture(
    shader: &Shader,
    unit: u32,
    inputs: &ExplicitInputs,
) -> Result<Texture, LavapipeError> {
    use sampler::Dimension as Kind;
    let not_passed = |what: &str| LavapipeError::NotPassed(format!("texture {unit}: {what}"));
    let binding = FIRST_SAMPLER + unit;
    let state = sampled(inputs).and_then(|all| all.samplers.get(unit as usize));
    let state = state.copied().unwrap_or_default();
    let (compares, looks_up) = match uses(shader, unit) {
        [true, true] => return Err(not_passed("compared with, and looked up as well")),
        [compares, looks_up] => (compares, looks_up),
    };
    let Some(texture) = texture_of(inputs, unit) else {
        let has_view = shader.declarations().any(|declaration| {
            let range = declaration.range.value;
            declaration.file.value == File::SamplerView
                && (range.first..=range.last).contains(&unit)
        });
        if has_view {
            return Err(not_passed("it is missing, and Vulkan needs one"));
        }
        // The sampler alone is used, beside another texture.
        let sampler = sampler_state(&state, compares).map_err(not_passed)?;
        let levels = vec![vec![[0; 4]]];
        let (dimension, numbers, size) = (Dimension::Two, Numbers::Float, [1; 3]);
        return Ok(Texture { binding, dimension, numbers, size, levels, sampler });
    };
    let shape = texture.shape();
    let dimension = match shape.dimension {
        Kind::One => Dimension::One,
        Kind::OneArray => Dimension::OneArray,
        Kind::Two => Dimension::Two,
        Kind::TwoArray => Dimension::TwoArray,
        Kind::Three => Dimension::Three,
        Kind::Cube => Dimension::Cube,
        Kind::CubeArray => Dimension::CubeArray,
        Kind::Buffer | Kind::Multisample | Kind::MultisampleArray => {
            return Err(not_passed("a kind that is not sampled"));
        }
    };
    let compares = compares && !looks_up;
    let numbers = if compares { Numbers::Depth } else { numbers(texture.numbers()) };
    let levels = (0..shape.levels).map(|level| {
        let [width, height, depth] = shape.level_size(level).map(|side| side as i32);
        let mut texels = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    texels.push(texture.fetch(place(shape.dimension, [x, y, z]), level, 0));
                }
            }
        }
        texels
    });
    let levels = levels.collect();
    let sampler = sampler_state(&state, compares).map_err(not_passed)?;
    Ok(Texture { binding, dimension, numbers, size: shape.size, levels, sampler })
}

/// The coordinates by which a texel of a box is fetched: the axes, then the layer.
fn place(dimension: sampler::Dimension, [x, y, z]: [i32; 3]) -> [i32; 3] {
    match dimension.axes() {
        1 if dimension.is_layered() => [x, z, 0],
        _ => [x, y, z],
    }
}

/// A sampler in lavapipe's words; what of it Vulkan does not have.
fn sampler_state(state: &sampler::Sampler, compares: bool) -> Result<Sampler, &'static str> {
    use sampler::Wrap as Mode;
    let mut wrap = [Wrap::Repeat; 3];
    for (wrap, own) in wrap.iter_mut().zip(state.wrap) {
        *wrap = match own {
            Mode::Repeat => Wrap::Repeat,
            Mode::Mirror => Wrap::Mirror,
            Mode::ClampToEdge => Wrap::ClampToEdge,
            Mode::MirrorClampToEdge => Wrap::MirrorClampToEdge,
            Mode::ClampToBorder if state.border == [0; 4] => Wrap::ClampToZero,
            _ => return Err("a wrap mode or border that Vulkan does not have"),
        };
    }
    let filter = |filter| match filter {
        sampler::Filter::Nearest => Filter::Nearest,
        sampler::Filter::Linear => Filter::Linear,
    };
    let compare = sampler::Compare::ALL.iter().position(|it| *it == state.compare);
    Ok(Sampler {
        wrap,
        minify: filter(state.minify),
        magnify: filter(state.magnify),
        mip: match state.mip {
            sampler::MipFilter::None => MipFilter::None,
            sampler::MipFilter::Nearest => MipFilter::Nearest,
            sampler::MipFilter::Linear => MipFilter::Linear,
        },
        least_detail: state.least_detail.to_bits(),
        greatest_detail: state.greatest_detail.to_bits(),
        bias: state.bias.to_bits(),
        compare: compare.filter(|_| compares).map(|it| it as u32),
    })
}
