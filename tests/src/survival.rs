//! Properties that hold for any text and any words that the TGSI front end is given:
//! nothing panics, ranges are sound, tokens are lossless.

use source::{Diagnostic, MAX_DIAGNOSTICS, Severity, TextSize, no_checkpoint};
use tgsi::format::{self, Numbers};
use tgsi::parser::parse;
use tgsi::tokens::{self, Layout};

/// Reads, checks and formats a text; every range that comes out must lie on
/// characters of the text. Returns how many diagnostics there were.
///
/// # Panics
/// Where something does not hold.
pub fn check_text(text: &str) -> usize {
    let mut offset = 0;
    for (_, token) in tgsi::lexer::Lexer::new(text) {
        assert_eq!(usize::from(token.start()), offset, "a token begins where the last one ends");
        assert!(!token.is_empty());
        offset = token.end().into();
        assert!(text.is_char_boundary(offset), "a token ends inside a character");
    }
    assert_eq!(offset, text.len(), "tokens and text differ in length");

    let regions = tgsi::regions::split(text);
    check_diagnostics(text, &regions.diagnostics);
    let mut end = TextSize::new(0);
    let mut count = regions.diagnostics.len();
    for region in &regions.shaders {
        assert!(region.range().start() >= end, "shaders overlap");
        end = region.range().end();
        count += check_shader(region.text(text));
    }
    check_format(text);
    // A region is what the parser is for, but it must stand anything.
    count + check_shader(text)
}

fn check_shader(text: &str) -> usize {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    check_diagnostics(text, &parse.diagnostics);
    let mut count = parse.diagnostics.len();
    if let Some(shader) = &parse.shader {
        let mut end = shader.stage.range.end();
        for statement in &shader.statements {
            assert!(statement.range.start() >= end, "statements overlap");
            end = statement.range.end();
            assert!(text.get(std::ops::Range::<usize>::from(statement.range)).is_some());
        }
        let ordinals = shader.instructions().map(|instruction| instruction.ordinal);
        assert!(ordinals.eq(1..=shader.instructions().count() as u32));
        let diagnostics = tgsi::validate(shader, &no_checkpoint);
        check_diagnostics(text, &diagnostics);
        count += diagnostics.len();
        for asked in tgsi::requirements::requirements(shader, &no_checkpoint) {
            assert!(text.get(std::ops::Range::<usize>::from(asked.range)).is_some(), "{asked:?}");
        }
        let interface = tgsi::validate::linking::Interface::new(shader);
        let linked = tgsi::validate::linking::link(&interface, &interface);
        for (_, found) in linked {
            assert!(text.get(std::ops::Range::<usize>::from(found.range)).is_some(), "{found:?}");
        }
        for offset in (0..=text.len().min(400)).filter(|offset| text.is_char_boundary(*offset)) {
            let found = tgsi::cursor::at(text, shader, TextSize::new(offset as u32));
            if let Some(found) = found {
                assert!(text.get(std::ops::Range::<usize>::from(found.range)).is_some());
            }
        }
    }
    count
}

fn check_diagnostics(text: &str, diagnostics: &[Diagnostic]) {
    assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
    assert!(diagnostics.is_sorted_by_key(|found| found.range.start()), "not in order");
    for found in diagnostics {
        assert!(text.get(std::ops::Range::<usize>::from(found.range)).is_some(), "{found:?}");
        assert!(!found.message.is_empty() && found.message.len() < 1000);
        for fix in &found.fixes {
            assert!(!fix.title.is_empty());
            assert!(source::apply_edits(text, &fix.edits).is_some(), "{fix:?}");
        }
    }
}

/// Formatting never fails, and twice is once where the text has no error: what
/// is not understood may be understood otherwise when it stands elsewhere.
fn check_format(text: &str) {
    let shaders = tgsi::regions::split(text).shaders;
    let sound = shaders.iter().all(|region| {
        let found = parse(region.text(text), &no_checkpoint).diagnostics;
        found.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    });
    for numbers in [Numbers::Always, Numbers::Keep] {
        let once = format::format(text, numbers);
        let twice = format::format(&once, numbers);
        assert!(!sound || once == twice, "formatting is not settled:\n{once}\n{twice}");
    }
}

/// Reads words as every era and checks what must hold of any words: each is
/// shown once, and what is read without a complaint is written back the same,
/// through its text too.
///
/// # Panics
/// Where something does not hold.
pub fn check_words(words: &[u32]) {
    for layout in Layout::ALL {
        let decoded = tokens::decode(words, layout);
        let bits: Vec<u32> = decoded.words.iter().map(|word| word.bits).collect();
        assert_eq!(bits, words, "every word is shown once, in order");
        assert!(decoded.diagnostics.is_sorted_by_key(|found| found.word));
        assert!(decoded.diagnostics.iter().all(|found| found.word <= words.len()));
        let Some(shader) = &decoded.shader else { continue };
        let reparsed = parse(&decoded.text, &no_checkpoint).shader;
        if decoded.diagnostics.is_empty() {
            let direct = tokens::encode(shader, layout);
            let through_text = reparsed.map(|shader| tokens::encode(&shader, layout));
            if let (Ok(direct), Some(Ok(through_text))) = (direct, through_text) {
                assert_eq!(direct, through_text, "{layout}\n{}", decoded.text);
            }
        }
    }
    let bytes = tokens::to_raw(words);
    let _ = tokens::open(&bytes);
}
