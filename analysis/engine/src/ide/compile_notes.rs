//! Notes that the machine code of a shader gives on its source: registers that were spilled,
//! memory that indexed registers take, barriers that nobody waits at, and what the
//! compiler itself warned of. Placed at the statement whose code shows it.

use std::sync::Arc;

use editor_model::CompiledState;
use gcn::Target;
use gcn::compiled::{Compiled, Instruction};
use salsa::Database;
use source::{Code, Diagnostic, Severity, TextRange};
use tgsi::Opcode;
use tgsi::ast::StatementKind;

use super::compiled::{CompiledRef, compiled_code, shader_of};
use crate::inputs::{CompileSlot, CompilerOutput, File};
use crate::queries::codes::{BARRIER, SCRATCH, SPILLS, WARNING};
use crate::queries::compile;
use crate::queries::rules::directives;
use crate::queries::shaders::{self, ShaderText};

/// Something that code tells of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Note {
    code: Code,
    severity: Severity,
    /// The statement, by one of its machine instructions; none of the whole shader.
    instruction: Option<usize>,
    /// The statement's ordinal where there is no instruction of it; 0 names none.
    ordinal: u32,
    message: String,
}

/// The notes of a slot's code. They know nothing of the text, so that an edit that moves
/// lines works none of them out again.
#[salsa::tracked(returns(clone))]
fn notes(db: &dyn Database, slot: CompileSlot) -> Arc<Vec<Note>> {
    let mut notes = Vec::new();
    let Some(Ok(code)) = compile::compiled(db, slot) else { return Arc::new(notes) };
    notes.extend(spills(&code).or_else(|| scratch(&code)));
    if let Some(good) = &slot.state(db).good {
        let warnings = match &good.output {
            CompilerOutput::Text { warnings, .. } => &warnings[..],
            CompilerOutput::Read { .. } => &[],
        };
        notes.extend(warnings.iter().map(|(ordinal, message)| Note {
            code: WARNING,
            severity: Severity::Warning,
            instruction: None,
            ordinal: *ordinal,
            message: format!("LLVM warns: {message}"),
        }));
    }
    Arc::new(notes)
}

fn spills(code: &Compiled) -> Option<Note> {
    let figures = &code.statistics;
    let kinds = [(figures.spilled_vgprs, "vector"), (figures.spilled_sgprs, "scalar")];
    let kinds: Vec<String> = (kinds.iter().filter(|(count, _)| *count > 0))
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    if kinds.is_empty() {
        return None;
    }
    let first = scratch_accesses(code).next();
    // Scalar registers are spilled to lanes of vector registers.
    let lane = || code.instructions.iter().position(|it| it.text.starts_with("v_writelane_b32"));
    let waves = figures.waves;
    let plural = if figures.spilled_vgprs + figures.spilled_sgprs == 1 { "is" } else { "are" };
    Some(Note {
        code: SPILLS,
        severity: Severity::Warning,
        instruction: first.or_else(lane),
        ordinal: 0,
        message: format!(
            "{} registers {plural} spilled to memory, first here: more are needed at once than a wave \
             can have ({waves} waves run)",
            kinds.join(" and ")
        ),
    })
}

fn scratch(code: &Compiled) -> Option<Note> {
    let bytes = code.statistics.scratch;
    (bytes > 0).then(|| Note {
        code: SCRATCH,
        severity: Severity::Hint,
        instruction: scratch_accesses(code).next(),
        ordinal: 0,
        message: format!(
            "indexed registers take {bytes} bytes of memory per lane: each read or write of one is a \
             memory access"
        ),
    })
}

/// The instructions that access scratch memory: those of the buffer whose descriptor the
/// loader fills in. The compiler keeps it in the same registers throughout.
fn scratch_accesses(code: &Compiled) -> impl Iterator<Item = usize> {
    let descriptor = code.instructions.iter().find_map(|it| {
        let rest = it.text.strip_prefix("s_mov_b32 s")?;
        let (register, symbol) = rest.split_once(", ")?;
        let first: u32 = register.parse().ok().filter(|_| symbol == "SCRATCH_RSRC_DWORD0")?;
        Some(format!(" s[{first}:{}],", first.checked_add(3)?))
    });
    let is_access = move |text: &str| {
        text.starts_with("scratch_")
            || descriptor
                .as_ref()
                .is_some_and(|it| text.starts_with("buffer_") && text.contains(it))
    };
    let instructions = code.instructions.iter().enumerate();
    instructions.filter_map(move |(place, it)| is_access(&it.text).then_some(place))
}

