//! The layers of a worker's sandbox, each alone.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::process::Command;

use worker::confinement::linux::{
    allowed, allowed_calls, close_inherited, deadly_calls, restrict_paths,
};
use worker::{CodeMemory, Programs};

/// Runs something in a thread of its own, whose box ends with it.
fn apart<T: Send + 'static>(body: fn() -> T) -> T {
    std::thread::spawn(body).join().unwrap()
}

fn refusal(result: io::Result<()>) -> Option<i32> {
    result.err().and_then(|error| error.raw_os_error())
}

/// Tells whether the system gave the memory.
fn memory_for(protection: libc::c_int) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory that nobody uses, at an address of the system's choice.
    let given = unsafe { libc::mmap(std::ptr::null_mut(), 4096, protection, flags, -1, 0) };
    given != libc::MAP_FAILED
}

#[test]
fn landlock_alone_keeps_files_and_programs_away() {
    let (held, opened, started) = apart(|| {
        let opened = || File::open("/dev/null").map(drop);
        assert!(opened().is_ok());
        let held = restrict_paths();
        let started = Command::new("/proc/self/exe").arg("--list").output().map(drop);
        (held, refusal(opened()), refusal(started))
    });
    // A kernel without it says why.
    let expected = held.is_ok().then_some(libc::EACCES);
    assert_eq!((opened, started), (expected, expected), "{held:?}");
    assert!(held.is_ok_and(|words| words.starts_with("ABI ")) || expected.is_none());
}

/// Tells what is left behind the filter: opening a file, memory for data, memory for code.
fn left_behind(code: CodeMemory) -> (Option<i32>, bool, bool) {
    seccompiler::apply_filter(&allowed(code).unwrap()).unwrap();
    let data = memory_for(libc::PROT_READ | libc::PROT_WRITE);
    let code = memory_for(libc::PROT_READ | libc::PROT_EXEC);
    (refusal(File::open("/dev/null").map(drop)), data, code)
}

#[test]
fn seccomp_alone_keeps_files_and_new_code_away() {
    let left = apart(|| left_behind(CodeMemory::Refused));
    assert_eq!(left, (Some(libc::EPERM), true, false));
}

#[test]
fn a_library_that_makes_code_has_memory_for_it_and_no_files() {
    let left = apart(|| left_behind(CodeMemory::Allowed));
    assert_eq!(left, (Some(libc::EPERM), true, true));
}

#[test]
fn no_call_is_both_allowed_and_deadly() {
    let allowed = allowed_calls();
    let deadly = deadly_calls(Programs::Deadly);
    let unique: std::collections::BTreeSet<_> = allowed.iter().chain(&deadly).collect();
    assert_eq!(unique.len(), allowed.len() + deadly.len());
    let (deadly, refused) = (deadly, deadly_calls(Programs::Refused));
    assert!(refused.len() < deadly.len() && !refused.contains(&libc::SYS_execve));
    assert!(deadly.contains(&libc::SYS_execve));
}

/// Returns the flags of a descriptor; less than 0 of a closed one.
fn flags(number: libc::c_int) -> libc::c_int {
    // SAFETY: only asks.
    unsafe { libc::fcntl(number, libc::F_GETFD) }
}

#[test]
fn what_the_parent_left_open_is_closed_and_what_was_opened_since_is_not() {
    let own = File::open("/dev/null").expect("a file");
    let inherited = File::open("/dev/null").expect("a file").into_raw_fd();
    // SAFETY: the descriptor is open and has no other owner.
    unsafe { libc::fcntl(inherited, libc::F_SETFD, 0) };
    assert_eq!(flags(inherited), 0);
    close_inherited();
    assert_eq!(flags(own.as_raw_fd()), libc::FD_CLOEXEC);
    // Another test may have opened a file of its own in that place.
    assert!(flags(inherited) < 0 || flags(inherited) & libc::FD_CLOEXEC != 0);
}
