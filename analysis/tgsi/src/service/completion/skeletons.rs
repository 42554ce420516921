//! Whole shaders to begin with, offered where a text has none yet.
//!
//! They are data, and go through the same parser and validation as any shader
//! in the tests: what a beginner is handed has no diagnostic.

use editor_model::{CompletionItem, CompletionKind};

use super::items;
use crate::words::Stage;

include!(concat!(env!("OUT_DIR"), "/skeletons.rs"));

/// Returns the shader to begin with of each stage that has one. Places to fill in are those
/// of snippets: `${1:64}`.
pub(super) fn skeletons() -> Vec<CompletionItem> {
    let item = |(stage, snippet): &(Stage, &str)| {
        items::plain(stage.word(), CompletionKind::Skeleton, 0)
            .with_detail("A whole shader")
            .with_snippet(&source::without_places(snippet), (*snippet).to_owned())
    };
    SKELETONS.iter().map(item).collect()
}
