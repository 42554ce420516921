//! The repository's own body of assembly: programs with their expected diagnostics, and
//! lines with the verdicts of other assemblers. Nothing beside the repository is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{AssemblySettings, FileId, Host, Language, Settings};
use gcn::Target;
use gcn::assembler::Dialect;
use gcn::encoding::{Encoding, Extension, shape};
use gcn::instruction::{Assembled, InstructionSet, NoSymbols, assemble_line, decode};
use gcn::program::{Options, Program, assemble};
use gcn::service::{View, formatting};
use gcn::{mnemonics, object};
use source::{Severity, TextRange, TextSize, apply_edits};
use tests::matrix::{CLRX_CLASSES, judged_classes};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// A row of the manifest.
struct Own {
    file: String,
    dialect: String,
    chip: String,
    kind: String,
    expect: String,
    bytes: String,
}

fn manifest() -> Vec<Own> {
    let text = std::fs::read_to_string(data("gcn/MANIFEST.tsv")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let cells: Vec<String> = row.split('\t').map(str::to_owned).collect();
        let [file, dialect, chip, kind, expect, bytes, note] =
            cells.try_into().unwrap_or_else(|_| panic!("{row}"));
        assert!(!note.is_empty(), "{row}");
        Own { file, dialect, chip, kind, expect, bytes }
    })
    .collect()
}

impl Own {
    fn text(&self) -> String {
        std::fs::read_to_string(data("gcn").join(&self.file)).unwrap()
    }

    fn target(&self) -> Target {
        Target::find(&self.chip).unwrap_or_else(|| panic!("{}: {}", self.file, self.chip))
    }

    fn is_program(&self) -> bool {
        !matches!(self.kind.as_str(), "object" | "bundle" | "include")
    }

    fn assembled(&self, text: &str) -> Program {
        let target = Some(self.target());
        let options = Options { target, ..Options::of(text, &self.file) };
        assemble(text, &options, &include, &source::no_checkpoint)
    }

    /// The bytes that others make of it.
    fn judged_bytes(&self) -> Option<Vec<u8>> {
        let file = self.bytes.ends_with(".hex").then(|| data("gcn").join(&self.bytes))?;
        let text = std::fs::read_to_string(file).unwrap();
        Some(bytes(&text.replace('\n', "")))
    }
}

