//! Budgets of a project: limits for what code costs on a chip, and the code that exceeds them.

use editor_model::{ChipCosts, CompiledState};
use salsa::Database;
use source::Diagnostic;

use super::compiled::{CompiledRef, ProblemKind, compiled_code};
use super::costs::{self, sums};
use crate::inputs::{Budget, BudgetLimit, File};
use crate::queries::codes::PROJECT_BUDGET;
use crate::queries::shaders;

/// The diagnostics of shaders over the budgets of their project, as far as their present text is
/// compiled for the chips.
pub(super) fn of_shaders(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for budget in file.settings(db).budgets(db) {
        for shader in 0..shaders::shaders(db, file).len() {
            let wanted = CompiledRef::new(shader, budget.target);
            let Some(code) = compiled_code(db, file, &wanted) else { continue };
            let Some(costed) = costs::compiled(db, file, &wanted) else {
                found.extend(unjudged(db, file, budget, &code, shader));
                continue;
            };
            if code.state == CompiledState::Fresh {
                let name = format!("`{}`", costed.name);
                let over = exceeded(budget, &sums(&costed.report));
                found.extend(over.map(|over| {
                    Diagnostic::error(PROJECT_BUDGET, costed.head, format!("{name} {over}"))
                }));
            }
        }
    }
    found
}

/// The diagnostics of kernels over the budgets for their own chip.
pub(super) fn of_kernels(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let budgets = file.settings(db).budgets(db);
    if budgets.is_empty() {
        return Vec::new();
    }
    let codes = costs::of_kernels(db, file);
    // What is no instruction is not counted.
    let whole = codes.iter().filter(|code| {
        costs::kernel(db, file, code.number).is_some_and(|kernel| kernel.is_error_free(db))
    });
    let over = whole.flat_map(|code| {
        let own = budgets.iter().filter(|budget| budget.target == code.report.target);
        own.filter_map(|budget| {
            let over = exceeded(budget, &sums(&code.report))?;
            let message = format!("`{}` {over}", code.name);
            Some(Diagnostic::error(PROJECT_BUDGET, code.head, message))
        })
    });
    over.collect()
}

/// Says that a shader cannot be held to a budget, where there is no code for the chip for
/// another reason than an error in it.
fn unjudged(
    db: &dyn Database,
    file: File,
    budget: &Budget,
    code: &super::CompiledCode,
    shader: usize,
) -> Option<Diagnostic> {
    let problem = code.problem.as_ref()?;
    match problem.kind {
        ProblemKind::Unsupported | ProblemKind::Failed => {}
        ProblemKind::Invalid | ProblemKind::Off => return None,
    }
    let own = *shaders::shaders(db, file).get(shader)?;
    let stage = shaders::parse(db, own).shader.as_ref().map(|shader| shader.stage)?;
    let range = shaders::map(db, file, shader)?.to_file(stage.range);
    let message = format!(
        "the budget for {} is not checked, for there is no code: {}",
        budget.target.name(),
        problem.message
    );
    Some(Diagnostic::warning(PROJECT_BUDGET, range, message))
}

/// The words for a budget that is exceeded.
fn exceeded(budget: &Budget, costs: &ChipCosts) -> Option<String> {
    let target = costs.target;
    match budget.limit {
        BudgetLimit::Waves(least) if costs.waves < least => {
            let advice = match costs.limiter {
                "waves" => "the chip holds no more".to_owned(),
                _ => costs::edges(costs),
            };
            Some(format!(
                "has {} waves on {target}, and the project's budget is at least {least}; {advice}",
                costs.waves
            ))
        }
        BudgetLimit::Vgprs(most) if costs.vgprs.used > most => Some(format!(
            "uses {} VGPRs on {target}, and the project's budget is at most {most}; {} are needed \
             at once",
            costs.vgprs.used, costs.vgprs.peak
        )),
        BudgetLimit::Clocks(most) if costs.clocks > u64::from(most) => Some(format!(
            "takes {} clocks on {target} as a wave alone, and the project's budget is at most \
             {most}",
            costs.clocks
        )),
        BudgetLimit::Waves(_) | BudgetLimit::Vgprs(_) | BudgetLimit::Clocks(_) => None,
    }
}
