//! Our commands beside the programs that people have for the same work: whole processes in
//! turn, by the processor time of all their threads.
//!
//! `cargo build --release && cargo bench -p tests --bench peers`, where `TUNGSTEN_CLRX` may name
//! the folder of clrxasm and clrxdisasm. It fails where a goal is missed, unless the machine is
//! too busy to tell.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use gcn::Target;
use gcn::program::{Options, assemble};
use tests::kernels::{Kernel, kernels};
use tests::measure::{self, Stopwatch, kernel, yardstick};
use tests::tools::llvm;
use tests::writers::objects::with_code;

/// Runs of each program; the median counts.
const RUNS: usize = 5;

/// The most that time and memory for a line may grow from ten thousand lines to 900,000, and
/// those for a file from 50 files to 5,000.
const GROWTH: f64 = 1.5;

fn main() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("tungsten-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let quiet_before = is_quiet();
    println!(
        "{:<34} {:<14} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "work", "program", "min ns", "median", "MiB", "ratio", "goal"
    );
    let mut bench = Bench { ours: own_program(), folder: folder.clone(), missed: 0 };
    bench.assembling();
    bench.real_kernels();
    bench.growth();
    bench.disassembling();
    std::fs::remove_dir_all(&folder).expect("its own folder");
    let quiet = quiet_before && is_quiet();
    match (bench.missed, quiet) {
        (0, _) => println!("every goal that was measured is met"),
        (missed, true) => println!("{missed} goals are missed"),
        (missed, false) => {
            println!("skipped: the machine is not quiet, which {missed} missed goals may be of");
        }
    }
    ExitCode::from(u8::from(bench.missed > 0 && quiet))
}

/// The program beside this benchmark: both are built for release.
fn own_program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let folder = own.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    let program = folder.join("tungsten");
    assert!(program.exists(), "{} is not there: cargo build --release", program.display());
    program
}

/// A program of CLRX, where its folder is named.
fn clrx(name: &str) -> Option<PathBuf> {
    Some(Path::new(&std::env::var_os("TUNGSTEN_CLRX")?).join(name))
}

/// Tells whether this thread gets nearly all the time that passes.
fn is_quiet() -> bool {
    let text = kernel(20_000, 0);
    let (start, processor) = (Instant::now(), Stopwatch::start());
    yardstick(&text);
    let (passed, had) = (start.elapsed(), processor.elapsed());
    println!("yardstick: {had:.1?} of processor in {passed:.1?}");
    had.as_secs_f64() > 0.9 * passed.as_secs_f64()
}

/// The commands of one program for some work.
struct Side<'a> {
    program: &'static str,
    commands: Vec<Box<dyn Fn() -> Command + 'a>>,
    /// The most that our time may be of its time.
    goal: Option<f64>,
}

/// Times and memory that a program took for some work, in all its runs.
#[derive(Default)]
struct Taken {
    times: Vec<Duration>,
    most_resident: u64,
    is_refused: bool,
}

impl Taken {
    fn median(&mut self) -> f64 {
        self.times.sort();
        self.times[self.times.len() / 2].as_nanos() as f64
    }
}

struct Bench {
    ours: PathBuf,
    folder: PathBuf,
    missed: usize,
}

