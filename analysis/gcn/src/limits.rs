//! The budgets of work: whatever a text of n bytes says, reading it costs no more than a
//! budget and some factor of n. They stand together so that they can be read together;
//! a table of the documentation repeats them.

/// Macros, repetitions and includes within each other.
pub const EXPANSION_DEPTH: usize = 200;

/// Lines read in macros, repetitions and includes, those of the file itself aside.
pub const EXPANSION_LINES: u64 = 1_000_000;

/// Bytes of text that expansions may make.
pub const EXPANSION_BYTES: usize = 128 << 20;

/// Work of an expansion: a byte that is read anew, a text between such a line and its file, a
/// parameter of a call, a name that a value is looked for.
pub const EXPANSION_WORK: u64 = 1 << 28;

/// Bytes of an expansion that are shown as one text.
pub const EXPANDED_TEXT: usize = 1 << 20;

/// Problems of an expansion that are told, each of which may look for a near name.
pub const EXPANSION_PROBLEMS: usize = 200;

/// Files that a text names and that are not there, or as many as it has, where those are more.
pub const MISSING_FILES: usize = 1000;

/// Parentheses and choices of an expression within each other.
pub const EXPRESSION_DEPTH: u32 = 128;

/// Symbols that stand for each other, one behind the other.
pub const SYMBOL_DEPTH: u32 = 32;

/// Work of one symbol's value: an expression that is evaluated, and each
/// [`EXPRESSION_BYTES`] of its text.
pub const SYMBOL_WORK: u32 = 1000;

/// Bytes of an expression that count as one evaluation more.
pub const EXPRESSION_BYTES: usize = 16;

/// Scopes that are searched for one name, and that one scope uses.
pub const SCOPES: usize = 256;

/// Names for which near ones are looked for, of each kind: mnemonics, symbols, fields.
pub const NEAR_NAMES: usize = 64;

/// Broken lines of one kernel whose meaning is looked for: those after them may be anything.
pub const BROKEN_LINES: usize = 64;

/// Symbols or macros that one such name is held against.
pub const NAMES_COMPARED: usize = 1000;

/// Kernels of one file whose costs an editor is told, the first ones: each keeps what is known
/// of its registers.
pub const KERNELS: usize = 2000;

/// Instructions of the edited codes whose live ranges are worked out to explain one place.
pub const EDITED_INSTRUCTIONS: usize = 400_000;

/// Waits of a code that are explained together, those that cost most of a run.
pub const EXPLAINED_WAITS: usize = 64;
