//! The one ordered mailbox of the session.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use engine::FileId;
use engine::ide::{Baseline, CompiledRef};
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    InitializeResult, TraceValue, Uri,
};

use super::advising::FoundCompiler;
use super::extensions::Status;
use super::requests::Request;
use super::session::Pull;
use super::workers::TaskFinished;
use crate::files::Access;
use crate::includes::{Included, Includer, Lookup};
use crate::jobs::LibraryState;
use crate::project::Project;

/// The number of times that files had changed on the disk when something was begun to be read: what
/// was read before the last change is read once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DiskAge(pub(crate) u64);

/// Everything that can happen to the session.
pub(crate) enum Event {
    /// The client introduces itself, with the parameters as they came.
    Initialize(Value, oneshot::Sender<InitializeResult>),
    /// The client is ready for messages.
    Initialized,
    /// A document was opened.
    DidOpen(DidOpenTextDocumentParams),
    /// A document was edited.
    DidChange(DidChangeTextDocumentParams),
    /// A document was closed.
    DidClose(DidCloseTextDocumentParams),
    /// The client says that settings changed, and perhaps which.
    DidChangeConfiguration(Value),
    /// The client's answer to a question for its settings, and for those of folders.
    Configuration(Option<Value>, Vec<(Uri, Value)>),
    /// A request that a worker answers from a snapshot.
    Request(Box<dyn Request>),
    /// Somebody wants to see code for this target, configured or not.
    BuildAsked(engine::Build),
    /// An answer about a document lists only the first of these.
    AnswerCut(Uri, usize, &'static str),
    /// A question for the session's own state.
    Status(oneshot::Sender<Status>),
    /// A question for how far virtual documents reach.
    AccessAsked(oneshot::Sender<Access>),
    /// A question for the libLLVM in use.
    CompilerAsked(oneshot::Sender<Option<FoundCompiler>>),
    /// A worker is free again, with what came of its task.
    TaskFinished(TaskFinished),
    /// A client that pulls was given the diagnostics of this identity and version.
    DiagnosticsPulled(Uri, String, i32),
    /// A compiled view was shown, and looked like this.
    ViewShown(super::compiled_documents::ViewKey, Option<u64>),
    /// A host has answered about a shader of a file.
    HostAnswered(FileId, engine::HostAnswer),
    /// A result of a shader is to be kept for comparisons; `None` forgets it.
    BaselinePinned(FileId, CompiledRef, Option<Arc<Baseline>>),
    /// The client was told what a document costs.
    CostsAsked(Uri),
    /// The files that a document wants to include were looked for.
    IncludesRead(FileId, Vec<(String, Lookup)>, DiskAge),
    /// A thread that looked for included files has told of all.
    IncludesLookedFor,
    /// The file that includes a document was found.
    IncluderFound(FileId, Box<Includer>, DiskAge),
    /// The files that a project names in pipelines with a document were read.
    StagesRead(Uri, Vec<Included>, DiskAge),
    /// The projects of folders were looked for.
    ProjectsRead(Vec<(PathBuf, Option<Project>)>, DiskAge),
    /// Files changed on the disk.
    FilesChanged(Vec<PathBuf>),
    /// The folders of the workspace were looked through.
    FoldersRead(crate::folders::Reading),
    /// The client has other folders now.
    FoldersNamed {
        /// The folders that it has beside.
        added: Vec<Uri>,
        /// The folders that it has no more.
        removed: Vec<Uri>,
    },
    /// A client asks for the diagnostics of the whole workspace.
    DiagnosticsAsked(Pull),
    /// The search with this number has ended.
    LibrarySearched(u64, LibraryState, Option<llvm::Configuration>),
    /// Compile results are waiting to be taken.
    JobsFinished,
    /// The client allowed (or not) a progress display.
    ProgressCreated(Result<(), ()>),
    /// The detail in which the client wants to be told of the server's work.
    TraceSet(TraceValue),
    /// The user wants a libLLVM to be looked for again.
    SearchAsked,
    /// The client will ask nothing more.
    Shutdown(oneshot::Sender<()>),
    /// The connection is gone.
    Exit,
}

/// Posts into the mailbox. Never blocks.
#[derive(Clone)]
pub(crate) struct Mailbox {
    sender: mpsc::Sender<Event>,
}

impl Mailbox {
    /// A mailbox whose other end the session reads.
    pub(crate) fn new(sender: mpsc::Sender<Event>) -> Mailbox {
        Mailbox { sender }
    }

    /// Posts an event. After the session's end it is dropped, and with it
    /// whatever channel would have carried an answer.
    pub(crate) fn post(&self, event: Event) {
        let _ = self.sender.send(event);
    }
}
