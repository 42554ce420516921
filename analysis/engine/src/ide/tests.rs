//! The features over whole files: logs, line ends, places behind the last
//! statement; every place of them; and how long an answer takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use expect_test::expect;
use source::{Severity, TextRange, TextSize};

use crate::ide::References;
use crate::{FileId, Host, Language, Settings, Snapshot};

const SHADER: &str = "\
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL TEMP[0..1]
IMM[0] FLT32 { 0.5, 2.0, 0.0, 1.0}
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: MAD TEMP[1].xy, TEMP[0].yzzz, IMM[0].yyyy, -IMM[0].xxxx
  2: IF TEMP[1].xxxx :4
  3:   MOV OUT[0], TEMP[1]
  4: ENDIF
  5: END
";

fn open(text: &str) -> (Host, FileId) {
    let mut host = Host::new(Settings::default());
    let file = host.set_file("a.tgsi", Arc::from(text), Language::Tgsi);
    (host, file)
}

/// The file without the cursor `$0`, and where that was.
#[track_caller]
fn at(marked: &str) -> (Snapshot, FileId, TextSize, String) {
    let offset = marked.find("$0").expect("a cursor");
    let text = marked.replacen("$0", "", 1);
    let (host, file) = open(&text);
    (host.snapshot(), file, TextSize::new(offset as u32), text)
}

