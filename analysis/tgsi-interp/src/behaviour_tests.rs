//! Tests of all that a run shows besides its outputs: the trace, streams of vertices,
//! lanes that left what is declared, values of the subgroup, and look-ups under the recorded model.

use crate::launch::{Grid, QuadInputs, QuadOutputs, Tracing, run_grid, run_quad, run_watched_grid};
use crate::open::Script;
use crate::{EMPTY, Image, LANES, Limits, Program, Register, Resources, Textures};

fn program(text: &str) -> Program {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    Program::prepare(&parse.shader.expect("a shader")).unwrap_or_else(|it| panic!("{it}: {text}"))
}

fn run(text: &str, inputs: &QuadInputs, resources: &mut Resources) -> QuadOutputs {
    run_quad(&program(text), resources, inputs, Limits::default()).expect("a run")
}

fn lanes(values: [f32; LANES]) -> [u32; LANES] {
    values.map(f32::to_bits)
}

#[test]
fn the_trace_says_what_each_kind_of_instruction_writes() {
    // The opcode, its instruction, the components that it writes in lane 1.
    let statements = [
        ("MOV", "MOV TEMP[0].xw, IN[0]", &[(0, 1.0f32.to_bits()), (3, 0.25f32.to_bits())][..]),
        ("DDX", "DDX TEMP[0].x, IN[0]", &[(0, 1.0f32.to_bits())]),
        ("LOAD", "LOAD TEMP[0].y, BUFFER[0], IMM[0].yyyy", &[(1, 11)]),
        ("ATOMUADD", "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx", &[(0, 15)]),
        ("RESQ", "RESQ TEMP[0].x, BUFFER[0]", &[(0, 8)]),
        ("TEX", "TEX TEMP[0].x, IN[0], SAMP[0], 2D", &[(0, 0)]),
        ("BALLOT", "BALLOT TEMP[0].x, IN[0].xxxx", &[(0, 0b1110)]),
        ("POPA", "PUSHA IN[0]\nPOPA TEMP[0].x", &[(0, 1.0f32.to_bits())]),
        ("SAMP2HND", "SAMP2HND TEMP[0].x, SAMP[0], 2D", &[(0, 0)]),
        ("FBFETCH", "FBFETCH TEMP[0].x, OUT[0]", &[(0, 7)]),
        ("INTERP_OFFSET", "INTERP_OFFSET TEMP[0].x, IN[0], IMM[0].yyyy", &[(0, 1.0f32.to_bits())]),
        ("READ_HELPER", "READ_HELPER TEMP[0].x", &[(0, 0)]),
        ("CLOCK", "CLOCK TEMP[0].x", &[(0, 1)]),
        ("M3X2", "M3X2 TEMP[0].x, IN[0], TEMP[1]", &[(0, 0)]),
    ];
    let mut input = EMPTY;
    input[0] = lanes([0.0, 1.0, 2.0, 3.0]);
    input[3] = lanes([0.25; LANES]);
    for (opcode, statement, written) in statements {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\n\
             DCL BUFFER[0]\nIMM[0] UINT32 {{ 4, 0, 0, 0 }}\n{statement}\nEND\n"
        );
        let inputs = QuadInputs {
            inputs: vec![vec![input]],
            framebuffer: vec![[[7; LANES]; 4]],
            mask: 0xf,
            tracing: Tracing::On,
            ..QuadInputs::default()
        };
        let mut resources = Resources { buffers: vec![vec![10, 11]], ..Resources::default() };
        let left = run(&text, &inputs, &mut resources);
        let step = left.trace.last().unwrap_or_else(|| panic!("{opcode} leaves no step"));
        let own = statement.lines().count() as u32;
        let found: Vec<(usize, u32)> = step.written.iter().map(|(at, it)| (*at, it[1])).collect();
        assert_eq!((step.ordinal, step.active, &found[..]), (own, 0xf, written), "{opcode}");
        assert_eq!(left.trace.iter().filter(|step| step.ordinal == own).count(), 1, "{opcode}");
        let off = QuadInputs { tracing: Tracing::Off, ..inputs };
        assert!(run(&text, &off, &mut Resources::default()).trace.is_empty(), "{opcode}");
    }
}

