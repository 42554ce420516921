//! The engine in a page: one text, and what editors ask of it.
//!
//! Answers are JSON. Places are those of the page's editor: code units of UTF-16. There is one
//! thread, and the page runs it in a worker, which it ends and starts again where a question takes
//! too long.

mod costs;
mod machine_code;
mod places;
mod run;

use std::sync::Arc;

use engine::ide::{FormatNumbers, FormatScope, SemanticKind};
use engine::{AssemblySettings, FileId, Host, Language, Settings, Snapshot};
use gcn::Target;
use serde_json::{Value, json};
use source::{Severity, TextRange, TextSize, apply_edits};
use wasm_bindgen::prelude::wasm_bindgen;

use places::Places;

/// The engine with the text of the page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Playground {
    host: Host,
    files: [FileId; 2],
    language: Language,
    target: Target,
    text: Arc<str>,
    places: Places,
}

impl Default for Playground {
    fn default() -> Playground {
        let mut host = Host::new(Settings::default());
        let files = [("page.tgsi", Language::Tgsi), ("page.gcn", Language::Gcn)];
        let files = files.map(|(name, language)| host.set_file(name, Arc::from(""), language));
        Playground {
            host,
            files,
            language: Language::Tgsi,
            target: Target::default(),
            text: Arc::from(""),
            places: Places::of(""),
        }
    }
}

#[wasm_bindgen]
impl Playground {
    /// An engine with an empty text.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Playground {
        Playground::default()
    }

    /// Takes a text, its language (`tgsi` or `gcn`) and the chip that assembly is for.
    pub fn set(&mut self, text: &str, language: &str, target: &str) {
        self.language = if language == "gcn" { Language::Gcn } else { Language::Tgsi };
        let target = Target::find(target).unwrap_or_default();
        if target != self.target {
            self.target = target;
            let assembly = AssemblySettings { target: Some(target), ..AssemblySettings::default() };
            self.host.set_settings(Settings {
                targets: vec![target],
                assembly,
                ..Settings::default()
            });
        }
        self.text = Arc::from(text);
        self.places = Places::of(text);
        let name = match self.language {
            Language::Tgsi => "page.tgsi",
            Language::Gcn => "page.gcn",
        };
        self.host.set_file(name, Arc::clone(&self.text), self.language);
    }

    /// The problems: `[{from, to, severity, code, message, fixes: [{title, edits}]}]`.
    pub fn diagnostics(&self) -> String {
        let (snapshot, file) = self.ask();
        let found = snapshot.all_diagnostics(file).unwrap_or_default();
        let shown = found.iter().map(|diagnostic| {
            let (from, to) = self.places.range(diagnostic.range);
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "info",
            };
            let fixes = diagnostic.fixes.iter().map(|fix| {
                let edits = fix.edits.iter().map(|edit| {
                    let (from, to) = self.places.range(edit.range);
                    json!({ "from": from, "to": to, "insert": edit.insert })
                });
                json!({ "title": fix.title, "edits": edits.collect::<Vec<_>>() })
            });
            json!({
                "from": from,
                "to": to,
                "severity": severity,
                "code": diagnostic.code.0,
                "message": diagnostic.message,
                "fixes": fixes.collect::<Vec<_>>(),
            })
        });
        Value::Array(shown.collect()).to_string()
    }

    /// The coloured words: `[from, to, class]` for each, one after the other.
    pub fn tokens(&self) -> String {
        let (snapshot, file) = self.ask();
        let whole = TextRange::up_to(TextSize::of(&*self.text));
        let tokens = snapshot.semantic_tokens(file, whole).unwrap_or_default();
        let all = tokens.iter().map(|token| {
            let (from, to) = self.places.range(token.range);
            json!([from, to, class(token.kind)])
        });
        Value::Array(all.collect()).to_string()
    }

    /// The hover of a place: `{from, to, markdown}` or null.
    pub fn hover(&self, place: u32) -> String {
        let (snapshot, file) = self.ask();
        let hover = snapshot.hover(file, self.places.offset(place)).ok().flatten();
        let shown = hover.map(|hover| {
            let (from, to) = self.places.range(hover.range);
            json!({ "from": from, "to": to, "markdown": hover.markdown })
        });
        shown.unwrap_or_default().to_string()
    }

    /// The completions at a place: `{from, items: [{label, detail, insert}]}` or null.
    pub fn completion(&self, place: u32) -> String {
        let (snapshot, file) = self.ask();
        let completion = snapshot.completion(file, self.places.offset(place)).ok().flatten();
        let shown = completion.map(|completion| {
            let (from, to) = self.places.range(completion.replace);
            let items = completion.items.iter().map(
                |item| json!({ "label": item.label, "detail": item.detail, "insert": item.insert }),
            );
            json!({ "from": from, "to": to, "items": items.collect::<Vec<_>>() })
        });
        shown.unwrap_or_default().to_string()
    }

    /// The text in canonical layout.
    pub fn formatted(&self) -> String {
        let (snapshot, file) = self.ask();
        let edits = snapshot.formatting(file, FormatNumbers::Keep, FormatScope::Whole);
        apply_edits(&self.text, &edits.unwrap_or_default()).unwrap_or_else(|| self.text.to_string())
    }

    /// The costs of assembly, or of nothing in a text of TGSI.
    pub fn costs(&self) -> String {
        let (snapshot, file) = self.ask();
        costs::json(&snapshot.code_costs(file).unwrap_or_default()).to_string()
    }

    /// The machine code of assembly: `[{line, offset, words}]`, lines from 0.
    pub fn machine_code(&self) -> String {
        machine_code::assembled(&self.text, self.target).to_string()
    }

    /// The values that a shader computes on inputs in TOML, by line and lane.
    pub fn run(&self, inputs: &str) -> String {
        run::json(&self.text, inputs).to_string()
    }

    /// The instructions of machine code in hexadecimal digits: `{text}` or `{error}`.
    pub fn disassembled(&self, digits: &str) -> String {
        match machine_code::disassembled(digits, self.target) {
            Ok(text) => json!({ "text": text }),
            Err(error) => json!({ "error": error }),
        }
        .to_string()
    }
}

