//! Refusals of GL compilers, at the statements that made the refused lines.

use crate::ast::Shader;

use super::complaints::complaints;
use super::join::join;
use super::needs::{Need, need_of_line};

/// One complaint of a compiler about a shader.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The line of GLSL, from 1; `None` where none is named.
    pub line: Option<u32>,
    /// The statement that made the line, by its place among the shader's statements; `None`
    /// where that is not certain.
    pub statement: Option<usize>,
    /// Set where the line is one of `main`, and so of an instruction.
    pub is_in_body: bool,
    /// The compiler's words.
    pub message: String,
    /// The need of the host, where it is known.
    pub need: Option<&'static Need>,
}

impl Refusal {
    /// The refusal of the renderer itself, which makes no GLSL and may say why.
    pub fn of_renderer(words: &str) -> Refusal {
        let message = match words.trim() {
            "" => "virglrenderer makes no GLSL of it, and does not say why".to_owned(),
            words => format!("virglrenderer makes no GLSL of it: {words}"),
        };
        Refusal { line: None, statement: None, is_in_body: false, message, need: None }
    }
}

/// The complaints of a compiler's log about the GLSL of a shader, each line's first alone: what
/// follows on a line follows from it.
pub fn refusals(shader: &Shader, glsl: &str, log: &str) -> Vec<Refusal> {
    let mut found: Vec<Refusal> = Vec::new();
    let joined = join(shader, glsl);
    let lines: Vec<&str> = glsl.lines().collect();
    let main = lines.iter().position(|line| line.starts_with("void main("));
    for complaint in complaints(log) {
        if found.iter().any(|it| it.line == complaint.line) {
            continue;
        }
        let place = complaint.line.and_then(|it| (it as usize).checked_sub(1));
        let text = place.and_then(|it| lines.get(it)).copied().unwrap_or_default();
        let statement = place.and_then(|it| joined.get(it).copied().flatten());
        found.push(Refusal {
            line: complaint.line,
            statement,
            is_in_body: statement.is_some() && place > main,
            // A line may want several things: the compiler says which it misses.
            need: need_of_line(&complaint.message).or_else(|| need_of_line(text)),
            message: complaint.message,
        });
    }
    found
}
