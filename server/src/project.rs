//! The project's file `tungsten.toml`: settings that belong to a folder of
//! shaders and not to an editor.
//!
//! It holds the words of the editor's section `tungsten`, so there is one reader
//! for both ([`Configuration::read`]). The nearest one around a file counts. What
//! the editor or the command line sets counts more than the project, and what the
//! file itself says counts most. Beside settings it names pipelines: which files
//! hold shaders that run one after the other.

mod pipelines;
pub(crate) mod symbols;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use source::{Diagnostic, TextRange, TextSize};
use tgsi::profiles::Profile;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::configuration::Configuration;
use crate::files::{Access, Refusal};
use crate::settings::{self, By, Noun, SETTINGS, Setting, SettingKind};
use crate::{includes, trust};

/// The file's name.
pub(crate) const NAME: &str = "tungsten.toml";

/// The most bytes of it that are read.
const MOST_BYTES: usize = 1 << 18;

/// Folders around a file that are looked at, at most.
const FOLDERS: usize = 64;

/// A project's file, read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Project {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: Arc<str>,
    /// Its settings, in the words of the editor's section; paths are absolute.
    pub(crate) section: Value,
    /// The files of each pipeline that it names, in order; absolute paths.
    pub(crate) pipelines: Vec<Vec<PathBuf>>,
    /// Each mention of a file of a pipeline, quotes included, and the file.
    pub(crate) named: Vec<(TextRange, PathBuf)>,
    /// Diagnostics of it, in order of the text.
    pub(crate) problems: Vec<Diagnostic>,
}

/// The project that a folder belongs to. What its file names is read as far as `access`
/// and the project itself reach. Reads the disk.
pub(crate) fn find(folder: &Path, access: &Access) -> Option<Project> {
    let path = folder.ancestors().take(FOLDERS).map(|it| it.join(NAME)).find(|it| it.is_file())?;
    let access = access.around(&path);
    // A file is always beneath its own folder, unless it is a link.
    match access.and(path.parent()).read_text(&path, MOST_BYTES) {
        Ok(text) => Some(Project::read(path, &text, &access)),
        Err(Refusal::Missing) => None,
        Err(why) => {
            let message = format!("the file cannot be read: {why}");
            let problem =
                Diagnostic::warning(engine::PROJECT_SETTING, TextRange::default(), message);
            Some(Project { problems: vec![problem], ..Project::read(path, "", &access) })
        }
    }
}

impl Project {
    /// Reads the text of a project's file.
    pub(crate) fn read(path: PathBuf, text: &str, access: &Access) -> Project {
        let root = path.parent().unwrap_or(Path::new(""));
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut problems: Vec<Diagnostic> = errors
            .iter()
            .map(|error| {
                let range = error.span().map_or_else(TextRange::default, |it| range(text, it));
                Diagnostic::error(engine::PROJECT_SYNTAX, range, one_line(error.message()))
            })
            .collect();
        let mut table = table.into_inner();
        let named = table.remove(pipelines::KEY);
        let mut reader = Reader { text, root, access, problems: &mut problems, named: Vec::new() };
        let pipelines = named.map(|named| reader.pipelines(&named)).unwrap_or_default();
        let named = std::mem::take(&mut reader.named);
        let section = reader.table(&table, "");
        problems.sort_by_key(|problem| problem.range.start());
        Project { path, text: text.into(), section, pipelines, named, problems }
    }
}

impl Project {
    /// The pipelines that a file is a part of.
    pub(crate) fn pipelines_of(&self, path: &Path) -> Vec<Vec<PathBuf>> {
        let path = includes::normal(path);
        self.pipelines.iter().filter(|files| files.contains(&path)).cloned().collect()
    }
}

/// Turns the file's words to the editor's, and judges each by itself.
struct Reader<'a> {
    text: &'a str,
    root: &'a Path,
    access: &'a Access,
    problems: &'a mut Vec<Diagnostic>,
    /// See [`Project::named`].
    named: Vec<(TextRange, PathBuf)>,
}

