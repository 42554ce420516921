//! The era that a stream is from.
//!
//! No stream says so, except that those of 2007 to 2009 begin with a version.
//! So it is read as each era in turn: the era with the fewest errors wins, of
//! those the one with the fewest words that its builders do not make, and of
//! those the one in which the shader looks most like one of its stage.

use super::decode::survey;
use super::{Layout, TokenType, fields};
use crate::Stage;
use crate::ast::{Declaration, Shader};
use crate::words::{File, SemanticName};

/// The result of the detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    /// The era.
    pub layout: Layout,
    /// The reason, as a sentence without a full stop.
    pub reason: String,
}

/// A stream is read this far to find its era.
const LONGEST_SAMPLE: usize = 1 << 16;

/// As many errors as no stream has.
const NO_READING: usize = usize::MAX;

/// Eras are tried in this order; of equally good ones the first is taken.
const WITHOUT_VERSION: [Layout; 4] = [Layout::Y2016, Layout::Y2022, Layout::Y2012, Layout::Y2009];

/// Finds the era of a stream.
pub fn detect(words: &[u32]) -> Detection {
    if has_version(words) {
        return best(words, &[Layout::Y2008, Layout::Y2007], "it begins with a version word");
    }
    best(words, &WITHOUT_VERSION, "it begins with a header")
}

/// A version word is followed by a header whose size adds up with it before.
fn has_version(words: &[u32]) -> bool {
    let [first, second, ..] = words else { return false };
    let field = |word, name| fields::get(Layout::Y2007, TokenType::Header, word, name) as usize;
    let fits = |at: usize, word| field(word, "HeaderSize") + field(word, "BodySize") + at;
    let padding = fields::get(Layout::Y2007, TokenType::Version, *first, "Padding");
    padding == 0 && *first != 0 && fits(0, *first) != words.len() && fits(1, *second) == words.len()
}

/// A stream read as an era.
struct Reading {
    layout: Layout,
    errors: usize,
    oddities: usize,
    likeness: i32,
    stage: Option<Stage>,
}

impl Reading {
    fn new(words: &[u32], layout: Layout) -> Reading {
        let (shader, errors, oddities) = survey(words, layout);
        Reading {
            layout,
            // A stream whose stage is unknown is not a reading at all.
            errors: if shader.is_some() { errors } else { NO_READING },
            oddities,
            likeness: shader.as_ref().map_or(i32::MIN, likeness),
            stage: shader.as_ref().map(|shader| shader.stage.value),
        }
    }
}

fn best(words: &[u32], layouts: &[Layout], start: &str) -> Detection {
    let sample = &words[..words.len().min(LONGEST_SAMPLE)];
    let mut tried: Vec<Reading> =
        layouts.iter().map(|layout| Reading::new(sample, *layout)).collect();
    tried.sort_by_key(|it| (it.errors, it.oddities, std::cmp::Reverse(it.likeness)));
    let Some(first) = tried.first() else {
        return Detection { layout: Layout::Y2016, reason: start.to_owned() };
    };
    let Reading { layout, errors, oddities, likeness, .. } = *first;
    let stage = first.stage.map_or("no", Stage::word);
    let reason = match tried.get(1) {
        _ if errors == NO_READING => format!("{start}, but in no era is it a shader"),
        Some(Reading { layout: other, errors: NO_READING, .. }) => {
            format!("{start}; read as {layout} it is a shader, read as {other} it is none")
        }
        Some(Reading { layout: other, errors: more, .. }) if *more > errors => {
            format!("{start}; read as {layout} it has {errors} errors, as {other} {more}")
        }
        Some(Reading { layout: other, oddities: more, .. }) if *more > oddities => {
            format!("{start}; read as {layout} it has {oddities} unusual words, as {other} {more}")
        }
        Some(Reading { layout: other, likeness: less, stage: Some(its), .. })
            if *less < likeness =>
        {
            format!(
                "{start}; read as {layout} it looks like {stage}, read as {other} less like {its}"
            )
        }
        _ => format!("{start}; nothing tells {layout} from other years, {layout} is assumed"),
    };
    Detection { layout, reason }
}

