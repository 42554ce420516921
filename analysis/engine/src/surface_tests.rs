//! Answers under settings and lines of a file that change them, pinned by checksums; what
//! machine code tells of its source; and what a host keeps of its files.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gcn::Target;
use gcn::assembler::Dialect as Assembly;
use source::{Severity, TextRange, TextSize};
use tgsi::dialects::Dialect;
use tgsi::profiles::Profile;
use tgsi::word_rows;

use crate::golden_tests::{asking, finish, outcome, records, whole};
use crate::ide::{
    ComparisonPart, CompiledRef, FormatNumbers, FormatScope, Refactoring, ViewKind, completion_page,
};
use crate::{
    AssemblySettings, FileId, Host, Include, JobResult, Language, RuleSettings, Settings, Snapshot,
};

fn table(name: &str) -> records::Records {
    records::Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name))
}

/// The own files of a language with their texts, one of so many.
fn files(language: Language, every: usize) -> Vec<(String, String)> {
    let folder = if language == Language::Tgsi { "tgsi" } else { "gcn" };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(folder);
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("a manifest");
    let names = manifest.lines().filter_map(|row| row.split('\t').next());
    let texts = names.filter(|it| [".tgsi", ".s", ".asm"].iter().any(|end| it.ends_with(end)));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    texts.skip(1).step_by(every).map(|name| (name.to_owned(), read(name))).collect()
}

/// Settings that each change something, by a name.
fn settings() -> Vec<(String, Settings)> {
    let chips = ["tahiti", "fiji"].map(|it| Target::find(it).expect("a chip"));
    let usual = Settings { targets: chips.to_vec(), ..Settings::default() };
    let with = |rules: RuleSettings| Settings { rules, ..usual.clone() };
    let assembly = |assembly: AssemblySettings| Settings { assembly, ..usual.clone() };
    let mut all = vec![("usual".to_owned(), usual.clone())];
    for dialect in Dialect::all().iter().step_by(4) {
        let rules = RuleSettings { dialect: Some(dialect), ..RuleSettings::default() };
        all.push((dialect.name.to_owned(), with(rules)));
    }
    for profile in Profile::all().iter().step_by(9) {
        let rules = RuleSettings { profile: Some(Arc::clone(profile)), ..RuleSettings::default() };
        all.push((profile.name.to_string(), with(rules)));
    }
    let codes = ["tgsi::unused-declaration", "gcn::unused", "gcn::wait"].map(str::to_owned);
    all.push((
        "allow".to_owned(),
        with(RuleSettings { allow: codes.to_vec(), ..Default::default() }),
    ));
    let severities = codes.iter().map(|code| (code.clone(), Severity::Error)).collect();
    all.push(("severities".to_owned(), with(RuleSettings { severities, ..Default::default() })));
    for (name, dialect) in [("llvm", Assembly::Llvm), ("clrx", Assembly::Clrx)] {
        let own = AssemblySettings { dialect: Some(dialect), ..AssemblySettings::default() };
        all.push((name.to_owned(), assembly(own)));
    }
    let target = Target::find("gfx908");
    let symbols =
        [("x", 7), ("size", 3), ("x", 9)].map(|(name, it)| (name.to_owned(), it)).to_vec();
    all.push(("chip".to_owned(), assembly(AssemblySettings { target, dialect: None, symbols })));
    all
}

/// Settings, lines and formats, and the answers that they bear on.
fn ruled(snapshot: &Snapshot, file: FileId) -> String {
    let mut out = String::new();
    let o = &mut out;
    whole(o, "diagnostics", snapshot.diagnostics(file).unwrap());
    whole(o, "cost diagnostics", snapshot.cost_diagnostics(file).unwrap());
    whole(o, "readers", [snapshot.shader_readers(file).unwrap()]);
    whole(o, "kind", [snapshot.assembly_kind(file).unwrap()]);
    whole(o, "needs", snapshot.needs(file).unwrap());
    whole(o, "quick", [snapshot.costs_are_quick(file).unwrap()]);
    for shader in 0..snapshot.shaders(file).unwrap().len() {
        whole(o, "targets", [snapshot.targets(file, shader).unwrap()]);
        whole(o, "named", [snapshot.names_targets(file, shader).unwrap()]);
        whole(o, "inputs", [snapshot.inputs_name(file, shader).unwrap()]);
    }
    out
}

