//! Settings and the compiler: what they change, and what the user is told.

use std::sync::Arc;

use tower_lsp::ls_types::{MessageType, Uri};

use super::Session;
use super::events::tell_costs_changed;
use crate::configuration::{Configuration, SECTION};
use crate::jobs::{self, LibraryState};
use crate::lsp::mailbox::Event;
use crate::lsp::outbox::{Message, Question, Refresh};
use crate::trust;

impl Session {
    /// Asks the client for its settings.
    pub(super) fn ask_configuration(&mut self) {
        self.configuration_asked = true;
        let folders = self.folders.all.iter().map(|(uri, _)| uri.clone()).collect();
        self.outbox.post(Message::Ask(Question::AskConfiguration(folders)));
    }

    /// Takes the client's settings.
    pub(super) fn configure(&mut self, section: &serde_json::Value) {
        let (configuration, problems) = Configuration::read(section, &self.access);
        for problem in problems {
            self.show(MessageType::WARNING, format!("Tungsten: {problem}"));
        }
        self.section = section.get(SECTION).unwrap_or(section).clone();
        let ignored = trust::unproven(&self.section, &self.env.user);
        // Clients send the same settings again and again.
        if ignored != self.ignored && !ignored.is_empty() {
            let reasons = ignored.join("; ");
            let text = format!(
                "Tungsten: settings were ignored that a workspace may have made: {reasons}."
            );
            self.show(MessageType::WARNING, text);
        }
        self.ignored = ignored;
        self.set_configuration(configuration);
    }

    /// Uses new settings.
    fn set_configuration(&mut self, configuration: Configuration) {
        if configuration == *self.configuration {
            // What equals a default may count against a project no longer.
            self.configure_documents();
            return;
        }
        let switched_on = configuration.compile && !self.configuration.compile;
        let other_cache = configuration.cache != self.configuration.cache;
        self.configuration = Arc::new(configuration);
        if other_cache {
            let folder = self.env.cache.as_deref();
            self.jobs.set_cache(jobs::cache(folder.filter(|_| self.configuration.cache)));
        }
        if switched_on {
            self.search_again();
        }
        self.apply_settings();
    }

    fn search_again(&mut self) {
        self.library.state = LibraryState::Searching;
        self.library.missing_told = false;
        if self.initialized {
            self.search_library();
        }
    }

    /// Gives the engine its settings, and has everything looked at again.
    pub(super) fn apply_settings(&mut self) {
        self.host.set_settings(self.engine_settings(&self.configuration));
        for document in self.documents.values() {
            tell_costs_changed(&self.outbox, document);
        }
        self.configure_documents();
        if self.initialized {
            self.refresh_figures();
        }
    }

    /// The engine's part of a configuration. Whether there is a compiler is the same for all.
    pub(super) fn engine_settings(&self, configuration: &Configuration) -> engine::Settings {
        let missing = matches!(self.library.state, LibraryState::Missing(_));
        // ACO needs no libLLVM, and heeds no more than the user's switch.
        let compiles = |build: &engine::Build| {
            build.compiler == engine::Compiler::Llvm || self.configuration.compile
        };
        engine::Settings {
            targets: configuration.targets.clone(),
            extra_builds: self.extra_builds.iter().copied().filter(compiles).collect(),
            compilers: match self.configuration.compile {
                true => configuration.compilers.clone(),
                false => Vec::new(),
            },
            compile: self.configuration.compile && !missing,
            assembly: configuration.assembly.clone(),
            rules: configuration.rules.clone(),
            environment: configuration.environment,
            run: configuration.run.clone(),
            budgets: configuration.budgets.clone(),
        }
    }

    /// Settles every document anew, those excepted whose project is looked for.
    fn configure_documents(&mut self) {
        let settled = self.documents.values().filter(|document| document.configuration.is_some());
        let settled: Vec<Uri> = settled.map(|document| document.uri.clone()).collect();
        self.configure_each(&settled);
    }

