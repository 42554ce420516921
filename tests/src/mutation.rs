//! Seeded faults: one thing at a time is changed in a shader's lowered text or in its
//! machine code, and both sides are compared, to learn whether the fault would be found.
//!
//! A fault is looked for three times: by the shader's own outputs; where these do not show
//! it, by one more output that shows what the instruction at fault writes ([`probe`]: many
//! shaders of the corpora only say whether a result is as expected); and on more inputs.
//! What changes nothing is proven to: the compiler makes the same machine code of it, at once
//! or of both texts in their normal form ([`normal`]), in which the right one still agrees; or
//! the analysis of waits finds none missing on any path.

pub mod faults;
pub mod machine;
pub mod normal;
pub mod probe;

use std::collections::BTreeMap;

use diff_exec::{Random, Verdict};
use gcn::Target;
use llvm::{Compiler, Job};
use tgsi::ast::Shader;

use crate::agreement::{check, job, parsed};
use faults::{Fault, Kind};

/// The fate of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The shader's outputs show it.
    Found,
    /// The output of a probe shows it.
    Probed,
    /// No change, which is proven.
    Equivalent,
    /// Nothing showed it.
    Survived,
}

/// One fault and what became of it.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The kind of fault.
    pub kind: Kind,
    /// The original, and the replacement.
    pub what: String,
    /// The fate.
    pub fate: Fate,
}

/// The faults of each kind, by their fates.
pub type Scores = BTreeMap<Kind, BTreeMap<Fate, usize>>;

/// Adds faults to scores.
pub fn count(scores: &mut Scores, mutants: &[Mutant]) {
    for mutant in mutants {
        *scores.entry(mutant.kind).or_default().entry(mutant.fate).or_default() += 1;
    }
}

/// Faults that were found, of those that change something.
pub fn found(fates: &BTreeMap<Fate, usize>) -> (usize, usize) {
    let of = |fate| fates.get(&fate).copied().unwrap_or(0);
    let found = of(Fate::Found) + of(Fate::Probed);
    (found, found + of(Fate::Survived))
}

/// The effort with which faults are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Sets of inputs.
    pub sets: u64,
    /// Sets for what these do not show.
    pub more: u64,
    /// Faults of a shader.
    pub faults: usize,
}

/// A shader whose code is right, and what is needed to look for faults in it.
struct Right<'a> {
    shader: &'a Shader,
    text: &'a str,
    target: Target,
    job: Job,
    code: Vec<u8>,
    effort: Effort,
}

/// Makes faults in a shader and looks for them; `None` where it cannot be compared.
pub fn mutants(
    text: &str,
    target: Target,
    effort: Effort,
    random: &mut Random,
    compiler: &mut Compiler,
) -> Option<Vec<Mutant>> {
    let shader = parsed(text)?;
    let job = job(&shader, target).ok()?;
    let (mut code, mut listing) = (Vec::new(), String::new());
    let mut keep = |assembly: &mut String, bytes: &mut Vec<u8>| {
        code.clone_from(bytes);
        listing.clone_from(assembly);
    };
    if check(&shader, target, &job, effort.sets, compiler, &mut keep) != Verdict::Agree {
        return None;
    }
    let mut right = Right { shader: &shader, text, target, job, code, effort };
    let mut made = Vec::new();
    for number in 0..effort.faults {
        // A third of the faults are made in the machine code, where there are any.
        let mutant = match number % 3 {
            2 => right.machine_mutant(&listing, random, compiler),
            _ => right.lowered_mutant(random, compiler),
        };
        made.extend(mutant);
    }
    Some(made)
}

/// Tells whether a verdict shows a fault: code that does not come to its end does, since
/// the interpreter has.
fn shows(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Differ(_) => true,
        Verdict::Skipped(reason) => reason.contains("more steps"),
        Verdict::Agree => false,
    }
}

