//! The TGSI front end on whatever a file may hold: nothing panics, ranges are
//! sound, tokens are lossless, and time stays linear.

use std::time::Duration;

use proptest::prelude::*;
use source::no_checkpoint;
use tests::measure::Stopwatch;
use tests::survival::check_text as check;

/// Words and signs of the language, joined at random.
fn soup() -> impl Strategy<Value = String> {
    const PIECES: [&str; 58] = [
        "FRAG",
        "VERT",
        "GEOM",
        "TESS_CTRL",
        "VERT1.1",
        "DCL",
        "IMM",
        "PROPERTY",
        "MOV",
        "ADD_SAT",
        "TEX",
        "IF",
        "ELSE",
        "ENDIF",
        "BGNLOOP",
        "ENDLOOP",
        "BRK",
        "END",
        "LOAD",
        "EMIT",
        "SUB",
        "UNK67",
        "TEMP",
        "IN",
        "OUT",
        "CONST",
        "IMMX",
        "PRED",
        "ADDR",
        "SVIEW",
        "IMAGE",
        "GENERIC",
        "LINEAR",
        "ARRAY",
        "STREAM",
        "FLT32",
        "UINT32",
        "FLT64",
        "GS_INPUT_PRIMITIVE",
        "TRIANGLES",
        "2D",
        "CUBE_ARRAY",
        "xyzw",
        "x",
        "q",
        "0",
        "7",
        "4294967296",
        "0x3f800000",
        "[",
        "]",
        "..",
        ".",
        ",",
        ":",
        "{",
        "}",
        "|-()+",
    ];
    const GAPS: [&str; 12] =
        [" ", " ", "", "", "\n", "\n", "\r\n", "// c\n", "/* c */", "/*", "\u{feff}", "\0é"];
    let piece = (0..PIECES.len(), 0..GAPS.len()).prop_map(|(p, g)| [PIECES[p], GAPS[g]].concat());
    proptest::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

const SHADER: &str = "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nDCL IN[0], GENERIC[0], PERSPECTIVE\n\
    DCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[1][0..3]\nDCL TEMP[0..1], ARRAY(1), LOCAL\n\
    DCL ADDR[0]\nIMM[0] FLT32 {    1.0000,    -0.5000,     0x3f800000,     1e-3}\nIMM[1] FLT64 {1.5, -2}\nIMM[2] INT32 {1, -2, 3, 0}\n\
    0: ARL ADDR[0].x, IN[0].yyyy\n  1: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D, IMM[2].xyz\n\
    2: IF TEMP[0].xxxx :4\n  3:   MAD_SAT TEMP[ADDR[0].x+1](1).xy, -|TEMP[0]|, CONST[1][2].xxxx, IMM[0]\n\
    4: ENDIF\n  5: MOV OUT[0], TEMP[0]\n  6: END\n";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        check(&String::from_utf8_lossy(&bytes));
        check(&format!("VERT\n{}", String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn any_soup_of_words_is_survived(soup in soup()) {
        check(&soup);
        check(&format!("GEOM\n{soup}"));
    }

    #[test]
    fn real_text_with_damage_is_survived(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..9, soup()), 1..4)
    ) {
        let mut text = SHADER.to_owned();
        for (place, length, insert) in cuts {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            if text.is_char_boundary(start) && text.is_char_boundary(end) {
                text.replace_range(start..end, &insert);
            }
        }
        check(&text);
    }
}

#[test]
fn the_shader_above_is_sound() {
    assert_eq!(check(SHADER), 0);
}

