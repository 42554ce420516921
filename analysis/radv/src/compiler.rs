//! The parent's side: a host of the driver's worker for each chip.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use worker::{Attempt, Failure, Host, Launch, Layer, Limits, Priority};

use crate::library::Found;
use crate::spirv::instructions;
use crate::{Job, Output};

/// The configuration of a [`Compiler`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that serves as worker when called with
    /// [`COMMAND`](crate::worker::COMMAND).
    pub executable: PathBuf,
    /// The driver.
    pub driver: Found,
    /// The worker's priority on busy processors.
    pub priority: Priority,
}

/// The ways by which the driver is had for a chip, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Road {
    /// The machine has the chip.
    Own,
    /// The driver is told the chip: `RADV_FORCE_FAMILY`, up to Mesa 25.
    Forced,
    /// A stand-in for the kernel has the chip: `mesa-drm-shim`.
    Shim,
}

impl Road {
    const ALL: [Road; 3] = [Road::Own, Road::Forced, Road::Shim];

    /// The road in words, for people.
    pub fn name(self) -> &'static str {
        match self {
            Road::Own => "the GPU of this machine",
            Road::Forced => "no GPU, by RADV_FORCE_FAMILY",
            Road::Shim => "no GPU, by Mesa's drm-shim",
        }
    }
}

/// The words of the driver that a job's output has beside code and figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Keeps {
    /// None.
    Code,
    /// Its program with lines of the source, where it knows them.
    Lines,
    /// Its program after its registers were chosen.
    Registers,
}

impl Keeps {
    /// Words for `RADV_DEBUG`. The memory cache is not switched off by them: the code comes
    /// out of a cache, which is new for each job.
    fn debug(self) -> &'static str {
        match self {
            Keeps::Code => "",
            Keeps::Lines => "nirdebuginfo",
            // The first word is that of Mesa before 25, the others say it since.
            Keeps::Registers => "shaders,vs,tcs,tes,gs,ps,cs,ir",
        }
    }

    fn argument(self) -> &'static str {
        match self {
            Keeps::Code => crate::worker::CODE,
            Keeps::Lines | Keeps::Registers => crate::worker::TEXTS,
        }
    }
}

/// The reason for which there is no output.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompileError {
    /// The driver, or what looks at a job before it, refused it.
    #[error("RADV refused the shader: {0}")]
    Rejected(String),
    /// This driver does not compile for the chip; with what it said on each road.
    #[error("RADV does not compile for {chip} here: {words}")]
    NoChip {
        /// The chip.
        chip: String,
        /// The outcome of each road.
        words: String,
    },
    /// The worker died on this job; with what is known of how.
    #[error("the driver died on this shader: {0}")]
    Died(String),
    /// The worker took longer than this many milliseconds and was killed.
    #[error("the driver did not finish this shader within {0} ms and was stopped")]
    TimedOut(u64),
    /// The worker wanted more memory than these bytes.
    #[error("the driver needs more than {} MiB of memory for this shader and was stopped", .0 >> 20)]
    OutOfMemory(u64),
    /// This job has killed the worker twice and is not tried again.
    #[error("the driver died twice on this shader; it is not tried again until the shader changes")]
    Quarantined,
    /// The worker could not be started.
    #[error("the driver could not be started: {0}")]
    NotStarted(String),
    /// The job was stopped from outside.
    #[error("the compilation was stopped")]
    Interrupted,
}

impl From<Failure> for CompileError {
    fn from(failure: Failure) -> CompileError {
        match failure {
            Failure::Rejected(words) => CompileError::Rejected(words),
            Failure::Died(words) => CompileError::Died(words),
            Failure::TimedOut(milliseconds) => CompileError::TimedOut(milliseconds),
            Failure::OutOfMemory(bytes) => CompileError::OutOfMemory(bytes),
            Failure::Quarantined => CompileError::Quarantined,
            Failure::NotStarted(words) => CompileError::NotStarted(words),
            Failure::Interrupted => CompileError::Interrupted,
        }
    }
}

