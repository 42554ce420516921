//! Output of the command line and answers of the language server on own programs, pinned by
//! checksums.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::lsp::connect;
use tests::client::Client;

#[path = "../../src/places.rs"]
mod places;
use crate::records::Records;
use places::places;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

pub(super) fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("all/server/records").join(name))
}

/// All that a command says, its exit status last.
pub(super) fn said(arguments: &[&str]) -> String {
    let mut command = Command::new(crate::TUNGSTEN);
    command.args(arguments).current_dir(folder()).stdin(Stdio::null());
    command.env("NO_COLOR", "1").env("TUNGSTEN_CACHE", "off");
    let output = command.output().expect("tungsten starts");
    let text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => text.replace(&*folder().to_string_lossy(), "DATA"),
        Err(_) => format!("{bytes:x?}"),
    };
    format!("{}{}{:?}", text(&output.stdout), text(&output.stderr), output.status.code())
}

/// Shaders of every kind of text.
const SHADERS: [&str; 9] = [
    "tgsi/comp/atomic_gallery.tgsi",
    "tgsi/faults/misspelt_opcode.tgsi",
    "tgsi/faults/undeclared.tgsi",
    "tgsi/layouts/crowded.tgsi",
    "tgsi/layouts/whole_pipeline.tgsi",
    "tgsi/layouts/directive.tgsi",
    "tgsi/logs/json-1.tgsi",
    "tgsi/frag/no_such_file.tgsi",
    "tgsi/no_such_file.tgsi",
];

const SHADER_COMMANDS: [&[&str]; 20] = [
    &["check"],
    &["check", "--json"],
    &["check", "--format", "sarif"],
    &["check", "--format", "github"],
    &["check", "--profile", "cayman", "--dialect", "mesa-2014"],
    &["check", "--allow", "tgsi::unknown-opcode,tgsi::undeclared-register"],
    &["check", "--pipeline"],
    &["check", "--target", "no-such-chip"],
    &["fmt", "--check"],
    &["fmt", "--stdout"],
    &["fmt", "--stdout", "--numbers", "never"],
    &["fmt", "--stdout", "--numbers", "always"],
    &["tokens", "--encode"],
    &["tokens", "--encode", "--annotate"],
    &["tokens", "--encode", "--layout", "2009", "--shader", "2"],
    &["caps"],
    &["caps", "--json"],
    &["caps", "--all"],
    &["caps", "--profile", "cayman,softpipe", "--json"],
    &["run"],
];

/// Assembly of both dialects, listings and objects.
const CODE: [&str; 8] = [
    "gcn/llvm/saxpy_gfx803.s",
    "gcn/llvm/call_gfx900.s",
    "gcn/llvm/kernel_code_t_gfx803.s",
    "gcn/clrx/vector_add_amdcl2.asm",
    "gcn/fault/missing_wait_loop.s",
    "gcn/fault/macro_calls.s",
    "gcn/listing/objdump_scan_gfx900.s",
    "gcn/object/saxpy_gfx900.co",
];

const CODE_COMMANDS: [&[&str]; 23] = [
    &["check"],
    &["check", "--json"],
    &["check", "--target", "tahiti,vega10"],
    &["check", "--defsym", "size=3", "--format", "github"],
    &["asm"],
    &["asm", "--emit", "listing"],
    &["asm", "--emit", "bin"],
    &["asm", "--target", "gfx900", "--each-line"],
    &["convert", "--to", "clrx"],
    &["convert", "--to", "llvm"],
    &["convert", "--to", "clrx", "--target", "gfx900"],
    &["stats"],
    &["stats", "--json"],
    &["stats", "--csv", "--target", "tahiti,fiji"],
    &["stats", "--live", "--lines"],
    &["stats", "--model", "aco", "--profile", "mesa22", "--workgroup", "256"],
    &["why"],
    &["disasm"],
    &["disasm", "--target", "fiji", "--hex"],
    &["disasm", "--target", "tahiti", "--dialect", "clrx"],
    &["disasm", "--emit", "listing"],
    &["fmt", "--stdout"],
    &["run"],
];

/// Asks every command about every file.
fn ask(records: &mut Records, files: &[&str], commands: &[&[&str]]) {
    for file in files {
        for command in commands {
            let said = said(&[command, &[*file][..]].concat());
            records.add(file, &command.join(" ").replace('/', ":"), &said);
        }
    }
}

#[test]
fn what_commands_say_about_shaders() {
    let mut records = table("shaders.tsv");
    ask(&mut records, &SHADERS, &SHADER_COMMANDS);
    records.check();
}

