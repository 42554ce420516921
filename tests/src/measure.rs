//! Helpers of benchmarks: a median of runs, the yardstick that makes machines comparable,
//! the memory that is in use, and a shader and a kernel of any size.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hash::{DefaultHasher, Hasher};
use std::hint::black_box;
#[cfg(target_os = "linux")]
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::process::{CommandExt, ExitStatusExt};
#[cfg(target_os = "linux")]
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// Measures the processor time of the thread that starts it, so that a busy machine does not
/// count; where the system does not tell it, the time that passes.
#[derive(Debug)]
pub struct Stopwatch(Duration, Instant);

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Stopwatch {
        Stopwatch(thread_time().unwrap_or_default(), Instant::now())
    }

    /// The time since its start; ask on the thread that started it.
    pub fn elapsed(&self) -> Duration {
        thread_time().map_or_else(|| self.1.elapsed(), |now| now.saturating_sub(self.0))
    }
}

/// The processor time that this thread has taken.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a `timespec` that lives until the call returns.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    (done == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

/// The processor time that a process has taken.
#[cfg(target_os = "linux")]
pub fn process_time(process: i32) -> Option<Duration> {
    let (mut clock, mut time) = (0, libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: the pointers are to a clock and a `timespec` that live until the calls return.
    let done = unsafe {
        libc::clock_getcpuclockid(process, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    done.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(target_os = "linux"))]
pub fn process_time(_: i32) -> Option<Duration> {
    None
}

/// Counts the stretches of code that this process has run, as an instrumented build
/// (`-Cinstrument-coverage`) counts them. The same work counts the same every time; what other
/// threads run counts too.
#[cfg(counted)]
pub fn stretches_run() -> u64 {
    unsafe extern "C" {
        fn __llvm_profile_begin_counters() -> *const u64;
        fn __llvm_profile_end_counters() -> *const u64;
    }
    // SAFETY: both belong to the runtime of instrumented programs, and what lies between the
    // two are its counters, which live as long as the program.
    let counters = unsafe {
        let (begin, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
        std::slice::from_raw_parts(begin, end.offset_from_unsigned(begin))
    };
    // A closure of this crate would be counted itself.
    counters.iter().copied().sum()
}

/// Runs of each piece of work that are timed; the median counts.
pub const RUNS: usize = 31;

/// Bytes of memory that this process has now; `None` where the system does not tell.
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// The end of a program, and what it took.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Run {
    /// Its exit status.
    pub status: ExitStatus,
    /// The most bytes of memory that it had at one time.
    pub most_resident: u64,
    /// The processor time of all its threads.
    pub processor_time: Duration,
}

/// Runs a program to its end.
///
/// # Errors
/// Says that it did not start.
#[cfg(target_os = "linux")]
pub fn run(command: &mut Command) -> io::Result<Run> {
    // A child that shares this process' memory until its program begins is said to have had all of
    // it; one with a copy, only what this process has then.
    // SAFETY: nothing is done there.
    unsafe { command.pre_exec(|| Ok(())) };
    let child = command.spawn()?;
    let process = i32::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: all zeros are such a value, which is plain numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values that live until the call returns, and nobody else
    // waits for the process.
    if unsafe { libc::wait4(process, &raw mut status, 0, &raw mut usage) } != process {
        return Err(io::Error::last_os_error());
    }
    let time = |it: libc::timeval| Duration::new(it.tv_sec as u64, it.tv_usec as u32 * 1000);
    Ok(Run {
        status: ExitStatus::from_raw(status),
        most_resident: (usage.ru_maxrss as u64) << 10,
        processor_time: time(usage.ru_utime) + time(usage.ru_stime),
    })
}

/// The median processor time of some work on this thread.
pub fn median(work: impl FnMut()) -> Duration {
    median_of(RUNS, work)
}

/// The median processor time of `runs` runs, for work that takes long.
pub fn median_of(runs: usize, work: impl FnMut()) -> Duration {
    times_of(runs, work).get(runs / 2).copied().unwrap_or_default()
}

/// The least processor time of some work on this thread: what is beyond it a busy machine added.
pub fn least(work: impl FnMut()) -> Duration {
    times_of(RUNS, work).first().copied().unwrap_or_default()
}

/// The processor times of some runs, the least first.
fn times_of(runs: usize, mut work: impl FnMut()) -> Vec<Duration> {
    let time = |_| {
        let watch = Stopwatch::start();
        work();
        watch.elapsed()
    };
    let mut times: Vec<Duration> = (0..runs).map(time).collect();
    times.sort();
    times
}

/// Measures the time of hashing a text byte by byte.
pub fn yardstick(text: &str) -> Duration {
    median(|| hash(text))
}

/// Hashes a text byte by byte.
pub fn hash(text: &str) {
    let mut hasher = DefaultHasher::new();
    for byte in text.bytes() {
        hasher.write_u8(byte);
    }
    black_box(hasher.finish());
}

/// A sound fragment shader of `lines` lines; `salt` changes one instruction in
/// its middle.
pub fn shader(lines: usize, salt: usize) -> String {
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..15]\nDCL TEMP[0..15]\n",
    );
    let body = lines.saturating_sub(8);
    for line in 0..body {
        let (a, b, c) = (line % 16, (line * 7 + 3) % 16, (line * 5 + 1) % 16);
        let salt = if line == body / 2 { salt % 16 } else { b };
        let statement = match line % 4 {
            0 => format!("MAD TEMP[{a}].xyz, IN[0].xyzw, CONST[0][{salt}], CONST[0][{c}].wzyx"),
            1 => format!("MUL TEMP[{a}], CONST[0][{salt}].xxxx, IN[0]"),
            2 => format!("MOV TEMP[{a}].w, CONST[0][{salt}].yyyy"),
            _ => format!("ADD TEMP[{a}].xy, IN[0], -CONST[0][{salt}]"),
        };
        text.push_str(&format!("{line:>3}: {statement}\n"));
    }
    text.push_str("MOV OUT[0], IN[0]\nEND\n");
    text
}

