//! Finding the files that assembly files include.
//!
//! An assembler looks in its working directory and in the folders of its command
//! line, neither of which is known here. The folder of the including file and
//! those around it are looked at instead, up to the root of the project.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::files::{Access, Refusal};

/// The knowledge of a file that another one names, read where it was found.
pub(crate) type Lookup = engine::Include<Included>;

/// An included file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Included {
    /// Its place.
    pub(crate) path: PathBuf,
    /// Its text; what is not UTF-8 in it is replaced.
    pub(crate) text: String,
}

/// Folders around a file that are looked at, at most.
const FOLDERS: usize = 12;

/// A folder with one of these is the root of a project.
const ROOTS: [&str; 4] = [".git", ".hg", "tungsten.toml", ".svn"];

/// The file of a name in an `.include` of `includer`, looked for in `folders` last.
/// Reads the disk.
pub(crate) fn find(includer: &Path, name: &str, folders: &[PathBuf], access: &Access) -> Lookup {
    find_in(&around(includer, access), name, folders, access)
}

/// The same, looked for first in the folders around the includer.
fn find_in(around: &[PathBuf], name: &str, folders: &[PathBuf], access: &Access) -> Lookup {
    let mut is_outside = false;
    for (index, place) in places_in(around, name, folders).iter().enumerate() {
        match read(place, access) {
            Ok(found) => return Lookup::Found(found),
            // Looked at from folders further out, most names lead out of the project.
            Err(Refusal::Outside) => is_outside |= index == 0 || access.names(place),
            Err(Refusal::Missing | Refusal::Unfit(_)) => {}
        }
    }
    match is_outside {
        true => Lookup::Outside,
        false => Lookup::Missing,
    }
}

/// The places where [`find`] looks, in order. Reads the disk.
pub(crate) fn places(
    includer: &Path,
    name: &str,
    folders: &[PathBuf],
    access: &Access,
) -> Vec<PathBuf> {
    places_in(&around(includer, access), name, folders)
}

fn places_in(around: &[PathBuf], name: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    if name.is_empty() || name.contains('\0') {
        return Vec::new();
    }
    around.iter().chain(folders).map(|folder| folder.join(name)).collect()
}

/// The folders around a file up to the root of its project, as far as they may be read.
/// Reads the disk.
fn around(includer: &Path, access: &Access) -> Vec<PathBuf> {
    let mut around = Vec::new();
    for (index, folder) in includer.ancestors().skip(1).take(FOLDERS).enumerate() {
        if index > 0 && !access.names(folder) {
            break;
        }
        around.push(folder.to_path_buf());
        if ROOTS.iter().any(|root| folder.join(root).exists()) {
            break;
        }
    }
    around
}

/// The folders in which [`find_includer`] looks first.
pub(crate) fn includer_folders(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().skip(1).take(INCLUDER_FOLDERS)
}

/// The files of some names, and those that they include in turn, as far as their lines show it:
/// who had to ask for each again would assemble the whole once for each step of a chain. A file
/// without a folder has nothing around it.
pub(crate) fn find_all(
    includer: Option<&Path>,
    mut names: Vec<String>,
    folders: &[PathBuf],
    access: &Access,
) -> Vec<(String, Lookup)> {
    let access = includer.map_or(access.clone(), |includer| access.around(includer));
    // Once for all names.
    let around = includer.map(|includer| around(includer, &access));
    let mut found = Vec::with_capacity(names.len());
    let mut known: HashSet<String> = names.iter().cloned().collect();
    let mut left = NAMES;
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let file = around.as_ref().map(|around| find_in(around, &name, folders, &access));
        let file = file.unwrap_or(Lookup::Missing);
        if let Lookup::Found(included) = &file {
            for inner in included_names(&included.text) {
                if left > 0 && known.insert(inner.clone()) {
                    left -= 1;
                    names.push(inner);
                }
            }
        }
        found.push((name, file));
    }
    found
}

/// The file that includes another, and what it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Includer {
    /// The file itself.
    pub(crate) file: Included,
    /// The names in its `.include` directives and in those of what it includes, with
    /// the files that they mean.
    pub(crate) includes: Vec<(String, Lookup)>,
}

/// Files that are looked through for one that includes another, at most, and how large
/// each may be, in bytes.
const CANDIDATES: usize = 256;
const CANDIDATE_BYTES: usize = 1 << 20;

