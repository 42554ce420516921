//! One shader on the inputs of a file: what its four lanes computed.

use std::io;
use std::path::Path;

use run::launch::{Tracing, run_grid, run_quad};
use run::{LANES, Limits, Program, Register, Resources, Textures, TraceStep};
use text::Severity;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Shader, StatementKind};
use tgsi::words::File;

use super::super::check;
use super::super::files::SourceFile;
use super::super::output::{Output, Style};
use super::{Arguments, Status, complain, inputs};

/// Words of shared memory that a compute shader gets.
const SHARED_WORDS: usize = 65536 / 4;

pub(super) fn run(path: &Path, arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Some(file) = SourceFile::read(path) else { return Ok(Status::Failed) };
    let regions = tgsi::regions::split(&file.text).shaders;
    let Some(region) = arguments.shader.checked_sub(1).and_then(|it| regions.get(it)) else {
        complain(format_args!("{}: there is no shader {}", file.name, arguments.shader));
        return Ok(Status::Failed);
    };
    let given = match &arguments.inputs {
        None => inputs::Inputs::default(),
        Some(path) => {
            let Some(text) = super::read(path) else { return Ok(Status::Failed) };
            match inputs::read(&text) {
                Ok(given) => given,
                Err(message) => {
                    complain(format_args!("{}: {message}", path.display()));
                    return Ok(Status::Failed);
                }
            }
        }
    };
    let parse = tgsi::parser::parse(region.text(&file.text), &text::no_checkpoint);
    let errors = parse.diagnostics.into_iter().filter(|it| it.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|it| region.map().finding_to_file(it)).collect();
    let Some(shader) = parse.shader.filter(|_| errors.is_empty()) else {
        check::complain_of(&file, &errors)?;
        return Ok(Status::Bad);
    };
    // The lines of the instructions, by ordinal.
    let lines: Vec<(u32, &Instruction)> = shader
        .statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Instruction(instruction) => {
                let range = region.map().to_file(statement.range);
                Some((file.line(range.start()), instruction))
            }
            _ => None,
        })
        .collect();
    let complain_at = |ordinal: u32, message: &dyn std::fmt::Display| {
        let line = lines.get((ordinal as usize).wrapping_sub(1)).map(|(line, _)| *line);
        let line = line.map_or(String::new(), |line| format!("{line}:"));
        complain(format_args!("{}:{line} {message}", file.name));
    };
    let program = match Program::prepare(&shader) {
        Ok(program) => program,
        Err(refusal) => {
            complain_at(refusal.ordinal, &refusal);
            return Ok(Status::Failed);
        }
    };
    let mut resources = given.resources.clone();
    if let Textures::Sampled(sampled) = &mut resources.textures {
        sampled.make_up(&program);
    }
    let mut quad = given.quad();
    if program.stage == Stage::Compute {
        if arguments.trace {
            complain_at(0, &"unsupported: --trace of COMP");
            return Ok(Status::Failed);
        }
        resources.shared = vec![0; SHARED_WORDS];
        let values = &quad.system_values;
        let ran = run_grid(&program, &mut resources, [1; 3], values, Limits::default());
        if let Err(stop) = ran {
            complain_at(stop.ordinal, &stop);
            return Ok(Status::Bad);
        }
        show_memory(&given.resources, &resources, output)?;
        return Ok(Status::Good);
    }
    if matches!(program.stage, Stage::Geometry | Stage::TessellationControl) {
        complain_at(0, &format_args!("unsupported: {} with a file of inputs", program.stage));
        return Ok(Status::Failed);
    }
    if arguments.trace {
        quad.tracing = Tracing::On;
    }
    let left = match run_quad(&program, &mut resources, &quad, Limits::default()) {
        Ok(left) => left,
        Err(stop) => {
            complain_at(stop.ordinal, &stop);
            return Ok(Status::Bad);
        }
    };
    for step in &left.trace {
        show_step(step, &lines, output)?;
    }
    if left.trace.len() == Limits::default().records {
        complain(format_args!("the trace ends after {} steps; the run went on", left.trace.len()));
    }
    show_outputs(&shader, &left.outputs, output)?;
    if left.killed != 0 {
        output.line(&format!("killed lanes: {}", lane_list(left.killed)))?;
    }
    show_memory(&given.resources, &resources, output)?;
    Ok(Status::Good)
}

/// A value in every lane: the float, and the bits, which may be an integer.
fn show_lanes(values: [u32; LANES], lanes: u8) -> String {
    let values = values.iter().enumerate().map(|(lane, bits)| match lanes & (1 << lane) {
        0 => format!("{:>24}", "-"),
        _ => format!("{:>24}", format!("{:?} ({bits:#x})", f32::from_bits(*bits))),
    });
    values.collect()
}

fn lane_list(mask: u8) -> String {
    let lanes = (0..LANES).filter(|lane| mask & (1 << lane) != 0);
    lanes.map(|lane| lane.to_string()).collect::<Vec<_>>().join(", ")
}

/// One instruction's results, a line for each component.
fn show_step(
    step: &TraceStep,
    lines: &[(u32, &Instruction)],
    output: &mut Output,
) -> io::Result<()> {
    let Some((line, instruction)) = lines.get((step.ordinal as usize).wrapping_sub(1)) else {
        return Ok(());
    };
    let word = instruction.opcode.value.mnemonic();
    for (component, values) in &step.written {
        output.styled(Style::Place, &format!("{line:>5}  "))?;
        let letter = Component::ALL[component & 3].letter();
        output.styled(Style::Source, &format!("{word:<8} .{letter}"))?;
        output.line(&show_lanes(*values, step.active))?;
    }
    Ok(())
}

fn show_outputs(shader: &Shader, outputs: &[Register], output: &mut Output) -> io::Result<()> {
    let declared = shader.declarations().filter(|it| it.file.value == File::Output);
    for declaration in declared {
        let range = declaration.range.value;
        let registers = outputs.iter().enumerate().skip(range.first as usize);
        let count = (range.last - range.first) as usize + 1;
        for (number, register) in registers.take(count) {
            for (component, values) in Component::ALL.into_iter().zip(register) {
                let name = format!("OUT[{number}].{}", component.letter());
                output.styled(Style::Strong, &format!("{name:<12}"))?;
                output.line(&show_lanes(*values, 0xf))?;
            }
        }
    }
    Ok(())
}

/// The words of buffers that changed.
fn show_memory(before: &Resources, after: &Resources, output: &mut Output) -> io::Result<()> {
    for (unit, (before, after)) in before.buffers.iter().zip(&after.buffers).enumerate() {
        for (place, (old, new)) in before.iter().zip(after).enumerate() {
            if old != new {
                let value = format!("{:?} ({new:#x})", f32::from_bits(*new));
                output.line(&format!("BUFFER[{unit}] word {place}: {value}"))?;
            }
        }
    }
    Ok(())
}
