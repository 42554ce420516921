//! Opcodes that are more than arithmetic, on the small programs of
//! `data/programs.tsv`, and the count that no opcode is without a case.

use std::collections::BTreeSet;

use tgsi::{Opcode, Stage};

use crate::launch::{QuadInputs, run_quad};
use crate::patch::{Order, run_patch};
use crate::{EMPTY, Image, LANES, Limits, Program, Register, Resources};

const PROGRAMS: &str = include_str!("../data/programs.tsv");
const CASES: &str = include_str!("../data/cases.tsv");

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| row.split('\t').collect())
}

fn text(stage: &str, body: &str) -> String {
    let properties = match stage {
        "GEOM" => "PROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_MAX_OUTPUT_VERTICES 8\n",
        "TESS_CTRL" => "PROPERTY TCS_VERTICES_OUT 4\nDCL SV[0], INVOCATIONID\n",
        _ => "",
    };
    let output = if stage == "FRAG" { "COLOR" } else { "GENERIC[0]" };
    let brackets = if stage == "TESS_CTRL" { "[]" } else { "" };
    let inputs = match stage {
        "VERT" => "DCL IN[0]",
        "GEOM" | "TESS_CTRL" => "DCL IN[][0], GENERIC[0]",
        _ => "DCL IN[0], GENERIC[0], LINEAR",
    };
    let end = if body.contains("BGNSUB") { "" } else { "END\n" };
    format!(
        "{stage}\n{properties}{inputs}\nDCL OUT{brackets}[0..1], {output}\nDCL TEMP[0..7]\n\
         DCL ADDR[0]\nDCL BUFFER[0]\nDCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\n\
         DCL RES[0], BUFFER, RAW, WR\nDCL SAMP[0..3]\nDCL LOOP[0]\nDCL CONST[0][0..1]\n\
         IMM[0] FLT32 {{ 0.0, 1.0, 2.0, 3.0 }}\nIMM[1] UINT32 {{ 0, 1, 2, 3 }}\n\
         IMM[2] INT32 {{ 4, 8, 12, -1 }}\n{}\n{end}",
        body.split("; ").collect::<Vec<_>>().join("\n")
    )
}

fn input(more: f32) -> Register {
    let mut input = EMPTY;
    for (component, lanes) in input.iter_mut().enumerate() {
        *lanes = std::array::from_fn(|lane| {
            let x = lane as f32 + more;
            [x, x + 1.0, -x, 0.25][component].to_bits()
        });
    }
    input
}

fn resources() -> Resources {
    let texels = (100..104).map(|it| [it, 0, 0, 0]).collect();
    Resources {
        buffers: vec![vec![10, 11, 12, 13]],
        constants: vec![vec![[20, 21, 22, 23]]],
        images: vec![Some(Image { size: [2, 2, 1], texels })],
        ..Resources::default()
    }
}

/// OUT[0].x of the lanes; OUT[1].x of the vertices in tessellation control.
fn outcome(stage: &str, body: &str) -> [u32; LANES] {
    let text = text(stage, body);
    let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
    let program =
        Program::prepare(&parse.shader.unwrap()).unwrap_or_else(|it| panic!("{it}: {text}"));
    let inputs = QuadInputs {
        inputs: vec![vec![input(0.0)], vec![input(10.0)]],
        framebuffer: vec![[[0.5f32.to_bits(); LANES]; 4]],
        mask: 0xf,
        ..QuadInputs::default()
    };
    let mut resources = resources();
    if program.stage == Stage::TessellationControl {
        let patch =
            run_patch(&program, &mut resources, &inputs, 0, Order::Forward, Limits::default())
                .unwrap();
        return std::array::from_fn(|vertex| patch.vertices[vertex][1][0]);
    }
    run_quad(&program, &mut resources, &inputs, Limits::default()).unwrap().outputs[0][0]
}

