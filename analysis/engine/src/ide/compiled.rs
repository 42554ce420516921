//! The compiled code of a shader as data, joined to the statements of its source.

use std::sync::Arc;

use editor_model::CompiledState;
use gcn::Target;
use gcn::compiled::Compiled;
use lower::{FailureKind, Half};
use salsa::Database;
use source::{SegmentMap, TextRange};
use tgsi::ast::{Shader, Statement, StatementKind};

use super::views::one_line;
use crate::inputs::{Build, Compiler, CompilerOutput, File, LastGood};
use crate::queries::compile::{self, CompileBlocker, Program};
use crate::queries::rules::{self, directives};
use crate::queries::shaders::{self, ShaderText};

/// The length to which a line of settings grows, in bytes.
const SETTINGS_WIDTH: usize = 96;

/// Names the compiled code of a shader for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompiledRef {
    /// The number of the shader in the file, from 0.
    pub shader: usize,
    /// The target.
    pub target: Target,
    /// The compiler.
    pub compiler: Compiler,
}

impl CompiledRef {
    /// A build of a shader.
    pub fn new(shader: usize, build: impl Into<Build>) -> CompiledRef {
        let Build { target, compiler } = build.into();
        CompiledRef { shader, target, compiler }
    }

    /// The target and the compiler.
    pub fn build(&self) -> Build {
        Build { target: self.target, compiler: self.compiler }
    }
}

/// The compiled code of a shader as data.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledCode {
    /// The freshness of the code.
    pub state: CompiledState,
    /// The reason why the current text has no code of its own; `None` while all is well
    /// or a compile is on its way.
    pub problem: Option<Problem>,
    /// The code, perhaps of an earlier text.
    pub compiled: Option<Arc<Compiled>>,
    /// For each machine instruction the TGSI statement in the file's current
    /// text that it came from, if that is one of this shader.
    pub sources: Vec<Option<TextRange>>,
    /// The same of the shader that runs in one program with this one: its words, and
    /// where they stand if they are in this file. Empty where the code is this
    /// shader's alone.
    pub partner_sources: Vec<Option<PartnerStatement>>,
    /// The part that the code plays in the program that runs, where that has two stages.
    pub program: Option<String>,
    /// Sentences on how it was made, where there is more to say than that LLVM made it.
    pub notes: Arc<[String]>,
    /// The keys and values of the state that it is compiled for, where that is
    /// not the usual one and the stage's code depends on it.
    pub environment: Vec<(&'static str, String)>,
    /// The settings that are the usual ones, as far as the stage's code depends on them.
    pub assumed: Vec<(&'static str, String)>,
}

/// The reason why a shader has no compiled code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// The kind of reason.
    pub kind: ProblemKind,
    /// One sentence for the user.
    pub message: String,
    /// The place in the file; `None` if it is not at one place.
    pub range: Option<TextRange>,
}

/// The kind of reason that keeps a shader from being compiled.
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
    let shader = *shaders::shaders(db, file).get(compiled.shader)?;
    Some((shader, shaders::map(db, file, compiled.shader)?))
}

