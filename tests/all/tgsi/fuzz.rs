//! Shaders, texts and token streams, damaged at random: nothing panics,
//! and twice the text takes about twice the time.
//!
//! The damage follows from a seed, so every run of a seed is the same one.
//! `TUNGSTEN_FUZZ_SECONDS` makes it longer, `TUNGSTEN_FUZZ_SEED` another one.

use source::no_checkpoint;
use tests::checks::damage;
use tests::corpus;
use tests::measure::Stopwatch;

/// The shaders that are damaged: those above, and all others of our own.
fn programs() -> Vec<String> {
    let own = corpus::tgsi_programs().into_iter().map(|program| program.text);
    BUILT_IN.map(str::to_owned).into_iter().chain(own).collect()
}

#[test]
fn damaged_texts_are_survived() {
    damage::damaged_texts_are_survived(programs(), SECONDS);
}

#[test]
fn damaged_streams_are_survived() {
    damage::damaged_streams_are_survived(programs(), SECONDS);
}

/// The time of each of the two searches unless more is asked for.
const SECONDS: f64 = 4.0;

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

/// Everything that is done with a text when it is opened.
fn work(text: &str) {
    let regions = tgsi::regions::split(text);
    for region in &regions.shaders {
        let parse = tgsi::parser::parse(region.text(text), &no_checkpoint);
        let _ = parse.shader.map(|shader| tgsi::validate(&shader, &no_checkpoint));
    }
    let _ = tgsi::format::format(text, tgsi::format::Numbers::Always);
}

/// The shortest of a few runs: what else the machine does only adds.
fn shortest(work: impl Fn()) -> f64 {
    let run = |_| {
        let start = Stopwatch::start();
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
