//! Subjects of the parameters of each request: one row a request.

use tower_lsp::ls_types::{
    CallHierarchyIncomingCallsParams, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CodeActionParams, CodeLensParams, CompletionParams, DocumentDiagnosticParams,
    DocumentFormattingParams, DocumentHighlightParams, DocumentLinkParams,
    DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    FoldingRangeParams, GotoDefinitionParams, HoverParams, InlayHintParams,
    LinkedEditingRangeParams, ReferenceParams, RenameFilesParams, RenameParams,
    SelectionRangeParams, SemanticTokensDeltaParams, SemanticTokensParams,
    SemanticTokensRangeParams, SignatureHelpParams, TextDocumentPositionParams, Uri,
    WorkspaceSymbolParams,
};

use crate::lsp::compiled_documents::ViewKey;
use crate::lsp::extensions::{
    AdviseParams, CodeSelection, CompareParams, CompiledCodeParams, CostsParams, ExpandMacroParams,
    PinBaselineParams, TextDocumentContentParams, UnpinBaselineParams,
};

/// The subject of a request, and so what an edit makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A document: after an edit it is answered from the new text.
    Document(Uri),
    /// A place in a document, or all places of one text: after an edit they may be other
    /// ones, and the request has no answer.
    Place(Uri),
    /// All documents, and the files of the workspace.
    Workspace,
    /// Nothing that there is.
    Nothing,
}

impl Subject {
    /// The one document that the request is about.
    pub(crate) fn document(&self) -> Option<&Uri> {
        match self {
            Subject::Document(uri) | Subject::Place(uri) => Some(uri),
            Subject::Workspace | Subject::Nothing => None,
        }
    }
}

/// Parameters that say what they are about.
pub(crate) trait About {
    /// The subject itself.
    fn subject(&self) -> Subject;
}

/// For each row the parameters, what an edit may make wrong in them, and the field
/// that names the document.
macro_rules! about {
    ($($parameters:ty => $subject:ident: $($field:ident).+;)*) => {$(
        impl About for $parameters {
            fn subject(&self) -> Subject {
                Subject::$subject(self.$($field).+.uri.clone())
            }
        }
    )*};
}

about! {
    AdviseParams => Place: text_document;
    CallHierarchyPrepareParams => Place: text_document_position_params.text_document;
    CallHierarchyIncomingCallsParams => Document: item;
    CallHierarchyOutgoingCallsParams => Document: item;
    CodeActionParams => Place: text_document;
    CodeLensParams => Document: text_document;
    CompletionParams => Place: text_document_position.text_document;
    CostsParams => Document: text_document;
    DocumentDiagnosticParams => Document: text_document;
    DocumentFormattingParams => Document: text_document;
    DocumentHighlightParams => Place: text_document_position_params.text_document;
    DocumentLinkParams => Document: text_document;
    DocumentOnTypeFormattingParams => Place: text_document_position.text_document;
    DocumentRangeFormattingParams => Place: text_document;
    DocumentSymbolParams => Document: text_document;
    ExpandMacroParams => Place: text_document;
    FoldingRangeParams => Document: text_document;
    GotoDefinitionParams => Place: text_document_position_params.text_document;
    HoverParams => Place: text_document_position_params.text_document;
    InlayHintParams => Document: text_document;
    LinkedEditingRangeParams => Place: text_document_position_params.text_document;
    ReferenceParams => Place: text_document_position.text_document;
    RenameParams => Place: text_document_position.text_document;
    SelectionRangeParams => Place: text_document;
    SemanticTokensDeltaParams => Place: text_document;
    SemanticTokensParams => Place: text_document;
    SemanticTokensRangeParams => Place: text_document;
    SignatureHelpParams => Place: text_document_position_params.text_document;
    TextDocumentPositionParams => Place: text_document;
}

impl About for CodeSelection {
    fn subject(&self) -> Subject {
        let uri = self.text_document.uri.clone();
        match (self.shader, self.position) {
            (None, Some(_)) => Subject::Place(uri),
            _ => Subject::Document(uri),
        }
    }
}

/// For each row parameters that choose a shader and a target.
macro_rules! about_selected {
    ($($parameters:ty),* $(,)?) => {$(
        impl About for $parameters {
            fn subject(&self) -> Subject {
                self.selection.subject()
            }
        }
    )*};
}

about_selected!(CompareParams, CompiledCodeParams, PinBaselineParams, UnpinBaselineParams);

impl About for TextDocumentContentParams {
    fn subject(&self) -> Subject {
        ViewKey::parse(&self.uri).map_or(Subject::Nothing, |key| Subject::Document(key.source))
    }
}

impl About for RenameFilesParams {
    fn subject(&self) -> Subject {
        Subject::Workspace
    }
}

impl About for WorkspaceSymbolParams {
    fn subject(&self) -> Subject {
        Subject::Workspace
    }
}
