//! Our model of ACO's clocks beside ACO's own count, over the listings.

use std::collections::BTreeMap;
use std::fmt;

use gcn::analysis::timing::{Model, Profile, TimingOptions, time};
use gcn::analysis::{Cfg, Code, DefUse, Instruction};

use crate::listings::{Backend, Listing};

/// Pairs of two figures of many shaders: the agreement of both.
#[derive(Debug, Default, Clone)]
pub struct Pairs {
    /// Ours, theirs, and whose.
    pub pairs: Vec<(f64, f64, String)>,
}

impl Pairs {
    fn add(&mut self, ours: f64, theirs: f64, listing: &Listing) {
        self.pairs.push((ours, theirs, name(listing)));
    }

    /// Counts the pairs that are equal once rounded.
    pub fn equal(&self) -> usize {
        self.pairs.iter().filter(|(ours, theirs, _)| ours.round() == theirs.round()).count()
    }

    /// The errors relative to theirs, the smallest first.
    pub fn errors(&self) -> Vec<(f64, &str)> {
        let error =
            |(ours, theirs, _): &(f64, f64, String)| (ours - theirs).abs() / theirs.max(1.0);
        let mut errors: Vec<_> =
            self.pairs.iter().map(|pair| (error(pair), pair.2.as_str())).collect();
        errors.sort_by(|one, other| one.0.total_cmp(&other.0));
        errors
    }

    /// The middle one of [`Pairs::errors`].
    pub fn median_error(&self) -> f64 {
        let errors = self.errors();
        errors.get(errors.len() / 2).map_or(0.0, |(error, _)| *error)
    }

    /// Spearman's rank correlation.
    pub fn rank_correlation(&self) -> f64 {
        let ours = ranks(self.pairs.iter().map(|pair| pair.0).collect());
        let theirs = ranks(self.pairs.iter().map(|pair| pair.1).collect());
        correlation(&ours, &theirs)
    }
}

/// Ranks from 1; equal figures share the mean of theirs.
fn ranks(figures: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|one, other| figures[*one].total_cmp(&figures[*other]));
    let mut ranks = vec![0.0; figures.len()];
    for group in order.chunk_by(|one, other| figures[*one] == figures[*other]) {
        let before = order.partition_point(|index| figures[*index] < figures[group[0]]);
        for index in group {
            ranks[*index] = before as f64 + (group.len() as f64 + 1.0) / 2.0;
        }
    }
    ranks
}

fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (one_mean, other_mean) = (mean(one), mean(other));
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (one, other) in one.iter().zip(other) {
        let (one, other) = (one - one_mean, other - other_mean);
        both += one * other;
        first += one * one;
        second += other * other;
    }
    both / (first * second).sqrt()
}

/// The agreement over many listings.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Instructions compared, and those whose clocks are equal.
    pub instructions: (usize, usize),
    /// Instructions whose clocks differ, by mnemonic, with an example.
    pub different: BTreeMap<String, (usize, String)>,
    /// Listings whose instructions are not those that ACO counted.
    pub unmatched: Vec<String>,
    /// Latency of shaders without branches.
    pub straight: Pairs,
    /// Latency of shaders with loops or branches.
    pub branching: Pairs,
    /// Latency of all.
    pub latency: Pairs,
    /// Inverse throughput of all.
    pub throughput: Pairs,
    /// The number of instructions beside ACO's latency.
    pub counts: Pairs,
    /// The measured model's latency beside ACO's.
    pub measured: Pairs,
    /// The number of instructions of each class.
    pub classes: BTreeMap<&'static str, usize>,
}

fn name(listing: &Listing) -> String {
    format!("{} {} {:?}", listing.shader, listing.target, listing.backend)
}

/// The code of words that follow one another.
pub fn code(target: gcn::Target, words: impl IntoIterator<Item = impl AsRef<[u32]>>) -> Code {
    let mut instructions: Vec<Instruction> = Vec::new();
    for words in words {
        let offset = instructions.last().map_or(0, Instruction::end);
        instructions.push(Instruction::new(offset, words.as_ref(), None));
    }
    Code::of(target, instructions)
}

