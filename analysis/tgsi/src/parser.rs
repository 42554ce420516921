//! Tokens to statements. Parsing never fails: it returns what was understood
//! and what was wrong.

use text::{Diagnostic, TextSize};

use crate::ast::Shader;

/// A parsed shader and what is wrong with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parse {
    /// The program; `None` where the text has no header.
    pub shader: Option<Shader>,
    /// Errors and hints, in order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses the text of one region, which begins at its header.
pub fn parse(text: &str, checkpoint: text::Checkpoint<'_>) -> Parse {
    checkpoint();
    let _ = (text, TextSize::new(0));
    Parse { shader: None, diagnostics: Vec::new() }
}