#[track_caller]
fn labels(marked: &str) -> Vec<String> {
    let (snapshot, file, offset, _) = at(marked);
    let found = snapshot.completion(file, offset).unwrap().expect("a TGSI file");
    assert!(found.replace.contains_inclusive(offset));
    found.items.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn offers(marked: &str, label: &str, offered: bool) {
    assert_eq!(labels(marked).iter().any(|it| it == label), offered, "{label}: {marked}");
}

#[test]
fn statements_are_offered_behind_the_last_one() {
    offers("FRAG\nDCL TEMP[0]\n$0", "MOV", true);
    offers("FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], $0", "TEMP[0]", true);
    offers("FRAG\nDCL TEMP[0]\n\n\nMO$0", "MOV", true);
    offers("FRAG\nDCL TEMP[0]\n  0: END\n\nsome log text\nMO$0", "MOV", false);
    offers("$0", "FRAG", true);
    offers("VE$0", "VERT", true);
    offers("some text $0", "FRAG", false);
}

#[test]
fn the_shader_of_the_place_decides() {
    let two = "VERT\nDCL TEMP[0]\n  0: END\nFRAG\nDCL TEMP[7]\n  0: MOV $0\n  1: END\n";
    assert_eq!(labels(two), ["TEMP[7]"]);
    offers("GEOM\n$0\nEND\n", "EMIT", true);
    offers("FRAG\n$0\nEND\n", "EMIT", false);
}

#[test]
fn a_hover_spells_out_the_instruction() {
    let marked = SHADER.replace("MAD", "M$0AD");
    let (snapshot, file, offset, text) = at(&marked);
    let hover = snapshot.hover(file, offset).unwrap().expect("a hover");
    let here = hover.markdown.split("\n---\n").next().unwrap_or_default();
    expect![[r#"
        ```text
        TEMP[1].xy = TEMP[0].yz × (2.0, 2.0) - (0.5, 0.5)
        ```

        reads `TEMP[0].yz` as float · reads `IMM[0].y` as float · reads `IMM[0].x` as float · writes `TEMP[1].xy` as float
    "#]]
    .assert_eq(here);
    let links: Vec<&str> = hover.links.iter().map(|link| &text[link.range]).collect();
    assert_eq!(links, ["DCL TEMP[0..1]", "IMM[0] FLT32 { 0.5, 2.0, 0.0, 1.0}"]);
}

#[test]
fn an_instruction_of_another_stage_is_named_so() {
    let (snapshot, file, offset, _) = at("VERT\nDCL TEMP[0]\n  0: DD$0X TEMP[0], TEMP[0]\n");
    let hover = snapshot.hover(file, offset).unwrap().expect("a hover");
    assert!(hover.markdown.contains("**For FRAG only**; this is VERT."), "{}", hover.markdown);
}

#[test]
fn a_register_says_what_it_does_here() {
    let marked = SHADER.replace("MAD TEMP[1]", "MAD TE$0MP[1]");
    let (snapshot, file, offset, _) = at(&marked);
    let hover = snapshot.hover(file, offset).unwrap().expect("a hover");
    assert!(hover.markdown.starts_with("```tgsi\nDCL TEMP[0..1]\n```\n"), "{}", hover.markdown);
    let last = hover.markdown.lines().last().unwrap_or_default();
    assert_eq!(last, "Here it writes xy. In all it is read 2 times and written once.");
    let marked = SHADER.replace(":4", ":$04");
    let (snapshot, file, offset, _) = at(&marked);
    let hover = snapshot.hover(file, offset).unwrap().expect("a hover");
    assert_eq!(hover.markdown, "```tgsi\n4: ENDIF\n```\n");
}

/// The shader as logs, literals and other systems have it.
fn disguises() -> Vec<String> {
    let prefixed: String =
        SHADER.lines().map(|line| format!("[   12.5] \u{1f980} drv: {line}\n")).collect();
    let literal: String = SHADER.lines().map(|line| format!("    \"{line}\\n\"\n")).collect();
    vec![
        SHADER.to_owned(),
        SHADER.replace('\n', "\r\n"),
        format!("a log of \u{1f980}\n{SHADER}more of it\n{SHADER}"),
        prefixed,
        format!("static const char *text =\n{literal};\n"),
        SHADER.replace("DCL OUT", "/* \u{e9}\u{1f980} */ DCL OUT"),
        SHADER[..SHADER.len() / 2].to_owned(),
    ]
}

#[test]
fn every_answer_lies_within_the_file() {
    for text in disguises() {
        let (host, file) = open(&text);
        let snapshot = host.snapshot();
        let inside = |range: TextRange, what: &str| {
            let part = text.get(std::ops::Range::<usize>::from(range));
            assert!(part.is_some(), "{what} {range:?} in\n{text}");
        };
        let all = TextRange::up_to(TextSize::of(&*text));
        let mut end = TextSize::new(0);
        for token in snapshot.semantic_tokens(file, all).unwrap() {
            inside(token.range, "token");
            assert!(token.range.start() >= end, "tokens are in order and apart\n{text}");
            end = token.range.end();
        }
        snapshot.folds(file).unwrap().into_iter().for_each(|fold| inside(fold.range, "fold"));
        let offsets = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).step_by(3);
        for offset in offsets.map(|at| TextSize::new(at as u32)) {
            let found = snapshot.completion(file, offset).unwrap().expect("TGSI");
            inside(found.replace, "completion");
            assert!(found.replace.contains_inclusive(offset), "{offset:?}\n{text}");
            snapshot.signature_help(file, offset).unwrap();
            for highlight in snapshot.highlights(file, offset).unwrap() {
                inside(highlight.range, "highlight");
            }
            for place in snapshot.references(file, offset, References::All).unwrap() {
                inside(place.range, "reference");
            }
            if let Some(found) = snapshot.definitions(file, offset).unwrap() {
                inside(found.origin, "origin");
                for destination in found.destinations {
                    inside(destination.range, "statement");
                    inside(destination.selection, "name");
                }
            }
            let mut last: Option<TextRange> = None;
            for range in snapshot.selections(file, offset).unwrap() {
                inside(range, "selection");
                assert!(last.is_none_or(|last| range.contains_range(last)));
                last = Some(range);
            }
            if let Some(hover) = snapshot.hover(file, offset).unwrap() {
                inside(hover.range, "hover");
                hover.links.iter().for_each(|link| inside(link.range, "link"));
            }
            let edits = snapshot.rename(file, offset, "9").unwrap();
            edits.unwrap_or_default().iter().for_each(|it| inside(it.edit.range, "edit"));
        }
    }
}

#[test]
fn a_wrapped_shader_is_served_in_place() {
    let text = disguises().swap_remove(3);
    let (host, file) = open(&text);
    let snapshot = host.snapshot();
    let place = text.find("MOV OUT[0], TEMP[1]").expect("there") + "MOV OUT[0], T".len();
    let found = snapshot.definitions(file, TextSize::new(place as u32)).unwrap();
    let found = found.expect("a definition");
    assert_eq!(&text[found.destinations[0].selection], "TEMP[0..1]");
    let found = snapshot.completion(file, TextSize::new(place as u32)).unwrap().expect("offers");
    assert_eq!(&text[found.replace], "TEMP[1]");
    assert!(found.items.iter().any(|item| item.label == "TEMP[0]"));
}

/// A shader of about so many instructions.
fn large(instructions: usize) -> String {
    let mut text = String::from(
        "FRAG\nDCL IN[0..15], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..31]\n\
         DCL CONST[0][0..63]\nDCL SAMP[0..7]\n",
    );
    for number in 0..20 {
        text += &format!("IMM[{number}] FLT32 {{ 0.5, 1.0, 2.0, {number}.0}}\n");
    }
    for number in 0..instructions {
        let (register, constant) = (number % 32, number % 64);
        text += &format!(
            "  {number}: MAD TEMP[{register}].xyz, TEMP[{}].zyxx, CONST[0][{constant}], IMM[{}]\n",
            (number + 5) % 32,
            number % 20,
        );
    }
    text + "END\n"
}

/// The median time of a completion while somebody types in the middle.
fn completion_time(instructions: usize) -> Duration {
    let mut host = Host::new(Settings::default());
    let text = large(instructions);
    let place = text.find("  200:").expect("there");
    let mut times = Vec::new();
    for (edit, typed) in ["MAD TEMP[0], ", "M", "TEX TEMP[0], IN[0], SAMP[0], ", "DCL "]
        .iter()
        .cycle()
        .take(40)
        .enumerate()
    {
        let line = format!("{typed}\n# {edit}\n");
        let edited = format!("{}{line}{}", &text[..place], &text[place..]);
        let file = host.set_file("a.tgsi", Arc::from(edited), Language::Tgsi);
        let offset = TextSize::new((place + typed.len()) as u32);
        let start = Instant::now();
        let found = host.snapshot().completion(file, offset).unwrap().expect("TGSI");
        times.push(start.elapsed());
        assert!(!found.items.is_empty(), "{typed}");
    }
    times.sort_unstable();
    times[times.len() / 2]
}

/// Not a measurement but a guard: what takes longer has become quadratic. A machine that is
/// busy, or stands for another one, is slow in both.
#[test]
fn completion_answers_while_somebody_types() {
    let [short, long] = [275, 4 * 275].map(completion_time);
    assert!(long < 10 * short, "{short:?}, and of four times the text {long:?}");
}

#[test]
fn a_line_says_what_would_have_to_be_given_back_for_a_wave_more() {
    let edges = |chip: &str, text: &str| {
        let mut host = Host::new(Settings::default());
        let text = format!("{text} s_endpgm\n");
        let file = host.set_file(&format!("a.{chip}.s"), Arc::from(&*text), Language::Gcn);
        let offset = TextSize::of(text.split_once(" s_endpgm").expect("an end").0);
        let hover = host.snapshot().hover(file, offset + TextSize::from(2)).unwrap();
        let markdown = hover.expect("a hover").markdown;
        let line = markdown.lines().find(|it| it.contains("limited by")).expect("its limits");
        line.rsplit("; ").next().unwrap_or_default().trim().to_owned()
    };
    let (vectors, scalars) = (" v_mov_b32 v28, 0\n", " s_mov_b32 s95, 0\n");
    let both = format!("{vectors}{scalars}");
    let sums = " v_accvgpr_write_b32 a70, 0\n";
    let share = ".amdhsa_kernel k\n.amdhsa_group_segment_fixed_size 20000\n\
                 .amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 4\n.end_amdhsa_kernel\nk:\n";
    for (chip, text, expected) in [
        ("gfx900", &*both, "1 VGPRs and 16 SGPRs fewer give 9 waves"),
        ("gfx900", scalars, "16 SGPRs fewer give 9 waves"),
        ("tahiti", scalars, "16 SGPRs fewer give 6 waves"),
        ("gfx908", sums, "7 AGPRs fewer give 4 waves"),
        (
            "gfx90a",
            &format!("{sums} v_mov_b32 v70, 0\n"),
            "15 VGPRs or 15 AGPRs fewer give 4 waves",
        ),
        ("gfx900", share, "7200 bytes of LDS fewer give 2 waves"),
    ] {
        assert_eq!(edges(chip, text), expected, "{chip}\n{text}");
    }
}

/// Diagnostics of the file itself are judged as those of its shaders are.
#[test]
fn a_dialect_decides_about_the_text_around_shaders() {
    let severities = |dialect: Option<&str>| -> Vec<Severity> {
        let mut host = Host::new(Settings::default());
        let said = dialect.map_or(String::new(), |it| format!("# tungsten: dialect={it}\n"));
        let text = format!("\u{feff}{said}VERT\nEND\n");
        let file = host.set_file("a.tgsi", Arc::from(text), Language::Tgsi);
        let all = host.snapshot().diagnostics(file).unwrap();
        let mark = |it: &&source::Diagnostic| it.message.contains("byte order mark");
        all.iter().filter(mark).map(|it| it.severity).collect()
    };
    assert_eq!(severities(None), [Severity::Hint]);
    assert_eq!(severities(Some("mesa-21")), [Severity::Error]);
}
