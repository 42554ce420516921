//! Everything that can be asked of a few files, at every place of them, as it was answered
//! when it was last looked through. Who changes an answer on purpose writes the records
//! anew with `UPDATE_EXPECT=1` and reads the difference.

use std::fmt::{Debug, Write as _};
use std::path::Path;
use std::sync::Arc;

use expect_test::expect_file;
use gcn::Target;
use source::{TextRange, TextSize};

#[path = "../../../tests/src/asking.rs"]
pub(crate) mod asking;
#[path = "../../../tests/src/code_lines.rs"]
#[expect(unreachable_pub, reason = "other tests import it")]
mod code_lines;
#[path = "../../../tests/src/places.rs"]
mod places;
#[path = "../../../tests/src/records.rs"]
pub(crate) mod records;

use crate::ide::{
    ComparisonPart, CompiledRef, CostedLines, InlayHintKind, References, RenameError, ViewKind,
    WantedHints,
};
use crate::{Cancelled, FileId, Host, JobResult, Language, RunSettings, Settings, Snapshot};

/// Longer answers are recorded by their beginning and a checksum.
const LONGEST: usize = 600;

/// One line for an answer.
pub(crate) fn short(answer: &impl Debug) -> String {
    let text = format!("{answer:?}");
    if text.len() <= LONGEST {
        return text;
    }
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    let beginning: String = text.chars().take(120).collect();
    format!("{beginning}… {} bytes, {sum:016x}", text.len())
}

/// Records a question that is asked at every place: neighbours with one answer together.
fn everywhere<T: Debug>(out: &mut String, title: &str, text: &str, ask: impl Fn(TextSize) -> T) {
    let _ = writeln!(out, "\n## {title}\n");
    let mut begin: Option<(usize, String)> = None;
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    for at in places {
        let answer = short(&ask(TextSize::new(at as u32)));
        match &begin {
            Some((_, known)) if *known == answer => {}
            _ => {
                if !["None", "[]", "Ok(None)", "Ok([])"].contains(&answer.as_str()) {
                    let _ = writeln!(out, "{at}: {answer}");
                } else if begin.is_some() {
                    let _ = writeln!(out, "{at}:");
                }
                begin = Some((at, answer));
            }
        }
    }
}

/// Records a question about the whole file.
pub(crate) fn whole<T: Debug>(out: &mut String, title: &str, answers: impl IntoIterator<Item = T>) {
    let _ = writeln!(out, "\n## {title}\n");
    for answer in answers {
        let _ = writeln!(out, "{}", short(&answer));
    }
}

/// Everything about a file.
fn record(snapshot: &Snapshot, file: FileId) -> String {
    let text = snapshot.text(file).unwrap();
    let all = TextRange::up_to(TextSize::of(&*text));
    let mut out = String::from("# All answers\n");
    let o = &mut out;
    whole(o, "diagnostics", snapshot.all_diagnostics(file).unwrap().iter());
    whole(o, "allowed", snapshot.allowed_codes(file).unwrap());
    whole(o, "shaders", snapshot.shaders(file).unwrap());
    whole(o, "needs", snapshot.needs(file).unwrap());
    whole(o, "reading", snapshot.assembly_kind(file).unwrap());
    whole(o, "jobs", snapshot.wanted_jobs(file).unwrap().iter().map(|job| job.build.target));
    whole(o, "files", [snapshot.wanted_files(file).unwrap()]);
    whole(o, "includes", snapshot.includes(file).unwrap());
    whole(o, "folds", snapshot.folds(file).unwrap());
    whole(o, "tokens", snapshot.semantic_tokens(file, all).unwrap().chunks(8));
    whole(o, "symbols", snapshot.symbols(file).unwrap());
    for kind in InlayHintKind::ALL {
        let wanted = WantedHints::everywhere(&[kind]);
        whole(o, &format!("hints {kind:?}"), snapshot.inlay_hints(file, all, &wanted).unwrap());
    }
    let important = WantedHints {
        lines: CostedLines::Important,
        ..WantedHints::everywhere(&InlayHintKind::ALL)
    };
    whole(o, "important hints", snapshot.inlay_hints(file, all, &important).unwrap());
    // What is seen of a file is less than all of it.
    let lines: Vec<u32> = text.match_indices('\n').map(|(at, _)| at as u32).collect();
    for (first, last) in lines.iter().zip(&lines[2..]) {
        let part = TextRange::new((first + 1).into(), (*last).into());
        whole(
            o,
            &format!("hints of {part:?}"),
            snapshot
                .inlay_hints(file, part, &WantedHints::everywhere(&InlayHintKind::ALL))
                .unwrap(),
        );
    }
    whole(o, "costs", snapshot.code_costs(file).unwrap());
    let lenses = snapshot.code_lenses(file).unwrap();
    let titles = lenses.iter().map(|lens| snapshot.lens_title(file, &lens.measured).unwrap());
    whole(o, "lens titles", titles);
    whole(o, "lenses", &lenses);
    everywhere(o, "hover", &text, |at| snapshot.hover(file, at).unwrap());
    everywhere(o, "completion", &text, |at| snapshot.completion(file, at).unwrap());
    everywhere(o, "signature", &text, |at| snapshot.signature_help(file, at).unwrap());
    everywhere(o, "definitions", &text, |at| snapshot.definitions(file, at).unwrap());
    everywhere(o, "references", &text, |at| {
        snapshot.references(file, at, References::All).unwrap()
    });
    everywhere(o, "callable", &text, |at| snapshot.callable(file, at).unwrap());
    everywhere(o, "callers", &text, |at| snapshot.callers(file, at).unwrap());
    everywhere(o, "callees", &text, |at| snapshot.callees(file, at).unwrap());
    everywhere(o, "expanded", &text, |at| snapshot.expanded(file, at).unwrap());
    everywhere(o, "expands", &text, |at| snapshot.expands(file, at).unwrap());
    everywhere(o, "highlights", &text, |at| snapshot.highlights(file, at).unwrap());
    everywhere(o, "rename", &text, |at| worded(snapshot.prepare_rename(file, at)));
    everywhere(o, "renamed", &text, |at| worded(snapshot.rename(file, at, "other")));
    everywhere(o, "refactorings", &text, |at| snapshot.refactorings(file, at).unwrap());
    everywhere(o, "selections", &text, |at| snapshot.selections(file, at).unwrap());
    everywhere(o, "shader", &text, |at| snapshot.shader_at(file, at).unwrap());
    out
}

