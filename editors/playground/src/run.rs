//! Shaders run in the page: what each line wrote in each lane.

use serde_json::{Value, json};
use source::LineIndex;
use tgsi::ast::Component;
use tgsi::opcodes::ValueType;
use tgsi::values;
use tgsi_interp::execution::execute;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{LANES, Limits, Program};

/// Steps that are shown at most: a loop may have very many.
const MOST_STEPS: usize = 2_000;
/// Bounds of a run, which a page takes well under a second for.
const LIMITS: Limits = Limits { steps: 200_000, records: MOST_STEPS };

/// Returns `{steps: [{line, values: [[component, lane0, …]]}], outputs, killed, more}`, or
/// `{error, line}`.
pub(crate) fn json(text: &str, inputs: &str) -> Value {
    match run(text, inputs) {
        Ok(value) => value,
        Err((line, error)) => json!({ "error": error, "line": line }),
    }
}

/// A mistake, and its line where it has one.
type Fault = (Option<u32>, String);

fn run(text: &str, inputs: &str) -> Result<Value, Fault> {
    let regions = tgsi::regions::split(text).shaders;
    let region = regions.first().ok_or((None, "There is no shader in this text.".to_owned()))?;
    let parse = tgsi::parser::parse(region.text(text), &source::no_checkpoint);
    let shader = parse.shader.ok_or((None, "The shader has errors.".to_owned()))?;
    let lines = LineIndex::new(text);
    let places: Vec<_> = shader
        .instruction_statements()
        .map(|(statement, instruction)| {
            (lines.line(region.map().to_file(statement.range).start()), instruction)
        })
        .collect();
    let line = |ordinal: u32| {
        let place = (ordinal as usize).checked_sub(1)?;
        places.get(place).map(|(line, _)| *line)
    };
    let program = Program::prepare(&shader)
        .map_err(|refusal| (line(refusal.ordinal), refusal.to_string()))?;
    let inputs = Inputs::read(inputs)
        .map_err(|mistake| (None, format!("Inputs, line {}: {mistake}", mistake.line(inputs))))?;
    let outcome = execute(&program, &inputs, Tracing::On, LIMITS)
        .map_err(|failure| (line(failure.ordinal), failure.to_string()))?;
    let steps = outcome.trace.iter().filter_map(|step| {
        let (line, instruction) = places.get((step.ordinal as usize).checked_sub(1)?)?;
        let types = instruction.info().destination_types;
        let ty = types.first().copied().unwrap_or(ValueType::Untyped);
        let size = if ty.is_wide() { 2 } else { 1 };
        let values = step.written.chunks(size).map(|written| {
            let name: String = written
                .iter()
                .map(|(component, _)| Component::ALL[component & 3].letter())
                .collect();
            let lane = |lane: usize| {
                if step.active & 1 << lane == 0 {
                    return "–".to_owned();
                }
                let bits: Vec<u32> = written.iter().map(|(_, values)| values[lane]).collect();
                values::words(ty, &bits).swap_remove(0)
            };
            std::iter::once(name).chain((0..LANES).map(lane)).collect::<Vec<_>>()
        });
        Some(json!({ "line": line, "values": values.collect::<Vec<_>>() }))
    });
    let steps: Vec<Value> = steps.collect();
    let outputs = outcome.outputs.iter().enumerate().map(|(register, value)| {
        let component = |component: usize| {
            let letter = Component::ALL[component].letter().to_string();
            let lanes = value[component].iter().map(|bits| values::word(ValueType::Untyped, *bits));
            std::iter::once(letter).chain(lanes).collect::<Vec<_>>()
        };
        json!({ "name": format!("OUT[{register}]"), "values": (0..4).map(component).collect::<Vec<_>>() })
    });
    Ok(json!({
        "steps": steps,
        "outputs": outputs.collect::<Vec<_>>(),
        "killed": (0..LANES).filter(|lane| outcome.killed & 1 << lane != 0).collect::<Vec<_>>(),
        "cut": outcome.trace.len() == MOST_STEPS,
    }))
}
