//! The server's budgets: what a client or a folder may ask for at once. They stand
//! together so that they can be read together; `LIMITS.md` repeats them.

/// Bytes of one message of a client; those of a larger one are passed over.
pub const MESSAGE_BYTES: u64 = 64 << 20;

/// Bytes of the header of a message.
pub const HEADER_BYTES: usize = 8 << 10;

/// Files that requests have read and decoded at the same time.
pub const FILES_READ_AT_ONCE: usize = 8;

/// Requests that wait for their answers at the same time; more are read once some have one.
pub const OPEN_REQUESTS: usize = 4096;

/// Seconds that a worker may be at one request, before it is answered that this is too long.
pub const REQUEST_SECONDS: u64 = 60;

/// Places, symbols, folds, hints, lenses or links that one answer lists. Of more the first are
/// told; more edits are made one.
pub const ANSWER_ENTRIES: usize = 10_000;

/// Lines with costs that one answer has. Of more the first are told.
pub const ANSWER_COSTS: usize = 100_000;

/// Semantic tokens that one answer has; each is five numbers of JSON. Of more the first are told.
pub const ANSWER_TOKENS: usize = 1_000_000;

/// Ranges within each other that a selection may grow by: the innermost, and the outermost.
pub const SELECTION_DEPTH: usize = 100;

/// Bytes of memory that the server takes at most while it answers a request about a document,
/// beside [`MEMORY_OF_A_BYTE`].
pub const REQUEST_MEMORY: u64 = 96 << 20;

/// Bytes of memory for each byte of that document and of what it includes, with all that is
/// kept of it for further answers.
pub const MEMORY_OF_A_BYTE: u64 = 300;

/// The same for an ordinary text, however large, where everything is asked about it; `check`
/// takes half of it.
pub const ORDINARY_MEMORY: u64 = 72;

/// Bytes of memory beside both for what macros and repetitions make, where they make as many
/// lines as they may; fewer lines take the less.
pub const EXPANSION_MEMORY: u64 = 1 << 30;

/// Files of the workspace's folders that are looked at without being opened.
pub const FOLDER_FILES: usize = 4000;

/// Bytes of all the lists of what git leaves out of one folder.
pub const FOLDER_PATTERN_BYTES: usize = 1 << 20;

/// Names that are read on the way to them.
pub const FOLDER_NAMES: usize = 400_000;

/// Bytes of one such file.
pub const FOLDER_FILE_BYTES: u64 = 1 << 20;

/// Bytes of all of them together.
pub const FOLDER_BYTES: u64 = 1 << 26;

/// Seconds that a search for a faster form may be given.
pub const ADVICE_SECONDS: u64 = 600;

/// Seconds that the runs of a proof may take, of each of two codes of a shader; one that has
/// begun comes to its end.
pub const PROOF_SECONDS: u64 = 60;

/// Searches whose results are remembered: of those that were asked last.
pub const REMEMBERED_ADVICE: usize = 32;

/// Failures of the compiler in a row after which the user is told that it does not work,
/// and not only that it failed on a shader.
pub const COMPILER_FAILURES: u32 = 3;
