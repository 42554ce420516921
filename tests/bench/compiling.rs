//! The cost of a compile beside LLVM's own work: from an edit to the compiled view with
//! LLVM's time for the same IR taken off, and from an edit whose result was kept. Then the
//! real server process: from its start to its first compiled view, and its memory; and from an
//! edit to ACO's view, without the time in which the driver's process works.
//!
//! `cargo build --release && cargo bench -p tests --bench compiling`
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::ide::{CompiledRef, CompiledState, ViewKind};
use engine::{FileId, Host, JobResult, Language, Settings, WantedJob};
use gcn::Target;
use llvm::cache::{Bounds, Cache, Key};
use llvm::{Compiler, Configuration, Found, Job, Output};
use serde_json::{Value, json};
use tests::bench::{libraries, own_program, serve_if_worker};
use tests::client::Client;
use tests::measure::{RUNS, shader};

const BAR: Duration = Duration::from_millis(5);

/// The most that is ours between the pause in typing and ACO's view.
const ACO_BAR: Duration = Duration::from_millis(3);

/// The pause in typing before which the server asks for no compiles.
const PAUSE: Duration = Duration::from_millis(40);

fn main() -> ExitCode {
    serve_if_worker();
    let found = libraries();
    let Some(library) = found.first() else {
        println!("skipped: no libLLVM on this machine");
        return ExitCode::SUCCESS;
    };
    println!("with LLVM {}", library.version);
    println!("{:<58} {:>10} {:>10} {:>8}", "work", "median", "p99", "bar");
    let folder = Folder::new();
    for lines in [30, 300, 1_000] {
        edits(library, lines, &folder.0);
    }
    let program = program();
    if program.exists() {
        server(&program, &folder.0);
        for lines in [50, 300, 1_000] {
            aco(&program, lines);
        }
    } else {
        println!("skipped: {} is not there (cargo build --release)", program.display());
    }
    ExitCode::SUCCESS
}

/// A folder for results, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("tungsten-bench-{}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The server beside this benchmark: both are built for release.
fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("tungsten")
}

fn report(work: &str, mut times: Vec<Duration>, bar: Option<Duration>) {
    times.sort();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len()) - 1;
        times[place]
    };
    let bar = bar.map_or_else(String::new, |bar| format!("{bar:.0?}"));
    println!("{work:<58} {:>10.1?} {:>10.1?} {bar:>8}", at(0.5), at(0.99));
}

/// From a changed text to the job that is wanted for it.
fn wanted(host: &mut Host, text: &Arc<str>) -> (FileId, WantedJob) {
    let file = host.set_file("bench.tgsi", text.clone(), Language::Tgsi);
    let snapshot = host.snapshot();
    let jobs = snapshot.wanted_jobs(file).unwrap_or_default();
    let [job] = &jobs[..] else { panic!("{} jobs are wanted", jobs.len()) };
    (file, job.clone())
}

/// From a result to the view.
fn show(host: &mut Host, file: FileId, job: WantedJob, output: Output) {
    let outcome = JobResult::Compiled {
        assembly: Arc::from(output.assembly),
        code: Arc::from(output.code),
        warnings: Arc::default(),
    };
    host.finish_jobs(vec![(job, outcome)]);
    let compiled = CompiledRef::new(0, Target::default());
    let view = host.snapshot().compiled_view(file, &compiled, ViewKind::Code);
    let view = view.ok().flatten().unwrap_or_else(|| panic!("there is no view"));
    assert_eq!(view.state, CompiledState::Fresh, "{:?}", view.message);
    black_box(view);
}