/// The line that names the chip of [`kernel`].
pub const CHIP: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n";

/// A kernel of `lines` lines in the mix of a real one; `salt` changes one of them.
pub fn kernel(lines: usize, salt: usize) -> String {
    let mut text = String::from("kernel:\n");
    for line in 0..lines.saturating_sub(3) {
        let (a, b, c) = (line % 200, (line * 7 + 3) % 200, (line * 5 + 1) % 200);
        let salt = if line == lines / 2 { salt % 64 } else { 7 };
        match line % 8 {
            0 => text.push_str(&format!("  v_mad_f32 v{a}, v{b}, s{salt}, v{c}\n")),
            1 => text.push_str(&format!("  v_add_f32_e32 v{a}, {salt}, v{b} // a sum\n")),
            2 => text.push_str("  s_waitcnt vmcnt(0) & lgkmcnt(0)\n"),
            3 => text
                .push_str(&format!("  buffer_load_dword v{a}, v{b}, s[0:3], 0 offen offset:16\n")),
            4 => text.push_str(&format!("  s_add_u32 s{}, s{}, 0x1234\n", a % 64, b % 64)),
            5 => text.push_str(&format!("  ds_read_b32 v{a}, v{b} offset:{salt}\n")),
            6 => text.push_str(&format!("L{line}: v_cmp_lt_f32_e32 vcc, v{a}, v{b}\n")),
            _ => text.push_str(&format!("  s_cbranch_vccz L{}\n", line - 1)),
        }
    }
    text.push_str("  s_endpgm\n");
    text
}

/// `count` kernels for gfx942, each of `lines` lines with labels of its own.
pub fn kernels(count: usize, lines: usize) -> String {
    let mut text = String::from(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n");
    for number in 0..count {
        let own = kernel(lines.saturating_sub(1), number);
        let code = own.split_once("kernel:\n").map_or("", |(_, code)| code);
        let code = code.replace("v_mad_f32", "v_fma_f32").replace('L', &format!("L{number}_"));
        text.push_str(&format!(".type k{number},@function\nk{number}:\n{code}"));
    }
    text
}

/// The system's allocator, which counts what each thread holds.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    /// Bytes that this thread has allocated, those that it has freed taken off.
    static HELD: Cell<i64> = const { Cell::new(0) };
    static MOST_HELD: Cell<i64> = const { Cell::new(0) };
}

/// Counts bytes that are allocated, or freed where there are less than none.
fn count(bytes: i64) {
    // A thread that ends has no counters any more.
    let held = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        held.get()
    });
    if let Ok(held) = held {
        let _ = MOST_HELD.try_with(|most| most.set(most.get().max(held)));
    }
}

// SAFETY: each call is handed to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there for a moment, as far as anybody can tell.
        count(size as i64);
        count(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Returns the most bytes that this thread held while it worked, beside what it held before;
/// zero where [`Counting`] is not the allocator.
pub fn most_held(work: impl FnOnce()) -> u64 {
    let before = HELD.get();
    MOST_HELD.set(before);
    work();
    u64::try_from(MOST_HELD.get() - before).unwrap_or_default()
}
