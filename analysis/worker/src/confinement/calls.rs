//! The system calls of a worker whose library is loaded, as data.

use libc::c_long;

/// Calls that compiling, answering, failing and ending need, whatever their arguments:
/// pipes, memory, locks, clocks, signals. All others fail with `EPERM`.
pub(super) const ALLOWED: &[c_long] = &[
    // Pipes: no call makes a descriptor.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_ppoll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    // Memory that is not code: `mmap` and `mprotect` stand in WITHOUT_CODE.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    // Locks and threads' own business.
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_set_robust_list,
    // A thread that the library has just started may not have come to its beginning.
    libc::SYS_rseq,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_membarrier,
    // Clocks and figures.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrandom,
    // Signals that report a crash.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // The end.
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Calls that make memory, allowed unless it is to hold code: their protection is the
/// third argument.
pub(super) const WITHOUT_CODE: &[c_long] = &[libc::SYS_mmap, libc::SYS_mprotect];

/// Calls that name a process first, allowed for the worker's own: by its number.
pub(super) const TO_ITSELF: &[c_long] = &[libc::SYS_tgkill];

/// Calls that name a process first, allowed for the worker's own: by zero.
pub(super) const OF_ITSELF: &[c_long] = &[libc::SYS_prlimit64];

/// Calls that start programs and processes. They end the worker at once, or fail as all
/// that is not allowed; see [`Programs`](crate::Programs).
pub(super) const PROGRAMS: &[c_long] = &[
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_clone,
    libc::SYS_clone3,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Calls that no compiler makes: the network, the insides of other processes and of the
/// kernel. They end the worker at once.
pub(super) const DEADLY: &[c_long] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
];