#[test]
fn what_commands_say_about_code() {
    let mut records = table("code.tsv");
    ask(&mut records, &CODE, &CODE_COMMANDS);
    records.check();
}

#[test]
fn what_commands_say_about_runs_tokens_and_words() {
    let mut records = table("others.tsv");
    for name in ["bit_tricks", "bitonic_step", "atomic_gallery"] {
        let (file, inputs) =
            (format!("tgsi/comp/{name}.tgsi"), format!("tgsi/comp/{name}.inputs.toml"));
        for more in [&[][..], &["--trace"], &["--shader", "2"], &["--engine", "none"]] {
            let said = said(&[&["run", &file, "--inputs", &inputs], more].concat());
            records.add(&file, &format!("run {}", more.join(" ")), &said);
        }
    }
    let tokens = std::fs::read_dir(folder().join("tgsi/tokens")).expect("a folder");
    for path in tokens.map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.ends_with(".tgsib") {
            continue;
        }
        let file = format!("tgsi/tokens/{name}");
        for more in [&[][..], &["--annotate"], &["--decode", "--layout", "2012"], &["--raw"]] {
            let said = said(&[&["tokens", &file], more].concat());
            records.add(&file, &format!("tokens {}", more.join(" ")), &said);
        }
    }
    let words: [&[&str]; 16] = [
        &["explain", "MAD"],
        &["explain", "MADD"],
        &["explain", "tgsi::undeclared-register"],
        &["explain", "gcn::missing-wait"],
        &["explain", "v_mad_f32"],
        &["explain", "run"],
        &["explain", "dumps"],
        &["explain", "PIPE_CAP_TGSI_TEXCOORD"],
        &["explain", "tahiti"],
        &["explain", "--all"],
        &["explain"],
        &["targets"],
        &["profiles"],
        &["man"],
        &["completions", "bash"],
        &["chekc", "tgsi"],
    ];
    for command in words {
        records.add(&command.join(" "), "said", &said(command));
    }
    records.check();
}

/// All that a client of an editor may say that it can.
fn abilities() -> Value {
    let links = json!({"linkSupport": true});
    let kinds: Vec<u32> = (1..=26).collect();
    let format = json!(["markdown", "plaintext"]);
    json!({
        "general": {"positionEncodings": ["utf-16"], "markdown": {"parser": "marked"}},
        "workspace": {
            "workspaceEdit": {
                "documentChanges": true,
                "changeAnnotationSupport": {"groupsOnLabel": true},
            },
            "symbol": {"symbolKind": {"valueSet": kinds}},
        },
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true,
                "tagSupport": {"valueSet": [1, 2]},
                "codeDescriptionSupport": true,
                "dataSupport": true,
            },
            "completion": {
                "completionItem": {
                    "snippetSupport": true,
                    "documentationFormat": format,
                    "deprecatedSupport": true,
                    "labelDetailsSupport": true,
                    "insertReplaceSupport": true,
                    "resolveSupport": {"properties": ["documentation", "detail"]},
                },
                "completionList": {"itemDefaults": ["editRange", "insertTextFormat"]},
            },
            "hover": {"contentFormat": format},
            "signatureHelp": {"signatureInformation": {
                "documentationFormat": format,
                "parameterInformation": {"labelOffsetSupport": true},
                "activeParameterSupport": true,
            }},
            "definition": links, "declaration": links, "implementation": links,
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "foldingRange": {"lineFoldingOnly": true, "foldingRange": {"collapsedText": true}},
            "rename": {"prepareSupport": true, "honorsChangeAnnotations": true},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                "isPreferredSupport": true,
                "disabledSupport": true,
                "dataSupport": true,
                "resolveSupport": {"properties": ["edit"]},
            },
            "semanticTokens": {
                "requests": {"range": true, "full": {"delta": true}},
                "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"],
            },
        },
    })
}

/// A place of a text, in UTF-16 units.
fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let begin = text[..at].rfind('\n').map_or(0, |it| it + 1);
    json!({"line": line, "character": text[begin..at].encode_utf16().count()})
}

