//! The examples of the specification of 2007, and what must not be believed.

use source::Severity;

use super::{Decoded, Layout, TokenType, decode, encode};

/// A fragment shader's stream of 2007.
fn stream(body: &[u32]) -> Vec<u32> {
    let mut words = vec![0x0101, (body.len() as u32) << 8 | 2, 0];
    words.extend(body);
    words
}

fn read(body: &[u32]) -> Decoded {
    decode(&stream(body), Layout::Y2007)
}

/// The lines after the header, numbers and blanks left out.
fn lines(decoded: &Decoded) -> Vec<String> {
    let lines = decoded.text.lines().skip(1);
    lines.map(|line| line.trim_start_matches([' ', '0', '1', ':']).to_owned()).collect()
}

fn messages(decoded: &Decoded) -> Vec<String> {
    let all = decoded.diagnostics.iter();
    all.map(|found| format!("{:?} {}: {}", found.severity, found.word, found.message)).collect()
}

/// `MOV TEMP[0], …` with the words of a source.
fn mov(source: &[u32]) -> Vec<u32> {
    let size = 2 + source.len() as u32;
    let mut words = vec![2 | size << 4 | 1 << 12 | 1 << 22 | 1 << 24, 4 | 0xf << 4];
    words.extend(source);
    words
}

const EXTENDED: u32 = 1 << 31;
const IDENTITY: u32 = 0xe4 << 4;

#[test]
fn declarations_by_range_and_by_mask() {
    let range = 0x0000_2020; // IN, by range
    assert_eq!(lines(&read(&[range, 0x0003_0001])), ["DCL IN[1..3]"]);
    assert_eq!(lines(&read(&[0x0000_2030, 0x0003_0001, 0x0005_0004])), ["DCL IN[1..5]"]);
    let apart = read(&[0x0000_2030, 0x0003_0001, 0x0007_0007]);
    assert_eq!(lines(&apart), ["DCL IN[1..3]", "DCL IN[7]"]);
    assert_eq!(lines(&read(&[0x0000_2010])), ["DCL IN[0]"]);
    let masked = read(&[0x0001_4020, 0b1100_0111]);
    assert_eq!(lines(&masked), ["DCL TEMP[0..2]", "DCL TEMP[6..7]"]);
    let interpolated = read(&[0x0010_2030, 0x0001_0001, 2]);
    assert_eq!(lines(&interpolated), ["DCL IN[1], PERSPECTIVE"]);
    for decoded in [apart, masked, interpolated] {
        assert_eq!(decoded.diagnostics, []);
    }
}

#[test]
fn immediates_of_any_number_of_floats() {
    let decoded = read(&[0x0000_0031, 0x3f80_0000, 0xbf00_0000]);
    assert_eq!(lines(&decoded), ["IMM[0] FLT32 {    1.0000,    -0.5000,     0.0000,     0.0000}"]);
    assert_eq!(
        messages(&decoded),
        ["Hint 3: 2 values; text has four, the rest is written as zero"]
    );
}

#[test]
fn sources_of_the_specification() {
    // MOV dest, -INPUT[7].xyyz
    let words = mov(&[2 | 1 << 6 | 1 << 8 | 2 << 10 | 1 << 12 | 7 << 15]);
    assert_eq!(lines(&read(&words)), ["MOV TEMP[0], -IN[7].xyyz"]);
    // MOV dest, -|TEMPORARY[11]|
    let words = mov(&[4 | IDENTITY | 11 << 15 | EXTENDED, 1 | 1 << 7 | 1 << 8]);
    assert_eq!(lines(&read(&words)), ["MOV TEMP[0], -|TEMP[11]|"]);
    // MOV dest, CONSTANT[A1.y+17]
    let words = mov(&[1 | IDENTITY | 1 << 13 | 17 << 15, 6 | 0xe5 << 4 | 1 << 15]);
    assert_eq!(lines(&read(&words)), ["MOV TEMP[0], CONST[ADDR[1].y+17]"]);
    // The order of the words of [A0.x+2] and its dimension [TEMPORARY[5].w+9]
    let words = mov(&[
        1 | IDENTITY | 1 << 13 | 1 << 14 | 2 << 15,
        6 | IDENTITY,
        1 | 9 << 15,
        4 | 0xe7 << 4 | 5 << 15,
    ]);
    let decoded = read(&words);
    assert_eq!(lines(&decoded), ["MOV TEMP[0], CONST[TEMP[5].w+9][ADDR[0].x+2]"]);
    assert_eq!(decoded.diagnostics, []);
    assert_eq!(decoded.words[7].kind, TokenType::Dimension);
}