/// Layouts, refactorings and other forms of a file.
fn changed(snapshot: &Snapshot, file: FileId) -> String {
    let text = snapshot.text(file).unwrap();
    let length = u32::from(TextSize::of(&*text));
    let all = TextRange::up_to(TextSize::of(&*text));
    let part = TextRange::new((length / 4).into(), (length / 2).into());
    let mut out = String::new();
    let o = &mut out;
    for numbers in [FormatNumbers::Keep, FormatNumbers::Always, FormatNumbers::Never] {
        for scope in [FormatScope::Whole, FormatScope::Range(part), FormatScope::Line(part)] {
            whole(o, "formatting", snapshot.formatting(file, numbers, scope).unwrap());
        }
    }
    for range in [all, part] {
        whole(o, "converted", [snapshot.converted(file, range).unwrap()]);
    }
    let lines: Vec<u32> = text.match_indices('\n').map(|(at, _)| at as u32 + 1).collect();
    for at in lines.iter().map(|at| TextSize::new(*at)) {
        let edits = snapshot.on_new_line(file, FormatNumbers::default(), at).unwrap();
        whole(o, "on a new line", edits);
        let line = TextRange::new(at, (u32::from(at) + 20).min(length).into());
        whole(o, "a line converted", [snapshot.converted(file, line).unwrap()]);
        for place in [at, (u32::from(at) + 8).min(length).into()] {
            for refactoring in Refactoring::ALL {
                let edits = snapshot.refactored(file, place, refactoring).unwrap();
                whole(o, "refactored", edits);
            }
        }
    }
    let chip = Target::find("tahiti").expect("a chip");
    for kind in [ViewKind::Tokens, ViewKind::Ir, ViewKind::Code, ViewKind::Hex, ViewKind::Expanded]
    {
        let view = snapshot.compiled_view(file, &CompiledRef::new(0, chip), kind);
        whole(o, "view", [view.unwrap()]);
    }
    out
}

#[test]
fn own_files_under_other_settings() {
    let mut records = table("settings.tsv");
    for (name, settings) in settings() {
        let mut host = Host::new(settings);
        for (language, every) in [(Language::Tgsi, 24), (Language::Gcn, 12)] {
            let mut said = String::new();
            for (file, text) in files(language, every) {
                let file = host.set_file(&file, Arc::from(text), language);
                said += &ruled(&host.snapshot(), file);
            }
            records.add(&name, if language == Language::Tgsi { "tgsi" } else { "gcn" }, &said);
        }
    }
    records.check();
}

#[test]
fn own_files_in_other_forms() {
    let mut records = table("forms.tsv");
    for (language, every) in [(Language::Tgsi, 14), (Language::Gcn, 7)] {
        let chips = ["tahiti", "vega10"].map(|it| Target::find(it).expect("a chip"));
        let targets = chips.to_vec();
        let mut host = Host::new(Settings { targets, compile: true, ..Settings::default() });
        for (name, text) in files(language, every) {
            let file = host.set_file(&name, Arc::from(text), language);
            records.add(&name, "changed", &changed(&host.snapshot(), file));
        }
    }
    records.check();
}

/// Lines that decide before the settings do.
const LINES: [&str; 34] = [
    "target=tahiti",
    "target=tahiti,vega10,tahiti",
    "target=nochip",
    "target=",
    "target=gfx803, fiji",
    "profile=r600",
    "profile=nv50",
    "profile=radeonsi-gfx88",
    "profile=",
    "dialect=mesa-2014",
    "dialect=mesa-24",
    "dialect=auto",
    "dialect=virgl",
    "dialect=",
    "allow=tgsi::unused-declaration",
    "allow=unused-declaration,unused-declarations",
    "allow=tgsi::no-such",
    "allow=",
    "allow-file=tgsi::unused-declaration",
    "allow-file=tgsi::syntax",
    "run=in.toml",
    "run=a b",
    "run=",
    "lane=1",
    "lane=99",
    "lane=x",
    "smoothing=on",
    "user-clip-planes=0,1",
    "vertex-format=x",
    "a=b",
    "a",
    "target=tahiti profile=r600",
    "instance-divisor=1,0",
    "key=value",
];

