//! Real shaders, texts and token streams, damaged at random: nothing panics,
//! and twice the text takes about twice the time.
//!
//! The damage follows from a seed, so every run of a seed is the same one.
//! `TUNGSTEN_FUZZ_SECONDS` makes it longer, `TUNGSTEN_FUZZ_SEED` another one.

use std::time::Instant;

use tests::random_shaders::Numbers;
use tests::search::search;
use tests::survival::{check_text, check_words};
use text::no_checkpoint;
use tgsi::format::Options;
use tgsi::tokens::{self, Layout};

/// How long each of the two searches takes unless more is asked for.
const SECONDS: f64 = 4.0;

/// A text beyond this size is cut: many small ones find more than a large one.
const LARGEST_TEXT: usize = 4_000;

/// Shaders that are there on every machine, each with a corner of the language.
const BUILT_IN: [&str; 6] = [
    include_str!("../../../examples/lit_texture.tgsi"),
    include_str!("../../../examples/skinning.tgsi"),
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n\
     DCL IN[][0], POSITION\nDCL OUT[0], POSITION, STREAM(0, 1, 2, 3)\nDCL ADDR[0]\n\
     IMM[0] UINT32 {0, 1, 2, 3}\n  0: MOV OUT[0], IN[ADDR[0].x+1][0]\n  1: EMIT IMM[0].xxxx\n  2: END\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0], ATOMIC\n\
     DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\nDCL TEMP[0..3], ARRAY(1), LOCAL\n\
     IMM[0] FLT64 {1.5, -2}\nLOAD TEMP[0].x, IMAGE[0], SV[0], VOLATILE, 2D, PIPE_FORMAT_R32_UINT\n\
     ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, TEMP[0].yyyy\nBARRIER\nEND\n",
    "FRAG1.1\r\nDCL IN[0], COLOR, LINEAR # c\r\nDCL PRED[0]\nIMM FLT32 {0x7fc00000, 1e-38, -0, 1}\n\
     (!PRED[0].x) SUB_SSAT OUT[0].xy, |IN[0]|, IMM[0].x /* d */\nKILP\nEND",
    "// log\n12:30 ps: FRAG\n12:30 ps: DCL OUT[0], COLOR\n12:30 ps:   0: END\n\
     static const char s[] = \"VERT\\n\"\n\"END\\n\";\n<string>GEOM&#10;END&#10;</string>\n> COMP\n> END\n",
];

/// What is put into texts: words and signs that a careless reader trips over.
const INSERTIONS: [&str; 40] = [
    "\n",
    "\r",
    " ",
    "\t",
    "\0",
    "é",
    "\u{feff}",
    "\u{2028}",
    ",",
    ".",
    "..",
    ":",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "|",
    "-",
    "+",
    "\"",
    "\\n",
    "\\",
    "&#10;",
    "<",
    "> ",
    "/*",
    "*/",
    "#",
    "4294967296",
    "-1",
    "0x",
    "1e999",
    "FRAG\n",
    "END\n",
    "TEMP[",
    "_SAT",
    "DCL ",
    "IMM[0] FLT32 {",
];

