//! Opens files. Nothing else in the server does, which a test sees to.
//!
//! What somebody asks for decides how far it reaches: the user may name any file, but
//! what a file of the workspace names lies beneath folders that the user opened or trusts,
//! after links are followed. Only plain files of a bounded size are read, judged once more
//! by the opened handle: no device, no pipe, no end of either to wait for.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

/// Folders with one of these hold the history of a project, and so all of it.
const HISTORIES: [&str; 3] = [".git", ".hg", ".svn"];

/// The reach of the asker of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Access {
    /// The user named the file.
    Anywhere,
    /// A file of the workspace named it: only what lies beneath these folders is read.
    Beneath(Arc<[Root]>),
}

/// A folder that may be read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    /// As it was named.
    named: PathBuf,
    /// With its links followed.
    real: PathBuf,
}

/// The reason why a file is not read.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// Does not lie beneath the folders that may be read.
    #[error("{}", source::OUTSIDE)]
    Outside,
    /// Is no plain file, is too large or cannot be read, in words for the user.
    #[error("{0}")]
    Unfit(String),
}

impl Access {
    /// Beneath some folders. The home folder and those around it hold what nobody means
    /// to show: they count only where the user trusts them by name.
    pub(crate) fn to<'a>(
        opened: impl IntoIterator<Item = &'a Path>,
        trusted: &[PathBuf],
    ) -> Access {
        let home = home();
        let opened = opened.into_iter().filter_map(Root::of);
        let opened = opened.filter(|root| !holds_home(&root.real, home.as_deref()));
        let trusted = trusted.iter().filter_map(|folder| Root::of(folder));
        Access::Beneath(opened.chain(trusted).collect())
    }

    /// The same, and beneath the project that a file belongs to.
    pub(crate) fn around(&self, file: &Path) -> Access {
        self.and(project_root(file).as_deref())
    }

    /// The same, and beneath another folder.
    pub(crate) fn and(&self, folder: Option<&Path>) -> Access {
        let Access::Beneath(roots) = self else { return Access::Anywhere };
        match folder.and_then(Root::of) {
            Some(root) if !roots.contains(&root) => {
                Access::Beneath(roots.iter().cloned().chain([root]).collect())
            }
            _ => self.clone(),
        }
    }

    /// The same, and beneath all of some folders.
    pub(crate) fn and_all(self, folders: &[PathBuf]) -> Access {
        folders.iter().fold(self, |access, folder| access.and(Some(folder)))
    }

    /// Tells whether a path lies beneath the folders as its words show it, whatever it leads to.
    pub(crate) fn names(&self, path: &Path) -> bool {
        let path = crate::includes::normal(path);
        match self {
            Access::Anywhere => true,
            Access::Beneath(roots) => roots
                .iter()
                .any(|root| path.starts_with(&root.named) || path.starts_with(&root.real)),
        }
    }

    /// Tells whether a folder may be read from; one that is not there may come.
    pub(crate) fn reaches(&self, folder: &Path) -> bool {
        !matches!(self.resolve(folder), Err(Refusal::Outside))
    }

    /// The place that a path leads to, and the folder that it is to be opened beneath.
    fn resolve(&self, path: &Path) -> Result<(PathBuf, Option<&Root>), Refusal> {
        let Access::Beneath(roots) = self else { return Ok((path.to_path_buf(), None)) };
        let holder = |real: &Path| roots.iter().find(|root| real.starts_with(&root.real));
        match path.canonicalize() {
            Ok(real) => match holder(&real) {
                Some(root) => Ok((real, Some(root))),
                None => Err(Refusal::Outside),
            },
            // Whether there are files elsewhere is nobody's business.
            Err(_) => {
                let there = path.ancestors().skip(1).find_map(|it| it.canonicalize().ok());
                match there.is_some_and(|it| holder(&it).is_some()) {
                    true => Err(Refusal::Missing),
                    false => Err(Refusal::Outside),
                }
            }
        }
    }

    /// Tells whether there is a plain file that may be read.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn find(&self, path: &Path) -> Result<(), Refusal> {
        let (real, _) = self.resolve(path)?;
        plain(&real.metadata().map_err(unread)?)
    }

    /// Reads a file of at most so many bytes.
    ///
    /// # Errors
    /// Why it is not read.
    pub(crate) fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, Refusal> {
        let (real, root) = self.resolve(path)?;
        if self == &Access::Anywhere && is_own_stream(path) {
            let file = File::open(path).map_err(unread)?;
            return bounded(file, most);
        }
        // Opening a device may do something.
        plain(&real.metadata().map_err(unread)?)?;
        let file = match root {
            Some(root) => beneath::open(&root.real, &real),
            None => open(&real),
        };
        let file = file.map_err(unread)?;
        let about = file.metadata().map_err(unread)?;
        plain(&about)?;
        if about.len() > most as u64 {
            return Err(too_large(most));
        }
        bounded(file, most)
    }

    /// The same as text; what is not UTF-8 in it is replaced.
    ///
    /// # Errors
    /// Why it is not read.
    pub(crate) fn read_text(&self, path: &Path, most: usize) -> Result<String, Refusal> {
        let bytes = self.read(path, most)?;
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// The entries of a folder, in no order; nothing where it may not be read.
    pub(crate) fn entries(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let resolved = self.resolve(folder).is_ok();
        let entries = resolved.then(|| std::fs::read_dir(folder).ok()).flatten();
        entries.into_iter().flatten().flatten().map(|entry| entry.path())
    }
}

