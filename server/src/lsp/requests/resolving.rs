//! Items that a client resolves later: what they keep until then.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{CodeAction, CodeLens, InlayHint, Uri};

use super::{About, Stop, Subject};
use crate::lsp::workers::Context;

/// The data of an item that waits to be resolved.
#[derive(Debug, Serialize, Deserialize)]
struct Kept<T> {
    uri: Uri,
    /// Of the document that the item was made for.
    version: i32,
    #[serde(flatten)]
    item: T,
}

/// An item that is found again by its place.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Placed {}

/// The data of an item of the document.
pub(super) fn keep<T: Serialize>(context: &Context, item: T) -> Option<Value> {
    let (uri, version) = (context.uri.clone(), context.version);
    serde_json::to_value(Kept { uri, version, item }).ok()
}

/// The data that an item keeps; `None` where it keeps nothing. Of another version of the document
/// its places are those of another text, and the client has to ask for items anew.
pub(super) fn kept<T: DeserializeOwned>(
    context: &Context,
    data: Option<&Value>,
) -> Result<Option<T>, Stop> {
    match data.and_then(|data| Kept::deserialize(data).ok()) {
        Some(kept) if kept.version != context.version => Err(outdated()),
        kept => Ok(kept.map(|kept| kept.item)),
    }
}

/// The error for an item of another text.
pub(super) fn outdated() -> Stop {
    Stop::Refused(Error::content_modified())
}

macro_rules! about {
    ($($item:ty),*) => {$(
        impl About for $item {
            fn subject(&self) -> Subject {
                let kept = self.data.as_ref().and_then(|it| Kept::<IgnoredAny>::deserialize(it).ok());
                kept.map_or(Subject::Nothing, |kept| Subject::Place(kept.uri))
            }
        }
    )*};
}

about!(CodeAction, CodeLens, InlayHint);