/// Returns how much a shader looks like one of the stage that its header names.
fn likeness(shader: &Shader) -> i32 {
    let stage = shader.stage.value;
    let mut points = 0;
    for property in shader.properties() {
        if let Some(name) = property.name {
            points += 4 * agreement(name.value.row().stages, stage);
        }
    }
    for instruction in shader.instructions() {
        points += 2 * agreement(instruction.info().stages, stage);
        points += instruction.format.iter().map(|format| stored(&format.value)).sum::<i32>();
    }
    points + shader.declarations().map(|it| declared(it, stage)).sum::<i32>()
}

/// 1 where a table names the stage, -1 where it names others, 0 for any.
fn agreement(stages: &str, stage: Stage) -> i32 {
    if stages.starts_with("any") || stages.is_empty() {
        return 0;
    }
    let words = stages.split([' ', ',']).filter(|word| !word.is_empty());
    if words.into_iter().any(|word| word == stage.word()) { 1 } else { -1 }
}

/// Points for an image format. Formats were renumbered twice, and in the wrong
/// era a number is mostly one that no shader can store to.
fn stored(format: &str) -> i32 {
    if is_stored(format) { 1 } else { -4 }
}

/// Tells whether the shading languages have the format for images: one, two or four channels of the
/// same width, or one of three packed ones.
fn is_stored(format: &str) -> bool {
    const PACKED: [&str; 4] = ["NONE", "R11G11B10_FLOAT", "R10G10B10A2_UNORM", "R10G10B10A2_UINT"];
    let name = format.trim_start_matches("PIPE_FORMAT_");
    let Some((channels, kind)) = name.split_once('_') else { return PACKED.contains(&name) };
    let plain = ["8", "16", "32"].iter().any(|width| {
        let of =
            |letters: &str| letters.chars().map(|it| format!("{it}{width}")).collect::<String>();
        ["R", "RG", "RGBA"].iter().any(|letters| of(letters) == channels)
    });
    let kinds = ["UNORM", "SNORM", "UINT", "SINT", "FLOAT"];
    plain && kinds.contains(&kind) || PACKED.contains(&name)
}

fn declared(declaration: &Declaration, stage: Stage) -> i32 {
    let semantic = declaration.semantic.map(|semantic| semantic.value.name);
    let interpolated = declaration.interpolation.is_some();
    match (declaration.file.value, semantic) {
        (File::Image, _) => {
            let format = declaration.image.as_ref().and_then(|image| image.format.as_ref());
            format.map_or(0, |format| stored(&format.value))
        }
        (File::Input, semantic) => match (stage, semantic) {
            (Stage::Compute, _) => -4,
            (Stage::Vertex, None) if !interpolated => 2,
            (Stage::Vertex, _) => -4,
            (Stage::Fragment, Some(_)) if interpolated => 4,
            (Stage::Fragment, None) => -4,
            (_, _) if interpolated => -2,
            (_, Some(_)) => 1,
            (_, None) => -1,
        },
        (File::Output, _) if stage == Stage::Compute => -4,
        // Since 2008 an output or system value without a semantic is no use.
        (File::Output | File::SystemValue, None) => -3,
        (File::Output, Some(SemanticName::TessellationOuter | SemanticName::TessellationInner)) => {
            if stage == Stage::TessellationControl {
                4
            } else {
                -4
            }
        }
        (File::Output, Some(SemanticName::Color | SemanticName::Stencil)) => {
            i32::from(stage == Stage::Fragment)
        }
        (File::Output, Some(SemanticName::Generic | SemanticName::PointSize)) => {
            if stage == Stage::Fragment { -2 } else { 1 }
        }
        (File::SystemValue, Some(name)) => 2 * agreement(name.row().stages, stage),
        (File::Memory, _) => {
            if stage == Stage::Compute {
                2
            } else {
                -2
            }
        }
        _ => 0,
    }
}
