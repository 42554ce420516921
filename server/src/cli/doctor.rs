//! `tungsten doctor`: which compilers are on this machine, which is used, what holds its
//! process, and where results are kept.

use std::io;
use std::path::{Path, PathBuf};

use gcn::targets::Compiles;
use llvm::cache::{Bounds, Cache};
use llvm::{Attempt, CompileError, Compiler, Configuration, Found, LayerState};
use radv::convention::is_known;
use serde::Serialize;

use super::compiler::own_executable;
use super::format::{Format, FormatArgument};
use super::output::{Output, Style};
use super::settings::user;
use super::{LibraryArgument, Status, Stop};
use crate::hosts::Hosts;
use crate::jobs::{self, install_advice};
use crate::lavapipe::Lavapipe;
use crate::{files, trust};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    format: FormatArgument,
    #[command(flatten)]
    library: LibraryArgument,
}

/// The compilers as programs read them.
#[derive(Debug, Serialize)]
struct Report<'a> {
    version: &'static str,
    libraries: Vec<LibraryLine<'a>>,
    /// Mesa's drivers with its compiler ACO.
    aco: Vec<DriverLine<'a>>,
    /// Test servers of virglrenderer.
    vrend: Vec<RendererLine<'a>>,
    /// Mesa's software drivers that execute SPIR-V.
    lavapipe: Vec<ExecutorLine<'a>>,
    /// The folder that results are kept in; none where none are kept.
    cache: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LibraryLine<'a> {
    version: &'a str,
    path: &'a Path,
    origin: &'static str,
    is_used: bool,
    problem: Option<&'a str>,
    /// Processors that it is too old for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_processors: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DriverLine<'a> {
    path: &'a Path,
    origin: &'static str,
    is_used: bool,
    /// The version of Mesa, of the one that is used.
    version: Option<String>,
    /// The chips that it compiles for here.
    chips: Vec<&'static str>,
    /// True if `run --engine aco:CHIP` knows with which registers its code begins.
    has_known_convention: bool,
    problem: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RendererLine<'a> {
    path: &'a Path,
    origin: &'static str,
    is_used: bool,
    /// The hosts that this machine's Mesa imitates for it.
    hosts: Vec<String>,
    problem: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExecutorLine<'a> {
    path: &'a Path,
    origin: &'static str,
    is_used: bool,
    /// The version of Mesa, of the one that is used; none where it does not start.
    version: Option<String>,
    problem: Option<&'a str>,
}

