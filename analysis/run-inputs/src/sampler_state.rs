//! Samplers of a file of inputs.

use sampler::{Compare, Filter, MipFilter, Sampler, Wrap};

use crate::{Mistake, Reader};

const FILTERS: [(&str, Filter); 2] = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];
const MIP_FILTERS: [(&str, MipFilter); 3] =
    [("none", MipFilter::None), ("nearest", MipFilter::Nearest), ("linear", MipFilter::Linear)];
const WRAPS: [(&str, Wrap); 8] = [
    ("repeat", Wrap::Repeat),
    ("mirror", Wrap::Mirror),
    ("clamp_to_edge", Wrap::ClampToEdge),
    ("mirror_clamp_to_edge", Wrap::MirrorClampToEdge),
    ("clamp", Wrap::Clamp),
    ("mirror_clamp", Wrap::MirrorClamp),
    ("clamp_to_border", Wrap::ClampToBorder),
    ("mirror_clamp_to_border", Wrap::MirrorClampToBorder),
];
const COMPARES: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("lequal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("notequal", Compare::NotEqual),
    ("gequal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

/// Reads the state of a sampler.
///
/// # Errors
/// A field that it has not, or a word that is none of the field's.
pub fn sampler_state(value: &Reader<'_>) -> Result<Sampler, Mistake> {
    let mut sampler = Sampler::default();
    for (name, value) in value.fields()? {
        match name.as_str() {
            "wrap" => sampler.wrap = value.choices(&WRAPS)?,
            "min" => sampler.minify = value.choice(&FILTERS)?,
            "mag" => sampler.magnify = value.choice(&FILTERS)?,
            "mip" => sampler.mip = value.choice(&MIP_FILTERS)?,
            "bias" => sampler.bias = value.float()?,
            "compare" => sampler.compare = value.choice(&COMPARES)?,
            "border" => sampler.border = value.vector()?,
            "lod" => match value.floats()?[..] {
                [least, greatest] => {
                    (sampler.least_detail, sampler.greatest_detail) = (least, greatest);
                }
                _ => return Err(value.mistake("the least and the greatest level".to_owned())),
            },
            other => {
                let known = "wrap, min, mag, mip, lod, bias, compare and border";
                return Err(value.mistake(format!("`{other}`: a sampler has {known}")));
            }
        }
    }
    Ok(sampler)
}
