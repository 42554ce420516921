//! Looking through the folders of a workspace: which files of ours they hold, what stands
//! in those that changed, and the projects around them.
//!
//! Everything here reads the disk, on a thread of the caller's choice.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::files::Access;
use crate::limits::{FOLDER_BYTES, FOLDER_FILE_BYTES, FOLDER_FILES, FOLDER_NAMES};
use crate::project::{self, Project};
use crate::walk::{self, Bounds};

/// The bound on the files of a workspace that are looked at without being opened.
const BOUNDS: Bounds =
    Bounds { files: FOLDER_FILES, names: FOLDER_NAMES, bytes: FOLDER_FILE_BYTES };

/// The time at which a file was changed, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(Option<SystemTime>, u64);

impl Stamp {
    /// The stamp of a file; `None` where there is none.
    pub(crate) fn of(path: &Path) -> Option<Stamp> {
        let about = path.metadata().ok()?;
        about.is_file().then(|| Stamp(about.modified().ok(), about.len()))
    }
}

/// A folder of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    /// Its place.
    pub(crate) path: PathBuf,
    /// The patterns that the client's settings leave out of it.
    pub(crate) exclude: Vec<String>,
}

/// The things that are looked for.
#[derive(Debug)]
pub(crate) struct Search {
    /// The folders.
    pub(crate) roots: Vec<Root>,
    /// The files that were found before. Those that have not changed are not read again.
    pub(crate) known: Arc<HashMap<PathBuf, Stamp>>,
    /// Files that have changed, whatever their stamps say: a clock may be slower than who
    /// writes.
    pub(crate) changed: HashSet<PathBuf>,
    /// The reach of what the files name.
    pub(crate) access: Access,
}

/// A file that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its place.
    pub(crate) path: PathBuf,
    /// As it was when it was read.
    pub(crate) stamp: Stamp,
    /// Its text, what is not UTF-8 in it replaced; `None` where it has not changed.
    pub(crate) text: Option<String>,
}

/// The result of a look through folders.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The files, in order of the folders and of their names; none twice.
    pub(crate) files: Vec<Found>,
    /// The project of each folder that holds one of them.
    pub(crate) projects: Vec<(PathBuf, Option<Project>)>,
    /// The files that were left out, in a sentence for the log.
    pub(crate) left_out: Option<String>,
    /// True if there are more files than are looked at.
    pub(crate) is_cut: bool,
}

/// Looks through the folders.
pub(crate) fn read(search: &Search) -> Reading {
    let mut reading = Reading::default();
    let mut seen = HashSet::new();
    let mut folders = HashSet::new();
    let (mut left, mut bytes) = (BOUNDS.files, FOLDER_BYTES);
    // Of a folder within another once.
    let mut large = HashSet::new();
    let mut is_cut = false;
    for root in &search.roots {
        // No link is followed, so nothing else is found than what the folder holds.
        let own = Access::Beneath(Arc::from([])).and(Some(&root.path));
        let walk = walk::within(&root.path, &root.exclude, Bounds { files: left, ..BOUNDS });
        is_cut |= walk.is_cut;
        large.extend(walk.large.iter().map(|path| crate::includes::normal(path)));
        for path in walk.files {
            let path = crate::includes::normal(&path);
            if !seen.insert(path.clone()) {
                continue; // Of a folder within another.
            }
            left = left.saturating_sub(1);
            let Some(stamp) = Stamp::of(&path) else { continue };
            if stamp.1 > bytes {
                large.insert(path);
                continue;
            }
            bytes -= stamp.1;
            let is_known = search.known.get(&path) == Some(&stamp);
            let text = match is_known && !search.changed.contains(&path) {
                true => None,
                false => match own.read_text(&path, BOUNDS.bytes as usize) {
                    Ok(text) => Some(text),
                    Err(_) => continue, // Gone meanwhile, or not for us to read.
                },
            };
            if let Some(folder) = path.parent()
                && folders.insert(folder.to_path_buf())
            {
                reading
                    .projects
                    .push((folder.to_path_buf(), project::find(folder, &search.access)));
            }
            reading.files.push(Found { path, stamp, text });
        }
    }
    reading.left_out = left_out(is_cut, large.len());
    reading.is_cut = is_cut;
    reading
}

fn left_out(is_cut: bool, large: usize) -> Option<String> {
    let kibibytes = BOUNDS.bytes >> 10;
    let files = files(large);
    let large = (large > 0).then(|| {
        format!("{files} of more than {kibibytes} KiB, or beyond {} MiB", FOLDER_BYTES >> 20)
    });
    let many = is_cut.then(|| format!("what follows the first {} files", BOUNDS.files));
    let parts: Vec<String> = many.into_iter().chain(large).collect();
    (!parts.is_empty()).then(|| {
        let parts = parts.join(", and ");
        format!("Of the workspace's folders is not looked at, unless it is opened: {parts}.")
    })
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        _ => format!("{count} files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_changed_is_not_read_again_unless_somebody_says_so() {
        let root = std::env::temp_dir().join(format!("tungsten-folders-{}", std::process::id()));
        std::fs::create_dir_all(root.join("inner")).expect("made");
        std::fs::write(root.join("tungsten.toml"), "compile = false\n").expect("written");
        let (one, two) = (root.join("a.tgsi"), root.join("inner/b.s"));
        std::fs::write(&one, "FRAG\n").expect("written");
        std::fs::write(&two, "s_endpgm\n").expect("written");
        std::fs::write(root.join("large.s"), vec![b'\n'; BOUNDS.bytes as usize + 1])
            .expect("written");

        // A folder within another brings no file twice.
        let whole = |path: PathBuf| Root { path, exclude: Vec::new() };
        let roots = vec![whole(root.clone()), whole(root.join("inner"))];
        let search = |known: &Arc<HashMap<_, _>>, changed| Search {
            roots: roots.clone(),
            known: Arc::clone(known),
            changed,
            access: Access::to([], &[]),
        };
        let first = read(&search(&Arc::default(), HashSet::new()));
        let texts: Vec<_> = first.files.iter().map(|it| (&it.path, it.text.as_deref())).collect();
        assert_eq!(texts, [(&one, Some("FRAG\n")), (&two, Some("s_endpgm\n"))]);
        assert_eq!(first.projects.len(), 2);
        assert!(first.projects.iter().all(|(_, project)| project.is_some()));
        assert!(first.left_out.expect("said").contains("1 file of more than 1024 KiB"));

        let known: Arc<HashMap<_, _>> =
            Arc::new(first.files.iter().map(|it| (it.path.clone(), it.stamp)).collect());
        let again = |changed: &[&PathBuf]| {
            let changed = changed.iter().map(|it| (*it).clone()).collect();
            let files = read(&search(&known, changed)).files.into_iter();
            files.filter(|it| it.text.is_some()).map(|it| it.path).collect::<Vec<_>>()
        };
        assert!(again(&[]).is_empty());
        assert_eq!(again(&[&two]), [two]);
        std::fs::write(&one, "FRAG\nEND\n").expect("written");
        assert_eq!(again(&[]), [one]);
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
