//! The box as Linux has it: no new privileges, limits, Landlock, seccomp.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetError,
    RulesetStatus, Scope,
};
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};
use thiserror::Error;

use super::calls::{ALLOWED, DEADLY, OF_ITSELF, PROGRAMS, TO_ITSELF, WITHOUT_CODE};
use super::{Attempt, CodeMemory, Layer, LayerState, Needs, Programs};

/// The newest Landlock whose rights are asked for; an older kernel has fewer.
pub(super) const NEWEST_LANDLOCK: ABI = ABI::V10;
/// Descriptors that a worker has: input, output, errors and the replies.
const DESCRIPTORS: u64 = 4;
/// A port that nobody has to listen at: the attempt is what is denied.
const DISCARD: u16 = 9;

/// The reason why a layer does not hold.
#[derive(Debug, Error)]
pub enum LayerError {
    /// A call of the system fails.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A limit of this name is not lowered.
    #[error("{0}: {1}")]
    Limit(&'static str, io::Error),
    /// Landlock does not take the rules.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// The kernel has no Landlock that counts.
    #[error("{0}")]
    Landlock(&'static str),
    /// The filter of calls cannot be made.
    #[error(transparent)]
    Filter(#[from] seccompiler::BackendError),
    /// The kernel does not take the filter.
    #[error(transparent)]
    Seccomp(#[from] seccompiler::Error),
}

/// Closes whatever the parent left open beside the pipes. What comes from the parent is not
/// marked as closed with a new program; what a library that was loaded first has opened is, such
/// as the memory that stands for a GPU's.
pub fn close_inherited() {
    let first = libc::STDERR_FILENO + 1;
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else {
        // SAFETY: called before this process has opened anything that it would miss.
        unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
        return;
    };
    let numbers = open.flatten().filter_map(|it| it.file_name().to_str()?.parse().ok());
    let numbers: Vec<libc::c_int> = numbers.filter(|it| *it >= first).collect();
    for number in numbers {
        // SAFETY: asks for the flags of a descriptor, which may be closed by now.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
        if flags >= 0 && flags & libc::FD_CLOEXEC == 0 {
            // SAFETY: nothing in this process knows of what it did not open.
            unsafe { libc::close(number) };
        }
    }
}

/// Puts the thread that waits for the parent into its sandbox. Landlock holds a thread and
/// those that it starts, so each thread enters by itself; seccomp holds all at once.
pub(crate) fn confine_watcher() {
    // The compiling thread tells what holds on this kernel.
    let _ = restrict_paths();
}

/// Puts the process into its sandbox, for good, and says which layers hold.
pub(crate) fn confine(needs: Needs) -> Vec<Layer> {
    let layer = |name: &str, held: Result<String, LayerError>| {
        let missing = |error: LayerError| LayerState::Missing(error.to_string());
        Layer { name: name.to_owned(), state: held.map_or_else(missing, LayerState::Holds) }
    };
    vec![
        layer("no new privileges", forbid_privileges()),
        layer("Landlock", restrict_paths()),
        // Behind what needs a descriptor of its own.
        layer("limits", lower_limits(needs.written)),
        // Last: those before need calls that it forbids.
        layer("seccomp", filter_calls(needs)),
    ]
}

pub(super) fn forbid_privileges() -> Result<String, LayerError> {
    // SAFETY: plain numbers.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok("yes".to_owned()),
        _ => Err(io::Error::last_os_error().into()),
    }
}

/// Lowers what never has to be raised again. Memory and processor time are set anew for
/// each job.
fn lower_limits(written: u64) -> Result<String, LayerError> {
    let limits = [
        (libc::RLIMIT_CORE, 0, "core dumps"),
        (libc::RLIMIT_FSIZE, written, "size of files"),
        (libc::RLIMIT_NOFILE, DESCRIPTORS, "open files"),
    ];
    let mut held = vec!["memory", "processor time"];
    for (resource, value, name) in limits {
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        // SAFETY: a plain structure that lives through the call.
        if unsafe { libc::setrlimit(resource, &limit) } != 0 {
            return Err(LayerError::Limit(name, io::Error::last_os_error()));
        }
        held.push(name);
    }
    Ok(held.join(", "))
}

/// Takes every right to files, ports and processes outside from this thread.
///
/// # Errors
/// The kernel does not do it.
pub fn restrict_paths() -> Result<String, LayerError> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST_LANDLOCK))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST_LANDLOCK)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST_LANDLOCK)))
        .and_then(|rules| rules.create()?.restrict_self())?;
    match (status.landlock, status.ruleset) {
        (LandlockStatus::NotImplemented, _) => Err(LayerError::Landlock("this kernel has none")),
        (LandlockStatus::NotEnabled, _) => {
            Err(LayerError::Landlock("it is not switched on in this kernel"))
        }
        (_, RulesetStatus::NotEnforced) => {
            Err(LayerError::Landlock("the kernel enforces nothing of it"))
        }
        (LandlockStatus::Available { effective_abi, kernel_abi }, _) => Ok(format!(
            "ABI {}",
            kernel_abi.map_or(effective_abi.to_string(), |number| number.to_string())
        )),
    }
}

