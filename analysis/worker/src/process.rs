//! Requests of the worker to the operating system. Everything is best effort: the parent's
//! watchdog is the first net, this is the second.

pub(crate) use platform::{
    bound, bound_memory, bound_processor_time, exit, reserve_standard_output, stand_back,
    wait_for_parent_to_go,
};

/// The niceness of a worker in the background: on busy processors it gets about a third of
/// the time of a process that wants as much.
#[cfg(unix)]
const NICENESS: i32 = 5;

#[cfg(unix)]
mod platform {
    use std::fs::File;
    use std::io;
    use std::os::fd::FromRawFd;

    /// Ends the process without the library's exit handlers, which may crash.
    pub(crate) fn exit(status: i32) -> ! {
        // SAFETY: ends the process at once; there is nothing to keep valid.
        unsafe { libc::_exit(status) }
    }

    /// Takes standard output for frames; what the library prints goes to standard error.
    pub(crate) fn reserve_standard_output() -> io::Result<File> {
        // SAFETY: duplicates of our own descriptors; the new one has no other owner.
        unsafe {
            let descriptor = libc::dup(libc::STDOUT_FILENO);
            if descriptor < 0 || libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(File::from_raw_fd(descriptor))
        }
    }

    /// Forbids core dumps, and leaves an interrupt from the terminal to the parent.
    pub(crate) fn bound() {
        lower_limit(libc::RLIMIT_CORE as i32, 0);
        // SAFETY: ignoring a signal installs no code of ours.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
    }

    /// Lets everything else on the processors first. A refusal changes nothing.
    pub(crate) fn stand_back() {
        // SAFETY: a plain number.
        let niceness = unsafe { libc::nice(super::NICENESS) };
        run_in_long_slices(niceness);
    }

    /// Has the processor taken away at once by whatever wakes up, and left alone else:
    /// Linux from 6.12 on lets who asks for shorter slices go before who runs in longer
    /// ones. Before 6.6 who wakes up goes first anyway; between, nobody can ask.
    #[cfg(target_os = "linux")]
    fn run_in_long_slices(niceness: libc::c_int) {
        /// The longest that the kernel gives, in nanoseconds.
        const LONGEST: u64 = 100_000_000;
        // SAFETY: all zero is a valid value of this plain structure: the usual policy.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        attributes.size = size_of::<libc::sched_attr>() as u32;
        attributes.sched_nice = niceness;
        attributes.sched_runtime = LONGEST;
        // SAFETY: for this thread, a valid structure that says its size, and no flags.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }

    #[cfg(not(target_os = "linux"))]
    fn run_in_long_slices(_: libc::c_int) {}

    /// Limits the address space of the process, in bytes.
    pub(crate) fn bound_memory(bytes: u64) {
        lower_limit(libc::RLIMIT_AS as i32, bytes);
    }

    /// Lets the process use this many more seconds of processor time.
    pub(crate) fn bound_processor_time(seconds: u32) {
        // SAFETY: all zero is a valid value of this plain structure, and the
        // call only writes into it.
        let used = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut usage);
            usage.ru_utime.tv_sec.saturating_add(usage.ru_stime.tv_sec)
        };
        let used = u64::try_from(used).unwrap_or(0);
        lower_limit(libc::RLIMIT_CPU as i32, used.saturating_add(u64::from(seconds)));
    }

    /// Returns when no process can write to our standard input any more: the
    /// parent closed it or is gone. Works while another thread compiles.
    pub(crate) fn wait_for_parent_to_go() {
        loop {
            let mut descriptor = libc::pollfd { fd: libc::STDIN_FILENO, events: 0, revents: 0 };
            // SAFETY: one valid structure, and its count.
            let ready = unsafe { libc::poll(&mut descriptor, 1, -1) };
            let gone = libc::POLLHUP | libc::POLLERR | libc::POLLNVAL;
            if ready > 0 && descriptor.revents & gone != 0 {
                return;
            }
        }
    }

    /// Sets the limit that counts; the ceiling stays, so it can be raised again.
    fn lower_limit(resource: i32, value: u64) {
        // SAFETY: plain structures filled by the system and given back.
        unsafe {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            if libc::getrlimit(resource as _, &mut limit) != 0 {
                return;
            }
            limit.rlim_cur = (value as libc::rlim_t).min(limit.rlim_max);
            libc::setrlimit(resource as _, &limit);
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;

    /// Ends the process.
    pub(crate) fn exit(status: i32) -> ! {
        std::process::exit(status)
    }

    /// Standard output; the library's own prints are not kept apart here.
    pub(crate) fn reserve_standard_output() -> io::Result<io::Stdout> {
        Ok(io::stdout())
    }

    /// No limits here.
    pub(crate) fn bound() {}

    /// No ranks here.
    pub(crate) fn stand_back() {}

    /// No limit here.
    pub(crate) fn bound_memory(_bytes: u64) {}

    /// No limit here.
    pub(crate) fn bound_processor_time(_seconds: u32) {}

    /// The reading thread notices the end of standard input between jobs.
    pub(crate) fn wait_for_parent_to_go() {
        loop {
            std::thread::park();
        }
    }
}