impl Reader<'_> {
    /// `place` is the pointer of the table in the section. The parser bounds the depth.
    fn table(&mut self, table: &DeTable<'_>, place: &str) -> Value {
        let mut section = Map::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let place = format!("{place}/{name}");
            if let Some(message) = trust::belongs_to_user(place.trim_start_matches('/')) {
                self.complain(key.span(), message);
                continue;
            }
            if !is_known(&place) {
                let written = place.trim_start_matches('/').replace('/', ".");
                let known = of_projects().map(|it| it.key).chain([pipelines::KEY]);
                let nearest = source::closest_match(&written, known);
                let nearest = nearest.map(|it| format!("; `{it}`?")).unwrap_or_default();
                self.complain(key.span(), format!("no setting is called `{written}`{nearest}"));
                continue;
            }
            let value = match value.get_ref() {
                DeValue::Table(table) if holds_settings(&place) => self.table(table, &place),
                _ => self.value(value, &place),
            };
            section.insert(name.to_owned(), value);
        }
        Value::Object(section)
    }

    /// A setting's value. What is not understood in it is said where it stands.
    fn value(&mut self, value: &Spanned<DeValue<'_>>, place: &str) -> Value {
        if let DeValue::Array(items) = value.get_ref() {
            let items = items.iter().map(|item| {
                let one = self.plain(item.get_ref(), place);
                self.judge(item.span(), place, Value::Array(vec![one.clone()]));
                one
            });
            return Value::Array(items.collect());
        }
        let plain = self.plain(value.get_ref(), place);
        self.judge(value.span(), place, plain.clone());
        plain
    }

    fn plain(&self, value: &DeValue<'_>, place: &str) -> Value {
        match value {
            DeValue::String(word) => Value::String(self.rooted(word, place)),
            DeValue::Boolean(on) => Value::Bool(*on),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or(Value::Null, Value::from),
            DeValue::Float(number) => {
                number.as_str().parse::<f64>().map_or(Value::Null, Value::from)
            }
            // No setting is any of these: the reader says so.
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                Value::Object(Map::new())
            }
        }
    }

    /// A path is one from the project's folder.
    fn rooted(&self, word: &str, place: &str) -> String {
        let is_path = match settings::at(place).and_then(Setting::noun) {
            Some(Noun::Path) => true,
            Some(Noun::NameOrPath) => {
                Profile::find(word).is_none() && self.root.join(word).is_file()
            }
            _ => false,
        };
        match is_path && !word.is_empty() {
            true => self.root.join(word).display().to_string(),
            false => word.to_owned(),
        }
    }

    /// Has the one reader of settings look at a value alone.
    fn judge(&mut self, span: std::ops::Range<usize>, place: &str, value: Value) {
        if place == "/assembly/includeFolders" {
            let folders = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            let outside = folders.filter(|it| !self.access.reaches(Path::new(it))).count();
            if outside > 0 {
                let message = format!("nothing is read from this folder: {}", source::OUTSIDE);
                self.complain(span.clone(), message);
            }
        }
        for problem in Configuration::read(&nested(place, value), self.access).1 {
            self.complain(span.clone(), problem);
        }
    }

    fn complain(&mut self, span: std::ops::Range<usize>, message: String) {
        let range = range(self.text, span);
        self.problems.push(Diagnostic::warning(engine::PROJECT_SETTING, range, message));
    }
}

/// The settings that a project's file may hold.
fn of_projects() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|it| it.by == By::Anyone)
}

/// Says whether a table of the file is one of settings or of words that the file makes up.
fn holds_settings(place: &str) -> bool {
    let inner = format!("{place}/");
    let is_map = |it: &Setting| matches!(it.kind, SettingKind::Map { .. }) && it.pointer() == place;
    of_projects().any(|it| it.pointer().starts_with(&inner) || is_map(it))
}

/// Says whether a key of the file is a setting, a table of them, or a word in one of those.
fn is_known(place: &str) -> bool {
    let is_map = |(table, _): (&str, &str)| {
        of_projects().any(|it| matches!(it.kind, SettingKind::Map { .. }) && it.pointer() == table)
    };
    holds_settings(place)
        || of_projects().any(|it| it.pointer() == place)
        || place.rsplit_once('/').is_some_and(is_map)
}

/// A section that holds one value.
fn nested(place: &str, value: Value) -> Value {
    let names = place.trim_start_matches('/').rsplit('/');
    names.fold(value, |value, name| Value::Object(Map::from_iter([(name.to_owned(), value)])))
}

fn range(text: &str, span: std::ops::Range<usize>) -> TextRange {
    let place = |offset: usize| TextSize::new(offset.min(text.len()) as u32);
    TextRange::new(place(span.start), place(span.end.max(span.start)))
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(", ")
}

