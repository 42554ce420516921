//! Every texture opcode on small textures whose texels say where they are.

use sampler::{Compare, Dimension, Filter, MipFilter, Numbers, Sampler, Shape, Texture};
use tgsi::Opcode;

use crate::launch::{QuadInputs, QuadOutputs, run_quad};
use crate::open::Script;
use crate::{Denormals, EMPTY, Limits, Program, Register, Resources, Sampled, Textures};

/// A texture whose texels hold 100 z + 10 y + x, 1000 more for each level, in
/// x; the double in y; 0.5 in z; the sample in w.
fn numbered(dimension: Dimension, size: [u32; 3], samples: u32) -> Texture {
    let levels = if samples == 1 { 2 } else { 1 };
    let shape = Shape { dimension, size, levels, samples };
    let mut texture = Texture::new(shape, Numbers::Float, &[]).unwrap();
    for level in 0..texture.shape().levels {
        let [width, height, depth] = texture.shape().level_size(level).map(|it| it as i32);
        for (x, y, z) in boxes(width, height, depth) {
            for sample in 0..samples {
                let value = (1000 * level as i32 + 100 * z + 10 * y + x) as f32;
                let layered = dimension.axes() == 1 && dimension.is_layered();
                let at = if layered { [x, z, 0] } else { [x, y, z] };
                let texel = [value, 2.0 * value, 0.5, sample as f32].map(f32::to_bits);
                *texture.texel_mut(at, level, sample).unwrap() = texel;
            }
        }
    }
    texture
}

fn boxes(width: i32, height: i32, depth: i32) -> impl Iterator<Item = (i32, i32, i32)> {
    (0..depth).flat_map(move |z| (0..height).flat_map(move |y| (0..width).map(move |x| (x, y, z))))
}

/// Textures of the units, one for each kind.
fn textures() -> Textures {
    let texture = |dimension, size| Some(numbered(dimension, size, 1));
    let linear = Sampler { magnify: Filter::Linear, ..Sampler::default() };
    let shadow = Sampler { compare: Compare::Less, mip: MipFilter::Nearest, ..Sampler::default() };
    Textures::Sampled(Sampled {
        textures: vec![
            texture(Dimension::Two, [4, 4, 1]),
            texture(Dimension::OneArray, [4, 1, 3]),
            texture(Dimension::Three, [4, 4, 4]),
            texture(Dimension::Cube, [4, 4, 6]),
            texture(Dimension::CubeArray, [4, 4, 12]),
            Some(numbered(Dimension::Multisample, [4, 4, 1], 2)),
            texture(Dimension::Buffer, [8, 1, 1]),
            texture(Dimension::TwoArray, [4, 4, 3]),
        ],
        samplers: vec![Sampler { mip: MipFilter::Nearest, ..Sampler::default() }, linear, shadow],
        sample_positions: vec![[0.25, 0.75], [0.75, 0.25]],
    })
}

const VIEWS: &str = "DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[3], CUBE, FLOAT\nDCL SVIEW[5], 2D_MSAA, FLOAT\n\
     DCL SVIEW[7], 2D_ARRAY, FLOAT\n";

/// Runs one instruction of a fragment shader whose IN[0] holds the coordinates
/// and gives OUT[0] of lane 0.
fn lanes(instruction: &str, coordinates: [[f32; 4]; 4]) -> Register {
    run(instruction, coordinates, None).outputs[0]
}

/// Tells whether no document says what the components of lane 0 are.
fn is_open(instruction: &str, coordinates: [[f32; 4]; 4]) -> bool {
    let words = run(instruction, coordinates, Some(Script::default())).words.expect("a shadow");
    words.outputs[0].iter().all(|lanes| lanes[0].is_any())
}

/// Runs one instruction of a fragment shader.
fn run(instruction: &str, coordinates: [[f32; 4]; 4], open: Option<Script>) -> QuadOutputs {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..7]\n{VIEWS}DCL TEMP[0]\n\
         IMM[0] FLT32 {{ 0.0, 1.0, 0.25, 15.0 }}\nIMM[1] INT32 {{ 0, 1, 2, -1 }}\n\
         {instruction}\nMOV OUT[0], TEMP[0]\nEND\n"
    );
    let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
    let mut errors = parse.diagnostics.iter().filter(|it| it.severity == source::Severity::Error);
    assert_eq!(errors.next(), None);
    let program = Program::prepare(&parse.shader.unwrap()).unwrap();
    let mut input = EMPTY;
    for (component, lanes) in input.iter_mut().enumerate() {
        *lanes = coordinates.map(|vector| vector[component].to_bits());
    }
    let inputs = QuadInputs { inputs: vec![vec![input]], mask: 0xf, open, ..QuadInputs::default() };
    let mut resources = Resources { textures: textures(), ..Resources::default() };
    run_quad(&program, &mut resources, &inputs, Limits::default()).unwrap()
}

