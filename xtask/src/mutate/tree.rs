//! The copy of the repository that mutations are tried in.
//!
//! Many mutations are built at once: the body of a function is written twice, once as it
//! is and once changed, and an environment variable says which one runs. What stands in
//! no function is changed alone, by writing the file.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::{Source, is_in_build_script};
use super::state::Mutation;

/// The variable that names the mutations which run, by their numbers between commas.
pub(super) const VARIABLE: &str = "TUNGSTEN_MUTATION";

/// A copy of the files that git knows.
pub(super) struct Tree {
    origin: PathBuf,
    pub(super) folder: PathBuf,
    files: Vec<String>,
    /// The files that may differ from the origin's.
    changed: Vec<String>,
}

/// A file as it was before a mutation was written to it.
pub(super) struct Before {
    path: String,
    text: String,
}

/// Removes the files of an earlier copy that git knows no longer: a module that became a folder
/// would be there twice.
fn remove_gone(folder: &Path, files: &[String]) -> Result<(), String> {
    let list = folder.join(".git/files");
    let earlier = std::fs::read_to_string(&list).unwrap_or_default();
    let files: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    for gone in earlier.lines().filter(|it| !files.contains(it)) {
        drop(std::fs::remove_file(folder.join(gone)));
    }
    let files: Vec<&str> = files.into_iter().collect();
    std::fs::write(&list, files.join("\n")).map_err(|error| error.to_string())
}

/// The bytes of a written file that belong to mutations, by their numbers.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) path: String,
    /// The bytes of one changed body.
    pub(super) arms: Vec<(Range<usize>, usize)>,
    /// The bytes of all forms of a body.
    pub(super) wholes: Vec<(Range<usize>, Vec<usize>)>,
}

impl Tree {
    /// Takes the folder of a copy, which is made or brought up to date as mutations are written.
    pub(super) fn new(origin: &Path, folder: PathBuf) -> Result<Self, String> {
        let list = Command::new("git").args(["ls-files", "-z"]).current_dir(origin).output();
        let list = list.map_err(|error| format!("git ls-files: {error}"))?.stdout;
        let list = String::from_utf8(list).map_err(|error| error.to_string())?;
        let files: Vec<String> = list.split_terminator('\0').map(str::to_owned).collect();
        // The boundary of a repository: what ignores the copy does not ignore its files.
        std::fs::create_dir_all(folder.join(".git")).map_err(|error| error.to_string())?;
        remove_gone(&folder, &files)?;
        let changed = files.clone();
        Ok(Self { origin: origin.to_path_buf(), folder, files, changed })
    }

    /// Makes a file equal to the origin's again.
    fn restore(&self, path: &str) -> Result<(), String> {
        match std::fs::read(self.origin.join(path)) {
            Ok(text) => self.write_bytes(path, &text),
            Err(_) => {
                drop(std::fs::remove_file(self.folder.join(path)));
                Ok(())
            }
        }
    }

    /// Returns a number that stands for all that is in the copy.
    pub(super) fn stamp(&self) -> Result<u64, String> {
        let mut hasher = DefaultHasher::new();
        for path in &self.files {
            path.hash(&mut hasher);
            match std::fs::read(self.folder.join(path)) {
                Ok(text) => text.hash(&mut hasher),
                // Git knows of a file that is gone.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{path}: {error}")),
            }
        }
        Ok(hasher.finish())
    }

