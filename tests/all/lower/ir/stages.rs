//! Tests of the stages: the outputs that they hand to each other, and the environment's part in
//! it.

use lower::environment::{Environment, GeometryPart, NextStage, TessellationDomain};
use lower::{FailureKind, Generation, lower, lower_for};

use super::{refused, shader};

#[test]
fn the_copy_shader_fetches_what_was_emitted_and_exports_it() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL OUT[0].x, POSITION\n\
                DCL OUT[1].y, GENERIC[0], STREAM(0, 1, 0, 0)\nDCL OUT[2].w, GENERIC[1]\n\
                IMM[0] UINT32 {0, 0, 0, 0}\nEMIT IMM[0].xxxx\nEND";
    let environment = Environment { geometry_part: GeometryPart::Copy, ..Environment::default() };
    let module = lower_for(&shader(text), Generation::Gfx8, environment).expect("a module");
    assert!(module.ir.contains("define amdgpu_vs void @main("));
    let loads: Vec<&str> = module
        .ir
        .lines()
        .filter(|line| line.contains("call float @llvm.amdgcn.raw.buffer.load"))
        .collect();
    // Three vertices of 64 bytes lie before the second word, and the word of
    // the second stream is none of the copy shader's.
    assert_eq!(loads.len(), 2);
    assert!(loads[0].contains("i32 0, i32 11)"), "{}", loads[0]);
    assert!(loads[1].contains("i32 192, i32 11)"), "{}", loads[1]);
    let exports: Vec<&str> =
        module.ir.lines().filter(|line| line.contains("call void @llvm.amdgcn.exp.f32")).collect();
    assert_eq!(exports.len(), 2, "{exports:?}");
    assert!(exports[0].contains("(i32 12, i32 15,") && exports[1].contains("(i32 32, i32 15,"));
}

#[test]
fn the_domain_decides_which_factors_are_handed_on() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL OUT[0], TESSOUTER\n\
                DCL OUT[1].xy, TESSINNER\nIMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n\
                MOV OUT[0], IMM[0]\nMOV OUT[1].xy, IMM[0]\nEND";
    let words = |domain| {
        let environment = Environment { tessellation_domain: domain, ..Environment::default() };
        let module = lower_for(&shader(text), Generation::Gfx9, environment).expect("a module");
        let stores = module
            .ir
            .lines()
            .filter(|line| line.contains("call void @llvm.amdgcn.raw.buffer.store"));
        stores
            .map(|line| line.split(['.', '(']).nth(5).unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(words(None), ["v4f32", "v2f32"]);
    assert_eq!(words(Some(TessellationDomain::Quads)), ["v4f32", "v2f32"]);
    assert_eq!(words(Some(TessellationDomain::Triangles)), ["v4f32"]);
    assert_eq!(words(Some(TessellationDomain::Isolines)), ["v2f32"]);
}

#[test]
fn the_next_stage_decides_where_outputs_go() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND";
    let convention = |next_stage, generation| {
        let environment = Environment { next_stage, ..Environment::default() };
        let module = lower_for(&shader(text), generation, environment).expect("a module");
        let (_, rest) = module.ir.split_once("define ").expect("a function");
        rest.split(' ').next().unwrap_or_default().to_owned()
    };
    for (next_stage, before, since) in [
        (NextStage::Rasterizer, "amdgpu_vs", "amdgpu_vs"),
        (NextStage::Tessellation, "amdgpu_ls", "amdgpu_hs"),
        (NextStage::Geometry, "amdgpu_es", "amdgpu_gs"),
    ] {
        assert_eq!(convention(next_stage, Generation::Gfx8), before);
        assert_eq!(convention(next_stage, Generation::Gfx9), since);
    }
}