/// Reads what a command names: a file, or standard input as `-`.
///
/// # Errors
/// Why it is not read.
pub(crate) fn read_named(path: &Path, most: usize) -> Result<Vec<u8>, Refusal> {
    match path == Path::new("-") {
        true => bounded(io::stdin().lock(), most),
        false => Access::Anywhere.read(path, most),
    }
}

/// A pipe that a shell opened for this program, under the name that the shell gives it.
fn is_own_stream(path: &Path) -> bool {
    cfg!(unix) && (path.starts_with("/dev/fd") || path == Path::new("/dev/stdin"))
}

fn bounded(source: impl Read, most: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    source.take(most as u64 + 1).read_to_end(&mut bytes).map_err(unread)?;
    match bytes.len() > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

fn plain(about: &std::fs::Metadata) -> Result<(), Refusal> {
    match (about.is_file(), about.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(Refusal::Unfit("is a folder".to_owned())),
        _ => Err(Refusal::Unfit("is not a plain file".to_owned())),
    }
}

fn unread(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::Missing,
        _ => Refusal::Unfit(error.to_string()),
    }
}

/// The refusal of what has more than so many bytes.
pub(crate) fn too_large(most: usize) -> Refusal {
    Refusal::Unfit(format!("larger than {most} bytes"))
}

impl Root {
    fn of(folder: &Path) -> Option<Root> {
        let real = folder.canonicalize().ok().filter(|real| real.is_dir())?;
        let named = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        Some(Root { named: crate::includes::normal(&named), real })
    }
}

/// The folder of the project that a file belongs to: the nearest one with a history, else
/// that of the nearest `tungsten.toml`, else the file's own. A history that begins in the
/// home folder or above makes no project of all that is there.
fn project_root(file: &Path) -> Option<PathBuf> {
    let own = file.parent()?.canonicalize().ok()?;
    let home = home();
    let around = || own.ancestors().take_while(|folder| !holds_home(folder, home.as_deref()));
    let with_history = around().find(|it| HISTORIES.iter().any(|name| it.join(name).exists()));
    let with_settings = || around().find(|it| it.join(crate::project::NAME).exists());
    let found = with_history.or_else(with_settings).or_else(|| around().next());
    found.map(Path::to_path_buf)
}

fn holds_home(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder))
}