impl Bench {
    /// Judges a figure by its goal.
    fn judge(&mut self, figure: f64, goal: f64) -> &'static str {
        let is_met = figure <= goal;
        self.missed += usize::from(!is_met);
        if is_met { "" } else { "missed" }
    }

    /// Writes a file that all programs read.
    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::write(&path, contents).expect("a file");
        path
    }

    /// Runs all sides in turn, ours first, and prints a row for each. Returns our median time
    /// and memory.
    fn compare(&mut self, work: &str, lines: usize, sides: &[Side<'_>]) -> (f64, u64) {
        let mut taken: Vec<Taken> = sides.iter().map(|_| Taken::default()).collect();
        for _ in 0..RUNS {
            for (side, taken) in sides.iter().zip(&mut taken) {
                let mut time = Duration::ZERO;
                for command in &side.commands {
                    let mut command = command();
                    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
                    match measure::run(quiet.stderr(Stdio::null())) {
                        Ok(run) => {
                            time += run.processor_time;
                            taken.most_resident = taken.most_resident.max(run.most_resident);
                            taken.is_refused |= !matches!(run.status.code(), Some(0 | 1));
                        }
                        Err(_) => taken.is_refused = true,
                    }
                }
                taken.times.push(time);
            }
        }
        let ours = taken[0].median();
        let memory = taken[0].most_resident;
        for (side, mut taken) in sides.iter().zip(taken) {
            if taken.is_refused {
                println!("{work:<34} {:<14} is not here, or refuses it", side.program);
                // It is ours that must be here.
                self.missed += usize::from(side.goal.is_none());
                continue;
            }
            let median = taken.median();
            let per_line = |time: f64| time / lines as f64;
            let least = per_line(taken.times[0].as_nanos() as f64);
            let (ratio, goal, verdict) = match side.goal {
                Some(goal) => {
                    let verdict = self.judge(ours / median, goal);
                    (format!("{:.3}", ours / median), format!("{goal:.3}"), verdict)
                }
                None => (String::new(), String::new(), ""),
            };
            println!(
                "{work:<34} {:<14} {least:>9.0} {:>9.0} {:>8.1} {ratio:>8} {goal:>8} {verdict}",
                side.program,
                per_line(median),
                taken.most_resident as f64 / 1024.0 / 1024.0
            );
        }
        (ours / lines as f64, memory)
    }

    /// One figure with its goal.
    fn figure(&mut self, what: &str, figure: f64, goal: f64) {
        let verdict = self.judge(figure, goal);
        println!("{what:<76} {figure:>8.2} {goal:>8.2} {verdict}");
    }

    fn assembling(&mut self) {
        for lines in [100_000, 500_000] {
            let file = self.file("plain.s", plain(lines));
            let own = self.own_side(&["asm", "--target", "gfx803", "--emit", "bin"], &file);
            let mut sides = vec![own, llvm_side("llvm-mc", MC, &file, 1.0 / 15.0)];
            sides.extend(clrx_side("clrxasm", ASM, &file, 0.5));
            let (_, memory) = self.compare(&format!("assemble {lines} lines"), lines, &sides);
            drop(sides);
            if lines == 500_000 {
                self.figure("memory of that, MiB", memory as f64 / 1024.0 / 1024.0, 40.0);
            }
        }
    }

    /// A side of one command of ours.
    fn own_side<'a>(&self, arguments: &'a [&'a str], file: &'a Path) -> Side<'a> {
        let program = self.ours.clone();
        let command = move || {
            let mut command = Command::new(&program);
            command.args(arguments).arg(file);
            command
        };
        Side { program: "tungsten", commands: vec![Box::new(command)], goal: None }
    }

    /// Kernels with macros, whole, as their own command lines assemble them.
    fn real_kernels(&mut self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora/gcn");
        if !root.exists() {
            return println!("real kernels are not measured: there is no `shared` beside this");
        }
        let mut all = kernels(&root);
        all.retain(|it| it.assembles() && it.is_sound());
        let lines = all.iter().map(|it| it.text().lines().count()).sum();
        let ours = self.ours.clone();
        let own = all.iter().map(|it| own_command(&ours, it)).collect();
        let theirs = all.iter().map(their_command).collect();
        let sides = [
            Side { program: "tungsten", commands: own, goal: None },
            Side { program: "llvm-mc", commands: theirs, goal: Some(0.1) },
        ];
        self.compare(&format!("{} real kernels", all.len()), lines, &sides);
        let corpus: usize = kernels(&root).iter().map(|it| it.text().lines().count()).sum();
        let check = self.own_side(&["check"], &root);
        let (time, _) = self.compare("check of the corpus", corpus, &[check]);
        // 8 s on two processors for 2.29 million lines.
        self.figure("processor time of that, us a line", time / 1e3, 7.0);
    }

    fn disassembling(&mut self) {
        let options = Options { target: Target::find("gfx803"), ..Options::default() };
        let text = plain(500_000);
        let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
        let lines = program.instructions.len();
        let code = program.image(program.instructions[0].section).bytes;
        let bare = self.file("plain.bin", &code);
        let object = self.file("plain.co", with_code(&code));
        drop((text, program, code));
        let of_bare = ["disasm", "--target", "gfx803"];
        let of_object = ["disasm", "--emit", "lines"];
        let own = self.own_side(&of_object, &object);
        let sides = [own, llvm_side("llvm-objdump", DUMP, &object, 1.0 / 15.0)];
        self.compare("disassemble an object", lines, &sides);
        let mut sides = vec![self.own_side(&of_bare, &bare)];
        sides.extend(clrx_side("clrxdisasm", DISASM, &bare, 1.0));
        self.compare("disassemble bare code", lines, &sides);
    }

    /// Time and memory by size.
    fn growth(&mut self) {
        let mut rows = Vec::new();
        // A million of these lines are more than the 32 MiB that a text may have.
        for lines in [10_000, 100_000, 900_000] {
            let file = self.file("plain.s", plain(lines));
            let own = self.own_side(&["asm", "--target", "gfx803", "--emit", "bin"], &file);
            let (time, memory) = self.compare(&format!("assemble {lines} lines"), lines, &[own]);
            rows.push((time, memory as f64 / lines as f64));
        }
        self.figure("time for a line, most by least lines", rows[2].0 / rows[0].0, GROWTH);
        self.figure("memory for a line, the same", rows[2].1 / rows[0].1, GROWTH);
        let text = measure::CHIP.to_owned() + &kernel(300, 0);
        let mut rows = Vec::new();
        for files in [1, 50, 500, 5_000] {
            let folder = self.folder.join(format!("files-{files}"));
            std::fs::create_dir_all(&folder).expect("a folder");
            for file in 0..files {
                std::fs::write(folder.join(format!("{file}.s")), &text).expect("a file");
            }
            let own = self.own_side(&["check"], &folder);
            let (time, memory) = self.compare(&format!("check {files} files"), files, &[own]);
            rows.push((time, memory as f64));
        }
        self.figure("time for a file, 5,000 by 50 files", rows[3].0 / rows[1].0, GROWTH);
        self.figure("memory of 5,000 by that of 500 files", rows[3].1 / rows[2].1, GROWTH);
    }
}

