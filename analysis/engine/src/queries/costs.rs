//! The costs of code, as queries.
//!
//! The grain is the kernel. Its code is a tracked struct of its own, in words and
//! without positions, so that an edit elsewhere in the file, of comments or of white
//! space analyses nothing again; where its instructions stand in the text is asked of
//! the program. Diagnostics of costs are apart from those of the text: they take longer,
//! and nothing that is shown at once waits for them.

use std::sync::Arc;

use gcn::Target;
use gcn::analysis::{
    Code, Declared, InstDiagnostic, Options, Report, analyse, check, check_with_gaps,
};
use gcn::limits::KERNELS;
use gcn::program::{KernelCode, Program};
use rustc_hash::FxHashMap;
use salsa::Database;
use source::Checkpoint;

use crate::inputs::{CompileSlot, File};
use crate::queries::compile;
use crate::queries::programs::{self, Shared};

/// The costs of a code; equal to itself only.
pub(crate) type CostReport = Shared<Report>;

/// Code with what is asked for it: all that its costs depend on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) code: Arc<Code>,
    pub(crate) declared: Declared,
}

/// The code of one kernel of a file.
#[salsa::tracked]
pub(crate) struct KernelText<'db> {
    /// Its label, by which it is known again when kernels are added before it.
    #[returns(clone)]
    pub(crate) name: Box<str>,
    /// The number of kernels of that name before it: texts without labels have many of none.
    #[returns(copy)]
    pub(crate) same_name_before: u32,
    /// Its words. Offsets count from its first instruction.
    #[tracked]
    #[returns(clone)]
    pub(crate) code: Arc<Resolved>,
    /// For each instruction the program's, by index.
    #[tracked]
    #[returns(clone)]
    pub(crate) instructions: Arc<[u32]>,
    /// Its place among the kernels of the program.
    #[tracked]
    #[returns(copy)]
    pub(crate) number: usize,
    /// Its code with gaps, where some line is not an instruction: what is found in it is certain
    /// all the same.
    #[tracked]
    #[returns(clone)]
    pub(crate) with_gaps: Option<Arc<GappedCode>>,
}

/// The code of a kernel with gaps for lines that are not instructions or not there to read, and for
/// each of its instructions the program's, by index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GappedCode {
    code: Code,
    pub(crate) instructions: Vec<u32>,
    /// The lines that are not an instruction.
    broken: usize,
}

impl<'db> KernelText<'db> {
    /// Tells whether every line of it is an instruction.
    pub(crate) fn is_error_free(self, db: &'db dyn Database) -> bool {
        self.with_gaps(db).is_none_or(|it| it.broken == 0)
    }
}

/// The kernels of a file that have instructions, in order, as many as may have costs.
#[salsa::tracked(returns(ref))]
pub(crate) fn kernels(db: &dyn Database, file: File) -> Vec<KernelText<'_>> {
    kernels_of(db, &programs::program(db, file))
}

/// The kernels of a file as they are on another chip.
#[salsa::tracked(returns(ref))]
fn kernels_on(db: &dyn Database, file: File, target: Target) -> Vec<KernelText<'_>> {
    kernels_of(db, &programs::program_on(db, file, target))
}

/// Evicts the kernels of a text that is gone. Of chips that were asked for beside those of
/// the settings the last few stay.
pub(crate) fn evict_kernels(db: &dyn Database, file: File) {
    kernels(db, file);
    for target in file.settings(db).targets(db) {
        kernels_on(db, file, *target);
    }
}

fn kernels_of<'db>(db: &'db dyn Database, program: &Program) -> Vec<KernelText<'db>> {
    let mut kernels = Vec::new();
    let mut names: FxHashMap<&str, u32> = FxHashMap::default();
    for (number, kernel) in program.kernels.iter().enumerate() {
        let checkpoint = || db.unwind_if_revision_cancelled();
        let found = resolved(program, number, &checkpoint);
        let Some((code, instructions, missing)) = found else { continue };
        let is_gapped = missing > 0 || !program.unread_in(kernel).is_empty();
        let with_gaps = is_gapped.then(|| {
            let addresses = program.address_counts();
            let own = KernelCode::with_gaps(program, kernel, addresses, &checkpoint);
            Arc::new(GappedCode { code: own.code, instructions: own.instructions, broken: missing })
        });
        let known = names.entry(&kernel.name).or_default();
        let same_name_before = std::mem::replace(known, known.saturating_add(1));
        let (name, code) = (kernel.name.clone(), Arc::new(code));
        let instructions = Arc::from(instructions);
        kernels.push(KernelText::new(
            db,
            name,
            same_name_before,
            code,
            instructions,
            number,
            with_gaps,
        ));
        if kernels.len() >= KERNELS {
            break;
        }
    }
    kernels
}

