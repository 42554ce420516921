//! Explanations for reading: lines of text, each with the line of the source that it is about.

use std::fmt::Write as _;

use editor_model::{
    ExplainedMemory, ExplainedPressure, ExplainedResult, ExplainedSaving, ExplainedValue,
    ExplainedWait, Explanation, Place, Statistics,
};
use gcn::analysis::Report;

use super::memory::words;
use crate::ide::costs::{edges, in_groups, sums};

/// So many values of a kind, and so many instructions of a list, are written out.
const MOST_VALUES: usize = 24;
const MOST_PLACES: usize = 6;
/// A statement longer than this is cut.
const MOST_CHARACTERS: usize = 56;

/// The model of what is said of registers.
const REGISTERS_MODEL: &str = "Each change is made alone and the live ranges are computed again, \
                               without scheduling or allocating.";
/// The model of what is said of local data share.
const SHARE_MODEL: &str = "addresses in registers are not followed, so any line may reach any byte";
/// The model of what is said of scratch memory.
const SCRATCH_MODEL: &str = "machine code does not say which access is a spill and which an array";
/// The model of what is said of waits.
const WAITS_MODEL: &str = "Clocks are those of a wave that is alone on its SIMD; what could move \
                           is judged by registers and the order of memory.";

/// Writes what limits the waves of a code, in a line: registers, local data share, scratch.
pub fn explanation_head(report: &Report, compiled: Option<&Statistics>) -> String {
    let figures = sums(report);
    let mut head = waves(figures.waves) + &in_groups(&figures);
    let _ = match figures.limiter {
        "waves" => write!(head, ", as many as the chip holds"),
        limiter => write!(head, ", limited by {limiter}"),
    };
    let _ = write!(head, "; {}", edges(&figures));
    if report.usage.lds > 0 {
        let _ = write!(head, "; {} bytes of LDS for a workgroup", report.usage.lds);
    }
    if let Some(own) = compiled.filter(|own| own.scratch > 0) {
        let _ = write!(
            head,
            "; {} bytes of scratch for a lane, {} VGPRs and {} SGPRs spilled",
            own.scratch, own.spilled_vgprs, own.spilled_sgprs
        );
    }
    head
}

/// Writes an explanation, each line with the line of the source that it is about, from 1.
pub fn explanation_lines(explanation: &Explanation) -> Vec<(Option<u32>, String)> {
    let mut lines = Lines::default();
    for pressure in &explanation.registers {
        let values = explanation.values.iter().filter(|value| value.kind == pressure.kind);
        lines.pressure(pressure, &values.collect::<Vec<_>>());
    }
    if !explanation.registers.is_empty() {
        lines.add(None, REGISTERS_MODEL.to_owned());
        lines.add(None, String::new());
    }
    for memory in &explanation.memories {
        lines.memory(memory);
    }
    for wait in &explanation.stalls {
        lines.wait(wait);
    }
    if !explanation.stalls.is_empty() {
        lines.add(None, WAITS_MODEL.to_owned());
    }
    lines.0
}

#[derive(Default)]
struct Lines(Vec<(Option<u32>, String)>);

impl Lines {
    fn add(&mut self, line: Option<u32>, text: String) {
        self.0.push((line, text));
    }

    fn pressure(&mut self, own: &ExplainedPressure, values: &[&ExplainedValue]) {
        let word = word(own.kind);
        let whole = match own.here == own.peak {
            true => "nowhere more".to_owned(),
            false => format!("{} at the peak", own.peak),
        };
        let head = format!(
            "{} {word} live at {}: {whole}, {} used, {} allocated",
            own.here,
            place(&own.at),
            own.used,
            own.allocated
        );
        self.add(own.at.line, head);
        if own.excess > 0 {
            self.add(None, format!("  {} {word} fewer are needed for one wave more", own.excess));
        }
        let width = values.iter().map(|value| value.register.chars().count()).max().unwrap_or(0);
        for value in values.iter().take(MOST_VALUES) {
            self.value(value, width.min(24));
        }
        if let Some(more) = values.len().checked_sub(MOST_VALUES).filter(|more| *more > 0) {
            self.add(None, format!("  and {more} values more"));
        }
        if own.opaque {
            let why = "  no change was tried: control or operands depend on what is not seen";
            self.add(None, why.to_owned());
        } else if own.untried > 0 {
            let why =
                format!("  for {} of them no change was tried: the code is long", own.untried);
            self.add(None, why);
        }
        self.add(None, String::new());
    }