/// Allows all threads what stands in the table, for good.
fn filter_calls(needs: Needs) -> Result<String, LayerError> {
    let deadly = deadly_calls(needs.programs);
    let filters = [filter_of_deadly(&deadly), allowed(needs.code)];
    for filter in filters {
        seccompiler::apply_filter_all_threads(&filter?)?;
    }
    let allowed = allowed_calls().len();
    Ok(format!("{allowed} calls allowed, {} end the process", deadly.len()))
}

pub(super) type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// The calls that end the process.
pub fn deadly_calls(programs: Programs) -> Vec<c_long> {
    match programs {
        Programs::Deadly => [DEADLY, PROGRAMS].concat(),
        Programs::Refused => DEADLY.to_vec(),
    }
}

/// The filter that ends the process. Installing the second one is still allowed.
pub(super) fn filter_of_deadly(calls: &[c_long]) -> Result<BpfProgram, seccompiler::BackendError> {
    let rules = calls.iter().map(|call| (*call, Vec::new())).collect();
    compile(rules, SeccompAction::Allow, SeccompAction::KillProcess)
}

/// The calls that are allowed, some with some arguments only.
pub fn allowed_calls() -> Vec<c_long> {
    [ALLOWED, WITHOUT_CODE, TO_ITSELF, OF_ITSELF].concat()
}

/// The filter that makes what is not in the table fail.
///
/// # Errors
/// There is none for this processor.
pub fn allowed(code: CodeMemory) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: Rules = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    // No bit of the protection counts where memory may hold code.
    let without_code = SeccompCmpOp::MaskedEq(match code {
        CodeMemory::Refused => libc::PROT_EXEC as u64,
        CodeMemory::Allowed => 0,
    });
    let own_number = u64::from(std::process::id());
    for (calls, argument, comparison, value) in [
        (WITHOUT_CODE, 2, without_code, 0),
        (TO_ITSELF, 0, SeccompCmpOp::Eq, own_number),
        (OF_ITSELF, 0, SeccompCmpOp::Eq, 0),
    ] {
        for call in calls {
            let comparison = comparison.clone();
            let condition =
                SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)?;
            rules.insert(*call, vec![SeccompRule::new(vec![condition])?]);
        }
    }
    compile(rules, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)
}

pub(super) fn compile(
    rules: Rules,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let processor = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, matched, processor)?.try_into()
}

/// Tries what the sandbox forbids.
///
/// # Errors
/// The system's words where it is denied.
pub(crate) fn attempt(attempt: Attempt) -> io::Result<()> {
    let denied = match attempt {
        Attempt::OpenFile => File::open("/dev/null").map(drop),
        Attempt::Connect => TcpStream::connect((Ipv4Addr::LOCALHOST, DISCARD)).map(drop),
        Attempt::StartProgram => Command::new("/proc/self/exe").arg("--version").status().map(drop),
    };
    match denied {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
        // Whatever else the system says, it was asked and did not refuse.
        _ => Ok(()),
    }
}
