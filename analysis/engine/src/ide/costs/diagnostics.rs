//! Diagnostics of costs in the words of a text: places, and fixes as edits.
//!
//! They are shown only where they are certain: whatever the lines are that are no
//! instructions yet, in a file that is assembled as it stands. What somebody's compiler
//! printed gets no advice, as nobody can follow it.

use std::sync::Arc;

use editor_model::TargetOrigin;
use gcn::analysis::{Change, InstDiagnostic, InstFix};
use gcn::assembler::sources::SourceId;
use gcn::limits::KERNELS;
use gcn::program::{Instruction, Program};
use salsa::Database;
use source::{Diagnostic, Fix, Related, Severity, Tag, TextEdit, TextRange, TextSize};

use super::place_of;
use crate::ide::diagnostics::bounded_by;
use crate::inputs::File;
use crate::queries::codes::TOO_LARGE;
use crate::queries::costs::{self, GappedCode, KernelText};
use crate::queries::programs;

/// Diagnostics of mistakes and losses in the code of an assembly file, in order of the
/// text. The machine code of shaders has no diagnostics: nobody can fix it.
pub(in crate::ide) fn diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let seen = programs::root_includer(db, file);
    if seen.is_none() && !programs::is_translation_unit(&file.name(db)) {
        return Vec::new();
    }
    let (root, source) = seen.unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    let text = file.text(db);
    let kernels: Vec<Shown> =
        costs::kernels(db, root).iter().map(|kernel| Shown::of(db, *kernel)).collect();
    let mut all = Vec::new();
    for (kernel, shown) in kernels.iter().enumerate() {
        let place = shown.lines(&program, source, &text);
        // Where a wait is missing, those behind it are judged as if it stood there.
        let is_wrong = shown.diagnostics.iter().any(|it| it.severity != Severity::Hint);
        let is_shown = |diagnostic: &InstDiagnostic| match diagnostic.severity {
            Severity::Hint => {
                program.listing.is_none()
                    && !(is_wrong && diagnostic.code == gcn::codes::TOO_STRICT_WAIT)
            }
            _ => true,
        };
        all.extend(shown.diagnostics.iter().filter(|it| is_shown(it)).filter_map(|own| {
            let range = place.range(own.instruction)?;
            Some(Found { range, severity: own.severity, origin: Some((kernel, own)) })
        }));
    }
    let left_out = left_out(db, root, &program, source);
    all.extend(left_out.iter().map(|it| Found {
        range: it.range,
        severity: it.severity,
        origin: None,
    }));
    all.sort_by_key(|found| (found.range.start(), found.severity));
    // A macro's diagnostic is told once for each call, however often it repeats within.
    all.dedup_by(|a, b| a.range == b.range && a.said() == b.said());
    // There may be one for each line: only those that are shown are put into words.
    let mut shown = bounded_by(
        all,
        |found| (found.severity, found.range),
        |found| match found.origin {
            Some((kernel, own)) => kernels[kernel].lines(&program, source, &text).diagnostic(own),
            None => left_out.clone(),
        },
    );
    tell_guess(db, file, &mut shown);
    shown
}

/// A diagnostic before it is put into words: one of a kernel's by number, or that some are left
/// out.
struct Found<'a> {
    range: TextRange,
    severity: Severity,
    origin: Option<(usize, &'a InstDiagnostic)>,
}

impl<'a> Found<'a> {
    fn said(&self) -> Option<(source::Code, &'a str)> {
        self.origin.map(|(_, own)| (own.code, own.message.as_str()))
    }
}

/// The diagnostics of a kernel, and for each instruction that they speak of the program's.
struct Shown {
    diagnostics: Arc<Vec<InstDiagnostic>>,
    whole: Arc<[u32]>,
    gapped: Option<Arc<GappedCode>>,
}

impl Shown {
    fn of(db: &dyn Database, kernel: KernelText<'_>) -> Shown {
        Shown {
            diagnostics: costs::kernel_diagnostics(db, kernel),
            whole: kernel.instructions(db),
            gapped: kernel.with_gaps(db),
        }
    }

    fn lines<'a>(
        &'a self,
        program: &'a Program,
        source: SourceId,
        text: &'a str,
    ) -> KernelLines<'a> {
        let instructions = self.gapped.as_ref().map_or(&self.whole[..], |it| &it.instructions);
        KernelLines { program, instructions, source, text }
    }
}

