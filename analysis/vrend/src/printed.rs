//! The words of the server: Mesa prints each GLSL shader before it compiles it, and the
//! renderer the compiler's complaint after it.

use tgsi::Stage;

/// A shader that the driver compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The stage.
    pub stage: Stage,
    /// GLSL.
    pub glsl: String,
    /// The compiler's complaint, where it refuses.
    pub complaint: Option<String>,
}

/// The part of a log that belongs to one program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The shaders, in the order in which they were compiled.
    pub compiled: Vec<Compiled>,
    /// The linker's complaint.
    pub unlinked: Option<String>,
    /// Lines of the renderer that belong to no shader.
    pub other: Vec<String>,
}

/// The beginning of a shader's text.
const SOURCE: &str = "GLSL source for ";
/// Beginnings of lines that are of the renderer or the driver and of no GLSL.
const OTHERS: [&str; 9] = [
    SOURCE,
    "vrend_",
    "context ",
    "client ",
    "shader failed",
    "Shader failed",
    "Error linking",
    "failed to link",
    "Mesa",
];
/// Words before a line by which the driver says how grave it is.
const LEVELS: [&str; 4] = ["Mesa: info: ", "Mesa: debug: ", "Mesa: warning: ", "Mesa: error: "];

/// Reads a log. Lines are those of Mesa 22 and of Mesa 26, whose first line of a text has a
/// level before it.
pub fn read(log: &str) -> Printed {
    let mut printed = Printed::default();
    let mut lines = log.lines().map(unlevelled).peekable();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix(SOURCE) {
            let mut glsl = String::new();
            while let Some(line) = lines.next_if(|line| !ends_text(line)) {
                glsl.push_str(line);
                glsl.push('\n');
            }
            if let Some(stage) = stage(rest) {
                printed.compiled.push(Compiled { stage, glsl, complaint: None });
            }
        } else if line.eq_ignore_ascii_case("shader failed to compile") {
            let complaint = complaint(&mut lines);
            if let Some(last) = printed.compiled.last_mut() {
                last.complaint.get_or_insert(complaint);
            }
        } else if line.to_ascii_lowercase().contains("failed to link")
            || line.starts_with("Error linking")
        {
            printed.unlinked.get_or_insert(complaint(&mut lines));
        } else if line.starts_with("vrend_") || line.starts_with("context ") {
            printed.other.push(line.to_owned());
        }
    }
    printed
}

/// Takes the lines of a complaint, up to an empty one or the next text.
fn complaint<'a>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> String {
    let mut text = String::new();
    while let Some(line) = lines.next_if(|line| !ends_text(line)) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn ends_text(line: &str) -> bool {
    line.is_empty() || OTHERS.iter().any(|it| line.starts_with(it))
}

fn unlevelled(line: &str) -> &str {
    LEVELS.iter().find_map(|level| line.strip_prefix(level)).unwrap_or(line)
}

/// The stage of `fragment shader 2:`.
fn stage(words: &str) -> Option<Stage> {
    const NAMES: [(&str, Stage); 6] = [
        ("vertex", Stage::Vertex),
        ("tessellation control", Stage::TessellationControl),
        ("tessellation evaluation", Stage::TessellationEvaluation),
        ("geometry", Stage::Geometry),
        ("fragment", Stage::Fragment),
        ("compute", Stage::Compute),
    ];
    NAMES.iter().find(|(name, _)| words.starts_with(name)).map(|(_, stage)| *stage)
}

/// Tells whether the renderer says that it dismisses a guest.
pub fn is_dismissal(log: &str) -> bool {
    log.contains("failed to dispatch")
}

/// The version of GL that the renderer found: `gl_version 45 - core profile enabled`.
pub fn version(log: &str) -> Option<u32> {
    let (_, rest) = log.split_once("gl_version ")?;
    rest.split(' ').next()?.parse().ok()
}