/// Limits of a worker. A job takes a thousandth of the time, and less than a tenth of the
/// memory; the driver leaks about 6 KiB a job.
const LIMITS: Limits = Limits { start: Duration::from_secs(30), memory: 4 << 30, jobs: 10_000 };
/// The time of a job, and what is added for each word of its modules.
const JOB: Duration = Duration::from_secs(5);
const WORD: Duration = Duration::from_micros(100);
const LONGEST: Duration = Duration::from_secs(120);

/// A running worker and what it said of itself.
#[derive(Debug)]
struct Ready {
    host: Host<Job, Output>,
    road: Road,
}

/// The driver of this machine, for all chips that it compiles for.
#[derive(Debug)]
pub struct Compiler {
    configuration: Configuration,
    hosts: HashMap<(String, Keeps), Result<Ready, CompileError>>,
    /// The machine has no GPU of the driver's, whatever the chip.
    has_no_gpu: bool,
}

impl Compiler {
    /// A compiler whose workers are not started yet.
    pub fn new(configuration: Configuration) -> Compiler {
        Compiler { configuration, hosts: HashMap::new(), has_no_gpu: false }
    }

    /// The driver.
    pub fn driver(&self) -> &Found {
        &self.configuration.driver
    }

    /// The version of Mesa, and the road that leads to a chip; starts its worker if it never
    /// ran.
    ///
    /// # Errors
    /// [`CompileError::NoChip`] with what became of each road.
    pub fn version(&mut self, chip: &str) -> Result<(String, Road), CompileError> {
        let ready = self.ready(chip, Keeps::Code)?;
        let version = ready.host.version()?.split('\t').next().unwrap_or_default().to_owned();
        Ok((version, ready.road))
    }

    /// The parts of the sandbox that a chip's worker is in.
    ///
    /// # Errors
    /// As [`Compiler::version`].
    pub fn confinement(&mut self, chip: &str) -> Result<Vec<Layer>, CompileError> {
        Ok(self.ready(chip, Keeps::Code)?.host.confinement()?.to_vec())
    }

    /// Has a worker of its own try what it must not be able to do; the system's words where
    /// it is denied, `None` where it is not.
    ///
    /// # Errors
    /// As [`Compiler::version`].
    pub fn attempt(
        &mut self,
        chip: &str,
        attempt: Attempt,
    ) -> Result<Option<String>, CompileError> {
        Ok(self.ready(chip, Keeps::Code)?.host.attempt(attempt)?)
    }

    /// Compiles a job for a chip, blocking: code and figures.
    ///
    /// # Errors
    /// See [`CompileError`]; the compiler stays usable after each.
    pub fn compile(&mut self, chip: &str, job: &Job) -> Result<Output, CompileError> {
        self.run(chip, Keeps::Code, job)
    }

