//! Capabilities: each that is advertised is handled, and each that is handled is
//! advertised.

use serde_json::{Value, json};

use super::{connect, plain};

/// Its table of methods is true.
const README: &str = include_str!("../../../../server/README.md");

const URI: &str = "file:///shader.tgsi";

/// Every request of protocol 3.17 that a capability announces: where the
/// capability is, the method, and parameters beside the document.
fn requests() -> Vec<(&'static str, &'static str, Value)> {
    let position = json!({"position": {"line": 0, "character": 0}});
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let item = json!({
        "name": "x", "kind": 1, "uri": URI, "range": range, "selectionRange": range,
    });
    let hint = json!({"position": {"line": 0, "character": 0}, "label": "x"});
    let with = |name: &str, value: &Value| json!({ name: value });
    let both = |mut left: Value, right: Value| {
        let more = right.as_object().unwrap().clone();
        left.as_object_mut().unwrap().extend(more);
        left
    };
    let context = json!({"context": {"diagnostics": []}});
    vec![
        ("hoverProvider", "textDocument/hover", position.clone()),
        ("completionProvider", "textDocument/completion", position.clone()),
        ("completionProvider/resolveProvider", "completionItem/resolve", json!({"label": "x"})),
        ("signatureHelpProvider", "textDocument/signatureHelp", position.clone()),
        ("declarationProvider", "textDocument/declaration", position.clone()),
        ("definitionProvider", "textDocument/definition", position.clone()),
        ("typeDefinitionProvider", "textDocument/typeDefinition", position.clone()),
        ("implementationProvider", "textDocument/implementation", position.clone()),
        (
            "referencesProvider",
            "textDocument/references",
            both(position.clone(), json!({"context": {"includeDeclaration": true}})),
        ),
        ("documentHighlightProvider", "textDocument/documentHighlight", position.clone()),
        ("documentSymbolProvider", "textDocument/documentSymbol", json!({})),
        ("codeActionProvider", "textDocument/codeAction", both(with("range", &range), context)),
        ("codeLensProvider", "textDocument/codeLens", json!({})),
        ("documentLinkProvider", "textDocument/documentLink", json!({})),
        ("colorProvider", "textDocument/documentColor", json!({})),
        ("documentFormattingProvider", "textDocument/formatting", with("options", &options)),
        (
            "documentRangeFormattingProvider",
            "textDocument/rangeFormatting",
            both(with("options", &options), with("range", &range)),
        ),
        (
            "documentOnTypeFormattingProvider",
            "textDocument/onTypeFormatting",
            both(both(with("options", &options), position.clone()), json!({"ch": "x"})),
        ),
        ("renameProvider", "textDocument/rename", both(position.clone(), json!({"newName": "x"}))),
        ("renameProvider/prepareProvider", "textDocument/prepareRename", position.clone()),
        ("foldingRangeProvider", "textDocument/foldingRange", json!({})),
        ("selectionRangeProvider", "textDocument/selectionRange", json!({"positions": []})),
        ("callHierarchyProvider", "textDocument/prepareCallHierarchy", position.clone()),
        ("typeHierarchyProvider", "textDocument/prepareTypeHierarchy", position.clone()),
        ("semanticTokensProvider", "textDocument/semanticTokens/full", json!({})),
        (
            "semanticTokensProvider/range",
            "textDocument/semanticTokens/range",
            with("range", &range),
        ),
        (
            "semanticTokensProvider",
            "textDocument/semanticTokens/full/delta",
            json!({"previousResultId": ""}),
        ),
        ("linkedEditingRangeProvider", "textDocument/linkedEditingRange", position.clone()),
        ("monikerProvider", "textDocument/moniker", position.clone()),
        ("inlayHintProvider", "textDocument/inlayHint", with("range", &range)),
        (
            "inlineValueProvider",
            "textDocument/inlineValue",
            both(
                with("range", &range),
                json!({"context": {"frameId": 0, "stoppedLocation": range}}),
            ),
        ),
        ("diagnosticProvider", "textDocument/diagnostic", json!({})),
        ("workspaceSymbolProvider", "workspace/symbol", json!({"query": ""})),
        (
            "executeCommandProvider",
            "workspace/executeCommand",
            json!({"command": "tungsten.explain", "arguments": ["MAD"]}),
        ),
        ("workspace/fileOperations/willRename", "workspace/willRenameFiles", json!({"files": []})),
        ("inlayHintProvider/resolveProvider", "inlayHint/resolve", hint),
        ("codeLensProvider/resolveProvider", "codeLens/resolve", json!({"range": range})),
        ("codeActionProvider/resolveProvider", "codeAction/resolve", json!({"title": "x"})),
        ("documentLinkProvider/resolveProvider", "documentLink/resolve", json!({"range": range})),
        (
            "diagnosticProvider/workspaceDiagnostics",
            "workspace/diagnostic",
            json!({"previousResultIds": []}),
        ),
        ("callHierarchyProvider", "callHierarchy/incomingCalls", with("item", &item)),
        ("callHierarchyProvider", "callHierarchy/outgoingCalls", with("item", &item)),
    ]
}