fn first(instruction: &str, coordinates: [f32; 4]) -> [f32; 4] {
    lanes(instruction, [coordinates; 4]).map(|it| f32::from_bits(it[0]))
}

/// The same with integers on both sides.
fn first_integer(instruction: &str, coordinates: [i32; 4]) -> [u32; 4] {
    let bits = coordinates.map(|it| f32::from_bits(it as u32));
    lanes(instruction, [bits; 4]).map(|it| it[0])
}

#[test]
fn every_opcode_looks_up_what_its_operands_say() {
    // Instruction, IN[0], the texel's x.
    #[rustfmt::skip]
    let cases: &[(&str, [f32; 4], f32)] = &[
        ("TEX TEMP[0], IN[0], SAMP[0], 2D", [0.3, 0.6, 9.0, 9.0], 21.0),
        ("TEX TEMP[0], IN[0], SAMP[0], RECT", [2.5, 3.5, 9.0, 9.0], 32.0),
        ("TEX TEMP[0], IN[0], SAMP[1], 1D_ARRAY", [0.375, 2.2, 9.0, 9.0], 201.0),
        ("TEX TEMP[0], IN[0], SAMP[2], 3D", [0.3, 0.6, 0.9, 9.0], 321.0),
        ("TEX TEMP[0], IN[0], SAMP[7], 2D_ARRAY", [0.3, 0.6, 1.0, 9.0], 121.0),
        // To -y, of which x is along s and -z along t.
        ("TEX TEMP[0], IN[0], SAMP[3], CUBE", [0.25, -1.0, 0.75, 9.0], 302.0),
        ("TEX TEMP[0], IN[0], SAMP[4], CUBEARRAY", [0.25, -1.0, 0.75, 1.0], 902.0),
        ("TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].yzx", [0.3, 0.1, 9.0, 9.0], 22.0),
        ("TEX_LZ TEMP[0], IN[0], SAMP[0], 2D", [0.3, 0.6, 0.0, 1.0], 21.0),
        ("TXP TEMP[0], IN[0], SAMP[0], 2D", [0.6, 1.2, 9.0, 2.0], 21.0),
        ("TXL TEMP[0], IN[0], SAMP[0], 2D", [0.3, 0.6, 9.0, 1.0], 1010.0),
        // Equal coordinates in all lanes have no size: the bias changes nothing.
        ("TXB TEMP[0], IN[0], SAMP[0], 2D", [0.3, 0.6, 9.0, 1.0], 21.0),
        ("TXD TEMP[0], IN[0], IMM[0].zzzz, IMM[0].xxxx, SAMP[0], 2D", [0.3, 0.6, 9.0, 9.0], 21.0),
        ("TXD TEMP[0], IN[0], IMM[0].yyyy, IMM[0].xxxx, SAMP[0], 2D", [0.3, 0.6, 9.0, 9.0], 1010.0),
        ("TXL2 TEMP[0], IN[0], IMM[0].xxxx, SAMP[4], CUBEARRAY", [1.0, -0.1, 0.1, 1.0], 621.0),
        ("TXB2 TEMP[0], IN[0], IMM[0].yyyy, SAMP[4], CUBEARRAY", [1.0, -0.1, 0.1, 1.0], 621.0),
        ("SAMPLE TEMP[0], IN[0], SVIEW[0].yxzw, SAMP[0]", [0.3, 0.6, 9.0, 9.0], 42.0),
        ("SAMPLE_B TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].yyyy", [0.3, 0.6, 9.0, 9.0], 21.0),
        ("SAMPLE_L TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].yyyy", [0.3, 0.6, 9.0, 9.0], 1010.0),
        ("SAMPLE_D TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].yyyy, IMM[0].xxxx", [0.3, 0.6, 0.0, 0.0], 1010.0),
        // 15 is less than 21, but not less than 10.
        ("SAMPLE_C TEMP[0], IN[0], SVIEW[0], SAMP[2], IMM[0].wwww", [0.3, 0.6, 0.0, 0.0], 1.0),
        ("SAMPLE_C_LZ TEMP[0], IN[0], SVIEW[0], SAMP[2], IMM[0].wwww", [0.1, 0.3, 0.0, 0.0], 0.0),
    ];
    for (instruction, coordinates, expected) in cases {
        assert_eq!(first(instruction, *coordinates)[0], *expected, "{instruction}");
    }
}

