//! Completions at each kind of place.

use super::{SHADER, cursor};
use crate::parser::parse;
use crate::service::completion::{CompletionContext, complete, complete_outside};
use crate::service::signature::signature;
use crate::validate::validate;
use crate::words::Stage;
use editor_model::Completion;

/// The offers at the cursor of the shader, with `line` put before its `END`.
#[track_caller]
fn at(line: &str) -> (Completion, String) {
    let marked = SHADER.replace("  8: END\n", &format!("{line}\n  8: END\n"));
    let (text, offset) = cursor(&marked);
    let shader = parse(&text, &source::no_checkpoint).shader.expect("a shader");
    (complete(CompletionContext { text: &text, shader: &shader }, offset), text)
}

#[track_caller]
fn labels(line: &str) -> Vec<String> {
    at(line).0.items.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn check(line: &str, expected: &str) {
    assert_eq!(labels(line).join(" "), expected, "{line}");
}

/// Tells whether each of these is offered, and none of those.
#[track_caller]
fn has(line: &str, offered: &[&str], not: &[&str]) {
    let labels = labels(line);
    for label in offered {
        assert!(labels.iter().any(|it| it == label), "{line}: no {label} in {labels:?}");
    }
    for label in not {
        assert!(!labels.iter().any(|it| it == label), "{line}: {label} is offered");
    }
}

#[test]
fn an_empty_text_begins_with_a_header() {
    let found = complete_outside("FR", 2.into());
    let labels: Vec<String> = found.items.into_iter().map(|item| item.label).collect();
    assert_eq!(labels.join(", "), "VERT, TESS_CTRL, TESS_EVAL, GEOM, FRAG, COMP");
}

#[test]
fn the_shaders_to_begin_with_have_no_finding() {
    let wholes = complete_outside("", 0.into()).items;
    let wholes: Vec<_> = wholes.into_iter().filter(|item| item.snippet.is_some()).collect();
    assert_eq!(wholes.len(), Stage::ALL.len());
    for item in wholes {
        assert!(!item.insert.contains('$'), "{}", item.insert);
        let parsed = parse(&item.insert, &source::no_checkpoint);
        assert_eq!(parsed.diagnostics, [], "{}", item.label);
        let shader = parsed.shader.expect("a shader");
        let diagnostics = validate(&shader, &source::no_checkpoint);
        assert_eq!(diagnostics, [], "{}", item.label);
    }
}

#[test]
fn statements_begin_with_words_and_opcodes_of_the_stage() {
    has("$0", &["DCL", "IMM", "PROPERTY", "MOV", "KILL_IF", "DDX"], &["EMIT", "SUB", "UNK67"]);
    has("  8: M$0", &["MOV", "MAD"], &["DCL"]);
    has("MOV_S$0", &["MOV_SAT", "MOV_SAT_PRECISE", "MOV_PRECISE"], &["ADD_SAT"]);
    has("UADD_$0", &["UADD_PRECISE"], &["UADD_SAT"]);
}

#[test]
fn usual_opcodes_come_first_and_declarations_last() {
    let all = labels("  MOV OUT[0], IN[0]\n$0");
    assert_eq!(all[..5], ["MOV", "MUL", "ADD", "MAD", "TEX"]);
    let place = |word: &str| all.iter().position(|it| it == word).expect(word);
    assert!(place("MAX") < place("KILL_IF") && place("KILL_IF") < place("XOR"), "{all:?}");
    assert_eq!(all[all.len() - 3..], ["DCL", "IMM", "PROPERTY"]);
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len());
}

#[test]
fn registers_say_what_they_are_bound_to() {
    let detail = |line, label: &str| {
        let item = at(line).0.items.into_iter().find(|item| item.label == label);
        item.expect("offered").detail
    };
    assert_eq!(detail("MOV TEMP[0], $0", "IN[0]"), "GENERIC[0], PERSPECTIVE");
    assert_eq!(detail("MOV TEMP[0], $0", "TEMP[1]"), "");
    assert_eq!(detail("TEX TEMP[0], IN[0], $0", "SAMP[0]"), "2D");
}