#[test]
fn advertised_is_handled_and_handled_is_advertised() {
    let capabilities = json!({"textDocument": {
        "diagnostic": {},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "codeLens": {"resolveSupport": {"properties": ["command"]}},
    }});
    let mut client = connect(capabilities, json!({"compile": false}));
    client.open(URI, "VERT\n  0: END\n");
    let advertised = client.initialized["capabilities"].clone();
    let mut known = vec!["positionEncoding", "textDocumentSync"];
    let mut rows = Vec::new();
    for (capability, method, mut params) in requests() {
        known.extend(capability.split('/').next());
        params["textDocument"] = json!({"uri": URI});
        let answer = client.call(method, params);
        let handled = !matches!(&answer, Err(error) if error["code"] == -32601);
        let promised = advertised.pointer(&format!("/{capability}"));
        let promised = !matches!(promised, None | Some(Value::Null | Value::Bool(false)));
        assert_eq!(promised, handled, "{capability}, {method}: {answer:?}");
        rows.push(format!("| `{method}` | {} ", if handled { "yes" } else { "no" }));
    }
    let table = README.lines().filter(|line| line.starts_with("| `") && line.contains("/"));
    let table = table.filter(|line| line.matches('|').count() == 5);
    let mut written: Vec<String> =
        table.map(|line| line.splitn(4, '|').take(3).collect::<Vec<_>>().join("|")).collect();
    written.sort();
    rows.sort();
    assert_eq!(written, rows, "the README's table of methods");
    for capability in advertised.as_object().unwrap().keys() {
        assert!(known.contains(&capability.as_str()), "no test asks for {capability}");
    }
    client.finish();
}

#[test]
fn our_own_requests_are_handled() {
    let mut client = plain();
    let status = client.call("tungsten/status", Value::Null).unwrap();
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(status["targets"], json!(["polaris10"]));
    assert_eq!(status["searching"], false);
    assert!(status["message"].is_string(), "the compiler is off: {status}");
    let refused = client.call("workspace/textDocumentContent", json!({"uri": "file:///a"}));
    assert_eq!(refused.unwrap_err()["code"], -32602);
    client.finish();
}

/// Promises to clients, in full.
#[test]
fn capabilities_are_those_of_the_record() {
    let mut records = super::super::answers::table("capabilities.tsv");
    let able = json!({
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "workspace": {
            "fileOperations": {"willRename": true, "dynamicRegistration": true},
            "workspaceFolders": true,
        },
        "textDocument": {
            "diagnostic": {},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}},
            "rename": {"prepareSupport": true},
            "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
            "codeLens": {"resolveSupport": {"properties": ["command"]}},
        },
    });
    for (name, capabilities) in [("simple", json!({})), ("able", able)] {
        let client = connect(capabilities, json!({"compile": false}));
        let promised = client.initialized["capabilities"].clone();
        for (name_of_one, own) in promised.as_object().expect("an object") {
            records.add(name_of_one, name, &own.to_string());
        }
        client.finish();
    }
    records.check();
}
