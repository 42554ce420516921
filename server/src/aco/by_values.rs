//! The lines of ACO's code by values, where the driver states none: the code itself and the
//! interpreter run on the same inputs.

use diff_exec::{Delivery, ExplicitInputs, Lanes, OutsideCode, lines_by_values};
use engine::SpirvShader;
use gcn::Target;
use gcn::compiled::Compiled;
use radv::convention::{attributes, convention, places};
use radv::{Job, Output, Stage};
use tgsi::ast::Shader;
use tgsi::words::File;

use super::Made;
use super::execute::{WAVE, descriptor_set, scalar, vector};

/// Code whose lines are looked for.
pub(super) struct Code<'a> {
    pub(super) job: &'a Job,
    pub(super) stage: Stage,
    pub(super) target: Target,
    pub(super) made: &'a Made,
    /// The output of a compile with registers.
    pub(super) told: &'a Output,
}

/// Gives code the lines that values tell; nothing where it is not executed.
pub(super) fn join(shader: &SpirvShader, code: &Code<'_>, compiled: &mut Compiled) -> Option<()> {
    let Code { job, stage, target, made, told } = *code;
    let parse = tgsi::parser::parse(&shader.text, &source::no_checkpoint);
    let parsed = parse.shader?;
    let module = job.modules.iter().find(|module| module.stage == stage)?;
    let convention = convention(&made.version, told, module).ok()?;
    let places = places(&job.state, convention.order);
    let set = |inputs: &ExplicitInputs| descriptor_set((&parsed, &shader.module), &places, inputs);
    let registers = attribute_registers(&parsed, told, stage);
    let outside = OutsideCode {
        target,
        instructions: &compiled.instructions,
        constants: &made.constants,
        scalars: convention.scalars.iter().map(|own| scalar(*own, stage)).collect(),
        vectors: convention.vectors.iter().map(|own| vector(*own)).collect(),
        high: convention.high,
        scratch: compiled.statistics.scratch * WAVE,
        lanes: match stage {
            Stage::Compute => Lanes::Grid {
                block: tgsi_interp::Program::prepare(&parsed).ok()?.block,
                groups: [1; 3],
            },
            Stage::Vertex | Stage::Fragment => Lanes::Quad,
            Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry => {
                return None;
            }
        },
        delivery: match stage {
            Stage::Fragment => Delivery::Attributes(&registers),
            Stage::Vertex => Delivery::Vertices,
            _ => Delivery::Set,
        },
    };
    let texts: Vec<&str> = compiled.instructions.iter().map(|it| it.text.as_str()).collect();
    let known: Vec<Option<u32>> = radv::places_of_exports(module, &texts)
        .into_iter()
        .map(|it| it.map(|it| it.line))
        .collect();
    let lines = lines_by_values(&parsed, &outside, &set, &known)?;
    for (instruction, line) in compiled.instructions.iter_mut().zip(lines) {
        instruction.ordinal = line.unwrap_or(0);
    }
    Some(())
}

/// The input register and component of each component of the attributes that a program
/// interpolates, by the names of their variables.
fn attribute_registers(
    shader: &Shader,
    told: &Output,
    stage: Stage,
) -> Vec<[Option<(u32, u8)>; 4]> {
    let mut found = Vec::new();
    for own in attributes(told, stage) {
        let number = own.number as usize;
        if number >= MOST_ATTRIBUTES {
            continue;
        }
        if found.len() <= number {
            found.resize(number + 1, [None; 4]);
        }
        let register = register_of(shader, &own.variable);
        found[number][own.component as usize & 3] =
            register.map(|register| (register, own.component as u8));
    }
    found
}

/// Attributes that a program has, at most.
const MOST_ATTRIBUTES: usize = 32;

/// The input register of a variable of the module, `in_GENERIC_3`.
fn register_of(shader: &Shader, variable: &str) -> Option<u32> {
    let (name, index) = variable.strip_prefix("in_")?.rsplit_once('_')?;
    let index: u32 = index.parse().ok()?;
    shader.declarations().filter(|it| it.file.value == File::Input).find_map(|declaration| {
        let semantic = declaration.semantic?.value;
        let range = declaration.range.value;
        let offset = index.checked_sub(semantic.index)?;
        let is_own = semantic.name.to_string() == name && offset <= range.last - range.first;
        is_own.then_some(range.first + offset)
    })
}
