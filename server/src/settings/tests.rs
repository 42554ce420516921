//! Texts that are made of the settings for people and for the clients. `UPDATE_EXPECT=1 cargo test
//! -p tungsten-lsp --lib settings` writes it anew.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use engine::environment_keys::KEYS;
use expect_test::expect_file;
use serde_json::{Value, json};

use crate::configuration::Configuration;
use crate::files::Access;
use crate::project::Project;

use super::{By, Noun, Nullable, SETTINGS, Setting, SettingKind, schema};

/// A line for the heads of files.
const MADE: &str = "Made of `server/src/settings/table.rs` by its tests";

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(path).expect("readable")
}

/// A text with what stands between two marks replaced, the marks excepted.
fn between(text: &str, marks: [&str; 2], inside: &str) -> String {
    let (before, rest) = text.split_once(marks[0]).expect(marks[0]);
    let (_, after) = rest.split_once(marks[1]).expect(marks[1]);
    [before, marks[0], inside, marks[1], after].concat()
}

/// Words in lines of at most so many bytes, each behind a margin.
fn wrapped(text: &str, margin: &str, most: usize) -> String {
    let mut lines = vec![margin.to_owned()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("one");
        if last.len() + 1 + word.len() > most && last.len() > margin.len() {
            lines.push(format!("{margin}{word}"));
        } else {
            let blank = if last.len() > margin.len() { " " } else { "" };
            let _ = write!(last, "{blank}{word}");
        }
    }
    lines.join("\n")
}

