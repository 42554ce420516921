//! Views of what a shader becomes, as documents that are joined to its source line by line: its
//! machine code, the bytes of that, the LLVM IR it is compiled from, its SPIR-V, its tokens; and what
//! assembly expands to.

mod machine;
mod tokens;

use std::hash::{DefaultHasher, Hash, Hasher};

use editor_model::{CompiledState, ViewKind};
use gcn::compiled::Instruction;
use rustc_hash::FxHashMap;
use salsa::Database;

pub(super) use machine::{cut_line, one_line};

use super::comparison::{ComparisonPart, compare_baseline, compare_builds};
use super::compiled::{CompiledRef, Statements, blocker_problem, compiled_code, shader_of};
use super::languages::{Query, service};
use crate::inputs::{Compiler, File};
use crate::queries::compile::{self, CompileBlocker};
use crate::queries::shaders;

/// A document that is joined to the source that it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledView {
    /// The document.
    pub text: String,
    /// Its freshness.
    pub state: CompiledState,
    /// The reason why it is not fresh, for the user; `None` where nothing is wrong.
    pub message: Option<String>,
    /// For each line of the document, the line of the source file (from 0)
    /// that it was compiled from.
    pub source_lines: Vec<Option<u32>>,
    /// Changes whenever the text or the state does.
    pub hash: u64,
}

/// A document under construction, with the source line of each of its lines.
#[derive(Default)]
pub(super) struct Document {
    text: String,
    source_lines: Vec<Option<u32>>,
}

impl Document {
    /// Adds a line that comes from a source line, or from none.
    pub(super) fn line(&mut self, source: Option<u32>, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.source_lines.push(source);
    }

    /// The document as a view.
    pub(super) fn finish(self, state: CompiledState, message: Option<String>) -> CompiledView {
        let Document { text, source_lines } = self;
        let mut hasher = DefaultHasher::new();
        (&text, state, &message, &source_lines).hash(&mut hasher);
        CompiledView { text, state, message, source_lines, hash: hasher.finish() }
    }
}

/// A view of a shader for a target, which is shown alone; `None` where the file has no such
/// shader.
pub(crate) fn view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
    kind: ViewKind,
) -> Option<CompiledView> {
    match kind {
        ViewKind::Code => machine_view(db, file, compiled, machine::code_line),
        ViewKind::Hex => machine_view(db, file, compiled, machine::hex_line),
        ViewKind::Ir => ir_view(db, file, compiled),
        ViewKind::Spirv => super::spirv::spirv_view(db, file, compiled),
        ViewKind::Glsl => super::glsl::glsl_view(db, file, compiled.shader, &chosen_host(db, file)),
        // Which hosts there are is not known here.
        ViewKind::Hosts => super::glsl::hosts_view(db, file, compiled.shader, &[]),
        ViewKind::Tokens => tokens::view(db, file, compiled),
        ViewKind::Expanded => service(db, file).expanded_view(Query::of(db, file)),
        ViewKind::Registers => super::explanation::registers_view(db, file, compiled),
        ViewKind::Waits => super::explanation::waits_view(db, file, compiled),
        ViewKind::Targets => compare_builds(db, file, compiled.shader, &[compiled.build()])
            .map(|it| it.document(ComparisonPart::All)),
        ViewKind::Baseline => {
            compare_baseline(db, file, compiled).map(|it| it.document(ComparisonPart::All))
        }
    }
}

/// The host of a file whose GLSL is shown where none is named.
fn chosen_host(db: &dyn Database, file: File) -> String {
    file.settings(db).rules(db).host.as_deref().unwrap_or("gl45").to_owned()
}

fn machine_view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
    shown: fn(&Instruction) -> String,
) -> Option<CompiledView> {
    let code = compiled_code(db, file, compiled)?;
    let (shader, map) = shader_of(db, file, compiled)?;
    let lines = shaders::line_index(db, file);
    let text = shader.text(db);
    let source = machine::Source { text: &text, map: &map, lines: &lines };
    let document = machine::document(&heading(db, file, compiled), &code, &source, shown);
    let message = code.problem.map(|problem| problem.message);
    Some(document.finish(code.state, message))
}