    fn value(&mut self, own: &ExplainedValue, width: usize) {
        let start = own.from_start.then(|| "the start".to_owned());
        let origins: Vec<String> = start.into_iter().chain(own.made.iter().map(short)).collect();
        let origin = match (&origins[..], &own.made[..]) {
            ([], _) => "an unknown place".to_owned(),
            ([_], [made]) => place(made),
            ([one], _) => one.clone(),
            ([one, other], _) => format!("{one} or {other}"),
            ([one, other, rest @ ..], _) => format!("{one}, {other} or {} more", rest.len()),
        };
        let end = match &own.read {
            Some(read) => format!("read last at {}", short(read)),
            None => "never read".to_owned(),
        };
        let line = own.made.first().and_then(|place| place.line);
        let text = format!("  {:width$}  {:>2}  from {origin}, {end}", own.register, own.registers);
        self.add(line.or(own.read.as_ref().and_then(|read| read.line)), text);
        for saving in &own.savings {
            let line = saving.before.first().unwrap_or(&saving.instruction).line;
            self.add(line, format!("  {:width$}      {}", "", saved(saving)));
        }
    }

    fn memory(&mut self, own: &ExplainedMemory) {
        let is_share = own.kind == "lds";
        let (whose, name) = match is_share {
            true => ("workgroup", "LDS"),
            false => ("lane", "scratch"),
        };
        let cost = match (is_share, own.waves == own.without) {
            (true, true) => ", which costs no wave".to_owned(),
            (true, false) => {
                format!(": room for {}, for {} without it", waves(own.waves), own.without)
            }
            (false, _) => ", in memory: it costs no wave, but waits".to_owned(),
        };
        let head = match own.bytes {
            0 => format!("{name} of a size that the code does not say: it is given at the launch"),
            bytes => format!("{bytes} bytes of {name} for a {whose}{cost}"),
        };
        self.add(own.declared.first().map(|it| it.line), head);
        if own.excess > 0 {
            self.add(None, format!("  {} bytes fewer are needed for one wave more", own.excess));
        }
        for declared in &own.declared {
            let text = format!("  declared by line {} (`{}`)", declared.line, declared.text);
            self.add(Some(declared.line), text);
        }
        if own.spilled > 0 {
            self.add(None, format!("  {} VGPRs are spilled to it", own.spilled));
        }
        for access in own.accesses.iter().take(MOST_VALUES) {
            self.add(access.at.line, format!("  {} {}", place(&access.at), words(access)));
        }
        if let Some(more) = own.accesses.len().checked_sub(MOST_VALUES).filter(|more| *more > 0) {
            self.add(None, format!("  and {more} instructions more"));
        }
        match (own.accesses.is_empty(), is_share) {
            (true, _) => self.add(None, "  no instruction here is seen to reach it".to_owned()),
            (false, true) => {
                let text = format!("  {} clocks are waited for it; {SHARE_MODEL}", own.waited);
                self.add(None, text);
            }
            (false, false) => {
                let text = format!("  {} clocks are waited for it; {SCRATCH_MODEL}", own.waited);
                self.add(None, text);
            }
        }
        self.add(None, String::new());
    }

