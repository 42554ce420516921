//! The tables `[[pipeline]]` of a project's file:
//!
//! ```toml
//! [[pipeline]]
//! files = ["shadow.vert.tgsi", "shadow.frag.tgsi"]
//! ```
//!
//! The shaders of the files, in order, are the stages. They are tables of the
//! project and no settings: an editor names no files.

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Reader, range};
use crate::files::Refusal;
use crate::includes;

/// The tables' name.
pub(super) const KEY: &str = "pipeline";
/// The key in each that names the files.
const FILES: &str = "files";

/// The most pipelines that are read, and the most files of each; a pipeline has
/// five stages.
const MOST: usize = 1000;
const MOST_FILES: usize = 5;

impl Reader<'_> {
    /// The files of each pipeline, those left out with which something is wrong.
    pub(super) fn pipelines(&mut self, named: &Spanned<DeValue<'_>>) -> Vec<Vec<PathBuf>> {
        let DeValue::Array(tables) = named.get_ref() else {
            self.complain(named.span(), format!("`{KEY}` is written `[[{KEY}]]`, once for each"));
            return Vec::new();
        };
        let mut pipelines = Vec::new();
        for table in tables.iter().take(MOST) {
            match table.get_ref() {
                DeValue::Table(table) => pipelines.extend(self.pipeline(table, named.span())),
                _ => self.complain(table.span(), format!("`{KEY}` must be tables")),
            }
        }
        pipelines
    }

    fn pipeline(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Vec<PathBuf>> {
        for key in table.keys().filter(|key| key.get_ref() != FILES) {
            let message = format!("a pipeline has `{FILES}` and no `{}`", key.get_ref());
            self.complain(key.span(), message);
        }
        let Some(files) = table.get(FILES) else {
            self.complain(span, format!("a pipeline names its `{FILES}`"));
            return None;
        };
        let DeValue::Array(words) = files.get_ref() else {
            self.complain(files.span(), format!("`{FILES}` must be a list of paths"));
            return None;
        };
        if words.is_empty() || words.len() > MOST_FILES {
            self.complain(files.span(), format!("a pipeline has 1 to {MOST_FILES} files"));
            return None;
        }
        let read = words.iter().map(|word| self.stage(word)).collect::<Vec<_>>();
        read.into_iter().collect()
    }

    fn stage(&mut self, word: &Spanned<DeValue<'_>>) -> Option<PathBuf> {
        let DeValue::String(name) = word.get_ref() else {
            self.complain(word.span(), format!("`{FILES}` must be a list of paths"));
            return None;
        };
        let path = includes::normal(&self.root.join(name.as_ref()));
        self.named.push((range(self.text, word.span()), path.clone()));
        match self.access.find(&path) {
            Ok(()) => Some(path),
            Err(Refusal::Missing) => {
                self.complain(word.span(), format!("there is no file `{name}`"));
                None
            }
            Err(why) => {
                self.complain(word.span(), format!("`{name}` cannot be read: {why}"));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Project;
    use crate::files::Access;

    #[test]
    fn files_are_named_from_the_projects_folder() {
        let root = std::env::temp_dir().join(format!("tungsten-pipelines-{}", std::process::id()));
        std::fs::create_dir_all(root.join("a")).expect("made");
        for name in ["a/one.tgsi", "two.tgsi"] {
            std::fs::write(root.join(name), "").expect("written");
        }
        let read = |text: &str| Project::read(root.join("tungsten.toml"), text, &Access::Anywhere);
        let good = read("[[pipeline]]\nfiles = ['a/../a/one.tgsi', './two.tgsi']\n");
        assert_eq!(good.problems, []);
        let (one, two) = (root.join("a/one.tgsi"), root.join("two.tgsi"));
        assert_eq!(good.pipelines, [[one.clone(), two]]);
        assert_eq!(good.pipelines_of(&root.join("a/./one.tgsi")).len(), 1);
        assert!(good.pipelines_of(Path::new("/elsewhere")).is_empty());
        for (text, place) in [
            ("pipeline = 1", "1"),
            ("[pipeline]\nfiles = []", "[pipeline]"),
            ("[[pipeline]]\nfiles = ['none']", "'none'"),
            ("[[pipeline]]\nfiles = [1]", "1"),
            ("[[pipeline]]\nfiles = []", "[]"),
            ("[[pipeline]]\nfiles = 'a'", "'a'"),
            ("[[pipeline]]\nfiles = ['two.tgsi']\nname = 'x'", "name"),
            ("[[pipline]]\nfiles = ['two.tgsi']", "pipline"),
        ] {
            let wrong = read(text);
            assert_eq!(wrong.problems.len(), 1, "{text}: {:?}", wrong.problems);
            let range = wrong.problems[0].range;
            assert_eq!(&text[range], place, "{:?}", wrong.problems);
        }
        assert!(read("pipline = 1").problems[0].message.contains("`pipeline`?"));
        assert_eq!(read("[[pipeline]]").problems.len(), 1);
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
