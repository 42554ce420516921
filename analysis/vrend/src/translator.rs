//! The servers of the hosts that are asked for, bounded and started again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tgsi::Stage;
use tgsi::glsl::{self, Refusal};
use thiserror::Error;

use crate::Host;
use crate::connection::Connection;
use crate::library::Found;
use crate::partners::partners;
use crate::printed::{self, Printed};
use crate::process::Server;

/// The configuration of a [`Translator`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The executable that becomes the server when called with [`COMMAND`](crate::COMMAND).
    pub executable: PathBuf,
    /// The server.
    pub server: Found,
}

/// A host's GLSL of a shader, and what its compiler says of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Translation {
    /// GLSL; `None` where the renderer made none.
    pub glsl: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdict of a host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Compiles.
    Accepted,
    /// The GL compiler refuses the GLSL; with its complaint.
    Refused(String),
    /// The renderer makes no GLSL of it; with its words, if it had any.
    Untranslated(String),
}

impl Verdict {
    /// Tells whether another shader is refused for the same reason, wherever it stands.
    fn is_like(&self, other: &Verdict) -> bool {
        let first = |log: &str| glsl::complaints(log).into_iter().next().map(|it| it.message);
        match (self, other) {
            (Verdict::Refused(own), Verdict::Refused(other)) => first(own) == first(other),
            (Verdict::Untranslated(_), Verdict::Untranslated(_)) => true,
            _ => false,
        }
    }
}

/// The reason for which nothing is known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranslateError {
    /// The text has no stage.
    #[error("there is no shader to translate")]
    NoShader,
    /// This machine's GL is not the host.
    #[error("this machine's GL cannot stand for {host}: {why}")]
    NoHost {
        /// The host.
        host: String,
        /// The reason.
        why: String,
    },
    /// The server was not started, or makes no context.
    #[error("virglrenderer's test server could not be started: {0}")]
    NotStarted(String),
    /// The server died on this shader; with what is known of how.
    #[error("virglrenderer's test server died on this shader: {0}")]
    Died(String),
    /// The server took longer than this many milliseconds and was killed.
    #[error("virglrenderer's test server did not finish within {0} ms and was stopped")]
    TimedOut(u128),
    /// This shader has killed the server twice and is not tried again.
    #[error(
        "virglrenderer's test server died twice on this shader; it is not tried again until the shader changes"
    )]
    Quarantined,
    /// The server's log does not say what became of the shader.
    #[error("virglrenderer's test server does not show the GLSL: {0}")]
    NotShown(String),
}

/// The time for starting: the driver's libraries may come from a slow disk.
const START: Duration = Duration::from_secs(30);
/// The time of a job, and what is added for each byte of its text.
const JOB: Duration = Duration::from_secs(10);
const BYTE: Duration = Duration::from_micros(50);
const LONGEST: Duration = Duration::from_secs(120);
/// Shaders of a context, whose objects are never freed.
const SHADERS: u32 = 200;
/// Contexts of a server, for what it leaks.
const CONTEXTS: u32 = 200;
/// Deaths after which a shader is not tried again.
const DEATHS: u8 = 2;
/// Shaders remembered for having killed a server.
const MOST_REMEMBERED: usize = 4096;
/// Servers that stay alive: the ones that are asked, each of some 100 MiB.
const SERVERS: usize = 2;

/// A server for each host, the newest kept.
#[derive(Debug)]
pub struct Translator {
    configuration: Configuration,
    /// The living ones, the one used last at the end.
    servers: Vec<(Host, Running)>,
    /// Hosts that cannot be imitated, and why.
    impossible: HashMap<Host, TranslateError>,
    /// Deaths by shader and host, which a hash names.
    deaths: HashMap<u64, u8>,
}

#[derive(Debug)]
struct Running {
    server: Server,
    connection: Option<Connection>,
    /// Shaders of the connection, and connections.
    shaders: u32,
    contexts: u32,
}

impl Translator {
    /// A translator whose servers are not started yet.
    pub fn new(configuration: Configuration) -> Translator {
        Translator {
            configuration,
            servers: Vec::new(),
            impossible: HashMap::new(),
            deaths: HashMap::new(),
        }
    }

    /// The server's program.
    pub fn server(&self) -> &Found {
        &self.configuration.server
    }

    /// Ends all servers; they are started again when they are asked.
    pub fn rest(&mut self) {
        self.servers.clear();
    }

