//! The box of a foreign program that starts behind it: it reads the system, writes to one
//! folder, speaks over sockets of this machine's files alone, and ends with its parent.

use std::path::PathBuf;

use landlock::{
    Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
    path_beneath_rules,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule,
};

use super::calls::DEADLY;
use super::linux::{
    LayerError, NEWEST_LANDLOCK, Rules, compile, filter_of_deadly, forbid_privileges,
};

/// The files that a program may reach.
pub struct Reach {
    /// Folders beneath which it reads and starts programs.
    pub readable: Vec<PathBuf>,
    /// The folder that it writes to.
    pub written: PathBuf,
}

/// Bytes of address space: drivers reserve far more than they use.
const MEMORY: u64 = 8 << 30;
/// Seconds of processor time in all; who wants more is started again.
const PROCESSOR_TIME: u64 = 600;
/// Bytes of a file.
const WRITTEN: u64 = 64 << 20;

/// Calls of the table that a program with a socket needs.
const OF_SOCKETS: [libc::c_long; 3] = [libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect];

/// Puts the process into its box, for good. Every layer is best effort, as a worker's.
pub(crate) fn enclose(reach: &Reach) {
    end_with_parent();
    let _ = forbid_privileges();
    lower_limits();
    let _ = restrict_paths(reach);
    let _ = filter_calls();
}

/// Has the kernel end the process when the one that started it is gone.
fn end_with_parent() {
    // SAFETY: plain numbers.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
}

fn lower_limits() {
    let limits = [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_FSIZE, WRITTEN),
        (libc::RLIMIT_AS, MEMORY),
        (libc::RLIMIT_CPU, PROCESSOR_TIME),
    ];
    for (resource, value) in limits {
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        // SAFETY: a plain structure that lives through the call.
        unsafe { libc::setrlimit(resource, &limit) };
    }
}

/// Takes every right to other files, and to ports and processes outside, from this thread.
///
/// # Errors
/// The kernel does not do it.
pub fn restrict_paths(reach: &Reach) -> Result<(), LayerError> {
    let read = AccessFs::from_read(NEWEST_LANDLOCK);
    let all = AccessFs::from_all(NEWEST_LANDLOCK);
    Ruleset::default()
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST_LANDLOCK)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST_LANDLOCK)))
        .and_then(|rules| {
            rules
                .create()?
                .add_rules(path_beneath_rules(&reach.readable, read))?
                .add_rules(path_beneath_rules([&reach.written], all))?
                .add_rules(path_beneath_rules(["/dev/null"], all))?
                .restrict_self()
        })?;
    Ok(())
}

fn filter_calls() -> Result<(), LayerError> {
    let deadly: Vec<_> = DEADLY.iter().copied().filter(|it| !OF_SOCKETS.contains(it)).collect();
    for filter in [filter_of_deadly(&deadly), without_network()] {
        seccompiler::apply_filter_all_threads(&filter?)?;
    }
    Ok(())
}

/// The filter that makes sockets fail that are no files of this machine.
///
/// # Errors
/// There is none for this processor.
pub fn without_network() -> Result<BpfProgram, seccompiler::BackendError> {
    let of_files = libc::AF_UNIX as u64;
    let mut rules = Rules::new();
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        let condition =
            SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, of_files)?;
        rules.insert(call, vec![SeccompRule::new(vec![condition])?]);
    }
    compile(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))
}
