//! Definitions, references, highlights and renaming.

use super::{SHADER, cursor, shader};
use crate::service::navigation::{definitions, highlights, references};
use crate::service::rename::{prepare, rename};
use editor_model::{Highlight, HighlightKind, References};

/// The shader with the cursor put into the first `part` after `line`.
#[track_caller]
fn place(line: &str, part: &str) -> source::TextSize {
    let from = SHADER.find(line).expect("the line");
    let at = from + SHADER[from..].find(part).expect("the part") + 1;
    source::TextSize::new(at as u32)
}

#[track_caller]
fn check_definition(line: &str, part: &str, expected: &str) {
    let found = definitions(SHADER, &shader(SHADER), place(line, part));
    let names = found.map_or(Vec::new(), |found| {
        found.destinations.iter().map(|it| &SHADER[it.range]).collect()
    });
    assert_eq!(names.join("; "), expected);
}

fn shown(highlights: &[Highlight]) -> String {
    let lines = source::LineIndex::new(SHADER);
    let kind = |kind| match kind {
        HighlightKind::Read => "r",
        HighlightKind::Write => "w",
        HighlightKind::Text => "",
    };
    let show = |it: &Highlight| format!("{}{}", lines.line(it.range.start()), kind(it.kind));
    highlights.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_register_leads_to_its_declaration() {
    check_definition("1: MAD", "TEMP[0]", "DCL TEMP[0..2], LOCAL");
    check_definition("1: MAD", "IMM[0]", "IMM[0] FLT32 { 0.5000, -1.0000, 2.0000, 0.0000}");
    check_definition("1: MAD", "CONST", "DCL CONST[0][0..3]");
    check_definition("5:   DP3", "ADDR", "DCL ADDR[0]");
    check_definition("0: TEX", "SAMP", "DCL SAMP[0]");
    check_definition("2: IF", ":5", "5:   DP3 TEMP[1].w, TEMP[0], CONST[0][ADDR[0].x+1]");
    check_definition("DCL ADDR", "DCL", "");
}

#[test]
fn references_are_all_mentions_or_those_that_declare_nothing() {
    let shader = shader(SHADER);
    let lines = source::LineIndex::new(SHADER);
    let at = |line, part, wanted| {
        let found = references(SHADER, &shader, place(line, part), wanted).into_iter();
        found.map(|it| lines.line(it.start()).to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(at("1: MAD", "TEMP[0]", References::All), "8 12 13 15 17");
    assert_eq!(at("1: MAD", "TEMP[0]", References::Uses), "12 13 15 17");
    assert_eq!(at("1: MAD", "CONST", References::All), "7 13 17");
    assert_eq!(at("5:   DP3", "DP3", References::All), "14 16 17");
    assert_eq!(at("5:   DP3", "DP3", References::Uses), "14 16");
}

#[test]
fn highlights_share_components() {
    let shader = shader(SHADER);
    let at = |line, part| shown(&highlights(SHADER, &shader, place(line, part)));
    assert_eq!(at("1: MAD", "TEMP[1]"), "8 13w 14r 15w 19r");
    assert_eq!(at("5:   DP3", "TEMP[1]"), "8 15w 17w 19r");
    assert_eq!(at("2: IF", "IF"), "14 16 18");
}

const RENAMED: &str = "\
FRAG
DCL OUT[0], COLOR
DCL TEMP[0..2]
DCL TEMP[4..5], ARRAY(1)
DCL ADDR[0]
IMM[0] FLT32 { 0, 0, 0, 0}
  0: MOV TEMP[1].x, IMM[0]
  1: MOV TEMP[ADDR[0].x+4](1), TEMP[1]
  2: MOV OUT[0], TEMP[0]
  3: END
";

#[track_caller]
fn check_rename(line: &str, name: &str, expected: Result<&str, &str>) {
    let marked = RENAMED.replacen(&line.replace("$0", ""), line, 1);
    let (text, offset) = cursor(&marked);
    let found = rename(&text, &shader(&text), offset, name).map(|edits| {
        let result = source::apply_edits(&text, &edits).expect("edits apply");
        let changed = result.lines().filter(|line| !RENAMED.contains(line));
        changed.map(str::trim).collect::<Vec<_>>().join("; ")
    });
    let found = found.map_err(|refused| refused.to_string());
    assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
}

#[test]
fn a_register_gets_another_number() {
    check_rename(
        "MOV TEMP$0[1].x",
        "TEMP[2]",
        Ok("0: MOV TEMP[2].x, IMM[0]; 1: MOV TEMP[ADDR[0].x+4](1), TEMP[2]"),
    );
    check_rename(
        "MOV TEMP$0[1].x",
        "9",
        Ok(
            "DCL TEMP[0]; DCL TEMP[2]; DCL TEMP[9]; 0: MOV TEMP[9].x, IMM[0]; 1: MOV TEMP[ADDR[0].x+4](1), TEMP[9]",
        ),
    );
    check_rename("MOV OUT$0[0], ", "OUT[3]", Ok("DCL OUT[3], COLOR; 2: MOV OUT[3], TEMP[0]"));
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    check_rename("MOV TEMP$0[1].x", "TEMP[0]", Err("TEMP[0] is in use"));
    check_rename("MOV TEMP$0[1].x", "TEMP[4]", Err("TEMP[4] is in use"));
    check_rename("MOV TEMP$0[1].x", "OUT[1]", Err("a name such as `TEMP[7]` is needed"));
    check_rename("TEMP[1].x, IM$0M[0]", "IMM[1]", Err("immediates are numbered by their order"));
    check_rename("DCL TE$0MP[0..2]", "TEMP[7]", Err("this names a range of registers, not one"));
    check_rename("  2: MO$0V", "x", Err("only registers can be renumbered"));
    let (text, offset) = cursor("FRAG\nDCL CONST[0]\nDCL OUT[0], COLOR\nMOV OUT[0], CON$0ST[0]\n");
    assert!(prepare(&text, &shader(&text), offset).is_err());
    let (text, offset) = cursor("FRAG\nDCL OUT[0], COLOR\nMOV OU$0T[0], OUT[0]\nMOV OUT[\n");
    let refused = prepare(&text, &shader(&text), offset).expect_err("refused");
    assert_eq!(refused.to_string(), "the shader has errors");
    let (text, offset) = cursor("FRAG\nDCL OUT[0], COLOR\nMOV OU$0T[0], OUT[0]\n");
    assert_eq!(prepare(&text, &shader(&text), offset).expect("may be").name, "OUT[0]");
}
