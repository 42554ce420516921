//! Which era a stream is from.
//!
//! No stream says so, except that those of 2007 to 2009 begin with a version.
//! So it is read as each era in turn: the era with the fewest errors wins, and
//! of those the one in which the shader looks most like one of its stage.

use super::decode::survey;
use super::{Kind, Layout, fields};
use crate::Stage;
use crate::ast::{Declaration, Shader};
use crate::words::{File, SemanticName};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    /// The era.
    pub layout: Layout,
    /// Why, as a sentence without a full stop.
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
    let field = |word, name| fields::get(Layout::Y2007, Kind::Header, word, name) as usize;
    let fits = |at: usize, word| field(word, "HeaderSize") + field(word, "BodySize") + at;
    let padding = fields::get(Layout::Y2007, Kind::Version, *first, "Padding");
    padding == 0 && *first != 0 && fits(0, *first) != words.len() && fits(1, *second) == words.len()
}

fn best(words: &[u32], layouts: &[Layout], start: &str) -> Detection {
    let sample = &words[..words.len().min(LONGEST_SAMPLE)];
    let mut tried: Vec<(Layout, usize, i32, Option<Stage>)> = Vec::new();
    for layout in layouts {
        let (shader, errors) = survey(sample, *layout);
        // A stream whose stage is unknown is no reading at all.
        let errors = if shader.is_some() { errors } else { NO_READING };
        let likeness = shader.as_ref().map_or(i32::MIN, likeness);
        let stage = shader.as_ref().map(|shader| shader.stage.value);
        tried.push((*layout, errors, likeness, stage));
    }
    tried.sort_by_key(|(_, errors, likeness, _)| (*errors, std::cmp::Reverse(*likeness)));
    let Some((layout, errors, likeness, stage)) = tried.first().copied() else {
        return Detection { layout: Layout::Y2016, reason: start.to_owned() };
    };
    let stage = stage.map_or("no", Stage::word);
    let next = tried.get(1).copied();
    let reason = match next {
        _ if errors == NO_READING => format!("{start}, but in no era is it a shader"),
        Some((other, NO_READING, ..)) => {
            format!("{start}; read as {layout} it is a shader, read as {other} it is none")
        }
        Some((other, more, ..)) if more > errors => {
            format!("{start}; read as {layout} it has {errors} errors, as {other} {more}")
        }
        Some((other, _, less, Some(its))) if less < likeness => format!(
            "{start}; read as {layout} it looks like {stage}, read as {other} less like {its}"
        ),
        _ => format!("{start}; nothing tells {layout} from other years, {layout} is assumed"),
    };
    Detection { layout, reason }
}

/// How much a shader looks like one of the stage that its header names.
fn likeness(shader: &Shader) -> i32 {
    let stage = shader.stage.value;
    let mut points = 0;
    for property in shader.properties() {
        if let Some(name) = property.name {
            points += 4 * agreement(name.value.row().stages, stage);
        }
    }
    for instruction in shader.instructions() {
        points += 2 * agreement(instruction.opcode.value.row().stages, stage);
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

fn declared(declaration: &Declaration, stage: Stage) -> i32 {
    let semantic = declaration.semantic.map(|semantic| semantic.value.name);
    let interpolated = declaration.interpolation.is_some();
    match (declaration.file.value, semantic) {
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