#[test]
fn what_text_cannot_say_is_reported() {
    // SWZ dest, TEMPORARY[12], 0, -1, x, -w
    let swizzle = 4 << 4 | 5 << 8 | 3 << 16 | 1 << 21 | 1 << 23 | 5 << 24;
    let decoded = read(&mov(&[4 | IDENTITY | 12 << 15 | EXTENDED, swizzle]));
    assert_eq!(lines(&decoded), ["MOV TEMP[0], TEMP[12].0-1x-w"]);
    assert_eq!(messages(&decoded), [""; 0]);
    // MOV dest, TEMPORARY[TEMPORARY[TEMPORARY[6].y+26].z]
    let decoded = read(&mov(&[
        4 | IDENTITY | 1 << 13,
        4 | 0xe6 << 4 | 1 << 13 | 26 << 15,
        4 | 0xe5 << 4 | 6 << 15,
    ]));
    assert_eq!(messages(&decoded), ["Error 6: text has no form for an index of an index"]);
    assert_eq!(decoded.words[7].kind, TokenType::Indirect, "the chain is followed");
    // MOV TEMPORARY[0] (EQ1.xyww), source
    let words = [
        2 | 4 << 4 | 1 << 12 | 1 << 22 | 1 << 24,
        4 | 0xf << 4 | EXTENDED,
        1 << 4 | 0xf4 << 8 | 1 << 16,
        2 | IDENTITY,
    ];
    let decoded = read(&words);
    assert_eq!(lines(&decoded), ["MOV TEMP[0] (EQ1.xyww), IN[0]"]);
    comes_back(&words);
    // MOVC: a condition register is written
    let mut words = mov(&[2 | IDENTITY]);
    words[0] += 1 << 4 | EXTENDED;
    words.insert(1, 1 << 28);
    assert_eq!(
        messages(&read(&words)),
        ["Warning 4: text has no form for writing a condition register; it is lost"]
    );
}

#[test]
fn labels_textures_and_saturation_are_extensions() {
    let words = [
        2 | 7 << 4 | 52 << 12 | 1 << 20 | 1 << 22 | 2 << 24 | EXTENDED,
        2 | 5 << 4 | EXTENDED,
        9 | EXTENDED,
        1 | 3 << 4 | 1 << 28,
        4 | 0xf << 4,
        2 | IDENTITY,
        5 | IDENTITY,
        // CAL 4
        2 | 2 << 4 | 62 << 12 | EXTENDED,
        1 | 4 << 4,
    ];
    let decoded = read(&words);
    let lost = "// word 6: text has no form for the name of a label; it is lost";
    assert_eq!(lines(&decoded), ["TEX_SAT TEMP[0], IN[0], SAMP[0], RECT", lost, "CAL :4"]);
    assert_eq!(
        messages(&decoded),
        [
            "Warning 5: an extension of the unknown type 9 is skipped",
            "Warning 6: text has no form for the name of a label; it is lost"
        ]
    );
}

