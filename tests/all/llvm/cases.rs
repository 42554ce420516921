//! The cases, each run with each library.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::processes::{address_space, children, kill, only_child, processor_ticks, resident};

#[cfg(target_os = "linux")]
use llvm::{Attempt, LayerState};
use llvm::{CompileError, Compiler, Configuration, Found, Job, Limits, Output};
use tests::endless;

/// A libLLVM under test, and a name of the worker that no other test uses.
pub(super) struct Library {
    pub(super) found: Found,
    pub(super) worker: PathBuf,
}

impl Library {
    fn version(&self) -> &str {
        &self.found.version
    }

    fn path(&self) -> &Path {
        &self.found.path
    }

    fn configuration(&self) -> Configuration {
        let functions = &["llvm.amdgcn.*", "llvm.sqrt.f16"];
        let mut configuration = Configuration::new(&self.worker, self.path(), functions);
        // Workers are niced, and other tests keep the machine busy.
        configuration.limits.job = Duration::from_secs(60);
        configuration
    }

    fn compiler(&self) -> Compiler {
        Compiler::new(self.configuration())
    }

    /// A compiler that gives a job without instructions this many
    /// milliseconds, and all others plenty of time.
    fn hasty_compiler(&self, milliseconds: u64) -> Compiler {
        let limits = Limits {
            job: Duration::from_millis(milliseconds),
            instruction: Duration::from_secs(1),
            ..Limits::default()
        };
        Compiler::new(Configuration { limits, ..self.configuration() })
    }
}

/// A chip of each generation.
const PROCESSORS: [&str; 4] = ["tahiti", "bonaire", "gfx803", "gfx900"];

pub(super) const PIXEL: &str = r#"
define amdgpu_ps void @main(i32 inreg %mask, <2 x i32> %center, float %x) #0 {
  %y = fmul float %x, 0.25
  %z = fadd float %y, %x
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %x, float %y, float %z, float 1.0, i1 true, i1 true)
  ret void
}
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" "no-signed-zeros-fp-math"="true" }
"#;

const VERTEX: &str = r#"
define amdgpu_vs void @main(ptr addrspace(6) inreg noalias %lists, i32 %vertex) #0 {
  %descriptor = load <4 x i32>, ptr addrspace(6) %lists, !invariant.load !0
  %value = call <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32> %descriptor, i32 %vertex, i32 0, i32 0, i32 0)
  %x = extractelement <4 x float> %value, i32 0
  %y = extractelement <4 x float> %value, i32 1
  call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float %x, float %y, float 0.0, float 1.0, i1 true, i1 false)
  ret void
}
declare <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
attributes #0 = { "amdgpu-32bit-address-high-bits"="0xffff8000" "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
!0 = !{}
"#;

/// Valid, but no machine has the instruction: code generation gives up.
pub(super) const FATAL: &str = r#"
define amdgpu_ps void @main(float %x) {
  %r = call float @llvm.amdgcn.fma.legacy(float %x, float %x, float %x)
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %r, float %r, float %r, i1 true, i1 true)
  ret void
}
declare float @llvm.amdgcn.fma.legacy(float, float, float)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
"#;

fn job(ir: &str, processor: &str) -> Job {
    let features = if processor == "gfx900" { "-xnack" } else { "" };
    Job {
        ir: ir.to_owned(),
        processor: processor.to_owned(),
        features: features.to_owned(),
        instructions: 10,
    }
}

fn assert_code(output: &Output) {
    assert!(output.assembly.contains("s_endpgm"), "{}", output.assembly);
    assert!(!output.code.is_empty());
    assert_eq!(output.code.len() % 4, 0);
    // s_endpgm is the last word, whatever the generation.
    assert_eq!(output.code.last_chunk::<4>(), Some(&0xbf81_0000_u32.to_le_bytes()));
}