#[test]
fn lines_of_a_file_that_set_something() {
    let mut records = table("lines.tsv");
    let target = Target::find("polaris10").expect("a chip");
    for line in LINES {
        let mut said = String::new();
        for (name, settings) in settings().into_iter().take(2) {
            let targets = vec![target];
            let mut host = Host::new(Settings { targets, compile: true, ..settings });
            for stage in ["FRAG", "VERT", "COMP"] {
                let body = "DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n";
                let shader = format!("{stage}\n{body}MUL TEMP[0], IN[0], IN[0]\nEND\n");
                let within = shader.replace("DCL TEMP", &format!("# tungsten: {line}\nDCL TEMP"));
                let behind = shader.replace("[0..1]\n", &format!("[0..1] // tungsten: {line}\n"));
                let between = format!("{shader}# tungsten: {line}\n{shader}");
                for text in [within, behind, between] {
                    let file = host.set_file("file.tgsi", Arc::from(text), Language::Tgsi);
                    let snapshot = host.snapshot();
                    let _ = writeln!(said, "{name}\n{}", ruled(&snapshot, file));
                    whole(&mut said, "allowed", snapshot.allowed_codes(file).unwrap());
                    whole(&mut said, "wanted", [snapshot.wanted_includes(file).unwrap()]);
                    let jobs = snapshot.wanted_jobs(file).unwrap();
                    whole(
                        &mut said,
                        "jobs",
                        jobs.iter()
                            .map(|it| (it.shader, it.build.target, it.input.ir().unwrap().0)),
                    );
                    let at = TextSize::new(60);
                    whole(&mut said, "hover", [snapshot.hover(file, at).unwrap()]);
                    whole(&mut said, "completion", [snapshot.completion(file, at).unwrap()]);
                }
            }
        }
        records.add(line, "said", &said);
    }
    records.check();
}

#[test]
fn pages_of_completed_words() {
    let mut records = table("pages.tsv");
    let mut lists = std::collections::BTreeMap::<&str, String>::new();
    for row in word_rows::all() {
        let page = completion_page(row.list, row.word);
        let _ = writeln!(lists.entry(row.list).or_default(), "{} {page:?}", row.word);
    }
    let mnemonics = gcn::mnemonics::all().iter().step_by(7);
    for list in ["opcode", "gcn-mnemonic", "gcn-directive", "gcn-word", "nothing"] {
        for name in
            tgsi::Opcode::all().map(|it| it.mnemonic()).chain(mnemonics.clone().map(|it| it.name))
        {
            let page = completion_page(list, name);
            let _ = writeln!(lists.entry(list).or_default(), "{name} {page:?}");
        }
    }
    for (list, pages) in &lists {
        records.add(list, "pages", pages);
    }
    records.check();
}

/// A shader that waits, indexes registers and writes twice.
const SHADER: &str = "\
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL SV[0], THREAD_ID
DCL TEMP[0..7], ARRAY(1)
DCL ADDR[0]
DCL BUFFER[0]
IMM[0] UINT32 {0, 4, 8, 12}
  0: UARL ADDR[0].x, SV[0].xxxx
  1: MOV TEMP[ADDR[0].x](1), IMM[0]
  2: BARRIER
  3: STORE BUFFER[0].xy, IMM[0].xxxx, TEMP[ADDR[0].x+1](1)
  4: END
";

/// Lines of the compiler: which statement, and what it became.
const CODE: [&str; 4] = [
    "\t.loc\t1 1 1\n\ts_mov_b32 s8, SCRATCH_RSRC_DWORD0\n\tv_lshlrev_b32_e32 v0, 2, v0\n",
    "\t.loc\t1 2 1\n\tv_mov_b32_e32 v1, 1.0\n\tbuffer_store_dword v1, v0, s[8:11], 0 offen\n",
    "\t.loc\t1 3 1\n\ts_barrier\n",
    "\t.loc\t1 4 1\n\tbuffer_load_dword v1, v0, s[8:11], 0 offen\n\tv_writelane_b32 v2, s1, 0\n",
];

/// The code of a text in which the loader fills a word in.
fn with_symbol(text: &str) -> JobResult {
    let filled = outcome(&text.replace("SCRATCH_RSRC_DWORD0", "0x1234"));
    let JobResult::Compiled { code, warnings, .. } = filled else { panic!("no code") };
    JobResult::Compiled { assembly: Arc::from(text), code, warnings }
}

