//! The transport's handlers. Each posts what it got before it waits for
//! anything: the order of the mailbox is the order of the wire.

use std::pin::Pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use engine::ide::MOST_COLUMNS;
use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tower_lsp::jsonrpc::{Error, Request as RawRequest, Response as RawResponse, Result};
use tower_lsp::ls_types::request::GotoDeclarationParams;
use tower_lsp::ls_types::{
    CallHierarchyIncomingCallsParams, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CodeAction, CodeActionParams, CodeLens, CodeLensParams, CompletionItem, CompletionParams,
    CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentDiagnosticParams,
    DocumentFormattingParams, DocumentHighlightParams, DocumentLinkParams,
    DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    ExecuteCommandParams, FoldingRangeParams, GotoDefinitionParams, HoverParams, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, LSPAny,
    LinkedEditingRangeParams, ReferenceParams, RenameFilesParams, RenameParams,
    SelectionRangeParams, SemanticTokensDeltaParams, SemanticTokensParams,
    SemanticTokensRangeParams, SetTraceParams, SignatureHelpParams, TextDocumentPositionParams,
    Uri, WorkDoneProgressCancelParams, WorkspaceDiagnosticParams, WorkspaceDiagnosticReportResult,
    WorkspaceFolder, WorkspaceSymbolParams,
};
use tower_lsp::{Client, LanguageServer};
use tower_service::Service;

use super::advising::Advisor;
use super::compiled_documents::{ViewKey, has_scheme};
use super::extensions::{
    AdviseParams, CodeSelection, CompareParams, Comparison, CompiledCode, CompiledCodeParams,
    CostsParams, DECODED_SCHEME, EXPLAIN, ExpandMacroParams, FoundAdvice, LIST_CODE_OBJECTS,
    PAGE_SCHEME, PinBaselineParams, SEARCH_COMPILER, Status, TextDocumentContentParams,
    TextDocumentContentResult, UnpinBaselineParams,
};
use super::mailbox::{Event, Mailbox};
use super::page_documents;
use super::parts;
use super::requests::{DocumentRequest, PendingRequest, completion};
use super::session::{Pull, path_of};
use super::wire::Marks;
use super::{decoded_documents, frames, parent};
use crate::pages;

/// Posts every message to the session.
pub(crate) struct Transport {
    /// For the parts of long answers; all else goes by the session's outbox.
    client: Client,
    mailbox: Mailbox,
    raw: Arc<Raw>,
    shut_down: Arc<AtomicBool>,
    marks: Marks,
    advisor: Advisor,
}

/// For each row a handler that has a worker answer.
macro_rules! ask {
    ($($visibility:vis $name:ident($parameters:ty);)*) => {$(
        $visibility async fn $name(
            &self,
            params: $parameters,
        ) -> Result<<$parameters as DocumentRequest>::Answer> {
            self.ask(params).await
        }
    )*};
}

/// The same of answers that may come in parts.
macro_rules! ask_in_parts {
    ($($name:ident($parameters:ty);)*) => {$(
        async fn $name(
            &self,
            params: $parameters,
        ) -> Result<<$parameters as DocumentRequest>::Answer> {
            let token = params.partial_result_params.partial_result_token.clone();
            let mut answer = self.ask(params).await?;
            parts::send(&self.client, &self.marks, token, &mut answer).await;
            Ok(answer)
        }
    )*};
}

/// The same of items that stay as they are where there is nothing to resolve.
macro_rules! resolve {
    ($($name:ident($item:ty);)*) => {$(
        async fn $name(&self, item: $item) -> Result<$item> {
            Ok(self.ask(item.clone()).await?.unwrap_or(item))
        }
    )*};
}

impl Transport {
    /// A transport to the session behind `mailbox`.
    pub(crate) fn new(
        client: Client,
        mailbox: Mailbox,
        raw: Arc<Raw>,
        shut_down: Arc<AtomicBool>,
        marks: Marks,
    ) -> Transport {
        Transport { client, mailbox, raw, shut_down, marks, advisor: Advisor::default() }
    }

