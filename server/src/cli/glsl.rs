//! `tungsten compile --emit glsl`: the GLSL that virglrenderer makes of a file's shaders.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use engine::{FileId, HostAnswer, HostOutcome};
use serde::Serialize;
use vrend::Host;

use super::compiler::own_executable;
use super::files::SourceFile;
use super::output::Output;
use super::settings::user;
use super::{Status, Stop, check, complain, failed};
use crate::hosts::Hosts;

/// Virglrenderer for all files of a run: looked for once, when it is asked first.
#[derive(Debug, Default)]
pub(super) struct Renderer(OnceCell<Option<RefCell<Hosts>>>);

impl Renderer {
    /// Asks hosts about every shader of a file, in order; `None` where there is no renderer,
    /// which is complained of once.
    pub(super) fn ask(
        &self,
        shaders: &[(usize, Arc<str>)],
        hosts: &[Host],
    ) -> Option<Vec<(usize, HostAnswer)>> {
        let renderer = self.0.get_or_init(|| {
            let setting = user().trust.vrend.as_deref();
            let found = Hosts::find(&own_executable(), setting);
            found.inspect_err(|advice| complain(advice)).ok().map(RefCell::new)
        });
        let mut renderer = renderer.as_ref()?.borrow_mut();
        let mut answers = Vec::new();
        // Host by host: few servers live at a time.
        for host in hosts {
            let asked = shaders.iter().map(|(place, text)| (*place, renderer.ask(text, host)));
            answers.extend(asked);
        }
        answers.sort_by_key(|(place, _)| *place);
        Some(answers)
    }
}

/// Reads the names of hosts; complains of those that are none.
pub(super) fn read_hosts(names: &[String]) -> Result<Vec<Host>, Stop> {
    let mut hosts = Vec::new();
    for name in names {
        match name.parse::<Host>() {
            Ok(host) if hosts.contains(&host) => {}
            Ok(host) => hosts.push(host),
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(hosts)
}

/// A host's answer, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    file: &'a str,
    shader: usize,
    host: &'a str,
    /// `ok`, `refused`, `failed` or `no-vrend`.
    status: &'static str,
    message: Option<&'a str>,
    glsl: Option<&'a str>,
    refusals: Vec<RefusalObject>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RefusalObject {
    /// The line of the statement in the file.
    line: Option<u32>,
    /// The line of GLSL.
    glsl_line: Option<u32>,
    message: String,
    /// The version or extension that the host would need.
    needs: Option<String>,
}

/// A file that hosts were asked about.
pub(super) struct Asked<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) host: &'a mut engine::Host,
    pub(super) id: FileId,
}

impl Asked<'_> {
    /// Prints the GLSL of each shader for each host, and complains of what is refused.
    pub(super) fn print(
        &mut self,
        renderer: &Renderer,
        hosts: &[Host],
        output: &mut Output,
    ) -> Result<Status, Stop> {
        let Some(answers) = renderer.ask(&self.askable()?, hosts) else {
            return Ok(Status::Failed);
        };
        let mut status = Status::Good;
        for (place, answer) in answers {
            status = status.max(self.complain_of(&answer)?);
            self.host.set_host_answers(self.id, vec![answer.clone()]);
            let view = self.host.snapshot().glsl_view(self.id, place, &answer.host)?;
            if let Some(view) = view {
                output.document(&view.text)?;
            }
        }
        Ok(status)
    }

    /// Prints the same for programs.
    pub(super) fn print_json(
        &mut self,
        renderer: &Renderer,
        hosts: &[Host],
        output: &mut Output,
    ) -> Result<Status, Stop> {
        let shaders = self.askable()?;
        let Some(answers) = renderer.ask(&shaders, hosts) else {
            for (shader, _) in shaders {
                for host in hosts {
                    let host = host.to_string();
                    output.json(&Object {
                        file: &self.file.name,
                        shader,
                        host: &host,
                        status: "no-vrend",
                        message: None,
                        glsl: None,
                        refusals: Vec::new(),
                    })?;
                }
            }
            return Ok(Status::Bad);
        };
        let mut status = Status::Good;
        for (shader, answer) in &answers {
            let lines = self.host.snapshot().statement_ranges(self.id, *shader)?;
            let line = |statement: Option<usize>| {
                let range = *lines.get(statement?)?;
                Some(self.file.line(range.start()))
            };
            let (word, message, glsl, refusals) = match &answer.outcome {
                HostOutcome::Failed(why) => ("failed", Some(why.as_str()), None, &[][..]),
                HostOutcome::Answered { glsl, refusals } => {
                    let word = if refusals.is_empty() { "ok" } else { "refused" };
                    (word, None, glsl.as_deref(), refusals.as_slice())
                }
            };
            if word != "ok" {
                status = Status::Bad;
            }
            let is_es = answer.host.starts_with("gles");
            let refusals = refusals.iter().map(|it| RefusalObject {
                line: line(it.statement),
                glsl_line: it.line,
                message: it.message.clone(),
                needs: it.need.map(|need| need.sentence(is_es)),
            });
            output.json(&Object {
                file: &self.file.name,
                shader: *shader,
                host: &answer.host,
                status: word,
                message,
                glsl,
                refusals: refusals.collect(),
            })?;
        }
        Ok(status)
    }

    /// Prints the verdict of each host about each shader.
    pub(super) fn print_table(
        &mut self,
        renderer: &Renderer,
        hosts: &[Host],
        output: &mut Output,
    ) -> Result<Status, Stop> {
        let shaders = self.askable()?;
        let Some(answers) = renderer.ask(&shaders, hosts) else { return Ok(Status::Failed) };
        let is_bad = answers.iter().any(|(_, answer)| {
            !matches!(&answer.outcome, HostOutcome::Answered { refusals, .. } if refusals.is_empty())
        });
        let answers = answers.into_iter().map(|(_, answer)| answer).collect();
        self.host.set_host_answers(self.id, answers);
        let names: Vec<String> = hosts.iter().map(Host::to_string).collect();
        for (place, _) in shaders {
            if let Some(view) = self.host.snapshot().hosts_view(self.id, place, &names)? {
                output.document(&view.text)?;
            }
        }
        Ok(if is_bad { Status::Bad } else { Status::Good })
    }

    fn askable(&self) -> Result<Vec<(usize, Arc<str>)>, Stop> {
        let shaders = self.host.snapshot().askable(self.id)?;
        if shaders.is_empty() {
            let name = &self.file.name;
            return Err(failed(format_args!(
                "{name}: no shader was found that a host can be asked about"
            )));
        }
        Ok(shaders)
    }

    /// Shows what a host refuses, with its lines.
    fn complain_of(&mut self, answer: &HostAnswer) -> Result<Status, Stop> {
        if let HostOutcome::Failed(why) = &answer.outcome {
            complain(format_args!("{}: {why}", self.file.name));
            return Ok(Status::Bad);
        }
        let mut settings = self.host.settings();
        settings.rules.host = Some(Arc::clone(&answer.host));
        self.host.set_settings(settings);
        self.host.set_host_answers(self.id, vec![answer.clone()]);
        let mut found = self.host.snapshot().diagnostics(self.id)?;
        found.retain(|it| it.code.0 == "host::refuses");
        if let Err(error) = check::complain_of(self.file, &found) {
            complain(format_args!("the refusals could not be shown: {error}"));
        }
        Ok(if found.is_empty() { Status::Good } else { Status::Bad })
    }
}
