//! Recorded runs: JSON to inputs, and the outcome to a verdict.
//!
//! A record names a program, the stage, the inputs of a quad or of the groups
//! of a compute shader, and what these left in outputs and memory. Words are
//! raw bits in hexadecimal.

mod judge;
mod stepped;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tgsi::words::SemanticName;
use tgsi_interp::inputs::TextureInput;
use tgsi_interp::launch::{QuadInputs, run_grid, run_quad};
use tgsi_interp::{EMPTY, Image, LANES, Limits, Program, Register, Resources, Textures};

use super::skipped::{Skipped, WordError};
use super::verdict::Verdict;
use super::{Engine, Other};
use crate::files::Access;
use judge::{Judge, tolerance};

/// Raw bits as eight hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct HexWord(u32);

impl TryFrom<String> for HexWord {
    type Error = WordError;

    fn try_from(digits: String) -> Result<HexWord, WordError> {
        u32::from_str_radix(&digits, 16).map(HexWord).map_err(|error| WordError { digits, error })
    }
}

type Vector = [HexWord; 4];

/// One recorded run.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    /// The program's file within the folder of programs.
    pub(super) file: String,
    /// The number of the input set.
    pub(super) set: u32,
    stage: String,
    inputs: Inputs,
    outputs: Outputs,
}

#[derive(Debug, Deserialize)]
struct Inputs {
    #[serde(default, rename = "in")]
    inputs: serde_json::Value,
    #[serde(default)]
    in_lanes: BTreeMap<usize, [Vector; LANES]>,
    frag: Option<Fragment>,
    #[serde(default, rename = "const")]
    constants: BTreeMap<usize, Vec<Vector>>,
    #[serde(default)]
    sv: BTreeMap<usize, SystemValue>,
    #[serde(default)]
    buf: BTreeMap<usize, Vec<HexWord>>,
    #[serde(default)]
    tex: BTreeMap<usize, Texels>,
    #[serde(default)]
    img: BTreeMap<usize, Texels>,
    grid: Option<[u32; 3]>,
}

#[derive(Debug, Deserialize)]
struct Fragment {
    pos: Vector,
    dposx: Vector,
    dposy: Vector,
    face: f32,
}

#[derive(Debug, Deserialize)]
struct SystemValue {
    lanes: [Vector; LANES],
}

#[derive(Debug, Deserialize)]
struct Texels {
    w: u32,
    h: u32,
    d: u32,
    texels: Vec<Vector>,
}

/// The primitives of a stream, their vertices, and the outputs of each.
type Stream = Vec<Vec<BTreeMap<usize, Vector>>>;

#[derive(Debug, Default, Deserialize)]
struct Outputs {
    #[serde(default)]
    out: BTreeMap<usize, BTreeMap<String, [HexWord; LANES]>>,
    kill: Option<u8>,
    #[serde(default)]
    buf: BTreeMap<usize, Vec<HexWord>>,
    #[serde(default)]
    img: BTreeMap<usize, Vec<Vector>>,
    streams: Option<Vec<Stream>>,
}

/// Registers and units that a record may name, more than any has.
const MOST_NUMBERS: usize = 4096;
/// Words of shared memory.
const SHARED_WORDS: usize = 65536 / 4;

/// Reads one record.
pub(super) fn read(line: &str) -> serde_json::Result<Record> {
    serde_json::from_str(line)
}

/// Runs a record's program on its inputs and judges the outcome: that of the interpreter and of
/// the debugger by what is recorded, that of other engines by the interpreter.
pub(super) fn repeat(record: &Record, programs: &Path, engine: &mut Engine) -> (Verdict, String) {
    match difference(record, programs, engine) {
        Err(reason) => (Verdict::Skipped, reason.to_string()),
        Ok(Some(difference)) => (Verdict::Differs, difference),
        Ok(None) => (Verdict::Same, String::new()),
    }
}

