//! The names of the diagnostics that no language crate makes, and the pages of all.

use source::Code;

/// The file is larger than what is analysed.
pub(crate) const TOO_LARGE: Code = Code("file::too-large");
/// There were more diagnostics than are shown.
pub(crate) const TOO_MANY: Code = Code("file::too-many-diagnostics");
/// Valid TGSI that is not compiled yet.
pub(crate) const UNSUPPORTED: Code = Code("compile::unsupported");
/// The shader leaves nothing to compile.
pub(crate) const INVALID: Code = Code("compile::invalid");
/// LLVM refused the shader or died of it.
pub(crate) const FAILED: Code = Code("compile::failed");
/// There are not enough registers.
pub(crate) const SPILLS: Code = Code("compile::spills");
/// Indexed registers are in memory.
pub(crate) const SCRATCH: Code = Code("compile::scratch");
/// A barrier for which there is no instruction.
pub(crate) const BARRIER: Code = Code("compile::dropped-barrier");
/// LLVM warned of something.
pub(crate) const WARNING: Code = Code("compile::warning");

/// A project's file is no TOML.
pub const PROJECT_SYNTAX: Code = Code("project::syntax");
/// A project's file sets something that is not understood.
pub const PROJECT_SETTING: Code = Code("project::setting");
/// Files that a project names as a pipeline are none.
pub(crate) const PROJECT_PIPELINE: Code = Code("project::pipeline");

/// A file of inputs that is not understood.
pub(crate) const RUN_INPUTS: Code = Code("run::inputs");
/// A shader that cannot be run on its inputs.
pub(crate) const NOT_RUN: Code = Code("run::failed");

/// A setting in a comment that is not understood.
pub(crate) const DIRECTIVE: Code = Code("file::unknown-setting");
/// A chip in a comment that does not exist.
pub(crate) const TARGET: Code = Code("file::unknown-target");
/// Something is allowed that nothing finds.
pub(crate) const UNUSED_ALLOW: Code = Code("file::unused-allow");

static PAGES: &str = include_str!("../../data/diagnostics.md");

/// The codes of this crate's own diagnostics.
const OWN: [Code; 17] = [
    TOO_LARGE,
    TOO_MANY,
    UNSUPPORTED,
    INVALID,
    FAILED,
    SPILLS,
    SCRATCH,
    BARRIER,
    WARNING,
    RUN_INPUTS,
    NOT_RUN,
    DIRECTIVE,
    TARGET,
    UNUSED_ALLOW,
    PROJECT_SYNTAX,
    PROJECT_SETTING,
    PROJECT_PIPELINE,
];

/// Every code that a diagnostic can have: those of files and compiling, of TGSI,
/// and of GCN.
pub fn codes() -> impl Iterator<Item = &'static str> {
    OWN.iter().chain(tgsi::codes::ALL).chain(gcn::codes::ALL).map(|code| code.0)
}

/// The page of a diagnostic's code, as Markdown without heading; `None` for a
/// code that nothing reports.
pub fn explain(code: &str) -> Option<&'static str> {
    source::page(PAGES, code)
        .or_else(|| tgsi::codes::explain(code))
        .or_else(|| gcn::codes::explain(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        for code in codes() {
            assert!(explain(code).is_some_and(|page| page.len() > 40), "{code}");
        }
        assert!(explain("tgsi::unknown-opcode").is_some());
        assert!(explain("gcn::constant-bus").is_some());
        assert!(explain("nobody::knows").is_none());
    }
}
