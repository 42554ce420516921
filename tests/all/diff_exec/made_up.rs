//! Inputs that a seed makes up.

use diff_exec::made_up;
use tests::corpus;

use crate::records::Records;

/// Inputs that seeds make up for the own shaders, pinned by checksums.
#[test]
fn inputs_of_own_shaders() {
    let path = crate::architecture::root().join("analysis/diff-exec/records/inputs.tsv");
    let mut records = Records::new(path);
    for program in corpus::written_programs() {
        let parse = tgsi::parser::parse(&program.text, &source::no_checkpoint);
        let shader = parse.shader.expect("a shader");
        let made = [1, 31].map(|seed| format!("{:?}\n", made_up(&shader, seed)));
        records.add(&program.name, "made", &made.concat());
    }
    records.check();
}

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

/// An index that is made up means a register.
#[test]
fn what_reaches_an_index_is_small() {
    let text = "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL CONST[0..2]\nDCL TEMP[0..4]\n\
                DCL ADDR[0]\nARL ADDR[0].x, IN[1].yyyy\nMOV TEMP[0], CONST[ADDR[0].x+1]\n\
                UARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[0], TEMP[ADDR[0].x]\nEND\n";
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let shader = parse.shader.expect("a shader");
    for seed in 0..20 {
        let own = made_up(&shader, seed).expect("a program");
        for lane in own.vertices[0][1][1] {
            assert!((0.0..=1.0).contains(&f32::from_bits(lane)), "{}", f32::from_bits(lane));
        }
        let constants = &own.resources.constants[0];
        assert!(constants.iter().all(|it| it[0] < 5), "{constants:?}");
        assert!(constants.iter().any(|it| it[1] > 5));
    }
}