fn assert_works(compiler: &mut Compiler) {
    assert_code(&compiler.compile(&job(PIXEL, "gfx803")).unwrap());
}

fn rejection(result: Result<Output, CompileError>) -> String {
    match result {
        Err(CompileError::Rejected(message)) => message,
        other => panic!("not rejected: {other:?}"),
    }
}

pub(super) fn small_shaders_compile(library: &Library) {
    let mut compiler = library.compiler();
    assert!(compiler.version().unwrap().starts_with(library.version()));
    for processor in PROCESSORS {
        let pixel = compiler.compile(&job(PIXEL, processor)).unwrap();
        assert_code(&pixel);
        assert!(pixel.assembly.contains("exp mrt0"), "{}", pixel.assembly);
        assert!(pixel.assembly.contains("; NumVgprs:"), "{}", pixel.assembly);
        let vertex = compiler.compile(&job(VERTEX, processor)).unwrap();
        assert_code(&vertex);
        assert!(vertex.assembly.contains("buffer_load_format_xy"), "{}", vertex.assembly);
        assert!(vertex.assembly.contains("exp pos0"), "{}", vertex.assembly);
        // The same job again gives the same result.
        assert_eq!(compiler.compile(&job(PIXEL, processor)).unwrap(), pixel);
    }
}

/// A loop with enough values to make an allocator choose: both copies of the
/// module must have been compiled alike, so LLVM's assembler must make the
/// bytes from the text.
pub(super) fn code_belongs_to_assembly(library: &Library) {
    let mut body = String::new();
    for number in 0..40 {
        body += &format!(
            "  %a{number} = fmul float %x, {number}.5\n  %b{number} = fadd float %a{number}, %s{number}\n  \
             %c{number} = fcmp ogt float %b{number}, %a{number}\n  \
             %s{} = select i1 %c{number}, float %b{number}, float %a{}\n",
            number + 1,
            number / 2
        );
    }
    let ir = PIXEL.replace(
        "  %y = fmul float %x, 0.25\n",
        &format!(
            "  br label %loop\nloop:\n  %i = phi i32 [ 0, %0 ], [ %next, %loop ]\n  \
             %s0 = phi float [ %x, %0 ], [ %s40, %loop ]\n{body}  %next = add i32 %i, 1\n  \
             %more = icmp ult i32 %next, %mask\n  br i1 %more, label %loop, label %end\nend:\n  \
             %y = fmul float %s40, 0.25\n"
        ),
    );
    let mut compiler = library.compiler();
    for processor in PROCESSORS {
        let output = compiler.compile(&job(&ir, processor)).unwrap();
        assert_code(&output);
        assert!(output.code.len() > 400);
        let text = output.assembly.split_once("\nmain:").unwrap().1;
        let text = text.split_once(".Lfunc_end0:").unwrap().0;
        let lines = text.lines().skip(1).map(|line| line.split(';').next().unwrap().trim());
        let source: String = lines.map(|line| format!("module asm \"{line}\"\n")).collect();
        let assembled = compiler.compile(&job(&source, processor)).unwrap();
        assert_eq!(assembled.code, output.code, "{processor}:\n{source}");
    }
}

pub(super) fn variables_leave_memory(library: &Library) {
    let ir = PIXEL.replace(
        "  %y = fmul float %x, 0.25\n",
        "  %slot = alloca float, addrspace(5)\n  store float %x, ptr addrspace(5) %slot\n  \
         %back = load float, ptr addrspace(5) %slot\n  %y = fmul float %back, 0.25\n",
    );
    let output = library.compiler().compile(&job(&ir, "gfx803")).unwrap();
    assert!(output.assembly.contains("ScratchSize: 0"), "{}", output.assembly);
}

