//! Explanations of costs, as queries: of a kernel and of compiled code, without positions.

use std::sync::Arc;

use gcn::analysis::timing::TimingOptions;
use gcn::analysis::{Code, Explainer, RegisterPressure, Report, WaitExplanation, peak_of};
use gcn::instruction::Bank;
use gcn::limits::EXPLAINED_WAITS;
use salsa::Database;

use crate::inputs::CompileSlot;
use crate::queries::compile;
use crate::queries::costs::{self, KernelText};
use crate::queries::programs::Shared;

/// The explanations of a code: its peak of each kind of register, or its waits; equal to itself
/// only.
pub(crate) type Explained<T> = Shared<Vec<T>>;

/// The values at the peaks of a kernel.
#[salsa::tracked(returns(clone))]
pub(crate) fn kernel_registers<'db>(
    db: &'db dyn Database,
    kernel: KernelText<'db>,
) -> Explained<RegisterPressure> {
    registers(db, &kernel.code(db).code, &costs::kernel_report(db, kernel))
}

/// The longest waits of a kernel.
#[salsa::tracked(returns(clone))]
pub(crate) fn kernel_waits<'db>(
    db: &'db dyn Database,
    kernel: KernelText<'db>,
) -> Explained<WaitExplanation> {
    waits(db, &kernel.code(db).code, &costs::kernel_report(db, kernel))
}

/// The values at the peaks of the code in a slot.
#[salsa::tracked(returns(clone))]
pub(crate) fn compiled_registers(
    db: &dyn Database,
    slot: CompileSlot,
) -> Option<Explained<RegisterPressure>> {
    let (code, report) = of_slot(db, slot)?;
    Some(registers(db, &code, &report))
}

/// The longest waits of the code in a slot.
#[salsa::tracked(returns(clone))]
pub(crate) fn compiled_waits(
    db: &dyn Database,
    slot: CompileSlot,
) -> Option<Explained<WaitExplanation>> {
    let (code, report) = of_slot(db, slot)?;
    Some(waits(db, &code, &report))
}

fn of_slot(db: &dyn Database, slot: CompileSlot) -> Option<(Code, costs::CostReport)> {
    let report = costs::compiled_report(db, slot)?;
    let compiled = compile::compiled(db, slot)?.ok()?;
    Some((compiled.code(slot.build(db).target).0, report))
}

fn registers(db: &dyn Database, code: &Code, report: &Report) -> Explained<RegisterPressure> {
    let checkpoint = || db.unwind_if_revision_cancelled();
    let mut explainer = Explainer::new(code, report, TimingOptions::default(), &checkpoint);
    let peaks = Bank::ALL.into_iter().filter_map(|bank| {
        let at = peak_of(report, bank)?;
        explainer.registers(bank, at)
    });
    Shared(Arc::new(peaks.collect()))
}

fn waits(db: &dyn Database, code: &Code, report: &Report) -> Explained<WaitExplanation> {
    let checkpoint = || db.unwind_if_revision_cancelled();
    let mut explainer = Explainer::new(code, report, TimingOptions::default(), &checkpoint);
    let waits = explainer.waits(&gcn::analysis::longest_waits(report, EXPLAINED_WAITS));
    Shared(Arc::new(waits))
}
