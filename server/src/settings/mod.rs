//! Settings, each described once: [`SETTINGS`]. The reader of editors' sections and of
//! projects' files, the JSON schema, the pages and the clients' lists are made of it.

pub(crate) mod schema;
mod table;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::configuration::Configuration;
use crate::files::Access;
use SettingKind::{Choice, List, Map, Number, Switch, SwitchOrPath, Text};
pub(crate) use table::{ANY_DIALECT, SETTINGS};

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its name in the section `tungsten`, parts between points.
    pub(crate) key: &'static str,
    /// The values that it takes, and the place in a [`Configuration`] that they go to.
    pub(crate) kind: SettingKind,
    /// The people and programs whose word counts.
    pub(crate) by: By,
    /// The first version that has it, for the pages.
    #[cfg_attr(not(test), expect(dead_code, reason = "only pages show it"))]
    pub(crate) since: &'static str,
    /// Its description, in Markdown.
    pub(crate) text: &'static str,
}

/// The values that a setting takes. Null, and an empty text, are the default.
#[derive(Debug)]
pub(crate) enum SettingKind {
    /// True or false.
    Switch { default: bool, put: fn(&mut Configuration, bool) },
    /// True, false or a folder, of which a section only says the first two.
    SwitchOrPath { default: bool, put: fn(&mut Configuration, bool) },
    /// One of some words; the first is the default, unless null is.
    Choice { nullable: Nullable, words: &'static [ChoiceWord] },
    /// A text.
    Text {
        of: Noun,
        /// The word that is as good as none.
        default: Option<&'static str>,
        /// All words that there are, where they can be listed.
        known: fn() -> Vec<&'static str>,
        put: fn(&mut Reading<'_>, &str),
    },
    /// A number from 0 to 65535.
    Number { of: &'static str, default: Option<u16>, put: fn(&mut Configuration, u16) },
    /// Texts, taken one by one.
    List { of: Noun, default: &'static [&'static str], put: fn(&mut Reading<'_>, &str) },
    /// Values by names, taken one by one.
    Map { of: &'static str, values: fn() -> Value, put: fn(&mut Reading<'_>, &str, &Value) },
}

/// A choice left open: allowed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nullable {
    /// By null, which is then the default.
    Yes,
    /// No: one word is the default.
    No,
}

/// A word of a choice.
#[derive(Debug)]
pub(crate) struct ChoiceWord {
    pub(crate) name: &'static str,
    /// Its meaning, in a sentence.
    pub(crate) text: &'static str,
    pub(crate) put: fn(&mut Configuration),
}

/// The meaning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noun {
    /// Something that Tungsten knows.
    Name,
    /// A file or folder, from the folder of the file that names it.
    Path,
    /// A name that Tungsten knows, else a file.
    NameOrPath,
    /// A diagnostic.
    Code,
    /// Files, as `.gitignore` does.
    Pattern,
    /// A symbol of assembly and its value.
    Symbol,
}

impl Noun {
    /// Its word, as it follows "a".
    fn one(self) -> &'static str {
        match self {
            Noun::Name => "name",
            Noun::Path => "path",
            Noun::NameOrPath => "name, a path",
            Noun::Code => "code",
            Noun::Pattern => "pattern",
            Noun::Symbol => "NAME=VALUE",
        }
    }

    /// Its word, as it follows "a list of".
    fn many(self) -> String {
        if self == Noun::Symbol { self.one().to_owned() } else { format!("{}s", self.one()) }
    }
}

/// The people and programs whose word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The user alone, in the own file or by other ways, which are told.
    User(&'static str),
    /// An editor that diagnostics are pushed to, and no project. VS Code pulls.
    Pushed,
    /// An editor and a project's file.
    Anyone,
}

/// A section that is being read.
pub(crate) struct Reading<'a> {
    pub(crate) configuration: Configuration,
    /// The reach of the files that it names.
    pub(crate) access: &'a Access,
    /// A sentence for each value that was not understood.
    pub(crate) problems: Vec<String>,
}

