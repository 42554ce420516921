//! Lines of GLSL before `main`: what they declare has the numbers of its TGSI in its name.

use crate::ast::{Declaration, Shader, StatementKind};
use crate::words::{File, PropertyName, SemanticName};

use super::needs;

/// The statement that a line before `main` comes from, by its place among the shader's
/// statements; `None` of what every shader has, and of what is not certain.
pub(super) fn declared(shader: &Shader, line: &str) -> Option<usize> {
    let line = line.trim();
    if line.starts_with("#version") || line.starts_with("precision ") {
        return None;
    }
    if !line.starts_with('#') {
        if let Some(place) = of_layout(shader, line) {
            return Some(place);
        }
        let words = line.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        for word in words {
            if let Some(found) = of_name(shader, word, line) {
                return Some(found);
            }
        }
    }
    needs::need_of_line(line).and_then(|need| need.first_statement(shader))
}

/// The property that a layout of a whole stage comes from.
fn of_layout(shader: &Shader, line: &str) -> Option<usize> {
    let name = match line {
        _ if line.contains("local_size_x") => PropertyName::BlockWidth,
        _ if line.starts_with("layout(vertices") => PropertyName::ControlVerticesOut,
        _ if line.contains("max_vertices") => PropertyName::GeometryMaxOutputVertices,
        _ => return None,
    };
    shader.statements.iter().position(|statement| {
        matches!(&statement.kind, StatementKind::Property(it)
            if it.name.is_some_and(|own| own.value == name))
    })
}

/// The kinds of names: what stands between the stage and the number.
const RESOURCES: [(&str, File); 8] = [
    ("samp", File::SamplerView),
    ("shadmask", File::SamplerView),
    ("shadadd", File::SamplerView),
    ("img", File::Image),
    ("ssbo", File::Buffer),
    ("ssbocontents", File::Buffer),
    ("const", File::Constant),
    ("ubo", File::Constant),
];
/// Words that name a stage, in front of a resource's number.
const STAGES: [&str; 6] = ["vs", "fs", "gs", "tc", "te", "cs"];
/// Values between stages, by the letters after the last underscore.
const VARYINGS: [(&str, SemanticName); 6] = [
    ("g", SemanticName::Generic),
    ("c", SemanticName::Color),
    ("bc", SemanticName::BackColor),
    ("t", SemanticName::TextureCoordinate),
    ("f", SemanticName::Fog),
    ("patch", SemanticName::Patch),
];

fn of_name(shader: &Shader, word: &str, line: &str) -> Option<usize> {
    let digits = word.find(|it: char| it.is_ascii_digit())?;
    let (name, number) = word.split_at(digits);
    let number: u32 = number.parse().ok()?;
    let position = |fits: &dyn Fn(&Declaration) -> bool| {
        shader.statements.iter().position(
            |statement| matches!(&statement.kind, StatementKind::Declaration(it) if fits(it)),
        )
    };
    let numbered =
        |file: File| position(&|it| it.file.value == file && it.range.value.contains(number));
    match name {
        "temp" => return numbered(File::Temporary),
        "addr" => return numbered(File::Address),
        "in_" => return numbered(File::Input),
        _ => {}
    }
    let resource = STAGES.iter().find_map(|stage| name.strip_prefix(stage));
    if let Some((_, file)) = RESOURCES.iter().find(|(own, _)| Some(*own) == resource) {
        if *file == File::Constant {
            return position(&|it| {
                let buffer = it.dimension.flatten().map_or(0, |it| it.value.first);
                it.file.value == File::Constant && buffer == number
            });
        }
        // Shaders of drivers before views have samplers alone.
        return numbered(*file)
            .or_else(|| (*file == File::SamplerView).then(|| numbered(File::Sampler)).flatten());
    }
    let letters = name.rsplit('_').next().unwrap_or(name);
    let (_, semantic) = VARYINGS.iter().find(|(own, _)| *own == letters)?;
    let is_input = line.split_whitespace().any(|word| word == "in");
    let file = if is_input { File::Input } else { File::Output };
    position(&|it| {
        let own = it.semantic.map(|it| it.value);
        let last = it.range.value.last.saturating_sub(it.range.value.first);
        it.file.value == file
            && own.is_some_and(|own| {
                own.name == *semantic
                    && (own.index..=own.index.saturating_add(last)).contains(&number)
            })
    })
}