/// The shaders that are damaged: those above, and the corpora where they are.
fn programs() -> Vec<String> {
    let mut texts: Vec<String> = BUILT_IN.map(str::to_owned).to_vec();
    let corpora = tests::corpora::tgsi_programs().unwrap_or_default();
    texts.extend(corpora.into_iter().map(|program| program.text));
    for text in &mut texts {
        let end = (0..=text.len().min(LARGEST_TEXT)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
    }
    texts
}

/// A place of a text where a character begins.
fn boundary(text: &str, random: &mut Numbers) -> usize {
    let at = random.below(text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn damage_text(text: &mut String, programs: &[String], random: &mut Numbers) {
    let (a, b) = (boundary(text, random), boundary(text, random));
    let (start, end) = (a.min(b), a.max(b));
    // Mostly small wounds: after a large one little is left to be understood.
    let near = (start..=end.min(start + 12)).rev().find(|at| text.is_char_boundary(*at));
    let near = near.unwrap_or(start);
    match random.below(9) {
        0 => text.replace_range(start..near, ""),
        1 => text.insert_str(start, random.one(&INSERTIONS)),
        2 => text.replace_range(start..near, random.one(&INSERTIONS)),
        3 => text.truncate(start),
        4 => {
            let copied = text[start..end].to_owned();
            text.insert_str(start, &copied);
        }
        5 => {
            let other = &programs[random.below(programs.len())];
            let from = boundary(other, random);
            text.replace_range(start.., &other[from..]);
        }
        6 => {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (one, two) = (random.below(lines.len()), random.below(lines.len()));
            if !lines.is_empty() {
                lines.swap(one, two);
            }
            *text = lines.concat();
        }
        7 => {
            let prefix = random.one(&["> ", "[ 12.5] ", "ps: ", "\"", "    ", "// ", "0123"]);
            *text = text.lines().map(|line| format!("{prefix}{line}\n")).collect();
        }
        _ => {
            *text =
                text.replace('\n', random.one(&["\\n", "\r\n", "\r", "&#10;", "\\n\"\n\"", " "]))
        }
    }
    let end = (0..=text.len().min(2 * LARGEST_TEXT)).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
}

#[test]
fn damaged_texts_are_survived() {
    let programs = programs();
    let damaged = |random: &mut Numbers| {
        let mut text = programs[random.below(programs.len())].clone();
        for _ in 0..=random.below(4) {
            damage_text(&mut text, &programs, random);
        }
        text
    };
    search("texts", SECONDS, damaged, |text| {
        check_text(text);
    });
}

#[test]
fn damaged_streams_are_survived() {
    let mut streams = Vec::new();
    for text in programs() {
        let Some(shader) = tgsi::parser::parse(&text, &no_checkpoint).shader else { continue };
        streams
            .extend(Layout::ALL.iter().filter_map(|layout| tokens::encode(&shader, *layout).ok()));
    }
    assert!(streams.len() >= 2, "no stream to damage");
    let damaged = |random: &mut Numbers| {
        let mut words = streams[random.below(streams.len())].clone();
        for _ in 0..=random.below(4) {
            let (at, bit) = (random.below(words.len()), 1 << random.below(32));
            match random.below(6) {
                0 => words.truncate(at),
                1 => words.insert(at, bit),
                2 if !words.is_empty() => drop(words.remove(at)),
                3 => {
                    let other = &streams[random.below(streams.len())];
                    words.extend(&other[random.below(other.len())..]);
                    words.truncate(4_000);
                }
                _ if words.is_empty() => words.push(bit),
                4 => words[at] = random.below(1 << 31) as u32 ^ bit,
                _ => words[at] ^= bit,
            }
        }
        words
    };
    search("streams", SECONDS, damaged, |words| check_words(words));
}

/// Everything that is done with a text when it is opened.
fn work(text: &str) {
    let regions = tgsi::regions::split(text);
    for region in &regions.shaders {
        let parse = tgsi::parser::parse(region.text(text), &no_checkpoint);
        let _ = parse.shader.map(|shader| tgsi::validate(&shader, &no_checkpoint));
    }
    let _ = tgsi::format::format(text, &Options { numbers: tgsi::format::Numbers::Always });
}

/// The shortest of a few runs: what else the machine does only adds.
fn shortest(work: impl Fn()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}

#[test]
fn time_grows_with_the_text_and_not_faster() {
    let pieces: [(&str, &str, &str); 22] = [
        ("arithmetic", "VERT\n", "MAD TEMP[0], IN[0], -|TEMP[1]|, CONST[0][3].wzyx\n"),
        ("numbered", "VERT\n", "  7: MOV TEMP[0], IN[0]\n"),
        ("declarations", "VERT\n", "DCL TEMP[0..9], ARRAY(1), LOCAL\n"),
        ("declarations of one register", "FRAG\n", "DCL IN[0], GENERIC[0], PERSPECTIVE\n"),
        ("immediates", "VERT\n", "IMM FLT32 {0, 0x7fc00000, 1e-30, 1}\n"),
        ("properties", "GEOM\n", "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"),
        ("open blocks", "VERT\n", "IF IN[0].xxxx :0\nBGNLOOP\n"),
        ("closed blocks", "VERT\n", "ENDIF\nENDLOOP\nENDSWITCH\n"),
        ("blocks", "VERT\n", "IF IN[0].xxxx\nMOV TEMP[0], IN[0]\nELSE\nRET\nENDIF\n"),
        ("loops", "VERT\n", "BGNLOOP\nBRK\nMOV TEMP[1], TEMP[0]\nENDLOOP\n"),
        ("subroutines", "VERT\nCAL :5\nEND\n", "BGNSUB\nCAL :7\nENDSUB\n"),
        ("indirect", "VERT\n", "MOV TEMP[ADDR[0].x+1](1), CONST[ADDR[1].y][TEMP[0].z-2]\n"),
        ("unknown opcodes", "VERT\n", "MADD TEMP[0], IN[0]\n"),
        ("missing operands", "VERT\n", "MOV TEMP[0]\n"),
        ("comments", "VERT\n", "NOP // c\n# d\n/* e */\n"),
        ("shaders", "", "VERT\nDCL OUT[0], POSITION\nEND\n\n"),
        ("prefixed shaders", "", "ps: VERT\nps: END\nps: other words\n"),
        ("literals", "", "\"VERT\\n\"\n\"END\\n\"\n"),
        ("quoted mail", "", "> > VERT\n> > MOV TEMP[0], IN[0]\n> hm\n"),
        ("traces", "", "<string>FRAG&#10;END&#10;</string>\n"),
        ("words", "VERT\n", "one two three\n"),
        ("other letters", "", "жжж éé 漢字\n"),
    ];
    let size = if cfg!(debug_assertions) { 1 << 13 } else { 1 << 19 };
    for (name, head, piece) in pieces {
        let times = [1, 2, 4].map(|factor| {
            let text = format!("{head}{}", piece.repeat(factor * size / piece.len()));
            shortest(|| work(&text))
        });
        let [one, two, four] = times.map(|time| time * 1e3);
        eprintln!("{name}: {one:.1}, {two:.1}, {four:.1} ms for one, two, four times the text");
        // Sixteen times would be quadratic; a busy machine gets some grace.
        assert!(four < 9.0 * one + 40.0, "{name}: {one:.1} ms became {four:.1} ms");
    }
}