/// The setting at a place of a section, as a JSON pointer names it.
pub(crate) fn at(pointer: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|it| it.pointer() == pointer)
}

impl Setting {
    /// Its place in a section.
    pub(crate) fn pointer(&self) -> String {
        format!("/{}", self.key.replace('.', "/"))
    }

    /// The meaning of its texts, if it takes any.
    pub(crate) fn noun(&self) -> Option<Noun> {
        match self.kind {
            Text { of, .. } | List { of, .. } => Some(of),
            _ => None,
        }
    }

    /// The shape of its values, in words that follow "must be".
    pub(crate) fn shape(&self) -> String {
        match &self.kind {
            Switch { .. } => "true or false".to_owned(),
            SwitchOrPath { .. } => "true, false or a path".to_owned(),
            Choice { nullable, words } => {
                let mut words: Vec<&str> = words.iter().map(|it| it.name).collect();
                words.extend((*nullable == Nullable::Yes).then_some("null"));
                let last = words.pop().unwrap_or_default();
                format!("{} or {last}", words.join(", "))
            }
            Text { of, .. } => format!("a {} or null", of.one()),
            Number { of, default: None, .. } => format!("{of}, from 0, or null"),
            Number { of, .. } => format!("{of}, from 0"),
            List { of, .. } => format!("a list of {}", of.many()),
            Map { of, .. } => format!("a table of {of}"),
        }
    }

    /// Takes its value from a section into what is read, and its default from one without.
    pub(crate) fn read(&self, section: &Value, reading: &mut Reading<'_>) {
        let said = section.pointer(&self.pointer()).unwrap_or(&Value::Null);
        let empty = said.is_null() || said.as_str().is_some_and(str::is_empty);
        match (&self.kind, said) {
            (Switch { put, .. } | SwitchOrPath { put, .. }, Value::Bool(on)) => {
                put(&mut reading.configuration, *on);
                return;
            }
            (Choice { words, .. }, Value::String(word)) => {
                if let Some(word) = words.iter().find(|it| it.name == word) {
                    (word.put)(&mut reading.configuration);
                    return;
                }
            }
            (Text { put, default, .. }, Value::String(word)) if !empty => {
                if default.is_none_or(|default| word != default) {
                    put(reading, word);
                }
                return;
            }
            (Number { put, .. }, Value::Number(number)) => {
                if let Some(number) = number.as_u64().and_then(|it| u16::try_from(it).ok()) {
                    put(&mut reading.configuration, number);
                    return;
                }
            }
            (List { put, .. }, Value::Array(items)) => {
                items.iter().for_each(|item| match item.as_str() {
                    Some(word) => put(reading, word),
                    None => reading.complain(self),
                });
                return;
            }
            (Map { put, .. }, Value::Object(values)) => {
                values.iter().for_each(|(name, value)| put(reading, name, value));
                return;
            }
            _ => {}
        }
        // A folder is the user's to name, elsewhere.
        let is_folder = matches!(self.kind, SwitchOrPath { .. }) && said.is_string();
        if !empty && !is_folder {
            reading.complain(self);
        }
        self.take_default(reading);
    }

    fn take_default(&self, reading: &mut Reading<'_>) {
        let configuration = &mut reading.configuration;
        match &self.kind {
            Switch { default, put } | SwitchOrPath { default, put } => {
                put(configuration, *default);
            }
            Choice { nullable: Nullable::No, words } => {
                words.first().into_iter().for_each(|word| (word.put)(configuration));
            }
            List { default, put, .. } => default.iter().for_each(|word| put(reading, word)),
            Number { default: Some(default), put, .. } => {
                put(&mut reading.configuration, *default);
            }
            Choice { .. } | Text { .. } | Number { .. } | Map { .. } => {}
        }
    }
}

impl Reading<'_> {
    fn complain(&mut self, setting: &Setting) {
        let problem = format!("`tungsten.{}` must be {}", setting.key, setting.shape());
        self.problems.push(problem);
    }
}