pub(crate) fn compiled_code(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledCode> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let slot = compile::slot(db, file, compiled.shader, compiled.build());
    let state = slot.map(|slot| slot.state(db)).unwrap_or_default();
    let module = compile::wanted_program(db, file, shader, compiled.build());

    let read = slot.and_then(|slot| compile::compiled(db, slot));
    let code = read.as_ref().and_then(|read| read.as_ref().ok()).cloned();
    let mut problem = match &module {
        Err(blocker) => Some(blocker_problem(db, shader, &map, compiled.target, blocker)),
        Ok((_, key)) => match &state.newest {
            Some((newest, Some(message))) if newest == key => {
                Some(Problem { kind: ProblemKind::Failed, message: message.clone(), range: None })
            }
            _ => None,
        },
    };
    if let (None, Some(Err(unreadable))) = (&problem, &read) {
        let message = unreadable.to_string();
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
    let program = module.as_ref().ok().and_then(|(program, _)| program.as_ref());
    let statements = Statements::of(db, file, shader, &map, program);
    let (sources, partner_sources) = match (&code, &state.good) {
        (Some(code), Some(good)) => statements.sources(code, good),
        _ => Default::default(),
    };
    let program = program.and_then(|program| program_sentence(db, program, shader));
    let state_of_code = state.good.clone();
    let state = directives::environment(db, file, compiled.shader);
    let stage = shaders::parse(db, shader).shader.as_ref().map(|shader| shader.stage.value);
    let environment = stage.map(|stage| state.changes_for(stage)).unwrap_or_default();
    let assumed = stage.map(|stage| state.assumptions(stage)).unwrap_or_default();
    Some(CompiledCode {
        state: state_now,
        problem,
        compiled: code,
        sources,
        partner_sources,
        program,
        notes: match state_of_code.as_ref().map(|good| &good.output) {
            Some(CompilerOutput::Read { notes, .. }) => Arc::clone(notes),
            Some(CompilerOutput::Text { .. }) | None => Arc::default(),
        },
        environment,
        assumed,
    })
}

/// The statements of [`CompiledCode::sources`] alone. How current the code is takes the IR
/// of the text to know, a millisecond at every keystroke.
pub(super) fn compiled_sources(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<Vec<Option<TextRange>>> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let slot = compile::slot(db, file, compiled.shader, compiled.build())?;
    let code = compile::compiled(db, slot)?.ok()?;
    let state = slot.state(db);
    let program = match compiled.compiler {
        Compiler::Llvm => compile::merged(db, file, shader, compiled.target),
        Compiler::Aco => None,
    };
    let statements = Statements::of(db, file, shader, &map, program.as_ref());
    Some(statements.sources(&code, state.good.as_ref()?).0)
}

/// The part that a shader's code plays in a program of two stages.
fn program_sentence<'db>(
    db: &'db dyn Database,
    program: &Program<'db>,
    shader: ShaderText<'db>,
) -> Option<String> {
    if let Some((_, other)) = program.shaders.iter().find(|(_, other)| *other != shader) {
        let parse = shaders::parse(db, *other);
        let stage = parse.shader.as_ref()?.stage.value.word();
        return Some(format!("one program with {stage}, which this chip merges with it"));
    }
    let half = program.lowered.module.half?;
    let other = match half {
        Half::First => "the stage after it",
        Half::Second => "the stage before it",
    };
    Some(format!("half of a program: this chip runs it merged with {other}, which is not known"))
}

/// The places of a shader's instructions in its file, in order.
pub(super) fn statements<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
) -> Vec<TextRange> {
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return Vec::new() };
    instructions(ast).map(|statement| map.to_file(statement.range)).collect()
}

/// The statements of a shader that are instructions.
pub(super) fn instructions(ast: &Shader) -> impl Iterator<Item = &Statement> {
    ast.statements.iter().filter(|it| matches!(it.kind, StatementKind::Instruction(_)))
}

/// A statement of the shader that runs in one program with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerStatement {
    /// Its words, on one line.
    pub text: Arc<str>,
    /// Its place, if that is in the file of the other one.
    pub range: Option<TextRange>,
}

impl CompiledCode {
    /// The statement that a machine instruction came from, if it is of another shader.
    pub fn partner_source(&self, instruction: usize) -> Option<&PartnerStatement> {
        self.partner_sources.get(instruction)?.as_ref()
    }

    /// The place of the statement that a machine instruction came from, of whichever
    /// shader.
    pub fn source(&self, instruction: usize) -> Option<TextRange> {
        let own = self.sources.get(instruction).copied().flatten();
        own.or_else(|| self.partner_source(instruction)?.range)
    }
}

/// The instructions that code is made from, as they stand now.
pub(super) struct Statements {
    /// The place of each in the file; `None` for those of a shader in another file.
    pub(super) ranges: Vec<Option<TextRange>>,
    /// The words of those that are not of the shader in question.
    others: Vec<Option<Arc<str>>>,
    fingerprints: Arc<[u64]>,
}