/// Folders around a file in which an includer is looked for, and files that include one
/// another on the way to it.
const INCLUDER_FOLDERS: usize = 3;
const INCLUDER_STEPS: usize = 4;

/// Names that are followed from an includer, at most.
const NAMES: usize = 64;

/// The extensions of files of assembly, those that are only included last.
const EXTENSIONS: [&str; 11] =
    ["s", "asm", "gcn", "amdgcn", "isa", "sx", "inc", "h", "i", "mac", "macros"];

/// The file around `path` whose text includes it, itself or by another file. Reads the
/// disk; `folders` are where included files are looked for last.
pub(crate) fn find_includer(path: &Path, folders: &[PathBuf], access: &Access) -> Option<Includer> {
    let access = &access.around(path);
    let own = normal(path);
    let mut wanted = own.clone();
    let mut seen = vec![own.clone()];
    let mut best = None;
    // A file that is only included has an includer of its own.
    for _ in 0..INCLUDER_STEPS {
        let Some(file) = includer_of(&wanted, &seen, folders, access) else { break };
        wanted = file.path.clone();
        seen.push(wanted.clone());
        let includes = included_by(&file, folders, access);
        let is_own = |(_, found): &(String, Lookup)| matches!(found, Lookup::Found(found) if found.path == own);
        if !includes.iter().any(is_own) {
            break;
        }
        best = Some(Includer { file, includes });
        if engine::is_translation_unit(&wanted.to_string_lossy()) {
            break;
        }
    }
    best
}

/// The files that a file and those in it include.
fn included_by(file: &Included, folders: &[PathBuf], access: &Access) -> Vec<(String, Lookup)> {
    let mut includes: Vec<(String, Lookup)> = Vec::new();
    let mut names: Vec<String> = included_names(&file.text);
    while let Some(name) = names.pop() {
        if includes.len() >= NAMES || includes.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let found = find(&file.path, &name, folders, access);
        if let Lookup::Found(included) = &found {
            names.extend(included_names(&included.text));
        }
        includes.push((name, found));
    }
    includes
}

/// The first file around another that has it in an `.include`.
fn includer_of(
    wanted: &Path,
    seen: &[PathBuf],
    folders: &[PathBuf],
    access: &Access,
) -> Option<Included> {
    let name = wanted.file_name()?.to_str()?;
    let mut left = CANDIDATES;
    for folder in includer_folders(wanted) {
        let rank = |path: &Path| {
            let extension = path.extension().and_then(|it| it.to_str());
            EXTENSIONS.iter().position(|it| extension.is_some_and(|e| e.eq_ignore_ascii_case(it)))
        };
        // A folder may hold any number of files: no more names are sorted than are read.
        let ranked = access.entries(folder).filter_map(|path| Some((rank(&path)?, path)));
        let mut files: Vec<(usize, PathBuf)> = ranked.take(left).collect();
        left -= files.len();
        files.sort();
        for (_, candidate) in files {
            if seen.contains(&candidate) {
                continue;
            }
            let Ok(found) = read_up_to(&candidate, CANDIDATE_BYTES, access) else { continue };
            let names = included_names(&found.text).into_iter();
            let mut names = names.filter(|it| it.rsplit(['/', '\\']).next() == Some(name));
            let means = |it: String| {
                let found = find(&found.path, &it, folders, access).found();
                found.is_some_and(|it| it.path == wanted)
            };
            if names.any(means) {
                return Some(found);
            }
        }
        if left == 0 || ROOTS.iter().any(|root| folder.join(root).exists()) {
            break;
        }
    }
    None
}

/// The names in the `.include` directives of a text, as lines show them.
fn included_names(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_start);
    let rest = lines.filter_map(|line| line.strip_prefix(".include"));
    let quoted = rest.filter_map(|rest| {
        let (name, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(name.to_owned())
    });
    quoted.take(NAMES).collect()
}

/// Reads a file that may be included.
///
/// # Errors
/// Why it is not read.
pub(crate) fn read(path: &Path, access: &Access) -> Result<Included, Refusal> {
    read_up_to(path, source::MAX_TEXT_LENGTH, access)
}

fn read_up_to(path: &Path, most: usize, access: &Access) -> Result<Included, Refusal> {
    let text = access.read_text(path, most)?;
    // One spelling of each path, so that a file is known by one name.
    Ok(Included { path: normal(path), text })
}

