//! One entry: its key, and its bytes.
//!
//! A file begins with a word, the key again and a checksum of the rest; the rest is the
//! result as a worker sends it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::SystemTime;

use crate::compile::recipe;
use crate::{Job, Output};

/// The first bytes of every entry.
const WORD: &[u8; 8] = b"tungsten";
/// The bytes before the result: the word, the key, the checksum.
pub(super) const HEAD: usize = 8 + 16 + 8;

/// Names all that a result depends on. 128 bits: two that differ never meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u128);

impl Key {
    /// The key of a job's result, compiled with a library.
    ///
    /// The library counts by its file: its place, size and time. A new version of LLVM is
    /// a new file, a patched one too. The size of the source bounds the time only.
    pub fn of(job: &Job, library: &Path) -> Key {
        let data = library.metadata().ok();
        let time = data.as_ref().and_then(|data| data.modified().ok());
        let time = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let size = data.as_ref().map(std::fs::Metadata::len);
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, env!("CARGO_PKG_VERSION"), recipe(), library, size, time).hash(&mut hasher);
            (&job.ir, &job.processor, &job.features).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        Key(half(1) << 64 | half(2))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// The bytes of an entry; `None` where it cannot be written.
pub(super) fn write(key: Key, output: &Output) -> Option<Vec<u8>> {
    let result = postcard::to_extend(output, Vec::new()).ok()?;
    let mut bytes = Vec::with_capacity(HEAD + result.len());
    bytes.extend_from_slice(WORD);
    bytes.extend_from_slice(&key.0.to_le_bytes());
    bytes.extend_from_slice(&checksum(&result).to_le_bytes());
    bytes.extend_from_slice(&result);
    Some(bytes)
}

/// Reads the output of an entry; `None` where it is damaged or of another key.
pub(super) fn read(key: Key, bytes: &[u8]) -> Option<Output> {
    let rest = bytes.strip_prefix(WORD)?;
    let (own, rest) = rest.split_first_chunk::<16>()?;
    let (sum, result) = rest.split_first_chunk::<8>()?;
    let is_sound =
        u128::from_le_bytes(*own) == key.0 && u64::from_le_bytes(*sum) == checksum(result);
    let (output, rest) = is_sound.then(|| postcard::take_from_bytes(result).ok())??;
    rest.is_empty().then_some(output)
}

/// Told apart from what a disk makes of it; nobody is kept from making one.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