    /// Posts a request that a worker answers, and waits for the answer.
    /// Cancelling drops the wait, which ends the work.
    async fn ask<R: DocumentRequest>(&self, params: R) -> Result<R::Answer> {
        let (reply, answer) = oneshot::channel();
        let asked = PendingRequest::new(params, reply);
        // Dropped behind `answer`, which says first that nobody waits.
        let _cancel_on_drop = asked.cancel_on_drop();
        let answer = answer;
        self.mailbox.post(Event::Request(Box::new(asked)));
        answer.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    /// Posts a question that the session answers by itself, and waits for the answer.
    async fn ask_session<T>(&self, event: impl FnOnce(oneshot::Sender<T>) -> Event) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.post(event(reply));
        answer.await.map_err(|_| Error::internal_error())
    }

    /// The request `tungsten/advise`.
    pub(crate) async fn advise(&self, params: AdviseParams) -> Result<Option<FoundAdvice>> {
        let token = params.work_done_progress_params.work_done_token.clone();
        let Some(wanted) = self.ask(params).await? else { return Ok(None) };
        let compiler = self.ask_session(Event::CompilerAsked).await?;
        let found = self.advisor.advise(wanted, compiler, &self.client, token).await;
        // The end of progress, if some was told.
        self.marks.passed(&self.client).await;
        found.map(Some)
    }

    /// The notification `window/workDoneProgress/cancel`.
    pub(crate) async fn progress_cancelled(&self, params: WorkDoneProgressCancelParams) {
        self.advisor.cancel(&params.token);
    }

    /// The request `tungsten/compiledCode`.
    pub(crate) async fn compiled_code(
        &self,
        params: CompiledCodeParams,
    ) -> Result<Option<CompiledCode>> {
        if params.view.unwrap_or_default().is_compiled() {
            self.want_targets(&params.selection, params.beside.as_deref());
        }
        self.ask(params).await
    }

    /// The request `tungsten/compare`.
    pub(crate) async fn compare(&self, params: CompareParams) -> Result<Option<Comparison>> {
        self.want_targets(&params.selection, params.beside.as_deref());
        self.ask(params).await
    }

    /// Has the targets of a request compiled for; unknown ones are refused with it.
    fn want_targets(&self, selection: &CodeSelection, beside: Option<&[String]>) {
        let names = selection.target.iter().chain(beside.unwrap_or_default());
        for build in names.filter_map(|name| engine::Build::find(name)).take(MOST_COLUMNS) {
            self.mailbox.post(Event::BuildAsked(build));
        }
    }

    /// The request `workspace/textDocumentContent`.
    pub(crate) async fn text_document_content(
        &self,
        params: TextDocumentContentParams,
    ) -> Result<TextDocumentContentResult> {
        // Of a file and no document: the session has nothing to say to it.
        if has_scheme(&params.uri, DECODED_SCHEME) {
            let access = self.ask_session(Event::AccessAsked).await?;
            return decoded_documents::content(&params.uri, access).await;
        }
        if has_scheme(&params.uri, PAGE_SCHEME) {
            return page_documents::content(&params.uri);
        }
        // An editor may restore a view of a target that the settings lack.
        if let Some(key) = ViewKey::parse(&params.uri).filter(|key| key.view.is_compiled()) {
            for build in key.builds().into_iter().take(MOST_COLUMNS) {
                self.mailbox.post(Event::BuildAsked(build));
            }
        }
        self.ask(params).await
    }

    ask! {
        pub(crate) costs(CostsParams);
        pub(crate) expand_macro(ExpandMacroParams);
        pub(crate) pin_baseline(PinBaselineParams);
        pub(crate) unpin_baseline(UnpinBaselineParams);
    }

