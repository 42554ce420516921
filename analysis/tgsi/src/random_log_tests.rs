//! Answers about texts of lines at random, pinned by checksums: headers, statements, words
//! of logs and comments behind one another, in every layout.

use std::fmt::Write as _;

use source::{TextRange, TextSize, apply_edits};

use crate::format::{self, Numbers};
use crate::recorded_tests::chance::Chance;
use crate::recorded_tests::table;
use crate::{directives, regions};

/// Lines of files and logs.
const LINES: [&str; 76] = [
    "FRAG",
    "VERT",
    "GEOM",
    "COMP",
    "TESS_CTRL",
    "frag",
    "Vert",
    "FRAG1.1",
    "VERT 2",
    "vert1.0",
    "FRAG:",
    "FRAGMENT",
    "FRGA",
    "VERT END",
    "FRAG DCL IN[0]",
    "FRAG // a note",
    "GEOM of words",
    "DCL IN[0], COLOR, LINEAR",
    "DCL OUT[0], COLOR",
    "DCL TEMP[0..3]",
    "dcl temp[0]",
    "DCL FOO[0]",
    "DCL IN",
    "PROPERTY GS_INPUT_PRIMITIVE LINES",
    "PROPERTY FOO 1",
    "IMM[0] FLT32 {0, 1, 2, 3}",
    "IMM FLT32 {0, 1, 2, 3}",
    "IMM[0] FOO {0}",
    "MOV OUT[0], IN[0]",
    "  0: MOV OUT[0], IN[0]",
    " 12: ADD TEMP[0], -IN[0], |IN[0]|",
    "MOV OUT[0], IN[0];",
    "MUVE OUT[0], IN[0]",
    "MOV words",
    "MOV",
    "NOP",
    "EMIT",
    "ENDPRIM",
    "RET",
    "ENDIF END",
    "ENDIF: 3",
    "IF TEMP[0].xxxx",
    "ENDIF",
    "BGNLOOP",
    "5:",
    "7 words",
    "END",
    "  9: END",
    "end",
    "END words",
    "NOP END",
    "END # FRAG",
    "",
    "",
    " ",
    "\t",
    "// a note",
    "# a note",
    "/* a note */",
    "/* open",
    "closed */",
    "* a note",
    "```",
    "```tgsi",
    "~~~",
    "-------",
    "--------",
    "---------",
    "driver: words",
    "vert: words",
    "1driver: words",
    "<b>words</b>",
    "{ words }",
    "[  1.5] words",
    "== words",
    "some words",
];

/// Beginnings of lines, and their ends.
const LAYOUTS: [(&str, &str); 20] = [
    ("", "\n"),
    ("", "\r\n"),
    ("> ", "\n"),
    ("> > ", "\n"),
    ("| ", " |\n"),
    ("[   1.25] si: ", "\n"),
    ("12:30:01 ps 0x7f00: ", "\n"),
    ("driver: ", "\n"),
    (" * ", "\n"),
    ("    ", "\n"),
    ("// ", "\n"),
    ("\"", "\\n\"\n"),
    ("  + \"", "\\n\" // a note\n"),
    ("'", "\\r\\n' /* a note */\n"),
    ("\\t", "\\n"),
    ("", "\\n\\\n"),
    ("\"", "\\n\" WORD\n"),
    ("%s", "\\n"),
    ("", "&#10;"),
    ("&#32;", "&#xA;\n"),
];

/// Texts before and behind a piece in one layout.
const AROUND: [(&str, &str); 10] = [
    ("", "\n"),
    ("", "\n\n"),
    ("<string>", "</string>\n"),
    ("<pre class=\"a\">", "</pre>\n"),
    ("<![CDATA[", "]]>\n"),
    ("const char *text = ", ";\n"),
    ("{\"text\": \"", "\"}\n"),
    ("```tgsi\n", "```\n"),
    ("ps: ", "\n"),
    ("words ", " words\n"),
];

/// A text of pieces, each in one layout.
fn log(numbers: &mut Chance) -> String {
    let mut text = String::new();
    for _ in 0..1 + numbers.below(3) {
        let (before, behind) = match numbers.below(3) {
            0 => LAYOUTS[0],
            _ => numbers.one(&LAYOUTS),
        };
        let (open, close) = if numbers.below(3) == 0 { numbers.one(&AROUND) } else { AROUND[0] };
        text += open;
        for place in 0..1 + numbers.below(9) {
            // Most begin as a shader does.
            let line = match (place, numbers.below(5)) {
                (0, 1..) => LINES[numbers.below(8)],
                (_, 0) => "",
                (_, 1 | 2) => LINES[17 + numbers.below(30)],
                _ => numbers.one(&LINES),
            };
            let count = if line.is_empty() { 1 + numbers.below(6) } else { 1 };
            for _ in 0..count {
                let before = before.replace("1.25", &format!("{}.25", numbers.below(2000)));
                let _ = write!(text, "{before}{line}{behind}");
            }
            if numbers.below(12) == 0 {
                let foreign = 1 + numbers.below(10);
                text += &format!("{}\n", numbers.one(&LINES)).repeat(foreign);
            }
        }
        text += close;
    }
    text
}

#[test]
fn logs_put_together_at_random() {
    let mut records = table("random_logs.tsv");
    for row in 0..24 {
        let mut numbers = Chance(row);
        let (mut split, mut others) = (String::new(), String::new());
        for number in 0..400 {
            let text = log(&mut numbers);
            let found = regions::split(&text);
            let _ = writeln!(split, "{found:?}");
            for region in &found.shaders {
                let _ = writeln!(split, "{}", region.text(&text));
            }
            if number % 5 > 0 {
                continue;
            }
            let all = TextRange::up_to(TextSize::of(&*text));
            for scope in [format::Scope::Whole, format::Scope::Line(all)] {
                let edits = format::text_edits(&text, Numbers::default(), scope);
                let _ = writeln!(others, "{:?}", apply_edits(&text, &edits));
            }
            let _ = writeln!(others, "{:?}", directives::directives(&text));
        }
        records.add(&row.to_string(), "split", &split);
        records.add(&row.to_string(), "others", &others);
    }
    records.check();
}