    /// Starts a host's server, if it does not run, and makes a context.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn try_host(&mut self, host: &Host) -> Result<(), TranslateError> {
        let mut running = self.take(host)?;
        let ready = running.ready(host).map(drop);
        if ready.is_ok() {
            self.keep(host, running);
        }
        ready
    }

    /// Translates a shader for a host, blocking.
    ///
    /// # Errors
    /// See [`TranslateError`]; the translator stays usable after each.
    pub fn translate(&mut self, text: &str, host: &Host) -> Result<Translation, TranslateError> {
        let parse = tgsi::parser::parse(text, &|| {});
        let shader = parse.shader.ok_or(TranslateError::NoShader)?;
        let stage = shader.stage.value;
        let culprit = hash(text, host);
        if self.deaths.get(&culprit).is_some_and(|deaths| *deaths >= DEATHS) {
            return Err(TranslateError::Quarantined);
        }
        let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let limit = JOB.saturating_add(BYTE.saturating_mul(bytes)).min(LONGEST);
        let mut running = self.take(host)?;
        let before = |error: io::Error| TranslateError::NotStarted(error.to_string());
        running.ready(host)?.limit(limit).map_err(before)?;
        let partners = partners(&shader);
        let Some(mut program) = running.begin(&partners, host)? else {
            self.keep(host, running);
            let stages: Vec<String> = partners.iter().map(|it| it.0.to_string()).collect();
            let words =
                format!("the host does not take what it needs beside it ({})", stages.join(", "));
            return Ok(Translation { glsl: None, verdict: Verdict::Untranslated(words) });
        };
        let connection = running.ready(host)?;
        let made = connection.create(stage, text).and_then(|handle| {
            program.push((stage, handle));
            connection.link(&program)
        });
        running.shaders += program.len() as u32;
        match made {
            Ok(()) => {}
            Err(error) if is_late(&error) => {
                self.blame(culprit);
                return Err(TranslateError::TimedOut(limit.as_millis()));
            }
            Err(_) => running.connection = None,
        }
        let log = running.server.printed().map_err(before)?;
        // The renderer ends the connection of who sends what it cannot read, and says so.
        if made.is_err() && !printed::is_dismissal(&log) && running.server.ends() {
            self.blame(culprit);
            return Err(TranslateError::Died(running.server.status()));
        }
        let printed = printed::read(&log);
        let was_refused = made.is_err();
        let has_failed = printed.compiled.iter().any(|it| it.complaint.is_some());
        if was_refused || has_failed || printed.unlinked.is_some() {
            // A context in which something was refused takes nothing more.
            running.connection = None;
        }
        self.keep(host, running);
        judge(&printed, stage, was_refused)
    }

    /// The complaints about a translation, each at its statement: that of its line, or where
    /// the line is before the first instruction, or there is none, the last statement of the
    /// shortest beginning of the shader that is refused in the same words.
    ///
    /// # Errors
    /// As [`Translator::translate`].
    pub fn refusals(
        &mut self,
        text: &str,
        host: &Host,
        translation: &Translation,
    ) -> Result<Vec<Refusal>, TranslateError> {
        let parse = tgsi::parser::parse(text, &|| {});
        let shader = parse.shader.ok_or(TranslateError::NoShader)?;
        let mut refusals = match &translation.verdict {
            Verdict::Accepted => Vec::new(),
            Verdict::Refused(log) => {
                let glsl = translation.glsl.as_deref().unwrap_or_default();
                glsl::refusals(&shader, glsl, log)
            }
            Verdict::Untranslated(words) => vec![Refusal::of_renderer(words)],
        };
        if let Some(first) = refusals.first_mut().filter(|it| !it.is_in_body) {
            let cause = self.cause(text, host, &translation.verdict)?;
            first.statement = cause.or(first.statement);
            if first.need.is_none() {
                first.need = match first.statement {
                    Some(place) => glsl::need_of_statement(&shader, place),
                    None => glsl::need_of_stage(shader.stage.value),
                };
            }
        }
        Ok(refusals)
    }

    /// The last statement of the shortest beginning of a shader that gets the same verdict, by
    /// its place among the shader's statements. `None` where a shader without statements gets
    /// it too, or none does.
    ///
    /// # Errors
    /// As [`Translator::translate`].
    pub fn cause(
        &mut self,
        text: &str,
        host: &Host,
        verdict: &Verdict,
    ) -> Result<Option<usize>, TranslateError> {
        let parse = tgsi::parser::parse(text, &|| {});
        let shader = parse.shader.ok_or(TranslateError::NoShader)?;
        let mut is_refused = |statements: usize| {
            let beginning = glsl::beginning(&shader, text, statements);
            Ok(self.translate(&beginning, host)?.verdict.is_like(verdict))
        };
        let (mut taken, mut refused) = (0, shader.statements.len());
        if is_refused(taken)? || !is_refused(refused)? {
            return Ok(None);
        }
        while refused - taken > 1 {
            let middle = taken + (refused - taken) / 2;
            if is_refused(middle)? {
                refused = middle;
            } else {
                taken = middle;
            }
        }
        Ok(Some(refused - 1))
    }

    /// A host's server, alive; the caller keeps it or lets it end.
    fn take(&mut self, host: &Host) -> Result<Running, TranslateError> {
        if let Some(error) = self.impossible.get(host) {
            return Err(error.clone());
        }
        if let Some(place) = self.servers.iter().position(|(own, _)| own == host) {
            let (_, mut running) = self.servers.remove(place);
            if !running.server.has_ended() && running.contexts < CONTEXTS {
                return Ok(running);
            }
        }
        let Configuration { executable, server } = &self.configuration;
        let failed = |error: io::Error| TranslateError::NotStarted(error.to_string());
        let server = Server::start(executable, &server.path, host).map_err(failed)?;
        let mut running = Running { server, connection: None, shaders: 0, contexts: 0 };
        running.ready(host).map(drop).inspect_err(|error| {
            if matches!(error, TranslateError::NoHost { .. }) {
                self.impossible.insert(host.clone(), error.clone());
            }
        })?;
        Ok(running)
    }

    fn keep(&mut self, host: &Host, running: Running) {
        while self.servers.len() >= SERVERS {
            self.servers.remove(0);
        }
        self.servers.push((host.clone(), running));
    }

    fn blame(&mut self, culprit: u64) {
        if self.deaths.len() >= MOST_REMEMBERED {
            self.deaths.clear();
        }
        let deaths = self.deaths.entry(culprit).or_default();
        *deaths = deaths.saturating_add(1);
    }
}

