//! The stages that a program needs beside a shader.

use tgsi::Stage;
use vrend::partners::partners;

fn of(text: &str) -> Vec<(Stage, String)> {
    partners(&tgsi::parser::parse(text, source_checkpoint()).shader.unwrap())
}

fn source_checkpoint() -> &'static dyn Fn() {
    &|| {}
}

#[test]
fn a_vertex_shader_writes_what_the_next_stage_reads() {
    let found = of("FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL IN[1], FACE, CONSTANT\nEND\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, Stage::Vertex);
    let text = &found[0].1;
    assert!(text.contains("DCL OUT[1], GENERIC[3]") && !text.contains("FACE"), "{text}");
    assert!(text.contains("MOV OUT[1], IMM[0].xxxx"));
}

#[test]
fn every_partner_is_a_sound_shader() {
    for text in [
        "VERT\nEND\n",
        "FRAG\nDCL IN[0..2], GENERIC[1], PERSPECTIVE\nEND\n",
        "GEOM\nDCL IN[][0], COLOR\nEND\n",
        "TESS_CTRL\nDCL IN[][1], GENERIC[0]\nEND\n",
        "TESS_EVAL\nDCL IN[][1], GENERIC[0]\nDCL IN[2], PATCH[1]\nEND\n",
        "COMP\nEND\n",
    ] {
        for (stage, partner) in of(text) {
            let parse = tgsi::parser::parse(&partner, source_checkpoint());
            assert!(parse.diagnostics.is_empty(), "{partner}\n{:?}", parse.diagnostics);
            assert_eq!(parse.shader.unwrap().stage.value, stage);
        }
    }
    assert_eq!(of("COMP\nEND\n"), Vec::new());
}
