//! State of the server: what it found and is doing.

use engine::TargetOrigin;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;
use tower_lsp::ls_types::notification::Notification;

/// Answer to [`STATUS`](super::STATUS).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// The server's version.
    pub(crate) version: String,
    /// The libLLVM in use; null while none is.
    pub(crate) llvm: Option<StatusLibrary>,
    /// True if the search for one has not ended yet.
    pub(crate) searching: bool,
    /// The targets of the settings.
    pub(crate) targets: Vec<String>,
    /// The client's settings that count from the user alone, and so were ignored:
    /// one sentence each, for the user.
    pub(crate) ignored: Vec<String>,
    /// The number of compiles that run or wait.
    pub(crate) compiling: usize,
    /// The reason why nothing is compiled, in words for the user; null where it is.
    pub(crate) message: Option<String>,
    /// The chips and languages that the open assembly files were taken for, in the order of
    /// their URIs.
    pub(crate) assembly: Vec<StatusAssembly>,
    /// The dialects that the open files with shaders are read as, in the order of their URIs.
    pub(crate) shaders: Vec<StatusShaders>,
}

/// Server to client, to a client that asked for it: the answer to [`STATUS`](super::STATUS) is
/// another now.
pub(crate) enum StatusChanged {}

impl Notification for StatusChanged {
    type Params = Status;
    const METHOD: &'static str = "tungsten/statusChanged";
}

/// A file with shaders in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusShaders {
    /// The document.
    pub(crate) uri: Uri,
    /// The dialect that is chosen and by what, or the readers that take the text, in one
    /// line for the user.
    pub(crate) message: String,
}

/// An assembly file in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusAssembly {
    /// The document.
    pub(crate) uri: Uri,
    /// The chip it is assembled for.
    pub(crate) target: String,
    /// The origin of the choice of the chip.
    pub(crate) target_origin: TargetOrigin,
    /// The assembly language: `llvm` or `clrx`.
    pub(crate) dialect: String,
    /// All of it in one line for the user, with the reasons.
    pub(crate) message: String,
}

/// A libLLVM in a [`Status`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusLibrary {
    /// The file.
    pub(crate) path: String,
    /// Its version.
    pub(crate) version: String,
    /// The way in which it was found.
    pub(crate) origin: String,
}
