//! Results on the disk, so that a shader that any process compiled before costs no compile.
//!
//! An entry is a file under the hash of all that the result depends on: the job, the
//! library, and how this version of Tungsten compiles. Servers share the folder without
//! knowing of each other: an entry is written under another name and then renamed, so that
//! a reader sees all of it or nothing, and carries a checksum, since a disk may lie. Every
//! failure is a miss: the cache never keeps anybody from compiling.

mod entry;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

pub use entry::Key;

use crate::Output;
use worker::protocol::MAXIMAL_FRAME;

/// The bounds of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of all entries.
    pub bytes: u64,
    /// Entries.
    pub entries: usize,
}

impl Default for Bounds {
    /// Some thousand shaders.
    fn default() -> Bounds {
        Bounds { bytes: 256 << 20, entries: 8192 }
    }
}

/// A folder of results.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    bounds: Bounds,
    /// The contents of the folder, as far as this process knows.
    known: Mutex<Known>,
    /// Makes the names of unfinished files new.
    count: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// The folder was looked through, and so often was written to since.
    looked: Option<usize>,
    contents: Contents,
    /// Writes that failed one after the other.
    failures: u32,
}

/// The contents of a folder.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Entries.
    pub entries: usize,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// The end of an entry's name without the number of its form.
const ANY_FORM: &str = ".compiled";
/// The end of an entry's name. Its number is another wherever the bytes of entries are, since
/// versions of Tungsten share the folder.
const ENDING: &str = ".compiled3";
/// The end of the name of a file that is being written.
const UNFINISHED: &str = ".unfinished";
/// Failures after which nothing more is written: the disk is full, or not ours.
const FAILURES_ALLOWED: u32 = 3;
/// Writes after which the folder is looked through again: other processes write too.
const WRITES_UNSEEN: usize = 256;
/// A use is noted in a file's time only where that is older.
const NOTED: Duration = Duration::from_secs(60 * 60);

impl Cache {
    /// The cache in a folder, which is made when something is written first.
    pub fn new(folder: impl Into<PathBuf>, bounds: Bounds) -> Cache {
        let (known, count) = (Mutex::default(), AtomicU64::new(0));
        Cache { folder: folder.into(), bounds, known, count }
    }

    /// A result that was kept. An entry that is damaged is removed.
    pub fn get(&self, key: Key) -> Option<Output> {
        let path = self.path(key);
        let mut file = fs::File::open(&path).ok()?;
        let data = file.metadata().ok().filter(fs::Metadata::is_file)?;
        if data.len() > MAXIMAL_FRAME as u64 + entry::HEAD as u64 {
            return None;
        }
        let mut bytes = Vec::with_capacity(data.len() as usize);
        io::Read::read_to_end(&mut file, &mut bytes).ok()?;
        let output = entry::read(key, &bytes);
        if output.is_none() {
            // Whoever else reads it finds it damaged too.
            let _ = fs::remove_file(&path);
            return None;
        }
        let age = data.modified().ok().and_then(|time| time.elapsed().ok());
        if age.is_none_or(|age| age > NOTED) {
            // The time is the order in which entries go; without it one goes too early.
            let now = fs::FileTimes::new().set_modified(SystemTime::now());
            let _ = fs::File::options().append(true).open(&path).and_then(|it| it.set_times(now));
        }
        output
    }

    /// Keeps a result, and removes old ones for it where there are too many.
    pub fn put(&self, key: Key, output: &Output) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.failures >= FAILURES_ALLOWED {
            return;
        }
        let Some(bytes) = entry::write(key, output) else { return };
        let size = bytes.len() as u64;
        // One that would push out most others is not worth it.
        if size > self.bounds.bytes / 8 {
            return;
        }
        match self.write(key, &bytes) {
            Ok(()) => known.failures = 0,
            Err(_) => {
                known.failures += 1;
                return;
            }
        }
        known.contents.entries += 1;
        known.contents.bytes += size;
        known.looked = known.looked.map(|writes| writes + 1);
        let Contents { entries, bytes } = known.contents;
        if known.looked.is_none_or(|writes| writes >= WRITES_UNSEEN)
            || entries > self.bounds.entries
            || bytes > self.bounds.bytes
        {
            known.contents = self.tidy();
            known.looked = Some(0);
        }
    }

    /// Returns the present contents of the folder.
    pub fn contents(&self) -> Contents {
        contents(&self.entries())
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(format!("{key}{ENDING}"))
    }

    fn write(&self, key: Key, bytes: &[u8]) -> io::Result<()> {
        make_folder(&self.folder)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let name = format!("{key}.{}.{number}{UNFINISHED}", std::process::id());
        let unfinished = self.folder.join(name);
        let written = fs::File::create_new(&unfinished)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&unfinished, self.path(key)));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    /// Removes the entries not used for longest while there are too many, down to three
    /// quarters so that it is not done for each, and what others left unfinished.
    fn tidy(&self) -> Contents {
        let mut entries = self.entries();
        let all = contents(&entries);
        if all.entries <= self.bounds.entries && all.bytes <= self.bounds.bytes {
            return all;
        }
        entries.sort_by_key(|entry| entry.time);
        let mut left = all;
        for entry in entries {
            let fits = left.entries <= self.bounds.entries / 4 * 3
                && left.bytes <= self.bounds.bytes / 4 * 3;
            if fits {
                break;
            }
            // Another server may have been faster.
            let _ = fs::remove_file(&entry.path);
            left.entries -= 1;
            left.bytes -= entry.bytes;
        }
        left
    }

    /// The entries of the folder. Unfinished files that are old are removed.
    fn entries(&self) -> Vec<CachedFile> {
        let Ok(folder) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut entries = Vec::new();
        for file in folder.flatten() {
            let name = file.file_name();
            let name = name.to_string_lossy();
            let Ok(data) = file.metadata() else { continue };
            let time = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let is_entry = name.rfind('.').is_some_and(|end| name[end..].starts_with(ANY_FORM));
            if is_entry && data.is_file() {
                entries.push(CachedFile { path: file.path(), bytes: data.len(), time });
            } else if name.ends_with(UNFINISHED) && time.elapsed().is_ok_and(|age| age > NOTED) {
                let _ = fs::remove_file(file.path());
            }
        }
        entries
    }
}

struct CachedFile {
    path: PathBuf,
    bytes: u64,
    time: SystemTime,
}

fn contents(entries: &[CachedFile]) -> Contents {
    Contents { entries: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() }
}

/// Makes a folder that only its owner may look into, as the XDG base directory
/// specification asks for.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests;