/// The first difference of a run from its record, if any.
fn difference(
    record: &Record,
    programs: &Path,
    engine: &mut Engine,
) -> Result<Option<String>, Skipped> {
    // The user named the folder, and the records name the files.
    let access = Access::to([], &[programs.to_path_buf()]);
    let text = access.read_text(&programs.join(&record.file), source::MAX_TEXT_LENGTH)?;
    let regions = tgsi::regions::split(&text);
    let region = regions.shaders.first().ok_or(Skipped::NoShader)?;
    let parse = tgsi::parser::parse(region.text(&text), &source::no_checkpoint);
    let shader = parse.shader.ok_or(Skipped::NoShader)?;
    let program = Program::prepare(&shader).map_err(Skipped::Program)?;
    if program.stage.word() != record.stage {
        return Err(Skipped::Stage(program.stage));
    }
    match engine {
        Engine::Interpreter => outcome(record, &shader, &program),
        Engine::Debugger => stepped::outcome(record, &text, &shader, &program),
        Engine::Other(other) => executed(record, &shader, &program, other),
    }
}

/// The first difference of another engine from the interpreter on the inputs of a record, if
/// any. Textures are looked up as in all other runs.
fn executed(
    record: &Record,
    shader: &tgsi::ast::Shader,
    program: &Program,
    other: &mut Other,
) -> Result<Option<String>, Skipped> {
    let inputs = &record.inputs;
    let textures = inputs.tex.iter().map(|(unit, texels)| {
        let size = [texels.w, texels.h, texels.d];
        let texels = texels.texels.iter().map(vector).collect();
        (*unit, Some(TextureInput::of_texels(size, texels)))
    });
    let given = tgsi_interp::inputs::Inputs {
        vertices: vertices(inputs, program)?,
        system_values: system_values(inputs)?,
        grid: inputs.grid,
        resources: Resources { textures: Textures::default(), ..resources(inputs)? },
        textures: numbered(textures, None)?,
        ..tgsi_interp::inputs::Inputs::default()
    };
    match other.check(shader, &given)? {
        (diff_exec::Verdict::Differ(difference), _) => Ok(Some(difference.to_string())),
        (_, 0) => Err(Skipped::Nothing),
        _ => Ok(None),
    }
}

fn system_values(inputs: &Inputs) -> Result<Vec<Register>, Skipped> {
    let values = inputs.sv.iter().map(|(number, value)| (*number, lanes(&value.lanes)));
    numbered(values, EMPTY)
}

/// The first difference, if any.
fn outcome(
    record: &Record,
    shader: &tgsi::ast::Shader,
    program: &Program,
) -> Result<Option<String>, Skipped> {
    let judge = Judge { tolerance: tolerance(shader) };
    let inputs = &record.inputs;
    let mut resources = resources(inputs)?;
    let system_values = system_values(inputs)?;
    if let Some(grid) = inputs.grid {
        run_grid(program, &mut resources, grid, &system_values, Limits::default())
            .map_err(Skipped::Stopped)?;
        return Ok(judge.memory(&record.outputs, &resources, shader));
    }
    let quad = QuadInputs {
        inputs: vertices(inputs, program)?,
        system_values,
        mask: 0xf,
        ..QuadInputs::default()
    };
    let left =
        run_quad(program, &mut resources, &quad, Limits::default()).map_err(Skipped::Stopped)?;
    if record.outputs.kill.is_some_and(|kill| kill != left.killed) {
        return Ok(Some(format!("killed lanes {:04b}", left.killed)));
    }
    if let Some(streams) = &record.outputs.streams {
        return Ok(judge.streams(streams, &left.streams, shader));
    }
    let outputs = judge.outputs(&record.outputs, &left.outputs, left.killed);
    Ok(outputs.or_else(|| judge.memory(&record.outputs, &resources, shader)))
}

