//! The compiled code of a shader as data, joined to the statements of its source.

use std::sync::Arc;

use gcn::Target;
use gcn::compiled::Compiled;
use lower::FailureKind;
use salsa::Database;
use text::{SegmentMap, TextRange};
use tgsi::ast::StatementKind;

use crate::alignment;
use crate::compile::{self, GoodResult, Obstacle};
use crate::database::{File, Language};
use crate::shaders::{self, ShaderText};

/// How long a line of settings grows, in bytes.
const SETTINGS_WIDTH: usize = 96;

/// Names the compiled code of a shader for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompiledRef {
    /// Which shader of the file, from 0.
    pub shader: usize,
    /// The target.
    pub target: Target,
}

/// The compiled code of a shader as data.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledCode {
    /// How current the code is.
    pub state: CompiledState,
    /// Why the current text has no code of its own; `None` while all is well
    /// or a compile is on its way.
    pub problem: Option<Problem>,
    /// The code, perhaps of an earlier text.
    pub compiled: Option<Arc<Compiled>>,
    /// For each machine instruction the TGSI statement in the file's current
    /// text that it came from.
    pub sources: Vec<Option<TextRange>>,
    /// The keys and values of the state that it is compiled for, where that is
    /// not the usual one.
    pub environment: Vec<(&'static str, String)>,
    /// Those that are the usual ones, as far as the stage's code depends on them.
    pub assumed: Vec<(&'static str, String)>,
}

/// How current compiled code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompiledState {
    /// Of the current text.
    Fresh,
    /// Of an earlier text; a new one is on its way.
    Stale,
    /// Of an earlier text; the current one has errors or could not be compiled.
    Outdated,
    /// Nothing yet; the first compile is on its way.
    Pending,
    /// There is nothing to show.
    Unavailable,
}

/// Why a shader has no compiled code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// What kind of reason.
    pub kind: ProblemKind,
    /// One sentence for the user.
    pub message: String,
    /// Where in the file; `None` if it is not at one place.
    pub range: Option<TextRange>,
}

/// What kind of reason keeps a shader from being compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// Valid TGSI that is not compiled yet, or a chip that is not compiled for.
    Unsupported,
    /// The text has errors.
    Invalid,
    /// LLVM refused it or died of it, or its output was not understood.
    Failed,
    /// Compilation is off: no libLLVM was found, or the setting says so.
    Off,
}

/// The shader that a reference names.
pub(super) fn shader_of<'db>(
    db: &'db dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<(ShaderText<'db>, SegmentMap)> {
    if file.language(db) != Language::Tgsi {
        return None;
    }
    let shader = *shaders::shaders(db, file).get(compiled.shader)?;
    Some((shader, shaders::map(db, file, compiled.shader)?))
}

pub(crate) fn compiled_code(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledCode> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let slot = compile::slot(db, file, compiled.shader, compiled.target);
    let state = slot.map(|slot| slot.state(db)).unwrap_or_default();
    let module = compile::module(db, file, shader, compiled.target);

    let read = slot.and_then(|slot| compile::compiled(db, slot));
    let code = read.as_ref().and_then(|read| read.as_ref().ok()).cloned();
    let mut problem = match &module {
        Err(obstacle) => Some(obstacle_problem(db, shader, &map, compiled.target, obstacle)),
        Ok((_, key)) => match &state.newest {
            Some((newest, Some(message))) if newest == key => {
                Some(Problem { kind: ProblemKind::Failed, message: message.clone(), range: None })
            }
            _ => None,
        },
    };
    if let (None, Some(Err(message))) = (&problem, &read) {
        let message = format!("the compiler's output was not understood: {message}");
        problem = Some(Problem { kind: ProblemKind::Failed, message, range: None });
    }
    let fresh = matches!((&module, &state.good), (Ok((_, key)), Some(good)) if good.key == *key);
    let state_now = match (&code, &problem) {
        (Some(_), None) if fresh => CompiledState::Fresh,
        (Some(_), None) => CompiledState::Stale,
        (Some(_), Some(_)) => CompiledState::Outdated,
        (None, None) => CompiledState::Pending,
        (None, Some(_)) => CompiledState::Unavailable,
    };
    let sources = match (&code, &state.good) {
        (Some(code), Some(good)) => sources(db, shader, &map, code, good),
        _ => Vec::new(),
    };
    let state = crate::rules::environment(db, file, compiled.shader);
    let environment = state.changes();
    let stage = shaders::parse(db, shader).shader.as_ref().map(|shader| shader.stage.value);
    let assumed = stage.map(|stage| state.assumptions(stage)).unwrap_or_default();
    Some(CompiledCode { state: state_now, problem, compiled: code, sources, environment, assumed })
}

/// Where the instructions of a shader stand in its file, in order.
pub(super) fn statements<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
) -> Vec<TextRange> {
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return Vec::new() };
    let instructions =
        ast.statements.iter().filter(|it| matches!(it.kind, StatementKind::Instruction(_)));
    instructions.map(|statement| map.to_file(statement.range)).collect()
}

/// The statement of each machine instruction in the file's current text.
fn sources<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
    code: &Compiled,
    good: &GoodResult,
) -> Vec<Option<TextRange>> {
    let statements = statements(db, shader, map);
    let partners = alignment::align(&good.fingerprints, &compile::fingerprints(db, shader));
    code.instructions
        .iter()
        .map(|instruction| {
            let old = (instruction.ordinal as usize).checked_sub(1)?;
            statements.get((*partners.get(old)?)?).copied()
        })
        .collect()
}

pub(super) fn obstacle_problem<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
    target: Target,
    obstacle: &Obstacle,
) -> Problem {
    let (kind, message, range) = match obstacle {
        Obstacle::Errors => {
            let findings = shaders::findings(db, shader);
            let first = findings.iter().find(|finding| finding.severity == text::Severity::Error);
            let message = first.map_or_else(String::new, |first| first.message.clone());
            (ProblemKind::Invalid, message, first.map(|first| first.range))
        }
        Obstacle::Lowering(failures) => match failures.first() {
            None => (ProblemKind::Invalid, "there is no shader to compile".to_owned(), None),
            Some(first) => {
                let kind = match first.kind {
                    FailureKind::Unsupported => ProblemKind::Unsupported,
                    FailureKind::Invalid => ProblemKind::Invalid,
                };
                (kind, first.message.clone(), Some(first.range))
            }
        },
        Obstacle::Off => {
            let message = "compilation is off, or no libLLVM was found; see `tungsten doctor`";
            (ProblemKind::Off, message.to_owned(), None)
        }
        Obstacle::Target => {
            let message = format!("{} is a chip that is not compiled for", target.name());
            (ProblemKind::Unsupported, message, None)
        }
    };
    Problem { kind, message, range: range.map(|range| map.to_file(range)) }
}

/// Keys and values of the state behind a heading, in lines that fit a page; none
/// where there are none.
pub fn settings_lines(heading: &str, settings: &[(&'static str, String)]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (key, value) in settings {
        let word = format!(" {key}={value}");
        match lines.last_mut() {
            Some(line) if line.len() + word.len() <= SETTINGS_WIDTH => line.push_str(&word),
            Some(_) => lines.push(format!("{:width$}{word}", "", width = heading.len())),
            None => lines.push(format!("{heading}{word}")),
        }
    }
    lines
}
