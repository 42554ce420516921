//! Inputs of a run that a seed makes up, for those who have none.

use tgsi::Stage;
use tgsi::ast::{PropertyValue, Shader};
use tgsi::words::{File, PropertyName};
use tgsi_interp::inputs::{Inputs, MOST_REGISTERS};
use tgsi_interp::{Program, Refusal, Register, Resources, Textures};

use crate::indices::IndexInputs;
use crate::inputs::Demand;
use crate::outputs::declared;
use crate::random::{Distribution, Random};

/// Vertices of a patch.
const PATCH: usize = 4;

/// Makes up inputs for a shader: numbers of ordinary size in what it declares, and in what
/// reaches an index such that it means a register; the same for the same seed. System values are those of the first quad, textures those of every run.
///
/// # Errors
/// The interpreter does not take the shader.
pub fn made_up(shader: &Shader, seed: u64) -> Result<Inputs, Refusal> {
    let program = Program::prepare(shader)?;
    let mut random = Random::new(seed);
    let vertices = vertices(shader);
    let indices = IndexInputs::of(shader, vertices);
    let filled =
        Demand::of(shader).fill(&mut random, Distribution::Ordinary, &program, Some(&indices));
    let resources = Resources { textures: Textures::default(), ..filled };
    let mut register = |register: usize| -> Register {
        std::array::from_fn(|component| {
            let numbers = indices.input(register, component);
            std::array::from_fn(|_| {
                let word = random.value(Distribution::Ordinary);
                numbers.map_or(word, |it| it.fit(word, &mut random))
            })
        })
    };
    let last = declared(shader, File::Input).last().map(|(register, _)| *register as usize);
    let count = last.map_or(0, |last| (last + 1).min(MOST_REGISTERS / vertices));
    let vertices = (0..vertices).map(|_| (0..count).map(&mut register).collect()).collect();
    let framebuffer =
        std::array::from_fn(|_| std::array::from_fn(|_| random.value(Distribution::Ordinary)));
    Ok(Inputs { vertices, framebuffer: vec![framebuffer], resources, ..Inputs::default() })
}

/// The vertices that a shader is given.
pub(crate) fn vertices(shader: &Shader) -> usize {
    let primitive = shader.properties().filter_map(|property| {
        let is_primitive = property.name?.value == PropertyName::GeometryInputPrimitive;
        match property.value?.value {
            PropertyValue::Primitive(own) if is_primitive => Some(own.geometry_vertices() as usize),
            _ => None,
        }
    });
    match shader.stage.value {
        Stage::Vertex | Stage::Fragment | Stage::Compute => 1,
        Stage::Geometry => primitive.last().unwrap_or(3),
        Stage::TessellationControl | Stage::TessellationEvaluation => PATCH,
    }
}
