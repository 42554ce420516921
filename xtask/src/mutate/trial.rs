//! Running tests with one mutation: until the first test fails, or the time is over.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::build::{Tests, command};
use super::{reach, tree};

/// The most address space of a process under test, in KiB.
const MOST_MEMORY: &str = "12000000";

/// The time on the clock that a run may take, for each second of its processor time: others
/// want the machine as well.
const CLOCK: u32 = 10;

/// Bounds the run of a command, and says what processor time it took.
const BOUNDED: &str = "ulimit -v \"$0\"; ulimit -c 0; ulimit -S -t \"$1\"; shift; \
                       \"$@\"; status=$?; times; exit $status";

/// The end of a run of tests.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The test that failed first.
    pub(super) failed: Option<String>,
    /// True if the process ended well, or was ended as a test had failed.
    pub(super) ended: bool,
    /// The processor time of a run that ended by itself.
    pub(super) time: Duration,
}

/// A run of tests.
pub(super) struct Trial<'a> {
    pub(super) tests: &'a Tests,
    /// The tests to run, by their whole names.
    pub(super) names: &'a [String],
    /// The mutations that are switched on.
    pub(super) mutations: &'a [usize],
    /// The file in which switches note that they were reached.
    pub(super) notes: Option<&'a Path>,
    /// The most processor time.
    pub(super) limit: Duration,
    pub(super) prefix: &'a [String],
    pub(super) threads: usize,
}

impl Trial<'_> {
    /// Runs the tests.
    pub(super) fn run(&self) -> Result<Outcome, String> {
        let mut command = command(self.prefix, "sh");
        command.args(["-c", BOUNDED, MOST_MEMORY, &self.limit.as_secs().max(1).to_string()]);
        command.arg(&self.tests.executable);
        command.arg("--exact").args(self.names);
        command.arg(format!("--test-threads={}", self.threads));
        command.current_dir(&self.tests.folder).env("CARGO_MANIFEST_DIR", &self.tests.folder);
        let numbers: Vec<String> = self.mutations.iter().map(usize::to_string).collect();
        command.env(tree::VARIABLE, numbers.join(","));
        if let Some(notes) = self.notes {
            command.env(reach::VARIABLE, notes);
        }
        own_group(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.tests.name))?;
        let outcome = self.follow(&mut child);
        end_group(&child);
        drop(child.wait());
        outcome
    }

    fn follow(&self, child: &mut Child) -> Result<Outcome, String> {
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        let (start, most) = (Instant::now(), self.limit * CLOCK);
        let mut outcome = Outcome { failed: None, ended: true, time: Duration::ZERO };
        loop {
            let left = most.checked_sub(start.elapsed()).unwrap_or_default();
            match lines.recv_timeout(left) {
                Ok(line) => {
                    outcome.time = processor_time(&line).unwrap_or(outcome.time);
                    let Some(name) = failed(&line) else { continue };
                    outcome.failed = Some(name.to_owned());
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {
                    outcome.ended = false;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = child.wait().map_err(|error| error.to_string())?;
                    outcome.ended = status.success();
                    break;
                }
            }
        }
        Ok(outcome)
    }
}

/// The sum of a line of the shell's `times`: `0m1.25s 0m0.5s`.
fn processor_time(line: &str) -> Option<Duration> {
    let part = |part: &str| {
        let (minutes, seconds) = part.strip_suffix('s')?.split_once('m')?;
        let minutes: u32 = minutes.parse().ok()?;
        let seconds = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        Some(Duration::from_secs(60) * minutes + seconds)
    };
    let (user, system) = line.split_once(' ')?;
    Some(part(user)? + part(system)?)
}

/// Returns the test that a line says to have failed.
fn failed(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(|name| name.trim())
}

/// Has a command and all that it starts end together.
#[cfg(unix)]
fn own_group(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut std::process::Command) {}

/// Ends a command that has not ended, with all that it started.
#[cfg(unix)]
fn end_group(child: &Child) {
    let group = format!("-{}", child.id());
    let kill = std::process::Command::new("kill").args(["-KILL", "--", &group]).output();
    drop(kill);
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}