    fn wait(&mut self, own: &ExplainedWait) {
        let Some(kind) = own.kind else {
            self.add(own.at.line, format!("{} waits for nothing", place(&own.at)));
            self.add(None, String::new());
            return;
        };
        self.add(own.at.line, format!("{} waits {} clocks", place(&own.at), own.stall));
        if kind != "result" {
            let unit = if kind == "matrix" { "matrix" } else { "vector" };
            if let Some(last) = own.chain.last() {
                let text = format!("  for the {unit} unit, kept busy by {}", place(&last.producer));
                self.add(last.producer.line, text);
            }
            self.add(None, "  all waves of the SIMD share it".to_owned());
            self.add(None, String::new());
            return;
        }
        let last = own.chain.len().saturating_sub(1);
        for (index, link) in own.chain.iter().enumerate() {
            let word = if index == last { "for" } else { "after" };
            let ExplainedResult { producer, latency, waited } = link;
            let text = format!("  {word} {}: {latency} clocks, {waited} waited", place(producer));
            self.add(producer.line, text);
        }
        let between = match own.between {
            0 => "nothing is between".to_owned(),
            1 => format!("1 instruction between hides {} clocks", own.hidden),
            count => format!("{count} instructions between hide {} clocks", own.hidden),
        };
        self.add(None, format!("  {between}; {} waves would hide the rest", own.waves));
        let last = own.chain.last().map(|link| link.producer.offset);
        let others: Vec<Place> = own
            .awaited
            .iter()
            .filter(|it| Some(it.producer.offset) != last)
            .map(|it| it.producer.clone())
            .collect();
        self.places("it waits for these, too", &others);
        let movable = format!("could stand before it, {} clocks", own.movable_clocks);
        self.places(&movable, &own.movable);
        let passable =
            format!("that result could be asked for before these, {} clocks", own.passable_clocks);
        self.places(&passable, &own.passable);
        self.add(None, String::new());
    }

    /// A list of instructions, one a line.
    fn places(&mut self, head: &str, list: &[Place]) {
        if list.is_empty() {
            return;
        }
        self.add(None, format!("  {head}:"));
        for own in list.iter().take(MOST_PLACES) {
            self.add(own.line, format!("    {}", place(own)));
        }
        if list.len() > MOST_PLACES {
            self.add(None, format!("    and {} more", list.len() - MOST_PLACES));
        }
    }
}

fn word(kind: &str) -> &'static str {
    match kind {
        "vgprs" => "VGPRs",
        "agprs" => "AGPRs",
        _ => "SGPRs",
    }
}

/// An instruction in words: its line, or its offset where it has none, and its text.
fn place(own: &Place) -> String {
    let mut text: String = own.text.chars().take(MOST_CHARACTERS).collect();
    if text.len() < own.text.len() {
        text.push('…');
    }
    format!("{} (`{}`)", short(own), text.replace('`', "'"))
}

fn short(own: &Place) -> String {
    match own.line {
        Some(line) => format!("line {line}"),
        None => format!("offset {:#x}", own.offset),
    }
}

fn saved(own: &ExplainedSaving) -> String {
    let places: Vec<String> = own.before.iter().map(short).collect();
    let places = places.join(" and ");
    let what = match own.change {
        "later" if own.load => format!("loaded at {places} only, where it is read, with its wait"),
        "later" => format!("made at {places} only, where it is read"),
        "again" => format!("made again at {places}"),
        "earlier" => format!("read by {} at {places} already", short(&own.instruction)),
        _ => format!("{} of its registers are never read: not loaded", own.here),
    };
    let gain = match own.gain {
        0 => "the peak stays, elsewhere as many are needed".to_owned(),
        _ => format!("the peak falls to {}, {} fit", own.peak, waves(own.waves)),
    };
    let clocks = match own.clocks {
        0 => String::new(),
        clocks => format!(", {clocks:+} clocks"),
    };
    format!("{what}: {} fewer here, {gain}{clocks}", own.here)
}

fn waves(count: u32) -> String {
    if count == 1 { "1 wave".to_owned() } else { format!("{count} waves") }
}
