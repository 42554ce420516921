//! Binary tokens of whole programs, in every era.

use crate::corpus::Program;
use crate::survival::check_words as survive;
use tgsi::ast::StatementKind;
use tgsi::format;
use tgsi::tokens::{self, Layout};

/// The first shader of a text.
///
/// # Panics
/// Where there is none.
pub fn parse(text: &str) -> tgsi::ast::Shader {
    tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader")
}

/// A program without what the specification of 2007 has no words for, in
/// declarations of that year.
fn in_words_of(layout: Layout, text: &str) -> tgsi::ast::Shader {
    let mut shader = parse(text);
    if layout == Layout::Y2007 {
        for statement in &mut shader.statements {
            if let StatementKind::Declaration(declaration) = &mut statement.kind {
                (declaration.semantic, declaration.mask) = (None, None);
            }
        }
    }
    shader
}

/// Of every program, in each era that has words for it, the tokens read back as the same text;
/// returns how many programs each era has words for.
///
/// # Panics
/// Names one that does not.
pub fn every_era_reads_what_it_writes(programs: &[Program]) -> Vec<(Layout, usize)> {
    let mut counts = Vec::new();
    for layout in Layout::ALL {
        let (mut count, mut identical) = (0, 0);
        for Program { name, text, .. } in programs {
            // Older years lack what newer programs use.
            let Ok(words) = tokens::encode(&in_words_of(layout, text), layout) else { continue };
            let decoded = tokens::decode(&words, layout);
            assert!(!decoded.has_errors(), "{name} {layout}: {:?}", decoded.diagnostics);
            let again = tokens::encode(&parse(&decoded.text), layout);
            assert_eq!(again.as_ref(), Ok(&words), "{name} {layout}\n{}", decoded.text);
            // Canonical text comes back to the last character, in every era
            // that has a token for each of its words. Blank lines are the
            // formatter's to keep, and no token's.
            let canonical = format::format(text, format::Numbers::Always);
            if let Ok(words) = tokens::encode(&parse(&canonical), layout) {
                let back = tokens::decode(&words, layout).text;
                assert!(
                    back.lines().eq(canonical.lines().filter(|line| !line.is_empty())),
                    "{name} {layout}\n{canonical}\n{back}"
                );
                identical += 1;
            }
            // The first specification has no semantics; its own text is canonical.
            let again = again.expect("as above");
            assert_eq!(tokens::decode(&again, layout).text, decoded.text);
            count += 1;
        }
        eprintln!("{layout}: {count} of {} programs", programs.len());
        eprintln!("{layout}: {identical} canonical texts come back the same");
        counts.push((layout, count));
        assert!(layout == Layout::Y2007 || identical == count, "{layout}: {identical}");
    }
    counts
}

/// Nearly every stream determines its era alone.
///
/// # Panics
/// Names the era that is not.
pub fn eras_are_told_apart(programs: &[Program]) {
    for layout in Layout::ALL {
        let (mut right, mut count, mut silent) = (0, 0, 0);
        for Program { text, .. } in programs {
            let Ok(words) = tokens::encode(&in_words_of(layout, text), layout) else { continue };
            let found = tokens::detect(&words);
            count += 1;
            right += usize::from(found.layout == layout);
            // Two eras may read the same words as the same text.
            let same =
                || tokens::decode(&words, found.layout).text == tokens::decode(&words, layout).text;
            silent += usize::from(found.layout != layout && same());
            if found.layout != layout && !same() {
                eprintln!("{layout}: {found:?}");
            }
        }
        eprintln!("{layout}: {right} of {count} told, {silent} more read the same");
        assert!((right + silent) * 100 >= count * 95, "{layout}: {right} of {count}");
    }
}

/// Streams with damage, in every era; returns how many.
///
/// # Panics
/// Where one is not survived.
pub fn damaged_streams_are_survived(streams: &[Vec<u32>]) -> usize {
    // A small generator keeps the damage the same in every run.
    let mut state = 0x2545_f491u32;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below.max(1)
    };
    let mut count = 0;
    for words in streams.iter().filter(|words| words.len() < 400) {
        survive(&words[..random(words.len())]);
        for _ in 0..2 {
            let mut damaged = words.clone();
            for _ in 0..=random(3) {
                damaged[random(words.len())] ^= 1 << random(32);
            }
            survive(&damaged);
            count += 1;
        }
    }
    eprintln!("{count} damaged streams in {} eras survived", Layout::ALL.len());
    count
}
