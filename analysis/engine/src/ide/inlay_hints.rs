//! Words within the lines: values of immediates, and how many machine
//! instructions each TGSI instruction became, at its end.

use salsa::Database;
use text::{TextRange, TextSize};
use tgsi::regions::Region;

use crate::database::{Configuration, File, Language};
use crate::ide::compiled::{CompiledRef, CompiledState, compiled_code};
use crate::ide::value_hints::value_hints;
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
    /// What it tells, by which the user switches it off.
    pub kind: InlayHintKind,
}

/// What a hint tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InlayHintKind {
    /// How many machine instructions an instruction became.
    MachineCode,
    /// What a number is when it is read as another type, or what an operand
    /// reads of an immediate.
    Value,
}

/// All hints within a range, in order of the text.
pub(crate) fn inlay_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
    let mut hints = value_hints(db, file, range);
    hints.extend(machine_code_hints(db, file, range));
    hints.sort_by_key(|hint| hint.offset);
    hints
}

fn machine_code_hints(db: &dyn Database, file: File, range: TextRange) -> Vec<InlayHint> {
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
                kind: InlayHintKind::MachineCode,
            });
        }
    }
    hints
}