#[test]
fn unknown_tokens_are_skipped_by_their_size() {
    let decoded = read(&[0x0000_003f, 1, 2, 2 | 1 << 4 | 133 << 12]);
    assert_eq!(lines(&decoded), ["END"]);
    assert_eq!(
        messages(&decoded),
        ["Warning 3: a token of the unknown type 15 is skipped by its size 3"]
    );
    let decoded = read(&[0x0000_000f, 1]);
    assert_eq!(messages(&decoded), ["Error 3: a token of the unknown type 15 and of size 0"]);
}

#[test]
fn versions_above_the_known_ones() {
    let mut words = stream(&[2 | 1 << 4 | 133 << 12]);
    words[0] = 0x0301;
    let decoded = decode(&words, Layout::Y2007);
    assert_eq!(lines(&decoded), ["END"]);
    assert_eq!(
        messages(&decoded),
        ["Warning 0: version 1.3 is newer than 1.1: it must not be executed"]
    );
    words[0] = 0x0102;
    let decoded = decode(&words, Layout::Y2007);
    assert!(decoded.shader.is_none() && decoded.text.is_empty());
    assert_eq!(messages(&decoded), ["Error 0: version 2 is refused: the highest known is 1"]);
}

#[test]
fn truncated_streams_name_the_word() {
    let words = stream(&mov(&[1 | IDENTITY | 1 << 13 | 17 << 15, 6 | IDENTITY]));
    for length in 0..words.len() {
        let decoded = decode(&words[..length], Layout::Y2007);
        assert!(decoded.has_errors(), "{length}");
        assert_eq!(decoded.words.len(), length);
        let last = decoded.diagnostics.last().unwrap();
        assert!(last.word <= length && last.severity == Severity::Error, "{last:?}");
    }
    let claims = [0xffff_ff02, 0, 0x0007_5002];
    let decoded = decode(&claims, Layout::Y2016);
    assert_eq!(
        messages(&decoded),
        ["Error 0: the body is stated to have 16777215 words, but has 1"]
    );
    assert_eq!(lines(&decoded), ["END"]);
}

fn parse(text: &str) -> crate::ast::Shader {
    let parse = crate::parser::parse(text, &source::no_checkpoint);
    assert!(parse.diagnostics.iter().all(|it| it.severity != Severity::Error), "{text}");
    parse.shader.unwrap()
}

#[test]
fn every_era_writes_what_it_reads() {
    let text = "FRAG\nDCL IN[0..1], PERSPECTIVE\nDCL OUT[0]\nDCL SAMP[0]\nDCL CONST[0..3]\n\
        DCL TEMP[0..2]\nDCL ADDR[0]\nIMM[0] FLT32 {1, -0.1, 3e-30, 0x7fc00001}\n\
        ARL ADDR[0].x, IN[0].yyyy\nTEX TEMP[0], IN[0].xyyy, SAMP[0], 2D\n\
        MAD_SAT TEMP[1].xy, -|TEMP[0]|, CONST[ADDR[0].x+2], -IMM[0].wzyx\nIF TEMP[1].xxxx :5\n\
        MOV OUT[0], TEMP[1]\nENDIF\nEND\n";
    let shader = parse(text);
    for layout in Layout::ALL {
        let words = encode(&shader, layout).unwrap_or_else(|it| panic!("{layout}: {}", it.message));
        let decoded = decode(&words, layout);
        assert_eq!(messages(&decoded), [""; 0], "{layout}\n{}", decoded.text);
        let again = encode(&parse(&decoded.text), layout);
        assert_eq!(again.as_ref(), Ok(&words), "{layout}\n{}", decoded.text);
        assert_eq!(encode(&decoded.shader.unwrap(), layout).as_ref(), Ok(&words), "{layout}");
    }
}

