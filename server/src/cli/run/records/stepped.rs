//! A record's run in the debugger: step by step to its end, back to its beginning, and forth
//! again; then the outcome is judged.

use debugger::shader::Shader;
use debugger::{DEFAULT_BYTES, Debugger, Pace, Recording, Stop, Stride, Subject};
use tgsi::words::File;
use tgsi_interp::{EMPTY, LANES, Place, Program, Register, Stepping};

use super::super::skipped::Skipped;
use super::judge::{Judge, tolerance};
use super::{Record, resources, system_values, vertices};

/// The first difference of the debugger's run from its record, if any.
pub(super) fn outcome(
    record: &Record,
    text: &str,
    shader: &tgsi::ast::Shader,
    program: &Program,
) -> Result<Option<String>, Skipped> {
    let inputs = &record.inputs;
    let given = tgsi_interp::inputs::Inputs {
        vertices: vertices(inputs, program)?,
        system_values: system_values(inputs)?,
        grid: inputs.grid,
        resources: resources(inputs)?,
        ..tgsi_interp::inputs::Inputs::default()
    };
    let own = Shader::new(text, 1, given).map_err(Skipped::compared)?;
    let run = own.run().map_err(Skipped::compared)?;
    let mut debugger = Debugger::new(Recording::new(run, DEFAULT_BYTES));
    let mut go = || Pace::Go;
    let forth = loop {
        let thread = debugger.subject().thread().unwrap_or(0);
        match debugger.step_in(thread, Stride::Instruction, &mut go) {
            Stop::Step => {}
            other => break other,
        }
    };
    if let Stop::Fault(fault) = forth {
        return Err(Skipped::compared(fault));
    }
    let end = debugger.recording().position();
    let back = debugger.go_back(&mut go);
    let again = debugger.go_on(&mut go);
    let ways = [(forth, Stop::End), (back, Stop::Beginning), (again, Stop::End)];
    if let Some((stop, wanted)) = ways.into_iter().find(|(stop, wanted)| stop != wanted) {
        return Ok(Some(format!("the debugger stops with {stop:?} in place of {wanted:?}")));
    }
    if debugger.recording().position() != end {
        return Ok(Some("the way forth has another length the second time".to_owned()));
    }
    let left = debugger.subject().stepping();
    let judge = Judge { tolerance: tolerance(shader) };
    if inputs.grid.is_some() {
        return Ok(judge.memory(&record.outputs, left.resources(), shader));
    }
    let killed = left.killed(0);
    if record.outputs.kill.is_some_and(|kill| kill != killed) {
        return Ok(Some(format!("killed lanes {killed:04b}")));
    }
    if let Some(streams) = &record.outputs.streams {
        return Ok(judge.streams(streams, left.streams(0), shader));
    }
    let found = judge.outputs(&record.outputs, &outputs(left), killed);
    Ok(found.or_else(|| judge.memory(&record.outputs, left.resources(), shader)))
}

/// The output registers of the only quad.
fn outputs(run: &Stepping<'_>) -> Vec<Register> {
    let files = run.files(0);
    let own = files.iter().find(|size| size.file == File::Output);
    let register = |index: usize| -> Register {
        let mut register = EMPTY;
        for (component, lanes) in register.iter_mut().enumerate() {
            let place = Place { file: File::Output, first: None, index, component };
            let value = |lane: usize| run.value(0, place, lane).unwrap_or(0);
            *lanes = std::array::from_fn::<u32, LANES, _>(value);
        }
        register
    };
    (0..own.map_or(0, |size| size.registers)).map(register).collect()
}