impl Playground {
    fn ask(&self) -> (Snapshot, FileId) {
        let [tgsi, gcn] = self.files;
        let file = match self.language {
            Language::Tgsi => tgsi,
            Language::Gcn => gcn,
        };
        (self.host.snapshot(), file)
    }
}

/// Returns the class of a word in the page's style sheet.
fn class(kind: SemanticKind) -> &'static str {
    match kind {
        SemanticKind::Keyword | SemanticKind::Macro => "k",
        SemanticKind::Opcode => "o",
        SemanticKind::File | SemanticKind::Register => "r",
        SemanticKind::Word | SemanticKind::Property | SemanticKind::Modifier => "w",
        SemanticKind::Symbol | SemanticKind::Parameter | SemanticKind::Label => "s",
        SemanticKind::Components => "m",
        SemanticKind::Number | SemanticKind::Text => "n",
        SemanticKind::Comment => "c",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 0.5, 1.0, 0.0, 2.0 }\n\
                          # é\nMVO OUT[0], IMM[0]\nEND\n";

    fn with(text: &str, language: &str) -> Playground {
        let mut playground = Playground::new();
        playground.set(text, language, "polaris10");
        playground
    }

    fn parsed(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn problems_are_at_the_places_of_the_page() {
        let found = parsed(&with(SHADER, "tgsi").diagnostics());
        let found = found.as_array().unwrap();
        let unknown = found.iter().find(|it| it["code"] == "tgsi::unknown-opcode").unwrap();
        let place = SHADER.chars().take_while(|sign| *sign != 'é').count() + 2;
        assert_eq!(unknown["from"], place);
        assert_eq!(unknown["fixes"][0]["edits"][0]["insert"], "MOV");
    }

    #[test]
    fn a_fixed_text_runs() {
        let text = SHADER.replace("MVO", "MOV");
        let playground = with(&text, "tgsi");
        assert!(!playground.diagnostics().contains("error"), "{}", playground.diagnostics());
        let run = parsed(&playground.run(""));
        let step = &run["steps"][0];
        assert_eq!(
            (&step["line"], &step["values"][0]),
            (&json!(4), &json!(["x", "0.5", "0.5", "0.5", "0.5"]))
        );
        assert!(playground.hover(5).contains("DCL"));
        assert!(parsed(&playground.completion(text.len() as u32 - 4))["items"].is_array());
    }

    #[test]
    fn assembly_has_code_and_costs() {
        let text = "v_mov_b32 v1, 1.0\ns_endpgm\n";
        let playground = with(text, "gcn");
        let code = parsed(&playground.machine_code());
        assert_eq!(code[0], json!({ "line": 0, "offset": 0, "words": "7e0202f2" }));
        let costs = parsed(&playground.costs());
        assert_eq!(costs[0]["chips"][0]["target"], "polaris10");
        let back = parsed(&playground.disassembled("f202027e 000081bf"));
        assert_eq!(back["text"], "v_mov_b32_e32 v1, 1.0\ns_endpgm\n");
        assert!(parsed(&playground.disassembled("xyz"))["error"].is_string());
    }
}