#[test]
fn primitives_end_in_their_own_stream() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 6\nDCL OUT[0], POSITION\n\
                IMM[0] UINT32 { 0, 1, 2, 3 }\n\
                MOV OUT[0], IMM[0].xxxx\nEMIT IMM[0].xxxx\nMOV OUT[0], IMM[0].yyyy\nEMIT IMM[0].xxxx\n\
                EMIT IMM[0].wwww\nENDPRIM IMM[0].xxxx\nEMIT IMM[0].wwww\nMOV OUT[0], IMM[0].zzzz\n\
                EMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\nEMIT IMM[0].yyyy\nEND\n";
    let inputs = QuadInputs { mask: 0xf, ..QuadInputs::default() };
    let left = run(text, &inputs, &mut Resources::default());
    let words = left.streams.each_ref().map(|stream| {
        let first = |primitive: &Vec<Vec<[u32; 4]>>| {
            primitive.iter().map(|vertex| vertex[0][0]).collect::<Vec<u32>>()
        };
        stream.iter().map(first).collect::<Vec<_>>()
    });
    // The seventh vertex is one too many; what a vertex does not write is undefined.
    assert_eq!(words, [vec![vec![0, 1], vec![2]], vec![vec![0]], vec![], vec![vec![0, 0]]]);
}

#[test]
fn lanes_that_leave_what_is_declared_are_told() {
    let text = |operand: &str| {
        format!(
            "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\nDCL TEMP[2..4], ARRAY(1)\n\
             DCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], {operand}\nEND\n"
        )
    };
    let mut input = EMPTY;
    input[0] = lanes([-1.0, 0.0, 1.0, 2.0]);
    let inputs =
        QuadInputs { inputs: vec![vec![input, EMPTY]], mask: 0xf, ..QuadInputs::default() };
    for (operand, out_of_bounds) in [
        ("TEMP[0]", 0),
        ("IN[ADDR[0].x]", 0b1001),
        ("TEMP[ADDR[0].x]", 0b0001),
        ("TEMP[ADDR[0].x+3]", 0b1000),
        ("TEMP[ADDR[0].x+3](1)", 0b1000),
        ("TEMP[ADDR[0].x+2](1)", 0b0001),
    ] {
        let left = run(&text(operand), &inputs, &mut Resources::default());
        assert_eq!(left.out_of_bounds, out_of_bounds, "{operand}");
    }
    let some = QuadInputs { mask: 0b0110, ..inputs };
    assert_eq!(run(&text("IN[ADDR[0].x]"), &some, &mut Resources::default()).out_of_bounds, 0);
}

#[test]
fn four_lanes_are_a_subgroup() {
    for (name, values) in [
        ("SUBGROUP_SIZE", [4, 4, 4, 4]),
        ("SUBGROUP_INVOCATION", [0, 1, 2, 3]),
        ("SUBGROUP_EQ_MASK", [1, 2, 4, 8]),
        ("SUBGROUP_GE_MASK", [0b1111, 0b1110, 0b1100, 0b1000]),
        ("SUBGROUP_GT_MASK", [0b1110, 0b1100, 0b1000, 0]),
        ("SUBGROUP_LE_MASK", [0b0001, 0b0011, 0b0111, 0b1111]),
        ("SUBGROUP_LT_MASK", [0, 0b0001, 0b0011, 0b0111]),
    ] {
        let body =
            format!("DCL SV[2], {name}\nDCL OUT[0], GENERIC[0]\nMOV OUT[0].x, SV[2].xxxx\nEND\n");
        let inputs = QuadInputs { mask: 0xf, ..QuadInputs::default() };
        let left = run(&format!("VERT\n{body}"), &inputs, &mut Resources::default());
        assert_eq!(left.outputs[0][0], values, "{name}");
    }
}

