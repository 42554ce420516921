//! Hosts of virglrenderer: asked about shaders, by its test server on this machine.

use std::path::Path;
use std::sync::Arc;

use engine::{HostAnswer, HostOutcome};
use vrend::{Configuration, Found, Host, TranslateError, Translator};

/// The advice where the server is missing.
const ADVICE: &str = "Install virglrenderer's test server (Debian: virgl-server, \
                      Fedora: virglrenderer-test-server, Arch: virglrenderer), or name it by TUNGSTEN_VREND";

/// The reason why no host can be asked, and what to install: one line.
pub(crate) fn install_advice(found: &[Found]) -> String {
    let why = match found.first() {
        None => "virgl_test_server was not found".to_owned(),
        Some(first) => {
            let why = first.problem.as_deref().unwrap_or("unknown reason");
            format!("No usable virgl_test_server was found ({}: {why})", first.path.display())
        }
    };
    format!("{why}, so no host can be asked for GLSL. {ADVICE}.")
}

/// No server was found; with what to install.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoServer(String);

/// Virglrenderer, ready for shaders.
#[derive(Debug)]
pub(crate) struct Hosts {
    translator: Translator,
}

impl Hosts {
    /// Looks for the server; `worker` is our own executable, `setting` the user's.
    ///
    /// # Errors
    /// There is none, with what to install.
    pub(crate) fn find(worker: &Path, setting: Option<&Path>) -> Result<Hosts, NoServer> {
        let missing = || NoServer(install_advice(&vrend::find(setting)));
        let server = vrend::choose(setting).ok_or_else(missing)?;
        let executable = worker.to_owned();
        Ok(Hosts { translator: Translator::new(Configuration { executable, server }) })
    }

    /// Tries whether this machine's Mesa imitates a host.
    pub(crate) fn try_host(&mut self, host: &Host) -> Result<(), TranslateError> {
        self.translator.try_host(host)
    }

    /// Ends the servers until they are asked again.
    pub(crate) fn rest(&mut self) {
        self.translator.rest();
    }

    /// Asks a host about a shader.
    pub(crate) fn ask(&mut self, text: &Arc<str>, host: &Host) -> HostAnswer {
        let answered = self.translator.translate(text, host).and_then(|translation| {
            let refusals = self.translator.refusals(text, host, &translation)?;
            let glsl = translation.glsl.map(Arc::from);
            Ok(HostOutcome::Answered { glsl, refusals })
        });
        let outcome = answered.unwrap_or_else(|error| HostOutcome::Failed(error.to_string()));
        HostAnswer { text: Arc::clone(text), host: host.to_string().into(), outcome }
    }
}

/// The hosts that a table of all has, by their names.
pub(crate) fn names() -> Vec<String> {
    Host::all().iter().map(Host::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_server_is_told_in_one_line() {
        let advice = install_advice(&[]);
        assert!(advice.starts_with("virgl_test_server was not found") && !advice.contains('\n'));
        assert!(advice.contains("virgl-server"));
        assert!(names().len() >= 10);
    }
}
