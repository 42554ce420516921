//! Files of inputs, settings and frames, damaged at random: an answer or a reason, and
//! every place within the text.

use std::ops::Range;

use server::readers;
use source::Severity;

use crate::search::search;
use crate::writers::frames::{self, Stream};
use crate::writers::settings;

/// Damages files of inputs for so many seconds.
///
/// # Panics
/// Where a mistake has no place in its text.
pub fn damaged_inputs_are_read(texts: impl IntoIterator<Item = String>, seconds: f64) {
    let language = settings::inputs(texts);
    search(
        "files of inputs",
        seconds,
        |random| language.text(random),
        |text: &String| match tgsi_interp::inputs::Inputs::read(text) {
            Ok(inputs) => {
                let _ = inputs.quad();
                true
            }
            Err(mistake) => {
                assert!(text.get(mistake.range.clone()).is_some(), "{mistake:?}");
                assert!(!mistake.message.is_empty() && !mistake.message.contains('\n'));
                assert!(mistake.line(text) <= 1 + text.matches('\n').count());
                false
            }
        },
    );
}

/// Damages files of projects and of users, and sections of editors, for so many seconds.
///
/// # Panics
/// Where a problem has no place in its text.
pub fn damaged_settings_are_read(seconds: f64) {
    let language = settings::project();
    search(
        "files of settings",
        seconds,
        |random| language.text(random),
        |text: &String| {
            let problems = readers::project(text);
            for problem in &problems {
                assert!(text.get(Range::<usize>::from(problem.range)).is_some(), "{problem:?}");
            }
            let _ = readers::user(text);
            problems.iter().all(|it| it.severity != Severity::Error)
        },
    );
    search(
        "settings of editors",
        seconds,
        |random| Section(settings::section(random)),
        |section| {
            let problems = readers::section(&section.0);
            assert!(problems.iter().all(|it| !it.is_empty()));
            problems.is_empty()
        },
    );
}

#[derive(Debug)]
struct Section(serde_json::Value);

impl crate::search::Size for Section {
    fn bytes(&self) -> usize {
        self.0.to_string().len()
    }
}

/// Damages frames of the wire for so many seconds.
///
/// # Panics
/// Where a sound frame is lost, or more comes out than went in.
pub fn damaged_frames_are_answered(seconds: f64) {
    search("frames", seconds, frames::stream, |stream: &Stream| {
        let messages = readers::messages(stream.pieces.iter().map(Vec::as_slice));
        for message in &messages {
            let message: serde_json::Value =
                serde_json::from_slice(message).expect("what comes out is JSON");
            assert_eq!(message["jsonrpc"], "2.0", "{message}");
        }
        if let Some(sound) = &stream.sound {
            assert_eq!(&messages, sound, "sound frames come out as they are");
        }
        stream.sound.is_some()
    });
}