#[test]
fn what_an_era_lacks_is_refused() {
    let refusal = |text: &str, layout| encode(&parse(text), layout).unwrap_err().message;
    assert_eq!(
        refusal("VERT\nUADD TEMP[0], TEMP[0], TEMP[0]\nEND\n", Layout::Y2007),
        "the tokens of 2007 have no number for opcode `UADD`"
    );
    assert_eq!(
        refusal("VERT\nDCL TEMP[0], LOCAL\nEND\n", Layout::Y2009),
        "a declaration token of 2009 has no Local"
    );
    assert_eq!(
        refusal("VERT\nMOV TEMP[40000], TEMP[0]\nEND\n", Layout::Y2016),
        "40000 does not fit the signed 16 bits of Index"
    );
    assert_eq!(
        refusal("COMP\nEND\n", Layout::Y2009),
        "the tokens of 2009 have no number for stage `COMP`"
    );
    let under =
        |test: &str| format!("VERT\nDCL TEMP[0]\nMOV TEMP[0] ({test}1.xyww), TEMP[0]\nEND\n");
    for (test, layout) in [("UN", Layout::Y2007), ("FL", Layout::Y2007), ("NE", Layout::Y2008)] {
        let message = refusal(&under(test), layout);
        assert!(message.ends_with(&format!("have no sure number for `{test}`")), "{message}");
    }
    assert!(encode(&parse(&under("UN")), Layout::Y2008).is_ok());
    let broken = crate::parser::parse("VERT\nMOV TEMP[0]\n", &source::no_checkpoint);
    let refused = encode(&broken.shader.unwrap(), Layout::Y2016).unwrap_err();
    assert_eq!(refused.message, "a statement with an error has no tokens");
}

#[test]
fn predicates_and_signed_saturation_of_their_years() {
    let text = "VERT\nDCL PRED[0]\n(!PRED[0].yyyy) MOV_SSAT OUT[0].x, IN[0]\nEND\n";
    for layout in [Layout::Y2009, Layout::Y2012] {
        let words = encode(&parse(text), layout).unwrap();
        let decoded = decode(&words, layout);
        assert_eq!(decoded.diagnostics, []);
        assert_eq!(lines(&decoded)[1], "(!PRED[0].yyyy) MOV_SSAT OUT[0].x, IN[0]");
    }
    assert!(encode(&parse(text), Layout::Y2016).is_err());
}

#[test]
fn every_opcode_with_a_number_comes_back() {
    let mut count = 0;
    let opcodes = crate::Opcode::all().filter(|opcode| !opcode.is_gap() && opcode.had_text_form());
    for row in opcodes.map(crate::Opcode::row) {
        let operands = (0..row.destinations + row.sources).map(|place| format!("TEMP[{place}]"));
        let target = row.texture.then(|| "2D".to_owned());
        let operands: Vec<String> = operands.chain(target).collect();
        let text = format!("FRAG\n{} {}\n", row.mnemonic, operands.join(", "));
        for layout in Layout::ALL {
            let Ok(words) = encode(&parse(&text), layout) else { continue };
            let decoded = decode(&words, layout);
            assert!(!decoded.has_errors(), "{layout} {text}{:?}", decoded.diagnostics);
            let again = encode(&parse(&decoded.text), layout);
            assert_eq!(again, Ok(words), "{layout} {text}");
            let same = lines(&decoded)[0].starts_with(row.mnemonic);
            // Names that were dropped come back under the one that stayed.
            count += usize::from(same);
        }
    }
    assert!(count > 900, "only {count} opcodes came back");
}

#[test]
fn problems_without_end_are_counted() {
    let decoded = decode(&[0x0010_0002, 0].repeat(2000), Layout::Y2016);
    assert!(decoded.diagnostics.len() <= source::MAX_DIAGNOSTICS + 1);
    let words: Vec<u32> = [2 << 8 | 2, 0].into_iter().chain([0x0000_0025; 2]).collect();
    assert_eq!(
        messages(&decode(&words, Layout::Y2016)),
        ["Warning 2: a token of the unknown type 5 is skipped by its size 2"]
    );
    let mut words = vec![4096 << 8 | 2, 0];
    words.extend([0x000f_d002; 4096]);
    let decoded = decode(&words, Layout::Y2016);
    assert_eq!(messages(&decoded).last().unwrap(), "Error 4098: there are 3596 more problems");
}

