//! The join, refusals and reports on small shaders.

use super::*;
use crate::words::Stage;

fn parsed(text: &str) -> crate::ast::Shader {
    crate::parser::parse(text, &source::no_checkpoint).shader.unwrap()
}

const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..1]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..2]
IMM[0] FLT32 {0.0, 1.0, 0.5, 2.0}
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: FSLT TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz
  2: UIF TEMP[1].xxxx
  3:   MUL_SAT TEMP[0], TEMP[0], CONST[0]
  4: ENDIF
  5: F2D TEMP[2].xy, TEMP[0].xxxx
  6: MOV OUT[0], TEMP[0]
  7: END
";

/// As virglrenderer writes it, shortened where the walk does not look.
const GLSL: &str = "#version 300 es
precision highp float;
 smooth    in  vec4 vso_g0;
   out  vec4 fsout_c0;
 vec4 temp0;
 vec4 temp1;
 vec4 temp2;
dvec2 fp64_dst[3];
dvec2 fp64_src[4];
uniform uvec4 fsconst0[2];
uniform highp  sampler2D fssamp0;
void main(void)
{
temp0 = vec4((texture(fssamp0, (vso_g0).xy)));
temp1.x = float(uintBitsToFloat(1u));
if (bool(floatBitsToUint(temp1.xxxx).x)) {
\ttemp0 = vec4((( temp0  * uintBitsToFloat(fsconst0[0]))));
\ttemp0 = clamp(temp0, 0.0, 1.0);
\t}
fp64_dst[0].x = double(( temp0.xxxx ));
temp2.xy = uintBitsToFloat(unpackDouble2x32(fp64_dst[0].x));
fsout_c0 = vec4(( temp0 ));
}
";

/// The words of the statement of each line.
fn joined(text: &str, glsl: &str) -> Vec<String> {
    let shader = parsed(text);
    let of = |place: &Option<usize>| {
        place.map_or(String::new(), |it| text[shader.statements[it].range].to_owned())
    };
    join(&shader, glsl).iter().map(of).collect()
}

#[test]
fn every_line_of_an_instruction_is_joined_to_it() {
    let lines = joined(SHADER, GLSL);
    let expected = [
        "",
        "",
        "DCL IN[0], GENERIC[0], PERSPECTIVE",
        "DCL OUT[0], COLOR",
        "DCL TEMP[0..2]",
        "DCL TEMP[0..2]",
        "DCL TEMP[0..2]",
        "5: F2D TEMP[2].xy, TEMP[0].xxxx",
        "5: F2D TEMP[2].xy, TEMP[0].xxxx",
        "DCL CONST[0..1]",
        "DCL SVIEW[0], 2D, FLOAT",
        "",
        "",
        "0: TEX TEMP[0], IN[0], SAMP[0], 2D",
        "1: FSLT TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz",
        "2: UIF TEMP[1].xxxx",
        "3:   MUL_SAT TEMP[0], TEMP[0], CONST[0]",
        "3:   MUL_SAT TEMP[0], TEMP[0], CONST[0]",
        "4: ENDIF",
        "5: F2D TEMP[2].xy, TEMP[0].xxxx",
        "5: F2D TEMP[2].xy, TEMP[0].xxxx",
        "6: MOV OUT[0], TEMP[0]",
        "",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_the_renderer_adds_has_no_statement() {
    let added = GLSL.replace("fsout_c0 = vec4", "alpha_ref = 1.0;\nfsout_c0 = vec4");
    let lines = joined(SHADER, &added);
    assert_eq!(lines.iter().filter(|it| it.contains("MOV OUT")).count(), 1);
    // Another shader's GLSL, and none at all, are joined to nothing wrong and never panic.
    assert_eq!(joined(SHADER, ""), Vec::<String>::new());
    assert!(joined(SHADER, "void main(void)").iter().all(String::is_empty));
    assert!(joined("FRAG\nEND\n", GLSL).iter().all(String::is_empty));
}

#[test]
fn a_lost_result_takes_no_line_of_another() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
                PK2H TEMP[0].x, TEMP[1]\nADD TEMP[0], TEMP[0], TEMP[1]\nMOV OUT[0], TEMP[0]\nEND\n";
    let glsl = "void main(void)\n{\ntemp0 = vec4(temp0 + temp1);\nfsout_c0 = vec4(temp0);\n}\n";
    let lines = joined(text, glsl);
    assert_eq!(lines[2], "ADD TEMP[0], TEMP[0], TEMP[1]");
    assert_eq!(lines[3], "MOV OUT[0], TEMP[0]");
    assert!(is_lost(crate::Opcode::PK2H) && !is_lost(crate::Opcode::ADD));
}

#[test]
fn a_refusal_is_at_the_statement_that_made_the_line() {
    let shader = parsed(SHADER);
    let log = "0:8(1): error: illegal use of reserved word `dvec2'\n\
               0:8(1): error: syntax error, unexpected ERROR_TOK\n\
               0:16(5): error: no such thing\n";
    let found = refusals(&shader, GLSL, log);
    let shown: Vec<(Option<u32>, &str, bool)> = found
        .iter()
        .map(|it| (it.line, &SHADER[shader.statements[it.statement.unwrap()].range], it.is_in_body))
        .collect();
    let expected = [
        (Some(8), "5: F2D TEMP[2].xy, TEMP[0].xxxx", false),
        (Some(16), "2: UIF TEMP[1].xxxx", true),
    ];
    assert_eq!(shown, expected);
    let need = found[0].need.unwrap();
    assert_eq!(need.sentence(true), "doubles: no version of OpenGL ES has it");
}

#[test]
fn a_report_is_read_behind_the_prefixes_of_a_log() {
    let plain = format!(
        "vrend_compile_shader: context error reported 1 \"app\" Illegal shader 0\n\
         shader failed to compile\n0:8(1): error: illegal use of reserved word `dvec2'\n\n\
         fs: 2 GLSL:\n{}",
        GLSL.lines()
            .enumerate()
            .map(|(at, line)| format!("{:4}: {line}\n", at + 1))
            .collect::<String>()
    );
    let timed: String =
        plain.lines().map(|line| format!("Nov 22 12:00:01 host qemu[123]: {line}\n")).collect();
    for log in [plain.clone(), plain.replace("shader failed", "Shader failed"), timed] {
        let found = reports(&log);
        assert_eq!(found.len(), 1, "{log}");
        let report = &found[0];
        assert_eq!((report.stage, report.glsl.as_str()), (Some(Stage::Fragment), GLSL), "{log}");
        assert_eq!(report.complaint, "0:8(1): error: illegal use of reserved word `dvec2'\n");
        assert!(log[report.lines[7]].ends_with("dvec2 fp64_dst[3];"));
    }
    assert_eq!(reports("shader failed to compile"), reports("shader failed to compile\n"));
    assert_eq!(reports("nothing of the kind\nfs: 2 GLSL:\n"), []);
}
