//! Compiled code beside other compiled code of the same shader, statement by statement:
//! several targets, or what was kept and what is now.
//!
//! The compiler schedules the instructions of a statement between those of others, and
//! differently each time. So what is compared is what each statement became, wherever its
//! instructions stand: a mere change of their order is not a change.

mod document;
mod matching;

use std::sync::Arc;

use editor_model::{Change, ComparedColumn, ComparedInstruction, ComparedStatement, CompiledState};
use gcn::Target;
use salsa::Database;
use source::TextRange;

use super::baseline::{Current, baseline, current, pinned};
use super::compiled::{CompiledRef, compiled_code};
use super::views::heading;
use crate::inputs::{Baseline, Build, File, KeptStatement};
use crate::queries::alignment;
use crate::queries::shaders;

pub use document::ComparisonPart;

/// The most targets that are set side by side.
pub const MOST_COLUMNS: usize = 8;

/// Code of one shader in several columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The things that are compared, in one line.
    pub heading: String,
    /// The columns.
    pub columns: Vec<ComparedColumn>,
    /// The statements that became code in one of them, in the order of the source; code
    /// of no one statement stands last.
    pub statements: Vec<ComparedStatement>,
}

impl Comparison {
    /// The number of rows that differ in more than the numbers of registers.
    pub fn changes(&self) -> usize {
        let rows = self.statements.iter().flat_map(|statement| &statement.rows);
        rows.filter(|row| !matches!(row.change, Change::Same | Change::Renamed)).count()
    }
}

/// The code of a column: each instruction with the statement it belongs to, by the place
/// in the common list.
struct Column {
    head: ComparedColumn,
    instructions: Vec<(Option<usize>, ComparedInstruction)>,
}

/// A statement of the common list.
struct AlignedStatement {
    range: Option<TextRange>,
    text: String,
    before: Option<String>,
}

/// The code of a shader for several targets, side by side; `None` where the file has no
/// such shader.
pub(crate) fn compare_targets(
    db: &dyn Database,
    file: File,
    shader: usize,
    targets: &[Target],
) -> Option<Comparison> {
    let builds: Vec<Build> = targets.iter().copied().map(Build::from).collect();
    compare_builds(db, file, shader, &builds)
}

/// The code of a shader of several builds, side by side; `None` where the file has no such
/// shader.
pub(crate) fn compare_builds(
    db: &dyn Database,
    file: File,
    shader: usize,
    builds: &[Build],
) -> Option<Comparison> {
    let builds = builds.get(..builds.len().min(MOST_COLUMNS)).unwrap_or_default();
    let first = CompiledRef::new(shader, *builds.first()?);
    let current = current(db, file, &first)?;
    let names: Vec<String> = builds.iter().map(|build| build.name()).collect();
    let columns = builds.iter().zip(&names).map(|(build, name)| {
        current_column(db, file, &CompiledRef::new(shader, *build), name, |place| place)
    });
    let columns: Option<Vec<Column>> = columns.collect();
    let stage = super::views::stage(db, file, &first);
    let heading = format!("{stage} for {}", names.join(", "));
    Some(comparison(db, file, heading, aligned(&current), columns?))
}

