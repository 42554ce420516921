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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fills_what_is_declared() {
        let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                    PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n\
                    DCL OUT[0], POSITION\nDCL CONST[2][0..4]\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                    ADD OUT[0], IN[1][1], CONST[2][4]\nEMIT IMM[0].xxxx\nEND\n";
        let parse = tgsi::parser::parse(text, &source::no_checkpoint);
        let shader = parse.shader.expect("a shader");
        let own = made_up(&shader, 7).expect("a program");
        assert_eq!((own.vertices.len(), own.vertices[1].len()), (2, 2));
        assert_eq!(own.resources.constants.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 5]);
        assert_eq!(own.resources.buffers.len(), 1);
        let words = own.vertices.iter().flatten().flatten().flatten();
        let sizes = words.map(|bits| f32::from_bits(*bits)).filter(|it| *it != 0.0);
        assert!(sizes.clone().count() > 50 && sizes.clone().all(|it| it.abs() <= 8.0));
        assert_eq!(made_up(&shader, 7).expect("a program"), own);
        assert_ne!(made_up(&shader, 8).expect("a program").vertices, own.vertices);
    }
}
