//! Requirements against a profile.

use source::{Diagnostic, Severity};

use super::{Answer, Profile};
use crate::Stage;
use crate::codes;
use crate::requirements::{Demand, Requirement};

/// The most profiles that a message names.
const NAMED: usize = 5;

/// The question whose answer 0 means that there is no such stage.
const STAGE: &str = "PIPE_SHADER_CAP_MAX_INSTRUCTIONS";

/// The verdict of a profile about a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The driver has it.
    Met(Answer),
    /// The driver does not have it, or not enough of it.
    Unmet(Answer),
    /// The profile says nothing of it.
    Unknown,
}

impl Profile {
    /// Returns what the profile says of a requirement of a shader of a stage.
    pub fn verdict(&self, stage: Stage, requirement: &Requirement) -> Verdict {
        match self.answer(requirement.capability, stage) {
            None => Verdict::Unknown,
            Some(answer) if meets(answer, requirement.demand) => Verdict::Met(answer),
            Some(answer) => Verdict::Unmet(answer),
        }
    }

    /// Tells whether the driver has a stage at all; true where nothing is known.
    pub fn has_stage(&self, stage: Stage) -> bool {
        self.answer(STAGE, stage).is_none_or(|answer| answer.parts[0] > 0)
    }
}

fn meets(answer: Answer, demand: Demand) -> bool {
    let [number, ..] = answer.parts;
    match demand {
        Demand::Yes => number != 0,
        Demand::AtLeast(wanted) => number >= wanted,
        Demand::AtMost(wanted) => number <= wanted,
        Demand::AtLeastEach(wanted) => {
            answer.parts.iter().zip(wanted).all(|(number, wanted)| *number >= wanted)
        }
        Demand::Form(yes) => (number != 0) == yes,
    }
}

/// Returns what a shader of a stage uses beyond a profile.
pub fn check(profile: &Profile, stage: Stage, requirements: &[Requirement]) -> Vec<Diagnostic> {
    if !profile.has_stage(stage) {
        let header = requirements.iter().find(|requirement| requirement.capability == STAGE);
        let range = header.map(|header| header.range).unwrap_or_default();
        let have = others(|other| other.has_stage(stage));
        let message = format!("`{}` has no stage {stage}{have}", profile.name);
        return vec![Diagnostic::warning(codes::CAPABILITY, range, message)];
    }
    let unmet =
        requirements.iter().filter_map(|requirement| match profile.verdict(stage, requirement) {
            Verdict::Unmet(answer) => Some(diagnostic(profile, stage, requirement, answer)),
            _ => None,
        });
    unmet.collect()
}

fn diagnostic(
    profile: &Profile,
    stage: Stage,
    requirement: &Requirement,
    answer: Answer,
) -> Diagnostic {
    let Requirement { capability, demand, range, why } = requirement;
    let name = &profile.name;
    let (severity, message) = match demand {
        Demand::Form(_) => (
            Severity::Hint,
            format!("`{name}` expects the other form: {why}, and its {capability} is {answer}"),
        ),
        Demand::Yes => {
            (severity(answer), format!("{why} needs {capability}, which `{name}` does not have"))
        }
        _ => (
            severity(answer),
            format!("{why}: more than `{name}` allows, whose {capability} is {answer}"),
        ),
    };
    let have = others(|other| {
        other.has_stage(stage) && matches!(other.verdict(stage, requirement), Verdict::Met(_))
    });
    Diagnostic::new(codes::CAPABILITY, severity, *range, message + &have)
}

/// Returns what depends on an assumed machine is not certain.
fn severity(answer: Answer) -> Severity {
    if answer.uncertain { Severity::Hint } else { Severity::Warning }
}

/// The shipped profiles that something holds for, as the end of a message.
fn others(holds: impl Fn(&Profile) -> bool) -> String {
    let mut names =
        Profile::all().iter().filter(|profile| holds(profile)).map(|it| it.name.as_str());
    let first: Vec<&str> = names.by_ref().take(NAMED).collect();
    let rest = match names.count() {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    match first.as_slice() {
        [] => "; no profile has it".to_owned(),
        [one] if rest.is_empty() => format!("; {one} has it"),
        several => format!("; {}{rest} have it", several.join(", ")),
    }
}
