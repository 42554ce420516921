//! Small programs whose outcome is worked out by hand, and programs made at
//! random, which must end.

use proptest::prelude::*;

use crate::launch::{QuadInputs, run_grid, run_quad};
use crate::{EMPTY, Limits, Program, Refusal, Register, Resources};

fn prepare(text: &str) -> Result<Program, Refusal> {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    Program::prepare(&parse.shader.expect("a header"))
}

/// Runs a vertex shader whose IN[0].x counts the lanes from 0.0; gives OUT[0].
fn run(body: &str) -> Register {
    let text = format!(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..7]\nDCL ADDR[0]\n\
         IMM[0] FLT32 {{ 0.0, 1.0, 2.0, 3.0 }}\nIMM[1] UINT32 {{ 0, 1, 2, 3 }}\n{body}\nEND\n"
    );
    let program = prepare(&text).unwrap();
    let mut input = EMPTY;
    input[0] = [0.0f32, 1.0, 2.0, 3.0].map(f32::to_bits);
    let inputs = QuadInputs { inputs: vec![vec![input]], mask: 0xf, ..QuadInputs::default() };
    let limits = Limits { steps: 10_000, records: 100 };
    run_quad(&program, &mut Resources::default(), &inputs, limits).unwrap().outputs[0]
}

fn floats(lanes: [u32; 4]) -> [f32; 4] {
    lanes.map(f32::from_bits)
}