#[test]
fn a_group_tells_where_each_thread_is() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 5\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n\
                DCL SV[2], BLOCK_SIZE\nDCL SV[3], GRID_SIZE\nDCL BUFFER[0]\nDCL TEMP[0]\n\
                IMM[0] UINT32 { 4, 5, 10, 20 }\n\
                UMAD TEMP[0].x, SV[0].yyyy, IMM[0].yyyy, SV[0].xxxx\n\
                UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n\
                UMAD TEMP[0].x, SV[1].yyyy, IMM[0].wwww, TEMP[0].xxxx\n\
                UMUL TEMP[0].y, SV[2].xxxx, SV[3].yyyy\nUADD TEMP[0].y, TEMP[0].yyyy, TEMP[0].xxxx\n\
                RCP TEMP[0].z, SV[0].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n\
                STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nEND\n";
    let program = program(text);
    let empty = || Resources { buffers: vec![vec![0; 61]], ..Resources::default() };
    let mut resources = empty();
    run_grid(&program, &mut resources, [2, 3, 1], &[], Limits::default()).expect("a run");
    let expected: Vec<u32> = (0..60).map(|it| it + 15).chain([0]).collect();
    assert_eq!(resources.buffers[0], expected);
    let grid = Grid { groups: [2, 3, 1], open: Some(Script::default()), ..Grid::default() };
    let mut open = empty();
    let left = run_watched_grid(&program, &mut open, &grid, Limits::default()).expect("a run");
    assert!(!left.out_of_bounds && open.open.is_exact());
    // Each group has four quads, each with what its results hang on.
    assert_eq!(left.words.len(), 24);
}

#[test]
fn memory_keeps_its_bounds() {
    let text = "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL BUFFER[0]\nDCL RES[0], BUFFER, RAW, WR\n\
                DCL RES[1], 2D, RAW, WR\nDCL IMAGE[0], 1D, PIPE_FORMAT_R32G32B32A32_UINT, WR\n\
                IMM[0] UINT32 { 4, 8, 1, 0 }\n\
                STORE BUFFER[0].xy, IMM[0].xxxx, IMM[0].zxzz\nLOAD OUT[0].xy, BUFFER[0], IMM[0].xxxx\n\
                LOAD OUT[0].z, RES[1], IMM[0].zwww\nLOAD OUT[0].w, IMAGE[0], IMM[0].zyyy, 1D\nEND\n";
    let image = |size: [u32; 3]| Some(Image { size, texels: vec![[5; 4], [6; 4]] });
    let mut resources = Resources {
        buffers: vec![vec![0; 2]],
        images: vec![image([2, 1, 1]), image([2, 1, 1])],
        ..Resources::default()
    };
    let inputs = QuadInputs { mask: 1, ..QuadInputs::default() };
    let left = run(text, &inputs, &mut resources);
    // The second word lies behind the end; other coordinates of a 1D image do not count.
    assert_eq!(resources.buffers[0], [0, 1]);
    assert_eq!(left.outputs[0].map(|lanes| lanes[0]), [1, 0, 6, 6]);
}

#[test]
fn components_that_a_format_does_not_store_are_constants() {
    let text = |format: &str| {
        format!(
            "VERT\nDCL OUT[0], GENERIC[0]\nDCL IMAGE[0], 1D, PIPE_FORMAT_{format}, WR\n\
             IMM[0] UINT32 {{ 1, 7, 8, 9 }}\n\
             STORE IMAGE[0], IMM[0].xxxx, IMM[0].yzwx\nLOAD OUT[0], IMAGE[0], IMM[0].xxxx, 1D\nEND\n"
        )
    };
    let one = 1.0_f32.to_bits();
    for (format, texel, read) in [
        ("R32_UINT", [7, 5, 5, 5], [7, 0, 0, 1]),
        ("R16G16_FLOAT", [7, 8, 5, 5], [7, 8, 0, one]),
        ("B8G8R8X8_UNORM", [7, 8, 9, 5], [7, 8, 9, one]),
        ("R32G32B32A32_SINT", [7, 8, 9, 1], [7, 8, 9, 1]),
        // No format is known: nothing is left out.
        ("NONE", [7, 8, 9, 1], [7, 8, 9, 1]),
    ] {
        let image = Image { size: [2, 1, 1], texels: vec![[5; 4]; 2] };
        let mut resources = Resources { images: vec![Some(image)], ..Resources::default() };
        let inputs = QuadInputs { mask: 1, ..QuadInputs::default() };
        let left = run(&text(format), &inputs, &mut resources);
        let texels = resources.images[0].as_ref().map(|image| image.texels.clone());
        assert_eq!(texels, Some(vec![[5; 4], texel]), "{format}");
        assert_eq!(left.outputs[0].map(|lanes| lanes[0]), read, "{format}");
    }
}