/// The settings of a project under those of an editor. Editors send the default
/// of everything that nobody set, so a default overrides nothing.
pub(crate) fn merged(project: &Value, editor: &Value, access: &Access) -> Value {
    fn over(project: &Value, editor: &Value, place: &str, access: &Access) -> Value {
        let (Value::Object(below), Value::Object(above)) = (project, editor) else {
            let alone = Configuration::read(&nested(place, editor.clone()), access).0;
            let said = alone != Configuration::default();
            return if said { editor.clone() } else { project.clone() };
        };
        let mut all = below.clone();
        for (name, value) in above {
            let place = format!("{place}/{name}");
            let value = match below.get(name) {
                Some(below) => over(below, value, &place, access),
                None => value.clone(),
            };
            all.insert(name.clone(), value);
        }
        Value::Object(all)
    }
    over(project, editor, "", access)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn project(text: &str) -> Project {
        Project::read(PathBuf::from("/p/tungsten.toml"), text, &Access::Anywhere)
    }

    fn said(text: &str) -> Vec<(String, String)> {
        let found = project(text).problems;
        found.into_iter().map(|it| (text[it.range].to_owned(), it.message)).collect()
    }

    #[test]
    fn the_words_are_those_of_the_editor() {
        let project = project(
            "targets = ['tahiti', 'vega10']\nallow = ['tgsi::comment']\nprofile = 'r600'\n\
             [assembly]\nincludeFolders = ['inc', '/abs']\ndialect = 'clrx'\n\
             symbols = ['size=4']\n\
             [severity]\n'tgsi::comment' = 'warning'\n[format]\ninstructionNumbers = 'always'\n",
        );
        assert_eq!(project.problems, []);
        let (read, problems) = Configuration::read(&project.section, &Access::Anywhere);
        assert_eq!(problems, [""; 0]);
        assert_eq!(read.targets.len(), 2);
        assert_eq!(read.assembly.symbols, [("size".to_owned(), 4)]);
        assert_eq!(read.include_folders, [PathBuf::from("/p/inc"), PathBuf::from("/abs")]);
        assert_eq!(
            read.rules.severities,
            [("tgsi::comment".to_owned(), source::Severity::Warning)]
        );
    }

    #[test]
    fn what_is_wrong_is_said_where_it_stands() {
        let found = said(
            "targets = ['tahiti', 'polaris1O']\ncompile = 'yes'\ntargts = 1\n\
             [severity]\n'tgsi::comment' = 'bad'\n[format]\ncolour = 1\n",
        );
        let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["'polaris1O'", "'yes'", "targts", "'bad'", "colour"]);
        assert!(found[0].1.contains("`polaris10`"), "{found:?}");
        assert!(found[2].1.contains("`targets`?"), "{found:?}");
        assert_eq!(project("compile = \n").problems[0].code, engine::PROJECT_SYNTAX);
        assert_eq!(
            project("compile = true\ncompile = false\n").problems[0].code,
            engine::PROJECT_SYNTAX
        );
        assert!(!said(&format!("a = {}", "[".repeat(5000))).is_empty());
    }

    #[test]
    fn an_editor_counts_more_unless_it_sends_a_default() {
        let project = json!({"targets": ["tahiti"], "compile": false, "allow": ["a"],
            "assembly": {"dialect": "clrx"}});
        let editor = json!({"targets": ["polaris10"], "compile": true, "allow": ["b"],
            "assembly": {"dialect": null, "target": "vega10"}});
        let both = merged(&project, &editor, &Access::Anywhere);
        assert_eq!(
            both,
            json!({"targets": ["tahiti"], "compile": false, "allow": ["b"],
            "assembly": {"dialect": "clrx", "target": "vega10"}})
        );
        assert_eq!(merged(&json!({}), &editor, &Access::Anywhere), editor);
    }

    #[test]
    fn the_nearest_file_counts() {
        let root = std::env::temp_dir().join(format!("tungsten-project-{}", std::process::id()));
        let inner = root.join("a/b");
        std::fs::create_dir_all(&inner).expect("made");
        std::fs::write(root.join(NAME), "compile = false\n").expect("written");
        assert_eq!(find(&inner, &Access::to([], &[])).expect("found").path, root.join(NAME));
        std::fs::write(root.join("a").join(NAME), "").expect("written");
        assert_eq!(
            find(&inner, &Access::to([], &[])).expect("found").path,
            root.join("a").join(NAME)
        );
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