    /// Files or folders were changed by the client itself.
    fn files_changed<'a>(&self, uris: impl Iterator<Item = &'a String>) {
        let paths = uris.filter_map(|uri| path_of(&Uri::from_str(uri).ok()?));
        self.mailbox.post(Event::FilesChanged(paths.collect()));
    }

    /// The notification `$/setTrace`.
    pub(crate) async fn set_trace(&self, params: SetTraceParams) {
        self.mailbox.post(Event::TraceSet(params.value));
    }

    /// The request `tungsten/status`.
    pub(crate) async fn status(&self) -> Result<Status> {
        self.ask_session(Event::Status).await
    }
}

impl LanguageServer for Transport {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        self.ask_session(|reply| Event::Initialize(self.raw.take(), reply)).await
    }

    async fn initialized(&self, _: InitializedParams) {
        self.mailbox.post(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.post(Event::Shutdown(reply));
        self.shut_down.store(true, Ordering::SeqCst);
        answer.await.map_err(|_| Error::internal_error())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.mailbox.post(Event::DidOpen(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.mailbox.post(Event::DidChange(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.mailbox.post(Event::DidClose(params));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.mailbox.post(Event::DidChangeConfiguration(params.settings));
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        match params.command.as_str() {
            SEARCH_COMPILER => {
                self.mailbox.post(Event::SearchAsked);
                Ok(None)
            }
            EXPLAIN => {
                let Some(name) = params.arguments.first().and_then(Value::as_str) else {
                    return Err(Error::invalid_params("the name to explain is missing"));
                };
                let pages = pages::of(name);
                Ok((!pages.is_empty()).then(|| Value::from(pages.join("\n\n---\n\n"))))
            }
            LIST_CODE_OBJECTS => {
                let Some(uri) = params.arguments.first().and_then(Value::as_str) else {
                    return Err(Error::invalid_params("the URI of the file is missing"));
                };
                let access = self.ask_session(Event::AccessAsked).await?;
                decoded_documents::code_objects(uri, access).await.map(Some)
            }
            other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
        }
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        self.files_changed(params.files.iter().map(|file| &file.uri));
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        self.files_changed(params.files.iter().flat_map(|file| [&file.old_uri, &file.new_uri]));
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        self.files_changed(params.files.iter().map(|file| &file.uri));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let paths = params.changes.iter().filter_map(|change| path_of(&change.uri));
        self.mailbox.post(Event::FilesChanged(paths.collect()));
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        self.ask_session(|reply| Event::DiagnosticsAsked(Pull::new(params, reply))).await?
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let uris = |folders: Vec<WorkspaceFolder>| folders.into_iter().map(|it| it.uri).collect();
        let (added, removed) = (uris(params.event.added), uris(params.event.removed));
        self.mailbox.post(Event::FoldersNamed { added, removed });
    }

    // Of no document and no text: there is nothing to wait for.
    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        Ok(completion::resolved(item))
    }

    ask! {
        prepare_call_hierarchy(CallHierarchyPrepareParams);
        linked_editing_range(LinkedEditingRangeParams);
        diagnostic(DocumentDiagnosticParams);
        hover(HoverParams);
        completion(CompletionParams);
        signature_help(SignatureHelpParams);
        goto_definition(GotoDefinitionParams);
        goto_declaration(GotoDeclarationParams);
        prepare_rename(TextDocumentPositionParams);
        rename(RenameParams);
        semantic_tokens_full(SemanticTokensParams);
        semantic_tokens_full_delta(SemanticTokensDeltaParams);
        semantic_tokens_range(SemanticTokensRangeParams);
        inlay_hint(InlayHintParams);
        will_rename_files(RenameFilesParams);
        formatting(DocumentFormattingParams);
        range_formatting(DocumentRangeFormattingParams);
        on_type_formatting(DocumentOnTypeFormattingParams);
    }

    resolve! {
        inlay_hint_resolve(InlayHint);
        code_action_resolve(CodeAction);
        code_lens_resolve(CodeLens);
    }

    ask_in_parts! {
        incoming_calls(CallHierarchyIncomingCallsParams);
        outgoing_calls(CallHierarchyOutgoingCallsParams);
        document_link(DocumentLinkParams);
        references(ReferenceParams);
        document_highlight(DocumentHighlightParams);
        folding_range(FoldingRangeParams);
        selection_range(SelectionRangeParams);
        document_symbol(DocumentSymbolParams);
        symbol(WorkspaceSymbolParams);
        code_action(CodeActionParams);
        code_lens(CodeLensParams);
    }
}

/// The parameters of `initialize` as they came: the typed ones lack what newer
/// clients say of themselves.
#[derive(Default)]
pub(crate) struct Raw(Mutex<Value>);

impl Raw {
    fn take(&self) -> Value {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A service that keeps the parameters of `initialize` on their way to another, watches the
/// process that they name, and answers in the other's place what stands for broken messages.
pub(crate) struct Recorder<S> {
    inner: S,
    raw: Arc<Raw>,
    /// Told once the client's process is gone; taken by the first who names it.
    parent_gone: Option<Arc<Notify>>,
}

impl<S> Recorder<S> {
    /// Records what goes to `inner`.
    pub(crate) fn new(inner: S, raw: Arc<Raw>, parent_gone: Arc<Notify>) -> Recorder<S> {
        Recorder { inner, raw, parent_gone: Some(parent_gone) }
    }
}

impl<S> Service<RawRequest> for Recorder<S>
where
    S: Service<RawRequest, Response = Option<RawResponse>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: RawRequest) -> Self::Future {
        if request.method() == "initialize"
            && let Some(params) = request.params()
        {
            if let Some(gone) = self.parent_gone.take() {
                parent::watch(params, gone);
            }
            *self.raw.0.lock().unwrap_or_else(PoisonError::into_inner) = params.clone();
        }
        if request.method() == frames::BROKEN {
            let answer = refusal(request);
            return Box::pin(async move { Ok(Some(answer)) });
        }
        Box::pin(self.inner.call(request))
    }
}

/// The answer to a broken message, which the request in its place describes.
fn refusal(request: RawRequest) -> RawResponse {
    let (_, id, error) = request.into_parts();
    let error = error.and_then(|error| serde_json::from_value(error).ok());
    RawResponse::from_error(id.unwrap_or_default(), error.unwrap_or_else(Error::invalid_request))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use serde_json::json;
    use tower_lsp::LspService;
    use tower_lsp::jsonrpc::ErrorCode;

    use super::*;

    /// Lets tasks go as far as they can on the one thread.
    async fn settle() {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_cancelled_request_is_answered_and_its_worker_sees_it() {
        let (sender, mail) = mpsc::channel();
        let mailbox = Mailbox::new(sender);
        let (mut service, _socket) = LspService::build(|client| {
            Transport::new(
                client,
                mailbox,
                Arc::new(Raw::default()),
                Arc::new(AtomicBool::new(false)),
                Marks::default(),
            )
        })
        .finish();
        let initialize =
            RawRequest::build("initialize").params(json!({"capabilities": {}})).id(0).finish();
        let initialize = tokio::spawn(service.call(initialize));
        settle().await;
        let Ok(Event::Initialize(_, reply)) = mail.try_recv() else { panic!("not posted") };
        reply.send(InitializeResult::default()).expect("somebody waits");
        assert!(initialize.await.expect("no panic").expect("alive").is_some());

        let position = json!({"line": 0, "character": 0});
        let params = json!({"textDocument": {"uri": "file:///a"}, "position": position});
        let hover = RawRequest::build("textDocument/hover").params(params).id(1).finish();
        let hover = tokio::spawn(service.call(hover));
        settle().await;
        let Ok(Event::Request(request)) = mail.try_recv() else { panic!("not posted") };
        assert!(!request.abandoned());

        let cancel = RawRequest::build("$/cancelRequest").params(json!({"id": 1})).finish();
        assert_eq!(service.call(cancel).await, Ok(None));
        let answer = hover.await.expect("no panic").expect("alive").expect("an answer");
        assert_eq!(answer.error().map(|error| error.code), Some(ErrorCode::RequestCancelled));
        assert!(request.abandoned());
    }
}
