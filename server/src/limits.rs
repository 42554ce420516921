//! The server's budgets: what a client or a folder may ask for at once. They stand
//! together so that they can be read together; `LIMITS.md` repeats them.

/// Bytes of one message of a client; those of a larger one are passed over.
pub const MESSAGE_BYTES: u64 = 64 << 20;

/// Bytes of the header of a message.
pub const HEADER_BYTES: usize = 8 << 10;

/// Files that requests have read and decoded at the same time.
pub const FILES_READ_AT_ONCE: usize = 8;
