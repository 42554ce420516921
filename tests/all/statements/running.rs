//! Statements about results: a program is run, and leaves the values that the document's
//! formula has.

use tgsi::Opcode;
use tgsi_interp::execution::{Outcome, execute};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Limits, Program};

use super::numbers;
use super::table;

/// Runs `OPCODE a b c d, e f g h, …` and compares its results, one after the other where
/// there are two.
pub(super) fn opcode(cell: &str, expected: &str) -> Result<(), String> {
    let (word, operands) = cell.split_once(' ').ok_or("an opcode has operands")?;
    let mnemonic = word.trim_end_matches("_SAT").trim_end_matches("_SSAT");
    let row = Opcode::find(mnemonic).ok_or_else(|| format!("no opcode {mnemonic}"))?.row();
    let operands: Vec<&str> = operands.split(", ").collect();
    let lines: Vec<String> = operands.iter().map(|values| format!("{{{values}}}")).collect();
    let results: Vec<&str> = expected.split(" / ").collect();
    if results.len() != row.destinations || operands.len() != row.sources {
        return Err(format!("{word} has other operands"));
    }
    let destinations = (0..row.destinations).map(|place| format!("TEMP[{place}]"));
    let sources = (0..row.sources).map(|place| format!("IMM[{place}]"));
    let all: Vec<String> = destinations.chain(sources).collect();
    for (place, result) in results.iter().enumerate() {
        let mut program = lines.clone();
        program.push(format!("{word} {}", all.join(", ")));
        program.push(format!("MOV OUT[0], TEMP[{place}]"));
        run(&program.join(" / "), "", result)?;
    }
    Ok(())
}

/// Runs a program on inputs in TOML, whose lines are parted by slashes. What it must leave is
/// `x y z w` of `OUT[0]`, or several `PLACE: values`: `OUT[1]`, `lane 2`,
/// `buf.0`, `vertex 1`, `killed`, `img.0`.
pub(super) fn run(cell: &str, given: &str, expected: &str) -> Result<(), String> {
    let text = table::program(cell);
    let left = outcome(&text, given)?;
    for part in expected.split(" / ") {
        let (place, values) = part.rsplit_once(": ").unwrap_or(("OUT[0]", part));
        let found = found(&left, place)?;
        numbers::compare(values, &found).map_err(|why| format!("{place}: {why}"))?;
    }
    Ok(())
}

fn outcome(text: &str, given: &str) -> Result<Outcome, String> {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let shader = parse.shader.ok_or("there is no shader")?;
    let program = Program::prepare(&shader).map_err(|why| why.to_string())?;
    let inputs = Inputs::read(&given.replace(" / ", "\n")).map_err(|why| why.message)?;
    let limits = Limits::default();
    execute(&program, &inputs, Tracing::Off, limits).map_err(|why| why.to_string())
}

/// The words that a run left in a place.
fn found(left: &Outcome, place: &str) -> Result<Vec<u32>, String> {
    let unknown = || format!("`{place}` is not a place");
    let (place, lane) = match place.split_once(" lane ") {
        Some((place, lane)) => (place, lane.parse().map_err(|_| unknown())?),
        None => (place, left.lane),
    };
    if place == "killed" {
        return Ok(vec![u32::from(left.killed)]);
    }
    if let Some(unit) = place.strip_prefix("buf.") {
        let unit: usize = unit.parse().map_err(|_| unknown())?;
        return left.after.buffers.get(unit).cloned().ok_or_else(unknown);
    }
    if let Some(unit) = place.strip_prefix("hwatomic.") {
        let unit: usize = unit.parse().map_err(|_| unknown())?;
        return left.after.counters.get(unit).cloned().ok_or_else(unknown);
    }
    if let Some(unit) = place.strip_prefix("img.") {
        let unit: usize = unit.parse().map_err(|_| unknown())?;
        let image = left.after.images.get(unit).and_then(Option::as_ref).ok_or_else(unknown)?;
        return Ok(image.texels.concat());
    }
    if let Some(rest) = place.strip_prefix("stream ") {
        let parts: Vec<usize> = rest.split(' ').filter_map(|part| part.parse().ok()).collect();
        let [stream, primitive, vertex, register] = parts[..] else { return Err(unknown()) };
        let vertices = left.streams.get(stream).and_then(|it| it.get(primitive));
        let vertex = vertices.and_then(|it| it.get(vertex)).ok_or_else(unknown)?;
        return Ok(vertex.get(register).ok_or_else(unknown)?.to_vec());
    }
    if let Some(rest) = place.strip_prefix("primitives ") {
        let stream: usize = rest.parse().map_err(|_| unknown())?;
        return Ok(left.streams[stream].iter().map(|it| it.len() as u32).collect());
    }
    let number = place.strip_prefix("OUT[").and_then(|it| it.strip_suffix(']'));
    let number: usize = number.and_then(|it| it.parse().ok()).ok_or_else(unknown)?;
    let register = left.outputs.get(number).ok_or_else(unknown)?;
    Ok(register.iter().map(|component| component[lane]).collect())
}
