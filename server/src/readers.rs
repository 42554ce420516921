//! The readers of what comes from outside, each by itself, for who tests them: frames of a
//! client and settings. None of them opens a file.

use std::path::{Path, PathBuf};

use serde_json::Value;
use source::Diagnostic;

use crate::configuration::Configuration;
use crate::files::Access;
use crate::lsp::Frames;
use crate::project::{NAME, Project};
use crate::trust::{self, Trust, User};

/// Cuts what a client sends, in the pieces in which it comes, into messages; of a frame that
/// is broken comes the request for the error which answers it.
pub fn messages<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut frames = Frames::default();
    let mut messages = Vec::new();
    for piece in pieces {
        frames.feed(piece);
        messages.extend(std::iter::from_fn(|| frames.next()));
    }
    messages
}

/// Reads the text of a project's file, and what is wrong with it.
pub fn project(text: &str) -> Vec<Diagnostic> {
    let access = Access::to([], &[]);
    let project = Project::read(PathBuf::from("/p").join(NAME), text, &access);
    let merged = crate::project::merged(&project.section, &Value::Null, &access);
    Configuration::read(&merged, &access);
    project.problems
}

/// Reads the text of the user's own file, and a sentence for each thing wrong with it.
pub fn user(text: &str) -> Vec<String> {
    User::read(Path::new(NAME), text).problems
}

/// Reads the section that an editor sends, and a sentence for each thing wrong with it.
pub fn section(value: &Value) -> Vec<String> {
    let (_, mut problems) = Configuration::read(value, &Access::to([], &[]));
    problems.extend(trust::unproven(value, &Trust::default()));
    problems
}