fn check(name: &str, record: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    expect_file![folder.join(name).with_extension("md")].assert_eq(record);
}

fn tgsi(name: &str, text: &str) -> (Host, FileId) {
    let targets = vec![Target::default()];
    let mut host = Host::new(Settings { targets, compile: true, ..Settings::default() });
    let file = host.set_file(name, Arc::from(text), Language::Tgsi);
    (host, file)
}

const LOG: &str = "\
# tungsten: profile=cayman
[   1.5] drv: VERT
[   1.5] drv: DCL IN[0]
[   1.6] drv: DCL OUT[0], POSITION
[   1.6] drv: DCL OUT[1], GENERIC[1]
[   1.6] drv: DCL TEMP[0], LOCAL
[   1.6] drv:   0: MUL TEMP[0], IN[0], IN[0].wwww
[   1.6] drv:   1: MOV OUT[0], TEMP[0]
[   1.6] drv:   2: MOV OUT[1], TEMP[0].xxxx
[   1.7] drv:   3: END
some words of the driver
[   1.8] drv: FRAG
[   1.8] drv: DCL IN[0], GENERIC[0], PERSPECTIVE
[   1.8] drv: DCL OUT[0], COLOR
[   1.8] drv: IMM[0] FLT32 {    0.5000,     1.0000,     0.0000,     2.0000}
[   1.8] drv:   0: MAD OUT[0], IN[0], IMM[0].xxxx, -IMM[0].wwww
[   1.8] drv:   1: MUVE OUT[0], IN[0]
[   1.9] drv:   2: END
";

#[test]
fn a_log_of_two_shaders() {
    let (host, file) = tgsi("log.tgsi", LOG);
    check("log", &record(&host.snapshot(), file));
}

const RUN: &str = "\
# tungsten: run=in.toml
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..1]
DCL TEMP[0..1]
IMM[0] FLT32 { 0.5, 2.0, 0.0, 1.0}
IMM[1] UINT32 { 1, 2, 3, 4}
  0: MUL TEMP[0].xy, IN[0].xyyy, IMM[0].yyyy
  1: IF TEMP[0].xxxx :4
  2:   MOV TEMP[1], -|CONST[0][1]|
  3: ELSE :5
  4:   UADD TEMP[1].x, IMM[1].xxxx, IMM[1].wwww
  5: ENDIF
  6: MOV OUT[0], TEMP[1]
  7: END
";

/// Machine code of the shader, joined to its instructions by the ordinals of its lines.
const COMPILED: &str = "\t.text\n\t.globl\tmain\nmain:\n\t.loc\t1 1 1\n\
    \tv_mul_f32_e32 v0, v1, v2\n\t.loc\t1 3 1\n\ts_load_dword s0, s[2:3], 0x0\n\
    \ts_waitcnt lgkmcnt(0)\n\tv_mov_b32_e32 v1, s0\n\t.loc\t1 7 1\n\
    \texp mrt0 v0, v1, v1, v1 done vm\n\ts_endpgm\n";

