//! Whole sessions over own programs, pinned by checksums: what is shown on the way, every way
//! to step, what stops a run, where values come from.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tgsi_interp::inputs::Inputs;

use crate::expression::Expression;
use crate::joined::tests as machine;
use crate::shader::Shader;
use crate::tests::{KERNEL, KERNEL_INPUTS, kernel, own_kernels};
use crate::*;

#[path = "../../../tests/src/chance.rs"]
mod chance;
#[path = "../../../tests/src/records.rs"]
mod records;
use chance::Chance;
use records::Records;

/// Steps of a run that are looked at.
const STEPS: u64 = 120;
/// Moves of each session.
const MOVES: usize = 45;

/// Expressions for conditions, watches and messages: those of shaders, of kernels, of both.
const EXPRESSIONS: [&str; 20] = [
    "TEMP[0].x > 0.5",
    "TEMP[0] != IN[0]",
    "lane == 2",
    "lane > 0 && TEMP[0].x == TEMP[0].x",
    "any(isnan(OUT[0]))",
    "OUT[0].x",
    "IMM[0].x + 1",
    "int(TEMP[1].y) % 3 == 0",
    "bits(TEMP[1].x) & 1",
    "CONST[0].w",
    "v0",
    "v2 > 1.0",
    "v1[3] == 12",
    "s6 > 2 || scc",
    "exec",
    "vcc == 0",
    "lds[0]",
    "buf[0][1] == 0",
    "TEMP[9999].x",
    "1 / (lane - 1)",
];

fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts and files of inputs of own programs whose names end so.
fn programs(folder: &str, end: &str) -> Vec<(String, String, String)> {
    let files = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = files.map(|it| it.expect("a file").path()).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let inputs = std::fs::read_to_string(path.with_extension("inputs.toml")).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a text");
        name.ends_with(end).then_some((name, text, inputs))
    };
    paths.iter().filter_map(read).collect()
}

fn started<S: Subject>(subject: S) -> Debugger<S> {
    Debugger::new(Recording::new(subject, DEFAULT_BYTES))
}

fn go() -> Pace {
    Pace::Go
}

/// The place where a run stands.
fn standing<S: Subject>(subject: &S) -> String {
    let mut said = format!("{:?} {:?}", subject.thread(), subject.arrival());
    for thread in 0..subject.threads() {
        let (own, beneath) = (subject.instruction(thread), subject.beneath(thread));
        let (active, returns) = (subject.active(thread), subject.returns(thread));
        let _ = write!(said, "; {own:?} {beneath:?} {active:x} {returns:?}");
    }
    said
}

/// Lines, texts and names, which stay the same in a run.
fn listed<S: Subject>(subject: &S) -> String {
    let mut said = format!("{:?} {}\n", subject.listing(), subject.lanes());
    for thread in 0..subject.threads() {
        let _ = writeln!(said, "{} {}", subject.thread_name(thread), subject.lane_name(thread, 1));
    }
    for own in 0..subject.instructions() {
        let (line, bytes) = (subject.line(own), subject.bytes_of(own));
        let _ = writeln!(said, "{own}: {line:?} {bytes} {}", subject.text(own));
    }
    said
}

/// Each step with what it reads and writes; now and then all that is shown.
fn steps<S: Subject>(debugger: &mut Debugger<S>) -> String {
    let mut said = String::new();
    for position in 0..STEPS {
        let subject = debugger.subject();
        let _ = writeln!(said, "{}", standing(subject));
        if position % 16 == 0 {
            for thread in 0..subject.threads() {
                let _ = writeln!(said, "{:?}", subject.scopes(thread));
            }
        }
        for (target, lanes) in subject.targets() {
            let lane = lanes.trailing_zeros() as usize % subject.lanes();
            let sources = subject.sources(&target, lane);
            let bits: Vec<_> =
                sources.iter().map(|(place, lane)| subject.bits(place, *lane)).collect();
            let _ = writeln!(said, "{target} {lanes:x} {sources:?} {bits:?}");
        }
        let stop = debugger.step_in(moving(debugger), Stride::Instruction, &mut go);
        let events = debugger.subject().events();
        let messages: Vec<String> = events.iter().map(Event::message).collect();
        let _ = writeln!(said, "{stop:?} {messages:?}");
        if matches!(stop, Stop::End | Stop::Fault(_)) {
            break;
        }
    }
    said
}

fn moving<S: Subject>(debugger: &Debugger<S>) -> usize {
    debugger.subject().thread().unwrap_or(0)
}

/// Moves of every kind, one after another, without breakpoints and with some.
fn moves<S: Subject>(debugger: &mut Debugger<S>, chance: &mut Chance) -> String {
    let mut said = String::new();
    for number in 0..MOVES {
        if number == MOVES / 3 {
            set(debugger, chance);
            debugger.restart();
        }
        let threads = debugger.subject().threads();
        let thread = match chance.below(4) {
            0 => chance.below(threads.max(1)),
            _ => moving(debugger),
        };
        let stride = chance.one(&[Stride::Instruction, Stride::Line, Stride::Line]);
        let kind = chance.below(16);
        let stop = match kind {
            0..=3 => debugger.step_in(thread, stride, &mut go),
            4..=6 => debugger.step_over(thread, stride, &mut go),
            7 | 8 => debugger.step_out(thread, &mut go),
            9..=12 => debugger.step_back(thread, stride, &mut go),
            13 => debugger.go_on(&mut go),
            14 => debugger.go_back(&mut go),
            _ => {
                let position = chance.next() % (debugger.recording().furthest() + 1);
                debugger.go_to(position);
                Stop::Step
            }
        };
        let position = debugger.recording().position();
        let place = standing(debugger.subject());
        let _ = writeln!(said, "{kind} {thread} {stride:?}: {stop:?} {position} {place}");
        let hits: Vec<u64> = debugger.breakpoints.iter().map(|it| it.hits).collect();
        let _ = writeln!(said, "{:?} {hits:?}", std::mem::take(&mut debugger.messages));
    }
    said
}