#[test]
fn lanes_part_at_conditions_and_meet_again() {
    let out = run("SLT TEMP[0].x, IN[0].xxxx, IMM[0].zzzz\nIF TEMP[0].xxxx\n\
         MOV OUT[0].x, IMM[0].yyyy\nELSE\nMOV OUT[0].x, IMM[0].wwww\nENDIF\n\
         ADD OUT[0].y, IN[0].xxxx, IMM[0].yyyy");
    assert_eq!(floats(out[0]), [1.0, 1.0, 3.0, 3.0]);
    assert_eq!(floats(out[1]), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn every_lane_leaves_a_loop_in_its_own_round() {
    // Counts to IN[0].x; rounds after which 1.0 remains are skipped by CONT.
    let out = run("MOV TEMP[0], IMM[0].xxxx\nBGNLOOP\nSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\n\
         IF TEMP[1].xxxx\nBRK\nENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
         SEQ TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nIF TEMP[1].xxxx\nCONT\nENDIF\n\
         ADD TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww\nENDLOOP\nMOV OUT[0], TEMP[0]");
    assert_eq!(floats(out[0]), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(floats(out[1]), [0.0, 0.0, 3.0, 6.0]);
}

#[test]
fn a_switch_falls_through_and_takes_its_default_anywhere() {
    let out = run("F2U TEMP[0].x, IN[0].xxxx\nMOV TEMP[1].x, IMM[0].xxxx\nSWITCH TEMP[0].xxxx\n\
         CASE IMM[1].yyyy\nADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nDEFAULT\n\
         ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nBRK\nCASE IMM[1].wwww\n\
         MOV TEMP[1].x, IMM[0].wwww\nENDSWITCH\nMOV OUT[0].x, TEMP[1].xxxx");
    assert_eq!(floats(out[0]), [2.0, 3.0, 2.0, 3.0]);
}

#[test]
fn a_return_in_a_branch_of_a_subroutine_ends_only_its_lanes() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nIMM[0] FLT32 { 0.0, 1.0, 2.0, 3.0 }\n\
         0: CAL :3\n1: ADD OUT[0].y, OUT[0].xxxx, IMM[0].yyyy\n2: END\n3: BGNSUB\n\
         4: IF IN[0].xxxx :6\n5: RET\n6: ENDIF\n7: MOV OUT[0].x, IMM[0].wwww\n8: RET\n9: ENDSUB\n";
    let program = prepare(text).unwrap();
    let mut input = EMPTY;
    input[0] = [0.0f32, 1.0, 0.0, 3.0].map(f32::to_bits);
    let inputs = QuadInputs { inputs: vec![vec![input]], mask: 0xf, ..QuadInputs::default() };
    let outputs =
        run_quad(&program, &mut Resources::default(), &inputs, Limits::default()).unwrap();
    assert_eq!(floats(outputs.outputs[0][0]), [3.0, 0.0, 3.0, 0.0]);
    assert_eq!(floats(outputs.outputs[0][1]), [4.0, 1.0, 4.0, 1.0]);
}

#[test]
fn an_indirect_index_is_each_lanes_own_and_nothing_outside_is_read() {
    let out = run("MOV TEMP[0], IMM[0].yyyy\nMOV TEMP[1], IMM[0].zzzz\nMOV TEMP[2], IMM[0].wwww\n\
         MOV TEMP[3], IMM[0].wwww\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0].x, TEMP[ADDR[0].x]\n\
         MOV OUT[0].y, TEMP[ADDR[0].x+100]\nMOV OUT[0].z, TEMP[ADDR[0].x-1]");
    assert_eq!(floats(out[0]), [1.0, 2.0, 3.0, 3.0]);
    assert_eq!(out[1], [0; 4]);
    assert_eq!(floats(out[2]), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn an_endless_loop_is_given_up() {
    let program = prepare("VERT\nBGNLOOP\nENDLOOP\nEND\n").unwrap();
    let inputs = QuadInputs { mask: 1, ..QuadInputs::default() };
    let limits = Limits { steps: 1000, records: 1 };
    let stop = run_quad(&program, &mut Resources::default(), &inputs, limits).unwrap_err();
    assert_eq!(stop.to_string(), "too many steps at instruction 2");
}

#[test]
fn threads_meet_at_barriers() {
    // Every thread stores its number; after the barrier it reads its neighbour's.
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\n\
         DCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 { 4, 7, 1, 0 }\n\
         UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nSTORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\n\
         BARRIER\nUADD TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\nAND TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n\
         UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\nLOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx\n\
         STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";
    let program = prepare(text).unwrap();
    let mut resources =
        Resources { buffers: vec![vec![0; 8]], shared: vec![0; 8], ..Resources::default() };
    run_grid(&program, &mut resources, [1, 1, 1], &[], Limits::default()).unwrap();
    assert_eq!(resources.buffers[0], [1, 2, 3, 4, 5, 6, 7, 0]);
}

#[test]
fn counters_count_lane_by_lane() {
    let text = "TESS_EVAL\nDCL IN[][0], POSITION\nDCL IN[1], PATCH\nDCL OUT[0], POSITION\n\
         DCL HWATOMIC[0][0..1]\nDCL TEMP[0]\nIMM[0] UINT32 { 0, 5, 0, 0 }\n\
         ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\n\
         MOV OUT[0].x, TEMP[0].xxxx\nMOV OUT[0].y, IN[2][0].xxxx\nMOV OUT[0].z, IN[1].xxxx\nEND\n";
    let program = prepare(text).unwrap();
    let vertex = |word: u32| [[word; 4]; 4];
    let inputs = QuadInputs {
        inputs: vec![vec![EMPTY, vertex(8)], Vec::new(), vec![vertex(9)]],
        mask: 0b1011,
        ..QuadInputs::default()
    };
    let mut resources = Resources { counters: vec![vec![1, 2]], ..Resources::default() };
    let left = run_quad(&program, &mut resources, &inputs, Limits::default()).unwrap();
    assert_eq!(left.outputs[0][..3], [[2, 7, 0, 12], [9, 9, 0, 9], [8, 8, 0, 8]]);
    assert_eq!(resources.counters[0], [1, 17]);
}

#[test]
fn what_is_not_executed_is_named() {
    let refusal = prepare("VERT\nDCL TEMP[0]\nCALLNZ TEMP[0].xxxx\nEND\n").err().unwrap();
    assert_eq!((refusal.ordinal, refusal.message.as_str()), (1, "unsupported: CALLNZ"));
    let refusal = prepare("FRAG\nDCL TEMP[0]\nENDIF\nEND\n").err().unwrap();
    assert_eq!(refusal.message, "blocks do not match");
}

/// An operand of a random program.
fn operand() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..3u32).prop_map(|number| format!("TEMP[{number}]")),
        Just("TEMP[ADDR[0].x+2147483647]".to_owned()),
        Just("-|IMM[0].yxwz|".to_owned()),
        Just("CONST[1][ADDR[0].y-2]".to_owned()),
        Just("IN[3][2]".to_owned()),
        Just("SAMP[0]".to_owned()),
        Just("IMAGE[0]".to_owned()),
        Just("BUFFER[ADDR[0].x]".to_owned()),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let opcodes: Vec<_> = tgsi::Opcode::all().collect();
    let any = (prop::sample::select(opcodes), prop::collection::vec(operand(), 7)).prop_map(
        |(opcode, operands)| {
            let row = opcode.row();
            let mut words = operands[..row.destinations + row.sources].join(", ");
            if row.texture {
                words.push_str(", CUBEARRAY");
            }
            let label = if row.label { " :2" } else { "" };
            format!("{} {words}{label}\n", row.mnemonic)
        },
    );
    let blocks = prop::sample::select(vec![
        "IF TEMP[0].xxxx\nBRK\nENDIF\n",
        "BGNLOOP\n",
        "ENDLOOP\n",
        "SWITCH TEMP[1].xxxx\nCASE IMM[0].xxxx\nRET\nDEFAULT\nENDSWITCH\n",
        "UIF TEMP[1].yyyy\nCONT\nELSE\nKILL\nENDIF\n",
        "ARL ADDR[0], TEMP[0]\n",
    ]);
    prop_oneof![2 => any, 1 => blocks.prop_map(str::to_owned)]
}

proptest! {
    #[test]
    fn random_programs_end(
        stage in prop::sample::select(vec!["VERT", "FRAG", "GEOM", "COMP"]),
        statements in prop::collection::vec(statement(), 1..8),
    ) {
        let text = format!(
            "{stage}\nDCL TEMP[0..2]\nDCL ADDR[0]\nDCL BUFFER[0]\nDCL SAMP[0]\n\
             IMM[0] UINT32 {{ 4294967295, 2139095040, 2147483648, 1 }}\n{}END\n",
            statements.concat()
        );
        if let Ok(program) = prepare(&text) {
            let inputs = QuadInputs { mask: 0xf, ..QuadInputs::default() };
            let limits = Limits { steps: 2000, records: 20 };
            let mut resources = Resources { buffers: vec![vec![1; 4]], ..Resources::default() };
            // Either outcome will do: that there is one is what is tested.
            let quad = run_quad(&program, &mut resources, &inputs, limits);
            prop_assert!(quad.is_err() || quad.is_ok_and(|it| it.killed & !0xf == 0));
            let grid = run_grid(&program, &mut resources, [2, 1, 1], &[], limits);
            prop_assert!(grid.is_err() || text.starts_with("COMP"));
            prop_assert_eq!(resources.buffers[0].len(), 4);
        }
    }
}