pub(super) fn atomics_stay_plain(library: &Library) {
    let ir = r#"
@shared = external addrspace(3) global [0 x i32], align 65536
define amdgpu_cs void @main(i32 %thread) {
  %old = atomicrmw add ptr addrspace(3) @shared, i32 %thread syncscope("workgroup-one-as") monotonic
  ret void
}
"#;
    let output = library.compiler().compile(&job(ir, "gfx803")).unwrap();
    assert!(output.assembly.contains("ds_add_u32"), "{}", output.assembly);
    assert!(!output.assembly.contains("s_cbranch"), "{}", output.assembly);
}

pub(super) fn syntax_error(library: &Library) {
    let mut compiler = library.compiler();
    let wrong = PIXEL.replace("fadd float %y, %x", "fadd float %y,");
    let message = rejection(compiler.compile(&job(&wrong, "tahiti")));
    // The operand is missed where the next line begins.
    assert!(message.contains(":5:3: error: expected value token"), "{message}");
    let empty = rejection(compiler.compile(&job("\u{feff}\0\0", "tahiti")));
    assert!(empty.contains("error"), "{empty}");
    assert_works(&mut compiler);
}

pub(super) fn invalid_program(library: &Library) {
    let mut compiler = library.compiler();
    let wrong = "define amdgpu_ps void @main() {\n  br label %a\na:\n  br label %b\nb:\n  %x = add i32 %y, 1\n  br label %c\nc:\n  %y = add i32 %x, 1\n  ret void\n}\n";
    let message = rejection(compiler.compile(&job(wrong, "tahiti")));
    assert!(message.contains("does not dominate"), "{message}");
    assert_works(&mut compiler);
}

pub(super) fn unknown_intrinsic(library: &Library) {
    // With a worker that cannot start: the refusal must come before.
    let configuration =
        Configuration { executable: PathBuf::from("/nonexistent"), ..library.configuration() };
    let mut compiler = Compiler::new(configuration);
    let wrong = PIXEL.replace("llvm.amdgcn.exp.f32", "llvm.amdgnc.exp.f32");
    let message = rejection(compiler.compile(&job(&wrong, "tahiti")));
    assert!(message.contains("line 5: the function @llvm.amdgnc.exp.f32"), "{message}");
}

/// A name of the right family that LLVM does not know: old versions say so,
/// new ones would make it a call.
pub(super) fn silent_call(library: &Library) {
    let mut compiler = library.compiler();
    let wrong = PIXEL.replace("llvm.amdgcn.exp.f32", "llvm.amdgcn.nosuchthing");
    let result = compiler.compile(&job(&wrong, "gfx900"));
    assert!(result.is_err(), "{result:?}");
    assert_works(&mut compiler);
}

pub(super) fn too_large(library: &Library) {
    let mut compiler = library.compiler();
    let message = rejection(compiler.compile(&job(&";".repeat(129 << 20), "tahiti")));
    assert!(message.contains("too large"), "{message}");
    assert_works(&mut compiler);
}

#[cfg(target_os = "linux")]
pub(super) fn too_much_memory(library: &Library) {
    let mut compiler = library.compiler();
    assert_works(&mut compiler);
    let memory = address_space(only_child(&library.worker)) + (24 << 20);
    drop(compiler);
    let mut configuration = library.configuration();
    configuration.limits.memory = memory;
    let mut compiler = Compiler::new(configuration);
    let mut body = String::new();
    for number in 0..1_000_000 {
        body.push_str(&format!("  %v{number} = fadd float %x, %x\n"));
    }
    let large = format!("define amdgpu_ps void @main(float %x) {{\n{body}  ret void\n}}\n");
    let error = compiler.compile(&job(&large, "tahiti")).unwrap_err();
    assert_eq!(error, CompileError::OutOfMemory(memory));
    let words = error.to_string();
    assert!(words.contains(&format!("more than {} MiB", memory >> 20)), "{words}");
    assert_works(&mut compiler);
}