impl Agreement {
    /// Compares a listing, if ACO made it.
    pub fn add(&mut self, listing: &Listing) {
        let profile = match listing.backend {
            Backend::Aco22 => Profile::Mesa22,
            Backend::Aco25 => Profile::Mesa25,
            Backend::Llvm15 => return,
        };
        let Some(words) = listing.counted_words() else {
            self.unmatched.push(name(listing));
            return;
        };
        let code = code(listing.target, words.iter().map(|(words, _)| words));
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let waves = listing.total("num_waves").unwrap_or(1.0) as u32;
        let options = TimingOptions { model: Model::Aco, profile, ..TimingOptions::default() };
        let timing = time(&code, &def_use, &cfg, options, waves, &source::no_checkpoint);
        for ((timed, (_, counted)), def_use) in timing.instructions.iter().zip(&words).zip(&def_use)
        {
            self.instructions.0 += 1;
            let desc = def_use.desc;
            let info = desc.and_then(|it| gcn::mnemonics::op_info(it.name()));
            let class = info.and_then(|it| it.behaviour(listing.target.generation()));
            *self.classes.entry(class.map_or("unknown", |it| it.issue.name())).or_default() += 1;
            let ours = timed.issue + timed.stall;
            if ours == counted.clocks {
                self.instructions.1 += 1;
                continue;
            }
            let group = desc.map_or("unknown", |desc| desc.name()).to_owned();
            let example =
                format!("{}: {} for {} {}", name(listing), ours, counted.clocks, counted.text);
            self.different.entry(group).or_insert((0, example)).0 += 1;
        }
        let (Some(latency), Some(throughput)) =
            (listing.statistic("Latency"), listing.statistic("Inverse Throughput"))
        else {
            return;
        };
        let latency = f64::from(latency);
        let ours = timing.totals.latency;
        let straight = cfg.blocks.len() == 1;
        let pairs = if straight { &mut self.straight } else { &mut self.branching };
        pairs.add(ours, latency, listing);
        self.latency.add(ours, latency, listing);
        let fill = listing.total("max_utilization").unwrap_or(1.0);
        self.throughput.add(
            timing.totals.inverse_throughput / fill,
            f64::from(throughput),
            listing,
        );
        self.counts.add(words.len() as f64, latency, listing);
        let measured =
            time(&code, &def_use, &cfg, TimingOptions::default(), waves, &source::no_checkpoint);
        self.measured.add(measured.totals.latency, latency, listing);
    }

    /// The share of instructions whose clocks are ACO's.
    pub fn equal_instructions(&self) -> f64 {
        self.instructions.1 as f64 / self.instructions.0.max(1) as f64
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, equal) = self.instructions;
        writeln!(
            out,
            "instructions: {equal} of {all} equal, {:.4} %",
            self.equal_instructions() * 100.0
        )?;
        for (mnemonic, (count, example)) in &self.different {
            writeln!(out, "    {count:5} {mnemonic}: {example}")?;
        }
        writeln!(out, "listings not matched: {}", self.unmatched.len())?;
        for name in self.unmatched.iter().take(5) {
            writeln!(out, "    {name}")?;
        }
        let seen: Vec<String> =
            self.classes.iter().map(|(class, count)| format!("{class} {count}")).collect();
        writeln!(out, "classes seen: {}", seen.join(", "))?;
        let unseen = gcn::behaviour::IssueClass::ALL.iter().map(|class| class.name());
        let unseen: Vec<&str> = unseen.filter(|name| !self.classes.contains_key(name)).collect();
        writeln!(out, "classes never seen: {}", unseen.join(", "))?;
        for (what, pairs) in [
            ("latency without branches", &self.straight),
            ("latency with branches", &self.branching),
            ("inverse throughput", &self.throughput),
        ] {
            let (count, equal) = (pairs.pairs.len(), pairs.equal());
            let median = pairs.median_error() * 100.0;
            writeln!(out, "{what}: {equal} of {count} equal, median error {median:.2} %, worst:")?;
            for (error, name) in pairs.errors().iter().rev().take(5).filter(|(e, _)| *e > 0.0) {
                writeln!(out, "    {:6.2} % {name}", error * 100.0)?;
            }
        }
        for (what, pairs) in [
            ("our latency", &self.latency),
            ("our measured latency", &self.measured),
            ("number of instructions", &self.counts),
        ] {
            writeln!(
                out,
                "rank correlation of {what} with ACO's latency: {:.4}",
                pairs.rank_correlation()
            )?;
        }
        Ok(())
    }
}
