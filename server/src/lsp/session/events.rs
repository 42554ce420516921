//! Effects of each event on the session.

use std::time::Instant;

use engine::Language;
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeResult, MessageType, Registration, TextDocumentIdentifier, Uri,
};

use super::folders::Folders;
use super::pulls::take_back_diagnostics;
use super::{DEBOUNCE, QueuedRequest, Session, TYPING_PAUSE};
use crate::files::Access;
use crate::jobs::LibraryState;
use crate::language;
use crate::lsp::capabilities;
use crate::lsp::client::ClientAbilities;
use crate::lsp::compiled_documents::{has_scheme, is_compiled};
use crate::lsp::documents::Document;
use crate::lsp::extensions::{
    CostsParams, DECODED_SCHEME, PAGE_SCHEME, SCHEME, Status, StatusLibrary, TEXT_DOCUMENT_CONTENT,
    VIEW_SCHEME,
};
use crate::lsp::mailbox::Event;
use crate::lsp::outbox::{Message, Outbox, Question, Refresh};
use crate::lsp::requests::Request;

/// The method by which a client tells of files that changed on the disk.
const WATCHED_FILES: &str = "workspace/didChangeWatchedFiles";

impl Session {
    /// Takes one event.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize(params, reply) => {
                let answer = self.initialize(&params);
                let _ = reply.send(answer);
            }
            Event::Initialized => self.initialized(),
            Event::DidOpen(params) => self.open(params),
            Event::DidChange(params) => self.change(&params),
            Event::DidClose(params) => self.close(&params),
            Event::DidChangeConfiguration(settings) => {
                if self.client.configuration {
                    self.ask_configuration();
                } else if !settings.is_null() {
                    self.configure(&settings);
                    self.folders_configured();
                    self.scope_configured();
                }
            }
            Event::Configuration(section, of_folders) => {
                self.configuration_asked = false;
                self.folders.set_sections(of_folders);
                if let Some(section) = section.filter(|section| !section.is_null()) {
                    self.configure(&section);
                }
                self.folders_configured();
                self.scope_configured();
                self.tell_missing_library();
            }
            Event::Request(request) => self.accept(request),
            Event::BuildAsked(build) => {
                let known = self.configuration.builds();
                if !known.contains(&build) && !self.extra_builds.contains(&build) {
                    self.extra_builds.push(build);
                    self.apply_settings();
                }
            }
            Event::AnswerCut(uri, most, what) => self.answer_cut(&uri, most, what),
            Event::Status(reply) => {
                let _ = reply.send(self.status());
            }
            Event::AccessAsked(reply) => {
                // Who has opened no folder has opened files one by one.
                let access = match self.folders.all.is_empty() {
                    true => Access::Anywhere,
                    false => self.access.clone(),
                };
                let _ = reply.send(access);
            }
            Event::CompilerAsked(reply) => {
                let found = match &self.library.state {
                    LibraryState::Found(found) => Some(found.version.clone()),
                    _ => None,
                };
                let _ = reply.send(self.jobs.configuration().zip(found));
            }
            Event::TaskFinished(done) => self.task_finished(done),
            Event::DiagnosticsPulled(uri, identity, version) => {
                // Of a file that is not open, reports about the workspace tell.
                let document = self.documents.get_mut(&uri).filter(|it| it.is_open());
                if let Some(document) = document {
                    // Compile results may have changed them since the snapshot.
                    document.diagnostics.want();
                    document.client_has = Some((identity, version));
                }
            }
            Event::ViewShown(key, signature) => {
                if let Some(document) = self.documents.get_mut(&key.source) {
                    // It may have changed since the snapshot that was shown.
                    document.views.want();
                    if key.is_of_hosts() {
                        document.wanted_jobs.want();
                    }
                    self.views.shown(key, signature);
                }
            }
            Event::BaselinePinned(file, compiled, kept) => {
                self.host.pin_baseline(file, &compiled, kept);
                for document in self.documents.values_mut().filter(|it| it.file == file) {
                    document.views.want();
                }
            }
            Event::CostsAsked(uri) => {
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.costs_asked = true;
                }
            }
            Event::IncludesRead(file, found, age) => self.includes_read(file, found, age),
            Event::IncludesLookedFor => {
                self.looks_for_includes = self.looks_for_includes.saturating_sub(1);
            }
            Event::IncluderFound(file, found, age) => self.includer_found(file, *found, age),
            Event::StagesRead(uri, found, age) => self.stages_read(&uri, &found, age),
            Event::ProjectsRead(read, age) => self.projects_read(read, age),
            Event::FilesChanged(paths) => self.changed.extend(paths),
            Event::FoldersRead(reading) => self.folders_read(reading),
            Event::FoldersNamed { added, removed } => self.change_folders(added, &removed),
            Event::DiagnosticsAsked(pull) => self.accept_pull(pull),
            Event::LibrarySearched(search, state, configuration) => {
                self.library_searched(search, state, configuration);
            }
            Event::TraceSet(trace) => self.trace = trace,
            Event::SearchAsked => {
                self.library.missing_told = false;
                self.search_library();
            }
            Event::JobsFinished => self.jobs_finished(),
            Event::HostAnswered(file, answer) => self.host_answered(file, answer),
            Event::ProgressCreated(answer) => self.progress.created(answer, &self.outbox),
            Event::Shutdown(reply) => {
                self.end_pulls();
                self.outbox.post(Message::Goodbye(reply));
            }
            Event::Exit => {}
        }
    }

    fn initialize(&mut self, params: &serde_json::Value) -> InitializeResult {
        self.client = ClientAbilities::read(params);
        self.folders = Folders::named(params);
        self.settle_access();
        let trace = params.get("trace").cloned().unwrap_or_default();
        self.trace = serde_json::from_value(trace).unwrap_or_default();
        let options = params.get("initializationOptions");
        if let Some(options) = options.filter(|options| !options.is_null()) {
            self.configure(options);
        }
        capabilities::answer(&self.client)
    }

    fn initialized(&mut self) {
        self.initialized = true;
        let mut registrations = Vec::new();
        if self.client.text_document_content {
            registrations.push(Registration {
                id: TEXT_DOCUMENT_CONTENT.to_owned(),
                method: TEXT_DOCUMENT_CONTENT.to_owned(),
                register_options: Some(
                    serde_json::json!({ "schemes": [SCHEME, VIEW_SCHEME, DECODED_SCHEME, PAGE_SCHEME] }),
                ),
            });
        }
        if self.client.registers_watched_files {
            registrations.push(Registration {
                id: WATCHED_FILES.to_owned(),
                method: WATCHED_FILES.to_owned(),
                register_options: Some(serde_json::json!({
                    "watchers": [
                        { "globPattern": "**/*.{inc,s,S,asm,h,i,mac,macros,isa,gcn,tgsi}" },
                        // The project's file, and inputs that shaders are run on.
                        { "globPattern": "**/*.toml" },
                        // What they leave out of the folders.
                        { "globPattern": "**/.{gitignore,ignore}" },
                    ]
                })),
            });
        }
        if self.client.registers_configuration {
            registrations.push(Registration {
                id: "workspace/didChangeConfiguration".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(serde_json::json!({ "section": "tungsten" })),
            });
        }
        if !registrations.is_empty() {
            self.outbox.post(Message::Ask(Question::Register(registrations)));
        }
        if self.client.configuration {
            self.ask_configuration();
        }
        self.scope_configured();
        self.search_library();
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        if has_scheme(&item.uri, VIEW_SCHEME) {
            return; // A view of ours, of no language of ours.
        }
        let language = if is_compiled(&item.uri) {
            // The client shows us our own words: they are explained, not judged.
            Language::Gcn
        } else {
            language::of_document(&item.language_id, item.uri.path().as_str(), &item.text)
        };
        let is_said = is_compiled(&item.uri) || language::of_id(&item.language_id).is_some();
        let is_foreign = || language::is_foreign(item.uri.path().as_str(), &item.text);
        if language == Language::Gcn && !is_said && is_foreign() {
            return;
        }
        // The engine's number is known at once, though the text is sent later.
        let file = self.host.set_file(item.uri.as_str(), item.text.as_str().into(), language);
        let document = Document::opened(&item, file, language);
        let uri = item.uri;
        self.forget_other_spelling(&uri);
        self.documents.insert(uri.clone(), document);
        self.tell_pulls_new(&uri);
        self.settle(&uri);
        self.included_changed(file);
        self.stage_changed(file);
    }

    fn change(&mut self, params: &DidChangeTextDocumentParams) {
        let document = self.documents.get_mut(&params.text_document.uri);
        let Some(document) = document.filter(|document| document.is_open()) else { return };
        for change in &params.content_changes {
            document.apply(change, self.client.column_unit);
        }
        document.version = params.text_document.version;
        document.unsent = true;
        // A client that pulls does so by itself after an edit.
        if !self.client.pulls_diagnostics {
            document.diagnostics.want();
        }
        document.workspace_check.want();
        document.views.want();
        document.wanted_jobs.want();
        document.want_costs();
        document.assembly.want();
        let (file, assembly) = (document.file, document.language == Language::Gcn);
        let now = Instant::now();
        document.compile_after = now + DEBOUNCE;
        document.typing_ends = Some(now + TYPING_PAUSE);
        match assembly {
            true => self.included_changed(file),
            false => self.stage_changed(file),
        }
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        let Some(document) = self.documents.get(uri).filter(|it| it.is_open()) else { return };
        let (file, version) = (document.file, document.version);
        let was_told = document.client_has.is_some();
        self.views.forget(uri);
        self.tokens.forget(uri);
        self.jobs.want(file, Vec::new());
        if !self.keep_closed(uri) {
            self.forget_document(uri);
        }
        if !self.client.pulls_diagnostics && was_told {
            self.outbox.post(Message::Diagnostics(uri.clone(), Vec::new(), Some(version)));
        }
    }

    /// Forgets a document, and what was brought for it alone.
    pub(super) fn forget_document(&mut self, uri: &Uri) {
        self.forget_document_alone(uri);
        self.forget_project(uri);
    }

    /// The same, but for its project.
    pub(super) fn forget_document_alone(&mut self, uri: &Uri) {
        if let Some(document) = self.documents.get_mut(uri) {
            take_back_diagnostics(&self.outbox, document);
        }
        let Some(document) = self.documents.remove(uri) else { return };
        self.read_stages_again(document.file);
        self.forget_assembly(document.file);
        self.tell_pulls_gone(uri);
    }

    /// Puts a request where the next free worker takes it.
    fn accept(&mut self, mut request: Box<dyn Request>) {
        if request.reads_other_files() {
            self.want_folders();
        }
        let version = self.document_of(&*request).map(|document| document.version);
        match version.or_else(|| self.waits_for_folders(&*request).then_some(0)) {
            Some(version) => self.requests.push_back(QueuedRequest { request, version }),
            None => request.answer_nothing(),
        }
        self.schedule();
    }

    /// Takes compile results, and has everything that shows them looked at again.
    fn jobs_finished(&mut self) {
        let finished = self.jobs.take_finished();
        for notice in finished.notices {
            let text = format!("Tungsten: {notice}");
            if self.library.failure_told {
                self.outbox.post(Message::Log(MessageType::ERROR, text));
            } else {
                self.library.failure_told = true;
                self.show(MessageType::ERROR, text);
            }
        }
        if finished.results.is_empty() {
            return;
        }
        self.flush();
        let open: Vec<Uri> = self.documents.keys().cloned().collect();
        let changed =
            |document: &Document| finished.results.iter().any(|(job, _)| job.file == document.file);
        for uri in open {
            if let Some(document) = self.documents.get_mut(&uri).filter(|open| changed(open)) {
                document.want_diagnostics();
                document.views.want();
                tell_costs_changed(&self.outbox, document);
            }
        }
        self.host.finish_jobs(finished.results);
        self.refresh_figures();
    }

    /// Hints and lenses show figures of the compile.
    pub(super) fn refresh_figures(&self) {
        if self.client.refreshes_hints {
            self.outbox.post(Message::Refresh(Refresh::InlayHints));
        }
        if self.client.refreshes_lenses {
            self.outbox.post(Message::Refresh(Refresh::CodeLenses));
        }
    }

    /// Tells a client that follows the status what is another now.
    pub(super) fn tell_status(&mut self) {
        if !self.client.follows_status || !self.initialized {
            return;
        }
        let status = self.status();
        if self.told_status.as_ref() != Some(&status) {
            self.outbox.post(Message::StatusChanged(Box::new(status.clone())));
            self.told_status = Some(status);
        }
    }

    fn status(&self) -> Status {
        let (llvm, message) = match &self.library.state {
            LibraryState::Searching => (None, None),
            LibraryState::Missing(why) => (None, Some(why.clone())),
            LibraryState::Found(found) => {
                let library = StatusLibrary {
                    path: found.path.display().to_string(),
                    version: found.version.clone(),
                    origin: found.origin.to_owned(),
                };
                (Some(library), self.jobs.trouble())
            }
        };
        Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            llvm,
            searching: self.configuration.compile
                && matches!(self.library.state, LibraryState::Searching),
            targets: self.configuration.targets.iter().map(|it| it.name().to_owned()).collect(),
            ignored: self.ignored.clone(),
            compiling: self.jobs.unfinished(),
            message: if self.configuration.compile {
                message
            } else {
                Some("Compiling is switched off in the settings.".to_owned())
            },
            assembly: self.status_of_assembly(),
            shaders: self.status_of_shaders(),
        }
    }
}

/// Tells a client that asked what a document costs that it costs something else now,
/// where no edit tells it so.
pub(super) fn tell_costs_changed(outbox: &Outbox, document: &Document) {
    if document.costs_asked {
        let text_document = TextDocumentIdentifier { uri: document.uri.clone() };
        outbox.post(Message::CostsChanged(CostsParams { text_document }));
    }
}
