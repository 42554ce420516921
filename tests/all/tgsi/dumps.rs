//! Shaders in the texts that people really have: logs, mail, traces, sources.
//!
//! Every layout is a way of writing any shader into a file. Whatever the
//! shader, it must come out of the file as it went in, each of its characters
//! must be found again where the file has it, and nothing else of the file may
//! be taken for a shader.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use source::{ColumnUnit, Diagnostic, LineIndex, TextEdit, TextSize, apply_edits, no_checkpoint};
use tests::checks::layouts::{
    LAYOUTS, check_map, every_shader_comes_out_of_every_layout, range,
    several_shaders_of_a_file_stay_apart,
};
use tests::corpus;
use tests::literate;
use tests::measure::Stopwatch;
use tgsi::regions::split;

#[test]
fn every_own_shader_comes_out_of_every_layout() {
    let step = if cfg!(debug_assertions) { 11 } else { 1 };
    let tried = every_shader_comes_out_of_every_layout(&corpus::tgsi_programs(), step);
    assert!(tried > 800, "{tried}");
}

#[test]
fn several_own_shaders_of_a_file_stay_apart() {
    let step = if cfg!(debug_assertions) { 11 } else { 3 };
    several_shaders_of_a_file_stay_apart(&corpus::tgsi_programs(), step);
}

/// Returns all diagnostics of a shader, in positions of its own text.
fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let rules = parse.shader.iter().flat_map(|shader| tgsi::validate(shader, &no_checkpoint));
    rules.chain(parse.diagnostics.iter().cloned()).collect()
}

#[test]
fn a_fix_in_a_dump_is_the_fix_of_the_shader() {
    const SHADER: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0], LOCAL\n\
        0: MADD TEMP[0], IN[0], IN[0], IN[0]\n  1: MOV OUT[0], TEMP[0].x\n  2: MOV OUT[0].xq, TEMP[0] // c\n\
        3: SUB TEMP[0], IN[0], IN[0]\n  4: END";
    let (mut kept, mut dropped) = (0, 0);
    for layout in &LAYOUTS {
        let file = (layout.wrap)(&[SHADER]);
        let region = &split(&file).shaders[0];
        let text = region.text(&file);
        for diagnostic in diagnostics(text) {
            let mapped = region.map().diagnostic_to_file(diagnostic.clone());
            assert_eq!(file[mapped.range], text[diagnostic.range], "{}", layout.name);
            dropped += diagnostic.fixes.len() - mapped.fixes.len();
            for fix in &mapped.fixes {
                kept += 1;
                let original = diagnostic.fixes.iter().find(|original| original.title == fix.title);
                let wanted = original.and_then(|original| apply_edits(text, &original.edits));
                let edited = apply_edits(&file, &fix.edits).expect("edits of the file");
                let again = split(&edited);
                assert_eq!(again.shaders.len(), 1, "{}", layout.name);
                let found = again.shaders[0].text(&edited);
                assert_eq!(Some(found), wanted.as_deref(), "{}: {}", layout.name, fix.title);
            }
        }
    }
    eprintln!("{kept} fixes in dumps, {dropped} left out");
    assert!(kept >= 2 * LAYOUTS.len());
}

#[test]
fn a_line_is_written_as_its_neighbours_are_or_not_at_all() {
    const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END";
    let mut sure = 0;
    for layout in &LAYOUTS {
        let file = (layout.wrap)(&[SHADER]);
        let region = &split(&file).shaders[0];
        let text = region.text(&file);
        let line = text.find("DCL OUT").expect("a declaration");
        for (place, insert) in [
            (range(line, 0), "DCL CONST[0][0]\n"),
            (range(line, "DCL OUT[0], POSITION\n".len()), ""),
            (range(line, "DCL OUT[0], POSITION".len()), "DCL OUT[0..1], POSITION\nDCL TEMP[0]"),
        ] {
            let edit = TextEdit::replace(place, insert);
            let wanted = apply_edits(text, std::slice::from_ref(&edit));
            let Some(edit) = region.map().edit_to_file(&edit) else { continue };
            sure += 1;
            let edited = apply_edits(&file, &[edit]).expect("an edit of the file");
            let again = split(&edited);
            assert_eq!(again.shaders.len(), 1, "{}\n{edited}", layout.name);
            assert_eq!(Some(again.shaders[0].text(&edited)), wanted.as_deref(), "{}", layout.name);
        }
    }
    assert!(sure >= 2 * LAYOUTS.len(), "only {sure} edits were sure");
}