/// An answer to a rename with the words of its refusal.
fn worded<T>(answer: Result<Result<T, RenameError>, Cancelled>) -> Result<T, String> {
    answer.unwrap().map_err(|reason| reason.to_string())
}

pub(crate) fn outcome(text: &str) -> JobResult {
    let target = Target::default();
    let lines: String = text
        .lines()
        .filter(|line| line.starts_with('\t') && !line.starts_with("\t."))
        .fold(String::new(), |all, line| all + line.trim() + "\n");
    let code = code_lines::from_lines(target, &lines);
    let code = code.expect("lines of the target");
    let words = code.instructions.iter().flat_map(|it| it.words().to_vec());
    let code: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    JobResult::Compiled {
        assembly: Arc::from(text),
        code: Arc::from(code),
        warnings: Arc::default(),
    }
}

pub(crate) fn finish(host: &mut Host, file: FileId, outcome: &JobResult) {
    let jobs = host.snapshot().wanted_jobs(file).unwrap();
    host.finish_jobs(jobs.into_iter().map(|job| (job, outcome.clone())).collect());
}

#[test]
fn a_shader_that_is_run_and_compiled() {
    let (mut host, file) = tgsi("run.tgsi", RUN);
    let inputs =
        "lane = 1\n[in]\n0 = [[0.0], [1.0], [2.0], [3.0]]\n[const]\n0 = [[1.0], [2.0, 3.0]]\n";
    let given = host.set_file("in.toml", Arc::from(inputs), Language::Tgsi);
    host.set_includes(file, vec![("in.toml".to_owned(), Some(given))]);
    let run = RunSettings { inputs: None, lane: Some(2) };
    host.set_settings(Settings { run, ..host.settings() });
    finish(&mut host, file, &outcome(COMPILED));
    let snapshot = host.snapshot();
    let mut out = record(&snapshot, file);
    let main = CompiledRef::new(0, Target::default());
    let o = &mut out;
    for kind in [ViewKind::Code, ViewKind::Ir, ViewKind::Hex] {
        whole(o, &format!("view {kind:?}"), [snapshot.compiled_view(file, &main, kind).unwrap()]);
    }
    whole(o, "compiled code", [snapshot.compiled_code(file, &main).unwrap()]);
    let targets = [Target::default(), Target::find("tahiti").expect("a chip")];
    whole(o, "targets", [snapshot.compare_targets(file, 0, &targets).unwrap()]);
    let kept = snapshot.baseline(file, &main).unwrap();
    whole(o, "baseline", [&kept]);
    // The text changes, and its code with it.
    drop(snapshot);
    let changed = RUN.replace("MUL TEMP[0].xy", "ADD TEMP[0].xy");
    let file = host.set_file("run.tgsi", Arc::from(changed), Language::Tgsi);
    let kept = kept.expect("a result");
    let longer =
        COMPILED.replace("v_mul_f32_e32 v0, v1, v2", "v_add_f32_e32 v0, v1, v2\n\ts_nop 0");
    let waiting = host.snapshot();
    whole(o, "while it waits", [waiting.compiled_view(file, &main, ViewKind::Code).unwrap()]);
    drop(waiting);
    finish(&mut host, file, &outcome(&longer));
    let snapshot = host.snapshot();
    let compared = snapshot.compare_with(file, &main, &kept).unwrap();
    whole(o, "compared", [&compared]);
    let document = compared.as_ref().map(|it| it.document(ComparisonPart::All));
    whole(o, "document of what is compared", document.iter().flat_map(|it| it.text.lines()));
    check("run", &out);
}

const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"
.include \"macros.inc\"
size = 4
.text
.type load,@function
load:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, v0, s[4:7], 0 offen offset:size
  v_mov_b32 v2, 1.0
  twice 3
again:
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v2 // sum
  s_sub_u32 s8, s8, 1
  s_cbranch_scc1 again
  buffer_store_dword v1, v0, s[4:7], 0 offen
  v_unknown v0
  s_endpgm
";
const MACROS: &str = ".macro twice reg\n v_add_f32 v\\reg, v\\reg, v2\n.endm\n";

#[test]
fn a_kernel_with_a_macro_of_another_file() {
    let mut host = Host::new(Settings { targets: vec![Target::default()], ..Settings::default() });
    let file = host.set_file("kernel.s", Arc::from(KERNEL), Language::Gcn);
    let macros = host.set_file("macros.inc", Arc::from(MACROS), Language::Gcn);
    host.set_includes(file, vec![("macros.inc".to_owned(), Some(macros))]);
    let snapshot = host.snapshot();
    let mut out = record(&snapshot, file);
    let main = CompiledRef::new(0, Target::default());
    for kind in [ViewKind::Code, ViewKind::Hex, ViewKind::Expanded] {
        let view = snapshot.compiled_view(file, &main, kind).unwrap();
        whole(&mut out, &format!("view {kind:?}"), [&view]);
        let lines = view.iter().flat_map(|view| view.text.lines());
        whole(&mut out, &format!("text of {kind:?}"), lines);
    }
    check("kernel", &out);
    check("macros", &record(&snapshot, macros));
}