fn edits(library: &Found, lines: usize, folder: &Path) {
    let configuration = Configuration::new(own_program(), library.path.clone(), engine::INTRINSICS);
    let mut compiler = Compiler::new(configuration);
    let cache = Cache::new(folder, Bounds::default());
    let mut host = Host::new(Settings {
        targets: vec![Target::default()],
        compile: true,
        ..Settings::default()
    });
    let texts: Vec<Arc<str>> = (0..=RUNS).map(|salt| shader(lines, salt).into()).collect();
    let (mut all, mut llvm, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    let mut hits = Vec::new();
    for (round, text) in texts.iter().chain(&texts).enumerate() {
        let begin = Instant::now();
        let (file, job) = wanted(&mut host, text);
        let (ir, features) = job.input.ir().expect("LLVM's job");
        let request = Job {
            ir: ir.to_string(),
            processor: job.build.target.row().processor.to_owned(),
            features: features.to_owned(),
            instructions: job.instructions,
        };
        let key = Key::of(&request, &library.path);
        if round >= texts.len() {
            let output = cache.get(key).unwrap_or_else(|| panic!("it was kept"));
            show(&mut host, file, job, output);
            hits.push(begin.elapsed());
            continue;
        }
        let output = compiler.compile(&request).unwrap_or_else(|error| panic!("{error}"));
        cache.put(key, &output);
        show(&mut host, file, job, output);
        let whole = begin.elapsed();
        // The same IR once more, with nothing of ours around it.
        let begin = Instant::now();
        black_box(compiler.compile(&request).unwrap_or_else(|error| panic!("{error}")));
        let own = begin.elapsed();
        // In the first round the process starts.
        if round > 0 {
            all.push(whole);
            llvm.push(own);
            ours.push(whole.saturating_sub(own));
        }
    }
    report(&format!("edit to compiled view, {lines} lines"), all, None);
    report("  of that, LLVM's process for the same IR", llvm, None);
    report("  the rest", ours, Some(BAR));
    report(&format!("edit to compiled view from the disk, {lines} lines"), hits, Some(BAR));
}

const URI: &str = "file:///bench.tgsi";

/// Asks for a view until it is that of the text.
fn await_view(client: &mut Client, params: &Value) {
    loop {
        let view = client.call("tungsten/compiledCode", params.clone()).expect("a view");
        if view["state"] == "fresh" {
            return;
        }
        assert_ne!(view["state"], "unavailable", "{}", view["message"]);
        client.message("tungsten/compiledCodeChanged");
    }
}

/// From the start of the server to its first compiled view, and its memory then.
fn server(program: &Path, folder: &Path) {
    let text = shader(300, 0);
    for (work, cache) in [
        ("start of the server to the first compiled view", PathBuf::from("off")),
        ("the same, with the result on the disk", folder.join("server")),
    ] {
        let (mut times, mut memory, mut compilers) = (Vec::new(), 0, Vec::new());
        for round in 0..=10 {
            let begin = Instant::now();
            let mut client = Client::start_with_cache(program, &cache, json!({}), Value::default());
            client.open(URI, &text);
            let params = json!({"textDocument": {"uri": URI}, "shader": 0});
            await_view(&mut client, &params);
            // The first round fills the disk, and its cache.
            if round > 0 {
                times.push(begin.elapsed());
            }
            memory = memory.max(client.resident());
            compilers = client.compiler_memory();
            client.stop();
        }
        report(work, times, None);
        let each: Vec<String> = compilers.iter().map(|it| format!("{} MiB", it >> 10)).collect();
        let each = if each.is_empty() { "none".to_owned() } else { each.join(", ") };
        println!("  memory of the server: {} MiB; of its compilers: {each}", memory >> 10);
    }
}

/// Constants and temporaries of the chain: so many of it differ.
const REGISTERS: usize = 16;

/// A fragment shader of which every line counts for its colour; `salt` chooses a constant in its
/// middle.
fn chain(lines: usize, salt: usize) -> String {
    let last = REGISTERS - 1;
    let mut text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..{last}]\n\
         DCL TEMP[0..{last}]\n"
    );
    for register in 0..REGISTERS {
        text.push_str(&format!("MUL TEMP[{register}], IN[0], CONST[0][{register}]\n"));
    }
    let body = lines.saturating_sub(2 * REGISTERS);
    for line in 0..body {
        let (own, other) = (line % REGISTERS, (line * 7 + 3) % REGISTERS);
        let constant = if line == body / 2 { salt } else { 5 };
        let sources = format!("TEMP[{other}], CONST[0][{constant}], TEMP[{own}]");
        text.push_str(&format!("MAD TEMP[{own}], {sources}\n"));
    }
    for register in 1..REGISTERS {
        text.push_str(&format!("ADD TEMP[0], TEMP[0], TEMP[{register}]\n"));
    }
    text.push_str("MOV OUT[0], TEMP[0]\nEND\n");
    text
}

/// From the end of the pause after an edit to ACO's plain listing.
fn aco(program: &Path, lines: usize) {
    if radv::library::choose().is_none() {
        return println!("skipped: no RADV on this machine");
    }
    let options = json!({"targets": ["polaris10"], "compilers": ["aco"]});
    let mut client = Client::start(program, json!({}), options);
    client.open(URI, &chain(lines, 0));
    let params = json!({"textDocument": {"uri": URI}, "shader": 0, "target": "aco:polaris10"});
    let (mut all, mut drivers, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..REGISTERS {
        // The lines of the edit before are still worked out, by more compiles.
        client.listen(Instant::now() + Duration::from_millis(3 * lines as u64));
        client.taken("tungsten/compiledCodeChanged");
        let (begin, before) = (Instant::now(), client.driver_time());
        if round > 0 {
            let document = json!({"uri": URI, "version": round + 1});
            let changes = json!([{"text": chain(lines, round)}]);
            let change = json!({"textDocument": document, "contentChanges": changes});
            client.notify("textDocument/didChange", change);
        }
        await_view(&mut client, &params);
        let whole = begin.elapsed().saturating_sub(PAUSE);
        let driver = client.driver_time() - before;
        // In the first round the process starts.
        if round > 0 {
            all.push(whole);
            drivers.push(driver);
            ours.push(whole.saturating_sub(driver));
        }
    }
    client.stop();
    report(&format!("pause to ACO's view, {lines} lines"), all, None);
    report("  of that, the driver's process", drivers, None);
    report("  the rest", ours, Some(ACO_BAR));
}
