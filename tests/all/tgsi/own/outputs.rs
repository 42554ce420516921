//! Expected outputs of a run, as files of outputs list them.
//!
//! A line names a place and the values there: `OUT[0] lane 1: 0.5 1.0`, `killed: 6`,
//! `stream 0 primitive 0 vertex 2 OUT[1]: 1.0`, `patch OUT[2][0]: 1.0`, `patch OUT[1]: 4.0`,
//! `BUFFER[0]: 1 2 3`, `HWATOMIC[0]: 4`, `IMAGE[0] texel 3: 7`. Numbers are written as in
//! files of inputs: with a point they are floats, without they are bits. `-` stands for a
//! value that is not looked at, `~` before a float allows what rounding may change.

use tgsi::ast::Shader;
use tgsi_interp::Program;
use tgsi_interp::execution::{Outcome, execute};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{LANES, Limits};

const LIMITS: Limits = Limits { steps: 1 << 20, records: 1 << 16 };

/// Runs a shader and compares.
///
/// # Errors
/// The first difference, or why there is none to look at.
pub(crate) fn judge(shader: &Shader, inputs: &str, expected: &str) -> Result<(), String> {
    let program = Program::prepare(shader).map_err(|refusal| refusal.to_string())?;
    let inputs = Inputs::read(inputs).map_err(|mistake| mistake.message)?;
    let outcome =
        execute(&program, &inputs, Tracing::Off, LIMITS).map_err(|failure| failure.to_string())?;
    let mut compared = 0;
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let (place, values) = line.split_once(": ").ok_or("a line without a colon")?;
        let words = at(&outcome, place).ok_or_else(|| format!("nothing at {place}"))?;
        for (number, value) in values.split(' ').enumerate() {
            let left = words.get(number).ok_or_else(|| format!("{place} is shorter"))?;
            if !agrees(*left, value)? {
                let float = f32::from_bits(*left);
                return Err(format!("{place}, value {number}: {left} ({float:?}), not {value}"));
            }
            compared += usize::from(value != "-");
        }
    }
    if compared == 0 { Err("nothing is expected".to_owned()) } else { Ok(()) }
}

fn agrees(left: u32, value: &str) -> Result<bool, String> {
    const TOLERANCE: f32 = 1e-6;
    let float = |text: &str| text.parse::<f32>().map_err(|error| format!("{text}: {error}"));
    if value == "-" {
        return Ok(true);
    }
    if let Some(near) = value.strip_prefix('~') {
        let near = float(near)?;
        return Ok((f32::from_bits(left) - near).abs() <= TOLERANCE * near.abs());
    }
    if value.contains(['.', 'e']) {
        return Ok(left == float(value)?.to_bits());
    }
    let bits = value.parse::<u32>().map_err(|error| format!("{value}: {error}"))?;
    Ok(left == bits)
}

/// The words at a place.
fn at(outcome: &Outcome, place: &str) -> Option<Vec<u32>> {
    let numbers: Vec<usize> = place
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    let resources = &outcome.after;
    let kind = place.split([' ', '[', ':']).next()?;
    match (kind, numbers[..].as_ref()) {
        ("killed", []) => Some(vec![u32::from(outcome.killed)]),
        ("OUT", [register, lane]) if *lane < LANES => {
            let register = outcome.outputs.get(*register)?;
            Some(register.iter().map(|component| component[*lane]).collect())
        }
        ("stream", [stream, primitive, vertex, register]) => {
            let vertices = outcome.streams.get(*stream)?.get(*primitive)?;
            Some(vertices.get(*vertex)?.get(*register)?.to_vec())
        }
        ("patch", [vertex, register]) => {
            Some(outcome.patch.as_ref()?.vertices.get(*vertex)?.get(*register)?.to_vec())
        }
        ("patch", [register]) => Some(outcome.patch.as_ref()?.shared.get(*register)?.to_vec()),
        ("BUFFER", [unit]) => resources.buffers.get(*unit).cloned(),
        ("HWATOMIC", [unit]) => resources.counters.get(*unit).cloned(),
        ("IMAGE", [unit, texel]) => {
            Some(resources.images.get(*unit)?.as_ref()?.texels.get(*texel)?.to_vec())
        }
        _ => None,
    }
}