    /// Writes mutations where they stand, in place of the switches of their files; nothing
    /// where a place is gone or two overlap.
    pub(super) fn apply(&mut self, mutations: &[&Mutation]) -> Result<Option<Vec<Before>>, String> {
        let mut files: BTreeMap<&str, Vec<(Range<usize>, &str)>> = BTreeMap::new();
        for mutation in mutations {
            let Some(place) = mutation.place(&self.original(&mutation.path)?) else {
                return Ok(None);
            };
            files.entry(&mutation.path).or_default().push((place, &mutation.new));
        }
        let mut texts = Vec::new();
        for (path, mut changes) in files {
            changes.sort_by_key(|change| change.0.start);
            if changes.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
                return Ok(None);
            }
            let mut text = self.original(path)?;
            for (place, new) in changes.into_iter().rev() {
                text.replace_range(place, new);
            }
            texts.push((path, text));
        }
        let mut all = Vec::new();
        for (path, mut text) in texts {
            let before = std::fs::read_to_string(self.folder.join(path));
            let before = before.map_err(|error| error.to_string())?;
            if before.ends_with(SWITCH) {
                text.push_str(SWITCH);
            }
            self.write(path, &text)?;
            all.push(Before { path: path.to_owned(), text: before });
        }
        Ok(Some(all))
    }

    /// Takes mutations back.
    pub(super) fn take_back(&mut self, before: &[Before]) -> Result<(), String> {
        before.iter().try_for_each(|it| self.write(&it.path, &it.text))
    }

    /// Writes these mutations and no others so that each can be switched on; returns what was
    /// written, and the numbers of those that cannot be switched.
    pub(super) fn apply_switched(
        &mut self,
        mutations: &[(usize, &Mutation)],
    ) -> Result<(Vec<Written>, Vec<usize>), String> {
        let mut files: BTreeMap<&str, Vec<(usize, &Mutation)>> = BTreeMap::new();
        for (number, mutation) in mutations {
            files.entry(&mutation.path).or_default().push((*number, mutation));
        }
        let (mut texts, mut written, mut refused) = (BTreeMap::new(), Vec::new(), Vec::new());
        // A build script runs before there is a switch, and reads all tables.
        let origin = &self.origin;
        files.retain(|path, list| {
            let runs_before = list.first().is_some_and(|(_, first)| {
                path.ends_with(".tsv") || is_in_build_script(origin, first.folder(), path)
            });
            if runs_before {
                refused.extend(list.iter().map(|it| it.0));
            }
            !runs_before
        });
        for (path, list) in files {
            let source = Source::new(path, self.text(path, &mut texts)?);
            let (text, places, left) = switched(&source, &list);
            texts.insert(path.to_owned(), text);
            written.push(places);
            refused.extend(left);
        }
        let roots = mutations.iter().map(|it| format!("{}/src/lib.rs", it.1.folder()));
        for root in roots.collect::<BTreeSet<_>>() {
            let text = self.text(&root, &mut texts)?;
            texts.insert(root, format!("{text}{SWITCH}"));
        }
        // A file that stays as it is keeps its time, so that it is not built again.
        for path in std::mem::take(&mut self.changed) {
            if !texts.contains_key(&path) {
                self.restore(&path)?;
            }
        }
        for (path, text) in texts {
            self.write(&path, &text)?;
        }
        Ok((written, refused))
    }

    /// Takes the text of a file as it has been changed so far.
    fn text(&self, path: &str, texts: &mut BTreeMap<String, String>) -> Result<String, String> {
        texts.remove(path).map_or_else(|| self.original(path), Ok)
    }

    fn original(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.origin.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    fn write(&mut self, path: &str, text: &str) -> Result<(), String> {
        self.changed.push(path.to_owned());
        self.write_bytes(path, text.as_bytes())
    }

    /// Writes a file where it says something else, so that nothing is built in vain.
    fn write_bytes(&self, path: &str, text: &[u8]) -> Result<(), String> {
        let file = self.folder.join(path);
        if std::fs::read(&file).is_ok_and(|old| old == text) {
            return Ok(());
        }
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        let mode = std::fs::metadata(self.origin.join(path)).map(|it| it.permissions());
        std::fs::write(&file, text).map_err(|error| format!("{path}: {error}"))?;
        match mode {
            Ok(mode) => std::fs::set_permissions(&file, mode).map_err(|error| error.to_string()),
            Err(_) => Ok(()),
        }
    }
}

/// The switch that each crate gets. Where a file for notes is named, it writes down which
/// mutations are reached.
const SWITCH: &str = r#"
pub(crate) fn mutation_is_on(number: usize) -> bool {
    use std::io::Write;
    static ON: std::sync::OnceLock<Vec<usize>> = std::sync::OnceLock::new();
    static NOTES: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    static NOTED: std::sync::Mutex<std::collections::BTreeSet<usize>> =
        std::sync::Mutex::new(std::collections::BTreeSet::new());
    if let Some(notes) = NOTES.get_or_init(|| std::env::var("TUNGSTEN_REACHED").ok()) {
        if NOTED.lock().is_ok_and(|mut noted| noted.insert(number)) {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(notes);
            if let Ok(mut file) = file {
                let _ = file.write_all(format!("{number}\n").as_bytes());
            }
        }
    }
    let on = ON.get_or_init(|| {
        let numbers = std::env::var("TUNGSTEN_MUTATION").unwrap_or_default();
        numbers.split(',').filter_map(|number| number.parse().ok()).collect()
    });
    on.contains(&number)
}
"#;

/// Writes the bodies of functions in all their forms.
fn switched(source: &Source, list: &[(usize, &Mutation)]) -> (String, Written, Vec<usize>) {
    type Form<'a> = (usize, Range<usize>, &'a str);
    let mut bodies: BTreeMap<(usize, usize), Vec<Form<'_>>> = BTreeMap::new();
    let mut refused = Vec::new();
    for (number, mutation) in list {
        let place = mutation.place(&source.text);
        match place.and_then(|place| Some((source.body(place.start)?, place))) {
            Some((body, place)) => {
                let key = (body.start, body.end);
                bodies.entry(key).or_default().push((*number, place, &mutation.new));
            }
            None => refused.push(*number),
        }
    }
    let mut written = Written { path: source.path.clone(), arms: Vec::new(), wholes: Vec::new() };
    let mut out = String::new();
    let mut copied = 0;
    for ((start, end), forms) in bodies {
        out.push_str(&source.text[copied..start]);
        let whole = out.len();
        out.push('{');
        for (number, place, new) in &forms {
            out.push_str(&format!(" if crate::mutation_is_on({number}) "));
            let arm = out.len();
            out.push_str(&source.text[start..place.start]);
            out.push_str(new);
            out.push_str(&source.text[place.end..end]);
            written.arms.push((arm..out.len(), *number));
            out.push_str(" else");
        }
        out.push_str(&format!(" {} }}", &source.text[start..end]));
        written.wholes.push((whole..out.len(), forms.iter().map(|form| form.0).collect()));
        copied = end;
    }
    out.push_str(&source.text[copied..]);
    (out, written, refused)
}
