//! The names of the diagnostics that no language crate makes, and the pages of all.

source::codes! {
    /// The file is larger than what is analysed.
    TOO_LARGE = "file::too-large";
    /// There were more diagnostics than are shown.
    TOO_MANY = "file::too-many-diagnostics";
    /// Valid TGSI that is not compiled yet.
    UNSUPPORTED = "compile::unsupported";
    /// The shader leaves nothing to compile.
    INVALID = "compile::invalid";
    /// LLVM refused the shader or died of it.
    FAILED = "compile::failed";
    /// There are not enough registers.
    SPILLS = "compile::spills";
    /// Indexed registers are in memory.
    SCRATCH = "compile::scratch";
    /// A barrier for which there is no instruction.
    BARRIER = "compile::dropped-barrier";
    /// LLVM warned of something.
    WARNING = "compile::warning";
    /// A file of inputs that is not understood.
    RUN_INPUTS = "run::inputs";
    /// A shader that cannot be run on its inputs.
    NOT_RUN = "run::failed";
    /// A setting in a comment that is not understood.
    DIRECTIVE = "file::unknown-setting";
    /// A chip in a comment that does not exist.
    TARGET = "file::unknown-target";
    /// Something is allowed that nothing finds.
    UNUSED_ALLOW = "file::unused-allow";
    /// A host that virglrenderer stands on refuses the shader.
    HOST_REFUSES = "host::refuses";
    /// A project's file is not TOML.
    PROJECT_SYNTAX = "project::syntax";
    /// A project's file sets something that is not understood.
    PROJECT_SETTING = "project::setting";
    /// Code costs more than a project allows.
    PROJECT_BUDGET = "project::budget";
    /// Files that a project names as a pipeline are none.
    PROJECT_PIPELINE = "project::pipeline";
}

static PAGES: &str = include_str!("../../data/diagnostics.md");

/// Every code that a diagnostic can have: those of files and compiling, of TGSI,
/// and of GCN.
pub fn codes() -> impl Iterator<Item = &'static str> {
    ALL.iter().chain(tgsi::codes::ALL).chain(gcn::codes::ALL).map(|code| code.0)
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
