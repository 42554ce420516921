//! Requirements of a shader to a driver: each capability that its words, numbers and limits depend
//! on, with the place that asks for the most.
//!
//! The rows of [`capabilities`](crate::capabilities) that say no more than
//! "this word needs it" are followed as they stand; those with a condition or
//! a number have their rule here. Capabilities that no shader shows are in
//! `data/capabilities_elsewhere.tsv`, each with the reason.

mod counts;
mod gather;
mod sampling;
#[cfg(test)]
pub(crate) mod tests;

use rustc_hash::FxHashMap;
use source::TextRange;

use crate::ast::Shader;
use crate::capabilities::{self, CapabilityKind};

/// An answer that a driver must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Demand {
    /// Yes: anything but 0.
    Yes,
    /// At least this number.
    AtLeast(i64),
    /// At most this number.
    AtMost(i64),
    /// At least this in each of three directions.
    AtLeastEach([i64; 3]),
    /// Yes or no, as the shader is written; the driver wants one of two forms.
    Form(bool),
}

/// One thing that a shader asks of a driver.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// The name of the question, such as `PIPE_CAP_DOUBLES`. Questions that
    /// begin with `PIPE_SHADER_CAP_` are asked for the shader's stage.
    pub capability: &'static str,
    /// The answer that is needed.
    pub demand: Demand,
    /// The place that asks for the most, or the first one.
    pub range: TextRange,
    /// The part of the shader that asks, as the subject of a sentence: "`DADD`", "an input out of a
    /// computed number".
    pub why: String,
}

/// Returns what a shader asks for, each capability once, in order of the text. Calls `checkpoint`
/// every few hundred instructions.
pub fn requirements(shader: &Shader, checkpoint: source::Checkpoint<'_>) -> Vec<Requirement> {
    let mut needs = Needs::default();
    gather::gather(shader, &mut needs, checkpoint);
    let mut all = needs.all;
    all.sort_by_key(|requirement| (requirement.range.start(), requirement.capability));
    all
}

/// Requirements by capability, the strongest of each.
#[derive(Default)]
struct Needs {
    all: Vec<Requirement>,
    places: FxHashMap<(&'static str, bool), usize>,
}

impl Needs {
    /// Notes a demand; `why` is made only where it is the strongest so far.
    fn ask(
        &mut self,
        capability: &'static str,
        demand: Demand,
        range: TextRange,
        why: impl FnOnce() -> String,
    ) {
        // The two forms of one thing may both be used.
        let key = (capability, demand == Demand::Form(true));
        match self.places.get(&key) {
            None => {
                self.places.insert(key, self.all.len());
                self.all.push(Requirement { capability, demand, range, why: why() });
            }
            Some(place) => {
                let known = &mut self.all[*place];
                if is_stronger(demand, known.demand) {
                    *known = Requirement { capability, demand, range, why: why() };
                }
            }
        }
    }

    /// Notes that a word is used: what it needs without a condition, or in
    /// this stage.
    fn word(&mut self, list: &str, word: &str, stage: crate::Stage, range: TextRange) {
        for row in capabilities::of(list, word) {
            let counts = row.when.is_empty()
                || row.when.strip_prefix("in ").is_some_and(|named| named == stage.word());
            if row.kind == CapabilityKind::Need && counts {
                self.ask(row.name, Demand::Yes, range, || format!("`{word}`"));
            }
        }
    }
}

fn is_stronger(demand: Demand, known: Demand) -> bool {
    match (demand, known) {
        (Demand::AtLeast(new), Demand::AtLeast(old)) => new > old,
        (Demand::AtMost(new), Demand::AtMost(old)) => new < old,
        _ => false,
    }
}
