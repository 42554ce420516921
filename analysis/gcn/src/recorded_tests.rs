//! Everything that is said about the repository's own assembly, and about what stands there
//! while somebody writes it, pinned by checksums.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use source::{TextRange, TextSize};

use crate::Target;
use crate::analysis;
use crate::analysis::timing::{Band, Model, Profile, TimingOptions};
use crate::assembler::Dialect;
use crate::convert::{self, convert};
use crate::dialect::target_in;
use crate::instruction::{InstructionSet, decode};
use crate::occupancy::{self, Arithmetic, Usage};
use crate::program::KernelCode;
use crate::program::{FoundTarget, Options, Program, assemble, guess_target};
use crate::service::{self, View};
use crate::{describe, mnemonics, object};

#[path = "../../../tests/src/asking.rs"]
pub(crate) mod asking;
#[path = "../../../tests/src/chance.rs"]
pub(crate) mod chance;
#[path = "../../../tests/src/places.rs"]
mod places;
#[path = "../../../tests/src/records.rs"]
pub(crate) mod records;
use asking::{everywhere, lines, wounded};
use records::Records;

/// Lines of each program at which somebody writes.
const WRITTEN_AT: usize = 4;

pub(crate) fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/gcn")
}

fn include(name: &str) -> Option<Arc<str>> {
    std::fs::read_to_string(folder().join(name)).ok().map(Arc::from)
}

/// A program of the manifest.
pub(crate) struct Own {
    pub(crate) file: String,
    pub(crate) chip: Target,
    kind: String,
}

fn manifest() -> Vec<Own> {
    let text = include("MANIFEST.tsv").expect("a manifest");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let chip = Target::find(cells[2]).unwrap_or_default();
        Own { file: cells[0].to_owned(), chip, kind: cells[3].to_owned() }
    })
    .collect()
}

fn assembled(text: &str, file: &str, target: Option<Target>) -> Program {
    let options = Options { target, ..Options::of(text, file) };
    assemble(text, &options, &include, &source::no_checkpoint)
}

/// The programs with their texts.
pub(crate) fn programs() -> impl Iterator<Item = (Own, Arc<str>)> {
    let is_text = |own: &Own| !["object", "bundle"].contains(&own.kind.as_str());
    let programs = manifest().into_iter().filter(is_text);
    programs.map(|own| {
        let text = include(&own.file).expect("a file of the manifest");
        (own, text)
    })
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().fold(String::new(), |mut all, byte| {
        let _ = write!(all, "{byte:02x}");
        all
    })
}

/// The machine code of a program.
pub(crate) fn code(program: &Program) -> String {
    let mut out = format!("{} {:?}\n", program.target.name(), program.certainty);
    for it in &program.instructions {
        let words = it.assembled.map_or_else(|| "?".into(), |it| hex(it.bytes()));
        let _ = writeln!(out, "{} {:x} {words} {}", it.section, it.offset, program.text(it));
    }
    for (section, index) in program.expansion.sections.iter().zip(0..) {
        let _ = writeln!(out, "{} {}", section.name, hex(program.image(index).bytes));
    }
    let _ = writeln!(out, "{:?}\n{:?}", program.labels, program.kernels);
    out
}

/// Diagnostics of a program, with their places.
pub(crate) fn diagnostics(program: &Program) -> String {
    let pairs = program.diagnostics.iter().zip(&program.diagnostic_places);
    pairs.fold(String::new(), |mut out, (diagnostic, place)| {
        let _ = writeln!(out, "{diagnostic:?} {place:?}");
        out
    })
}

/// Every instruction in the words of the disassembler and of the manuals.
fn described(program: &Program) -> String {
    let mut out = String::new();
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    for assembled in program.instructions.iter().filter_map(|it| it.assembled) {
        let words = assembled.words();
        let _ = writeln!(out, "{:?}", decode(words, set));
        let _ = writeln!(out, "{:?}", describe::instruction(words, set));
        let _ = writeln!(out, "{:?}", describe::encoding(words, set).map(|it| it.markdown()));
    }
    out
}