fn include(name: &str) -> Option<Arc<str>> {
    std::fs::read_to_string(data("gcn").join(name)).ok().map(Arc::from)
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn the_manifest_names_every_file() {
    let rows = manifest();
    let mut named: BTreeSet<String> = rows.iter().map(|row| row.file.clone()).collect();
    assert_eq!(named.len(), rows.len(), "a file stands there twice");
    named.extend(rows.iter().filter(|row| row.bytes != "-").map(|row| row.bytes.clone()));
    let mut found = BTreeSet::new();
    for folder in std::fs::read_dir(data("gcn")).unwrap().map(|it| it.unwrap()) {
        let name = folder.file_name().into_string().unwrap();
        if folder.file_type().unwrap().is_dir() {
            let files = std::fs::read_dir(folder.path()).unwrap();
            let files = files.map(|it| it.unwrap().file_name().into_string().unwrap());
            found.extend(files.map(|file| format!("{name}/{file}")));
        }
    }
    assert_eq!(found, named);
    let count = |kind: &str| rows.iter().filter(|row| row.kind == kind).count();
    assert!(count("fault") >= 30, "{} faults", count("fault"));
    assert!(rows.len() - count("fault") >= 80, "{} others", rows.len() - count("fault"));
    for chip in judged_classes() {
        let generation = Target::find(chip).unwrap();
        assert!(rows.iter().any(|row| Target::find(&row.chip) == Some(generation)), "{chip}");
    }
}

fn host(target: Target) -> Host {
    let assembly = AssemblySettings { target: Some(target), ..AssemblySettings::default() };
    Host::new(Settings { targets: vec![target], assembly, ..Settings::default() })
}

fn open(host: &mut Host, own: &Own) -> FileId {
    let file = host.set_file(&own.file, Arc::from(own.text()), Language::Gcn);
    loop {
        let wanted = host.snapshot().wanted_includes(file).unwrap();
        if wanted.is_empty() {
            return file;
        }
        let mut known = host.includes(file);
        for name in wanted {
            let text = include(&name);
            let other = text.map(|text| host.set_file(&name, text, Language::Gcn));
            known.push((name, other.into()));
        }
        host.set_includes(file, known);
    }
}

#[test]
fn diagnostics_are_those_that_the_manifest_states() {
    let mut wrong = String::new();
    for own in manifest().iter().filter(|own| own.is_program()) {
        let mut host = host(own.target());
        let file = open(&mut host, own);
        let snapshot = host.snapshot();
        let mut all = snapshot.diagnostics(file).unwrap().to_vec();
        all.extend(snapshot.cost_diagnostics(file).unwrap().iter().cloned());
        all.retain(|it| matches!(it.severity, Severity::Error | Severity::Warning));
        all.sort_by_key(|it| it.range.start());
        let codes: Vec<&str> =
            all.iter().map(|it| it.code.0.strip_prefix("gcn::").unwrap_or(it.code.0)).collect();
        let said = if codes.is_empty() { "clean".to_owned() } else { codes.join(" ") };
        if said != own.expect {
            let _ = writeln!(wrong, "{}: {said}, not {}", own.file, own.expect);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn dialects_are_seen_from_the_text() {
    for own in manifest().iter().filter(|own| own.is_program()) {
        let found = Options::of(&own.text(), &own.file);
        assert_eq!(found.dialect.name(), own.dialect, "{}", own.file);
        assert_eq!(found.listing.is_some(), own.kind == "listing", "{}", own.file);
    }
}

#[test]
fn programs_have_the_bytes_that_others_make_of_them() {
    let mut compared = 0;
    for own in manifest().iter().filter(|own| own.is_program()) {
        let Some(judged) = own.judged_bytes() else { continue };
        let program = own.assembled(&own.text());
        let sections = program.expansion.sections.iter().zip(0..);
        let code = sections.filter(|(section, _)| &*section.name == ".text");
        let ours: Vec<u8> = code.flat_map(|(_, index)| program.image(index).bytes).collect();
        assert_eq!(ours, judged, "{}", own.file);
        compared += 1;
    }
    assert!(compared > 50, "{compared} programs");
}

#[test]
fn objects_hold_the_code_of_their_programs() {
    for own in manifest().iter().filter(|own| own.kind == "object") {
        let elf = std::fs::read(data("gcn").join(&own.file)).unwrap();
        let listing = object::listing(&elf, None).unwrap();
        assert_eq!(listing.target, own.target(), "{}", own.file);
        let text = listing.text();
        let options = Options { target: Some(own.target()), ..Options::of(&text, "") };
        let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
        let mut code = Vec::new();
        for instruction in &program.instructions {
            code.extend(instruction.assembled.unwrap_or_else(|| panic!("{text}")).bytes());
        }
        assert_eq!(Some(code), own.judged_bytes(), "{}: {text}", own.file);
    }
}

#[test]
fn formatting_loses_nothing() {
    let mut changed = 0;
    for own in manifest().iter().filter(|own| own.is_program() && own.kind != "fault") {
        let text = own.text();
        let formatted = |text: &str, program: &Program| {
            let whole = TextRange::up_to(TextSize::of(text));
            apply_edits(text, &formatting::edits(View::root(program), whole)).unwrap()
        };
        let program = own.assembled(&text);
        let neat = formatted(&text, &program);
        let again = own.assembled(&neat);
        assert_eq!(formatted(&neat, &again), neat, "{}: once is enough", own.file);
        let bare = |text: &str| text.replace([' ', '\t'], "");
        assert_eq!(bare(&text), bare(&neat), "{}", own.file);
        let code = |program: &Program| -> Vec<_> {
            program.instructions.iter().map(|it| (it.offset, it.assembled)).collect()
        };
        assert_eq!(code(&program), code(&again), "{}", own.file);
        changed += usize::from(text != neat);
    }
    assert!(changed > 0, "no file was laid out otherwise");
}

/// A line of a judged table.
struct Judged {
    line: String,
    verdict: String,
    answer: String,
    text: String,
}

fn judged(name: &str) -> Vec<Judged> {
    let compressed = std::fs::read(data("judged").join(name)).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_string(&mut text).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let mut cells = row.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap_or_default();
        Judged { line: next(), verdict: next(), answer: next(), text: next() }
    })
    .collect()
}

/// The bytes that we make of a line, in hexadecimal digits; `err` for none. What waits for
/// a symbol is an error here. Beside it what a judge makes of it who cuts numbers to fit.
fn ours(line: &str, set: InstructionSet) -> [String; 2] {
    let hex = |it: Option<Assembled>| {
        let known = it.filter(|it| it.fixup.is_none());
        let bytes = known.map(|it| it.bytes().map(|byte| format!("{byte:02x}")).collect());
        bytes.unwrap_or_else(|| "err".to_owned())
    };
    match assemble_line(line, set, &NoSymbols) {
        Ok(assembled) => [hex(Some(assembled)), hex(Some(assembled))],
        Err(error) => ["err".to_owned(), hex(error.cut)],
    }
}

/// Lines on which we differ from all judges: patterns, and which of them a line needed.
struct Exceptions {
    patterns: Vec<String>,
    needed: BTreeSet<String>,
}

impl Exceptions {
    fn read() -> Exceptions {
        let text = std::fs::read_to_string(data("judged/EXCEPTIONS.tsv")).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let patterns = rows.map(|row| {
            let (pattern, reason) = row.split_once('\t').unwrap();
            assert!(!reason.is_empty(), "{row}");
            pattern.to_owned()
        });
        Exceptions { patterns: patterns.collect(), needed: BTreeSet::new() }
    }

    /// Tells whether a line that differs is an exception.
    fn excuse(&mut self, line: &str) -> bool {
        let found = self.patterns.iter().find(|pattern| fits(pattern, line));
        self.needed.extend(found.cloned());
        found.is_some()
    }
}

/// Tells whether a pattern, in which `*` stands for any letters, fits a line.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.trim_start().strip_prefix(first) else { return false };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || pattern.ends_with('*')
}

/// Says how we judge a line otherwise than all judges.
fn judged_otherwise(row: &Judged, set: InstructionSet) -> Option<String> {
    let ours = ours(&row.line, set);
    let theirs = if row.verdict == "err" { "err" } else { &row.answer };
    // Where the judges differ ours is one of theirs.
    let is_ours = |theirs: &str| ours.iter().any(|ours| ours == theirs);
    let agrees = match row.verdict.as_str() {
        "split" => row.answer.split(['=', ' ']).any(is_ours),
        _ => is_ours(theirs),
    };
    (!agrees).then(|| format!("{} {theirs}\t{}", row.verdict, ours[0]))
}

/// Says how words that all judges made are read as something else.
fn read_otherwise(row: &Judged, set: InstructionSet) -> Option<String> {
    let own = words(&bytes(&row.answer));
    let Ok(decoded) = decode(&own, set) else { return Some("not read".to_owned()) };
    let again = assemble_line(&decoded.text, set, &NoSymbols);
    let is_same = again.is_ok_and(|again| again.words() == own);
    (!is_same).then(|| format!("reads {}", decoded.text))
}

#[test]
fn lines_and_words_are_judged_as_others_judge_them() {
    let mut exceptions = Exceptions::read();
    let mut wrong = String::new();
    let mut all = 0;
    for class in judged_classes() {
        let set = InstructionSet::of(Target::find(class).unwrap());
        for row in judged(&format!("gcn-{class}.tsv.gz")) {
            let read = (row.verdict == "ok").then(|| read_otherwise(&row, set)).flatten();
            for difference in [judged_otherwise(&row, set), read].into_iter().flatten() {
                if !exceptions.excuse(&row.line) {
                    let _ = writeln!(wrong, "{class}\t{}\t{difference}", row.line);
                }
            }
            all += 1;
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{wrong}", wrong.lines().count());
    assert!(all > 500_000, "{all} lines");
    let is_unused = |pattern: &&String| !exceptions.needed.contains(*pattern);
    let unused: Vec<_> = exceptions.patterns.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "exceptions that no line needs: {unused:?}");
}

/// The blanks and spellings of numbers that do not count between printers.
fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One line in this many may be spelled otherwise than LLVM's printer spells it.
const OTHER_SPELLINGS: usize = 40;

#[test]
fn words_are_spelled_as_others_spell_them() {
    let (mut all, mut other) = (0, Vec::new());
    for class in judged_classes() {
        let set = InstructionSet::of(Target::find(class).unwrap());
        for row in judged(&format!("gcn-{class}.tsv.gz")) {
            if row.verdict != "ok" || row.text == "-" {
                continue;
            }
            let Ok(decoded) = decode(&words(&bytes(&row.answer)), set) else { continue };
            let theirs = if row.text.is_empty() { &row.line } else { &row.text };
            all += 1;
            if normal(&decoded.text) != normal(theirs) {
                other.push(format!("{class}: {} | {theirs}", decoded.text));
            }
        }
    }
    eprintln!("{all} spelled, {} otherwise", other.len());
    let shown = &other[..other.len().min(20)];
    assert!(other.len() * OTHER_SPELLINGS < all, "{} of {all}: {shown:#?}", other.len());
}

/// Lines on which we differ from the CLRX assembler, and why.
const CLRX_REASONS: [(&str, &str); 2] = [
    ("s_waitcnt *cnt(*", "it cuts off what does not fit; we say so"),
    ("v_movreld_b32*, s1", "it takes a scalar source"),
];

#[test]
fn the_clrx_assembler_agrees_on_our_lines() {
    let (mut all, mut wrong) = (0, String::new());
    for class in CLRX_CLASSES {
        let target = Target::find(class).unwrap();
        let set = InstructionSet::in_dialect(target, Dialect::Clrx);
        for row in judged(&format!("clrx-{class}.tsv.gz")) {
            let theirs = if row.verdict == "ok" { row.answer.as_str() } else { "err" };
            let ours = ours(&row.line, set);
            all += 1;
            let reason = CLRX_REASONS.iter().any(|(pattern, _)| fits(pattern, &row.line));
            if !ours.iter().any(|ours| ours == theirs) && !reason {
                let _ = writeln!(wrong, "{class}\t{}\t{theirs}\t{}", row.line, ours[0]);
            }
        }
    }
    assert!(all > 500, "{all} lines");
    assert!(wrong.is_empty(), "{wrong}");
}

/// The contents of a chip's tables, and the part of them that lines and programs with
/// verdicts use.
#[derive(Default)]
struct Coverage {
    forms: BTreeSet<(&'static str, Encoding, &'static str)>,
    used: BTreeSet<(&'static str, Encoding, &'static str)>,
}

fn name_of(extension: Extension) -> &'static str {
    match extension {
        Extension::Sdwa => "SDWA",
        Extension::Dpp => "DPP",
        Extension::None | Extension::Literal => "",
    }
}

fn coverage(class: &str) -> Coverage {
    let target = Target::find(class).unwrap();
    let set = InstructionSet::of(target);
    let mut coverage = Coverage::default();
    for info in mnemonics::all() {
        let row = info.opcode.operands(target.row().subtarget);
        // What only other assemblers know has no judge here.
        if row.is_none_or(|row| row.flags.other_dialects()) {
            continue;
        }
        for form in info.forms(target) {
            coverage.forms.insert((info.name, form.encoding, ""));
            if form.sdwa {
                coverage.forms.insert((info.name, form.encoding, "SDWA"));
            }
            if form.dpp {
                coverage.forms.insert((info.name, form.encoding, "DPP"));
            }
        }
    }
    for row in judged(&format!("gcn-{class}.tsv.gz")) {
        let answer = match row.verdict.as_str() {
            "ok" => row.answer,
            "split" => row.answer.rsplit('=').next().unwrap_or_default().to_owned(),
            _ => continue,
        };
        if answer == "err" {
            continue;
        }
        let own = words(&bytes(&answer));
        let (Ok(decoded), Ok(shape)) = (decode(&own, set), shape(&own, target.generation())) else {
            continue;
        };
        coverage.used.insert((decoded.opcode.name(), shape.encoding, name_of(shape.extension)));
    }
    coverage
}

#[test]
fn every_form_of_every_chip_occurs() {
    let mut text = String::from(
        "# What the judged lines cover\n\n\
         Forms are mnemonics in one encoding, with or without SDWA and DPP; counted are those that a line\n\
         has which a judge takes. Made by `TUNGSTEN_UPDATE=1 cargo test -p tests gcn::own`.\n\n\
         | chip | encoding | forms | judged |\n|---|---|---|---|\n",
    );
    let mut absent: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for class in judged_classes() {
        let Coverage { forms, used } = coverage(class);
        let mut rows: BTreeMap<(Encoding, &str), [usize; 2]> = BTreeMap::new();
        for form in &forms {
            let row = rows.entry((form.1, form.2)).or_default();
            row[0] += 1;
            row[1] += usize::from(used.contains(form));
            if !used.contains(form) {
                let name = format!("{} {} {}", form.0, form.1.name(), form.2);
                absent.entry(name.trim_end().to_owned()).or_default().insert(class);
            }
        }
        for ((encoding, extension), [all, judged]) in rows {
            let _ =
                writeln!(text, "| {class} | {} {extension} | {all} | {judged} |", encoding.name());
        }
    }
    text.push_str("\n## Forms that no judge takes\n\n");
    for (form, classes) in &absent {
        let classes: Vec<&str> = classes.iter().copied().collect();
        let _ = writeln!(text, "* {form}: {}", classes.join(", "));
    }
    let path = data("gcn/COVERAGE.md");
    if std::env::var_os("TUNGSTEN_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stored, text, "run with TUNGSTEN_UPDATE=1");
    assert!(absent.len() < 20, "{absent:#?}");
}
