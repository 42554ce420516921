//! The values that the debugger shows behind lines, over all own shaders: those of a whole run.

use std::collections::BTreeMap;

use debugger::shader::{Shader, ShaderRun};
use debugger::{DEFAULT_BYTES, Debugger, Pace, Recording, Stop, Subject};
use tests::agreement::parsed;
use tests::corpus;
use tgsi::Stage;
use tgsi_interp::execution::execute;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{LANES, Limits, Program, TraceStep};

/// Seeds of made-up inputs of each shader.
const SEEDS: u64 = 3;
/// Instructions of a run, at most: longer ones are those of shaders that need not end.
const LIMITS: Limits = Limits { steps: 4096, records: 4096 };

/// Counts of what was compared, and differences.
#[derive(Default)]
struct Compared {
    lines: usize,
    values: usize,
    /// Values that a line does not have in the trace.
    others: Vec<String>,
}

/// Compares the values behind each line of a run, in all lanes of the watched quad, with the last
/// step of a trace that executed it.
fn compare(debugger: &mut Debugger<ShaderRun<'_>>, trace: &[TraceStep], place: &str) -> Compared {
    let is_patch = debugger.subject().stepping().program().stage == Stage::TessellationControl;
    let mut last: BTreeMap<usize, &TraceStep> = BTreeMap::new();
    last.extend(trace.iter().map(|step| (step.ordinal as usize - 1, step)));
    let (quad, _) = debugger.subject().watched();
    let mut compared = Compared::default();
    for lane in 0..LANES {
        for line in debugger.line_values(quad, lane, &mut || Pace::Go) {
            // A trace has no words of memory, and of two results the first.
            let register = line.written.first().and_then(|(name, _)| name.rsplit_once('.'));
            let register = register.map_or("", |(register, _)| register);
            let is_first = |name: &str| name.rsplit_once('.').is_some_and(|it| it.0 == register);
            for (name, bits) in line.written.iter().filter(|(name, _)| is_first(name)) {
                compared.values += 1;
                let Some(step) = last.get(&line.instruction) else {
                    compared.others.push(format!("{place}: {name} is in no step"));
                    continue;
                };
                let component = ["x", "y", "z", "w"].iter().position(|it| name.ends_with(it));
                let mut found = step.written.iter().filter(|(it, _)| Some(*it) == component);
                // What all lanes of a patch write is the patch's: one of them has the last word.
                let is_same = found.any(|(_, lanes)| {
                    lanes[lane] == *bits
                        || is_patch && name.starts_with("OUT[") && lanes.contains(bits)
                });
                if !is_same {
                    let other = format!("{place}: {name} = {bits:#x} in lane {lane}: {step:?}");
                    compared.others.push(other);
                }
            }
            compared.lines += 1;
        }
    }
    compared
}

#[test]
fn lines_show_what_a_whole_run_left() {
    let (mut runs, mut all, mut refused) = (0, Compared::default(), BTreeMap::new());
    for program in corpus::tgsi_programs() {
        let Some(ast) = parsed(&program.text) else { continue };
        let Ok(prepared) = Program::prepare(&ast) else { continue };
        for seed in 0..SEEDS {
            let place = format!("{}, seed {seed}", program.name);
            let Ok(inputs) = diff_exec::made_up(&ast, seed) else { continue };
            let outcome = match execute(&prepared, &inputs, Tracing::On, LIMITS) {
                Ok(outcome) => outcome,
                Err(failure) => {
                    *refused.entry(failure.message).or_insert(0) += 1;
                    continue;
                }
            };
            let shader = Shader::new(&program.text, 1, inputs).expect(&place);
            let run = shader.run().expect(&place);
            let mut debugger = Debugger::new(Recording::new(run, DEFAULT_BYTES));
            assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End, "{place}");
            let own = compare(&mut debugger, &outcome.trace, &place);
            (all.lines, all.values) = (all.lines + own.lines, all.values + own.values);
            all.others.extend(own.others);
            runs += 1;
        }
    }
    let Compared { lines, values, others } = all;
    eprintln!("{runs} runs, {lines} lines, {values} values; not run: {refused:#?}");
    let first = &others[..others.len().min(20)];
    assert!(others.is_empty(), "{} of them: {first:#?}", others.len());
    assert!(runs >= 1000 && values >= 50_000, "{runs} runs, {values} values");
}