const MC: &[&str] = &["-arch=amdgcn", "-mcpu=gfx803", "-filetype=obj", "-o", "/dev/null"];
const DUMP: &[&str] = &["-d", "--mcpu=gfx803"];
const ASM: &[&str] = &["--gpuType=polaris10", "-b", "rawcode", "-o", "/dev/null"];
const DISASM: &[&str] = &["--raw", "--gpuType=polaris10"];

/// A kernel without comments, which the two dialects begin otherwise.
fn plain(lines: usize) -> String {
    kernel(lines, 0).replace(" // a sum", "")
}

/// A side of one command of LLVM's.
fn llvm_side<'a>(
    program: &'static str,
    arguments: &'a [&'a str],
    file: &'a Path,
    goal: f64,
) -> Side<'a> {
    let command = move || {
        let mut command = Command::new(llvm(program));
        command.args(arguments).arg(file);
        command
    };
    Side { program, commands: vec![Box::new(command)], goal: Some(goal) }
}

/// A side of one command of CLRX, where its folder is named.
fn clrx_side<'a>(
    program: &'static str,
    arguments: &'a [&'a str],
    file: &'a Path,
    goal: f64,
) -> Option<Side<'a>> {
    let Some(path) = clrx(program) else {
        println!("{program} is not measured: TUNGSTEN_CLRX does not name its folder");
        return None;
    };
    let command = move || {
        let mut command = Command::new(&path);
        command.args(arguments).arg(file);
        command
    };
    Some(Side { program, commands: vec![Box::new(command)], goal: Some(goal) })
}

/// Our command for a real kernel.
fn own_command<'a>(program: &'a Path, kernel: &'a Kernel) -> Box<dyn Fn() -> Command + 'a> {
    Box::new(move || {
        let mut command = Command::new(program);
        command.args(["asm", "--emit", "bin", "--target", kernel.target.name()]);
        for folder in kernel.folders() {
            command.arg("-I").arg(folder);
        }
        for (name, value) in &kernel.symbols {
            command.arg("--defsym").arg(format!("{name}={value}"));
        }
        command.arg(kernel.path());
        command
    })
}

/// The command of the assembler that the corpus names, of the newest version.
fn their_command(kernel: &Kernel) -> Box<dyn Fn() -> Command + '_> {
    Box::new(move || {
        let (folder, words) = kernel.command();
        let mut command = Command::new(llvm("llvm-mc"));
        command.args(words.iter().skip(1)).current_dir(folder);
        command
    })
}