const CALLS: &str = "\
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0]
  0: CAL :4
  1: CAL :7
  2: MOV OUT[0], TEMP[0]
  3: END
  4: BGNSUB
  5:   CAL :7
  6: ENDSUB
  7: BGNSUB
  8:   MOV TEMP[0], IN[0]
  9: ENDSUB
";

#[test]
fn subroutines_that_call_each_other() {
    let (host, file) = tgsi("calls.tgsi", CALLS);
    check("calls", &record(&host.snapshot(), file));
}

/// The files of the repository that are asked about, one of so many.
const EVERY: usize = 9;

/// Everything about one of so many own files, and about its costs in every chip's terms.
#[test]
fn own_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut records = records::Records::new(root.join("golden/own_files.tsv"));
    for (folder, language) in [("tgsi", Language::Tgsi), ("gcn", Language::Gcn)] {
        let folder = root.join("../../tests/data").join(folder);
        let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("a manifest");
        let names = manifest.lines().filter_map(|row| row.split('\t').next());
        let texts = names.filter(|it| [".tgsi", ".s", ".asm"].iter().any(|end| it.ends_with(end)));
        for name in texts.step_by(EVERY) {
            let text = std::fs::read_to_string(folder.join(name)).expect("a file");
            let targets = ["tahiti", "vega10"].map(|it| Target::find(it).expect("a chip"));
            let mut host = Host::new(Settings {
                targets: targets.to_vec(),
                compile: true,
                ..Settings::default()
            });
            let file = host.set_file(name, Arc::from(&*text), language);
            let snapshot = host.snapshot();
            records.add(name, "all", &questions(&snapshot, file));
            drop(snapshot);
            let mut written = String::new();
            for (_, text) in asking::wounded(&text, 2) {
                let file = host.set_file(name, Arc::from(&*text), language);
                let snapshot = host.snapshot();
                written += &asking::lines(snapshot.all_diagnostics(file).unwrap().iter());
                written += &asking::lines(snapshot.symbols(file).unwrap());
                written += &asking::lines(snapshot.code_costs(file).unwrap());
            }
            records.add(name, "written", &written);
        }
    }
    records.check();
}

/// The questions of [`record`] at fewer places.
pub(crate) fn questions(snapshot: &Snapshot, file: FileId) -> String {
    let text = snapshot.text(file).unwrap();
    let all = TextRange::up_to(TextSize::of(&*text));
    let mut out = String::new();
    let o = &mut out;
    whole(o, "diagnostics", snapshot.all_diagnostics(file).unwrap().iter());
    whole(o, "allowed", snapshot.allowed_codes(file).unwrap());
    whole(o, "shaders", snapshot.shaders(file).unwrap());
    whole(o, "needs", snapshot.needs(file).unwrap());
    whole(o, "assembly kind", snapshot.assembly_kind(file).unwrap());
    whole(o, "jobs", snapshot.wanted_jobs(file).unwrap().iter().map(|job| job.build.target));
    whole(o, "folds", snapshot.folds(file).unwrap());
    whole(o, "tokens", snapshot.semantic_tokens(file, all).unwrap().chunks(8));
    whole(o, "symbols", snapshot.symbols(file).unwrap());
    whole(
        o,
        "hints",
        snapshot.inlay_hints(file, all, &WantedHints::everywhere(&InlayHintKind::ALL)).unwrap(),
    );
    whole(o, "costs", snapshot.code_costs(file).unwrap());
    let lenses = snapshot.code_lenses(file).unwrap();
    let titles = lenses.iter().map(|lens| snapshot.lens_title(file, &lens.measured).unwrap());
    whole(o, "lens titles", titles);
    *o += &asking::everywhere(&text, |at| {
        let at = TextSize::new(at as u32);
        (
            short(&snapshot.hover(file, at).unwrap()),
            short(&snapshot.definitions(file, at).unwrap()),
            short(&snapshot.references(file, at, References::All).unwrap()),
            short(&snapshot.highlights(file, at).unwrap()),
            short(&worded(snapshot.rename(file, at, "other"))),
            short(&snapshot.refactorings(file, at).unwrap()),
            short(&snapshot.signature_help(file, at).unwrap()),
            short(&snapshot.selections(file, at).unwrap()),
        )
    });
    out
}
