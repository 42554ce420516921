//! The JSON schema of a project's file, for editors of TOML, and of single settings.

use serde_json::{Map, Value, json};

use super::{By, Noun, Nullable, SETTINGS, Setting, SettingKind};

impl Setting {
    /// The schema of its value, in which null stands for the default.
    pub(super) fn schema(&self) -> Value {
        match &self.kind {
            SettingKind::Switch { default, .. } => json!({"type": "boolean", "default": default}),
            SettingKind::SwitchOrPath { default, .. } => {
                json!({"type": ["boolean", "string"], "default": default})
            }
            SettingKind::Choice { nullable, words } => {
                let mut names: Vec<Value> = words.iter().map(|it| it.name.into()).collect();
                let texts: Vec<&str> = words.iter().map(|it| it.text).collect();
                let mut schema = json!({"enumDescriptions": texts});
                if *nullable == Nullable::Yes {
                    names.push(Value::Null);
                    schema["type"] = json!(["string", "null"]);
                    schema["default"] = Value::Null;
                } else {
                    schema["type"] = json!("string");
                    schema["default"] = names.first().cloned().unwrap_or_default();
                }
                schema["enum"] = names.into();
                schema
            }
            SettingKind::Text { default, known, .. } => match default {
                Some(default) => {
                    let words: Vec<&str> = std::iter::once(*default).chain(known()).collect();
                    json!({"type": "string", "enum": words, "default": default})
                }
                None => json!({"type": ["string", "null"], "default": null}),
            },
            SettingKind::Number { default: Some(default), .. } => json!({
                "type": "integer", "minimum": 0, "maximum": u16::MAX, "default": default
            }),
            SettingKind::Number { .. } => json!({
                "type": ["integer", "null"], "minimum": 0, "maximum": u16::MAX, "default": null
            }),
            SettingKind::List { of, default, .. } => {
                let mut items = json!({"type": "string"});
                if *of == Noun::Symbol {
                    items["pattern"] = r"^[A-Za-z_.$][\w.$]*=-?(0x[0-9a-fA-F]+|\d+)$".into();
                }
                json!({"type": "array", "items": items, "uniqueItems": true, "default": default})
            }
            SettingKind::Map { values, .. } => {
                let mut schema = values();
                schema["type"] = json!("object");
                schema["default"] = json!({});
                schema
            }
        }
    }
}

/// The schema of `tungsten.toml` in the folder of a project.
pub(crate) fn project() -> Value {
    let mut root = table();
    root["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    root["title"] = json!("tungsten.toml");
    root["properties"]["pipeline"] = json!({
        "type": "array",
        "description": "Files whose shaders run one after the other.",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["files"],
            "properties": {"files": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "maxItems": 5,
                "description": "The files in order of their stages, from the folder of this file.",
            }},
        },
    });
    for setting in SETTINGS.iter().filter(|it| it.by == By::Anyone) {
        let mut schema = without_null(setting.schema());
        schema["description"] = setting.text.into();
        let (tables, name) = setting.key.rsplit_once('.').unwrap_or(("", setting.key));
        let mut place = &mut root;
        for table_name in tables.split('.').filter(|it| !it.is_empty()) {
            let inner = &mut place["properties"][table_name];
            if inner.is_null() {
                *inner = table();
            }
            place = inner;
        }
        place["properties"][name] = schema;
    }
    root
}

fn table() -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": Map::new()})
}

/// A schema for TOML, which has no null.
fn without_null(mut schema: Value) -> Value {
    if schema["default"].is_null() {
        schema.as_object_mut().map(|it| it.remove("default"));
    }
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|it| !it.is_null());
    }
    let types = schema["type"].as_array().map(|them| {
        let mut types = them.iter().filter(|it| *it != "null").cloned();
        let first = types.next();
        let rest: Vec<Value> = types.collect();
        first.filter(|_| rest.is_empty())
    });
    if let Some(Some(only)) = types {
        schema["type"] = only;
    }
    schema
}