/// Costs of each kernel by all figures of time, and what could be better.
fn costs(program: &Program) -> String {
    let mut out = String::new();
    let mut say = |it: &dyn Debug| out += &format!("{it:?}\n");
    let addresses = program.address_counts();
    for kernel in &program.kernels {
        let kernel = KernelCode::of(program, kernel, addresses, &source::no_checkpoint);
        say(&kernel.declared);
        say(&kernel.missing);
        for model in [Model::Measured, Model::Aco] {
            for profile in [Profile::Mesa22, Profile::Mesa25] {
                let timing = TimingOptions { model, profile, band: Band::default() };
                let options = analysis::Options { timing, declared: kernel.declared };
                let report = analysis::analyse(&kernel.code, &options, &source::no_checkpoint);
                say(&(&report.usage, &report.occupancy, &report.timing));
                if model == Model::Measured && profile == Profile::Mesa25 {
                    say(&(&report.cfg, &report.def_use));
                    let count = kernel.code.instructions.len();
                    let pressure = (0..count).map(|at| report.liveness.pressure(at));
                    say(&pressure.collect::<Vec<_>>());
                    say(&(report.liveness.peak(), report.liveness.divergent()));
                    let (cfg, def_use) = (&report.cfg, &report.def_use[..]);
                    say(&analysis::check(
                        &kernel.code,
                        def_use,
                        cfg,
                        &report.liveness,
                        None,
                        &source::no_checkpoint,
                    ));
                    let live_across = |at| report.liveness.live_across(cfg, def_use, at);
                    say(&(0..count).step_by(5).map(live_across).collect::<Vec<_>>());
                    say(&analysis::waits(&kernel.code, def_use, cfg, None, &source::no_checkpoint));
                    say(&analysis::register_use(&kernel.code, def_use));
                    say(&describe::occupancy(&report.occupancy));
                }
            }
        }
    }
    out
}

/// A conversion, whose reasons are shown as users read them.
struct Conversion(convert::Conversion);

/// A line that stays, with its reason in words.
struct Refusal<'a>(&'a convert::Refusal);

impl Debug for Conversion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let refused: Vec<_> = self.0.refused.iter().map(Refusal).collect();
        let lines: Vec<_> = self.0.edits.iter().map(|it| (it.range, &it.insert)).collect();
        let mut shown = f.debug_struct("Conversion");
        shown.field("lines", &lines).field("refused", &refused).finish()
    }
}

impl Debug for Refusal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Refusal");
        shown.field("range", &self.0.range).field("reason", &self.0.reason.to_string()).finish()
    }
}

/// The answers about a text as a whole.
fn whole(view: View<'_>) -> String {
    let mut out = String::new();
    let mut say = |it: &dyn Debug| out += &format!("{it:#?}\n");
    let text = view.text();
    let all = TextRange::up_to(TextSize::of(text));
    say(&service::folding::folds(view));
    say(&service::outline::outline(view));
    say(&service::includes::includes(view));
    say(&service::names::names(view, all));
    say(&service::tokens::tokens(view, all));
    let length = u32::from(all.len());
    let middle = TextRange::new((length / 3).into(), (length / 2).into());
    say(&service::tokens::tokens(view, middle));
    say(&service::formatting::edits(view, middle));
    say(&source::apply_edits(text, &service::formatting::edits(view, all)));
    let lines = text.match_indices('\n').map(|(at, _)| TextSize::new(at as u32 + 1));
    say(&lines.map(|at| service::formatting::indentation(view, at)).collect::<Vec<_>>());
    say(&Conversion(convert(view, all)));
    say(&Conversion(convert(view, middle)));
    out
}

