//! A page before it becomes HTML.

/// A part of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Section {
    /// Hand-written texts, and those documents of the repository that readers need.
    Chapters,
    /// Opcodes of TGSI.
    TgsiOpcodes,
    /// Other words of TGSI.
    TgsiWords,
    /// Questions to drivers.
    Capabilities,
    /// Instructions of GCN.
    GcnInstructions,
    /// Encodings, fields and modifiers of GCN.
    GcnWords,
    /// Directives of the assembly languages.
    GcnDirectives,
    /// Chips.
    GcnChips,
    /// Diagnostics.
    Diagnostics,
}

impl Section {
    /// The sections of the reference, in the order of the menu.
    pub(crate) const REFERENCE: [Section; 8] = [
        Section::TgsiOpcodes,
        Section::TgsiWords,
        Section::Capabilities,
        Section::GcnInstructions,
        Section::GcnWords,
        Section::GcnDirectives,
        Section::GcnChips,
        Section::Diagnostics,
    ];

    /// Returns its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Section::Chapters => "Guide",
            Section::TgsiOpcodes => "TGSI opcodes",
            Section::TgsiWords => "TGSI words",
            Section::Capabilities => "Driver capabilities",
            Section::GcnInstructions => "GCN instructions",
            Section::GcnWords => "GCN operand words",
            Section::GcnDirectives => "GCN directives",
            Section::GcnChips => "GCN chips",
            Section::Diagnostics => "Diagnostics",
        }
    }

    /// Returns the word that a search result carries.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Section::Chapters => "guide",
            Section::TgsiOpcodes => "TGSI opcode",
            Section::TgsiWords => "TGSI word",
            Section::Capabilities => "capability",
            Section::GcnInstructions => "GCN",
            Section::GcnWords => "GCN word",
            Section::GcnDirectives => "directive",
            Section::GcnChips => "chip",
            Section::Diagnostics => "diagnostic",
        }
    }

    /// Returns the folder of its pages; empty at the top.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Section::Chapters => "",
            Section::TgsiOpcodes => "tgsi",
            Section::TgsiWords => "tgsi-words",
            Section::Capabilities => "capabilities",
            Section::GcnInstructions => "gcn",
            Section::GcnWords => "gcn-words",
            Section::GcnDirectives => "directives",
            Section::GcnChips => "chips",
            Section::Diagnostics => "diagnostics",
        }
    }

    /// Returns what to tell a reader at the head of its list.
    pub(crate) fn introduction(self) -> &'static str {
        match self {
            Section::Chapters => "",
            Section::TgsiOpcodes => {
                "Every opcode that a version of Mesa or virglrenderer has had since 2007, each \
                 with a shader that the interpreter ran while this page was made. In formulas \
                 `c` stands for each component of the write mask, and `xy` and `zw` for the \
                 pairs that hold 64-bit values."
            }
            Section::TgsiWords => {
                "Register files, semantics, properties, texture targets and the other words of \
                 the language."
            }
            Section::Capabilities => {
                "The questions that Gallium asks a driver, and what in a shader depends on the \
                 answer. `tungsten caps FILE` lists the ones that a shader needs."
            }
            Section::GcnInstructions => {
                "Every instruction of gfx6 to gfx9, with its formula, cost and encodings on each \
                 generation. The example on each page was assembled while the page was made; \
                 where it also shows values, the emulator ran it."
            }
            Section::GcnWords => {
                "Encodings, their fields, modifiers, counters and the targets of exports."
            }
            Section::GcnDirectives => "Directives of LLVM's assembler and of CLRX.",
            Section::GcnChips => "Every chip by its marketing and its processor names.",
            Section::Diagnostics => {
                "Everything that `tungsten check` and the editors can report. The wrong example \
                 of each page has its diagnostic and the right one does not: tests run both."
            }
        }
    }
}

/// A page: what it is about, and its text.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// Its part of the site.
    pub(crate) section: Section,
    /// Its path from the root of the site, such as `tgsi/mad.html`.
    pub(crate) path: String,
    /// Its heading.
    pub(crate) title: String,
    /// A sentence for search results and lists; may be empty.
    pub(crate) summary: String,
    /// The group of the section's list that it belongs to; empty where there are none.
    pub(crate) group: String,
    /// Other names that readers look for it by.
    pub(crate) aliases: Vec<String>,
    /// Its text without the heading, as Markdown.
    pub(crate) body: String,
}

impl Page {
    /// A page of the reference about a name.
    pub(crate) fn about(section: Section, name: &str, body: String) -> Page {
        Page {
            section,
            path: format!("{}/{}.html", section.folder(), file_name(name)),
            title: name.to_owned(),
            summary: first_sentence(&body),
            group: String::new(),
            aliases: Vec::new(),
            body,
        }
    }

    /// Returns the list of a section, at the address of its folder.
    pub(crate) fn list_path(section: Section) -> String {
        format!("{}/index.html", section.folder())
    }
}

/// Returns a name as part of a path: letters, digits, `_` and `-`, in lower case.
pub(crate) fn file_name(name: &str) -> String {
    let name = name.trim_start_matches('.').replace("::", "-");
    let safe = |sign: char| match sign {
        sign if sign.is_ascii_alphanumeric() || sign == '_' || sign == '-' => {
            sign.to_ascii_lowercase()
        }
        _ => '-',
    };
    match &*name.chars().map(safe).collect::<String>() {
        // The list of the section has this name.
        "index" => "index-".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the first sentence of a text's first paragraph of prose, without marks.
fn first_sentence(body: &str) -> String {
    let mut fenced = false;
    let prose = body.lines().find(|line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        let first = line.chars().next();
        let is_prose = first.is_some_and(|sign| !"#|*-`<".contains(sign));
        !fence && !fenced && is_prose
    });
    let line = prose.unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    line[..end].replace(['`', '*'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_paths() {
        assert_eq!(file_name(".p2align"), "p2align");
        assert_eq!(file_name("tgsi::unknown-opcode"), "tgsi-unknown-opcode");
        assert_eq!(file_name("MAD"), "mad");
        assert_eq!(file_name("INDEX"), "index-");
    }

    #[test]
    fn a_summary_is_the_first_sentence_of_prose() {
        let body = "```tgsi\nMAD\n```\n\nFused `or` not. More.\n";
        assert_eq!(first_sentence(body), "Fused or not.");
        assert_eq!(first_sentence("| a |\n"), "");
    }
}