/// The stage and the chip, for the first line of a document.
pub(super) fn heading(db: &dyn Database, file: File, compiled: &CompiledRef) -> String {
    let target = compiled.target;
    let stage = stage(db, file, compiled);
    let by = match compiled.compiler {
        Compiler::Llvm => "",
        Compiler::Aco => " by ACO",
    };
    format!("{stage} for {} ({}){by}", target.name(), target.row().processor)
}

/// The shader's stage, as its header spells it.
pub(super) fn stage(db: &dyn Database, file: File, compiled: &CompiledRef) -> &'static str {
    let shader = shaders::shaders(db, file).get(compiled.shader);
    let parse = shader.map(|shader| shaders::parse(db, *shader));
    let stage = parse.and_then(|parse| Some(parse.shader.as_ref()?.stage.value));
    stage.map_or("shader", |stage| stage.word())
}

/// The IR that a shader is lowered to; `None` where it has errors or is not lowered.
pub(crate) fn ir(db: &dyn Database, file: File, compiled: &CompiledRef) -> Option<String> {
    let (shader, _) = shader_of(db, file, compiled)?;
    if shaders::has_errors(db, shader) {
        return None;
    }
    let program = compile::program(db, file, shader, compiled.target).ok()?;
    Some(program.lowered.module.ir.clone())
}

fn ir_view(db: &dyn Database, file: File, compiled: &CompiledRef) -> Option<CompiledView> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let mut document = Document::default();
    document.line(None, &format!("; {}", heading(db, file, compiled)));
    let Some(ir) = ir(db, file, compiled) else {
        // Compiling may be off: the IR needs no compiler, and is shown all the same.
        let blocker = match compile::module(db, file, shader, compiled.target) {
            Err(blocker) => blocker,
            Ok(_) => CompileBlocker::Lowering(Default::default()),
        };
        let problem = blocker_problem(db, shader, &map, compiled.target, &blocker);
        document.line(None, &format!("; {}", problem.message));
        return Some(document.finish(CompiledState::Unavailable, Some(problem.message)));
    };
    let lines = shaders::line_index(db, file);
    let program = compile::program(db, file, shader, compiled.target).ok();
    let statements = Statements::of(db, file, shader, &map, program.as_ref()).ranges;
    let ordinals = debug_ordinals(&ir);
    for line in ir.lines() {
        let ordinal = debug_number(line, "!dbg !").and_then(|it| ordinals.get(&it).copied());
        let statement = ordinal.and_then(|it: u32| statements.get((it as usize).checked_sub(1)?));
        let range = statement.copied().flatten();
        document.line(range.map(|range| lines.line(range.start())), line);
    }
    Some(document.finish(CompiledState::Fresh, None))
}

/// The instruction's ordinal of each debug location, by the location's number.
fn debug_ordinals(ir: &str) -> FxHashMap<u32, u32> {
    let locations = ir.lines().filter(|line| line.contains("!DILocation("));
    let pairs = locations.filter_map(|line| {
        let number = line.strip_prefix('!')?.split_once(' ')?.0.parse().ok()?;
        Some((number, debug_number(line, "line: ")?))
    });
    pairs.collect()
}

/// The number that follows a word in a line of IR.
fn debug_number(line: &str, word: &str) -> Option<u32> {
    let (_, rest) = line.rsplit_once(word)?;
    let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ir_are_joined_by_their_locations() {
        let ir = "  %1 = fadd float %a, %b, !dbg !12\n  ret void, !dbg !13\n\
                  !12 = !DILocation(line: 7, column: 1, scope: !5)\n\
                  !13 = !DILocation(line: 8, column: 1, scope: !5)\n!14 = !{}\n";
        let ordinals = debug_ordinals(ir);
        assert_eq!(ordinals.len(), 2);
        let first = ir.lines().next().unwrap();
        assert_eq!(debug_number(first, "!dbg !").and_then(|it| ordinals.get(&it)), Some(&7));
        assert_eq!(debug_number("!14 = !{}", "!dbg !"), None);
    }
}