#[test]
fn what_is_no_shader_has_no_diagnostics() {
    let texts = [
        "[   12.1] amdgpu: FRAG\n[   12.2] amdgpu: ring timeout\n",
        "mesa: info: the next stage is VERT\nmesa: info: nothing to do\n",
        "> which VERT do you mean?\n> the FRAG\n> or the VERT\n> NOP is all I see\n",
        "shader: VERT\nregisters: 12\nwaves: 4\n",
        "=== frag\nret\n=== vert\nend\n",
        "stages: two\n- comp\n- end\n- vert\n- nop\n",
        "mode: x\nvert\nend\n\nFRAG\nfour of them\n",
        "{\"stage\": \"FRAG\\nVERT\\n\", \"count\": 2}\n",
        "strcat(text, \"FRAG\\n\");\nstrcat(text, \"DCL IN[0], COLOR\\n\");\nprintf(\"more\");\n",
        "<call><arg>FRAG&#10;of a picture</arg></call>\n",
        "<b>FRAG</b>\n<p>VERT</p>\n",
        "```\nuniform float frag;\n```\nThe word:\nFRAG\n",
        "; ModuleID = 'tgsi'\ndefine void @vert() {\nvert:\n  ret void\n}\nlabel: x\n",
        "log: start\n   1: #version 140\n   2: void main(void)\n   3: NOP\n",
    ];
    for text in texts {
        let regions = split(text);
        assert!(regions.shaders.is_empty(), "a shader in {text:?}");
        assert!(regions.diagnostics.is_empty(), "{:?} in {text:?}", regions.diagnostics);
    }
}

/// Texts that are quadratic or large for some careless way of looking for shaders.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let fill = |head: &str, piece: &str| {
        let mut text = head.to_owned();
        text.push_str(&piece.repeat(size / piece.len()));
        text
    };
    vec![
        ("escaped headers", fill("", "FRAG\\n")),
        ("escaped headers and quotes", fill("", "\"FRAG\\n")),
        ("literals of headers", fill("", "\"FRAG\\n\" ")),
        ("literals and open comments", fill("", "\"FRAG\\n\" /* ")),
        ("literals and line comments", fill("", "\"FRAG\\n\" // ")),
        ("literals and blanks", fill("", "\"FRAG\\n\"                                ")),
        ("a literal that never ends", fill("\"FRAG\\nDCL IN[0]\\n", "0: MOV TEMP[0], IN[0]\\n")),
        ("a literal of escapes", fill("\"FRAG\\nDCL IN[0]\\nEND\\n", "\\t")),
        ("shaders in literals", fill("", "\"VERT\\nNOP\\nEND\\n\", ")),
        ("shaders in literals of lines", fill("", "f(\"VERT\\n\"\n  \"NOP\\n\"\n  \"END\\n\");\n")),
        ("lists of headers", fill("", "\"FRAG\", ")),
        ("lists of lines and expressions", fill("", "\"FRAG\", f(x), \"DCL IN[0]\", ")),
        ("literals and brackets", fill("", "\"FRAG\\n\" + f(((( ")),
        ("marks of formats", fill("\"FRAG\\n", "%d{x}${y")),
        ("open marks of formats", fill("", "\"FRAG\\n{%($")),
        ("colours", fill("", "\u{1b}[1;31mFRAG\u{1b}[0m\n")),
        ("colours that never end", fill("FRAG\n", "\u{1b}[\u{1b}]0;")),
        ("bad escapes", fill("", "\"FRAG\\n\\q")),
        ("branches that never end", fill("", "\"FRAG\\n\"\n#else\n")),
        ("conditions that never end", fill("", "\"FRAG\\n\"\n#if 0\n")),
        ("conditions in one shader", fill("\"FRAG\\n\"\n", "#if A > 1\n\"NOP\\n\"\n#endif\n")),
        ("entities", fill("", "FRAG&#10;")),
        ("bad entities", fill("", "FRAG&#10;&nothing")),
        ("elements", fill("", "<a>FRAG\n")),
        ("an element that never ends", fill("<a>FRAG&#10;DCL IN[0]&#10;", "NOP&#10;")),
        ("elements of shaders", fill("", "<a>VERT&#10;NOP&#10;END</a>")),
        ("quoted headers", fill("", "> FRAG\n")),
        ("quoted headers and blanks", fill("", "> FRAG\n>\n>\n>\n")),
        ("quoted shaders", fill("", "> VERT\n> NOP\n> END\n")),
        ("prefixes in turn", fill("", "a: VERT\nb: VERT\na: NOP\n")),
        ("log after a header", fill("a: VERT\na: DCL IN[0]\n", "a: nothing\n")),
        ("a long prefix", fill("", "a 1 ") + "FRAG\n" + &fill("", "a 1 ") + "DCL IN[0]\n"),
        ("many numbers", fill("x: FRAG\n", "0 ") + "\n"),
        ("headers in a log", fill("log: a\n", "FRAG\n")),
        ("headers and blank lines in a log", fill("log: a\n", "FRAG\n\n\n\n\n\n")),
        ("shaders that end nowhere", fill("log: a\n", "FRAG\nDCL IN[0]\nnothing\n")),
    ]
}

