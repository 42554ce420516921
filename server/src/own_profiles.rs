//! The driver profile that a setting or an argument names: a shipped one by its
//! name, or a file of the user's own.

use std::path::Path;
use std::sync::Arc;

use tgsi::profiles::Profile;
use thiserror::Error;

use crate::files::{Access, Refusal};

/// The most bytes of a profile's file that are read: real dumps of a driver's
/// answers have some ten thousand.
const MOST_BYTES: usize = 1 << 20;

/// The reason why a word names no profile.
#[derive(Debug, Error)]
pub(crate) enum NoProfile {
    #[error("no profile or file is called `{word}`; `{nearest}`?")]
    Misspelt { word: String, nearest: String },
    #[error("no profile or file is called `{0}`; `tungsten profiles` lists the profiles")]
    Unknown(String),
    #[error("the profile `{word}` cannot be read: {why}")]
    Unread { word: String, why: Refusal },
}

impl NoProfile {
    fn unknown(word: &str) -> NoProfile {
        let names = Profile::all().iter().map(|profile| profile.name.as_str());
        let word = word.to_owned();
        match source::closest_match(&word, names).map(|it| it.to_string()) {
            Some(nearest) => NoProfile::Misspelt { word, nearest },
            None => NoProfile::Unknown(word),
        }
    }
}

/// The profile that a word names, and a sentence for each line of its file that
/// was not understood.
pub(crate) fn find(word: &str, access: &Access) -> Result<(Arc<Profile>, Vec<String>), NoProfile> {
    if let Some(profile) = Profile::find(word) {
        return Ok((profile.clone(), Vec::new()));
    }
    let text = match access.read_text(Path::new(word), MOST_BYTES) {
        Ok(text) => text,
        // A name of nothing looks like a path beside the server.
        Err(Refusal::Outside) if !word.contains(std::path::is_separator) => {
            return Err(NoProfile::unknown(word));
        }
        Err(Refusal::Missing) => return Err(NoProfile::unknown(word)),
        Err(why) => return Err(NoProfile::Unread { word: word.to_owned(), why }),
    };
    let (profile, problems) = Profile::read(word, &text);
    let problems = problems.iter().map(|it| format!("{word}:{}: {}", it.line, it.message));
    Ok((Arc::new(profile), problems.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_files_and_near_ones_are_offered() {
        assert_eq!(find("R600", &Access::Anywhere).expect("shipped").0.name, "r600");
        let message = find("radeonsi-gfx88", &Access::Anywhere).expect_err("none").to_string();
        assert!(
            message.contains("`radeonsi-gfx8`") || message.contains("`radeonsi-gfx"),
            "{message}"
        );
    }

    #[test]
    fn a_file_is_read_with_its_problems() {
        let path =
            std::env::temp_dir().join(format!("tungsten-profile-{}.caps", std::process::id()));
        std::fs::write(&path, "base: r600\nPIPE_CAP_DOUBLES: 1\nodd\n").expect("written");
        let found = find(&path.display().to_string(), &Access::Anywhere);
        std::fs::remove_file(&path).expect("removed");
        let (profile, problems) = found.expect("read");
        assert!(profile.name.starts_with("tungsten-profile-"), "{}", profile.name);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(":3: "), "{problems:?}");
    }
}