/// The processors that compute shaders or all shaders are compiled for, and a library is too old
/// for.
fn unknown_processors(library: &Found) -> Vec<&'static str> {
    let targets = gcn::Target::all().filter(|target| {
        library.is_usable()
            && target.name() == target.processor()
            && target.row().compiles != Compiles::Nothing
            && jobs::is_older(&library.version, *target)
    });
    targets.map(gcn::Target::processor).collect()
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let setting = arguments.library.wanted();
    let found = llvm::library::find(setting.as_deref());
    let taken = found.iter().position(llvm::Found::is_usable);
    if arguments.format.chosen() == Format::Json {
        let libraries = found.iter().enumerate().map(|(index, library)| LibraryLine {
            version: &library.version,
            path: &library.path,
            origin: library.origin,
            is_used: Some(index) == taken,
            problem: library.problem.as_deref(),
            unknown_processors: unknown_processors(library),
        });
        let cache = jobs::folder(&user().cache).ok();
        let version = env!("CARGO_PKG_VERSION");
        let drivers = radv::library::find();
        let aco = driver_lines(&drivers);
        let renderers = vrend::find(user().trust.vrend.as_deref());
        let vrend = renderer_lines(&renderers);
        let executors = lavapipe::find();
        let lavapipe = executor_lines(&executors);
        let libraries = libraries.collect();
        output.json(&Report { version, libraries, aco, vrend, lavapipe, cache })?;
        return Ok(if taken.is_some() { Status::Good } else { Status::Bad });
    }
    output.line(concat!("tungsten ", env!("CARGO_PKG_VERSION")))?;
    output.line("libLLVM, in order of preference:")?;
    for (index, library) in found.iter().enumerate() {
        let (style, mark) = match (&library.problem, Some(index) == taken) {
            (None, true) => (Style::Good, "used     "),
            (None, false) => (Style::Plain, "usable   "),
            (Some(_), _) => (Style::Bad, "unusable "),
        };
        output.text("  ")?;
        output.styled(style, mark)?;
        output.styled(Style::Strong, &format!("LLVM {:8}", library.version))?;
        output.text(&library.path.display().to_string())?;
        output.styled_line(Style::Faint, &format!("  from {}", library.origin))?;
        if let Some(problem) = &library.problem {
            output.line(&format!("           {problem}"))?;
        }
        let unknown = unknown_processors(library);
        if !unknown.is_empty() {
            output.line(&format!("           too old for {}", unknown.join(", ")))?;
        }
    }
    let Some(index) = taken else {
        output.line(&install_advice(setting.as_deref(), &found))?;
        print_aco(output)?;
        print_vrend(output)?;
        print_lavapipe(output)?;
        return Ok(Status::Bad);
    };
    let why = match index {
        0 => "selected: the first usable library",
        _ => "those before it cannot be used",
    };
    output.line(&format!("{} is used: {why}.", found[index].path.display()))?;
    let status = try_out(&found[index], output)?;
    print_aco(output)?;
    print_vrend(output)?;
    print_lavapipe(output)?;
    print_cache(output)?;
    print_trust(output)?;
    Ok(status)
}

/// A program or library of a list, as people read it.
struct Entry<'a> {
    path: &'a Path,
    origin: &'static str,
    is_used: bool,
    problem: Option<&'a str>,
}

impl Entry<'_> {
    /// Prints its line, and below it what is wrong with it.
    fn print(&self, version: &str, output: &mut Output) -> io::Result<()> {
        let (style, mark) = match (self.problem, self.is_used) {
            (None, true) => (Style::Good, "used     "),
            (None, false) => (Style::Plain, "usable   "),
            (Some(_), _) => (Style::Bad, "unusable "),
        };
        output.text("  ")?;
        output.styled(style, mark)?;
        output.styled(Style::Strong, version)?;
        output.text(&self.path.display().to_string())?;
        output.styled_line(Style::Faint, &format!("  from {}", self.origin))?;
        match self.problem {
            Some(problem) => output.line(&format!("           {problem}")),
            None => Ok(()),
        }
    }
}

/// Facts about each driver; the one that is used is asked for its chips.
fn driver_lines(found: &[radv::Found]) -> Vec<DriverLine<'_>> {
    let used = found.iter().position(|it| it.problem.is_none());
    let mut lines = Vec::new();
    for (index, driver) in found.iter().enumerate() {
        let is_used = Some(index) == used;
        let chips = match std::env::current_exe() {
            Ok(worker) if is_used => crate::aco::chips(driver, &worker),
            _ => crate::aco::Chips::default(),
        };
        lines.push(DriverLine {
            path: &driver.path,
            origin: driver.origin,
            is_used,
            has_known_convention: chips.version.as_deref().is_some_and(is_known),
            chips: chips.names,
            version: chips.version,
            problem: driver.problem.as_deref(),
        });
    }
    lines
}