#[test]
fn declarations_offer_what_fits_the_stage_and_file() {
    has("DCL $0", &["IN", "OUT", "TEMP", "SVIEW"], &["IMM", "NULL", "PRED", "RES"]);
    check("DCL TEMP[$0", "3");
    check("DCL TEMP[3.$0", "");
    check("DCL TEMP[3..$0", "");
    has("DCL IN[2].$0", &["x", "xy", "xyzw"], &["3"]);
    has("DCL OUT[3..4].x$0", &["x", "xy", "xyzw"], &["3"]);
    has("DCL IN[2], $0", &["GENERIC", "COLOR", "FACE", "ARRAY"], &["PSIZE", "TESSCOORD"]);
    has("DCL OUT[1], $0", &["COLOR", "POSITION", "STENCIL"], &["FACE"]);
    check(
        "DCL SV[0], $0",
        "POSITION FACE PRIM_ID SAMPLEID SAMPLEPOS SAMPLEMASK HELPER_INVOCATION SUBGROUP_SIZE SUBGROUP_INVOCATION SUBGROUP_EQ_MASK SUBGROUP_GE_MASK SUBGROUP_GT_MASK SUBGROUP_LE_MASK SUBGROUP_LT_MASK",
    );
    check("DCL IN[2], GENERIC[1], $0", "CONSTANT LINEAR PERSPECTIVE COLOR");
    check("DCL IN[2], GENERIC[1], LINEAR, $0", "CENTER CENTROID SAMPLE");
    has("DCL SVIEW[1], $0", &["2D", "CUBEARRAY"], &["UNKNOWN", "FLOAT"]);
    check("DCL SVIEW[1], 2D, $0", "UNORM SNORM SINT UINT FLOAT");
    has("DCL IMAGE[0], 2D, $0", &["WR", "RAW", "PIPE_FORMAT_R32_UINT"], &["2D"]);
    check("DCL BUFFER[0], $0", "ATOMIC");
    check("DCL MEMORY[0], $0", "GLOBAL PRIVATE");
    has("DCL TEMP[3].$0", &["x", "xy", "xyzw"], &["yx"]);
}

#[test]
fn a_numbered_semantic_brings_its_next_index() {
    let (found, _) = at("DCL IN[2], $0");
    let generic = found.items.iter().find(|item| item.label == "GENERIC").expect("offered");
    assert_eq!(generic.snippet.as_deref(), Some("GENERIC[${1:1}]"));
}

#[test]
fn what_stands_there_already_is_not_brought_again() {
    let snippet = |line| {
        let item = at(line).0.items.into_iter().find(|item| item.label == "MAD");
        item.expect("offered").snippet
    };
    assert_eq!(snippet("M$0").as_deref(), Some("MAD ${1:dst}, ${2:src0}, ${3:src1}, ${4:src2}"));
    assert_eq!(snippet("M$0OV TEMP[0], IN[0]"), None);
}

#[test]
fn properties_and_immediates() {
    has(
        "PROPERTY $0",
        &["FS_COORD_ORIGIN", "SEPARABLE_PROGRAM"],
        &["GS_INVOCATIONS", "MUL_ZERO_WINS"],
    );
    check("PROPERTY FS_COORD_ORIGIN $0", "UPPER_LEFT LOWER_LEFT");
    check("PROPERTY FS_DEPTH_LAYOUT $0", "0 1 2 3 4");
    check("PROPERTY FS_EARLY_DEPTH_STENCIL $0", "0 1");
    check("IMM[2] $0", "FLT32 UINT32 INT32 FLT64 UINT64 INT64");
    check("IMM $0", "FLT32 UINT32 INT32 FLT64 UINT64 INT64");
    check("IMM[2] FLT32 {$0", "");
}