/// The first words of those that a client sends to the server, once each.
fn sent(clients: impl Fn(By) -> bool) -> Vec<&'static str> {
    let mut words = Vec::new();
    for setting in SETTINGS.iter().filter(|it| clients(it.by)) {
        let word = setting.key.split('.').next().unwrap_or_default();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

impl Setting {
    fn default_value(&self) -> Value {
        self.schema()["default"].clone()
    }

    /// Its table and its name in that.
    fn parts(&self) -> (&'static str, &'static str) {
        self.key.rsplit_once('.').unwrap_or(("", self.key))
    }
}

#[test]
fn the_page_lists_every_setting() {
    let mut page = format!(
        "# Settings\n\n{MADE}.\n\nA project's `tungsten.toml` and the section `tungsten` of an \
         editor have the same keys. How they meet\nis in [README.md](README.md#settings), who may \
         say what in [SECURITY.md](../SECURITY.md).\n`tungsten schema` prints the JSON schema of \
         `tungsten.toml`, which is in\n[tungsten.schema.json](tungsten.schema.json).\n\n\
         | key | value | default | counts from | since | meaning |\n|---|---|---|---|---|---|\n"
    );
    for setting in SETTINGS {
        let by = match setting.by {
            By::User(ways) => format!("the user's own file, {}", ways.replace(" or ", ", ")),
            By::Pushed => "an editor that does not pull diagnostics".to_owned(),
            By::Anyone => "a project, an editor".to_owned(),
        };
        let Setting { key, since, text, .. } = setting;
        let (shape, default) = (setting.shape(), setting.default_value());
        let _ = writeln!(page, "| `{key}` | {shape} | `{default}` | {by} | {since} | {text} |");
    }
    page += "\n## Words\n\n| key | word | meaning |\n|---|---|---|\n";
    for setting in SETTINGS {
        if let SettingKind::Choice { words, .. } = &setting.kind {
            for word in *words {
                let _ = writeln!(page, "| `{}` | `{}` | {} |", setting.key, word.name, word.text);
            }
        }
    }
    page += "\n## Environment\n\nThe keys of `environment`, and of lines `# tungsten: KEY=VALUE`.\n\n\
             | key | takes | meaning |\n|---|---|---|\n";
    for key in KEYS {
        let _ = writeln!(page, "| `{}` | {} | {} |", key.name, key.values.text(), key.description);
    }
    expect_file!["../../SETTINGS.md"].assert_eq(&page);
}

#[test]
fn the_schema_is_that_of_the_settings() {
    let schema = format!("{:#}\n", schema::project());
    expect_file!["../../tungsten.schema.json"].assert_eq(&schema);
}

#[test]
fn the_example_shows_every_setting_of_a_project() {
    let mut example = format!(
        "#:schema ../server/tungsten.schema.json\n\n\
         # Settings for the files in this folder and below, each with its default.\n# {MADE}.\n"
    );
    let mut known = "";
    let (alone, in_tables): (Vec<&Setting>, Vec<&Setting>) = SETTINGS
        .iter()
        .filter(|it| it.by == By::Anyone)
        .partition(|it| it.parts().0.is_empty() && !matches!(it.kind, SettingKind::Map { .. }));
    for setting in alone.into_iter().chain(in_tables) {
        let (table, name) = setting.parts();
        let text = wrapped(setting.text, "# ", 88);
        if matches!(setting.kind, SettingKind::Map { .. }) {
            known = setting.key;
            let _ = writeln!(example, "\n{text}\n[{known}]");
            continue;
        }
        if table != known {
            known = table;
            let _ = writeln!(example, "\n[{table}]");
        }
        let default = match (setting.default_value(), &setting.kind) {
            (Value::Null, SettingKind::Number { .. }) => json!(0),
            (Value::Null, _) => json!(""),
            (default, _) => default,
        };
        let _ = writeln!(example, "\n{text}\n# {name} = {default}");
    }
    expect_file!["../../../examples/tungsten.toml"].assert_eq(&example);

    let values = example.lines().map(|line| match line.strip_prefix("# ") {
        Some(value)
            if SETTINGS.iter().any(|it| value.starts_with(&format!("{} = ", it.parts().1))) =>
        {
            value
        }
        _ => line,
    });
    let values: Vec<&str> = values.filter(|line| *line != "lane = 0").collect();
    let access = Access::Anywhere;
    let section = Project::read("/p/tungsten.toml".into(), &values.join("\n"), &access);
    assert_eq!(section.problems, []);
    let read = Configuration::read(&section.section, &access);
    assert_eq!(read, (Configuration::default(), Vec::new()));
}

/// The extension's manifest, read before a test writes it: one that reads it meanwhile could find
/// a part.
static PACKAGE: LazyLock<String> = LazyLock::new(|| file("editors/vscode/package.json"));

/// The manifest with the settings of the table.
fn package() -> String {
    let own: Vec<&Setting> = SETTINGS.iter().filter(|it| it.by != By::Pushed).collect();
    let names_files = |it: &Setting| matches!(it.noun(), Some(Noun::Path | Noun::NameOrPath));
    let properties = own.iter().map(|setting| {
        let mut property = setting.schema();
        property["markdownDescription"] = setting.text.into();
        property["scope"] = match setting.by {
            By::User(_) => "machine".into(),
            _ if names_files(setting) => "machine-overridable".into(),
            _ => "resource".into(),
        };
        let property = format!("{property:#}").replace('\n', "\n        ");
        format!("\n        \"tungsten.{}\": {property},", setting.key)
    });
    let restricted = own.iter().filter(|it| it.by == By::Anyone && names_files(it));
    let restricted: Vec<String> =
        restricted.map(|it| format!("\n        \"tungsten.{}\"", it.key)).collect();
    let package =
        between(&PACKAGE, ["\"restrictedConfigurations\": [", "\n      ]"], &restricted.join(","));
    let first = "\n        \"tungsten.decorations\": {";
    let marks = ["\"title\": \"Tungsten\",\n      \"properties\": {", first];
    between(&package, marks, &properties.collect::<String>())
}

#[test]
fn the_extension_contributes_every_setting_but_those_for_others() {
    expect_file!["../../../editors/vscode/package.json"].assert_eq(&package());

    let words: String =
        sent(|by| by == By::Anyone).iter().map(|word| format!("    \"{word}\",\n")).collect();
    let list = format!(
        "// The settings that the server reads, by their first words.\n// {MADE}.\n\n\
         export const serverSettings = [\n{words}] as const;\n"
    );
    expect_file!["../../../editors/vscode/src/settings.ts"].assert_eq(&list);
}

#[test]
fn the_extension_takes_no_program_of_a_workspace() {
    let package: Value = serde_json::from_str(&package()).expect("JSON");
    let untrusted = &package["capabilities"]["untrustedWorkspaces"];
    assert_eq!(untrusted["supported"], "limited");
    let properties = &package["contributes"]["configuration"]["properties"];
    for key in ["tungsten.server.path", "tungsten.llvm", "tungsten.cache"] {
        assert_eq!(properties[key]["scope"], "machine", "{key}");
    }
}

/// A type of the annotations of the Lua language server.
fn lua_type(kind: &SettingKind) -> String {
    match kind {
        SettingKind::Switch { .. } => "boolean".to_owned(),
        SettingKind::SwitchOrPath { .. } => "boolean|string".to_owned(),
        SettingKind::Choice { words, .. } => {
            let words: Vec<String> = words.iter().map(|it| format!("'{}'", it.name)).collect();
            words.join("|")
        }
        SettingKind::Text { .. } => "string".to_owned(),
        SettingKind::Number { .. } => "integer".to_owned(),
        SettingKind::List { .. } => "string[]".to_owned(),
        SettingKind::Map { .. } => "table<string, any>".to_owned(),
    }
}

#[test]
fn neovim_knows_every_setting() {
    let mut classes: Vec<(&str, String)> = vec![("", String::new())];
    for setting in SETTINGS {
        let (table, name) = setting.parts();
        if classes.iter().all(|(known, _)| *known != table) {
            let field = format!("---@field {table}? tungsten.settings.{table}\n");
            classes[0].1 += &field;
            classes.push((table, String::new()));
        }
        let class = classes.iter_mut().find(|(known, _)| *known == table).expect("put in");
        let (first, _) = setting.text.split_once(". ").unwrap_or((setting.text, ""));
        let first = first.trim_end_matches('.');
        let _ = writeln!(class.1, "---@field {name}? {} {first}", lua_type(&setting.kind));
    }
    let mut page = format!("--- The settings that the server reads.\n--- {MADE}.\n");
    for (table, fields) in classes.iter().rev() {
        let name = if table.is_empty() { "Settings" } else { &format!("settings.{table}") };
        let _ = write!(page, "\n---@class tungsten.{name}\n{fields}");
    }
    page += "\n--- Those that are sent to it, by their first words.\nreturn {\n";
    for word in sent(|by| !matches!(by, By::User(_))) {
        let _ = writeln!(page, "  '{word}',");
    }
    page += "}\n";
    expect_file!["../../../editors/nvim/lua/tungsten/settings.lua"].assert_eq(&page);

    let mut list = String::new();
    for setting in SETTINGS {
        let text = wrapped(setting.text, "    ", 78);
        let head = format!(
            "`{}`: {}, by default {}",
            setting.key,
            setting.shape(),
            setting.default_value()
        );
        let _ = write!(list, "{}\n{text}\n\n", wrapped(&head, "", 78));
    }
    let help = file("editors/nvim/doc/tungsten.txt");
    let help = between(&help, ["*tungsten-settings*\n\n", "The server takes `llvm`"], &list);
    expect_file!["../../../editors/nvim/doc/tungsten.txt"].assert_eq(&help);
}

#[test]
fn each_setting_is_read_and_says_what_it_must_be() {
    let access = Access::Anywhere;
    for setting in SETTINGS.iter().filter(|it| !matches!(it.by, By::User(_))) {
        let nested = |value: Value| {
            let parts = setting.key.rsplit('.');
            parts.fold(value, |value, name| json!({ name: value }))
        };
        let read = |value: Value| Configuration::read(&nested(value), &access);
        for wrong in [json!([1]), json!({"no": {}})] {
            let (_, problems) = read(wrong.clone());
            assert_eq!(problems.len(), 1, "{}: {wrong}", setting.key);
        }
        let usual = Configuration::default();
        assert_eq!(read(setting.default_value()), (usual, Vec::new()), "{}", setting.key);
        let nullable = matches!(setting.kind, SettingKind::Choice { nullable: Nullable::Yes, .. });
        assert!(!nullable || setting.shape().ends_with("or null"), "{}", setting.key);
    }
}

#[test]
fn other_editors_are_shown_settings_that_exist() {
    for (editor, before) in [("emacs", "'(:tungsten (:"), ("helix", "tungsten.config]\n")] {
        let page = file(&format!("editors/{editor}/README.md"));
        assert!(page.contains("../../server/SETTINGS.md"), "{editor}");
        let (_, rest) = page.split_once(before).expect(before);
        let name = rest.split(' ').next().unwrap_or_default();
        assert!(SETTINGS.iter().any(|it| it.key == name), "{editor}: {name}");
    }
}
