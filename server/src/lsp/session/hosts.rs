//! Questions to hosts about documents: by the setting `host` and by views of GLSL.

use engine::{FileId, HostAnswer};
use tower_lsp::ls_types::Uri;
use vrend::Host;

use super::Session;
use crate::lsp::asking::Question;
use crate::lsp::compiled_documents::ViewKey;
use engine::ide::ViewKind;

/// Shaders of a file that hosts are asked about at a time.
const MOST_SHADERS: usize = 64;

/// A shader of a file, by its number, and its text.
pub(super) type Askable = (usize, std::sync::Arc<str>);

impl Session {
    /// Asks hosts what is not known yet of the shaders of a document.
    pub(super) fn ask_hosts(&mut self, uri: &Uri, file: FileId, shaders: &[Askable]) {
        let Some(document) = self.documents.get(uri) else { return };
        let configuration = document.configuration.as_ref().unwrap_or(&self.configuration);
        let chosen = configuration.rules.host.as_deref().and_then(|it| it.parse::<Host>().ok());
        let chosen = chosen.filter(|_| document.is_open());
        let views = self.views.of(uri);
        let mut wanted = Vec::new();
        for (place, text) in shaders.iter().take(MOST_SHADERS) {
            let shown = views.iter().filter(|it| it.shader == *place).flat_map(hosts_of);
            for host in chosen.iter().cloned().chain(shown) {
                let question = Question { text: text.clone(), host };
                if !wanted.contains(&question) {
                    wanted.push(question);
                }
            }
        }
        // Answers about texts that are gone are forgotten.
        let mut answers = self.host.host_answers(file).to_vec();
        answers.retain(|it| shaders.iter().any(|(_, text)| *text == it.text));
        self.host.set_host_answers(file, answers.clone());
        wanted.retain(|it| {
            let host = it.host.to_string();
            !answers.iter().any(|known| *known.host == *host && known.text == it.text)
        });
        self.asker.want(file, wanted);
    }

    /// A host has answered.
    pub(super) fn host_answered(&mut self, file: FileId, answer: HostAnswer) {
        self.flush();
        let mut answers = self.host.host_answers(file).to_vec();
        answers.retain(|it| it.host != answer.host || it.text != answer.text);
        answers.push(answer);
        self.host.set_host_answers(file, answers);
        let documents = self.documents.values_mut().filter(|document| document.file == file);
        for document in documents {
            document.want_diagnostics();
            document.views.want();
        }
    }
}

/// The hosts that a view shows.
fn hosts_of(key: &ViewKey) -> Vec<Host> {
    match (key.view, &key.host) {
        (ViewKind::Hosts, _) => Host::all(),
        (ViewKind::Glsl, Some(host)) => vec![host.clone()],
        _ => Vec::new(),
    }
}