/// A path without `.` and `..`, as far as its words show it.
pub(crate) fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_around_their_includer() {
        let root = std::env::temp_dir().join(format!("tungsten-includes-{}", std::process::id()));
        let folder = root.join("kernels/gfx8");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir_all(root.join("other")).unwrap();
        std::fs::write(root.join("kernels/common.inc"), "x = 1\n").unwrap();
        std::fs::write(root.join("other/far.inc"), "y = 2\n").unwrap();
        let includer = folder.join("a.s");
        let access = Access::to([], &[]).around(&includer).and(Some(&root.join("other")));
        let find = |name: &str, folders: &[PathBuf]| {
            super::find(&includer, name, folders, &access).found()
        };
        let found = find("common.inc", &[]).unwrap();
        assert_eq!((found.path, found.text.as_str()), (root.join("kernels/common.inc"), "x = 1\n"));
        let again = find("../common.inc", &[]).unwrap();
        assert_eq!(again.path, root.join("kernels/common.inc"));
        assert_eq!(find("far.inc", &[]), None);
        assert!(find("far.inc", &[root.join("other")]).is_some());
        assert_eq!(find("gfx8", &[]), None, "a folder is not a file");
        assert_eq!(find("", &[]), None);
        let outside = super::find(&includer, "../../../far.inc", &[], &access);
        assert_eq!(outside, Lookup::Outside);
        let missing = super::find(&includer, "../far.inc", &[], &access);
        assert_eq!(missing, Lookup::Missing);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_chain_of_files_is_found_at_once() {
        let root = std::env::temp_dir().join(format!("tungsten-chain-{}", std::process::id()));
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let include = |number: usize| format!(" .include \"{number}.inc\"\n");
        for number in 0..NAMES * 2 {
            let text = include(number + 1) + &include(0) + " s_nop 0\n";
            std::fs::write(root.join(format!("{number}.inc")), text).unwrap();
        }
        let find = |names: &[&str]| {
            let names = names.iter().map(|it| (*it).to_owned()).collect();
            let found = find_all(Some(&root.join("a.s")), names, &[], &Access::to([], &[]));
            found.into_iter().map(|(name, file)| (name, file.found().is_some())).collect::<Vec<_>>()
        };
        // Those that were asked for first; each once; and not without end.
        let found = find(&["no.inc", "0.inc"]);
        assert_eq!(found.len(), 2 + NAMES);
        assert_eq!(
            found[..3],
            [("no.inc".to_owned(), false), ("0.inc".to_owned(), true), ("1.inc".to_owned(), true),]
        );
        let last = NAMES * 2 - 1;
        assert!(find(&[&format!("{}.inc", last - 2)]).contains(&(format!("{last}.inc"), true)));
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn an_includer_is_found_around_the_file() {
        let root = std::env::temp_dir().join(format!("tungsten-includers-{}", std::process::id()));
        let folder = root.join("kernels/parts");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("kernels/parts/step.inc", " s_nop 1\n");
        write("kernels/parts/far.inc", " s_nop 2\n");
        write("kernels/all.inc", " .include \"parts/step.inc\"\n");
        // The same name, but another file; and one that only speaks of it.
        write("kernels/parts/other.s", ".include \"../step.inc\"\n");
        write("kernels/step.inc", "\n");
        write("kernels/a.s", "// .include \"parts/far.inc\"\n");
        let find_includer =
            |path: &Path, folders: &[PathBuf]| find_includer(path, folders, &Access::to([], &[]));
        write("main.s", ".include \"kernels/all.inc\"\ns_endpgm\n");
        let found = find_includer(&folder.join("step.inc"), &[]).unwrap();
        assert_eq!(found.file.path, root.join("kernels/all.inc"));
        // From its own includer's folder the inner name leads nowhere.
        let found = find_includer(&folder.join("step.inc"), &[root.join("kernels")]).unwrap();
        assert_eq!(found.file.path, root.join("main.s"));
        let names: Vec<&str> = found.includes.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["kernels/all.inc", "parts/step.inc"]);
        assert!(found.includes.iter().all(|(_, found)| matches!(found, Lookup::Found(_))));
        assert_eq!(find_includer(&folder.join("far.inc"), &[]), None);
        std::fs::remove_dir_all(&root).unwrap();
    }
}