/// The answers at each word of a text.
fn at_words(records: &mut Records, file: &str, view: View<'_>) {
    let text = view.text();
    let mut ask = |question: &str, ask: &dyn Fn(TextSize) -> Box<dyn Debug>| {
        records.add(file, question, &everywhere(text, |at| ask(TextSize::new(at as u32))));
    };
    ask("hover", &|at| Box::new(service::hover::hover(view, at)));
    ask("signature", &|at| Box::new(service::signature::signature(view, at)));
    ask("marks", &|at| Box::new(service::highlight::highlights(view, at)));
    ask("selections", &|at| Box::new(service::selection::selections(view, at)));
    ask("rename", &|at| {
        Box::new((
            service::rename::prepare(view, at),
            service::rename::rename(view, at, "other"),
            service::registers::rename::prepare(view, at),
        ))
    });
    ask("registers", &|at| {
        let definitions = service::registers::definitions(view, at);
        Box::new((definitions, service::registers::uses(view, at)))
    });
}

/// The lines that are written otherwise in the other dialect, and those that stay.
pub(crate) fn converted(view: View<'_>, range: TextRange) -> String {
    let convert::Conversion { edits, refused } = convert(view, range);
    let lines: Vec<_> = edits.iter().map(|edit| (edit.range, &edit.insert)).collect();
    format!("Conversion {{ lines: {lines:?}, refused: {refused:?} }}")
}

/// The chip that a text names, else the one that its lines fit.
pub(crate) fn target_of(text: &str, options: &Options) -> Option<FoundTarget> {
    match target_in(text, "") {
        Some(named) => Some(FoundTarget { target: Ok(named.target.ok()?), why: named.why }),
        None => guess_target(text, options),
    }
}

#[test]
fn all_that_is_said_about_own_programs() {
    let mut records = table("programs.tsv");
    for (own, text) in programs() {
        let file = &own.file;
        let program = assembled(&text, file, Some(own.chip));
        records.add(file, "code", &code(&program));
        records.add(file, "diagnostics", &diagnostics(&program));
        records.add(file, "described", &described(&program));
        records.add(file, "costs", &costs(&program));
        records.add(file, "whole", &whole(View::root(&program)));
        let options = Options::of(&text, file);
        records.add(file, "guess", &format!("{options:?} {:?}", target_of(&text, &options)));
        at_words(&mut records, file, View::root(&program));
        if View::root(&program).text() != &*text {
            continue;
        }
        let completed = everywhere(&text, |at| {
            let completion =
                service::completion::complete(View::root(&program), TextSize::new(at as u32));
            completion.map(|it| format!("{it:?}").len())
        });
        records.add(file, "completion", &completed);
    }
    records.check();
}

#[test]
fn all_that_is_said_about_unfinished_lines() {
    let mut records = table("unfinished.tsv");
    for (own, text) in programs() {
        let (mut said, mut completed) = (String::new(), String::new());
        for (at, wounded) in wounded(&text, WRITTEN_AT) {
            let program = assembled(&wounded, &own.file, Some(own.chip));
            said += &diagnostics(&program);
            let view = View::root(&program);
            if view.text() != wounded {
                continue;
            }
            let at = TextSize::new(at as u32);
            let _ = writeln!(completed, "{:?}", service::completion::complete(view, at));
            let _ = writeln!(completed, "{:?}", service::signature::signature(view, at));
        }
        records.add(&own.file, "diagnostics", &said);
        records.add(&own.file, "completion", &completed);
    }
    records.check();
}

#[test]
fn what_other_chips_and_languages_make_of_own_programs() {
    let mut records = table("elsewhere.tsv");
    for (own, text) in programs() {
        for chip in ["tahiti", "bonaire", "fiji", "vega10", "gfx90a"].map(Target::find) {
            let Some(chip) = chip.filter(|chip| *chip != own.chip) else { continue };
            let program = assembled(&text, &own.file, Some(chip));
            let said = code(&program) + &diagnostics(&program);
            records.add(&own.file, chip.name(), &said);
        }
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let options = Options { dialect, ..Options::of(&text, &own.file) };
            let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
            let said = code(&program) + &diagnostics(&program);
            records.add(&own.file, dialect.name(), &said);
        }
    }
    records.check();
}