/// Sentences that the specification of 2007 says in passing.
#[test]
fn bits_that_must_be_zero_are_looked_at() {
    let end = 2 | 1 << 4 | 133 << 12;
    let mut words = stream(&[end | 1 << 28]);
    assert_eq!(
        messages(&decode(&words, Layout::Y2007)),
        ["Hint 3: the padding of this instruction word is 0x1, not 0"]
    );
    words = stream(&[end]);
    (words[0], words[2]) = (0x0002_0101, 0x30);
    assert_eq!(
        messages(&decode(&words, Layout::Y2007)),
        [
            "Hint 0: the padding of this version word is 0x2, not 0",
            "Hint 2: the padding of this processor word is 0x3, not 0"
        ]
    );
    // Of an extension, once its type is known.
    let words = mov(&[4 | IDENTITY | EXTENDED, 1 | 1 << 7 | 1 << 9]);
    assert_eq!(
        messages(&read(&words)),
        ["Hint 6: the padding of this modifier extension word is 0x1, not 0"]
    );
}

#[test]
fn words_between_header_and_body_are_skipped() {
    let end = 2 | 1 << 4 | 133 << 12;
    // The header is four words long: two follow the processor.
    let words = [0x0101, 1 << 8 | 4, 1, 77, 78, end];
    let decoded = decode(&words, Layout::Y2007);
    assert_eq!(decoded.text, "VERT\n  0: END\n");
    assert_eq!(decoded.diagnostics, []);
    assert_eq!([decoded.words[3].kind, decoded.words[4].kind], [TokenType::Unknown; 2]);
    // Without a processor word nobody knows the stage.
    let decoded = decode(&[0x0101, 1 << 8 | 1, end], Layout::Y2007);
    assert_eq!(messages(&decoded), ["Error 1: there is no processor word: the stage is not known"]);
}

#[test]
fn signs_before_and_after_the_absolute_value() {
    let source = |negate: u32, modifier: u32| {
        let words = mov(&[4 | IDENTITY | negate << 12 | EXTENDED, 1 | modifier << 4]);
        let decoded = read(&words);
        assert_eq!(decoded.diagnostics, []);
        lines(&decoded)[0].trim_start_matches("MOV TEMP[0], ").to_owned()
    };
    let (absolute, negate) = (1 << 3, 1 << 4);
    assert_eq!(source(1, 0), "-TEMP[0]");
    assert_eq!(source(0, negate), "-(TEMP[0])");
    assert_eq!(source(1, negate), "-(-TEMP[0])", "both cancel out");
    assert_eq!(source(1, absolute), "|TEMP[0]|", "the first is ignored");
    assert_eq!(source(1, absolute | negate), "-(|-TEMP[0]|)");
    assert_eq!(source(0, absolute | negate), "-|TEMP[0]|");
}

#[test]
fn extensions_at_their_default_values_say_nothing() {
    // Every extension an instruction, a source and a destination can have,
    // filled as the specification says that has no effect.
    let words = [
        2 | 10 << 4 | 1 << 12 | 1 << 22 | 1 << 24 | EXTENDED,
        6 << 16 | 0xe4 << 20 | EXTENDED,
        1 | 1 << 28 | EXTENDED,
        2,
        4 | 0xf << 4 | EXTENDED,
        6 << 4 | 0xe4 << 8 | EXTENDED,
        1,
        2 | IDENTITY | EXTENDED,
        1 << 8 | 2 << 12 | 3 << 16 | 5 << 24 | EXTENDED,
        1,
    ];
    let decoded = read(&words);
    assert_eq!(lines(&decoded), ["MOV TEMP[0], IN[0]"]);
    let problems = messages(&decoded);
    assert!(problems.iter().all(|it| it.contains("texture target")), "{problems:?}");
}

