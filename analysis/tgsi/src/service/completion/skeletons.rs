//! Whole shaders to begin with, offered where a text has none yet.
//!
//! They are data, and go through the same parser and validation as any shader
//! in the tests: what a beginner is handed has no finding.

use super::items::{Item, ItemKind};
use crate::words::Stage;

/// Each shader behind a line `== STAGE`, with places to fill in as snippets
/// write them: `${1:64}`.
const SKELETONS: &str = include_str!("../../../data/skeletons.txt");

/// The shader to begin with of each stage that has one.
pub(super) fn skeletons() -> Vec<Item> {
    let sections = SKELETONS.split("== ").skip(1);
    sections.filter_map(|section| section.split_once('\n')).map(item).collect()
}

fn item((stage, snippet): (&str, &str)) -> Item {
    let detail = Stage::ALL.iter().map(|it| it.row()).find(|row| row.word == stage);
    Item::new(format!("{stage} …"), ItemKind::Skeleton, 1)
        .with_detail(detail.map_or(String::new(), |row| format!("A whole shader: {}", row.value)))
        .with_snippet(&text::without_places(snippet), snippet.to_owned())
}