    /// Compiles a job once more for what the driver says of it: its program with the lines of
    /// the source, whose figures are not those of the plain compile.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn compile_with_lines(&mut self, chip: &str, job: &Job) -> Result<Output, CompileError> {
        self.run(chip, Keeps::Lines, job)
    }

    /// Compiles a job once more for its program after the registers were chosen, in
    /// [`Output::dump`].
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn compile_with_registers(
        &mut self,
        chip: &str,
        job: &Job,
    ) -> Result<Output, CompileError> {
        self.run(chip, Keeps::Registers, job)
    }

    fn run(&mut self, chip: &str, keeps: Keeps, job: &Job) -> Result<Output, CompileError> {
        for module in &job.modules {
            // Broken words kill the driver: what can be seen of it is refused before.
            if let Err(broken) = instructions(&module.words) {
                return Err(CompileError::Rejected(broken.to_string()));
            }
        }
        let words = job.modules.iter().map(|module| module.words.len()).sum::<usize>();
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        let limit = JOB.saturating_add(WORD.saturating_mul(words)).min(LONGEST);
        Ok(self.ready(chip, keeps)?.host.run(job, limit)?)
    }

    /// The host for a chip, whose worker has told that it has the chip.
    fn ready(&mut self, chip: &str, keeps: Keeps) -> Result<&mut Ready, CompileError> {
        let key = (chip.to_owned(), keeps);
        if !self.hosts.contains_key(&key) {
            let made = self.begin(chip, keeps);
            self.hosts.insert(key.clone(), made);
        }
        match self.hosts.get_mut(&key) {
            Some(Ok(ready)) => Ok(ready),
            Some(Err(error)) => Err(error.clone()),
            None => Err(CompileError::NotStarted("it is gone".to_owned())),
        }
    }

    /// Tries each road; on which a worker proves by its device's name that it has the chip.
    fn begin(&mut self, chip: &str, keeps: Keeps) -> Result<Ready, CompileError> {
        let before = match self.hosts.get(&(chip.to_owned(), Keeps::Code)) {
            Some(Ok(ready)) => Some(ready.road),
            _ => None,
        };
        let mut words = Vec::new();
        for road in Road::ALL {
            let leads = before.is_none_or(|before| before == road);
            if !leads || (road == Road::Own && self.has_no_gpu) {
                continue;
            }
            if road == Road::Shim && self.configuration.driver.shim.is_none() {
                words.push("Mesa's drm-shim is not installed".to_owned());
                continue;
            }
            let mut host = Host::new(self.launch(chip, keeps, road), LIMITS);
            match host.version() {
                Ok(version) if is_of(version, chip) => return Ok(Ready { host, road }),
                Ok(version) => {
                    let device = version.split('\t').nth(1).unwrap_or_default();
                    words.push(format!("{} is {device}", road.name()));
                }
                Err(Failure::NotStarted(why)) => {
                    let library = format!("{}: ", self.configuration.driver.path.display());
                    let why = why.strip_prefix(&library).unwrap_or(&why);
                    self.has_no_gpu |= road == Road::Own;
                    words.push(format!("{}: {}", road.name(), why.lines().last().unwrap_or(why)));
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        Err(CompileError::NoChip { chip: chip.to_owned(), words: words.join("; ") })
    }

    fn launch(&self, chip: &str, keeps: Keeps, road: Road) -> Launch {
        let Configuration { executable, driver, priority } = &self.configuration;
        let mut environment: Vec<(OsString, OsString)> = [
            // A cache on the disk would be the driver's to read and write.
            ("MESA_SHADER_CACHE_DISABLE", "true"),
            ("RADV_DEBUG", keeps.debug()),
            ("RADV_PERFTEST", ""),
            ("ACO_DEBUG", ""),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
        match (road, &driver.shim) {
            (Road::Own, _) => {}
            (Road::Forced, _) => environment.push(("RADV_FORCE_FAMILY".into(), chip.into())),
            (Road::Shim, shim) => {
                environment.push(("AMDGPU_GPU_ID".into(), chip.into()));
                // A launcher is a program of the system, which the driver's library may be
                // too new for.
                let name = if driver.launcher.is_some() { "PRELOAD" } else { "LD_PRELOAD" };
                let shim = shim.clone().unwrap_or_default();
                environment.push((name.into(), shim.into()));
            }
        }
        let mut arguments: Vec<OsString> = vec![
            crate::worker::COMMAND.into(),
            keeps.argument().into(),
            driver.path.clone().into(),
        ];
        let mut program = executable.clone();
        if let Some(launcher) = &driver.launcher {
            arguments.insert(0, std::mem::replace(&mut program, launcher.clone()).into());
        }
        let library = driver.path.clone();
        Launch { program, arguments, environment, library, priority: *priority }
    }
}

/// Tells whether a worker's version has the chip's name: `… (RADV POLARIS10)`; the name of
/// another compiler may stand behind it.
fn is_of(version: &str, chip: &str) -> bool {
    let name = version.to_lowercase().replace([')', ','], " ");
    name.contains(&format!("(radv {} ", chip.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_is_proven_by_the_name_of_the_device() {
        assert!(is_of("22.3.6\tNull hardware (RADV POLARIS10)", "polaris10"));
        assert!(is_of(
            "22.3.6\tAMD Radeon RX 580 Series (RADV POLARIS10, LLVM 15.0.6)",
            "polaris10"
        ));
        assert!(!is_of("22.3.6\tNull hardware (RADV POLARIS10)", "polaris1"));
        assert!(!is_of("22.3.6\tNull hardware (RADV VEGA10)", "polaris10"));
        assert!(!is_of("", "polaris10"));
    }
}