pub(super) fn fatal_program(library: &Library) {
    let mut compiler = library.compiler();
    assert_works(&mut compiler);
    for round in 0..2 {
        match compiler.compile(&job(FATAL, "tahiti")) {
            Err(CompileError::Died(message)) => {
                assert!(message.contains("annot select"), "round {round}: {message}");
            }
            other => panic!("round {round}: {other:?}"),
        }
        assert_works(&mut compiler);
    }
    assert_eq!(compiler.compile(&job(FATAL, "tahiti")), Err(CompileError::Quarantined));
    // A changed program is another one.
    let changed = FATAL.replace("i32 15", "i32 7");
    assert!(matches!(compiler.compile(&job(&changed, "tahiti")), Err(CompileError::Died(_))));
    assert_works(&mut compiler);
}

#[cfg(target_os = "linux")]
pub(super) fn box_denies(library: &Library) {
    let mut compiler = library.compiler();
    let layers = compiler.confinement().unwrap();
    assert!(layers.iter().any(|layer| layer.name == "seccomp"), "{layers:?}");
    let limits = "memory, processor time, core dumps, size of files, open files";
    let held = LayerState::Holds(limits.to_owned());
    assert!(layers.iter().any(|it| it.name == "limits" && it.state == held), "{layers:?}");
    for layer in layers {
        // Only Landlock is young enough for kernels in use to lack it.
        let is_fine = match &layer.state {
            LayerState::Holds(_) => true,
            LayerState::Missing(why) => layer.name == "Landlock" && why.contains("this kernel"),
        };
        assert!(is_fine, "{layer:?}");
    }
    for attempt in Attempt::ALL {
        let denied = compiler.attempt(attempt).unwrap();
        let words = match attempt {
            Attempt::OpenFile => "not permitted",
            Attempt::Connect | Attempt::StartProgram => "what a compiler has no need of",
        };
        assert!(denied.as_ref().is_some_and(|it| it.contains(words)), "{attempt:?}: {denied:?}");
    }
    assert_works(&mut compiler);
}

/// An assembler that may open files would put this one into the code.
pub(super) fn file_of_a_program(library: &Library) {
    let mut compiler = library.compiler();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let source = format!("module asm \".incbin \\22{file}\\22\"\n{PIXEL}");
    let result = compiler.compile(&job(&source, "tahiti"));
    assert!(!matches!(&result, Ok(output) if output.code.len() > 200), "{result:?}");
    assert!(result.is_err() || !cfg!(target_os = "linux"), "{result:?}");
    assert_works(&mut compiler);
}

#[cfg(target_os = "linux")]
pub(super) fn nothing_but_pipes(library: &Library) {
    use std::os::fd::AsRawFd;
    // Left open for every child, as careless parents do.
    let file = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: a descriptor of ours and a plain number.
    assert_eq!(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, 0) }, 0);
    let mut compiler = library.compiler();
    assert_works(&mut compiler);
    let folder = format!("/proc/{}/fd", only_child(&library.worker));
    let open: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_link(entry.unwrap().path()).unwrap())
        .collect();
    assert!(open.iter().all(|it| it.to_str().unwrap().starts_with("pipe:")), "{open:?}");
}

#[cfg(target_os = "linux")]
pub(super) fn killed_between_jobs(library: &Library) {
    let mut compiler = library.compiler();
    for _ in 0..3 {
        assert_works(&mut compiler);
        let worker = only_child(&library.worker);
        kill(worker);
    }
    assert_works(&mut compiler);
}

#[cfg(target_os = "linux")]
pub(super) fn killed_during_job(library: &Library) {
    let mut compiler = library.compiler();
    assert_works(&mut compiler);
    let worker = only_child(&library.worker);
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        kill(worker);
    });
    let result = compiler.compile(&job(endless::IR, "tahiti"));
    killer.join().unwrap();
    assert_eq!(result, Err(CompileError::Died("it was killed".to_owned())));
    assert_works(&mut compiler);
}