#[test]
fn a_layer_that_leaves_no_face_is_meaningless() {
    let most = 2_097_151.0;
    let open = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, most + 0.75, -most - 1.0, -1e30];
    let layers = open.map(|it| (it, true)).into_iter();
    let layers = layers.chain([0.0, 1.0, -1.0, 9.0, most, -most].map(|it| (it, false)));
    for (layer, open) in layers {
        for instruction in [
            "TEX_LZ TEMP[0], IN[0], SAMP[4], CUBEARRAY",
            "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[4], CUBEARRAY",
        ] {
            let found = is_open(instruction, [[0.25, -1.0, 0.75, layer]; 4]);
            assert_eq!(found, open, "{instruction} of layer {layer}");
        }
        // Only cubes join the layer with something else.
        let plain = "TEX_LZ TEMP[0], IN[0], SAMP[7], 2D_ARRAY";
        assert!(!is_open(plain, [[0.25, 0.5, layer, layer]; 4]), "{layer}");
    }
}

#[test]
fn a_projection_by_what_divisions_have_no_bound_for_is_meaningless() {
    let projected = "TXP TEMP[0], IN[0], SAMP[3], CUBE";
    for (w, open) in [(2.0, false), (-8.0e37, false), (f32::MIN, true), (0.0, true)] {
        let coordinates = [[0.25, -1.0, 0.75, w]; 4];
        assert_eq!(is_open(projected, coordinates), open, "{w}");
    }
}

#[test]
fn a_quotient_that_is_a_denormal_is_flushed_like_any_other_result() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                DCL SVIEW[0], 2D, FLOAT\nTXP OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let mut program = Program::prepare(&parse.shader.unwrap()).unwrap();
    // Half of the smallest normal number, below zero: before the first texel, or the first.
    let coordinates = [-f32::MIN_POSITIVE, 0.0, 0.0, 2.0];
    let input = coordinates.map(|it| [it.to_bits(); 4]);
    let inputs = QuadInputs { inputs: vec![vec![input]], mask: 0xf, ..QuadInputs::default() };
    for (denormals, texel) in [(Denormals::Kept, 3.0), (Denormals::Flushed, 0.0)] {
        program.denormals = denormals;
        let mut resources = Resources { textures: textures(), ..Resources::default() };
        let quad = run_quad(&program, &mut resources, &inputs, Limits::default()).unwrap();
        assert_eq!(f32::from_bits(quad.outputs[0][0][0]), texel, "{denormals:?}");
    }
}

#[test]
fn the_reference_stands_where_the_target_says() {
    // The default comparison is less or equal; the texel is 21, 201, 121, 302, 902.
    #[rustfmt::skip]
    let cases: &[(&str, [f32; 4])] = &[
        ("TEX TEMP[0], IN[0], SAMP[0], SHADOW2D", [0.3, 0.6, 21.0, 99.0]),
        ("TXP TEMP[0], IN[0], SAMP[0], SHADOW2D", [0.6, 1.2, 42.0, 2.0]),
        ("TEX TEMP[0], IN[0], SAMP[0], SHADOWRECT", [1.5, 2.5, 21.0, 99.0]),
        ("TEX TEMP[0], IN[0], SAMP[1], SHADOW1D_ARRAY", [0.375, 2.0, 201.0, 999.0]),
        ("TEX TEMP[0], IN[0], SAMP[7], SHADOW2D_ARRAY", [0.3, 0.6, 1.0, 121.0]),
        ("TEX TEMP[0], IN[0], SAMP[3], SHADOWCUBE", [0.25, -1.0, 0.75, 302.0]),
    ];
    for (instruction, coordinates) in cases {
        // Linear or not, one texel is hit; w of a comparison is 1.
        assert_eq!(first(instruction, *coordinates), [1.0; 4], "{instruction}");
        let (mut more, place) = (*coordinates, if instruction.contains("CUBE") { 3 } else { 2 });
        let place = if instruction.contains("2D_ARRAY") { 3 } else { place };
        more[place] += 1.0;
        assert_eq!(first(instruction, more)[0], 0.0, "{instruction}");
    }
    let array = "TEX2 TEMP[0], IN[0], IMM[0].wwww, SAMP[4], SHADOWCUBEARRAY";
    assert_eq!(first(array, [0.25, -1.0, 0.75, 1.0])[0], 1.0);
    assert_eq!(first(array, [1.0, 0.9, 0.9, 0.0])[0], 0.0);
}

