//! Results of a search in words: the same on the command line and in editors.

use advise::{Figures, Outcome};
use gcn::Target;
use serde::Serialize;

/// A search that has ended, with what its result means.
#[derive(Debug, Clone)]
pub(crate) struct Advice {
    /// The kind of code that it was about.
    pub(crate) code: Code,
    /// The chip.
    pub(crate) target: Target,
    /// The reason why nothing was tried.
    pub(crate) refusal: Option<&'static str>,
    /// Set where no time was given.
    pub(crate) is_without_time: bool,
    /// The search.
    pub(crate) outcome: Outcome,
}

/// The kinds of code, by what proves that two of them do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Shader,
    Kernel,
}

/// The kinds of ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ending {
    /// A better form was found and proven.
    Better,
    /// None was found.
    None,
    /// Better ones were found, and nobody can say that they do the same.
    Unproven,
    /// Nothing was tried.
    Refused,
    /// The text does not compile.
    Failed,
}

/// Figures as programs read them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct AdvisedFigures {
    waves: u32,
    vgprs: u32,
    sgprs: u32,
    clocks: u64,
    instructions: u32,
}

impl From<&Figures> for AdvisedFigures {
    fn from(it: &Figures) -> AdvisedFigures {
        let Figures { waves, clocks, vgprs, sgprs, instructions } = *it;
        AdvisedFigures { waves, vgprs, sgprs, clocks, instructions }
    }
}

impl Advice {
    /// The end that it came to.
    pub(crate) fn ending(&self) -> Ending {
        match &self.outcome {
            _ if self.refusal.is_some() => Ending::Refused,
            outcome if outcome.found.is_some() => Ending::Better,
            _ if self.is_without_time => Ending::None,
            outcome if outcome.before.is_none() => Ending::Failed,
            outcome if outcome.unproven.is_some() => Ending::Unproven,
            _ => Ending::None,
        }
    }

    /// One sentence about the search.
    pub(crate) fn message(&self) -> String {
        let tried = variants(self.outcome.tried);
        let all = if self.outcome.is_complete { ", all within reach" } else { "" };
        match self.ending() {
            Ending::Refused => self.refusal.unwrap_or_default().to_owned(),
            Ending::Failed => "does not compile".to_owned(),
            Ending::None if self.is_without_time => {
                "no time was given: nothing was tried".to_owned()
            }
            Ending::None => format!("{tried}{all}, none better"),
            Ending::Unproven => {
                let why = self.outcome.unproven.as_deref().unwrap_or_default();
                format!("{tried}, better ones among them, and none can be proven: {why}")
            }
            Ending::Better => format!("{tried}{all}; {}", self.proof()),
        }
    }

    /// Change, gain and proof in one sentence; where nothing was found, the number of variants
    /// that were tried.
    pub(crate) fn sentence(&self) -> String {
        let (Some(found), Some(before)) = (&self.outcome.found, &self.outcome.before) else {
            return self.message();
        };
        let changes = told(&found.changes).join("; ");
        let conditions: String = found.assumes.iter().map(|it| format!(", only if {it}")).collect();
        let gain = gain(before, &found.figures, self.target);
        format!("{changes}: {gain}, {}{conditions}", self.proof())
    }

    /// The proof that what was found does the same; empty where nothing was found.
    pub(crate) fn proof(&self) -> String {
        let Some(found) = &self.outcome.found else { return String::new() };
        let engines = match self.code {
            Code::Shader => "interpreter and emulator",
            Code::Kernel => "the emulator",
        };
        let open = match found.open {
            0 => String::new(),
            open => format!(", {open} results left open by the language"),
        };
        format!("the same on {} random inputs in {engines}{open}", found.inputs)
    }
}

/// Moves in words. Those of one kind in a row are told once: what a later one says of lines is
/// about a text that nobody sees.
pub(crate) fn told(changes: &[String]) -> Vec<String> {
    let kind = |change: &str| -> String { change.split(|it: char| it.is_ascii_digit()).collect() };
    let rows = changes.chunk_by(|one, two| kind(one) == kind(two));
    let rows = rows.filter_map(|row| {
        let (first, rest) = row.split_first()?;
        Some(match rest.len() {
            0 => first.clone(),
            _ if rest.iter().all(|change| change == first) => {
                format!("{first} ({} times)", row.len())
            }
            more => format!("{first}, and {more} more of this kind"),
        })
    });
    rows.collect()
}

/// A number of variants in words.
fn variants(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} variant{ending}")
}

/// The figures that are others now: `24 → 20 VGPRs, 8 → 9 waves and 620 → 596 clocks on tahiti`.
fn gain(before: &Figures, after: &Figures, target: Target) -> String {
    let rows = [
        (u64::from(before.vgprs), u64::from(after.vgprs), "VGPRs"),
        (u64::from(before.waves), u64::from(after.waves), "waves"),
        (before.clocks, after.clocks, "clocks"),
    ];
    let changed = rows.iter().filter(|(old, new, _)| old != new);
    let changed: Vec<String> =
        changed.map(|(old, new, what)| format!("{old} → {new} {what}")).collect();
    format!("{} on {}", changed.join(", "), target.name())
}

#[cfg(test)]
mod tests {
    use advise::Found;

    use super::*;

    fn advice(outcome: Outcome) -> Advice {
        let target = Target::find("tahiti").expect("a chip");
        Advice { code: Code::Shader, target, refusal: None, is_without_time: false, outcome }
    }

    #[test]
    fn moves_of_one_kind_in_a_row_are_told_once() {
        let told = |changes: &[&str]| {
            let changes: Vec<String> = changes.iter().map(|it| (*it).to_owned()).collect();
            told(&changes)
        };
        let wait = "the wait of line 29 moved to its first use";
        let other = "the wait of line 3 moved to its first use";
        assert_eq!(told(&[]), Vec::<String>::new());
        assert_eq!(told(&[wait, "line 3 after line 4"]), [wait, "line 3 after line 4"]);
        assert_eq!(told(&["again", "again", "again", wait]), ["again (3 times)", wait]);
        assert_eq!(
            told(&[wait, other, other, "again", wait]),
            [&format!("{wait}, and 2 more of this kind"), "again", wait]
        );
    }

    #[test]
    fn the_sentence_has_change_gain_and_proof() {
        let before = Figures { waves: 8, clocks: 620, vgprs: 28, sgprs: 16, instructions: 70 };
        let found = Found {
            text: String::new(),
            figures: Figures { waves: 9, clocks: 596, vgprs: 24, ..before },
            changes: vec!["line 33 after line 36".to_owned()],
            assumes: vec!["the loop ends".to_owned()],
            inputs: 32,
            open: 3,
        };
        let outcome =
            Outcome { before: Some(before), found: Some(found), tried: 212, ..Outcome::default() };
        assert_eq!(
            advice(outcome).sentence(),
            "line 33 after line 36: 28 → 24 VGPRs, 8 → 9 waves, 620 → 596 clocks on tahiti, the \
             same on 32 random inputs in interpreter and emulator, 3 results left open by the \
             language, only if the loop ends"
        );
        let none = Outcome { before: Some(before), tried: 212, ..Outcome::default() };
        assert_eq!(advice(none.clone()).sentence(), "212 variants, none better");
        let unproven = Outcome { unproven: Some("no inputs".to_owned()), ..none };
        assert_eq!(advice(unproven).ending(), Ending::Unproven);
    }
}
