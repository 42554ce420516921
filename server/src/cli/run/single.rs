//! One shader on the inputs of a file: what its four lanes computed.

use std::io;
use std::path::Path;

use run::execution::{Outcome, execute};
use run::inputs::Inputs;
use run::launch::Tracing;
use run::patch::Patch;
use run::{Image, LANES, Limits, Program, Register, TraceStep};
use text::Severity;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Shader, StatementKind};
use tgsi::words::File;

use super::super::check;
use super::super::files::SourceFile;
use super::super::output::{Output, Style};
use super::{Arguments, Status, complain};

pub(super) fn run(path: &Path, arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Some(file) = SourceFile::read(path) else { return Ok(Status::Failed) };
    let regions = tgsi::regions::split(&file.text).shaders;
    let Some(region) = arguments.shader.checked_sub(1).and_then(|it| regions.get(it)) else {
        complain(format_args!("{}: there is no shader {}", file.name, arguments.shader));
        return Ok(Status::Failed);
    };
    let given = match &arguments.inputs {
        None => Inputs::default(),
        Some(path) => {
            let Some(text) = super::read(path) else { return Ok(Status::Failed) };
            match Inputs::read(&text) {
                Ok(given) => given,
                Err(mistake) => {
                    let (line, message) = (mistake.line(&text), mistake.message);
                    complain(format_args!("{}:{line}: {message}", path.display()));
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
    let tracing = if arguments.trace { Tracing::On } else { Tracing::Off };
    let outcome = match execute(&program, &given, tracing, Limits::default()) {
        Ok(outcome) => outcome,
        Err(failure) => {
            complain_at(failure.ordinal, &failure);
            return Ok(Status::Bad);
        }
    };
    for step in &outcome.trace {
        show_step(step, &lines, output)?;
    }
    if outcome.trace.len() == Limits::default().records {
        complain(format_args!(
            "the trace ends after {} steps; the run went on",
            outcome.trace.len()
        ));
    }
    show(&shader, &outcome, output)?;
    Ok(Status::Good)
}

/// What a run left.
fn show(shader: &Shader, outcome: &Outcome, output: &mut Output) -> io::Result<()> {
    match (&outcome.patch, shader.stage.value) {
        (Some(patch), _) => show_patch(shader, patch, output)?,
        (None, Stage::Geometry) => show_streams(shader, &outcome.streams, output)?,
        (None, Stage::Compute) => {}
        (None, _) => show_outputs(shader, &outcome.outputs, output)?,
    }
    if outcome.killed != 0 {
        output.line(&format!("killed lanes: {}", lane_list(outcome.killed)))?;
    }
    show_memory(outcome, output)
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

/// The numbers of the outputs that a shader declares; per vertex those of a
/// patch with brackets of their own.
fn declared_outputs(shader: &Shader) -> impl Iterator<Item = (usize, bool)> {
    let declared = shader.declarations().filter(|it| it.file.value == File::Output);
    declared.flat_map(|declaration| {
        let range = declaration.range.value;
        let per_vertex = declaration.dimension.is_some();
        (range.first..=range.last).map(move |number| (number as usize, per_vertex))
    })
}

fn show_outputs(shader: &Shader, outputs: &[Register], output: &mut Output) -> io::Result<()> {
    for (number, _) in declared_outputs(shader) {
        let Some(register) = outputs.get(number) else { break };
        for (component, values) in Component::ALL.into_iter().zip(register) {
            let name = format!("OUT[{number}].{}", component.letter());
            output.styled(Style::Strong, &format!("{name:<12}"))?;
            output.line(&show_lanes(*values, 0xf))?;
        }
    }
    Ok(())
}

/// One vector, its components side by side.
fn show_vector(name: &str, vector: [u32; 4], output: &mut Output) -> io::Result<()> {
    output.styled(Style::Strong, &format!("{name:<12}"))?;
    output.line(&show_lanes(vector, 0xf))
}

/// What a tessellation control shader wrote: the vertices, then what belongs to
/// the patch.
fn show_patch(shader: &Shader, patch: &Patch, output: &mut Output) -> io::Result<()> {
    for (number, per_vertex) in declared_outputs(shader) {
        if !per_vertex {
            let vector = patch.shared.get(number).copied().unwrap_or_default();
            show_vector(&format!("OUT[{number}]"), vector, output)?;
            continue;
        }
        for (vertex, outputs) in patch.vertices.iter().enumerate() {
            let vector = outputs.get(number).copied().unwrap_or_default();
            show_vector(&format!("OUT[{vertex}][{number}]"), vector, output)?;
        }
    }
    Ok(())
}

/// The primitives that a geometry shader emitted, their vertices in order.
fn show_streams(
    shader: &Shader,
    streams: &[Vec<Vec<Vec<[u32; 4]>>>; 4],
    output: &mut Output,
) -> io::Result<()> {
    for (stream, primitives) in streams.iter().enumerate() {
        for (number, primitive) in primitives.iter().enumerate() {
            for (vertex, outputs) in primitive.iter().enumerate() {
                output.line(&format!("stream {stream} primitive {number} vertex {vertex}"))?;
                for (register, _) in declared_outputs(shader) {
                    let vector = outputs.get(register).copied().unwrap_or_default();
                    show_vector(&format!("  OUT[{register}]"), vector, output)?;
                }
            }
        }
    }
    Ok(())
}

fn show_word(bits: u32) -> String {
    format!("{:?} ({bits:#x})", f32::from_bits(bits))
}

/// The words of buffers and the texels of images that changed.
fn show_memory(outcome: &Outcome, output: &mut Output) -> io::Result<()> {
    let (before, after) = (&outcome.before, &outcome.after);
    for (unit, (before, after)) in before.buffers.iter().zip(&after.buffers).enumerate() {
        for (place, (old, new)) in before.iter().zip(after).enumerate() {
            if old != new {
                output.line(&format!("BUFFER[{unit}] word {place}: {}", show_word(*new)))?;
            }
        }
    }
    let texels = |image: &Option<Image>| image.as_ref().map_or(Vec::new(), |it| it.texels.clone());
    for (unit, (before, after)) in before.images.iter().zip(&after.images).enumerate() {
        for (place, (old, new)) in texels(before).into_iter().zip(texels(after)).enumerate() {
            if old != new {
                let words = new.map(show_word).join(" ");
                output.line(&format!("IMAGE[{unit}] texel {place}: {words}"))?;
            }
        }
    }
    Ok(())
}