#[test]
fn what_machine_code_tells_of_its_source() {
    let mut records = table("notes.tsv");
    let chip = Target::default();
    for scratch in ["", "; ScratchSize: 16\n", "; ScratchSize: 0\n"] {
        for spilled in ["", "spilled 1", "spilled 3 2"] {
            for left_out in 0..=CODE.len() {
                let lines: String = CODE
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != left_out)
                    .map(|(_, lines)| *lines)
                    .collect();
                let remarks = match spilled {
                    "" => String::new(),
                    "spilled 1" => "\t.section\t.AMDGPU.config\n\t.long\t4\n\t.long\t1\n".to_owned(),
                    _ => "\t.section\t.AMDGPU.config\n\t.long\t4\n\t.long\t2\n\t.long\t8\n\t.long\t3\n"
                        .to_owned(),
                };
                let assembly = format!(
                    "{remarks}\t.text\nmain:\n{lines}\ts_endpgm\n\t.section\t.AMDGPU.csdata\n{scratch}\
                     ; LDSByteSize: 512 bytes/workgroup\n"
                );
                let targets = vec![chip];
                let mut host =
                    Host::new(Settings { targets, compile: true, ..Settings::default() });
                let file = host.set_file("shader.tgsi", Arc::from(SHADER), Language::Tgsi);
                finish(&mut host, file, &with_symbol(&assembly));
                let snapshot = host.snapshot();
                let mut said = String::new();
                let main = CompiledRef::new(0, chip);
                whole(&mut said, "diagnostics", snapshot.all_diagnostics(file).unwrap());
                for kind in [ViewKind::Code, ViewKind::Hex] {
                    let view = snapshot.compiled_view(file, &main, kind).unwrap();
                    whole(&mut said, "view", view.iter().flat_map(|it| it.text.lines()));
                }
                let compared = snapshot.compare_targets(file, 0, &[chip]).unwrap();
                let document = compared.map(|it| it.document(ComparisonPart::All).text);
                whole(&mut said, "document", [document]);
                let lenses = snapshot.code_lenses(file).unwrap();
                let title = |it| snapshot.lens_title(file, it).unwrap();
                whole(&mut said, "lenses", lenses.iter().map(|it| title(&it.measured)));
                said += &asking::everywhere(SHADER, |at| {
                    snapshot.hover(file, TextSize::new(at as u32)).unwrap()
                });
                records.add(&format!("{scratch:?} {spilled}"), &left_out.to_string(), &said);
            }
        }
    }
    records.check();
}

#[test]
fn a_host_keeps_what_it_is_told_of_its_files() {
    let mut host = Host::new(Settings::default());
    let text = || Arc::from("FRAG\nDCL TEMP[0]\nEND\n");
    let [one, two] = ["one.tgsi", "two.tgsi"].map(|it| host.set_file(it, text(), Language::Tgsi));
    assert_eq!((host.file("two.tgsi"), host.file("three.tgsi")), (Some(two), None));
    assert_eq!(host.name(two).as_deref(), Some("two.tgsi"));
    assert_eq!(host.snapshot().name(one).unwrap().as_ref(), "one.tgsi");
    host.set_pipelines(one, &[vec![one, two], vec![two]]);
    assert_eq!(host.pipelines(one), [vec![one, two], vec![two]]);
    assert_eq!(host.pipelines(two), <[Vec<FileId>; 0]>::default());
    let meanings = [Include::Found(two), Include::Missing, Include::Outside];
    let names = ["two.tgsi", "none", "../far"].map(str::to_owned);
    let includes: Vec<_> = names.into_iter().zip(meanings).collect();
    host.set_includes(one, includes.clone());
    assert_eq!((host.includes(one), host.includes(two)), (includes, vec![]));
    let severity = |host: &Host, file| {
        let found = host.snapshot().diagnostics(file).unwrap();
        let unused = found.iter().find(|it| it.code.0 == "tgsi::unused-declaration");
        unused.map(|it| it.severity)
    };
    let usual = severity(&host, one);
    assert_eq!(usual, Some(Severity::Hint));
    // Settings of its own count for a file until they are taken away, and others may share them.
    let severities = vec![("tgsi::unused-declaration".to_owned(), Severity::Warning)];
    let rules = RuleSettings { severities, ..RuleSettings::default() };
    let own = Settings { rules, ..Settings::default() };
    host.set_own_settings(one, Some(own.clone()));
    assert_eq!((severity(&host, one), severity(&host, two)), (Some(Severity::Warning), usual));
    host.share_own_settings(one, two);
    assert_eq!(severity(&host, two), Some(Severity::Warning));
    let rules =
        RuleSettings { allow: vec!["tgsi::unused-declaration".to_owned()], ..own.rules.clone() };
    host.set_own_settings(one, Some(Settings { rules, ..own }));
    assert_eq!(severity(&host, one), None);
    assert_eq!(severity(&host, two), Some(Severity::Warning));
    host.set_own_settings(one, None);
    assert_eq!(severity(&host, one), usual);
    host.share_own_settings(one, two);
    assert_eq!(severity(&host, two), usual);
    host.remove_file(one);
    assert!(host.pipelines(one).is_empty() && host.includes(one).is_empty());
    assert_eq!(host.take_removed(), [one]);
    assert_eq!(host.take_removed(), []);
    host.remove_file(two);
    host.evict_caches();
    assert_eq!(host.take_removed(), []);
    assert_eq!(host.set_file("one.tgsi", text(), Language::Gcn), one);
    assert_eq!(host.snapshot().shaders(one).unwrap().len(), 0);
}
