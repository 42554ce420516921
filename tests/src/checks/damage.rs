//! Texts and token streams of TGSI, damaged at random: nothing panics, ranges lie in their
//! text, a layout keeps the meaning, and what is encoded is decoded.

use source::{Severity, TextSize, no_checkpoint};
use tgsi::parser::parse;
use tgsi::tokens::{self, Layout};

use crate::checks::{formatting, services};
use crate::random_shaders::Numbers;
use crate::search::search;
use crate::survival::{check_text, check_words};
use crate::writers::{fields, shaders};

/// Damages the texts of programs for some seconds.
///
/// # Panics
/// Shows the text that is not survived.
pub fn damaged_texts_are_survived(programs: Vec<String>, seconds: f64) {
    let language = shaders::language(programs);
    search("TGSI texts", seconds, |random| language.text(random), |text| is_survived(text));
}

/// Asks everything of a text; returns whether nothing is wrong in it for certain.
fn is_survived(text: &str) -> bool {
    check_text(text);
    let regions = tgsi::regions::split(text).shaders;
    let mut is_sound = !regions.is_empty();
    for region in &regions {
        let part = region.text(text);
        services::ask_all(part);
        for offset in services::offsets(part).step_by(part.len() / 4 + 1) {
            services::ask(part, offset);
        }
        services::ask(part, TextSize::of(part));
        let parsed = parse(part, &no_checkpoint);
        let Some(shader) = parsed.shader else { continue };
        let found = tgsi::validate(&shader, &no_checkpoint);
        let mut all = parsed.diagnostics.iter().chain(&found);
        is_sound &= all.all(|found| found.severity != Severity::Error);
        let _ = lower::lower(&shader, lower::Generation::Gfx8);
        for layout in Layout::ALL {
            if let Ok(words) = tokens::encode(&shader, layout) {
                check_words(&words);
            }
        }
    }
    if let Err(broken) = formatting::check(text) {
        // Of a text with errors a layout may be refused, and it stays as it is.
        assert!(!is_sound && broken.ends_with(formatting::REFUSED), "formatting: {broken}");
    }
    is_sound
}

/// Damages the token streams of programs, in every era, for some seconds.
///
/// # Panics
/// Shows the stream that is not survived.
pub fn damaged_streams_are_survived(programs: Vec<String>, seconds: f64) {
    let mut streams = Vec::new();
    for text in programs.iter().filter(|text| text.len() < 8_000) {
        let Some(shader) = parse(text, &no_checkpoint).shader else { continue };
        streams
            .extend(Layout::ALL.iter().filter_map(|layout| tokens::encode(&shader, *layout).ok()));
    }
    assert!(streams.len() >= 2, "no stream to damage");
    let damaged = |random: &mut Numbers| {
        let mut words = streams[random.below(streams.len())].clone();
        for _ in 0..random.below(6) {
            fields::damage_words(&mut words, &streams, random);
        }
        words.truncate(4_000);
        words
    };
    search("TGSI tokens", seconds, damaged, |words| {
        check_words(words);
        let decoded = Layout::ALL.map(|layout| tokens::decode(words, layout));
        decoded.iter().any(|it| it.shader.is_some() && it.diagnostics.is_empty())
    });
}