/// The barriers of a shader for which there is no instruction in its code, relative to
/// the shader.
fn barriers<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
    code: &Compiled,
) -> Vec<TextRange> {
    let parse = shaders::parse(db, shader);
    let statements = parse.shader.iter().flat_map(|shader| &shader.statements);
    let barriers = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Instruction(it) if it.opcode.value == Opcode::BARRIER => {
            Some(statement.range)
        }
        _ => None,
    });
    let barriers: Vec<TextRange> = barriers.collect();
    let is_barrier = |it: &Instruction| it.text == "s_barrier";
    if barriers.is_empty() || code.instructions.iter().any(is_barrier) {
        return Vec::new();
    }
    barriers
}

/// Notes under way: a note, its place, and the targets that tell it.
#[derive(Default)]
struct Found(Vec<(Note, Option<TextRange>, Vec<&'static str>)>);

impl Found {
    fn add(&mut self, note: Note, range: Option<TextRange>, target: Target) {
        let same = self.0.iter_mut().find(|(known, at, _)| {
            known.code == note.code && known.message == note.message && *at == range
        });
        match same {
            Some((_, _, names)) => names.push(target.name()),
            None => self.0.push((note, range, vec![target.name()])),
        }
    }
}

/// The notes that the code of a shader gives, as diagnostics relative to the shader. What several
/// targets tell alike is told once, with all their names.
pub(super) fn diagnostics<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Vec<Diagnostic> {
    let mut found = Found::default();
    for target in directives::targets(db, file, shader.index(db)).iter().copied() {
        let compiled = CompiledRef::new(shader.index(db), target);
        let Some(slot) = compile::slot(db, file, compiled.shader, target) else { continue };
        let notes = notes(db, slot);
        let listing = compile::compiled(db, slot).and_then(Result::ok);
        let barriers = listing.as_ref().map(|code| barriers(db, shader, code)).unwrap_or_default();
        if notes.is_empty() && barriers.is_empty() {
            continue;
        }
        let Some(code) = compiled_code(db, file, &compiled) else { continue };
        // Code of a text that is no more says nothing certain of this one.
        if !matches!(code.state, CompiledState::Fresh | CompiledState::Stale) {
            continue;
        }
        let Some((_, map)) = shader_of(db, file, &compiled) else { continue };
        let of_ordinal = |ordinal: u32| {
            let instructions = listing.as_ref().map(|it| it.instructions.iter())?;
            let mut places = instructions.enumerate();
            places.find(|(_, it)| ordinal > 0 && it.ordinal == ordinal).map(|(place, _)| place)
        };
        for note in notes.iter().cloned() {
            let place = note.instruction.or_else(|| of_ordinal(note.ordinal));
            let range = place.and_then(|place| *code.sources.get(place)?);
            found.add(note, range.and_then(|range| map.range_to_region(range)), target);
        }
        // Of a text that has changed it would not be certain.
        for range in barriers.into_iter().filter(|_| code.state == CompiledState::Fresh) {
            found.add(barrier_note(), Some(range), target);
        }
    }
    let parse = shaders::parse(db, shader);
    let header = parse.shader.as_ref().map(|shader| shader.stage.range).unwrap_or_default();
    let diagnostic = |(note, range, names): (Note, Option<TextRange>, Vec<&str>)| {
        let message = format!("{} ({})", note.message, names.join(", "));
        Diagnostic::new(note.code, note.severity, range.unwrap_or(header), message)
    };
    found.0.into_iter().map(diagnostic).collect()
}

fn barrier_note() -> Note {
    Note {
        code: BARRIER,
        severity: Severity::Hint,
        instruction: None,
        ordinal: 0,
        message: "no barrier instruction is needed: all threads that would wait are in one wave"
            .to_owned(),
    }
}