/// The result that was pinned for a shader and target beside the present one; `None` where the file
/// has no such shader.
pub(crate) fn compare_baseline(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<Comparison> {
    compare_with(db, file, compiled, pinned(db, file, compiled).as_deref())
}

/// A kept result beside what the shader is now.
pub(crate) fn compare_with(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
    kept: Option<&Baseline>,
) -> Option<Comparison> {
    let current = current(db, file, compiled)?;
    let mut head = ComparedColumn {
        label: "baseline".to_owned(),
        target: compiled.target.name(),
        state: CompiledState::Unavailable,
        message: Some("nothing is pinned".to_owned()),
        figures: None,
    };
    let Some(kept) = kept else {
        let now = current_column(db, file, compiled, "now", |place| place)?;
        let columns = vec![Column { head, instructions: Vec::new() }, now];
        let heading = format!("{}: nothing is pinned", heading(db, file, compiled));
        return Some(comparison(db, file, heading, aligned(&current), columns));
    };
    head.state = CompiledState::Fresh;
    head.message = None;
    head.figures = Some(kept.figures.clone());
    let merged = merge(kept, &current);
    let instructions = kept.instructions.iter().map(|it| {
        let place = it.statement.and_then(|place| merged.kept.get(place).copied());
        (place, ComparedInstruction { offset: it.offset, text: it.text.clone() })
    });
    let baseline = Column { head, instructions: instructions.collect() };
    let place = |place: usize| merged.current.get(place).copied().unwrap_or(place);
    let now = current_column(db, file, compiled, "now", place)?;
    let heading = format!("{}: baseline and now", heading(db, file, compiled));
    Some(comparison(db, file, heading, merged.aligned, vec![baseline, now]))
}

/// The statements of the current text as the common list.
fn aligned(current: &Current) -> Vec<AlignedStatement> {
    let pairs = current.statements.iter().zip(&current.ranges);
    let place = |(it, range): (&KeptStatement, &TextRange)| AlignedStatement {
        range: Some(*range),
        text: it.text.clone(),
        before: None,
    };
    pairs.map(place).collect()
}

/// Kept and current statements in one list: those that are gone stand before the next one
/// that is still there.
struct Merged {
    aligned: Vec<AlignedStatement>,
    /// The place of each kept statement.
    kept: Vec<usize>,
    /// The place of each current statement.
    current: Vec<usize>,
}

fn merge(kept: &Baseline, current: &Current) -> Merged {
    let partners = partners(&kept.statements, &current.statements);
    let mut merged = Merged { aligned: Vec::new(), kept: Vec::new(), current: Vec::new() };
    let mut rest = aligned(current).into_iter();
    for (statement, partner) in kept.statements.iter().zip(&partners) {
        match partner {
            Some(partner) => {
                while merged.current.len() <= *partner {
                    let Some(place) = rest.next() else { break };
                    merged.current.push(merged.aligned.len());
                    merged.aligned.push(place);
                }
                merged.kept.push(merged.aligned.len().saturating_sub(1));
                if let Some(place) = merged.aligned.last_mut()
                    && place.text != statement.text
                {
                    place.before = Some(statement.text.clone());
                }
            }
            None => {
                merged.kept.push(merged.aligned.len());
                let text = statement.text.clone();
                merged.aligned.push(AlignedStatement { range: None, text, before: None });
            }
        }
    }
    for place in rest {
        merged.current.push(merged.aligned.len());
        merged.aligned.push(place);
    }
    merged
}

/// For each kept statement the current one that it became: the same one; or, between two
/// that are the same, one with the same opcode; or the only one in its place.
fn partners(old: &[KeptStatement], new: &[KeptStatement]) -> Vec<Option<usize>> {
    let whole = |it: &KeptStatement| it.fingerprint;
    let opcode =
        |it: &KeptStatement| alignment::fingerprint(it.text.split(' ').next().unwrap_or_default());
    let place = |_: &KeptStatement| 0;
    let mut partners = vec![None; old.len()];
    matching::refine(&mut partners, old, new, whole, |_, _| true);
    matching::refine(&mut partners, old, new, opcode, |_, _| true);
    matching::refine(&mut partners, old, new, place, |left, right| left == right);
    partners
}

/// The code of a shader as it is now; `place` tells where in the common list a statement
/// of the current text is.
fn current_column(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
    label: &str,
    place: impl Fn(usize) -> usize,
) -> Option<Column> {
    let code = compiled_code(db, file, compiled)?;
    let kept: Option<Arc<Baseline>> = baseline(db, file, compiled);
    let head = ComparedColumn {
        label: label.to_owned(),
        target: compiled.target.name(),
        state: code.state,
        message: code.problem.map(|problem| problem.message),
        figures: kept.as_ref().map(|kept| kept.figures.clone()),
    };
    let instructions = kept.iter().flat_map(|kept| &kept.instructions).map(|it| {
        let own = ComparedInstruction { offset: it.offset, text: it.text.clone() };
        (it.statement.map(&place), own)
    });
    let instructions = instructions.collect();
    Some(Column { head, instructions })
}

fn comparison(
    db: &dyn Database,
    file: File,
    heading: String,
    aligned: Vec<AlignedStatement>,
    columns: Vec<Column>,
) -> Comparison {
    let width = columns.len();
    // The last group is of the code that belongs to no one statement.
    let shared = aligned.len();
    let mut groups: Vec<Vec<Vec<ComparedInstruction>>> = Vec::new();
    groups.resize_with(shared + 1, || vec![Vec::new(); width]);
    let mut heads = Vec::with_capacity(width);
    for (number, column) in columns.into_iter().enumerate() {
        for (place, instruction) in column.instructions {
            if let Some(group) = groups.get_mut(place.unwrap_or(shared)) {
                group[number].push(instruction);
            }
        }
        heads.push(column.head);
    }
    let lines = shaders::line_index(db, file);
    let aligned = aligned.into_iter().map(Some).chain([None]);
    let mut statements = Vec::new();
    for (place, group) in aligned.zip(groups) {
        if group.iter().all(Vec::is_empty) {
            continue;
        }
        db.unwind_if_revision_cancelled();
        let range = place.as_ref().and_then(|place| place.range);
        statements.push(ComparedStatement {
            line: range.map(|range| lines.line(range.start())),
            range,
            before: place.as_ref().and_then(|place| place.before.clone()),
            text: place.map(|place| place.text),
            rows: matching::rows(group),
        });
    }
    Comparison { heading, columns: heads, statements }
}