#[test]
fn small_programs_come_out_as_worked_out() {
    let mut different = Vec::new();
    for row in rows(PROGRAMS) {
        let [_, stage, body, expected, _] = row[..] else { panic!("{row:?}") };
        let expected: Vec<u32> = expected
            .split(' ')
            .map(|number| match number.parse::<i64>() {
                Ok(integer) => integer as u32,
                Err(_) => number.parse::<f32>().unwrap().to_bits(),
            })
            .collect();
        // A sum that is 0 may have either sign.
        let found = outcome(stage, body).map(|bits| if bits == 0x8000_0000 { 0 } else { bits });
        if found[..] != expected {
            different.push(format!("{body}: {found:x?}, expected {expected:x?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn every_opcode_has_a_case_or_a_reason() {
    let textures = include_str!("sampling_tests.rs");
    let words = |text: &'static str| {
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
    };
    let mut with_case: BTreeSet<&str> = words(textures).collect();
    with_case.extend(rows(CASES).map(|row| row[0]));
    with_case.extend(rows(PROGRAMS).map(|row| row[0]));
    let executed = |opcode: &Opcode| crate::action::action(*opcode).is_some();
    let without: Vec<&str> = Opcode::all()
        .filter(executed)
        // Another name for what has cases, and numbers that mean nothing.
        .filter(|opcode| opcode.successor().is_none() && !opcode.is_gap())
        .map(Opcode::mnemonic)
        .filter(|word| !with_case.contains(word))
        .collect();
    assert_eq!(without, [""; 0]);
    let refused = Opcode::all().filter(|it| !executed(it));
    for (opcode, reason) in refused.map(|it| (it.mnemonic(), it.row().not_executed)) {
        assert!(reason.len() > 20, "{opcode}: a reason");
        // Whoever reads how shaders are run finds it.
        assert!(crate::inputs::page().contains(&format!("`{opcode}`")), "{opcode} in the page");
    }
}

#[test]
fn another_name_means_the_same() {
    let mut count = 0;
    for opcode in Opcode::all() {
        let Some(today) = opcode.successor() else { continue };
        let same = match (crate::action::action(opcode), crate::action::action(today)) {
            (Some(old), Some(new)) => std::mem::discriminant(&old) == std::mem::discriminant(&new),
            (None, None) => true,
            _ => false,
        };
        assert!(same, "{opcode:?} and {today:?}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn zero_wins_where_the_shader_says_so() {
    let body = "RCP TEMP[0].x, IMM[0].xxxx; MUL OUT[0].x, IMM[0].xxxx, TEMP[0].xxxx";
    let plain = outcome("VERT", body);
    assert!(plain.iter().all(|bits| f32::from_bits(*bits).is_nan()));
    let legacy = format!("PROPERTY MUL_ZERO_WINS 1; {body}");
    assert_eq!(outcome("VERT", &legacy), [0; 4]);
    let dot = "PROPERTY LEGACY_MATH_RULES 1; RCP TEMP[0], IMM[0].xxxx; DP3 OUT[0].x, TEMP[0], IMM[0].xxyy";
    assert_eq!(outcome("VERT", dot), [f32::INFINITY.to_bits(); 4]);
}

#[test]
fn an_input_that_is_constant_is_so_at_any_offset() {
    let at_no_number = |input: u32| {
        let body = format!(
            "DCL IN[1], GENERIC[1], CONSTANT; RCP TEMP[0].x, IMM[0].xxxx; \
             MUL TEMP[0], TEMP[0].xxxx, IMM[0].xxxx; INTERP_OFFSET OUT[0].x, IN[{input}], TEMP[0]"
        );
        outcome("FRAG", &body)
    };
    assert_eq!(at_no_number(1), [0; 4]);
    assert!(at_no_number(0).iter().all(|bits| f32::from_bits(*bits).is_nan()));
}

#[test]
fn denormals_are_flushed_where_the_caller_says_so() {
    let text = text(
        "VERT",
        "ADD OUT[0].x, IMM[3].xxxx, IMM[3].xxxx; MOV OUT[0].y, IMM[3].xxxx; \
         MUL OUT[0].z, IMM[3].yyyy, IMM[0].wwww",
    );
    let text = text
        .replace("\nADD", "\nIMM[3] UINT32 { 2147483649, 8388608, 0, 0 }\nADD")
        .replace("IMM[0].wwww", "-IN[0].wwww");
    let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
    let mut program = Program::prepare(&parse.shader.unwrap()).unwrap();
    let inputs = QuadInputs { inputs: vec![vec![input(0.0)]], mask: 0xf, ..QuadInputs::default() };
    let mut run = |denormals| {
        program.denormals = denormals;
        let left = run_quad(&program, &mut resources(), &inputs, Limits::default()).unwrap();
        [0, 1, 2].map(|component| left.outputs[0][component][0])
    };
    assert_eq!(run(crate::Denormals::Kept), [0x8000_0002, 0x8000_0001, 0x8020_0000]);
    assert_eq!(run(crate::Denormals::Flushed), [0x8000_0000, 0x8000_0001, 0x8000_0000]);
}

#[test]
fn a_patch_is_written_by_all_its_invocations() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 6\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\n\
         DCL OUT[1], TESSOUTER\nDCL OUT[2], PATCH\nDCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\n\
         DCL TEMP[0]\nIMM[0] UINT32 { 5, 0, 0, 0 }\n\
         MOV OUT[SV[0].x][0], IN[1][0]\nMOV OUT[SV[0].x][0].w, SV[0].xxxx\nBARRIER\n\
         USEQ TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nMOV OUT[1], OUT[5][0].wwww\n\
         MOV OUT[2].x, SV[1].xxxx\nENDIF\nEND\n";
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.unwrap()).unwrap();
    let vertex = |word: u32| vec![[[word; LANES]; 4]];
    let inputs =
        QuadInputs { inputs: vec![vertex(7), vertex(8), vertex(9)], ..QuadInputs::default() };
    let patch = run_patch(
        &program,
        &mut Resources::default(),
        &inputs,
        0,
        Order::Forward,
        Limits::default(),
    )
    .unwrap();
    let vertices: Vec<[u32; 4]> = patch.vertices.iter().map(|vertex| vertex[0]).collect();
    assert_eq!(vertices, [0, 1, 2, 3, 4, 5].map(|it| [8, 8, 8, it]));
    assert_eq!(patch.shared[1], [5; 4]);
    assert_eq!(patch.shared[2], [3, 0, 0, 0]);
}

#[test]
fn an_index_into_what_belongs_to_the_patch_leaves_it_at_the_levels() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL OUT[0], TESSOUTER\nDCL OUT[1], TESSINNER\n\
         DCL OUT[2], PATCH\nDCL OUT[3], PATCH[1]\nDCL CONST[0]\nDCL ADDR[0]\n\
         UARL ADDR[0].x, CONST[0].xxxx\nMOV OUT[ADDR[0].x+2].x, CONST[0].xxxx\nEND\n";
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.unwrap()).unwrap();
    for (index, out_of_bounds) in [(0_i32, false), (1, false), (2, true), (-1, true), (-2, true)] {
        let constants = vec![vec![[index as u32; 4]]];
        let mut resources = Resources { constants, ..Resources::default() };
        let inputs = QuadInputs::default();
        let limits = Limits::default();
        let patch = run_patch(&program, &mut resources, &inputs, 0, Order::Forward, limits);
        assert_eq!(patch.unwrap().out_of_bounds, out_of_bounds, "{index}");
    }
}

#[test]
fn historic_arrays_hold_what_they_are_told() {
    let text = "VERT\nDCL OUT[0], POSITION\nDCL IMMX[0..1] {{ 1.0, 2.0, 3.0, 4.0 }, { 5.0, 6.0, 7.0, 8.0 }}\n\
         DCL TEMPX[1][0..2]\nDCL ADDR[0]\nIMM FLT32 { 1.0, 0.0, 0.0, 0.0 }\nARL ADDR[0].x, IMM[0].xxxx\n\
         MOV TEMPX[1][ADDR[0].x+1], IMMX[ADDR[0].x]\nADD OUT[0], TEMPX[1][2], IMMX[0]\nEND\n";
    // The oldest have one bracket.
    for text in [text.to_owned(), text.replace("TEMPX[1]", "TEMPX")] {
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.unwrap()).unwrap();
        let inputs = QuadInputs { mask: 0xf, ..QuadInputs::default() };
        let mut resources = Resources::default();
        let left = run_quad(&program, &mut resources, &inputs, Limits::default()).unwrap();
        let lane = left.outputs[0].map(|lanes| f32::from_bits(lanes[3]));
        assert_eq!(lane, [6.0, 8.0, 10.0, 12.0], "{text}");
    }
}

#[test]
fn an_index_may_mean_every_view_like_its_first() {
    let numbers = |operand: &str| -> Vec<u32> {
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0..3]\nDCL SVIEW[0], 2D, FLOAT\n\
             DCL SVIEW[1..2], BUFFER, FLOAT\nDCL SVIEW[3], 2D, FLOAT\nDCL CONST[0]\nDCL ADDR[0]\n\
             UARL ADDR[0].x, CONST[0].xxxx\n{operand}\nEND\n"
        );
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.unwrap()).unwrap();
        program.textures().into_iter().map(|(number, ..)| number).collect()
    };
    assert_eq!(numbers("TXF OUT[0], CONST[0], SAMP[1], BUFFER"), [1]);
    assert_eq!(numbers("TXF OUT[0], CONST[0], SAMP[ADDR[0].x+1], BUFFER"), [1, 2]);
    assert_eq!(numbers("TEX OUT[0], CONST[0], SAMP[ADDR[0].x], 2D"), [0, 3]);
}
