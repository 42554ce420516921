//! The files of the site.

use std::collections::BTreeMap;
use std::path::Path;

use crate::markdown::Trying;
use crate::names::{self, Names};
use crate::page::Page;
use crate::{layout, markdown, root};

/// All files by their paths from the root of the site.
#[derive(Debug, Default)]
pub(crate) struct Site {
    files: BTreeMap<String, Vec<u8>>,
}

impl Site {
    /// A site of some files.
    #[cfg(test)]
    pub(crate) fn of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Site {
        Site { files: files.into_iter().collect() }
    }

    /// Tells whether a path is a file of the site.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The documents by their paths.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        let documents = self.files.iter().filter(|(path, _)| path.ends_with(".html"));
        documents.filter_map(|(path, bytes)| Some((&**path, std::str::from_utf8(bytes).ok()?)))
    }

    /// Adds a file.
    ///
    /// # Errors
    /// There is one at this path.
    fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), String> {
        match self.files.insert(path.to_owned(), bytes.into()) {
            None => Ok(()),
            Some(_) => Err(format!("two pages would be written to {path}")),
        }
    }
}

/// Files that are taken as they are: their places in the repository and in the site.
const ASSETS: [(&str, &str); 12] = [
    ("xtask/site/assets/style.css", "style.css"),
    ("xtask/site/assets/site.js", "site.js"),
    ("xtask/site/assets/theme.js", "theme.js"),
    ("editors/vscode/media/icon.svg", "icon.svg"),
    ("server/tungsten.schema.json", "tungsten.schema.json"),
    ("editors/vscode/media/compiled.png", "pictures/compiled.png"),
    ("editors/vscode/media/source.png", "pictures/source.png"),
    ("editors/vscode/media/comparison.png", "pictures/comparison.png"),
    ("editors/vscode/media/panel.png", "pictures/panel.png"),
    ("editors/vscode/media/debugging-nan.png", "pictures/debugging-nan.png"),
    ("editors/vscode/media/debugging-origins.png", "pictures/debugging-origins.png"),
    ("editors/vscode/media/debugging-disassembly.png", "pictures/debugging-disassembly.png"),
];

/// Renders all pages, and adds what they need and the files of the playground.
pub(crate) fn render(pages: &[Page], playground: Vec<(String, Vec<u8>)>) -> Result<Site, String> {
    let names = Names::of(pages);
    let trying = match playground.is_empty() {
        true => Trying::Nowhere,
        false => Trying::InPlayground,
    };
    let mut site = Site::default();
    for page in pages {
        let rendered = markdown::render(&page.body, &page.path, &names, trying);
        site.add(&page.path, layout::document(page, &rendered, trying))?;
    }
    site.add("names.js", names::search_index(pages))?;
    for (path, bytes) in playground {
        site.add(&path, bytes)?;
    }
    for (from, to) in ASSETS {
        let bytes = std::fs::read(root().join(from)).map_err(|why| format!("{from}: {why}"))?;
        site.add(to, bytes)?;
    }
    Ok(site)
}

/// The file by which a later run knows that a folder is its own.
const MARK: &str = "names.js";

/// Writes the site to a folder, in place of what an earlier run left there.
///
/// # Errors
/// The folder has other files, or cannot be written.
pub(crate) fn write(site: &Site, folder: &Path) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    let is_filled = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_filled {
        if !folder.join(MARK).is_file() {
            return Err(format!("{} has files that are not of the site", folder.display()));
        }
        std::fs::remove_dir_all(folder).map_err(failed)?;
    }
    for (path, bytes) in &site.files {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        std::fs::write(file, bytes).map_err(failed)?;
    }
    Ok(())
}