impl Right<'_> {
    fn lowered_mutant(&mut self, random: &mut Random, compiler: &mut Compiler) -> Option<Mutant> {
        let fault = faults::choose(&self.job.ir, random)?;
        let ir = fault.applied(&self.job.ir)?;
        let mut mutant =
            Mutant { kind: fault.kind, what: fault.to_string(), fate: Fate::Equivalent };
        let bad = Job { ir, ..self.job.clone() };
        let mut same = false;
        let mut compare = |_: &mut String, code: &mut Vec<u8>| same = *code == self.code;
        let sets = self.effort.sets;
        let verdict = check(self.shader, self.target, &bad, sets, compiler, &mut compare);
        // A fault that the compiler refuses is none of the lowering's that could be.
        if matches!(&verdict, Verdict::Skipped(reason) if !reason.contains("more steps")) {
            return None;
        }
        if same {
            return Some(mutant);
        }
        mutant.fate = match () {
            () if shows(&verdict) => Fate::Found,
            () if self.probe_shows(&fault, compiler) => Fate::Probed,
            () => {
                let more = self.effort.more;
                let mut nothing = |_: &mut String, _: &mut Vec<u8>| {};
                let verdict = check(self.shader, self.target, &bad, more, compiler, &mut nothing);
                match () {
                    () if shows(&verdict) => Fate::Found,
                    () if self.has_same_form(&bad.ir, compiler) => Fate::Equivalent,
                    () => Fate::Survived,
                }
            }
        };
        Some(mutant)
    }

    /// Tells whether a text means the same to the machine as the right one, which still
    /// agrees in the form that shows it.
    fn has_same_form(&self, ir: &str, compiler: &mut Compiler) -> bool {
        let form = normal::normal(&self.job.ir);
        if form == self.job.ir {
            return false;
        }
        let mut codes = Vec::new();
        let mut keep = |_: &mut String, code: &mut Vec<u8>| codes.push(code.clone());
        let mut verdict = |ir: String| {
            let job = Job { ir, ..self.job.clone() };
            check(self.shader, self.target, &job, self.effort.sets, compiler, &mut keep)
        };
        let both = [form, normal::normal(ir)].map(&mut verdict);
        both.iter().all(|it| *it == Verdict::Agree) && codes.len() == 2 && codes[0] == codes[1]
    }

    /// Tells whether the output of a probe shows a fault.
    fn probe_shows(&self, fault: &Fault, compiler: &mut Compiler) -> bool {
        let Some(text) = probe::with_probe(self.text, fault.ordinal) else { return false };
        let Some(shader) = parsed(&text) else { return false };
        let Ok(good) = job(&shader, self.target) else { return false };
        let Some(ir) = fault.applied(&good.ir) else { return false };
        let mut nothing = |_: &mut String, _: &mut Vec<u8>| {};
        let mut verdict =
            |job: &Job| check(&shader, self.target, job, self.effort.more, compiler, &mut nothing);
        // A probe that makes right code differ would show anything.
        verdict(&good) == Verdict::Agree && shows(&verdict(&Job { ir, ..good.clone() }))
    }

    fn machine_mutant(
        &mut self,
        listing: &str,
        random: &mut Random,
        compiler: &mut Compiler,
    ) -> Option<Mutant> {
        let change = machine::choose(listing, &self.code, random)?;
        let mut apply = |assembly: &mut String, code: &mut Vec<u8>| change.apply(assembly, code);
        let sets = self.effort.more;
        let verdict = check(self.shader, self.target, &self.job, sets, compiler, &mut apply);
        let mut code = self.code.clone();
        change.apply(&mut String::new(), &mut code);
        let fate = match () {
            () if shows(&verdict) => Fate::Found,
            () if change.is_harmless(&self.code, &code, self.target) => Fate::Equivalent,
            () => Fate::Survived,
        };
        Some(Mutant { kind: change.kind, what: change.what.clone(), fate })
    }
}
