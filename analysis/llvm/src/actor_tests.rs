//! The parent with workers that are shell scripts: what becomes of each thing that a worker
//! can say, and of each way in which it can end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use worker::protocol::Reply;

use crate::{
    CompileError, Compiler, Configuration, Job, Layer, LayerState, Limits, Output, Priority,
    Warning,
};

/// A worker that plays its part, in a folder that is removed with it.
struct Actor(PathBuf);

impl Drop for Actor {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a program by a process of its own. Were it written here, a process that another
/// test starts meanwhile could inherit the open file, and the system runs no program that
/// somebody has open for writing.
fn write_program(file: &Path, text: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(file)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}

fn output() -> Output {
    Output {
        assembly: "s_endpgm".to_owned(),
        code: vec![1, 2, 3, 4],
        warnings: vec![Warning { line: 2, message: "large".to_owned() }],
    }
}

impl Actor {
    /// Writes the replies, each to a file that scripts `cat`, and the script.
    fn new(name: &str, script: &str) -> Actor {
        let name = format!("tungsten-actor-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let layers =
            vec![Layer { name: "box".to_owned(), state: LayerState::Holds("closed".to_owned()) }];
        let replies = [
            ("ready", Reply::Ready { version: "7.8.9".to_owned(), layers }),
            ("unusable", Reply::Unusable("too old".to_owned())),
            ("begun", Reply::Begun),
            ("compiled", Reply::Done(output())),
            ("rejected", Reply::Rejected("no such thing".to_owned())),
            ("fatal", Reply::Fatal("cannot select".to_owned())),
            ("attempted", Reply::Attempted("denied".to_owned())),
            ("allowed", Reply::Attempted(String::new())),
        ];
        for (name, reply) in replies {
            let mut bytes = Vec::new();
            reply.write(&mut bytes).unwrap();
            fs::write(folder.join(name), bytes).unwrap();
        }
        let file = folder.join("worker");
        // A job is there when its first byte is.
        let text = format!(
            "#!/bin/sh\ncd '{}'\njob() {{ head -c 1 >/dev/null; }}\n{script}\n",
            folder.display()
        );
        write_program(&file, &text);
        Actor(folder)
    }

    fn configuration(&self) -> Configuration {
        let limits = Limits { memory: 77 << 20, ..Limits::default() };
        let library = PathBuf::from("/nowhere/libLLVM.so");
        Configuration { limits, ..Configuration::new(self.0.join("worker"), library, &["f"]) }
    }

    fn compile(&self) -> Result<Output, CompileError> {
        Compiler::new(self.configuration()).compile(&job("one"))
    }
}

fn job(name: &str) -> Job {
    Job {
        ir: format!("; {name}"),
        processor: "gfx803".to_owned(),
        features: String::new(),
        instructions: 3,
    }
}

fn died(words: &str) -> Result<Output, CompileError> {
    Err(CompileError::Died(words.to_owned()))
}

fn not_started(words: &str) -> Result<Output, CompileError> {
    Err(CompileError::NotStarted(format!("/nowhere/libLLVM.so: {words}")))
}

#[test]
fn a_sound_worker_is_heard() {
    let actor = Actor::new("sound", "cat ready\njob\ncat begun compiled\ncat >/dev/null");
    let mut compiler = Compiler::new(actor.configuration());
    assert_eq!(compiler.library(), PathBuf::from("/nowhere/libLLVM.so"));
    assert_eq!(compiler.version(), Ok("7.8.9"));
    let layer = Layer { name: "box".to_owned(), state: LayerState::Holds("closed".to_owned()) };
    assert_eq!(compiler.confinement(), Ok(&[layer][..]));
    assert_eq!(compiler.compile(&job("one")), Ok(output()));
    assert!(!compiler.interrupter().interrupt());
}

#[test]
fn what_keeps_a_worker_from_starting_is_told() {
    for (name, script, words) in [
        ("words", "echo some words >&2\nexit 3", "exit status: 3: some words"),
        ("silent", "exit 0", "exit status: 0"),
        ("unusable", "cat unusable\ncat >/dev/null", "too old"),
        ("early-fatal", "cat fatal\ncat >/dev/null", "cannot select"),
        ("early-begun", "cat begun\ncat >/dev/null", "the worker answered out of turn"),
        ("early-compiled", "cat compiled\ncat >/dev/null", "the worker answered out of turn"),
        ("early-rejected", "cat rejected\ncat >/dev/null", "the worker answered out of turn"),
        (
            "noise",
            "echo a line that is not a frame; exec >&-; sleep 0.05; exit 4",
            "exit status: 4",
        ),
    ] {
        assert_eq!(Actor::new(name, script).compile(), not_started(words), "{name}");
    }
    let actor = Actor::new("slow", "exec sleep 60");
    let mut configuration = actor.configuration();
    configuration.limits.start = Duration::from_millis(150);
    let found = Compiler::new(configuration).compile(&job("one"));
    assert_eq!(found, not_started("loading took longer than 150ms"));
}

#[test]
fn a_worker_is_told_its_library_and_its_manner() {
    let actor = Actor::new("manner", "echo \"$#: $*\" >&2\nexit 1");
    for (priority, words) in [
        (Priority::Normal, "2: compile-worker /nowhere/libLLVM.so"),
        (Priority::Background, "3: compile-worker /nowhere/libLLVM.so background"),
    ] {
        let configuration = Configuration { priority, ..actor.configuration() };
        let found = Compiler::new(configuration).compile(&job("one"));
        assert_eq!(found, not_started(&format!("exit status: 1: {words}")));
    }
}

#[test]
fn every_end_during_a_job_has_words() {
    let after = |name: &str, end: &str| {
        Actor::new(name, &format!("cat ready\njob\ncat begun\n{end}")).compile()
    };
    for (name, end, words) in [
        ("abort", "kill -ABRT $$", "it aborted"),
        ("segv", "kill -SEGV $$", "it accessed memory it must not"),
        ("bus", "kill -BUS $$", "it accessed memory it must not"),
        ("ill", "kill -ILL $$", "it ran into an impossible state"),
        ("kill", "kill -KILL $$", "it was killed"),
        ("xcpu", "kill -XCPU $$", "it used up its processor time"),
        ("term", "kill -TERM $$", "it ended with signal 15"),
        ("status", "exit 9", "exit status: 9"),
        ("spoken", "echo last; echo words >&2; exit 9", "exit status: 9: words"),
        ("fatal", "cat fatal; cat >/dev/null", "cannot select"),
        ("again", "cat ready; cat >/dev/null", "it answered out of turn"),
        ("twice", "cat begun; cat >/dev/null", "it answered out of turn"),
        ("unasked", "cat attempted; cat >/dev/null", "it answered out of turn"),
    ] {
        assert_eq!(after(name, end), died(words), "{name}");
    }
    let refused = Err(CompileError::Rejected("no such thing".to_owned()));
    assert_eq!(after("refused", "cat rejected; cat >/dev/null"), refused);
    let system = after("sys", "kill -SYS $$");
    assert!(matches!(&system, Err(CompileError::Died(words))
        if words.starts_with("it asked the system for what a compiler has no need of")));
    for words in [
        "LLVM ERROR: out of memory",
        "Allocation failed",
        "x std::bad_alloc",
        "memory allocation of 8",
    ] {
        let found = after("memory", &format!("echo '{words}' >&2; exit 1"));
        assert_eq!(found, Err(CompileError::OutOfMemory(77 << 20)), "{words}");
    }
}

#[test]
fn of_long_words_the_end_is_kept() {
    let script = "cat ready\njob\ncat begun\nprintf 'begin%09000dend' 0 >&2\nexit 1";
    let Err(CompileError::Died(words)) = Actor::new("long", script).compile() else { panic!() };
    let kept = words.strip_prefix("exit status: 1: ").unwrap();
    assert_eq!((kept.len(), kept.trim_start_matches('0')), (4096, "end"));
}

#[test]
fn what_was_said_before_a_job_is_not_of_it() {
    let script = "echo old >&2\nsleep 0.3\ncat ready\njob\ncat begun\necho new >&2\nexit 1";
    assert_eq!(Actor::new("old", script).compile(), died("exit status: 1: new"));
}

#[test]
fn a_job_that_takes_too_long_is_given_up_and_kept_in_mind() {
    let actor = Actor::new("late", "cat ready\njob\ncat begun\nexec sleep 60");
    let mut configuration = actor.configuration();
    configuration.limits.job = Duration::from_millis(100);
    configuration.limits.instruction = Duration::from_millis(10);
    let mut compiler = Compiler::new(configuration);
    for _ in 0..2 {
        assert_eq!(compiler.compile(&job("one")), Err(CompileError::TimedOut(130)));
    }
    assert_eq!(compiler.compile(&job("one")), Err(CompileError::Quarantined));
    // Another job is none that has done harm, nor is the same for another processor.
    assert_eq!(compiler.compile(&job("two")), Err(CompileError::TimedOut(130)));
    let elsewhere = Job { processor: "gfx900".to_owned(), ..job("one") };
    assert_eq!(compiler.compile(&elsewhere), Err(CompileError::TimedOut(130)));
}

#[test]
fn a_worker_that_went_before_the_job_is_not_the_jobs_doing() {
    // The first ends when a job comes, and leaves a mark for the second.
    let script = "cat ready\nif [ -e mark ]; then job; cat begun compiled; cat >/dev/null; fi\n\
                  touch mark\njob\nexit 1";
    let actor = Actor::new("gone", script);
    assert_eq!(actor.compile(), Ok(output()));
    let always = Actor::new("always", "cat ready\njob\nexit 1");
    let mut compiler = Compiler::new(always.configuration());
    for _ in 0..2 {
        assert_eq!(compiler.compile(&job("one")), died("exit status: 1"));
    }
}

#[test]
fn what_was_tried_in_the_sandbox_is_told() {
    use crate::Attempt;
    let tried = |name: &str, script: &str| {
        let actor = Actor::new(name, script);
        Compiler::new(actor.configuration()).attempt(Attempt::OpenFile)
    };
    let denied = tried("denied", "cat ready attempted");
    assert_eq!(denied, Ok(Some("denied".to_owned())));
    assert_eq!(tried("allowed", "cat ready allowed"), Ok(None));
    assert_eq!(tried("ended", "cat ready; exit 5"), Ok(Some("exit status: 5".to_owned())));
    let never = Err(CompileError::NotStarted("exit status: 6".to_owned()));
    assert_eq!(tried("never", "exit 6"), never);
}

#[test]
fn limits_grow_with_the_job_up_to_the_longest() {
    let limits = Limits::default();
    let of = |instructions| limits.of(&Job { instructions, ..job("one") });
    assert_eq!(of(0), Duration::from_secs(5));
    assert_eq!(of(1000), Duration::from_secs(7));
    assert_eq!(of(57_500), Duration::from_secs(120));
    assert_eq!(of(57_501), Duration::from_secs(120));
    assert_eq!(of(u32::MAX), Limits::LONGEST);
    assert_eq!((limits.start, limits.memory), (Duration::from_secs(30), 4 << 30));
}

#[test]
fn errors_are_told_in_words() {
    for (error, words) in [
        (CompileError::Rejected("why".to_owned()), "LLVM refused the program: why"),
        (CompileError::Died("how".to_owned()), "LLVM crashed on this program: how"),
        (
            CompileError::TimedOut(300),
            "LLVM did not finish this program within 300 ms and was stopped",
        ),
        (
            CompileError::OutOfMemory((5 << 20) - 1),
            "LLVM needs more than 4 MiB of memory for this program and was stopped",
        ),
        (
            CompileError::Quarantined,
            "LLVM crashed or hung twice on this program; it is not tried again until the program \
             changes",
        ),
        (CompileError::NotStarted("why".to_owned()), "the compiler could not be started: why"),
        (CompileError::Interrupted, "the compilation was stopped"),
    ] {
        assert_eq!(error.to_string(), words);
    }
}