/// Says which drivers with ACO there are, and what the first compiles for; one line where
/// there is none.
fn print_aco(output: &mut Output) -> io::Result<()> {
    let found = radv::library::find();
    if found.iter().all(|it| it.problem.is_some()) {
        return output.line(&crate::aco::install_advice(&found));
    }
    output.line(
        "Drivers with Mesa's ACO (--compiler aco, run --engine aco:CHIP), in order of preference:",
    )?;
    for (driver, found) in driver_lines(&found).iter().zip(&found) {
        let version = driver.version.as_deref().unwrap_or_default();
        let entry = Entry {
            path: driver.path,
            origin: driver.origin,
            is_used: driver.is_used,
            problem: driver.problem,
        };
        entry.print(&format!("Mesa {version:8}"), output)?;
        if !driver.is_used {
            continue;
        }
        match &driver.chips[..] {
            [] if found.shim.is_none() => output.line(
                "           compiles for no chip here; from Mesa 26 on it needs mesa-drm-shim",
            )?,
            [] => output.line("           compiles for no chip here")?,
            chips => {
                output.line(&format!("           compiles for {}", chips.join(", ")))?;
                output.line(match driver.has_known_convention {
                    true => "           its code runs in the emulator, on chips of GFX6 to GFX9",
                    false => {
                        "           its code does not run in the emulator: the calling convention \
                         of this version is not known"
                    }
                })?;
            }
        }
    }
    Ok(())
}

/// Facts about each server of virglrenderer; the one that is used is tried for every host.
fn renderer_lines(found: &[vrend::Found]) -> Vec<RendererLine<'_>> {
    let used = found.iter().position(|it| it.problem.is_none());
    let lines = found.iter().enumerate().map(|(index, server)| RendererLine {
        path: &server.path,
        origin: server.origin,
        is_used: Some(index) == used,
        hosts: if Some(index) == used { imitated() } else { Vec::new() },
        problem: server.problem.as_deref(),
    });
    lines.collect()
}

/// The hosts that can be asked here.
fn imitated() -> Vec<String> {
    let setting = user().trust.vrend.as_deref();
    let Ok(mut hosts) = Hosts::find(&own_executable(), setting) else { return Vec::new() };
    let all = vrend::Host::all().into_iter().filter(|host| hosts.try_host(host).is_ok());
    all.map(|host| host.to_string()).collect()
}

/// Says which servers of virglrenderer there are, and which hosts the first
/// is asked for; one
/// line where there is none.
fn print_vrend(output: &mut Output) -> io::Result<()> {
    let found = vrend::find(user().trust.vrend.as_deref());
    if found.iter().all(|it| it.problem.is_some()) {
        return output.line(&crate::hosts::install_advice(&found));
    }
    output.line("Servers of virglrenderer (--emit glsl, hosts), in order of preference:")?;
    for server in renderer_lines(&found) {
        let entry = Entry {
            path: server.path,
            origin: server.origin,
            is_used: server.is_used,
            problem: server.problem,
        };
        entry.print("", output)?;
        match &server.hosts[..] {
            [] if server.is_used => output.line(
                "           makes no context: it needs Mesa's EGL with its software driver \
                 (Debian: libegl-mesa0 and libgl1-mesa-dri)",
            )?,
            [] => {}
            hosts => output.line(&format!("           imitates {}", hosts.join(", ")))?,
        }
    }
    Ok(())
}

/// Facts about each software driver; the one that is used is started.
fn executor_lines(found: &[lavapipe::Found]) -> Vec<ExecutorLine<'_>> {
    let used = found.iter().position(|it| it.problem.is_none());
    let started = || Lavapipe::find(&own_executable()).ok()?.version().ok();
    let lines = found.iter().enumerate().map(|(index, driver)| ExecutorLine {
        path: &driver.path,
        origin: driver.origin,
        is_used: Some(index) == used,
        version: if Some(index) == used { started() } else { None },
        problem: driver.problem.as_deref(),
    });
    lines.collect()
}