/// Numbered values as a list, without ever making a long one of a wrong number.
fn numbered<T: Clone>(
    values: impl Iterator<Item = (usize, T)>,
    absent: T,
) -> Result<Vec<T>, Skipped> {
    let mut list = Vec::new();
    for (number, value) in values {
        if number >= MOST_NUMBERS {
            return Err(Skipped::Number(number));
        }
        if list.len() <= number {
            list.resize(number + 1, absent.clone());
        }
        list[number] = value;
    }
    Ok(list)
}

fn vector(words: &Vector) -> [u32; 4] {
    words.map(|word| word.0)
}

/// Vectors by lane to a register.
fn lanes(vectors: &[Vector; LANES]) -> Register {
    std::array::from_fn(|component| vectors.map(|vector| vector[component].0))
}

fn image(texels: &Texels) -> Option<Image> {
    let size = [texels.w, texels.h, texels.d];
    Some(Image { size, texels: texels.texels.iter().map(vector).collect() })
}

fn resources(inputs: &Inputs) -> Result<Resources, Skipped> {
    let constants = inputs.constants.iter();
    let constants = constants.map(|(unit, it)| (*unit, it.iter().map(vector).collect()));
    let buffers = inputs.buf.iter();
    let buffers = buffers.map(|(unit, it)| (*unit, it.iter().map(|word| word.0).collect()));
    Ok(Resources {
        constants: numbered(constants, Vec::new())?,
        buffers: numbered(buffers, Vec::new())?,
        images: numbered(inputs.img.iter().map(|(unit, it)| (*unit, image(it))), None)?,
        textures: Textures::Recorded(numbered(
            inputs.tex.iter().map(|(unit, it)| (*unit, image(it))),
            None,
        )?),
        shared: vec![0; SHARED_WORDS],
        ..Resources::default()
    })
}

/// The input registers, by vertex.
fn vertices(inputs: &Inputs, program: &Program) -> Result<Vec<Vec<Register>>, Skipped> {
    let value = inputs.inputs.clone();
    if program.stage == tgsi::Stage::Geometry {
        let vertices: BTreeMap<usize, BTreeMap<usize, Vector>> =
            serde_json::from_value(value).map_err(Skipped::Inputs)?;
        let vertices = vertices.iter().map(|(number, attributes)| {
            let spread = attributes.iter().map(|(number, it)| (*number, lanes(&[*it; LANES])));
            numbered(spread, EMPTY).map(|attributes| (*number, attributes))
        });
        return numbered(vertices.collect::<Result<Vec<_>, _>>()?.into_iter(), Vec::new());
    }
    let Some(fragment) = &inputs.frag else {
        if value.is_null() {
            return Ok(Vec::new());
        }
        let attributes: BTreeMap<usize, [Vector; LANES]> =
            serde_json::from_value(value).map_err(Skipped::Inputs)?;
        let attributes = attributes.iter().map(|(number, it)| (*number, lanes(it)));
        return Ok(vec![numbered(attributes, EMPTY)?]);
    };
    let mut attributes: BTreeMap<usize, Register> =
        inputs.in_lanes.iter().map(|(number, it)| (*number, lanes(it))).collect();
    for (number, semantic) in &program.inputs {
        let register = match semantic {
            SemanticName::Position => position(fragment),
            SemanticName::Face => {
                [[fragment.face.to_bits(); LANES], [0; LANES], [0; LANES], [0; LANES]]
            }
            _ => continue,
        };
        attributes.entry(*number as usize).or_insert(register);
    }
    Ok(vec![numbered(attributes.into_iter(), EMPTY)?])
}

/// The position of the four pixels: x and y count up, z follows its slopes.
fn position(fragment: &Fragment) -> Register {
    let float = |word: HexWord| f32::from_bits(word.0);
    std::array::from_fn(|component| {
        std::array::from_fn(|lane| {
            let (right, down) = ((lane & 1) as f32, (lane >> 1) as f32);
            let start = float(fragment.pos[component]);
            let value = match component {
                0 => start + right,
                1 => start + down,
                2 => start + right * float(fragment.dposx[2]) + down * float(fragment.dposy[2]),
                _ => start,
            };
            value.to_bits()
        })
    })
}
