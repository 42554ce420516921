//! A user's own profile: lines `name: value`, as dumps of a driver's answers
//! have them.

use std::path::Path;

use super::{Answer, Profile};
use crate::Stage;

/// A line that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its number, from 1.
    pub line: usize,
    /// The problem, in words.
    pub message: String,
}

/// The word for a shipped profile whose answers stand in for what is not said.
const BASE: &str = "base";

impl Profile {
    /// Reads a profile. `file` is its file's name, whose stem names the profile.
    ///
    /// A line is empty, a comment behind `#`, a stage (`VERT:`, `fragment:`)
    /// for which the `PIPE_SHADER_CAP_` lines below it are meant, or
    /// `name: value`. Before any stage they are meant for all. Values are
    /// numbers, `yes`, `no`, `unlimited` or three numbers with commas.
    /// `base: radeonsi-gfx8` takes what is not said from a shipped profile.
    /// Questions that no shader depends on are kept and never asked.
    pub fn read(file: &str, text: &str) -> (Profile, Vec<Problem>) {
        let name = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
        let mut profile = Profile {
            name: name.into_owned(),
            driver: "own".to_owned(),
            source: file.to_owned(),
            ..Profile::default()
        };
        let mut problems = Vec::new();
        let mut own: Vec<(&str, Option<Stage>, Answer)> = Vec::new();
        let mut stage = None;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let read = match line.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
                _ if line.is_empty() => Ok(()),
                None => Err(format!("`{line}` is not `name: value`")),
                Some((key, "")) => stage_named(key)
                    .map(|named| stage = Some(named))
                    .ok_or_else(|| format!("`{key}` is not a stage")),
                Some((BASE, name)) => match Profile::find(name) {
                    Some(base) => {
                        profile.shipped = base.shipped;
                        Ok(())
                    }
                    None => Err(format!("no profile is called `{name}`")),
                },
                Some((key, value)) => match (Answer::parse(value), key.starts_with("PIPE_")) {
                    (_, false) => Err(format!("`{key}` is not a capability")),
                    (None, true) => Err(format!("`{value}` is not an answer")),
                    (Some(answer), true) => {
                        let per_stage = key.starts_with("PIPE_SHADER_CAP_");
                        own.push((key, stage.filter(|_| per_stage), answer));
                        Ok(())
                    }
                },
            };
            if let Err(message) = read {
                problems.push(Problem { line: number + 1, message });
            }
        }
        for (key, stage, answer) in own {
            profile.set(key, stage, answer);
        }
        (profile, problems)
    }
}

/// The stage of a word of ours or of Gallium's.
fn stage_named(word: &str) -> Option<Stage> {
    let word = word.to_ascii_uppercase();
    let word = word.strip_prefix("PIPE_SHADER_").unwrap_or(&word);
    Some(match word {
        "VERTEX" => Stage::Vertex,
        "FRAGMENT" => Stage::Fragment,
        "GEOMETRY" => Stage::Geometry,
        "COMPUTE" => Stage::Compute,
        word => return Stage::from_word(word),
    })
}