    /// Searches for a libLLVM on a thread of its own: it asks other programs.
    pub(super) fn search_library(&mut self) {
        if !self.configuration.compile {
            return;
        }
        self.library.search += 1;
        let search = self.library.search;
        let setting = self.env.user.llvm.clone();
        let mailbox = self.mailbox.clone();
        let worker = self.env.worker.clone();
        let started = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            let (state, configuration) = jobs::search(setting, &worker);
            mailbox.post(Event::LibrarySearched(search, state, configuration));
        });
        if let Err(error) = started {
            self.library.state = LibraryState::Missing(format!(
                "The search for libLLVM could not be started: {error}."
            ));
        }
    }

    /// A search has ended.
    pub(super) fn library_searched(
        &mut self,
        search: u64,
        state: LibraryState,
        configuration: Option<llvm::Configuration>,
    ) {
        if search != self.library.search {
            return;
        }
        if let LibraryState::Found(found) = &state {
            let path = found.path.display();
            let text = format!("Compiling with LLVM {} ({path}, {})", found.version, found.origin);
            self.outbox.post(Message::Log(MessageType::INFO, text));
        }
        let was_missing = matches!(self.library.state, LibraryState::Missing(_));
        let is_missing = matches!(state, LibraryState::Missing(_));
        self.library.state = state;
        // Who types counts more than who compiles.
        let configuration = configuration
            .map(|it| llvm::Configuration { priority: llvm::Priority::Background, ..it });
        self.jobs.set_compiler(configuration);
        if was_missing != is_missing {
            self.apply_settings();
        }
        self.tell_missing_library();
    }

    /// Says once what to install, unless the client does. Not while it may still name a file.
    pub(super) fn tell_missing_library(&mut self) {
        let by_client = self.client.tells_missing_library;
        if self.configuration_asked || self.library.missing_told || by_client {
            return;
        }
        if let LibraryState::Missing(advice) = &self.library.state {
            let text = format!("Tungsten: {advice}");
            self.library.missing_told = true;
            self.show(MessageType::WARNING, text);
        }
    }

    /// Has a client that pulls do so again.
    pub(super) fn refresh_diagnostics(&self) {
        if self.client.refreshes_diagnostics {
            self.outbox.post(Message::Refresh(Refresh::Diagnostics));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use serde_json::json;
    use tokio::sync::{mpsc as asynchronous, oneshot};

    use super::*;
    use crate::lsp::ServerEnv;
    use crate::lsp::mailbox::Mailbox;
    use crate::lsp::outbox::Outbox;
    use crate::lsp::session;

    #[test]
    fn a_missing_library_is_told_once_and_stands_in_the_status() {
        let (sender, receiver) = mpsc::channel();
        let (messages, mut told) = asynchronous::unbounded_channel();
        let mailbox = Mailbox::new(sender);
        let env = ServerEnv { worker: "tungsten".into(), ..ServerEnv::default() };
        let outbox = Outbox::to(messages);
        session::start(mailbox.clone(), receiver, outbox, env);
        let (reply, _answer) = oneshot::channel();
        // The real search of this machine runs too; whatever it finds and
        // whenever, what is posted here comes last.
        mailbox.post(Event::Initialize(json!({}), reply));
        mailbox.post(Event::Initialized);
        let status = |mailbox: &Mailbox| {
            let (reply, answer) = oneshot::channel();
            mailbox.post(Event::Status(reply));
            answer.blocking_recv().expect("the session lives")
        };
        while status(&mailbox).searching {}
        for _ in 0..2 {
            let missing = LibraryState::Missing("Install something.".to_owned());
            mailbox.post(Event::LibrarySearched(1, missing, None));
        }
        let status = status(&mailbox);
        assert_eq!(status.llvm, None);
        assert_eq!(status.message.as_deref(), Some("Install something."));
        let mut shown = Vec::new();
        while let Ok(message) = told.try_recv() {
            if let Message::Show(kind, text) = message {
                assert_eq!(kind, MessageType::WARNING);
                shown.push(text);
            }
        }
        assert_eq!(shown.len(), 1, "{shown:?}");
        mailbox.post(Event::Exit);
    }
}
