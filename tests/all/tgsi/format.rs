//! The formatter's promises on shaders and on broken and oddly spaced ones: it never changes what a text means,
//! keeps every comment, and formatting twice is formatting once.

use proptest::prelude::*;
use tests::checks::formatting::{
    check, programs_keep_their_meaning, repairing_labels_leaves_nothing,
};
use tests::corpus;
use tgsi::lexer::{Lexer, TokenKind};

#[test]
fn own_shaders_keep_their_meaning() {
    programs_keep_their_meaning(&corpus::tgsi_programs());
}

#[test]
fn repairing_labels_of_own_shaders_leaves_nothing_to_repair() {
    let repaired = repairing_labels_leaves_nothing(&corpus::tgsi_programs());
    assert!(repaired > 10, "{repaired}");
}

/// Every form of the language.
const FORMS: &str = "\
GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY UNHEARD_OF 1, 2
DCL IN[][0], POSITION
DCL IN[][1], GENERIC
DCL OUT[0], POSITION[0], STREAM(0, 0, 0, 0)
DCL OUT[1].xyzw, GENERIC[2], STREAM(0, 1, 0, 0), INVARIANT
DCL CONST[1][0..3]
DCL SAMP[0..0]
DCL SVIEW[0], CUBE_ARRAY, FLOAT, FLOAT, FLOAT, FLOAT
DCL IMAGE[0], 2D, WR, PIPE_FORMAT_R32_UINT
DCL MEMORY[0]
DCL BUFFER[0], ATOMIC
DCL TEMP[0..7], ARRAY(1), LOCAL
DCL ADDR[0]
IMM FLT32 { 0.5, 1e-10, -0, 0x3f800001 }
IMM[1] UINT32 {1065353216, 007, 4294967295, 4294967296}
IMM[2] INT32 {-1, +1, 0, 2}
IMM[3] FLT64 {0.1, 1e300}
IMM[4] INT64 {-1, 0xff}
17: mov_sat TEMP[ADDR[0]](1).xyzw, -|CONST[1][ADDR[0].x+2].xyzw|
UIF TEMP[0].x :0
  TEX TEMP[1].xy, IN[2][0], SAMP[0], CUBE_ARRAY
  TXF TEMP[1], TEMP[0], SAMP[0], 2D, IMM[2], IMM[2].zyx
ELSE :9
  LOAD TEMP[2], BUFFER[0], TEMP[1].yyyy, 2D, VOLATILE, COHERENT, PIPE_FORMAT_NONE
  STORE BUFFER[0].x, TEMP[1], TEMP[2], BUFFER
ENDIF
BGNLOOP
(!PRED[0].x) MOV TEMP[0], TEMP[1]
MVO TEMP[3]  ,  TEMP[1]
BRK
ENDLOOP
EMIT
ENDPRIM IMM[1].wwww
END
";

/// Forms of the language, and own programs.
fn bases() -> &'static [String] {
    static BASES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    BASES.get_or_init(|| {
        let texts = corpus::tgsi_programs().into_iter().map(|program| program.text);
        let short = texts.filter(|text| text.len() < 4000);
        short.step_by(7).chain(std::iter::repeat_n(FORMS.to_owned(), 60)).collect()
    })
}

/// Texts that may stand between two tokens.
const GAPS: [&str; 14] = [
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n\n",
    "\r\n",
    " \n  ",
    " /* a */ ",
    "/* b\n   c */",
    " // d\n",
    "\n# e\n",
    "\u{a0}",
    "\u{b}",
];

/// Puts other space between some tokens of a text: `changes` are places and gaps.
fn respaced(text: &str, changes: &[(usize, usize)]) -> String {
    let mut parts: Vec<(&str, TokenKind)> = Vec::new();
    for (kind, range) in Lexer::new(text) {
        parts.push((&text[range], kind));
    }
    let mut out: Vec<String> = parts.iter().map(|(part, _)| (*part).to_owned()).collect();
    for (place, gap) in changes {
        let place = place % parts.len();
        let gap = GAPS[gap % GAPS.len()];
        match parts[place].1.is_trivia() {
            true if gap.is_empty() => {}
            true => out[place] = gap.to_owned(),
            false => out[place].push_str(gap),
        }
    }
    out.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    #[test]
    fn space_and_comments_anywhere_keep_the_meaning(
        base in 0usize..10_000,
        changes in proptest::collection::vec((0usize..100_000, 0usize..100), 0..40),
    ) {
        let bases = bases();
        let text = respaced(&bases[base % bases.len()], &changes);
        if let Err(what) = check(&text) {
            prop_assert!(false, "{}\n--- of\n{}", what, text);
        }
    }

    #[test]
    fn words_in_any_order_keep_the_meaning(
        base in 0usize..10_000,
        swaps in proptest::collection::vec((0usize..100_000, 0usize..100_000), 0..6),
    ) {
        let bases = bases();
        let text = &bases[base % bases.len()];
        let mut tokens: Vec<&str> = Lexer::new(text).map(|(_, range)| &text[range]).collect();
        for (a, b) in swaps {
            let (a, b) = (a % tokens.len(), b % tokens.len());
            tokens.swap(a.max(1), b.max(1));
        }
        let text = tokens.concat();
        if let Err(what) = check(&text) {
            prop_assert!(false, "{}\n--- of\n{}", what, text);
        }
    }
}
