//! Folds, selections, colours and accesses.

use expect_test::expect;

use super::{SHADER, shader};
use crate::service::accesses::{AccessKind, access_at, accesses};
use crate::service::folding::folds;
use crate::service::selection::selections;
use crate::service::tokens::tokens;
use source::{TextRange, TextSize};

#[test]
fn shaders_declarations_and_blocks_fold() {
    let shader = shader(SHADER);
    let lines = source::LineIndex::new(SHADER);
    let found: Vec<String> = folds(SHADER, &shader)
        .into_iter()
        .map(|fold| {
            let line = |offset| lines.line(offset);
            format!("{:?} {}..{}", fold.kind, line(fold.range.start()), line(fold.range.end()))
        })
        .collect();
    expect!["Shader 0..20, Declarations 1..11, Block 14..15, Block 16..17"]
        .assert_eq(&found.join(", "));
}

#[test]
fn selections_grow_from_the_word_to_the_shader() {
    let shader = shader(SHADER);
    let at = SHADER.find("|TEMP[0].wzyx|").expect("there") + 2;
    let found: Vec<&str> = selections(SHADER, &shader, TextSize::new(at as u32))
        .into_iter()
        .map(|range| SHADER[range].lines().next().unwrap_or_default())
        .collect();
    expect![[r#"
        [
            "TEMP",
            "TEMP[0]",
            "-|TEMP[0].wzyx|",
            "3:   MOV_SAT TEMP[1], -|TEMP[0].wzyx|",
            "2: IF TEMP[1].xxxx :5",
            "FRAG",
        ]
    "#]]
    .assert_debug_eq(&found);
}

#[test]
fn words_are_coloured_by_what_they_are_here() {
    let text = "FRAG\nDCL IN[0].xy, GENERIC[3], PERSPECTIVE, SAMPLE # note\n\
                DCL SVIEW[0], BUFFER, FLOAT\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\n\
                IMM[0] FLT32 {1.5, 2, 0x3f800000, 4}\n\
                7: MOV_SAT TEMP[ADDR[0].x+1].xy, -|CONST[1][2].xxxx|\n\
                LOAD TEMP[0], BUFFER[0], IN[0], COHERENT, BUFFER\nIF IN[0].xxxx :9\nSUB TEM\n";
    let all = TextRange::up_to(TextSize::of(text));
    let mut out = String::new();
    let mut last = 0;
    for token in tokens(text, all) {
        let start = usize::from(token.range.start());
        assert!(start >= last, "in order");
        if text[last..start].contains('\n') {
            out.push('\n');
        } else if last > 0 {
            out.push(' ');
        }
        let historic = if token.historic { "!" } else { "" };
        out += &format!("{}:{:?}{historic}", &text[token.range], token.kind);
        last = usize::from(token.range.end());
    }
    expect![[r#"
        FRAG:Keyword
        DCL:Keyword IN:File 0:Number xy:Components GENERIC:Word 3:Number PERSPECTIVE:Word SAMPLE:Word # note:Comment
        DCL:Keyword SVIEW:File 0:Number BUFFER:Word FLOAT:Word
        PROPERTY:Keyword FS_COORD_ORIGIN:Property LOWER_LEFT:Word
        IMM:Keyword 0:Number FLT32:Keyword 1:Number 5:Number 2:Number 0x3f800000:Number 4:Number
        7:Label MOV_SAT:Opcode TEMP:File ADDR:File 0:Number x:Components 1:Number xy:Components CONST:File 1:Number 2:Number xxxx:Components
        LOAD:Opcode TEMP:File 0:Number BUFFER:File 0:Number IN:File 0:Number COHERENT:Word BUFFER:Word
        IF:Opcode IN:File 0:Number xxxx:Components 9:Label
        SUB:Opcode!"#]].assert_eq(&out);
}

#[test]
fn accesses_know_kind_and_components() {
    let shader = shader(SHADER);
    let found = accesses(SHADER, &shader);
    let mut out = String::new();
    for access in &found {
        let kind = match access.kind {
            AccessKind::Declaration => "declares",
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
        };
        let letters = access.components.components().map(crate::ast::Component::letter);
        let letters: String = letters.collect();
        let (first, last) = (access.span.first, access.span.last);
        out += &format!("{} {kind} {first}..{last} {letters}\n", &SHADER[access.range]);
    }
    expect![[r#"
        IN[0] declares 0..0 xy
        IN[1] declares 1..1 xyzw
        OUT[0] declares 0..0 xyzw
        SAMP[0] declares 0..0 xyzw
        SVIEW[0] declares 0..0 xyzw
        CONST[0][0..3] declares 0..3 xyzw
        TEMP[0..2] declares 0..2 xyzw
        ADDR[0] declares 0..0 xyzw
        IMM[0] declares 0..0 xyzw
        IMM[1] declares 1..1 xyzw
        TEMP[0] writes 0..0 xyzw
        IN[0] reads 0..0 xy
        SAMP[0] reads 0..0 xyzw
        TEMP[1] writes 1..1 xy
        TEMP[0] reads 0..0 yz
        CONST[0][3] reads 3..3 x
        IMM[0] reads 0..0 x
        TEMP[1] reads 1..1 x
        TEMP[1] writes 1..1 xyzw
        TEMP[0] reads 0..0 xyzw
        TEMP[1] writes 1..1 w
        TEMP[0] reads 0..0 xyz
        CONST[0][ADDR[0].x+1] reads 0..3 xyz
        ADDR[0] reads 0..0 x
        OUT[0] writes 0..0 xyzw
        TEMP[1] reads 1..1 xyzw
    "#]]
    .assert_eq(&out);
    let address = SHADER.find("ADDR[0].x").expect("there") as u32;
    let inner = access_at(&found, TextSize::new(address)).expect("an access");
    assert_eq!(&SHADER[inner.range], "ADDR[0]");
}