#[test]
fn dimensions_and_extensions_chain_in_their_order() {
    // A dimension of a dimension is followed, though text has two brackets only.
    let words = mov(&[1 | IDENTITY | 1 << 14 | 3 << 15, 1 << 1 | 4 << 15, 5 << 15]);
    let decoded = read(&words);
    assert_eq!(messages(&decoded), ["Error 7: text has no form for a third index"]);
    assert_eq!(decoded.words[7].kind, TokenType::Dimension);
    // First the extension, then the indirect word, then the dimension and its own.
    let words = mov(&[
        1 | IDENTITY | 1 << 13 | 1 << 14 | 2 << 15 | EXTENDED,
        1 | 1 << 7,
        6 | IDENTITY,
        1 | 9 << 15,
        4 | 0xe7 << 4 | 5 << 15,
    ]);
    let decoded = read(&words);
    assert_eq!(lines(&decoded), ["MOV TEMP[0], |CONST[TEMP[5].w+9][ADDR[0].x+2]|"]);
    let kinds: Vec<TokenType> = decoded.words[5..].iter().map(|word| word.kind).collect();
    let wanted = [TokenType::Source, TokenType::ModifierExtension, TokenType::Indirect];
    assert_eq!(kinds, [&wanted[..], &[TokenType::Dimension, TokenType::Indirect]].concat());
}

#[test]
fn conditions_precision_and_divisors_are_named_as_lost() {
    let with = |extension: u32| {
        let mut words = mov(&[2 | IDENTITY]);
        words[0] += 1 << 4 | EXTENDED;
        words.insert(1, extension);
        messages(&read(&words))
    };
    let lost = |what: &str| [format!("Warning 4: text has no form for {what}; it is lost")];
    assert_eq!(with(1 << 29), lost("execution under a condition"));
    assert_eq!(with(2 << 4), lost("a precision"));
    let mut words = mov(&[2 | IDENTITY]);
    words[0] += 1 << 4;
    words[1] |= EXTENDED;
    words.insert(2, 1 | 3 << 4);
    assert_eq!(lines(&read(&words)), ["MOV TEMP[0]_8X, IN[0]"]);
    comes_back(&words);
    let divided = mov(&[4 | IDENTITY | EXTENDED, 1 << 8 | 2 << 12 | 3 << 16 | 3 << 24]);
    assert_eq!(
        messages(&read(&divided)),
        ["Warning 6: text has no form for division by a component; it is lost"]
    );
    assert!(read(&divided).has_losses());
    let comment = "// word 6: text has no form for division by a component; it is lost";
    assert_eq!(lines(&read(&divided))[1], comment);
}

/// Asserts that the text of a body becomes its words again.
fn comes_back(body: &[u32]) {
    let decoded = read(body);
    assert_eq!(decoded.diagnostics, [], "{}", decoded.text);
    let parse = crate::parser::parse(&decoded.text, &source::no_checkpoint);
    let again = encode(&parse.shader.expect("a shader"), Layout::Y2007);
    assert_eq!(again, Ok(stream(body)), "{}", decoded.text);
}

#[test]
fn forms_of_sources_come_back_to_the_same_words() {
    let extended = |word: u32| mov(&[4 | IDENTITY | 3 << 15 | EXTENDED, word]);
    // Every set of complement, bias, scale, absolute value and sign.
    for bits in 1..32 {
        comes_back(&extended(1 | bits << 4));
    }
    // Constants and signs of the first two components; the divisor is one.
    for (x, y, signs) in [(4, 1, 0), (5, 4, 1), (0, 5, 2), (3, 3, 15)] {
        comes_back(&extended(x << 4 | y << 8 | 2 << 12 | 3 << 16 | signs << 20 | 5 << 24));
    }
    // Both, and a sign within.
    let swizzle = 5 << 4 | 1 << 8 | 2 << 12 | 4 << 16 | 5 << 24 | EXTENDED;
    comes_back(&mov(&[4 | IDENTITY | 1 << 12 | EXTENDED, swizzle, 1 | 0b111 << 4]));
}
