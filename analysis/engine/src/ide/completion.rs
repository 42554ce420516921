//! Completion: all that may be written at a place of a file.

use editor_model::Completion;
use salsa::Database;
use source::{SegmentMap, TextRange, TextSize};
use tgsi::service::completion::{self, CompletionContext};

use super::languages::service_of;
use super::placed;
use crate::inputs::{File, Language};
use crate::queries::shaders;

/// The documentation of an offer as Markdown, by the page that it names.
pub fn completion_page(list: &str, word: &str) -> Option<String> {
    Language::ALL.into_iter().find_map(|it| service_of(it).completion_page(list, word))
}

/// Everything that may be written at an offset of a file with shaders.
pub(super) fn completion(db: &dyn Database, file: File, offset: TextSize) -> Option<Completion> {
    match placed::at(db, file, offset) {
        Some((placed, place)) => {
            let shader = placed.parse.shader.as_ref()?;
            let context = CompletionContext { text: &placed.text, shader };
            let found = completion::complete(context, place);
            let replace = placed.to_file(found.replace);
            // Between the lines of a log lies what is not part of the word.
            let replace =
                if replace.contains_inclusive(offset) { replace } else { TextRange::empty(offset) };
            Some(Completion { replace, ..found })
        }
        None => Some(behind(db, file, offset)),
    }
}

/// Behind the last statement of a shader, where the next one is typed, or
/// where there is no shader yet.
fn behind(db: &dyn Database, file: File, offset: TextSize) -> Completion {
    let text = file.text(db);
    let regions = shaders::regions(db, file);
    let before = regions.shaders.partition_point(|region| region.range().end() <= offset);
    let last = before.checked_sub(1);
    let region = last.and_then(|last| Some((last, regions.shaders.get(last)?)));
    let Some((index, region)) = region.filter(|(_, region)| region.map().is_contiguous()) else {
        return completion::complete_outside(&text, offset);
    };
    let range = region.range();
    let gap = text.get(usize::from(range.end())..usize::from(offset)).unwrap_or_default();
    let line_start = gap.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let shader = shaders::shaders(db, file).get(index).copied();
    let parse = shader.map(|shader| shaders::parse(db, shader));
    let shader = parse.as_ref().and_then(|parse| parse.shader.as_ref());
    // Other text between the shader and this line: the line is not the shader's.
    if let Some(shader) = shader
        && gap[..line_start].trim().is_empty()
    {
        let map = SegmentMap::contiguous(range);
        let rest = &text[usize::from(range.start())..];
        let end = rest[usize::from(offset - range.start())..].find(['\n', '\r']);
        let end = end.map_or(rest.len(), |end| usize::from(offset - range.start()) + end);
        let context = CompletionContext { text: &rest[..end], shader };
        let found = completion::complete(context, offset - range.start());
        return Completion { replace: map.to_file(found.replace), ..found };
    }
    completion::complete_outside(&text, offset)
}
