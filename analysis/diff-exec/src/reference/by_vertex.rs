//! Primitives and patches: all that they may leave, and whether what was left is of it.

use lower::Varying;
use open_bits::Rules;
use tgsi::words::File;
use tgsi_interp::launch::{QuadInputs, run_quad};
use tgsi_interp::patch::run_patch;
use tgsi_interp::{Limits, Program, Register, Subgroup};

use super::{Left, Reference};
use crate::control::PatchOutputs;
use crate::difference::{Checked, Observed};
use crate::emitted::{Emitted, STREAMS, Stream, component, lengths, stream_components};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::input_source::ExplicitInputs;
use crate::outputs::{Expected, declared, outputs_written, run_variants};
use crate::stored::Stored;

/// The records that a patch left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatchRecords {
    /// The output registers of each vertex.
    pub vertices: Vec<Vec<[u32; 4]>>,
    /// Output registers of the patch itself.
    pub shared: Vec<[u32; 4]>,
}

/// The limits of a run, as of a quad.
fn limits() -> Limits {
    Limits { steps: 1 << 16, ..Limits::default() }
}

/// Gives all lanes the inputs of the first: a vertex has no lanes.
pub(super) fn spread(vertices: &mut [Vec<Register>]) {
    for register in vertices.iter_mut().flatten() {
        for lanes in register {
            *lanes = [lanes[0]; tgsi_interp::LANES];
        }
    }
}

fn quad_inputs(inputs: &ExplicitInputs, subgroup: Subgroup) -> QuadInputs {
    QuadInputs {
        inputs: inputs.vertices.clone(),
        system_values: inputs.system_values.clone(),
        mask: 1,
        subgroup,
        ..QuadInputs::default()
    }
}

/// Runs the interpreter on the invocation of a primitive, in every variant.
pub(super) fn primitive(
    program: &Program,
    inputs: &ExplicitInputs,
    subgroup: Subgroup,
    stored: Stored,
) -> Result<(Expected, Left), Error> {
    let mut emitted = Emitted::default();
    let expected = run_variants(stored, &inputs.resources, |variant, run| {
        if variant.begins() {
            emitted.restart(variant.order);
        }
        let open = Some(variant.script.clone());
        let quad = QuadInputs { open, ..quad_inputs(inputs, subgroup) };
        let left = variant.survives(run_quad(program, &mut run.resources, &quad, limits()))?;
        match emitted.add(variant.order, left) {
            Some(words) => run.note(words),
            None => run.ended = false,
        }
        Ok(())
    })?;
    if !expected.complete {
        emitted.leave_conditions_open();
    }
    Ok((expected, Left::Emitted(emitted)))
}

/// Runs the interpreter on the invocations of a patch, in every variant.
pub(super) fn patch(
    program: &Program,
    inputs: &ExplicitInputs,
    subgroup: Subgroup,
    stored: Stored,
) -> Result<(Expected, Left), Error> {
    let mut outputs = PatchOutputs::default();
    let expected = run_variants(stored, &inputs.resources, |variant, run| {
        if variant.begins() {
            outputs.restart(variant.order);
        }
        let open = Some(variant.script.clone());
        let quad = QuadInputs { open, ..quad_inputs(inputs, subgroup) };
        let memory = &mut run.resources;
        let left = run_patch(program, memory, &quad, 0, variant.order, limits());
        let left = variant.survives(left)?;
        run.ended = left.is_some();
        outputs.add(variant.order, left).iter().for_each(|words| run.note(words));
        Ok(())
    })?;
    if !expected.complete {
        outputs.leave_conditions_open();
    }
    Ok((expected, Left::Patch(outputs)))
}

impl Reference<'_> {
    /// Compares the vertices that were emitted: how many strips of how many there are, then what
    /// each of them has.
    pub(super) fn compare_emitted(&self, emitted: &Emitted, found: &[Stream; STREAMS]) -> Checked {
        if emitted.lost != Rules::NONE {
            self.leave(emitted.lost);
            return Ok(());
        }
        let written = outputs_written(self.shader);
        for (stream, components) in stream_components(self.shader).iter().enumerate() {
            let strips = lengths(&found[stream]);
            let alike = emitted.alike(stream, &strips);
            if alike.is_empty() {
                let wanted = emitted.lengths(stream).unwrap_or_default();
                let what =
                    format!("stream {stream}: strips of {strips:?}, not {wanted:?} vertices");
                return Err(self.difference(Observed::Run(what), 0, &Expectation::exactly(0), 0));
            }
            for (number, vertex) in found[stream].iter().flatten().enumerate() {
                for own in components.iter().filter(|own| written.contains(own)) {
                    let wanted = component(&alike, (stream, number), *own);
                    let (register, component) = *own;
                    let word = vertex.get(register as usize).map(|it| it[component & 3]);
                    let (Some(wanted), Some(word)) = (wanted, word) else { continue };
                    let place = Observed::Output { register, component };
                    self.compare_word(place, 0, &wanted, word)?;
                }
            }
        }
        Ok(())
    }

    /// Compares the outputs of a patch: of each vertex, and its own.
    pub(super) fn compare_patch(&self, outputs: &PatchOutputs, found: &PatchRecords) -> Checked {
        let written = outputs_written(self.shader);
        for (register, semantic) in declared(self.shader, File::Output) {
            let Some(varying) = semantic.and_then(Varying::of) else { continue };
            let records: Vec<(Option<usize>, &Vec<[u32; 4]>)> = match varying {
                Varying::Vertex(_) => {
                    found.vertices.iter().enumerate().map(|(at, own)| (Some(at), own)).collect()
                }
                Varying::Patch(_) => vec![(None, &found.shared)],
            };
            for (vertex, record) in records {
                for component in (0..4).filter(|own| written.contains(&(register, *own))) {
                    let wanted = outputs.output(vertex, register as usize, component);
                    let word = record.get(register as usize).map(|it| it[component]);
                    let (Some(wanted), Some(word)) = (wanted, word) else { continue };
                    let place = Observed::Output { register, component };
                    self.compare_word(place, vertex.unwrap_or(0), &wanted, word)?;
                }
            }
        }
        Ok(())
    }
}
