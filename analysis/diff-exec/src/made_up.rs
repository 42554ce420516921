//! Inputs of a run that a seed makes up, for those who have none.

use tgsi::Stage;
use tgsi::ast::{PropertyValue, Shader};
use tgsi::words::{File, PropertyName};
use tgsi_interp::inputs::{Inputs, MOST_REGISTERS};
use tgsi_interp::{Program, Refusal, Register, Resources, Textures};

use crate::inputs::Demand;
use crate::outputs::declared;
use crate::random::{Distribution, Random};

/// Vertices of a patch.
const PATCH: usize = 4;

/// Makes up inputs for a shader: numbers of ordinary size in what it declares, the same for the
/// same seed. System values are those of the first quad, textures those of every run.
///
/// # Errors
/// The interpreter does not take the shader.
pub fn made_up(shader: &Shader, seed: u64) -> Result<Inputs, Refusal> {
    let program = Program::prepare(shader)?;
    let mut random = Random::new(seed);
    let filled = Demand::of(shader).fill(&mut random, Distribution::Ordinary, &program);
    let resources = Resources { textures: Textures::default(), ..filled };
    let mut register = || -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| random.value(Distribution::Ordinary)))
    };
    let last = declared(shader, File::Input).last().map(|(register, _)| *register as usize);
    let vertices = vertices(shader);
    let count = last.map_or(0, |last| (last + 1).min(MOST_REGISTERS / vertices));
    let vertices = (0..vertices).map(|_| (0..count).map(|_| register()).collect()).collect();
    Ok(Inputs { vertices, framebuffer: vec![register()], resources, ..Inputs::default() })
}

/// The vertices that a shader is given.
fn vertices(shader: &Shader) -> usize {
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
