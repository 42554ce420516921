//! What can be folded away: macros, conditionals, repetitions, descriptors, kernels.

use text::{TextRange, TextSize};

use super::View;
use super::outline::{ItemKind, outline};
use super::statement::{First, statements};

/// A part of the text that folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// From the first character of the line that stays to the last that goes.
    pub range: TextRange,
    /// Whether it is a kernel, and not a block between directives.
    pub kind: FoldKind,
}

/// What folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// A kernel or function.
    Kernel,
    /// Between two directives.
    Block,
}

/// Directives that open blocks: their beginnings, and what closes them.
const BLOCKS: [(&str, &[&str]); 12] = [
    (".macro", &[".endm", ".endmacro"]),
    (".if", &[".endif"]),
    (".rept", &[".endr"]),
    (".irp", &[".endr"]),
    (".for", &[".endr"]),
    (".while", &[".endr"]),
    (".rep", &[".endr"]),
    (".amdhsa_kernel", &[".end_amdhsa_kernel"]),
    (".amd_kernel_code_t", &[".end_amd_kernel_code_t"]),
    (".amdgpu_metadata", &[".end_amdgpu_metadata"]),
    (".amd_amdgpu_hsa_metadata", &[".end_amd_amdgpu_hsa_metadata"]),
    (".scope", &[".ends", ".endscope"]),
];

/// The folds of a file, in the order of their beginnings.
pub fn folds(view: View<'_>) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut open: Vec<(&'static [&'static str], TextSize)> = Vec::new();
    for statement in statements(view.text(), view.program.expansion.dialect) {
        let First::Word(word) = statement.first else { continue };
        let name = statement.slice(word).to_ascii_lowercase();
        if !name.starts_with('.') {
            continue;
        }
        if let Some(place) = open.iter().rposition(|(closers, _)| closers.contains(&name.as_str()))
        {
            let (_, start) = open[place];
            open.truncate(place);
            folds.push(Fold { range: TextRange::new(start, word.end()), kind: FoldKind::Block });
            continue;
        }
        let opens = BLOCKS.iter().find(|(opener, _)| match *opener {
            // `.ifdef`, `.ifeq` and so on.
            ".if" => name.starts_with(".if"),
            ".irp" => name == ".irp" || name == ".irpc",
            opener => name == opener,
        });
        if let Some((_, closers)) = opens {
            open.push((closers, word.start()));
        }
    }
    for item in outline(view).into_iter().filter(|item| item.kind == ItemKind::Kernel) {
        let trimmed =
            view.text().get(std::ops::Range::from(item.range)).unwrap_or_default().trim_end();
        let end = item.range.start() + TextSize::of(trimmed);
        folds.push(Fold { range: TextRange::new(item.range.start(), end), kind: FoldKind::Kernel });
    }
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}