/// The user's home folder, with its links followed.
fn home() -> Option<PathBuf> {
    let name: &OsStr = OsStr::new(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    let home = PathBuf::from(std::env::var_os(name)?);
    home.is_absolute().then(|| home.canonicalize().ok()).flatten()
}

/// Opens a file without waiting for anybody.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

pub(crate) use beneath::is_enforced;

/// Opening a file for which the kernel itself keeps the path beneath a folder, whoever moves
/// links meanwhile.
#[cfg(target_os = "linux")]
mod beneath {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
    use rustix::io::Errno;

    /// Opens a file with its links followed beneath a folder with its links followed.
    pub(super) fn open(root: &Path, file: &Path) -> io::Result<File> {
        let Ok(inner) = file.strip_prefix(root) else {
            return Err(io::ErrorKind::PermissionDenied.into());
        };
        match open_inner(root, inner) {
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => super::open(file),
            opened => Ok(opened?),
        }
    }

    fn open_inner(root: &Path, inner: &Path) -> rustix::io::Result<File> {
        let folder = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(CWD, root, folder, Mode::empty())?;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        // A link that is there now was put there since the path was judged.
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        rustix::fs::openat2(folder, inner, flags, Mode::empty(), resolve).map(File::from)
    }

    /// Tells whether this kernel does so.
    pub(crate) fn is_enforced() -> bool {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let here = Path::new(".");
        rustix::fs::openat2(CWD, here, flags, Mode::empty(), ResolveFlags::BENEATH).is_ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod beneath {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn open(_root: &Path, file: &Path) -> io::Result<File> {
        super::open(file)
    }

    /// Tells whether this kernel does so.
    pub(crate) fn is_enforced() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of a test's own with two files, removed with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("tungsten-{name}-{}", std::process::id()));
            std::fs::create_dir_all(path.join("inner")).expect("made");
            std::fs::write(path.join("inner/in"), "12345").expect("written");
            std::fs::write(path.join("out"), "secret").expect("written");
            Folder(path.canonicalize().expect("it is there"))
        }

        fn access(&self) -> Access {
            Access::to([], &[self.0.join("inner")])
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn nothing_is_read_but_beneath_the_folders() {
        let folder = Folder::new("files-beneath");
        let read = |name: &str| folder.access().read_text(&folder.0.join(name), 10);
        assert_eq!(read("inner/in").expect("inside"), "12345");
        assert_eq!(read("inner/../inner/in").expect("inside"), "12345");
        assert!(matches!(read("inner/none"), Err(Refusal::Missing)));
        for name in ["out", "inner/../out", "none", "inner/../none", "/etc/passwd"] {
            assert!(matches!(read(name), Err(Refusal::Outside)), "{name}");
        }
        assert!(folder.access().entries(&folder.0).next().is_none());
        let around = Access::to([], &[]).around(&folder.0.join("inner/in"));
        assert!(around.read(&folder.0.join("inner/in"), 10).is_ok(), "its own folder");
        assert!(matches!(around.read(&folder.0.join("out"), 10), Err(Refusal::Outside)));
    }

    #[test]
    fn files_are_plain_and_bounded() {
        let folder = Folder::new("files-plain");
        let file = folder.0.join("inner/in");
        for access in [folder.access(), Access::Anywhere] {
            assert_eq!(access.read(&file, 5).expect("it fits").len(), 5);
            assert!(matches!(access.read(&file, 4), Err(Refusal::Unfit(_))));
            assert!(matches!(access.read(&folder.0.join("inner"), 5), Err(Refusal::Unfit(_))));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_refuses_a_link_that_came_since() {
        let folder = Folder::new("files-link");
        let (root, link) = (folder.0.join("inner"), folder.0.join("inner/link"));
        std::os::unix::fs::symlink(folder.0.join("out"), &link).expect("linked");
        assert!(beneath::open(&root, &root.join("in")).is_ok());
        assert_eq!(beneath::open(&root, &link).is_err(), is_enforced());
        assert!(matches!(folder.access().read(&link, 10), Err(Refusal::Outside)));
    }
}