pub(super) fn endless_compile(library: &Library) {
    let mut compiler = library.hasty_compiler(300);
    let endless = Job { instructions: 0, ..job(endless::IR, "tahiti") };
    assert_works(&mut compiler);
    for _ in 0..2 {
        let begin = Instant::now();
        assert_eq!(compiler.compile(&endless), Err(CompileError::TimedOut(300)));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        assert_works(&mut compiler);
    }
    assert_eq!(compiler.compile(&endless), Err(CompileError::Quarantined));
}

pub(super) fn interrupted_job(library: &Library) {
    let mut compiler = library.compiler();
    let interrupter = compiler.interrupter();
    assert!(!interrupter.interrupt(), "there was nothing to interrupt");
    assert_works(&mut compiler);
    assert!(!interrupter.interrupt(), "there was nothing to interrupt any more");
    for _ in 0..3 {
        let interrupter = interrupter.clone();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            assert!(interrupter.interrupt());
        });
        let begin = Instant::now();
        let result = compiler.compile(&job(endless::IR, "tahiti"));
        other.join().unwrap();
        assert_eq!(result, Err(CompileError::Interrupted));
        assert!(begin.elapsed() < Duration::from_secs(5), "it ran to its limit");
        assert_works(&mut compiler);
    }
}

#[cfg(target_os = "linux")]
pub(super) fn memory_stays_flat(library: &Library) {
    let mut compiler = library.compiler();
    let mut after_warming_up = 0;
    for round in 0..200 {
        let ir = if round % 2 == 0 { PIXEL } else { VERTEX };
        compiler.compile(&job(ir, PROCESSORS[round / 2 % 4])).unwrap();
        if round == 20 {
            after_warming_up = resident(only_child(&library.worker));
        }
    }
    let end = resident(only_child(&library.worker));
    assert!(end < 200 << 10, "{end} KiB");
    assert!(end < after_warming_up + (8 << 10), "{after_warming_up} to {end} KiB");
}

#[cfg(target_os = "linux")]
pub(super) fn no_process_left(library: &Library) {
    let mut compiler = library.compiler();
    assert_works(&mut compiler);
    let idle = only_child(&library.worker);
    drop(compiler);
    assert!(!PathBuf::from(format!("/proc/{idle}")).exists());
}

#[cfg(target_os = "linux")]
pub(super) fn busy_orphan_ends(library: &Library) {
    let mut parent = std::process::Command::new(crate::TUNGSTEN)
        .arg(endless::WORD)
        .arg(library.path())
        .spawn()
        .unwrap();
    // A worker is niced: on a busy machine it has to wait for its turn.
    let deadline = Instant::now() + Duration::from_secs(60);
    let worker = loop {
        assert!(Instant::now() < deadline, "no worker came");
        std::thread::sleep(Duration::from_millis(10));
        // Loading takes a fraction of this, so the job has begun.
        if let [worker] = children(parent.id(), library.path()).as_slice()
            && processor_ticks(*worker) > 40
        {
            break *worker;
        }
    };
    parent.kill().unwrap();
    parent.wait().unwrap();
    let gone = || {
        std::fs::read_to_string(format!("/proc/{worker}/cmdline")).unwrap_or_default().is_empty()
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while !gone() {
        assert!(Instant::now() < deadline, "the worker lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(super) fn no_library(library: &Library) {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    let configuration = Configuration { library: file, ..library.configuration() };
    match Compiler::new(configuration).compile(&job(PIXEL, "tahiti")) {
        Err(CompileError::NotStarted(message)) => {
            assert!(message.contains("Cargo.toml: "), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

pub(super) fn no_executable(library: &Library) {
    for executable in ["/nonexistent", "/"] {
        let configuration =
            Configuration { executable: executable.into(), ..library.configuration() };
        let result = Compiler::new(configuration).compile(&job(PIXEL, "tahiti"));
        assert!(matches!(&result, Err(CompileError::NotStarted(_))), "{result:?}");
    }
}
