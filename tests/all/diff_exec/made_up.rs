//! Inputs that a seed makes up.

use diff_exec::made_up;

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
