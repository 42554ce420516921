//! The compiled code of a shader: as data for the command line, and as a
//! document that is joined to its source line by line.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use gcn::Target;
use gcn::compiled::{Compiled, Statistics};
use lower::FailureKind;
use salsa::Database;
use text::{SegmentMap, TextRange};

use crate::alignment;
use crate::compile::{self, GoodResult, Obstacle};
use crate::database::{File, Language};
use crate::shaders::{self, ShaderText};

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

/// The compiled code of a shader as a document, joined to its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledView {
    /// The document.
    pub text: String,
    /// How current it is.
    pub state: CompiledState,
    /// Why it is not fresh, for the user; `None` where nothing is wrong.
    pub message: Option<String>,
    /// For each line of the document, the line of the source file (from 0)
    /// that it was compiled from.
    pub source_lines: Vec<Option<u32>>,
    /// Changes whenever the text or the state does.
    pub hash: u64,
}

/// The shader that a reference names.
fn shader_of<'db>(
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

pub(crate) fn ir(db: &dyn Database, file: File, compiled: &CompiledRef) -> Option<String> {
    let (shader, _) = shader_of(db, file, compiled)?;
    if shaders::has_errors(db, shader) {
        return None;
    }
    let environment = crate::rules::environment(db, file, compiled.shader);
    let generation = compile::generation(compiled.target);
    let lowered = compile::lowered(db, shader, generation, environment).ok()?;
    Some(lowered.module.ir.clone())
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
    let environment = crate::rules::environment(db, file, compiled.shader).changes();
    Some(CompiledCode { state: state_now, problem, compiled: code, sources, environment })
}

/// The statement of each machine instruction in the file's current text.
fn sources<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    map: &SegmentMap,
    code: &Compiled,
    good: &GoodResult,
) -> Vec<Option<TextRange>> {
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return vec![None; code.instructions.len()] };
    let statements: Vec<TextRange> = ast
        .statements
        .iter()
        .filter(|statement| matches!(statement.kind, tgsi::ast::StatementKind::Instruction(_)))
        .map(|statement| map.to_file(statement.range))
        .collect();
    let partners = alignment::align(&good.fingerprints, &compile::fingerprints(db, shader));
    code.instructions
        .iter()
        .map(|instruction| {
            let old = (instruction.ordinal as usize).checked_sub(1)?;
            statements.get((*partners.get(old)?)?).copied()
        })
        .collect()
}

fn obstacle_problem<'db>(
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

pub(crate) fn compiled_view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledView> {
    let code = compiled_code(db, file, compiled)?;
    let (shader, map) = shader_of(db, file, compiled)?;
    let stage = shaders::parse(db, shader)
        .shader
        .as_ref()
        .map_or("shader", |shader| shader.stage.value.word());
    let mut document = Document::default();
    let target = compiled.target;
    document.line(None, &format!("; {stage} for {} ({})", target.name(), target.row().processor));
    let message = code.problem.as_ref().map(|problem| problem.message.clone());
    if let Some(listing) = &code.compiled {
        document.line(None, &format!("; {}", summary(&listing.statistics)));
        if !code.environment.is_empty() {
            let set = code.environment.iter().map(|(key, value)| format!(" {key}={value}"));
            document.line(None, &format!("; compiled for{}", set.collect::<String>()));
        }
        document.line(None, "");
        let source = Source { text: &shader.text(db), map: &map };
        document.listing(listing, &code.sources, &source, &shaders::line_index(db, file));
    } else {
        let reason = message.as_deref().unwrap_or("compiling\u{2026}");
        document.line(None, &format!("; {reason}"));
    }
    let mut hasher = DefaultHasher::new();
    (&document.text, code.state, &message, &document.source_lines).hash(&mut hasher);
    Some(CompiledView {
        text: document.text,
        state: code.state,
        message,
        source_lines: document.source_lines,
        hash: hasher.finish(),
    })
}

/// A statistics line: registers, waves and what limits them, size.
pub(crate) fn summary(statistics: &Statistics) -> String {
    let mut summary = format!(
        "{} VGPRs, {} SGPRs, {} waves ({}), {} instructions, {} bytes",
        statistics.vgprs,
        statistics.sgprs,
        statistics.waves,
        match statistics.limiter {
            "waves" => "all that the chip can hold",
            "vgprs" => "limited by VGPRs",
            "sgprs" => "limited by SGPRs",
            "lds" => "limited by LDS",
            "groups" => "limited by workgroups",
            other => other,
        },
        statistics.instructions,
        statistics.bytes,
    );
    if statistics.lds > 0 {
        let _ = write!(summary, ", {} bytes of LDS", statistics.lds);
    }
    if statistics.scratch > 0 {
        let _ = write!(summary, ", {} bytes of scratch", statistics.scratch);
    }
    if statistics.spilled_vgprs + statistics.spilled_sgprs > 0 {
        let (vgprs, sgprs) = (statistics.spilled_vgprs, statistics.spilled_sgprs);
        let _ = write!(summary, ", spilled {vgprs} VGPRs and {sgprs} SGPRs");
    }
    summary
}

/// The text of a shader, and where it stands in its file.
struct Source<'a> {
    text: &'a str,
    map: &'a SegmentMap,
}

impl Source<'_> {
    /// The statement at a range of the file, as one line.
    fn statement(&self, range: TextRange) -> String {
        self.map
            .range_to_region(range)
            .map_or_else(String::new, |place| one_line(&self.text[place]))
    }
}

/// A document under construction, with the source line of each of its lines.
#[derive(Default)]
struct Document {
    text: String,
    source_lines: Vec<Option<u32>>,
}

impl Document {
    fn line(&mut self, source: Option<u32>, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.source_lines.push(source);
    }

    /// The machine code, with the source statement above each run of
    /// instructions that came from it.
    fn listing(
        &mut self,
        compiled: &Compiled,
        sources: &[Option<TextRange>],
        source_text: &Source<'_>,
        lines: &text::LineIndex,
    ) {
        let mut labels = compiled.labels.iter().peekable();
        let mut last: Option<u32> = None;
        for (index, instruction) in compiled.instructions.iter().enumerate() {
            let mut labelled = false;
            while let Some((name, _)) = labels.next_if(|(_, at)| *at <= index) {
                self.line(None, &format!("{name}:"));
                labelled = true;
            }
            let source = sources.get(index).copied().flatten();
            let source_line = source.map(|range| lines.line(range.start()));
            if labelled || last != Some(instruction.ordinal) {
                let heading = match source {
                    Some(range) => source_text.statement(range),
                    None if instruction.ordinal == 0 => "shared".to_owned(),
                    None => "of a statement that has changed".to_owned(),
                };
                self.line(source_line, &format!("    ; {heading}"));
                last = Some(instruction.ordinal);
            }
            let words: Vec<String> =
                instruction.words.iter().map(|word| format!("{word:08X}")).collect();
            let line = format!(
                "    {:<52} // {:06X}: {}",
                instruction.text,
                instruction.offset,
                words.join(" ")
            );
            self.line(source_line, &line);
        }
    }
}

/// A statement as one line: runs of white space become one blank.
fn one_line(statement: &str) -> String {
    statement.split_whitespace().collect::<Vec<_>>().join(" ")
}
