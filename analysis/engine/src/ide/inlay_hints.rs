//! How many machine instructions each TGSI instruction became, at its end.

use salsa::Database;
use text::{TextRange, TextSize};
use tgsi::regions::Region;

use crate::database::{Configuration, File, Language};
use crate::ide::compiled::{CompiledRef, CompiledState, compiled_code};
use crate::shaders;

/// A word shown within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// Where it is drawn.
    pub offset: TextSize,
    /// The word.
    pub label: String,
    /// Markdown shown over it.
    pub tooltip: String,
}

pub(crate) fn inlay_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
    let settings = Configuration::get(db).settings(db);
    let Some(target) = settings.targets.first().copied() else { return Vec::new() };
    if file.language(db) != Language::Tgsi {
        return Vec::new();
    }
    let regions = shaders::regions(db, file);
    let visible = |shader: &Region| shader.range().intersect(range).is_some();
    let shaders = regions.shaders.iter().enumerate().filter(|(_, shader)| visible(shader));
    let mut hints = Vec::new();
    for (shader, _) in shaders {
        let Some(code) = compiled_code(db, file, &CompiledRef { shader, target }) else { continue };
        let Some(compiled) = &code.compiled else { continue };
        let state = match code.state {
            CompiledState::Fresh => "",
            _ => " (of an earlier text)",
        };
        let mut found: Vec<(TextRange, usize)> = code
            .sources
            .iter()
            .enumerate()
            .filter_map(|(index, source)| Some(((*source)?, index)))
            .filter(|(source, _)| range.contains(source.end()))
            .collect();
        found.sort_by_key(|(source, index)| (source.start(), *index));
        for run in found.chunk_by(|a, b| a.0 == b.0) {
            let count = run.len();
            let lines: Vec<&str> =
                run.iter().map(|(_, index)| compiled.instructions[*index].text.as_str()).collect();
            let tooltip = format!("{}{state}\n```gcn\n{}\n```", target.name(), lines.join("\n"));
            hints.push(InlayHint {
                offset: run[0].0.end(),
                label: format!("{count} GCN"),
                tooltip,
            });
        }
    }
    hints
}
