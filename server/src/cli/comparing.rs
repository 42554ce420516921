//! Compiled code beside other compiled code on the terminal: several targets, or what an
//! earlier `compile --format json` wrote and what is now.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use engine::ide::{
    Baseline, Comparison, ComparisonPart, CompiledFigures, KeptInstruction, KeptStatement,
};

use super::compile_data::{JsonInstruction, JsonResult};
use super::files::failed_at;
use super::output::{Output, Style};
use super::{CompilerName, Stop};
use crate::files::read_named;

/// The results that an earlier run wrote, one by one.
pub(super) struct Baselines(Vec<JsonResult>);

impl Baselines {
    /// Reads a file of such objects, one a line; says on standard error what is wrong
    /// with it.
    pub(super) fn read(path: &Path) -> Result<Baselines, Stop> {
        let text = read_named(path, source::MAX_TEXT_LENGTH).map_err(|why| failed_at(path, why))?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let entries: Result<Vec<JsonResult>, serde_json::Error> =
            lines.map(serde_json::from_str).collect();
        entries.map(Baselines).map_err(|error| {
            failed_at(path, format_args!("is not an output of `compile --format json`: {error}"))
        })
    }

    /// Takes the code of a shader and target out, of a file where several are asked about;
    /// `None` where there is none.
    pub(super) fn take(
        &mut self,
        file: Option<&str>,
        shader: usize,
        target: gcn::Target,
    ) -> Option<Baseline> {
        let is_meant = |entry: &JsonResult| {
            entry.shader == shader
                && file.is_none_or(|file| file == entry.file)
                && entry.stats.is_some()
                && entry.compiler == CompilerName::Llvm.word()
                && gcn::Target::find(&entry.target) == Some(target)
        };
        let place = self.0.iter().position(is_meant)?;
        let entry = self.0.swap_remove(place);
        Some(baseline(&entry.code, entry.stats?))
    }
}

/// Statements stand in the order of their lines, as the source had them.
fn baseline(code: &[JsonInstruction], figures: CompiledFigures) -> Baseline {
    fn key(instruction: &JsonInstruction) -> Option<(u32, &str)> {
        Some((instruction.line?, instruction.source.as_deref()?))
    }
    let places: BTreeSet<(u32, &str)> = code.iter().filter_map(key).collect();
    let places: Vec<(u32, &str)> = places.into_iter().collect();
    let instructions = code.iter().map(|instruction| KeptInstruction {
        offset: instruction.offset,
        text: instruction.text.clone(),
        statement: key(instruction).and_then(|key| places.binary_search(&key).ok()),
    });
    Baseline {
        instructions: instructions.collect(),
        figures,
        statements: places.iter().map(|(_, text)| KeptStatement::new(text)).collect(),
    }
}

/// Prints a comparison, coloured by what each line says.
pub(super) fn print(
    comparison: &Comparison,
    part: ComparisonPart,
    output: &mut Output,
) -> io::Result<()> {
    let document = comparison.document(part);
    for (number, line) in document.text.lines().enumerate() {
        let style = match line.get(..2) {
            _ if number == 0 => Style::Strong,
            Some("@@") => Style::Source,
            Some("; ") if document.source_lines.get(number).is_some_and(Option::is_some) => {
                Style::Source
            }
            Some("- ") => Style::Bad,
            Some("+ ") => Style::Good,
            Some("! ") => Style::Place,
            Some("~ ") => Style::Faint,
            _ => Style::Plain,
        };
        output.styled_line(style, line)?;
    }
    output.line("")
}
