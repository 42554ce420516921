//! Rewritten shaders mean the same: real ones are rewritten at every place where that is
//! offered, run beside the original on the same inputs, and diagnosed alike.

use std::collections::BTreeMap;

use crate::corpus::Program;
use source::{Diagnostic, Severity, no_checkpoint};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::service::refactor::{Refactoring, edits};
use tgsi_interp::launch::{QuadInputs, run_grid, run_quad};
use tgsi_interp::{Limits, Register, Resources};

/// Rewritings of one kind that are looked at in one shader.
const MOST_OF_A_KIND: usize = 4;

struct Source(u64);

impl Source {
    fn word(&mut self) -> u32 {
        // The constants are those of Knuth's MMIX generator.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (self.0 >> 32) as u32;
        match bits % 3 {
            0 => bits >> 28,
            1 => ((bits >> 16) as f32 / 8192.0 - 4.0).to_bits(),
            _ => bits,
        }
    }

    fn register(&mut self) -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| self.word()))
    }

    fn resources(&mut self) -> Resources {
        Resources {
            constants: (0..2)
                .map(|_| (0..32).map(|_| std::array::from_fn(|_| self.word())).collect())
                .collect(),
            buffers: (0..2).map(|_| (0..64).map(|_| self.word()).collect()).collect(),
            shared: vec![0; 64],
            counters: vec![vec![0; 16]],
            ..Resources::default()
        }
    }
}

/// Returns the outputs of a program, in words; `None` where it is not run to its end.
fn run(shader: &Shader, seed: u64) -> Option<String> {
    let program = tgsi_interp::Program::prepare(shader).ok()?;
    let mut source = Source(seed);
    let mut resources = source.resources();
    let vertices = match program.stage {
        Stage::Geometry | Stage::TessellationEvaluation => 6,
        _ => 1,
    };
    let inputs = QuadInputs {
        inputs: (0..vertices).map(|_| (0..16).map(|_| source.register()).collect()).collect(),
        system_values: (0..8).map(|_| source.register()).collect(),
        mask: 0xf,
        ..QuadInputs::default()
    };
    let limits = Limits { steps: 20_000, records: 1000 };
    let outputs = if program.stage == Stage::Compute {
        run_grid(&program, &mut resources, [2, 1, 1], &inputs.system_values, limits).ok()?;
        String::new()
    } else {
        let outputs = run_quad(&program, &mut resources, &inputs, limits).ok()?;
        // An index out of bounds may mean another register.
        if outputs.out_of_bounds != 0 {
            return None;
        }
        format!("{:?} {} {:?}", outputs.outputs, outputs.killed, outputs.streams)
    };
    Some(format!("{outputs} {:?}", resources))
}

fn parse(text: &str) -> (Option<Shader>, Vec<Diagnostic>) {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    found.extend(parse.shader.iter().flat_map(|it| tgsi::validate(it, &no_checkpoint)));
    (parse.shader, found)
}

/// The codes of diagnostics that count, each once.
fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    let grave = found.iter().filter(|it| it.severity != Severity::Hint);
    let mut codes: Vec<&str> = grave.map(|it| it.code.0).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Rewrites every n-th accepted shader in every way that is offered: it computes the same
/// and is diagnosed alike. Returns how many rewritten ones were run beside the original.
///
/// # Panics
/// Shows those that do not.
pub fn rewritten_shaders_compute_the_same(programs: &[Program], every: usize) -> usize {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut bad = Vec::new();
    for program in programs.iter().filter(|program| program.accepted).step_by(every) {
        let Some(region) = tgsi::regions::split(&program.text).shaders.into_iter().next() else {
            continue;
        };
        let text = region.text(&program.text);
        let (Some(shader), before) = parse(text) else { continue };
        let mut done: BTreeMap<&str, usize> = BTreeMap::new();
        for statement in &shader.statements {
            for refactoring in Refactoring::ALL {
                let count = done.entry(refactoring.id()).or_default();
                if *count == MOST_OF_A_KIND {
                    continue;
                }
                let offset = statement.range.start();
                let Some(edits) = edits(text, &shader, offset, refactoring) else { continue };
                *count += 1;
                let rewritten = source::apply_edits(text, &edits).expect("edits that apply");
                let (Some(other), after) = parse(&rewritten) else {
                    bad.push(format!("{}: {refactoring:?}: no shader", program.name));
                    continue;
                };
                let counted = counts.entry(refactoring.id()).or_default();
                counted.0 += 1;
                if codes(&before) != codes(&after) {
                    let (before, after) = (codes(&before), codes(&after));
                    bad.push(format!(
                        "{}: {refactoring:?}: {before:?} {after:?}\n{rewritten}",
                        program.name
                    ));
                    continue;
                }
                for seed in 0..2 {
                    let Some(expected) = run(&shader, seed) else { continue };
                    counted.1 += usize::from(seed == 0);
                    if run(&other, seed).as_ref() != Some(&expected) {
                        bad.push(format!(
                            "{}: {refactoring:?}: another result\n{rewritten}",
                            program.name
                        ));
                        break;
                    }
                }
            }
        }
    }
    let executed_all = counts.values().map(|(_, executed)| executed).sum();
    for (kind, (rewritten, executed)) in counts {
        eprintln!("{kind}: {rewritten} rewritten, {executed} of them run beside the original");
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad[..bad.len().min(3)].join("\n"));
    executed_all
}