/// Says at the first diagnostic which chip all are for, where no file and no setting names one.
fn tell_guess(db: &dyn Database, file: File, all: &mut [Diagnostic]) {
    let Some(first) = all.first_mut() else { return };
    let kind = programs::assembly_kind(db, file);
    if matches!(kind.target_origin, TargetOrigin::Default | TargetOrigin::Instructions) {
        let message = format!("waits, hazards and registers are those of {}", kind.sentence());
        first.related.push(Related { range: TextRange::default(), message });
    }
}

/// Says that there are more kernels than those with costs: at the very beginning of the
/// program, so that it is among the diagnostics that are shown.
fn left_out(
    db: &dyn Database,
    root: File,
    program: &Program,
    source: SourceId,
) -> Option<Diagnostic> {
    let kernels = costs::kernels(db, root);
    let last = kernels.last().filter(|_| kernels.len() >= KERNELS && source == SourceId::ROOT)?;
    let more = program.kernels.len() - last.number(db) - 1;
    let message = format!(
        "costs are computed for the first {KERNELS} kernels, not for the {more} after them"
    );
    (more > 0).then(|| Diagnostic::hint(TOO_LARGE, TextRange::default(), message))
}

/// A kernel in a text.
struct KernelLines<'a> {
    program: &'a Program,
    instructions: &'a [u32],
    source: SourceId,
    text: &'a str,
}

impl KernelLines<'_> {
    fn instruction(&self, index: u32) -> Option<&Instruction> {
        let own = *self.instructions.get(index as usize)?;
        self.program.instructions.get(own as usize)
    }

    fn range(&self, index: u32) -> Option<TextRange> {
        place_of(self.program, self.instruction(index)?, self.source)
    }

    fn diagnostic(&self, diagnostic: &InstDiagnostic) -> Option<Diagnostic> {
        let range = self.range(diagnostic.instruction)?;
        let mut own =
            Diagnostic::new(diagnostic.code, diagnostic.severity, range, &*diagnostic.message);
        own.related.extend(diagnostic.related.iter().filter_map(|(other, message)| {
            Some(Related { range: self.range(*other)?, message: message.clone() })
        }));
        own.fixes.extend(diagnostic.fix.as_ref().and_then(|fix| self.fix(diagnostic, fix, range)));
        if matches!(diagnostic.fix, Some(InstFix { change: Change::Remove, .. }))
            || diagnostic.code == gcn::codes::UNREACHABLE_CODE
        {
            own.tags.push(Tag::Unnecessary);
        }
        Some(own)
    }

    /// The fix as an edit; none where the instruction is not written there by itself.
    fn fix(&self, diagnostic: &InstDiagnostic, fix: &InstFix, range: TextRange) -> Option<Fix> {
        let instruction = self.instruction(diagnostic.instruction)?;
        if self.source != SourceId::ROOT || !self.program.is_written(instruction) {
            return None;
        }
        let edit = match &fix.change {
            Change::Replace(text) => TextEdit { range, insert: text.clone() },
            Change::InsertBefore(text) => self.insert_before(range, text),
            Change::Remove => self.remove(range),
        };
        Some(Fix { title: fix.title.clone(), edits: vec![edit] })
    }

    /// The text of the line before and behind a range.
    fn around(&self, range: TextRange) -> Option<(&str, &str)> {
        let before = self.text.get(..usize::from(range.start()))?;
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let after = self.text.get(usize::from(range.end())..)?;
        let end = after.find(['\n', '\r']).unwrap_or(after.len());
        Some((&before[start..], &after[..end]))
    }

    /// Lines of their own before the instruction's, as far indented; what stands before
    /// the instruction, such as a label, stays before all.
    fn insert_before(&self, range: TextRange, text: &str) -> TextEdit {
        let before = self.around(range).map(|(before, _)| before).unwrap_or_default();
        let indent = if before.trim().is_empty() { before } else { "    " };
        let end = format!("\n{indent}");
        let insert = text.lines().flat_map(|line| [line, end.as_str()]).collect();
        TextEdit { range: TextRange::empty(range.start()), insert }
    }

    /// The whole line, where nothing else stands in it.
    fn remove(&self, range: TextRange) -> TextEdit {
        let nothing = || TextEdit { range, insert: String::new() };
        let Some((before, after)) = self.around(range) else { return nothing() };
        if !before.trim().is_empty() || !after.trim().is_empty() {
            return nothing();
        }
        let end = usize::from(range.end()) + after.len();
        let line_end = match self.text.get(end..) {
            Some(rest) if rest.starts_with("\r\n") => 2,
            Some(rest) if !rest.is_empty() => 1,
            _ => 0,
        };
        let start = range.start() - TextSize::of(before);
        let end = TextSize::new((end + line_end) as u32);
        TextEdit { range: TextRange::new(start, end), insert: String::new() }
    }
}