#[test]
fn operands_are_declared_registers_that_fit() {
    check("MOV $0", "TEMP[0] TEMP[1] TEMP[2] OUT[0] ADDR[0]");
    check("ARL $0", "ADDR[0] TEMP[0] TEMP[1] TEMP[2]");
    has(
        "MOV TEMP[0], $0",
        &["IN[0]", "CONST[0][3]", "IMM[1]", "TEMP[2]"],
        &["SAMP[0]", "SVIEW[0]"],
    );
    has("MOV TEMP[0], -$0", &["IN[0]"], &[]);
    has("MOV TEMP[0], |$0", &["IN[0]"], &[]);
    check("TEX TEMP[0], IN[0], $0", "SAMP[0]");
    check("SAMPLE TEMP[0], IN[0], $0", "SVIEW[0]");
    check("TEMP[0], $0", "");
    check("MOV TEMP[$0", "0 1 2 ADDR[0].x");
    check("MOV TEMP[ADDR[$0", "0");
    check("MOV TEMP[ADDR[0].$0", "x y z w");
    has("MOV TEMP[0].$0", &["xyz"], &["xxxx"]);
    has("MOV TEMP[0], IN[0].$0", &["xxxx", "xyzw"], &["xy"]);
    has("MOV TEMP[0], IN[0].zx$0", &["zxxx", "zxyz"], &[]);
}

#[test]
fn a_register_replaces_a_register() {
    let (found, text) = at("MOV TE$0MP[0], IN[0]");
    assert_eq!(&text[found.replace], "TEMP[0]");
    let (found, text) = at("MOV $0, IN[0]");
    assert_eq!(&text[found.replace], "");
}

#[test]
fn targets_fit_the_opcode() {
    has(
        "TEX TEMP[0], IN[0], SAMP[0], $0",
        &["2D", "SHADOWCUBE", "CUBEARRAY"],
        &["BUFFER", "2D_MSAA", "SHADOWCUBEARRAY"],
    );
    has("TXF TEMP[0], IN[0], SAMP[0], $0", &["2D", "BUFFER", "2D_MSAA"], &["CUBE", "SHADOW2D"]);
    has(
        "TXB TEMP[0], IN[0], SAMP[0], $0",
        &["2D", "CUBE", "SHADOW2D"],
        &["CUBEARRAY", "SHADOWCUBE"],
    );
    check("TEX2 TEMP[0], IN[0], IN[1], SAMP[0], $0", "SHADOWCUBEARRAY");
    check("TXQS TEMP[0], SAMP[0], $0", "2D_MSAA 2D_ARRAY_MSAA");
    check("TEX TEMP[0], IN[0], SAMP[0], 2D, $0", "IMM[0] IMM[1] TEMP[0] TEMP[1] TEMP[2]");
    has(
        "LOAD TEMP[0], BUFFER[0], IN[0], $0",
        &["COHERENT", "PIPE_FORMAT_R32_UINT", "2D"],
        &["SHADOW2D"],
    );
    check("MOV TEMP[0], IN[0], $0", "");
}

#[test]
fn labels_name_where_the_branch_goes() {
    check("BGNLOOP :$0\nNOP\nENDLOOP", "10");
    check("BGNLOOP\nNOP\nENDLOOP :$0", "8");
}

#[test]
fn the_signature_walks_the_operands() {
    #[track_caller]
    fn active(line: &str, expected: Option<usize>) {
        let marked = format!("FRAG\n{line}");
        let (text, offset) = cursor(&marked);
        let found = signature(&text, offset).expect("a signature");
        assert_eq!(found.active, expected, "{line}");
        for operand in found.operands {
            assert!(found.label.get(operand.range).is_some_and(|it| !it.is_empty()));
            assert!(operand.documentation.ends_with('.'));
        }
    }
    active("MAD $0", Some(0));
    active("MAD TEMP[0], $0", Some(1));
    active("  7: MAD_SAT TEMP[0], IN[0].xy$0yy", Some(1));
    active("TEX TEMP[0], IN[0], SAMP[0], 2$0D", Some(3));
    active("NOP $0", None);
    active("MOV TEMP[0], IN[0], IN[1], $0", None);
    assert_eq!(signature("FRAG\nDCL IN[0], ", 15.into()), None);
}

#[test]
fn operands_are_described_by_their_role() {
    let found = signature("FRAG\nTXL TEMP[0], ", 18.into()).expect("a signature");
    let documentation: Vec<&str> = found.operands.iter().map(|it| &*it.documentation).collect();
    assert_eq!(documentation[1], "Source, coordinates, float; reads xyzw.");
    assert_eq!(found.label, "TXL dst: float, src0: float, src1: sampler, TARGET");
}
