//! The answers of drivers to the questions that shaders depend on.
//!
//! The shipped profiles are `data/profiles.tsv` (whose answers, under which
//! assumptions) and `data/profile_answers.tsv` (one row per question and
//! answer, with the profiles that give it). A user's own profile is a text of
//! lines `name: value`; see [`Profile::read`].

mod answer;
mod check;
mod read;

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::Stage;

pub use answer::Answer;
pub use check::{Verdict, check};
pub use read::Problem;

/// An answer for a stage, where it is asked for each.
type StageAnswer = (Option<Stage>, Answer);

/// Questions with their answers, sorted.
type Questions = &'static [(&'static str, &'static [StageAnswer])];

/// The answers of a driver, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// The name that it is chosen by, such as `radeonsi-gfx8`.
    pub name: String,
    /// The driver's name in Mesa.
    pub driver: String,
    /// The devices that it is for.
    pub description: String,
    /// The machine around it, as it was assumed; empty where nothing was.
    pub assumes: String,
    /// The day of the source, `YYYY-MM-DD`; empty where not known.
    pub date: String,
    /// The source of the answers.
    pub source: String,
    /// The answers of the shipped profile, sorted by question.
    shipped: Questions,
    /// Answers that replace those, by question.
    own: FxHashMap<String, Vec<StageAnswer>>,
}

impl Profile {
    /// The shipped profiles, those of a driver together.
    pub fn all() -> &'static [Arc<Profile>] {
        &SHIPPED
    }

    /// The shipped profile of a name; letter case does not count.
    pub fn find(name: &str) -> Option<&'static Arc<Profile>> {
        SHIPPED.iter().find(|profile| profile.name.eq_ignore_ascii_case(name))
    }

    /// Returns what the driver answers, for a stage where it is asked for each.
    pub fn answer(&self, capability: &str, stage: Stage) -> Option<Answer> {
        let answers = self.answers(capability);
        let own = answers.iter().find(|(asked, _)| *asked == Some(stage));
        let any = || answers.iter().find(|(asked, _)| asked.is_none());
        own.or_else(any).map(|(_, answer)| *answer)
    }

    /// The answers to a question, of the stages that have their own.
    fn answers(&self, capability: &str) -> &[StageAnswer] {
        let shipped = || {
            let place = self.shipped.binary_search_by_key(&capability, |(name, _)| *name);
            place.map_or(&[][..], |place| self.shipped[place].1)
        };
        self.own.get(capability).map_or_else(shipped, Vec::as_slice)
    }

    /// Replaces an answer; one for all stages replaces those of each.
    fn set(&mut self, capability: &str, stage: Option<Stage>, answer: Answer) {
        let mut answers = self.answers(capability).to_vec();
        answers.retain(|(asked, _)| stage.is_some() && *asked != stage);
        answers.push((stage, answer));
        self.own.insert(capability.to_owned(), answers);
    }
}

include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

static SHIPPED: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    let profile = |&(texts, shipped): &([&str; 6], Questions)| {
        let [name, driver, description, assumes, date, source] = texts.map(str::to_owned);
        let own = FxHashMap::default();
        Profile { name, driver, description, assumes, date, source, shipped, own }
    };
    TABLE.iter().map(profile).map(Arc::new).collect()
});

#[cfg(test)]
mod tests;
