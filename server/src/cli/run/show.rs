//! Results of a run, for people: outputs by their semantics, values by their types.

use std::io;

use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Semantic, Shader};
use tgsi::opcodes::ValueType;
use tgsi::values;
use tgsi::words::File;
use tgsi_interp::execution::Outcome;
use tgsi_interp::patch::Patch;
use tgsi_interp::{Image, LANES, Register, TraceStep};

use super::super::files::SourceFile;
use super::super::output::{Output, Style};
use super::types::Types;

/// All lanes of a quad.
const ALL: u8 = 0xf;
/// Columns of a value, and of one with its bits.
const NARROW: usize = 16;
const WIDE: usize = 28;
/// Columns of a register's name before its vector.
const NAME: usize = 24;

/// The instructions of a shader and the lines that they stand in, by ordinal.
pub(super) struct Lines<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) instructions: Vec<(u32, &'a Instruction)>,
    pub(super) types: Types<'a>,
}

impl Lines<'_> {
    /// The line of an instruction, from 1; `None` where there is none of this ordinal.
    pub(super) fn line(&self, ordinal: u32) -> Option<u32> {
        let place = (ordinal as usize).checked_sub(1)?;
        self.instructions.get(place).map(|(line, _)| *line)
    }

    /// One instruction's results: its text, then a line for each value.
    pub(super) fn show_step(&self, step: &TraceStep, output: &mut Output) -> io::Result<()> {
        let place = (step.ordinal as usize).wrapping_sub(1);
        let Some((line, instruction)) = self.instructions.get(place) else { return Ok(()) };
        if step.written.is_empty() {
            return Ok(());
        }
        output.styled(Style::Place, &format!("{line:>5}  "))?;
        output.styled_line(Style::Source, self.file.line_text(*line).trim())?;
        let types = instruction.info().destination_types;
        let size = if types.first().is_some_and(|ty| ty.is_wide()) { 2 } else { 1 };
        for written in step.written.chunks(size) {
            let first = written.first().map_or(0, |(component, _)| *component);
            let ty = self.types.written(instruction, first);
            let name: String = written.iter().map(|(component, _)| letter(*component)).collect();
            output.styled(Style::Strong, &format!("       .{name:<9}"))?;
            output.line(&lanes(step.active, |lane| {
                let bits: Vec<u32> = written.iter().map(|(_, values)| values[lane]).collect();
                let shown = values::words(ty, &bits);
                format!("{:>NARROW$}", shown.first().map_or("", String::as_str))
            }))?;
        }
        Ok(())
    }
}

fn letter(component: usize) -> char {
    Component::ALL[component & 3].letter()
}

/// The value of every lane, `-` where it did not run.
fn lanes(active: u8, show: impl Fn(usize) -> String) -> String {
    let all = (0..LANES).map(|lane| match active & (1 << lane) {
        0 => format!("{:>NARROW$}", "-"),
        _ => show(lane),
    });
    all.collect::<String>().trim_end().to_owned()
}

/// A value and its bits.
fn exact(ty: ValueType, bits: u32) -> String {
    format!("{} ({bits:#010x})", values::word(ty, bits))
}

/// An output that a shader declares.
struct Declared {
    register: usize,
    /// Of a patch, whether every vertex has its own.
    per_vertex: bool,
    name: String,
    /// The types of its components.
    types: [ValueType; 4],
}

fn declared_outputs(shader: &Shader) -> Vec<Declared> {
    let types = Types::of(shader);
    let mut all = Vec::new();
    for declaration in shader.declarations().filter(|it| it.file.value == File::Output) {
        let range = declaration.range.value;
        for register in range.first..=range.last.min(range.first.saturating_add(80)) {
            let semantic = declaration.semantic.map(|it| Semantic {
                index: it.value.index.saturating_add(register - range.first),
                ..it.value
            });
            all.push(Declared {
                register: register as usize,
                per_vertex: declaration.dimension.is_some(),
                name: semantic.map_or(String::new(), shown_semantic),
                types: std::array::from_fn(|it| types.of_component(File::Output, register, it)),
            });
        }
    }
    all
}

/// A semantic after a register; where there may be several of the name, its index.
fn shown_semantic(semantic: Semantic) -> String {
    match (semantic.name.word(), semantic.index) {
        (name @ ("POSITION" | "PSIZE" | "FACE" | "EDGEFLAG"), 0) => format!(", {name}"),
        (name, index) => format!(", {name}[{index}]"),
    }
}

/// Shows the results of a run.
pub(super) fn show(shader: &Shader, outcome: &Outcome, output: &mut Output) -> io::Result<()> {
    match (&outcome.patch, shader.stage.value) {
        (Some(patch), _) => show_patch(shader, patch, output)?,
        (None, Stage::Geometry) => show_streams(shader, &outcome.streams, output)?,
        (None, Stage::Compute) => {}
        (None, _) => show_outputs(shader, outcome, output)?,
    }
    let changed = show_memory(outcome, output)?;
    if shader.stage.value == Stage::Compute && changed == 0 {
        output.line("no memory has changed")?;
    }
    Ok(())
}

