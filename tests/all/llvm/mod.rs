//! The worker with every libLLVM of this machine: what compiles, what is
//! refused, and that nothing LLVM does to its process does harm beyond it.

mod cases;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(unix)]
mod worker;

use std::path::{Path, PathBuf};

use cases::Library;

/// Tests that run a case with every libLLVM.
macro_rules! with_every_library {
    ($($(#[$attribute:meta])* $case:ident),+ $(,)?) => {
        $(
            $(#[$attribute])*
            #[test]
            #[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
            fn $case() {
                with_every_library(stringify!($case), cases::$case);
            }
        )+
    };
}

with_every_library! {
    small_shaders_compile,
    code_belongs_to_assembly,
    variables_leave_memory,
    atomics_stay_plain,
    syntax_error,
    invalid_program,
    unknown_intrinsic,
    silent_call,
    too_large,
    #[cfg(target_os = "linux")]
    too_much_memory,
    fatal_program,
    #[cfg(target_os = "linux")]
    killed_between_jobs,
    #[cfg(target_os = "linux")]
    killed_during_job,
    #[cfg(target_os = "linux")]
    box_denies,
    file_of_a_program,
    #[cfg(target_os = "linux")]
    nothing_but_pipes,
    endless_compile,
    interrupted_job,
    #[cfg(target_os = "linux")]
    memory_stays_flat,
    #[cfg(target_os = "linux")]
    no_process_left,
    #[cfg(target_os = "linux")]
    busy_orphan_ends,
    no_library,
    no_executable,
}

/// Cases of a worker without a parent.
#[cfg(unix)]
macro_rules! with_every_worker {
    ($($case:ident),+ $(,)?) => {
        $(
            #[test]
            #[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
            fn $case() {
                with_every_library(stringify!($case), worker::$case);
            }
        )+
    };
}

#[cfg(unix)]
with_every_worker! {
    ends_with_its_input,
    answers_a_job,
    ends_on_what_is_no_message,
    ends_where_llvm_gives_up,
}

fn with_every_library(case: &str, test: fn(&Library)) {
    let libraries = tests::bench::libraries();
    assert!(!libraries.is_empty(), "no libLLVM on this machine");
    for found in libraries {
        eprintln!("LLVM {}", found.version);
        test(&Library { found, worker: worker(case) });
    }
}

/// The worker by a name of its own, so that a test sees only its own processes.
fn worker(case: &str) -> PathBuf {
    let program = Path::new(crate::TUNGSTEN);
    if !cfg!(unix) {
        return program.to_owned();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workers");
    std::fs::create_dir_all(&folder).expect("writable");
    let link = folder.join(format!("{case}-{}", std::process::id()));
    let _ = std::fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, &link).expect("writable");
    link
}