#[test]
fn objects_and_their_listings() {
    let mut records = table("objects.tsv");
    for own in manifest().iter().filter(|own| own.kind == "object") {
        let bytes = std::fs::read(folder().join(&own.file)).expect("an object");
        let said = |bytes: &[u8], target| {
            object::listing(bytes, target).map(|it| format!("{}\n{it:?}", it.text()))
        };
        records.add(&own.file, "listing", &format!("{:?}", said(&bytes, None)));
        // A file that is cut off, or has a byte changed, is read as far as it goes.
        let mut wounds = String::new();
        for place in (0..bytes.len()).step_by(7).take(200) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x15;
            let _ = writeln!(wounds, "{:?}", said(&changed, Some(own.chip)));
            let _ = writeln!(wounds, "{:?}", said(&bytes[..place], None).err());
        }
        records.add(&own.file, "wounds", &wounds);
    }
    records.check();
}

#[test]
fn all_that_is_known_of_names() {
    let mut records = table("names.tsv");
    // Mnemonics that begin alike make one row.
    let mut said = BTreeMap::<String, String>::new();
    for info in mnemonics::all() {
        let group = said.entry(info.name.chars().take(6).collect()).or_default();
        let _ = writeln!(group, "{info:?}\n{}", describe::mnemonic(info));
        for chip in ["tahiti", "bonaire", "fiji", "vega10"].map(Target::find) {
            let generation = chip.expect("a chip").generation();
            let _ = writeln!(group, "{:?}", info.behaviour(generation));
            let subtarget = info.subtarget(generation).unwrap_or(generation.subtarget());
            let formula = match info.opcode.formula(subtarget) {
                Some("-") => "Some(Nothing)".to_owned(),
                Some(text) => format!("Some(Formula({text:?}))"),
                None => "None".to_owned(),
            };
            let _ = writeln!(group, "{formula}");
        }
    }
    for (group, said) in &said {
        records.add(group, "said", said);
    }
    for directive in describe::directives() {
        records.add(directive.name, "said", &directive.markdown());
    }
    for row in describe::words() {
        let Some(word) = describe::word(row.name) else { continue };
        records.add(row.name, "said", &word.markdown());
    }
    records.check();
}

#[test]
fn all_that_is_known_of_chips() {
    let mut records = table("chips.tsv");
    for target in Target::all() {
        let row = format!("{:?}\n{}", target.row(), describe::target(target));
        records.add(target.name(), "row", &row);
        records.add(target.name(), "ladder", &lines(occupancy::ladder(target)));
        let mut said = String::new();
        for vgprs in (0..=256).step_by(3) {
            for (lds, waves_per_group) in [(0, 1), (1, 2), (4096, 4), (20_000, 3), (65_536, 16)] {
                let (sgprs, interpolants) = (vgprs / 2, vgprs % 5);
                let usage = Usage { vgprs, agprs: 0, sgprs, lds, waves_per_group, interpolants };
                for arithmetic in [Arithmetic::Chip, Arithmetic::Mesa22, Arithmetic::Mesa25] {
                    let found = occupancy::occupancy_by(arithmetic, usage, target);
                    let _ = writeln!(said, "{found:?}");
                }
            }
        }
        records.add(target.name(), "occupancy", &said);
    }
    records.check();
}

/// Signs between and before the operands of expressions.
const OPERATORS: [&str; 21] = [
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "!", "&&", "||", "==", "!=", "<>", "<",
    "<=", ">", ">=", "//",
];

#[test]
fn which_operators_bind_more_tightly() {
    let mut records = table("expressions.tsv");
    for dialect in [Dialect::Llvm, Dialect::Clrx] {
        for first in OPERATORS {
            let mut text = String::new();
            for second in OPERATORS {
                let _ = writeln!(text, ".long 29 {first} 6 {second} 3, -29{first}(5{second}2)");
                let _ =
                    writeln!(text, ".long ~7 {first}-4 {second} !2, 0x1d {first} 0b11 {second}07");
                let _ = writeln!(text, "v_mov_b32 v1, 9 {first} 4 {second} 2");
            }
            let options = Options { dialect, ..Options::default() };
            let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
            records.add(first, dialect.name(), &(code(&program) + &diagnostics(&program)));
        }
    }
    records.check();
}