fn show_outputs(shader: &Shader, outcome: &Outcome, output: &mut Output) -> io::Result<()> {
    let heads = (0..LANES).map(|lane| match outcome.killed & (1 << lane) {
        0 => format!("{:>WIDE$}", format!("lane {lane}")),
        _ => format!("{:>WIDE$}", format!("lane {lane}, killed")),
    });
    output.line(&format!("{:<8}{}", "", heads.collect::<String>()))?;
    for declared in declared_outputs(shader) {
        let Some(register) = outcome.outputs.get(declared.register) else { continue };
        show_register(&declared, register, outcome.killed, output)?;
    }
    Ok(())
}

fn show_register(
    declared: &Declared,
    register: &Register,
    killed: u8,
    output: &mut Output,
) -> io::Result<()> {
    output.styled_line(Style::Strong, &format!("OUT[{}]{}", declared.register, declared.name))?;
    for (component, values) in register.iter().enumerate() {
        let shown = lanes(ALL, |lane| match killed & (1 << lane) {
            0 => format!("{:>WIDE$}", exact(declared.types[component & 3], values[lane])),
            _ => format!("{:>WIDE$}", "-"),
        });
        output.line(&format!("  .{:<5}{shown}", letter(component)))?;
    }
    Ok(())
}

/// One vector, its components side by side.
fn show_vector(
    name: &str,
    types: [ValueType; 4],
    vector: [u32; 4],
    output: &mut Output,
) -> io::Result<()> {
    output.styled(Style::Strong, &format!("{name:<NAME$}"))?;
    let shown = types.into_iter().zip(vector);
    let shown = shown.map(|(ty, bits)| format!("{:>WIDE$}", exact(ty, bits)));
    output.line(shown.collect::<String>().trim_end())
}

/// Shows what a tessellation control shader wrote: the vertices, then what belongs to
/// the patch.
fn show_patch(shader: &Shader, patch: &Patch, output: &mut Output) -> io::Result<()> {
    for declared in declared_outputs(shader) {
        let Declared { register, ref name, types, .. } = declared;
        if !declared.per_vertex {
            let vector = patch.shared.get(register).copied().unwrap_or_default();
            show_vector(&format!("OUT[{register}]{name}"), types, vector, output)?;
            continue;
        }
        for (vertex, outputs) in patch.vertices.iter().enumerate() {
            let vector = outputs.get(register).copied().unwrap_or_default();
            show_vector(&format!("OUT[{vertex}][{register}]{name}"), types, vector, output)?;
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
    let declared = declared_outputs(shader);
    for (stream, primitives) in streams.iter().enumerate() {
        for (number, primitive) in primitives.iter().enumerate() {
            for (vertex, outputs) in primitive.iter().enumerate() {
                output.line(&format!("stream {stream} primitive {number} vertex {vertex}"))?;
                for Declared { register, name, types, .. } in &declared {
                    let vector = outputs.get(*register).copied().unwrap_or_default();
                    show_vector(&format!("  OUT[{register}]{name}"), *types, vector, output)?;
                }
            }
        }
    }
    if streams.iter().all(Vec::is_empty) {
        output.line("no vertex was emitted")?;
    }
    Ok(())
}

/// The words of buffers and counters and the texels of images that changed. Answers how
/// many.
fn show_memory(outcome: &Outcome, output: &mut Output) -> io::Result<usize> {
    let (before, after) = (&outcome.before, &outcome.after);
    let mut changed = 0;
    for (name, before, after) in [
        ("BUFFER", &before.buffers, &after.buffers),
        ("HWATOMIC", &before.counters, &after.counters),
    ] {
        for (unit, (before, after)) in before.iter().zip(after).enumerate() {
            for (place, (old, new)) in before.iter().zip(after).enumerate() {
                if old != new {
                    changed += 1;
                    let (old, new) = (values::word(ValueType::Untyped, *old), *new);
                    let new = exact(ValueType::Untyped, new);
                    output.line(&format!("{name}[{unit}] word {place}: {new}, was {old}"))?;
                }
            }
        }
    }
    let texels = |image: &Option<Image>| image.as_ref().map_or(Vec::new(), |it| it.texels.clone());
    for (unit, (before, after)) in before.images.iter().zip(&after.images).enumerate() {
        let [width, height] = before.as_ref().map_or([1; 2], |it| [it.size[0], it.size[1]]);
        let [width, height] = [width.max(1) as usize, height.max(1) as usize];
        for (place, (old, new)) in texels(before).into_iter().zip(texels(after)).enumerate() {
            if old != new {
                changed += 1;
                let words = new.map(|bits| exact(ValueType::Untyped, bits)).join(" ");
                let at = [place % width, place / width % height, place / width / height];
                let [x, y, z] = at;
                output.line(&format!("IMAGE[{unit}] texel ({x}, {y}, {z}): {words}"))?;
            }
        }
    }
    Ok(changed)
}