#[test]
fn fetches_count_texels_and_say_levels_and_samples() {
    #[rustfmt::skip]
    let cases: &[(&str, [i32; 4], [f32; 4])] = &[
        ("TXF TEMP[0], IN[0], SAMP[0], 2D", [3, 1, 9, 0], [13.0, 26.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[0], 2D", [1, 1, 9, 1], [1011.0, 2022.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[0], 2D", [3, 1, 9, 1], [0.0; 4]),
        ("TXF TEMP[0], IN[0], SAMP[0], 2D", [3, -1, 9, 0], [0.0; 4]),
        ("TXF TEMP[0], IN[0], SAMP[0], RECT", [3, 1, 9, 9], [13.0, 26.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[0], 2D, IMM[1].wzx", [3, 1, 9, 0], [32.0, 64.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[1], 1D_ARRAY", [3, 1, 9, 0], [103.0, 206.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[5], 2D_MSAA", [3, 1, 9, 1], [13.0, 26.0, 0.5, 1.0]),
        ("TXF TEMP[0], IN[0], SAMP[6], BUFFER", [7, 9, 9, 9], [7.0, 14.0, 0.5, 0.0]),
        ("TXF TEMP[0], IN[0], SAMP[6], BUFFER", [8, 0, 0, 0], [0.0; 4]),
        ("TXF_LZ TEMP[0], IN[0], SAMP[0], 2D", [3, 1, 9, 1], [13.0, 26.0, 0.5, 0.0]),
        ("SAMPLE_I TEMP[0], IN[0], SVIEW[0].wzyx", [3, 1, 9, 0], [0.0, 0.5, 26.0, 13.0]),
        ("SAMPLE_I_MS TEMP[0], IN[0], SVIEW[5], IMM[1].yyyy", [3, 1, 9, 0], [13.0, 26.0, 0.5, 1.0]),
        ("LOAD_MS TEMP[0], IN[0], SVIEW[5]", [3, 1, 9, 0], [13.0, 26.0, 0.5, 0.0]),
    ];
    for (instruction, coordinates, expected) in cases {
        let found = first_integer(instruction, *coordinates).map(f32::from_bits);
        assert_eq!(found, *expected, "{instruction}");
    }
}

#[test]
fn questions_are_answered() {
    #[rustfmt::skip]
    let cases: &[(&str, [i32; 4], [u32; 4])] = &[
        ("TXQ TEMP[0], IN[0], SAMP[0], 2D", [1, 0, 0, 0], [2, 2, 0, 2]),
        ("TXQ TEMP[0], IN[0], SAMP[0], 2D", [2, 0, 0, 0], [0, 0, 0, 2]),
        ("TXQ TEMP[0], IN[0], SAMP[0], RECT", [1, 0, 0, 0], [4, 4, 0, 2]),
        ("TXQ TEMP[0], IN[0], SAMP[4], CUBEARRAY", [0, 0, 0, 0], [4, 4, 2, 2]),
        ("TXQ TEMP[0], IN[0], SAMP[6], BUFFER", [9, 0, 0, 0], [8, 0, 0, 0]),
        // A texture of another kind than is asked for is not there.
        ("TXQ TEMP[0], IN[0], SAMP[6], 2D", [0, 0, 0, 0], [0; 4]),
        ("TXQ_LZ TEMP[0], SAMP[0], 2D", [0, 0, 0, 0], [4, 4, 0, 2]),
        ("TXQS TEMP[0], SAMP[5], 2D_MSAA", [0, 0, 0, 0], [2, 0, 0, 0]),
        ("SVIEWINFO TEMP[0], IN[0], SVIEW[7].yyyy", [0, 0, 0, 0], [4, 4, 3, 2]),
        ("RESINFO TEMP[0], IN[0], SVIEW[7]", [1, 0, 0, 0], [2, 2, 3, 2]),
        ("SAMPLE_INFO TEMP[0], SVIEW[5], IN[0]", [0, 0, 0, 0], [2, 0, 0, 0]),
        ("SAMPLE_INFO TEMP[0], SVIEW[0], IN[0]", [0, 0, 0, 0], [1, 0, 0, 0]),
        ("SAMPLE_POS TEMP[0], SVIEW[5], IN[0]", [1, 0, 0, 0], [0x3f40_0000, 0x3e80_0000, 0, 0]),
        ("SAMPLE_POS TEMP[0], SVIEW[0], IN[0]", [1, 0, 0, 0], [0x3f00_0000, 0x3f00_0000, 0, 0]),
    ];
    for (instruction, coordinates, expected) in cases {
        assert_eq!(first_integer(instruction, *coordinates), *expected, "{instruction}");
    }
}

#[test]
fn a_gather_takes_the_component_that_is_asked_for() {
    let at = [0.5, 0.5, 0.0, 0.0];
    assert_eq!(first("TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[0], 2D", at), [21.0, 22.0, 12.0, 11.0]);
    assert_eq!(first("TG4 TEMP[0], IN[0], IMM[1].yyyy, SAMP[0], 2D", at), [42.0, 44.0, 24.0, 22.0]);
    assert_eq!(
        first("GATHER4 TEMP[0], IN[0], SVIEW[0], SAMP[0].yyyy", at),
        [42.0, 44.0, 24.0, 22.0]
    );
    let offset = "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[0], 2D, IMM[1].yxx";
    assert_eq!(first(offset, at), [22.0, 23.0, 13.0, 12.0]);
    // With an offset for each texel, each is the one at (-, -) of its own.
    let offsets = format!("{offset}, IMM[1].xyx, IMM[1].wxx, IMM[1].yyx");
    assert_eq!(first(&offsets, at), [12.0, 21.0, 10.0, 22.0]);
    let compared = "TG4 TEMP[0], IN[0], IMM[1].xxxx, SAMP[0], SHADOW2D";
    assert_eq!(first(compared, [0.5, 0.5, 21.5, 0.0]), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn derivatives_are_those_of_the_quad() {
    // Two texels a pixel downwards: level 1 in every lane.
    let quad =
        [[0.1, 0.1, 0.0, 0.0], [0.2, 0.1, 0.0, 0.0], [0.1, 0.6, 0.0, 0.0], [0.9, 0.9, 0.0, 0.0]];
    let texel = |text: &str| lanes(text, quad)[0].map(f32::from_bits);
    assert_eq!(texel("TEX TEMP[0], IN[0], SAMP[0], 2D"), [1000.0, 1000.0, 1010.0, 1011.0]);
    assert_eq!(texel("TEX_LZ TEMP[0], IN[0], SAMP[0], 2D"), [0.0, 0.0, 20.0, 33.0]);
    let queried = lanes("LODQ TEMP[0], IN[0], SAMP[0], 2D", quad).map(|it| f32::from_bits(it[3]));
    assert_eq!(queried, [1.0, 1.0, 0.0, 0.0]);
    let queried =
        lanes("LOD TEMP[0], IN[0], SVIEW[0], SAMP[0]", quad).map(|it| f32::from_bits(it[0]));
    assert_eq!(queried, [1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn a_handle_in_a_register_names_a_unit_in_each_lane() {
    let coordinates =
        [[0.3, 0.6, 0.0, 0.0], [0.3, 0.6, 0.0, 0.0], [0.3, 0.6, 0.0, 1e-45], [0.3, 0.6, 0.0, 0.0]];
    let texel = lanes("TEX TEMP[0], IN[0], IN[0].wwww, 2D", coordinates)[0].map(f32::from_bits);
    // Unit 1 holds another kind of texture.
    assert_eq!(texel, [21.0, 21.0, 0.0, 21.0]);
}

#[test]
fn units_without_a_texture_get_a_made_up_one() {
    let text = "FRAG\nDCL SAMP[0..3]\nDCL SVIEW[0], 2D, SINT\nDCL SVIEW[3], CUBE, UNORM\nDCL TEMP[0]\n\
         TEX TEMP[0], TEMP[0], SAMP[0], 2D\nTEX TEMP[0], TEMP[0], SAMP[3], CUBE\n\
         TXF TEMP[0], TEMP[0], SAMP[1], 2D_MSAA\nEND\n";
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.unwrap()).unwrap();
    assert_eq!(
        program.textures(),
        [
            (0, Dimension::Two, Numbers::Signed),
            (1, Dimension::Multisample, Numbers::Float),
            (3, Dimension::Cube, Numbers::Normalized),
        ]
    );
    let given = numbered(Dimension::Two, [2, 2, 1], 1);
    let mut sampled = Sampled { textures: vec![Some(given.clone())], ..Sampled::default() };
    sampled.make_up(&program);
    let shape = |unit: usize| *sampled.textures[unit].as_ref().unwrap().shape();
    assert_eq!(sampled.textures[0], Some(given));
    assert_eq!(sampled.textures[2], None);
    assert_eq!([shape(1).samples, shape(1).levels], [4, 1]);
    assert_eq!((shape(3).size, shape(3).levels), ([16, 16, 6], 5));
}

#[test]
fn no_texture_opcode_is_left_out() {
    let missing: Vec<&str> = Opcode::all()
        .filter(|opcode| {
            opcode.row().texture && crate::lookup::PreparedLookup::of(*opcode).is_none()
        })
        .map(Opcode::mnemonic)
        .collect();
    // It names no texture.
    assert_eq!(missing, ["SAMP2HND"]);
}
