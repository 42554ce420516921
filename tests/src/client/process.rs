//! The real process, and figures of it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Client, Server};
use crate::measure::process_time;

impl Client {
    /// Starts a server process and introduces itself.
    pub fn start(program: &Path, capabilities: Value, options: Value) -> Client {
        // Results of other runs would hide what is compiled.
        Client::start_with_cache(program, Path::new("off"), capabilities, options)
    }

    /// Starts a server process that keeps results in a folder, and introduces itself.
    pub fn start_with_cache(
        program: &Path,
        cache: &Path,
        capabilities: Value,
        options: Value,
    ) -> Client {
        let mut child = Command::new(program)
            .arg("lsp")
            .env("TUNGSTEN_CACHE", cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let input = child.stdin.take().unwrap_or_else(|| panic!("it was piped"));
        let output = child.stdout.take().unwrap_or_else(|| panic!("it was piped"));
        let params = json!({
            "processId": std::process::id(),
            "rootUri": null,
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        Client::connect(Server::Process(child), Box::new(input), output, params)
    }

    fn child(&self) -> &Child {
        match &self.server {
            Server::Process(child) => child,
            Server::Thread(_) => panic!("the server is not a process"),
        }
    }

    /// The number of the server's process.
    pub fn process(&self) -> u32 {
        self.child().id()
    }

    /// Resident memory of the server without its compilers, in KiB. Linux only.
    pub fn resident(&self) -> u64 {
        self.status_line("VmRSS:")
    }

    /// Returns the most resident memory of the server since [`Client::forget_most_resident`],
    /// in KiB. Linux only.
    pub fn most_resident(&self) -> u64 {
        self.status_line("VmHWM:")
    }

    /// Has the system forget the most memory so far. Linux only.
    ///
    /// # Panics
    /// If it does not.
    pub fn forget_most_resident(&self) {
        let path = format!("/proc/{}/clear_refs", self.process());
        std::fs::write(path, "5").expect("one's own process");
    }

    /// Returns the number of the server's threads. Linux only.
    pub fn threads(&self) -> u64 {
        self.status_line("Threads:")
    }

    /// Returns the number of the server's compiler processes. Linux only.
    pub fn compilers(&self) -> usize {
        self.workers("compile-worker").len()
    }

    /// Resident memory of each compiler process of the server, in KiB. Linux only.
    pub fn compiler_memory(&self) -> Vec<u64> {
        self.workers("compile-worker").iter().map(|it| status_of(it, "VmRSS:")).collect()
    }

    /// The processor time of the drivers that make plain code for the server, threads that ended
    /// included. Those that are asked for texts of the same shader work behind them.
    pub fn driver_time(&self) -> Duration {
        let drivers = self.workers(&format!("{}\0code", radv::worker::COMMAND));
        drivers.iter().filter_map(|it| process_time(it.parse().ok()?)).sum()
    }

    /// The processes of the server whose commands have a word.
    fn workers(&self, word: &str) -> Vec<String> {
        let server = self.process();
        let tasks = std::fs::read_dir(format!("/proc/{server}/task"));
        let lists = tasks.into_iter().flatten().flatten();
        let children: Vec<String> = lists
            .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let is_worker = |child: &String| {
            let command = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(word)
        };
        children.into_iter().filter(is_worker).collect()
    }

    fn status_line(&self, name: &str) -> u64 {
        status_of(&self.process().to_string(), name)
    }
}

/// A number of a process's status; 0 where there is none.
fn status_of(process: &str, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}