impl Statements {
    /// The statements of a shader's program, or of the shader where it has none.
    pub(super) fn of<'db>(
        db: &'db dyn Database,
        file: File,
        shader: ShaderText<'db>,
        map: &SegmentMap,
        program: Option<&Program<'db>>,
    ) -> Statements {
        let own = || statements(db, shader, map).into_iter().map(Some);
        let Some(program) = program.filter(|program| program.shaders.len() > 1) else {
            let fingerprints = compile::fingerprints(db, shader);
            return Statements { ranges: own().collect(), others: Vec::new(), fingerprints };
        };
        let (mut ranges, mut others) = (Vec::new(), Vec::new());
        for (of, one) in &program.shaders {
            if *one == shader {
                ranges.extend(own());
                others.resize(ranges.len(), None);
                continue;
            }
            let parse = shaders::parse(db, *one);
            let (Some(map), Some(ast)) = (shaders::map(db, *of, one.index(db)), &parse.shader)
            else {
                continue;
            };
            let text = one.text(db);
            for statement in instructions(ast) {
                ranges.push((*of == file).then(|| map.to_file(statement.range)));
                others.push(Some(Arc::from(one_line(&text[statement.range]))));
            }
        }
        Statements { ranges, others, fingerprints: program.fingerprints(db) }
    }

    /// The statement of each machine instruction: of the shader, and of its partner.
    fn sources(
        &self,
        code: &Compiled,
        good: &LastGood,
    ) -> (Vec<Option<TextRange>>, Vec<Option<PartnerStatement>>) {
        let partners = source::align(&good.fingerprints, &self.fingerprints);
        let now = |ordinal: u32| *partners.get((ordinal as usize).checked_sub(1)?)?;
        let now: Vec<Option<usize>> = code.instructions.iter().map(|it| now(it.ordinal)).collect();
        let other = |place: usize| self.others.get(place).cloned().flatten();
        let range = |place: usize| self.ranges.get(place).copied().flatten();
        let own = now.iter().map(|place| place.filter(|it| other(*it).is_none()).and_then(range));
        let own = own.collect();
        if self.others.is_empty() {
            return (own, Vec::new());
        }
        let of_partner =
            |place: usize| other(place).map(|text| PartnerStatement { text, range: range(place) });
        (own, now.iter().map(|place| place.and_then(of_partner)).collect())
    }
}

pub(super) fn blocker_problem<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
    target: Target,
    blocker: &CompileBlocker,
) -> Problem {
    let (kind, message, range) = match blocker {
        CompileBlocker::Errors => {
            let diagnostics = shaders::diagnostics(db, shader);
            let first = diagnostics
                .iter()
                .find(|diagnostic| diagnostic.severity == source::Severity::Error);
            let message = first.map_or_else(String::new, |first| first.message.clone());
            (ProblemKind::Invalid, message, first.map(|first| first.range))
        }
        CompileBlocker::Hole => {
            let message = "a part of this shader is known only when its program runs".to_owned();
            let first = shader.text(db).find(tgsi::holes::HOLE);
            let range = first.map(|first| source::text_range(first, first + 1));
            (ProblemKind::Unsupported, message, range)
        }
        CompileBlocker::Lowering(failures) => match rules::worst(failures) {
            None => (ProblemKind::Invalid, "there is no shader to compile".to_owned(), None),
            Some(first) => {
                let kind = match first.kind {
                    FailureKind::Unsupported => ProblemKind::Unsupported,
                    FailureKind::Invalid => ProblemKind::Invalid,
                };
                (kind, first.message.clone(), Some(first.range))
            }
        },
        CompileBlocker::Off => {
            let message = "compilation is off, or no libLLVM was found; see `tungsten doctor`";
            (ProblemKind::Off, message.to_owned(), None)
        }
        CompileBlocker::Target => {
            let message = format!("{} is a chip that is not compiled for", target.name());
            (ProblemKind::Unsupported, message, None)
        }
        CompileBlocker::Graphics => {
            let message = format!(
                "{} draws nothing: it has no interpolation and no exports, so compute shaders alone \
                 are compiled for it",
                target.name()
            );
            (ProblemKind::Unsupported, message, None)
        }
        CompileBlocker::Images => {
            let what = match target.has(gcn::targets::Feature::Images) {
                true => "samplers",
                false => "images",
            };
            let message = format!("{} has no {what}, which this shader uses", target.name());
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
