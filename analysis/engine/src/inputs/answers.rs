//! Answers of hosts: what virglrenderer and a GL compiler make of a shader.

use std::sync::Arc;

use tgsi::glsl::Refusal;

/// A host's answer about a shader. It is about a text: what was asked of another text says
/// nothing of the present one.
#[derive(Debug, Clone, PartialEq)]
pub struct HostAnswer {
    /// The shader's text.
    pub text: Arc<str>,
    /// The host's name, `gles31`.
    pub host: Arc<str>,
    /// The answer.
    pub outcome: HostOutcome,
}

/// The outcome of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum HostOutcome {
    /// An answer came.
    Answered {
        /// GLSL; `None` where virglrenderer makes none.
        glsl: Option<Arc<str>>,
        /// The complaints; none where the shader is accepted.
        refusals: Vec<Refusal>,
    },
    /// No answer could be had, for this reason.
    Failed(String),
}
