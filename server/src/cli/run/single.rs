//! One shader on the inputs of a file: what its four lanes computed.

use std::path::Path;

use diff_exec::Verdict;
use engine::Language;
use tgsi::ast::StatementKind;
use tgsi_interp::execution::execute;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Denormals, Limits, Program, Subgroup};

use super::super::files::SourceFile;
use super::super::output::Output;
use super::show::{Lines, show};
use super::types::Types;
use super::{Arguments, Other, Status, Stop, complain, failed, given, kernel};

pub(super) fn run(
    path: &Path,
    arguments: &Arguments,
    other: Option<&mut Other>,
    output: &mut Output,
) -> Result<Status, Stop> {
    let file = SourceFile::read(path)?;
    if file.language == Language::Gcn {
        return kernel::run(path, &file, arguments, output);
    }
    let regions = tgsi::regions::split(&file.text).shaders;
    let region =
        arguments.shader.checked_sub(1).and_then(|it| regions.get(it)).ok_or_else(|| {
            failed(format_args!("{}: there is no shader {}", file.name, arguments.shader))
        })?;
    let Some(shader) = file.shader(region)? else { return Ok(Status::Bad) };
    let given = match (&arguments.inputs, arguments.seed) {
        (Some(inputs), _) => given::read(inputs)?,
        // What the interpreter does not take is told below.
        (None, Some(seed)) => diff_exec::made_up(&shader, seed).unwrap_or_default(),
        (None, None) => given::named(path, &file, arguments.shader - 1)?,
    };
    let given = Inputs { subgroup: Subgroup::Wave, ..given };
    let instructions = shader.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Instruction(instruction) => {
            let range = region.map().to_file(statement.range);
            Some((file.line(range.start()), instruction))
        }
        _ => None,
    });
    let types = Types::of(&shader);
    let lines = Lines { file: &file, instructions: instructions.collect(), types };
    let complain_at = |ordinal: u32, message: &dyn std::fmt::Display| {
        let line = lines.line(ordinal).map_or(String::new(), |line| format!("{line}:"));
        complain(format_args!("{}:{line} {message}", file.name));
    };
    let program = match Program::prepare(&shader) {
        Ok(mut program) => {
            if other.is_some() {
                program.denormals = Denormals::Flushed;
            }
            program
        }
        Err(refusal) => {
            complain_at(refusal.ordinal, &refusal);
            return Ok(Status::Failed);
        }
    };
    let tracing = if arguments.trace { Tracing::On } else { Tracing::Off };
    let outcome = match execute(&program, &given, tracing, Limits::default()) {
        Ok(outcome) => outcome,
        Err(failure) => {
            complain_at(failure.ordinal, &failure);
            return Ok(Status::Bad);
        }
    };
    for step in &outcome.trace {
        lines.show_step(step, output)?;
    }
    if outcome.trace.len() == Limits::default().records {
        complain(format_args!(
            "the trace ends after {} steps; the run went on",
            outcome.trace.len()
        ));
    }
    show(&shader, &outcome, output)?;
    let as_expected = match &given.expect {
        Some(expect) => {
            let unexpected =
                expect.compare(&[0, 1, 2, 3], |expected, word, lane| match expected.table.name {
                    "buf" => outcome.after.buffers.get(expected.number)?.get(word).copied(),
                    _ => Some(outcome.outputs.get(expected.number)?.get(word)?[lane]),
                });
            kernel::conclude(&unexpected, expect.words(4), output)?
        }
        None => Status::Good,
    };
    let Some(other) = other.filter(|_| as_expected == Status::Good) else {
        return Ok(as_expected);
    };
    match other.check(&shader, &given) {
        Ok((Verdict::Differ(difference), _)) => {
            complain_at(difference.ordinal, &format_args!("{}: {difference}", other.name()));
            Ok(Status::Bad)
        }
        Ok((_, compared)) => {
            let name = other.name();
            let code = other.code();
            output.line(&match compared {
                0 => format!("{name}: the run leaves nothing that is defined to compare"),
                1 => format!("{name}: {code} gives the same value"),
                _ => format!("{name}: {code} gives the same {compared} values"),
            })?;
            Ok(Status::Good)
        }
        Err(reason) => {
            complain_at(0, &format_args!("{}: not compared: {reason}", other.name()));
            Ok(Status::Failed)
        }
    }
}
