//! Answers about shaders with the machine code that a compiler made of them, pinned by
//! checksums: views, joins, costs and comparisons, also while the text is another.

use std::path::Path;
use std::sync::Arc;

use gcn::Target;

use crate::golden_tests::{questions, records, short, whole};
use crate::ide::{ComparisonPart, CompiledRef, ViewKind};
use crate::{FileId, Host, JobResult, Language, Settings, WantedJob};

/// A shader with its code.
struct Compiled {
    name: String,
    chip: Target,
    shader: String,
    assembly: String,
    code: Vec<u8>,
}

impl Compiled {
    fn read(path: &Path) -> Option<Compiled> {
        let text = std::fs::read_to_string(path).expect("a program");
        let parts: Vec<(&str, &str)> =
            text.split("--- ").skip(1).filter_map(|part| part.split_once('\n')).collect();
        let part = |name| parts.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        let hex = part("code").trim().as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16);
        (parts.iter().filter(|it| it.0 == "shader").count() == 1).then(|| Compiled {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            chip: Target::find(part("chip").trim()).expect("a chip"),
            shader: part("shader").to_owned(),
            assembly: part("assembly").to_owned(),
            code: hex.map(|pair| byte(pair).expect("a byte")).collect(),
        })
    }

    /// The programs whose code was recorded for executing it.
    fn all() -> Vec<Compiled> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../diff-exec/programs");
        let files = std::fs::read_dir(folder).expect("the programs");
        let mut paths: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
        paths.sort();
        paths.iter().filter_map(|path| Compiled::read(path)).collect()
    }

    fn outcome(&self) -> JobResult {
        let warnings = vec![(2, "a warning".to_owned()), (0, "another".to_owned())];
        JobResult::Compiled {
            assembly: Arc::from(&*self.assembly),
            code: Arc::from(&*self.code),
            warnings: warnings.into(),
        }
    }

    fn main(&self) -> CompiledRef {
        CompiledRef::new(0, self.chip)
    }
}

fn finish(host: &mut Host, file: FileId, outcome: &JobResult) {
    let jobs = host.snapshot().wanted_jobs(file).unwrap();
    host.finish_jobs(jobs.into_iter().map(|job| (job, outcome.clone())).collect());
}

/// Views of the code, as text.
fn shown(host: &Host, file: FileId, of: &CompiledRef) -> String {
    let snapshot = host.snapshot();
    let mut out = String::new();
    for kind in [ViewKind::Code, ViewKind::Ir, ViewKind::Hex] {
        whole(&mut out, "view", [snapshot.compiled_view(file, of, kind).unwrap()]);
    }
    whole(&mut out, "code", [snapshot.compiled_code(file, of).unwrap()]);
    out
}

#[test]
fn all_that_is_said_about_compiled_shaders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut records = records::Records::new(root.join("golden/compiled.tsv"));
    let mut before: Option<JobResult> = None;
    for program in Compiled::all() {
        let settings =
            Settings { targets: vec![program.chip], compile: true, ..Settings::default() };
        let mut host = Host::new(settings);
        let text = &program.shader;
        let file = host.set_file("shader.tgsi", Arc::from(&**text), Language::Tgsi);
        finish(&mut host, file, &program.outcome());
        let name = &program.name;
        records.add(name, "shown", &shown(&host, file, &program.main()));
        records.add(name, "said", &questions(&host.snapshot(), file));
        let kept = host.snapshot().baseline(file, &program.main()).unwrap();
        records.add(name, "kept", &short(&kept));
        // The text changes while its code is that of before: each line goes once.
        let mut waiting = String::new();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for left_out in (1..lines.len()).step_by(3) {
            let changed = [&lines[..left_out], &lines[left_out + 1..]].concat().concat();
            let file = host.set_file("shader.tgsi", Arc::from(changed), Language::Tgsi);
            waiting += &shown(&host, file, &program.main());
            let costs = host.snapshot().code_costs(file).unwrap();
            whole(&mut waiting, "costs", costs);
        }
        records.add(name, "waiting", &waiting);
        // A compile that fails, then one with the code of another shader.
        let mut compared = String::new();
        for outcome in [Some(JobResult::Failed("no reason".to_owned())), before.take()] {
            let Some(outcome) = outcome else { continue };
            finish(&mut host, file, &outcome);
            compared += &shown(&host, file, &program.main());
            let diagnostics = host.snapshot().all_diagnostics(file).unwrap();
            whole(&mut compared, "diagnostics", diagnostics.iter());
            let Some(kept) = &kept else { continue };
            let set = host.snapshot().compare_with(file, &program.main(), kept).unwrap();
            whole(&mut compared, "compared", [&set]);
            for part in [ComparisonPart::All, ComparisonPart::Changes] {
                let document = set.as_ref().map(|it| it.document(part));
                whole(&mut compared, "document", document.iter().flat_map(|it| it.text.lines()));
            }
        }
        records.add(name, "compared", &compared);
        before = Some(program.outcome());
    }
    records.check();
}

#[test]
fn as_many_targets_as_there_are_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut records = records::Records::new(root.join("golden/columns.tsv"));
    let all: Vec<Target> = Target::all().collect();
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                MOV OUT[0], IN[0]\nEND\n";
    for count in [0, 1, 2, 7, 8, 9, all.len()] {
        let targets = all[..count].to_vec();
        let mut host = Host::new(Settings { targets, compile: true, ..Settings::default() });
        let file = host.set_file("shader.tgsi", Arc::from(text), Language::Tgsi);
        let snapshot = host.snapshot();
        let compared = snapshot.compare_targets(file, 0, &all[..count]).unwrap();
        let jobs = snapshot.wanted_jobs(file).unwrap();
        let job = |job: &WantedJob| {
            let (ir, features) = job.input.ir().unwrap();
            (job.build.target, features, Arc::clone(ir))
        };
        let jobs: Vec<_> = jobs.iter().map(job).collect();
        records.add(&count.to_string(), "compared", &format!("{compared:?}"));
        records.add(&count.to_string(), "jobs", &format!("{jobs:?}"));
    }
    records.check();
}
