//! Values that come and go by buffers.

use spirv::layout::{VALUES_IN, VALUES_OUT};
use spirv::{Exchange, InputsOf, Module, ValuePlaces};

fn translated(text: &str) -> Result<Module, Vec<String>> {
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let options = spirv::Options { exchange: Exchange::Buffers, ..spirv::Options::default() };
    spirv::translate(&shader, &options)
        .map_err(|failures| failures.into_iter().map(|failure| failure.message).collect())
}

const TEXT: &str = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[2], FACE, CONSTANT\n\
                    DCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n\
                    MOV OUT[0], IN[0]\nMOV OUT[1].z, IN[2].xxxx\n\
                    MOV OUT[0].w, SV[0].xxxx\nEND\n";

#[test]
fn every_value_has_a_place_in_its_buffer() {
    let module = translated(TEXT).expect("a module");
    let bindings: Vec<u32> = module.bindings.iter().map(|binding| binding.number).collect();
    assert_eq!(bindings, [VALUES_IN, VALUES_OUT]);
    let places = module.values.expect("places");
    let of = InputsOf::Lanes;
    assert_eq!(places, ValuePlaces { of, inputs: 3, system_values: 1, outputs: 2, records: 4 });
    assert_eq!((places.words_in(1), places.words_out()), (64, 9));
    let come_in = [places.input(0, 2, 3), places.system_value(0, 0, 0)];
    assert_eq!((come_in, places.input(2, 0, 1)), ([11, 12], 33));
    let go_out = [places.alive(), places.output(0, 0), places.output(1, 3)];
    assert_eq!(go_out, [0, 1, 8]);
}

/// Of a stage that reads vertices, these stand behind the system values of all lanes.
#[test]
fn vertices_stand_behind_the_system_values() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n\
                PROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 6\n\
                DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], INVOCATIONID\n\
                DCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n\
                MOV OUT[0], IN[2][1]\nMOV OUT[0].x, SV[0].xxxx\nEMIT IMM[0].xxxx\n\
                ENDPRIM IMM[0].xxxx\nEND\n";
    let module = translated(text).expect("a module");
    let places = module.values.expect("places");
    let of = InputsOf::Vertices;
    assert_eq!(places, ValuePlaces { of, inputs: 2, system_values: 1, outputs: 1, records: 6 });
    assert_eq!((places.words_in(3), places.words_out()), (16 + 24, 5));
    assert_eq!(places.system_value(3, 0, 1), 13);
    assert_eq!(places.input(2, 1, 3), 16 + 2 * 8 + 7);
    let text = spirv::disassemble(&module.words).expect("known instructions");
    for word in ["Location", "Position", "InvocationId"] {
        assert!(!text.contains(word), "{word}");
    }
    assert_eq!(text.matches("OpEmitVertex").count(), 1);
    let emitted = ValuePlaces::emitted(3, 5);
    assert_eq!(ValuePlaces::place_of_emitted(emitted), Some((3, 5)));
    assert_eq!(ValuePlaces::place_of_emitted(0), None);
}

/// An earlier turn of a loop may write what the text comes to later.
#[test]
fn a_vertex_has_what_a_turn_before_wrote() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
                DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\nMOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\n\
                UIF TEMP[0].xxxx\nEMIT IMM[0].xxxx\nBRK\nENDIF\nMOV OUT[0], IN[0][0]\n\
                MOV TEMP[0].x, IMM[0].yyyy\nENDLOOP\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    for exchange in [Exchange::Pipeline, Exchange::Buffers] {
        let options = spirv::Options { exchange, ..spirv::Options::default() };
        let module = spirv::translate(&shader, &options).expect("a module");
        let text = spirv::disassemble(&module.words).expect("known instructions");
        let (before, _) = text.split_once("OpEmitVertex").expect("a vertex");
        let loads = ["x", "y", "z", "w"].map(|component| format!("%OUT0_{component}\n"));
        for load in loads {
            assert!(before.contains(&format!("OpLoad %uint {load}")), "{load}{before}");
        }
    }
}

/// The invocations of a patch read what others wrote, so its outputs are those of the pipeline,
/// too.
#[test]
fn outputs_of_a_patch_go_both_ways() {
    let text = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\n\
                DCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH[0]\n\
                DCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n\
                MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[1], IN[0][0]\nEND\n";
    let module = translated(text).expect("a module");
    let places = module.values.expect("places");
    // One more for the patch itself.
    assert_eq!((places.of, places.records, places.outputs), (InputsOf::Vertices, 4, 2));
    let text = spirv::disassemble(&module.words).expect("known instructions");
    assert!(text.contains("BuiltIn Position") && text.contains("BuiltIn InvocationId"), "{text}");
    assert!(text.contains("VALUES_OUT") && text.contains("out_PATCH_0"), "{text}");
    assert!(!text.contains("in_"), "{text}");
}

/// Nothing of the pipeline touches the values on their way.
#[test]
fn the_pipeline_has_the_place_of_a_pixel_alone() {
    let module = translated(TEXT).expect("a module");
    let text = spirv::disassemble(&module.words).expect("known instructions");
    let built_in: Vec<&str> = text.lines().filter(|line| line.contains("BuiltIn")).collect();
    assert!(matches!(built_in[..], [line] if line.contains("FragCoord")), "{built_in:?}");
    for word in ["Location", "DepthReplacing", "StorageClass Output", " Output "] {
        let found = text.lines().find(|line| line.contains(word));
        assert_eq!(found, None, "{word}");
    }
}

#[test]
fn values_between_pixels_are_refused() {
    let between = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                   INTERP_CENTROID OUT[0], IN[0]\nEND\n";
    let refused = translated(between).expect_err("a refusal");
    assert!(refused[0].contains("between the pixels"), "{refused:?}");
}

/// Groups are launched as everywhere, and their values are in memory anyway.
#[test]
fn compute_shaders_are_the_same() {
    let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
                PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\n\
                STORE BUFFER[0].x, SV[0].xxxx, SV[0].xxxx\nEND\n";
    let module = translated(text).expect("a module");
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let plain = spirv::translate(&shader, &spirv::Options::default()).expect("a module");
    assert_eq!(module.words, plain.words);
    assert_eq!(module.values, None);
}

/// A comparison's result is gray, and opaque as everywhere else.
#[test]
fn a_comparison_has_one_in_w() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                DCL SVIEW[0], SHADOW2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], SHADOW2D\nEND\n";
    let module = translated(text).expect("a module");
    let text = spirv::disassemble(&module.words).expect("known instructions");
    let result = text.lines().find(|line| line.contains("SampleDrefImplicitLod")).expect("one");
    let id = result.split_whitespace().next().expect("an id");
    let vector = text
        .lines()
        .find(|line| line.contains("CompositeConstruct") && line.matches(id).count() == 3);
    assert!(vector.is_some(), "{text}");
}
