//! The front end of an assembler: text with macros in, plain statements out.
//!
//! [`expand`] reads a text as its assembler would: includes, conditionals,
//! macros, repetitions, symbols, sections and descriptors. What is left is a flat
//! list of statements, each of which knows how it came to stand where it does.
//! Nothing here knows an instruction: their sizes are asked for through
//! [`Options::instruction_size`], and only where a value depends on them.
//!
//! The assembler's certainty ends where the command line matters: a symbol that
//! is not defined here may be given there. What follows from such a gap is never
//! an error, see [`Problem`].
//!
//! [`Problem`]: result::Problem

mod blocks;
mod calls;
pub(crate) mod change;
mod conditions;
pub(crate) mod data;
pub(crate) mod descriptor;
pub(crate) mod descriptor_fields;
pub mod directives;
mod dispatch;
pub(crate) mod edited;
pub mod editor;
mod expand;
mod kernel_code;
pub(crate) mod layout;
pub(crate) mod lines;
mod locals;
pub mod macros;
mod meanings;
mod register_counts;
mod repetition;
pub mod result;
mod sections;
pub mod sources;
mod substitution;
pub mod symbols;
mod target_symbols;
mod values;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::{Target, limits};

pub use crate::dialect::Dialect;
use crate::dialect::Unsupported;
pub use result::Expansion;
pub use values::{Asked, SymbolsAt};

/// Answers how many bytes an instruction has: its text, and the values of the
/// symbols in it; `None` where that is not known.
pub type InstructionSize<'a> = &'a dyn Fn(&str, &mut dyn FnMut(&str) -> Option<i64>) -> Option<u32>;

/// The command line of an assembler, and the bounds of expansion.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The chip, from which symbols such as `.amdgcn.gfx_generation_number` follow.
    pub target: Target,
    /// The chip of which nothing but the name is known, in place of the other.
    pub unsupported: Option<Unsupported>,
    /// Symbols with values: `-defsym`.
    pub symbols: Vec<(String, i64)>,
    /// The descriptors in use; where unsaid, [`Abi::of`] the text.
    pub abi: Option<Abi>,
    /// Sizes of instructions, for conditions that depend on them.
    pub instruction_size: Option<InstructionSize<'a>>,
    /// Names of included files that are missing because they are not to be read.
    pub outside: Arc<[Arc<str>]>,
    /// The bounds.
    pub limits: Limits,
}

impl Options<'_> {
    /// The numbers of the processor's name.
    fn version(&self) -> Option<[i64; 3]> {
        target_symbols::version(match &self.unsupported {
            Some(unsupported) => unsupported.name(),
            None => self.target.processor(),
        })
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Options")
            .field("target", &self.target)
            .field("symbols", &self.symbols)
            .field("abi", &self.abi)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The generations of kernel descriptors, which bring different predefined symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abi {
    /// `.amd_kernel_code_t`; symbols `.option.machine_version_major` and so on.
    V2,
    /// `.amdhsa_kernel`; symbols `.amdgcn.gfx_generation_number` and so on.
    V3,
}

impl Abi {
    /// Returns what a text's own directives show; the newer one where they show nothing.
    /// Directives of the older one count only where no conditional guards them.
    pub fn of(text: &str) -> Abi {
        let mut old = false;
        let mut conditionals = 0_u32;
        // Points are rarer than lines.
        for (at, _) in text.match_indices('.') {
            let before = text[..at].trim_end_matches([' ', '\t']);
            if !(before.is_empty() || before.ends_with(['\n', '\r'])) {
                continue;
            }
            let code = &text[at..];
            if code.starts_with(".amdhsa_") || code.starts_with(".amdgcn_target") {
                return Abi::V3;
            }
            if code.starts_with(".if") {
                conditionals += 1;
            } else if code.starts_with(".endif") {
                conditionals = conditionals.saturating_sub(1);
            }
            let mentioned = code.starts_with(".amd_kernel_code_t")
                || code.starts_with(".hsa_code_object_version")
                || code.starts_with(".amdgpu_hsa_kernel");
            old |= mentioned && conditionals == 0;
        }
        if old { Abi::V2 } else { Abi::V3 }
    }
}

/// Bounds of expansion: whatever a text says, it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Macros, repetitions and includes within each other.
    pub depth: usize,
    /// Lines read in macros, repetitions and includes.
    pub lines: u64,
    /// Bytes of text that expansions may make.
    pub bytes: usize,
    /// Steps that expansion may take, see [`Expansion::work`].
    pub work: u64,
    /// Problems that are told.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: limits::EXPANSION_DEPTH,
            lines: limits::EXPANSION_LINES,
            bytes: limits::EXPANSION_BYTES,
            work: limits::EXPANSION_WORK,
            problems: limits::EXPANSION_PROBLEMS,
        }
    }
}

/// Expands a text.
///
/// `includes` gives the text of a file that `.include` names; where it gives
/// nothing, the name is in [`Expansion::wanted`]. `checkpoint` is called every
/// thousand lines or so; it may unwind to cancel. Takes time linear in the lines
/// read, which [`Limits`] bound.
pub fn expand(
    text: &str,
    dialect: Dialect,
    includes: &dyn Fn(&str) -> Option<Arc<str>>,
    options: &Options<'_>,
    checkpoint: &dyn Fn(),
) -> Expansion {
    expand_shared(&Arc::from(text), dialect, includes, options, checkpoint)
}

/// Expands a text that others hold too, of which no copy is made.
pub(crate) fn expand_shared(
    text: &Arc<str>,
    dialect: Dialect,
    includes: &dyn Fn(&str) -> Option<Arc<str>>,
    options: &Options<'_>,
    checkpoint: &dyn Fn(),
) -> Expansion {
    expand::Expander::new(text, dialect, includes, options, checkpoint).run()
}