#[test]
fn large_logs_take_linear_time() {
    let size = if cfg!(debug_assertions) { 1 << 18 } else { 10 << 20 };
    for (name, text) in hostile(size) {
        let start = Stopwatch::start();
        let regions = split(&text);
        let taken = start.elapsed();
        eprintln!("{name}: {} shaders, {taken:?}", regions.shaders.len());
        assert!(taken < Duration::from_secs(10), "{name} took {taken:?}");
    }
}

const DAMAGED: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE // \\ \"a\" <b> & 'c'\nDCL OUT[0], COLOR\n\
    IMM[0] FLT32 {    1.0000,    -0.5000,     0.2500,     0.0000}\n  0: MAD OUT[0], IN[0], IMM[0], IMM[0].xxxx\n  1: END";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn damaged_dumps_are_survived(
        layout in 0..LAYOUTS.len(),
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[\\x20-~\n\r\té]{0,6}"), 0..6)
    ) {
        let mut file = (LAYOUTS[layout].wrap)(&[DAMAGED, DAMAGED]);
        for (place, length, insert) in cuts {
            let start = place.index(file.len());
            let end = (start + length).min(file.len());
            if file.is_char_boundary(start) && file.is_char_boundary(end) {
                file.replace_range(start..end, &insert);
            }
        }
        let regions = split(&file);
        let mut end = TextSize::new(0);
        for region in &regions.shaders {
            prop_assert!(region.range().start() >= end, "shaders overlap");
            end = region.range().end();
            prop_assert_eq!(check_map(&file, region), Ok(()));
            for diagnostic in diagnostics(region.text(&file)) {
                let mapped = region.map().diagnostic_to_file(diagnostic);
                prop_assert!(region.range().contains_range(mapped.range));
                for fix in &mapped.fixes {
                    prop_assert!(apply_edits(&file, &fix.edits).is_some());
                }
            }
        }
    }
}

/// The places of the shaders in the suite's dumps: `LINE:COLUMN STAGE STATEMENTS LAST
/// LINE`, as the file counts.
#[test]
fn the_dumps_of_the_suite_have_these_shaders() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/dumps.md");
    let suite = std::fs::read_to_string(path).expect("the suite");
    let mut wrong = String::new();
    let mut count = 0;
    for case in literate::read(&suite) {
        let (Some(dump), Some(wanted)) = (case.block("tgsi"), case.block("shaders")) else {
            panic!("{} has no dump or no shaders", case.name);
        };
        count += 1;
        let lines = LineIndex::new(&dump.text);
        let mut found = String::new();
        for region in split(&dump.text).shaders {
            let at = lines.line_column(&dump.text, region.range().start(), ColumnUnit::Utf32);
            let last = lines.line(region.range().end()) + 1;
            let parse = tgsi::parser::parse(region.text(&dump.text), &no_checkpoint);
            let shader = parse.shader.expect("a header");
            let (stage, statements) = (shader.stage.value.word(), shader.statements.len());
            let (line, column) = (at.line + 1, at.column + 1);
            let _ = writeln!(
                found,
                "{line}:{column} {stage} of {statements} statements to line {last}"
            );
        }
        if found != wanted.text {
            let _ = writeln!(wrong, "{}: found\n{found}", case.name);
        }
    }
    assert!(count >= 15, "only {count} dumps");
    assert!(wrong.is_empty(), "{wrong}");
}