/// Large inputs, each of which is quadratic, deep or overflowing for some
/// careless way of reading it.
fn large_inputs(size: usize) -> Vec<(&'static str, String)> {
    let fill = |head: &str, piece: &str| {
        let mut text = head.to_owned();
        text.push_str(&piece.repeat(size / piece.len()));
        text
    };
    vec![
        ("one line of statements", fill("VERT ", "MOV TEMP[0], IN[0] ")),
        ("one word", fill("VERT\n", "A")),
        ("one number", fill("VERT\n", "9")),
        ("one number in an index", fill("VERT\nDCL TEMP[", "9")),
        ("commas", fill("VERT\nMOV TEMP[0]", ",")),
        ("open brackets", fill("VERT\nMOV ", "TEMP[")),
        ("nested indices", fill("VERT\nMOV TEMP[0], ", "TEMP[ADDR[")),
        ("open comments", fill("VERT\n", "/* ")),
        ("open comments in lines", fill("VERT\n", "/*\n")),
        ("comments", fill("VERT\n", "/**/")),
        ("comment lines", fill("VERT\n", "# c\r\n")),
        ("NUL bytes", fill("VERT\n", "\0")),
        ("NUL bytes without header", fill("", "\0")),
        ("empty lines", fill("VERT", "\n")),
        ("empty lines after the end", fill("VERT\nEND", "\n")),
        ("carriage returns", fill("VERT", "\r")),
        ("headers", fill("", "VERT\n")),
        ("shaders", fill("", "VERT\nEND\n")),
        ("words in lines", fill("VERT\n", "FOO\n")),
        ("words without header", fill("", "FOO\n")),
        ("declarations without header", fill("", "DCL TEMP[0]\n")),
        ("statements in lines", fill("VERT\n", "MOV TEMP[0], IN[0]\n")),
        ("wide declarations", fill("VERT\n", "DCL TEMP[0..65535]\n")),
        ("open blocks", fill("VERT\n", "IF IN[0]\nBGNLOOP\n")),
        ("closed blocks", fill("VERT\n", "ENDIF\nENDLOOP\n")),
        ("immediates", fill("VERT\n", "IMM FLT32 {0, 0, 0, 0}\n")),
        ("values", fill("VERT\nIMM FLT32 {", "1.5,")),
        ("labels", fill("VERT\n", "0:")),
        ("attributes", fill("FRAG\nDCL IN[0]", ", GENERIC[0]")),
        ("offsets", fill("FRAG\nTEX TEMP[0], IN[0], SAMP[0], 2D", ", IMM[0].xyz")),
        ("qualifiers", fill("FRAG\nLOAD TEMP[0], IMAGE[0], IN[0]", ", COHERENT")),
    ]
}

#[test]
fn large_inputs_take_linear_time() {
    // Ten megabytes each as users run it; unoptimised builds get a tenth.
    let size = if cfg!(debug_assertions) { 1 << 20 } else { 10 << 20 };
    for (name, text) in large_inputs(size) {
        let start = Stopwatch::start();
        let regions = tgsi::regions::split(&text);
        let mut count = regions.diagnostics.len();
        // The engine analyses no more of one text.
        for region in regions.shaders.iter().take(source::MAX_SHADERS) {
            let parse = tgsi::parser::parse(region.text(&text), &no_checkpoint);
            count += parse.diagnostics.len();
            let Some(shader) = parse.shader else { continue };
            count += tgsi::validate(&shader, &no_checkpoint).len();
            let _ = tgsi::requirements::requirements(&shader, &no_checkpoint);
            let _ = tgsi::validate::linking::Interface::new(&shader);
        }
        let taken = start.elapsed();
        eprintln!("{name}: {} shaders, {count} diagnostics, {taken:?}", regions.shaders.len());
        assert!(taken < Duration::from_secs(20), "{name} took {taken:?}");
    }
}

#[test]
fn a_million_lines_are_read() {
    let lines = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    let mut text = "VERT\nDCL IN[0]\nDCL TEMP[0]\n".to_owned();
    text.push_str(&"MOV TEMP[0], IN[0]\n".repeat(lines));
    text.push_str("END\n");
    let regions = tgsi::regions::split(&text);
    assert_eq!(regions.shaders.len(), 1);
    let parse = tgsi::parser::parse(regions.shaders[0].text(&text), &no_checkpoint);
    assert_eq!(parse.diagnostics, []);
    let shader = parse.shader.expect("a shader");
    assert_eq!(shader.instructions().count(), lines + 1);
    assert_eq!(tgsi::validate(&shader, &no_checkpoint), []);
}

#[test]
fn the_last_register_that_there_can_be_has_no_next() {
    for number in ["4294967295", "4294967296", "2147483647..4294967295"] {
        let text = format!("VERT\nDCL TEMP[{number}]\nMOV TEMP[0], TEMP[1]\nEND\n");
        assert!(check(&text) > 0, "{number}");
    }
}
