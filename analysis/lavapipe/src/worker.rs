//! The worker's side: the driver behind the jobs of a [`worker`](::worker) process.

use std::path::Path;

use ::worker::{CodeMemory, Needs, Refusal, Service};

use crate::device::Device;
use crate::{Job, Output};

/// The first argument of the program that makes it a worker of the driver.
pub const COMMAND: &str = "lavapipe-worker";

/// Serves jobs until standard input ends. Never returns.
///
/// The arguments are the path of the driver's library, and what [`serve`](::worker::serve())
/// says.
pub fn run(mut arguments: impl Iterator<Item = String>) -> ! {
    let Some(library) = arguments.next() else {
        let background = ::worker::serve::BACKGROUND;
        ::worker::serve::refuse_usage(&format!("{COMMAND} LIBRARY [{background}]"))
    };
    let manner = arguments.next().unwrap_or_default();
    ::worker::serve(&manner, move || {
        let device = Device::open(Path::new(&library)).map_err(Refusal::of)?;
        let version = format!("{}\t{}", device.version, device.name);
        Ok(Session { device, version })
    })
}

/// The driver at work.
struct Session {
    device: Device,
    /// The version of Mesa and the driver's name of the device, a tab between them.
    version: String,
}

impl Service for Session {
    type Job = Job;
    type Output = Output;
    /// The driver makes code of every shader.
    const NEEDS: Needs = Needs { code: CodeMemory::Allowed, ..Needs::NOTHING };

    fn version(&self) -> &str {
        &self.version
    }

    fn run(&mut self, job: &Job) -> Result<Output, Refusal> {
        self.device.execute(job).map_err(Refusal::of)
    }
}
