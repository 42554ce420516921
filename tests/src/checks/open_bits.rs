//! The share of what compiled shaders leave that the language leaves open, by class of shader.

use std::collections::BTreeMap;
use std::path::Path;

use diff_exec::{Statistics, Verdict};
use gcn::Target;
use open_bits::Rule;

use crate::agreement::{check_counted, compiler, job, parsed};
use crate::corpus::Program;

/// The share of the bits of a class of real shaders that may be open, at most.
pub const CEILING: f64 = 0.02;

/// Returns the percentage of bits that each rule leaves open, the largest first.
pub fn by_rule(statistics: &Statistics) -> String {
    let share = |rule: Rule| 100.0 * statistics.by_rule[rule as usize] / statistics.bits();
    let mut rules: Vec<(Rule, f64)> = Rule::ALL.iter().map(|it| (*it, share(*it))).collect();
    rules.retain(|(_, share)| *share >= 0.005);
    rules.sort_by(|a, b| b.1.total_cmp(&a.1));
    let words = rules.iter().map(|(rule, share)| format!("{} {share:.2} %", rule.name()));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the share of all bits that some rules leave open.
pub fn share_of(statistics: &Statistics, rules: &[Rule]) -> f64 {
    let bits: f64 = rules.iter().map(|rule| statistics.by_rule[*rule as usize]).sum();
    bits / statistics.bits()
}

/// Compares shaders with their machine code on a chip, on `sets` sets of inputs: fails where one
/// differs, or where more of a stage than `ceiling` is open. Returns what was compared, by stage.
///
/// # Panics
/// There is no libLLVM, or a check fails.
pub fn ceilings_hold(
    worker: &Path,
    programs: &[Program],
    target: Target,
    sets: u64,
    ceiling: f64,
) -> BTreeMap<String, Statistics> {
    let (mut compiler, _) = compiler(worker, None).expect("a libLLVM");
    let mut stages: BTreeMap<String, Statistics> = BTreeMap::new();
    for program in programs.iter().filter(|it| it.accepted) {
        let Some(shader) = parsed(&program.text) else { continue };
        let Ok(job) = job(&shader, target) else { continue };
        let checked = check_counted(&shader, target, &job, sets, &mut compiler, &mut |_, _| {});
        if let Verdict::Differ(difference) = checked.verdict {
            panic!("{} on {}: {difference}", program.name, target.name());
        }
        let own = stages.entry(program.stage.clone()).or_default();
        *own = own.plus(checked.statistics);
    }
    for (stage, own) in &stages {
        let share = own.open_share();
        eprintln!("{stage}: {:.2} % of {} words: {}", 100.0 * share, own.words(), by_rule(own));
        assert!(share <= ceiling, "{stage}: {:.2} % are open: {}", 100.0 * share, by_rule(own));
    }
    stages
}
