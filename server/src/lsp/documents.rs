//! The documents: those that are open with their buffers, those of the workspace's folders
//! that are not, and what is due for each.

use std::sync::Arc;
use std::time::Instant;

use engine::{AssemblyKind, FileId, Language};
use ropey::Rope;
use source::ColumnUnit;
use tower_lsp::ls_types::{Diagnostic, TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::compiled_documents::is_compiled;
use super::from_protocol::rope_index;
use super::steady::SteadyDiagnostics;
use crate::configuration::Configuration;

/// The side whose text of a document counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// The client's: it is open.
    Open,
    /// The disk's: it is a file of the workspace.
    OnDisk,
}

/// The diagnostics of a document as they were told, with an identity: equal diagnostics have
/// equal ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PublishedDiagnostics {
    /// In the client's words.
    pub(crate) items: Vec<Diagnostic>,
    /// Of all that the client sees of them.
    pub(crate) identity: String,
}

/// A document.
pub(crate) struct Document {
    /// Its name, which is also the engine's.
    pub(crate) uri: Uri,
    /// The side whose text of it counts.
    pub(crate) presence: Presence,
    /// The engine's number for it.
    pub(crate) file: FileId,
    /// Its language.
    pub(crate) language: Language,
    /// The client's count of its edits; ours of its changes on the disk where it is not open.
    pub(crate) version: i32,
    /// Its text as the client has it; nothing where it is not open.
    pub(crate) buffer: Rope,
    /// True if the engine has not been given that text yet.
    pub(crate) unsent: bool,
    /// Diagnostics for a client that is pushed to or told to pull.
    pub(crate) diagnostics: BackgroundTask,
    /// Diagnostics for a report about the workspace.
    pub(crate) workspace_check: BackgroundTask,
    /// The result of that, the last time.
    pub(crate) workspace_checked: Option<PublishedDiagnostics>,
    /// Working out what assembly costs, whose diagnostics follow those of the text.
    pub(crate) costs: BackgroundTask,
    /// The version of which the engine has the costs: their diagnostics are told with the
    /// others from then on.
    pub(crate) costs_of: Option<i32>,
    /// True if the client asked what it costs, and wants to know of changes.
    pub(crate) costs_asked: bool,
    /// Looking at the compiled views that were shown.
    pub(crate) views: BackgroundTask,
    /// Asking the engine which compiles it wants.
    pub(crate) wanted_jobs: BackgroundTask,
    /// Asking the engine what the text is taken for, and what assembly includes; the
    /// latter alone where it is not open.
    pub(crate) assembly: BackgroundTask,
    /// The chip and language that an assembly file was taken for, when that was asked last.
    pub(crate) assembly_kind: Option<AssemblyKind>,
    /// The dialect that its shaders were taken for, in a line, when that was asked last.
    pub(crate) dialect: Option<String>,
    /// Until when the compiles wait for more edits.
    pub(crate) compile_after: Instant,
    /// The identity of the diagnostics that the client has, and the version they are of.
    pub(crate) client_has: Option<(String, i32)>,
    /// Until when somebody types in it; `None` behind the pause.
    pub(crate) typing_ends: Option<Instant>,
    /// The diagnostics that stand in for those of a line that is typed.
    pub(crate) steady: SteadyDiagnostics,
    /// The settings that count for it; `None` while its project is looked for, or its
    /// text on the disk.
    pub(crate) configuration: Option<Arc<Configuration>>,
}

/// Something the session has a worker do for a document, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BackgroundTask {
    /// Nothing to do.
    Idle,
    /// To be started.
    Due,
    /// A worker is at it.
    Running,
    /// A worker is at it, and the world has changed since.
    RunningAndDue,
}

impl BackgroundTask {
    /// The world has changed.
    pub(crate) fn want(&mut self) {
        *self = match self {
            BackgroundTask::Idle | BackgroundTask::Due => BackgroundTask::Due,
            BackgroundTask::Running | BackgroundTask::RunningAndDue => {
                BackgroundTask::RunningAndDue
            }
        };
    }

    /// A worker has ended it, successfully or not.
    pub(crate) fn end(&mut self) {
        *self = match self {
            BackgroundTask::RunningAndDue | BackgroundTask::Due => BackgroundTask::Due,
            BackgroundTask::Idle | BackgroundTask::Running => BackgroundTask::Idle,
        };
    }
}

impl Document {
    /// A document that the client has opened.
    pub(crate) fn opened(item: &TextDocumentItem, file: FileId, language: Language) -> Document {
        let mut document = Document {
            presence: Presence::Open,
            version: item.version,
            buffer: Rope::from_str(&item.text),
            diagnostics: BackgroundTask::Due,
            wanted_jobs: BackgroundTask::Due,
            assembly: BackgroundTask::Due,
            ..Document::on_disk(item.uri.clone(), file, language)
        };
        document.want_costs();
        document
    }