/// A kernel's code, the program's instructions that it is made of, and how many lines of
/// it are not an instruction; `None` where there is no code.
fn resolved(
    program: &Program,
    number: usize,
    checkpoint: Checkpoint<'_>,
) -> Option<(Resolved, Vec<u32>, usize)> {
    let kernel = program.kernels.get(number)?;
    if let Some(code) = program.whole_code(number, checkpoint) {
        let resolved = Resolved { code: Arc::clone(code), declared: program.declared(kernel) };
        return Some((resolved, kernel.instructions.clone().collect(), 0));
    }
    let addresses = program.address_counts();
    let own = KernelCode::of(program, kernel, addresses, checkpoint);
    let KernelCode { mut code, instructions, declared, missing } = own;
    let start = code.instructions.first()?.offset;
    for instruction in &mut code.instructions {
        instruction.offset = instruction.offset.saturating_sub(start);
    }
    Some((Resolved { code: Arc::new(code), declared }, instructions, missing))
}

fn report(db: &dyn Database, code: &Code, declared: Declared) -> CostReport {
    let options = Options { declared, ..Options::default() };
    Shared(Arc::new(analyse(code, &options, &|| db.unwind_if_revision_cancelled())))
}

/// The costs of a kernel.
#[salsa::tracked(returns(clone))]
pub(crate) fn kernel_report<'db>(db: &'db dyn Database, kernel: KernelText<'db>) -> CostReport {
    let resolved = kernel.code(db);
    report(db, &resolved.code, resolved.declared)
}

/// The diagnostics of a kernel's code, by its instructions.
#[salsa::tracked(returns(clone))]
pub(crate) fn kernel_diagnostics<'db>(
    db: &'db dyn Database,
    kernel: KernelText<'db>,
) -> Arc<Vec<InstDiagnostic>> {
    let checkpoint = || db.unwind_if_revision_cancelled();
    let resolved = kernel.code(db);
    let waves = resolved.declared.waves_per_group;
    if let Some(gapped) = kernel.with_gaps(db) {
        return Arc::new(check_with_gaps(&gapped.code, waves, &checkpoint));
    }
    let report = kernel_report(db, kernel);
    let Report { def_use, cfg, liveness, .. } = &*report;
    Arc::new(check(&resolved.code, def_use, cfg, liveness, waves, &checkpoint))
}

/// The costs of a kernel of a file on another chip, by its place among the kernels;
/// `None` where its text is not code of that chip.
pub(crate) fn kernel_report_on(
    db: &dyn Database,
    file: File,
    target: Target,
    number: usize,
) -> Option<CostReport> {
    let kernel = kernels_on(db, file, target).iter().find(|it| it.number(db) == number)?;
    kernel.is_error_free(db).then(|| kernel_report(db, *kernel))
}

/// The costs of the code in a slot, if it has some that was understood.
#[salsa::tracked(returns(clone))]
pub(crate) fn compiled_report(db: &dyn Database, slot: CompileSlot) -> Option<CostReport> {
    let compiled = compile::compiled(db, slot)?.ok()?;
    let (code, declared) = compiled.code(slot.build(db).target);
    Some(report(db, &code, declared))
}

/// The most instructions whose diagnostics are told together with those of the text: at four
/// microseconds each they take no more than that.
const QUICK: usize = 1_000;

/// Tells whether the costs of a file take a few milliseconds at most.
pub(crate) fn are_quick(db: &dyn Database, file: File) -> bool {
    let root = programs::root_includer(db, file).map_or(file, |(root, _)| root);
    programs::program(db, root).instructions.len() <= QUICK
}