#[test]
fn what_stages_cannot_hand_over_is_said_at_its_place() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], NORMAL\n\
                DCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] UINT32 {0, 4, 0, 0}\n\
                MOV OUT[0], IN[2][0]\nMOV OUT[0], IN[0][1]\nMOV OUT[0], IN[0]\n\
                EMIT IMM[0].yyyy\nEMIT TEMP[0].xxxx\nEND";
    let (invalid, unsupported) = (FailureKind::Invalid, FailureKind::Unsupported);
    assert_eq!(
        refused(text),
        [
            ("IN[2][0]".into(), "register IN".into(), invalid),
            ("IN[0][1]".into(), "NORMAL[0] between stages".into(), unsupported),
            ("IN[0]".into(), "register IN".into(), invalid),
            ("IMM[0]".into(), "operand".into(), invalid),
            ("TEMP[0]".into(), "a stream that is not an immediate".into(), unsupported),
        ]
    );
    let large = text.replace("VERTICES 3", "VERTICES 4294967295");
    assert_eq!(refused(&large)[0].0, "GEOM");
    let control = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4294967295\nDCL OUT[][0], POSITION\n\
                   DCL TEMP[0]\nMOV TEMP[0], OUT[0][0]\nMOV OUT[0][0], TEMP[0]\nEND";
    assert_eq!(refused(control), [("TESS_CTRL".into(), "property".into(), invalid)]);
}

#[test]
fn a_vertex_without_a_stream_goes_to_the_first() {
    let text = |operand: &str| {
        format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
             IMM[0] UINT32 {{0, 0, 0, 0}}\nMOV OUT[0], IN[0][0]\nEMIT{operand}\nENDPRIM{operand}\nEND"
        )
    };
    let old = lower(&shader(&text("")), Generation::Gfx8);
    assert!(old.is_ok());
    assert_eq!(old, lower(&shader(&text(" IMM[0].xxxx")), Generation::Gfx8));
}

/// The face and the fog have one component: the others are those of a vector that is filled up.
#[test]
fn an_input_of_one_component_is_filled_up() {
    let zero = "0x0000000000000000";
    for semantic in ["FACE, CONSTANT", "FOG, PERSPECTIVE"] {
        let stored = |component: char| {
            let text = format!(
                "FRAG\nDCL IN[0], {semantic}\nDCL OUT[0], COLOR\nMOV OUT[0].x, IN[0].{component}\nEND"
            );
            let module = lower(&shader(&text), Generation::Gfx8).expect("a module");
            let store = module.ir.lines().find_map(|line| line.trim().strip_prefix("store float "));
            store.expect("a store").split(", ptr").next().unwrap_or_default().to_owned()
        };
        assert_eq!(['y', 'z', 'w'].map(stored), [zero, zero, "0x3FF0000000000000"], "{semantic}");
        assert!(stored('x').starts_with('%'), "{semantic}");
    }
}

/// Attributes beside the factors are what an index means, and factors that are
/// written by their names stay in registers.
#[test]
fn an_index_means_attributes_of_the_patch_where_there_are_any() {
    let text = |patch: &str| {
        format!(
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL OUT[0], TESSOUTER\n{patch}DCL ADDR[0]\n\
             IMM[0] FLT32 {{1.0, 2.0, 3.0, 4.0}}\nIMM[1] UINT32 {{1, 0, 0, 0}}\n\
             UARL ADDR[0].x, IMM[1].xxxx\nMOV OUT[0], IMM[0]\nMOV OUT[ADDR[0].x](1), IMM[0]\nEND"
        )
    };
    let in_registers = |patch: &str| {
        let module = lower(&shader(&text(patch)), Generation::Gfx8).expect("a module");
        module.ir.contains("store float 0x3FF0000000000000, ptr addrspace(5)")
    };
    for attribute in ["DCL OUT[1], ARRAY(1), PATCH[0]\n", "DCL OUT[1], ARRAY(1), PATCH[5]\n"] {
        assert!(in_registers(attribute), "{attribute}");
    }
    assert!(!in_registers("DCL OUT[1], ARRAY(1), TESSINNER\n"));
}