/// Says which software drivers there are that execute SPIR-V; one line where there is none.
fn print_lavapipe(output: &mut Output) -> io::Result<()> {
    let found = lavapipe::find();
    if found.iter().all(|it| it.problem.is_some()) {
        return output.line(&crate::lavapipe::install_advice(&found));
    }
    output.line("Mesa's lavapipe (run --engine lavapipe), in order of preference:")?;
    for driver in executor_lines(&found) {
        let version = driver.version.as_deref();
        let shown = version.map_or_else(|| " ".repeat(13), |it| format!("Mesa {it:8}"));
        let entry = Entry {
            path: driver.path,
            origin: driver.origin,
            is_used: driver.is_used,
            problem: driver.problem,
        };
        entry.print(&shown, output)?;
        if driver.is_used && version.is_none() {
            output.line("           does not start here")?;
        }
    }
    Ok(())
}

/// Says where results are kept, and how many there are.
fn print_cache(output: &mut Output) -> io::Result<()> {
    match jobs::folder(&user().cache) {
        Ok(folder) => {
            let most = Bounds::default();
            let held = Cache::new(&folder, most).contents();
            let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
            output.line(&format!(
                "Results are kept in {}: {} of at most {} shaders, {:.1} of at most {:.0} MiB.",
                folder.display(),
                held.entries,
                most.entries,
                mebibytes(held.bytes),
                mebibytes(most.bytes),
            ))
        }
        Err(why) => output.line(&format!("No results are kept on the disk: {why}.")),
    }
}

/// Says what holds the compiler process on this kernel, and what came of trying it.
fn print_box(compiler: &mut Compiler, output: &mut Output) -> io::Result<()> {
    output.line("Once it is loaded the compiler is shut in a box:")?;
    for layer in compiler.confinement().unwrap_or_default() {
        let (style, word, text) = match &layer.state {
            LayerState::Holds(text) => (Style::Good, "holds  ", text),
            LayerState::Missing(why) => (Style::Bad, "missing", why),
        };
        output.text("  ")?;
        output.styled(style, word)?;
        output.line(&format!(" {}: {text}", layer.name))?;
    }
    for attempt in Attempt::ALL {
        let (style, word, text) = match compiler.attempt(attempt) {
            Ok(Some(words)) => (Style::Good, "denied ", words),
            Ok(None) => (Style::Bad, "allowed", "nothing kept it from that".to_owned()),
            Err(CompileError::NotStarted(why)) => (Style::Bad, "untried", why),
            Err(error) => (Style::Bad, "untried", error.to_string()),
        };
        output.text("  ")?;
        output.styled(style, word)?;
        output.line(&format!(" to {}: {text}", attempt.name()))?;
    }
    Ok(())
}

/// Says what the user trusts, and who keeps files of a workspace from reaching further.
fn print_trust(output: &mut Output) -> io::Result<()> {
    if let Some(path) = trust::own_file_here() {
        let there = if path.is_file() { "is read" } else { "would be read if it were there" };
        output.line(&format!("Your own configuration file {} {there}.", path.display()))?;
    }
    for folder in &user().trust.folders {
        output.line(&format!("Files may be read from {}, which you trust.", folder.display()))?;
    }
    output.line(match files::is_enforced() {
        true => {
            "What files of a workspace name is opened beneath its folders by the kernel (openat2)."
        }
        false => {
            "What files of a workspace name is opened beneath its folders by comparing paths: \
             this kernel has no openat2."
        }
    })
}

/// Starts a compiler process with the library: what the files say of
/// themselves is not all.
fn try_out(library: &Found, output: &mut Output) -> io::Result<Status> {
    let worker = std::env::current_exe()?;
    let configuration = Configuration::new(worker, library.path.clone(), engine::INTRINSICS);
    let mut compiler = Compiler::new(configuration);
    match compiler.version() {
        Ok(version) => {
            output.styled(Style::Good, "It loads")?;
            output.line(&format!(" and says that it is LLVM {version}."))?;
            print_box(&mut compiler, output).map(|()| Status::Good)
        }
        Err(error) => {
            output.styled(Style::Bad, "It does not load")?;
            output.line(&format!(": {error}."))?;
            Ok(Status::Bad)
        }
    }
}