    /// A file of the workspace that is not open. Nobody looks at what it costs or compiles
    /// to, only at its diagnostics and names.
    pub(crate) fn on_disk(uri: Uri, file: FileId, language: Language) -> Document {
        Document {
            presence: Presence::OnDisk,
            file,
            language,
            version: 0,
            buffer: Rope::new(),
            unsent: false,
            diagnostics: BackgroundTask::Idle,
            workspace_check: BackgroundTask::Due,
            workspace_checked: None,
            costs: BackgroundTask::Idle,
            costs_of: None,
            costs_asked: false,
            views: BackgroundTask::Idle,
            wanted_jobs: BackgroundTask::Idle,
            assembly: if language == Language::Gcn {
                BackgroundTask::Due
            } else {
                BackgroundTask::Idle
            },
            assembly_kind: None,
            dialect: None,
            compile_after: Instant::now(),
            client_has: None,
            typing_ends: None,
            steady: SteadyDiagnostics::default(),
            configuration: None,
            uri,
        }
    }

    /// Tells whether the client has it open.
    pub(crate) fn is_open(&self) -> bool {
        self.presence == Presence::Open
    }

    /// Notes that something has changed that its diagnostics depend on.
    pub(crate) fn want_diagnostics(&mut self) {
        if self.is_open() {
            self.diagnostics.want();
        }
        self.workspace_check.want();
    }

    /// Notes that typing has paused, where it has: the diagnostics are shown as they are.
    pub(crate) fn end_typing(&mut self, now: Instant) {
        if self.typing_ends.is_some_and(|end| end <= now) {
            self.typing_ends = None;
            self.diagnostics.want();
        }
    }

    /// Notes that something has changed that the costs depend on.
    pub(crate) fn want_costs(&mut self) {
        self.costs_of = None;
        // Nobody can fix what the compiler made.
        if self.is_open() && self.language == Language::Gcn && !is_compiled(&self.uri) {
            self.costs.want();
        }
    }

    /// Tells whether its settings are known.
    pub(crate) fn is_settled(&self) -> bool {
        self.configuration.is_some()
    }

    /// Tells whether it is to be asked which compiles it wants, once typing pauses.
    pub(crate) fn is_due_for_compile(&self) -> bool {
        self.is_settled() && self.wanted_jobs == BackgroundTask::Due
    }

    /// Tells whether its costs are to be computed, once typing pauses.
    pub(crate) fn is_due_for_costs(&self) -> bool {
        self.is_settled() && self.costs == BackgroundTask::Due
    }

    /// Something beside its text has changed.
    pub(crate) fn look_at_everything(&mut self) {
        self.steady.forget();
        self.want_diagnostics();
        if self.is_open() {
            self.views.want();
            self.wanted_jobs.want();
            self.want_costs();
            self.assembly.want();
        } else if self.language == Language::Gcn {
            self.assembly.want();
        }
    }

    /// Applies one change of the client's.
    pub(crate) fn apply(&mut self, change: &TextDocumentContentChangeEvent, unit: ColumnUnit) {
        let Some(range) = change.range else {
            self.buffer = Rope::from_str(&change.text);
            return;
        };
        let start = rope_index(&self.buffer, range.start, unit);
        let end = rope_index(&self.buffer, range.end, unit).max(start);
        self.buffer.remove(start..end);
        self.buffer.insert(start, &change.text);
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use tower_lsp::ls_types::{Position, Range};

    use super::*;

    fn document(text: &str) -> Document {
        let uri = Uri::from_str("file:///a").unwrap();
        let item = TextDocumentItem::new(uri, "tgsi".to_owned(), 0, text.to_owned());
        Document::opened(&item, FileId(0), Language::Tgsi)
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent {
            range: Some(range),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn changes_apply_in_the_clients_unit() {
        let mut document = document("a🦀b\r\nsecond\n");
        document.apply(&change((0, 3), (0, 4), "B"), ColumnUnit::Utf16);
        assert_eq!(document.buffer, "a🦀B\r\nsecond\n");
        document.apply(&change((0, 5), (0, 6), "C"), ColumnUnit::Utf8);
        assert_eq!(document.buffer, "a🦀C\r\nsecond\n");
        document.apply(&change((0, 2), (0, 3), "D"), ColumnUnit::Utf32);
        assert_eq!(document.buffer, "a🦀D\r\nsecond\n");
    }

    #[test]
    fn places_outside_are_pulled_in() {
        let mut document = document("ab\ncd");
        document.apply(&change((0, 99), (0, 99), "!"), ColumnUnit::Utf16);
        document.apply(&change((77, 0), (99, 0), "?"), ColumnUnit::Utf16);
        document.apply(&change((1, 2), (0, 1), "x"), ColumnUnit::Utf16);
        assert_eq!(document.buffer, "ab!\ncdx?");
    }

    #[test]
    fn a_task_wanted_while_it_runs_is_due_again() {
        let mut task = BackgroundTask::Idle;
        task.want();
        assert_eq!(task, BackgroundTask::Due);
        task = BackgroundTask::Running;
        task.end();
        assert_eq!(task, BackgroundTask::Idle);
        task = BackgroundTask::Running;
        task.want();
        task.end();
        assert_eq!(task, BackgroundTask::Due);
    }
}