#[test]
fn recorded_look_ups_take_one_texel() {
    let texels: Vec<[u32; 4]> = (0..6).map(|it| [10 + it, 20 + it, 30 + it, 40 + it]).collect();
    let boxes = vec![
        Some(Image { size: [3, 2, 1], texels }),
        Some(Image { size: [0, 1, 1], texels: Vec::new() }),
        None,
        Some(Image { size: [1, 1, 1], texels: vec![[9; 4]] }),
    ];
    let x = |statement: &str, coordinates: [f32; 4]| -> Register {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..3]\n\
             IMM[0] INT32 {{ 1, -1, 4, 0 }}\n{statement}\nEND\n"
        );
        let inputs = QuadInputs {
            inputs: vec![vec![coordinates.map(|it| [it.to_bits(); LANES])]],
            mask: 0xf,
            ..QuadInputs::default()
        };
        let textures = Textures::Recorded(boxes.clone());
        run(&text, &inputs, &mut Resources { textures, ..Resources::default() }).outputs[0]
    };
    let first = |register: Register| register.map(|lanes| lanes[0]);
    for (at, texel) in
        [([0.0, 0.0], 0), ([0.34, 0.0], 1), ([0.99, 0.51], 5), ([1.0, 1.0], 0), ([-0.1, -0.1], 5)]
    {
        let found = x("TEX OUT[0], IN[0], SAMP[0], 2D", [at[0], at[1], 0.0, 1.0]);
        assert_eq!(first(found), [10 + texel, 20 + texel, 30 + texel, 40 + texel], "{at:?}");
    }
    // Divided by the last component; moved by texels; asked for by number; out of the box.
    assert_eq!(first(x("TXP OUT[0], IN[0], SAMP[0], 2D", [0.8, 1.2, 0.0, 2.0]))[0], 14);
    let moved = "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xww";
    assert_eq!(first(x(moved, [0.0, 0.0, 0.0, 1.0]))[0], 11);
    assert_eq!(first(x("TXF OUT[0], IMM[0].xxww, SAMP[0], 2D", [0.0; 4]))[0], 14);
    assert_eq!(first(x("TXF OUT[0], IMM[0].ywww, SAMP[0], 2D", [0.0; 4])), [0; 4]);
    assert_eq!(first(x("TXF OUT[0], IMM[0].zwww, SAMP[0], 2D, IMM[0].yww", [0.0; 4])), [0; 4]);
    assert_eq!(first(x("TXQ OUT[0], IMM[0].wwww, SAMP[0], 2D", [0.0; 4])), [3, 2, 1, 1]);
    // One texel is everywhere.
    assert_eq!(first(x("TEX OUT[0], IN[0], SAMP[3], 2D", [0.75, 2.5, 0.0, 1.0])), [9; 4]);
    // An empty box has no texel; without a box the coordinates come back.
    assert_eq!(first(x("TEX OUT[0], IN[0], SAMP[1], 2D", [0.5; 4])), [0; 4]);
    let back = first(x("TEX OUT[0], IN[0], SAMP[2], 2D", [0.5, 0.75, 3.0, 4.0]));
    assert_eq!(back, [0.5f32.to_bits(), 0.75f32.to_bits(), 0, 0]);
    let back = first(x("TXP OUT[0], IN[0], SAMP[2], SHADOW2D", [1.0, 2.0, 3.0, 4.0]));
    assert_eq!(back, [0.25f32, 0.5, 0.75, 0.0].map(f32::to_bits));
    assert_eq!(first(x("TXF OUT[0], IMM[0].xxww, SAMP[2], 2D", [0.0; 4])), [0; 4]);
}