/// Asks everything about one document.
fn asked(records: &mut Records, file: &str, client: &mut Client, uri: &str, text: &str) {
    let document = json!({"uri": uri});
    let whole = json!({"start": position(text, 0), "end": position(text, text.len())});
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let middle = |n: usize| ends.get(ends.len() * n / 4).copied().unwrap_or_default();
    let part = json!({"start": position(text, middle(1)), "end": position(text, middle(2))});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let context = json!({"diagnostics": [], "triggerKind": 1});
    let about = |range: &Value| json!({"textDocument": document, "range": range});
    let with = |mut value: Value, name: &str, more: &Value| {
        value[name] = more.clone();
        value
    };
    for (method, params) in [
        ("textDocument/documentSymbol", about(&whole)),
        ("textDocument/foldingRange", about(&whole)),
        ("textDocument/documentLink", about(&whole)),
        ("textDocument/codeLens", about(&whole)),
        ("textDocument/semanticTokens/full", about(&whole)),
        ("textDocument/semanticTokens/range", about(&part)),
        ("textDocument/inlayHint", about(&whole)),
        ("textDocument/formatting", with(about(&whole), "options", &options)),
        ("textDocument/rangeFormatting", with(about(&part), "options", &options)),
        ("textDocument/codeAction", with(about(&part), "context", &context)),
        ("textDocument/codeAction", with(about(&whole), "context", &context)),
        ("textDocument/diagnostic", about(&whole)),
        ("tungsten/costs", about(&whole)),
    ] {
        let answer = client.call(method, params);
        records.add(file, &method.replace('/', " "), &format!("{answer:?}"));
    }
    let references = json!({"includeDeclaration": true});
    let (mut words, all) = (String::new(), places(text));
    for at in all.iter().step_by(all.len().div_ceil(40)) {
        let here = json!({"textDocument": document, "position": position(text, *at)});
        let range = json!({"start": position(text, *at), "end": position(text, *at)});
        for (method, params) in [
            ("textDocument/hover", here.clone()),
            ("textDocument/completion", here.clone()),
            ("textDocument/signatureHelp", here.clone()),
            ("textDocument/definition", here.clone()),
            ("textDocument/declaration", here.clone()),
            ("textDocument/references", with(here.clone(), "context", &references)),
            ("textDocument/documentHighlight", here.clone()),
            ("textDocument/prepareRename", here.clone()),
            ("textDocument/rename", with(here.clone(), "newName", &json!("other"))),
            ("textDocument/prepareCallHierarchy", here.clone()),
            (
                "textDocument/selectionRange",
                with(here.clone(), "positions", &json!([here["position"]])),
            ),
            ("textDocument/codeAction", with(about(&range), "context", &context)),
            ("textDocument/onTypeFormatting", {
                with(with(here.clone(), "ch", &json!("\n")), "options", &options)
            }),
            ("tungsten/expandMacro", here.clone()),
        ] {
            let answer = client.call(method, params);
            if let (Ok(items), "textDocument/prepareCallHierarchy") = (&answer, method) {
                for item in items.as_array().into_iter().flatten() {
                    for way in ["incomingCalls", "outgoingCalls"] {
                        let calls =
                            client.call(&format!("callHierarchy/{way}"), json!({"item": item}));
                        words += &format!("{way}: {calls:?}\n");
                    }
                }
            }
            words += &format!("{at} {method}: {answer:?}\n");
        }
    }
    records.add(file, "at words", &words);
}

/// The files that editors open, with their languages.
const OPENED: [(&str, &str); 10] = [
    ("tgsi", "tgsi/comp/bit_tricks.tgsi"),
    ("tgsi", "tgsi/faults/misspelt_opcode.tgsi"),
    ("tgsi", "tgsi/faults/three_rules_broken.tgsi"),
    ("tgsi", "tgsi/layouts/labels.tgsi"),
    ("tgsi", "tgsi/logs/json-1.tgsi"),
    ("gcn", "gcn/llvm/call_gfx900.s"),
    ("gcn", "gcn/macro/arguments.s"),
    ("gcn", "gcn/clrx/macros.asm"),
    ("gcn", "gcn/fault/missing_wait_loop.s"),
    ("gcn", "gcn/fault/macro_calls.s"),
];

fn opened(name: &str, capabilities: Value) {
    let mut records = table(name);
    for (language, file) in OPENED {
        let mut client = connect(capabilities.clone(), json!({"compile": false}));
        let text = std::fs::read_to_string(folder().join(file)).expect("a file");
        let uri = format!("file:///{file}");
        client.open_as(language, &uri, &text);
        let pushed = client.diagnostics(&uri, 0);
        records.add(file, "pushed", &format!("{pushed:?}"));
        asked(&mut records, file, &mut client, &uri, &text);
        client.finish_but(&["textDocument/publishDiagnostics"]);
    }
    records.check();
}

#[test]
fn what_a_simple_editor_is_told() {
    opened("simple_editor.tsv", json!({}));
}

#[test]
fn what_an_able_editor_is_told() {
    opened("able_editor.tsv", abilities());
}