/// Sets breakpoints, watches and events.
fn set<S: Subject>(debugger: &mut Debugger<S>, chance: &mut Chance) {
    let instructions = debugger.subject().instructions();
    let parse = |text: &str| Expression::parse(text).expect("an expression");
    for id in 0..6 {
        let text = chance.one(&EXPRESSIONS);
        let hits = chance.one(&["2", ">= 2", "> 1", "< 3", "% 2"]);
        let log = format!("{text} is {{{text}}}, {{lane}}");
        debugger.breakpoints.push(Breakpoint {
            id,
            instruction: chance.below(instructions),
            condition: (chance.below(3) > 0).then(|| parse(text)),
            hit_condition: (chance.below(3) == 0).then(|| HitCondition::parse(hits).expect("one")),
            log: (chance.below(3) == 0).then(|| LogMessage::parse(&log).expect("a message")),
            hits: 0,
        });
    }
    for id in 0..2 {
        let name = chance.one(&EXPRESSIONS);
        let condition = chance.one(&EXPRESSIONS);
        debugger.watches.push(Watch {
            id,
            name: name.to_owned(),
            expression: parse(name),
            thread: 0,
            condition: (id == 1).then(|| parse(condition)),
        });
    }
    let kinds = EventKind::ALL.into_iter().filter(|_| chance.below(3) == 0);
    debugger.events = kinds.collect::<BTreeSet<_>>();
}

/// Every event of a run, forwards and then backwards.
fn events<S: Subject>(debugger: &mut Debugger<S>) -> String {
    let mut said = String::new();
    debugger.events = EventKind::ALL.into_iter().collect();
    for way in [Debugger::go_on, Debugger::go_back] {
        for _ in 0..20 {
            let stop = way(debugger, &mut go);
            let _ = writeln!(said, "{stop:?} {}", debugger.recording().position());
            if !matches!(stop, Stop::Event(_)) {
                break;
            }
        }
    }
    said
}

/// The values of a run at its end, with where they come from.
fn values<S: Subject>(debugger: &mut Debugger<S>) -> String {
    let mut said = String::new();
    debugger.events.clear();
    while let Stop::Step | Stop::Event(_) = debugger.go_on(&mut go) {}
    let threads = debugger.subject().threads();
    for (thread, lane) in [(0, 0), (0, 2), (threads.saturating_sub(1), 1)] {
        for text in EXPRESSIONS {
            let expression = Expression::parse(text).expect("an expression");
            let value = debugger.evaluate(&expression, thread, lane);
            let shown = value.as_ref().map(display);
            let _ = writeln!(said, "{text}: {value:?} {shown:?}");
        }
        for text in ["OUT[0].x", "TEMP[0]", "v2", "s6", "buf[0][1]", "lane + 1"] {
            let expression = Expression::parse(text).expect("an expression");
            for follow in [Follow::Everything, Follow::NotANumber] {
                let found = debugger.origins(&expression, (thread, lane), follow, &mut go);
                let _ = writeln!(said, "{text}: {found:?}");
            }
        }
        let _ = writeln!(said, "{:?}", debugger.line_values(thread, lane, &mut go));
    }
    said
}

/// Asks everything about a run.
fn add<S: Subject>(records: &mut Records, name: &str, mut make: impl FnMut() -> S) {
    let subject = make();
    records.add(name, "listed", &listed(&subject));
    records.add(name, "steps", &steps(&mut started(subject)));
    let mut chance = Chance(7);
    let sessions = (0..2).map(|_| moves(&mut started(make()), &mut chance));
    records.add(name, "moves", &sessions.collect::<String>());
    let mut debugger = started(make());
    records.add(name, "events", &events(&mut debugger));
    records.add(name, "values", &values(&mut debugger));
}

#[test]
fn sessions_of_shaders() {
    let mut records = table("shaders.tsv");
    for stage in ["comp", "frag", "geom", "tess_ctrl", "tess_eval", "vert"] {
        for (name, text, inputs) in programs(&format!("tests/data/tgsi/{stage}"), ".tgsi") {
            let inputs = Inputs::read(&inputs).expect("inputs");
            let name = format!("{stage}/{name}");
            match Shader::new(&text, 1, inputs) {
                Ok(shader) => add(&mut records, &name, || shader.run().expect("inputs")),
                Err(error) => records.add(&name, "refused", &format!("{error:?}")),
            }
        }
    }
    records.check();
}

#[test]
fn sessions_of_kernels() {
    let mut records = table("kernels.tsv");
    let read = [programs("examples", ".s"), programs("examples/tutorial", ".s")].concat();
    let own = own_kernels();
    for (name, text, inputs) in read.into_iter().chain(own) {
        let kernel = kernel(&text, &inputs);
        add(&mut records, &name, || kernel.run());
    }
    let short = KERNEL_INPUTS.replace("words = 128", "words = 100");
    let kernel = kernel(KERNEL, &short);
    add(&mut records, "too short", || kernel.run());
    records.check();
}

#[test]
fn sessions_with_machine_code() {
    let mut records = table("joined.tsv");
    for (name, joined) in machine::recorded() {
        match joined {
            Ok(joined) => {
                records.add(
                    &name,
                    "verdict",
                    &format!("{} {:?}", joined.verdict(), joined.partner()),
                );
                add(&mut records, &name, || joined.run().expect("inputs"));
            }
            Err(error) => records.add(&name, "verdict", &format!("{error:?}")),
        }
    }
    records.check();
}