impl Running {
    /// A connection that takes shaders.
    fn ready(&mut self, host: &Host) -> Result<&mut Connection, TranslateError> {
        if self.shaders >= SHADERS {
            self.connection = None;
        }
        if self.connection.is_none() {
            self.connection = Some(self.connect(host)?);
            self.shaders = 0;
            self.contexts += 1;
        }
        match &mut self.connection {
            Some(connection) => Ok(connection),
            None => Err(TranslateError::NotStarted("it makes no context".to_owned())),
        }
    }

    /// Makes the partners of a shader; `None` where the host takes none of them.
    fn begin(
        &mut self,
        partners: &[(Stage, String)],
        host: &Host,
    ) -> Result<Option<Vec<(Stage, u32)>>, TranslateError> {
        // A context that was left in an error refuses whatever comes: a new one decides.
        for _ in 0..2 {
            let connection = self.ready(host)?;
            let made = partners.iter().map(|(stage, text)| {
                connection.create(*stage, text).map(|handle| (*stage, handle))
            });
            if let Ok(program) = made.collect::<io::Result<Vec<_>>>() {
                return Ok(Some(program));
            }
            self.connection = None;
        }
        Ok(None)
    }

    fn connect(&mut self, host: &Host) -> Result<Connection, TranslateError> {
        let begun = self.server.connect(START).and_then(|it| Connection::begin(it, START));
        let log = self.server.printed().unwrap_or_default();
        let connection = begun.map_err(|error| {
            let words = log.lines().rfind(|line| !line.starts_with("Mesa"));
            TranslateError::NotStarted(match words {
                Some(words) => format!("{error}: {words}"),
                None => error.to_string(),
            })
        })?;
        match printed::version(&log) {
            // Only the first context of a server says it.
            Some(version) if version != host.version => Err(TranslateError::NoHost {
                host: host.title(),
                why: format!("it is version {}.{}", version / 10, version % 10),
            }),
            _ => Ok(connection),
        }
    }
}

/// The verdict that a log tells.
///
/// # Errors
/// It tells none.
pub fn judge(
    printed: &Printed,
    stage: Stage,
    was_refused: bool,
) -> Result<Translation, TranslateError> {
    let own = printed.compiled.iter().rev().find(|it| it.stage == stage);
    let glsl = own.map(|it| it.glsl.clone());
    if let Some(complaint) = own.and_then(|it| it.complaint.clone()) {
        return Ok(Translation { glsl, verdict: Verdict::Refused(complaint) });
    }
    if was_refused && glsl.is_none() {
        return Ok(Translation { glsl, verdict: Verdict::Untranslated(words(printed)) });
    }
    if let Some(other) = printed.compiled.iter().find(|it| it.complaint.is_some()) {
        let complaint = other.complaint.as_deref().unwrap_or_default();
        let why = format!("its partner in the {} stage is refused: {complaint}", other.stage);
        return Err(TranslateError::NotShown(why));
    }
    if let Some(complaint) = &printed.unlinked {
        return Ok(Translation { glsl, verdict: Verdict::Refused(complaint.clone()) });
    }
    match glsl {
        Some(glsl) => Ok(Translation { glsl: Some(glsl), verdict: Verdict::Accepted }),
        None => Err(TranslateError::NotShown("nothing was printed".to_owned())),
    }
}

/// The renderer's own words about a shader, without what only names the connection.
fn words(printed: &Printed) -> String {
    let told = printed.other.iter().filter(|line| {
        !line.contains("Illegal command buffer") && !line.contains("failed to dispatch")
    });
    told.map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn hash(text: &str, host: &Host) -> u64 {
    let mut hasher = DefaultHasher::new();
    (text, host).hash(&mut hasher);
    hasher.finish()
}
