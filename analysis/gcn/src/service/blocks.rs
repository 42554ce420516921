//! Directives that open and close blocks of lines.

/// A kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockKind {
    /// The directive that opens it.
    opener: &'static str,
    /// Those that close it.
    closers: &'static [&'static str],
    /// What lies in it.
    pub(crate) content: Content,
}

/// What lies in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Statements.
    Statements,
    /// Text of another language.
    Text,
}

const fn statements(opener: &'static str, closers: &'static [&'static str]) -> BlockKind {
    BlockKind { opener, closers, content: Content::Statements }
}

const fn text(opener: &'static str, closers: &'static [&'static str]) -> BlockKind {
    BlockKind { opener, closers, content: Content::Text }
}

const BLOCKS: [BlockKind; 12] = [
    statements(".macro", &[".endm", ".endmacro"]),
    statements(".if", &[".endif"]),
    statements(".rept", &[".endr"]),
    statements(".irp", &[".endr"]),
    statements(".for", &[".endr"]),
    statements(".while", &[".endr"]),
    statements(".rep", &[".endr"]),
    statements(".amdhsa_kernel", &[".end_amdhsa_kernel"]),
    statements(".amd_kernel_code_t", &[".end_amd_kernel_code_t"]),
    text(".amdgpu_metadata", &[".end_amdgpu_metadata"]),
    text(".amd_amdgpu_hsa_metadata", &[".end_amd_amdgpu_hsa_metadata"]),
    statements(".scope", &[".ends", ".endscope"]),
];

impl BlockKind {
    /// The kind of block that a directive in lower case opens.
    pub(crate) fn opened_by(name: &str) -> Option<BlockKind> {
        let opens = |block: &&BlockKind| match block.opener {
            // `.ifdef`, `.ifeq` and so on.
            ".if" => name.starts_with(".if"),
            ".irp" => name == ".irp" || name == ".irpc",
            opener => name == opener,
        };
        BLOCKS.iter().find(opens).copied()
    }

    /// Whether a directive in lower case closes such a block.
    pub(crate) fn is_closed_by(&self, name: &str) -> bool {
        self.closers.contains(&name)
    }

    /// Whether a directive in lower case begins another part of such a block.
    pub(crate) fn is_divided_by(&self, name: &str) -> bool {
        self.opener == ".if" && name.starts_with(".else")
    }
}
