//! The abilities of the client, from the parameters of `initialize`.

use serde_json::Value;
use source::ColumnUnit;

/// A client's abilities, as far as the server asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAbilities {
    /// The unit of a position's `character`.
    pub(crate) column_unit: ColumnUnit,
    /// Pulls diagnostics; then none are pushed.
    pub(crate) pulls_diagnostics: bool,
    /// Can be asked to pull diagnostics again.
    pub(crate) refreshes_diagnostics: bool,
    /// Can be asked to fetch inlay hints again.
    pub(crate) refreshes_hints: bool,
    /// Can be asked to fetch code lenses again.
    pub(crate) refreshes_lenses: bool,
    /// Shows related places of a diagnostic.
    pub(crate) related_information: bool,
    /// Answers `workspace/configuration`.
    pub(crate) configuration: bool,
    /// Lets the server ask for news of settings.
    pub(crate) registers_configuration: bool,
    /// Tells of files that change on the disk, where it is asked to.
    pub(crate) registers_watched_files: bool,
    /// Serves virtual documents by `workspace/textDocumentContent`.
    pub(crate) text_document_content: bool,
    /// Has several folders, and tells of others.
    pub(crate) workspace_folders: bool,
    /// Shows progress that the server starts.
    pub(crate) progress: bool,
    /// Makes a file that an edit of several documents needs.
    pub(crate) creates_files: bool,
    /// Shows words beside the label of each completion.
    pub(crate) label_details: bool,
    /// Fills in the places of a completion snippet.
    pub(crate) snippets: bool,
    /// Takes an operand of a signature by its place in the label.
    pub(crate) label_offsets: bool,
    /// Takes a definition with the range that it was asked from.
    pub(crate) definition_links: bool,
    /// Fetches the tooltip of an inlay hint once somebody looks at it.
    pub(crate) resolves_hints: bool,
    /// Shows a link behind the code of a diagnostic, to a document that we serve.
    pub(crate) pages_of_diagnostics: bool,
    /// Takes edits that name the version of the document.
    pub(crate) versioned_edits: bool,
    /// Tells the user by itself that no compiler was found, from the server's status.
    pub(crate) tells_missing_library: bool,
    /// Carries out the command behind *Find a faster form*.
    pub(crate) finds_faster_forms: bool,
    /// Wants to be told whenever the server's status changes.
    pub(crate) follows_status: bool,
    /// Asks for what a code lens says once it comes into sight.
    pub(crate) resolves_lenses: bool,
    /// Asks for the edits of a code action once it is chosen.
    pub(crate) resolves_actions: bool,
}

impl ClientAbilities {
    /// Reads the parameters of `initialize`.
    pub(crate) fn read(params: &Value) -> ClientAbilities {
        let has = |path: &str| params.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        let offers = |path: &str| params.pointer(path).is_some_and(Value::is_object);
        let resolves = |feature: &str, property: &str| {
            let list = format!("/capabilities/textDocument/{feature}/resolveSupport/properties");
            let list = params.pointer(&list).and_then(Value::as_array);
            list.is_some_and(|properties| properties.iter().any(|it| it == property))
        };
        let creates = |list: &str| {
            let list = params.pointer(list).and_then(Value::as_array);
            list.is_some_and(|operations| operations.iter().any(|it| it == "create"))
        };
        let pulls_diagnostics = offers("/capabilities/textDocument/diagnostic");
        let of_diagnostics = |ability: &str, pulled: bool| {
            has(&format!("/capabilities/textDocument/publishDiagnostics/{ability}"))
                || pulled && has(&format!("/capabilities/textDocument/diagnostic/{ability}"))
        };
        let text_document_content =
            has("/capabilities/workspace/textDocumentContent/dynamicRegistration");
        ClientAbilities {
            column_unit: column_unit(params),
            pulls_diagnostics,
            refreshes_diagnostics: has("/capabilities/workspace/diagnostics/refreshSupport"),
            refreshes_hints: has("/capabilities/workspace/inlayHint/refreshSupport"),
            refreshes_lenses: has("/capabilities/workspace/codeLens/refreshSupport"),
            related_information: of_diagnostics("relatedInformation", pulls_diagnostics),
            configuration: has("/capabilities/workspace/configuration"),
            registers_configuration: has(
                "/capabilities/workspace/didChangeConfiguration/dynamicRegistration",
            ),
            registers_watched_files: has(
                "/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration",
            ),
            text_document_content,
            workspace_folders: has("/capabilities/workspace/workspaceFolders"),
            progress: has("/capabilities/window/workDoneProgress"),
            creates_files: has("/capabilities/workspace/workspaceEdit/documentChanges")
                && creates("/capabilities/workspace/workspaceEdit/resourceOperations"),
            label_details: has(
                "/capabilities/textDocument/completion/completionItem/labelDetailsSupport",
            ),
            snippets: has("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            label_offsets: has("/capabilities/textDocument/signatureHelp/signatureInformation\
                 /parameterInformation/labelOffsetSupport"),
            definition_links: has("/capabilities/textDocument/definition/linkSupport")
                && has("/capabilities/textDocument/declaration/linkSupport"),
            resolves_hints: resolves("inlayHint", "tooltip"),
            resolves_lenses: resolves("codeLens", "command"),
            pages_of_diagnostics: (text_document_content
                || has("/capabilities/experimental/tungsten/showsPages"))
                && of_diagnostics("codeDescriptionSupport", true),
            versioned_edits: has("/capabilities/workspace/workspaceEdit/documentChanges"),
            tells_missing_library: has("/capabilities/experimental/tungsten/tellsMissingCompiler"),
            finds_faster_forms: has("/capabilities/experimental/tungsten/findsFasterForms"),
            follows_status: has("/capabilities/experimental/tungsten/statusNotification"),
            resolves_actions: has("/capabilities/textDocument/codeAction/dataSupport")
                && resolves("codeAction", "edit"),
        }
    }
}

/// UTF-8 where it is offered, since offsets are bytes inside; else the client's
/// first choice; UTF-16 where it says nothing.
fn column_unit(params: &Value) -> ColumnUnit {
    let offered = params.pointer("/capabilities/general/positionEncodings");
    let offered: Vec<&str> =
        offered.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if offered.contains(&"utf-8") {
        return ColumnUnit::Utf8;
    }
    let known = offered.iter().find_map(|name| match *name {
        "utf-16" => Some(ColumnUnit::Utf16),
        "utf-32" => Some(ColumnUnit::Utf32),
        _ => None,
    });
    known.unwrap_or(ColumnUnit::Utf16)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn unit(encodings: Value) -> ColumnUnit {
        column_unit(&json!({"capabilities": {"general": {"positionEncodings": encodings}}}))
    }

    #[test]
    fn the_column_unit_is_negotiated() {
        assert_eq!(unit(json!(["utf-16", "utf-8"])), ColumnUnit::Utf8);
        assert_eq!(unit(json!(["utf-32", "utf-16"])), ColumnUnit::Utf32);
        assert_eq!(unit(json!(["utf-7"])), ColumnUnit::Utf16);
        assert_eq!(column_unit(&json!({})), ColumnUnit::Utf16);
    }
}
