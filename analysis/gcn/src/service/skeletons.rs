//! Lines to begin with: whole kernels, and what is written again and again.
//!
//! They are data, and are assembled for every chip in the tests: what a beginner is handed
//! has no diagnostic.

use editor_model::{CompletionItem, CompletionKind};

use crate::assembler::Dialect;
use crate::program::Program;
use crate::{Generation, Target};

include!(concat!(env!("OUT_DIR"), "/skeletons.rs"));

/// Returns the skeletons that fit a program.
pub(super) fn skeletons(program: &Program) -> impl Iterator<Item = CompletionItem> {
    let (dialect, target) = (program.dialect, program.target);
    // Both kinds of kernel are of runtimes that begin with gfx7 (LLVM AMDGPUUsage, table of
    // processors; CLRX, AMD OpenCL 2.0).
    // The word that is being typed is not an instruction yet.
    let is_empty = program.instructions.iter().all(|it| it.assembled.is_none());
    let wholes = is_empty && target.generation() != Generation::Gfx6;
    let fits = move |it: &&Skeleton| {
        let is_place = wholes || it.place == SkeletonContext::Code;
        is_place && it.dialect.is_none_or(|its| its == dialect)
    };
    SKELETONS.iter().filter(fits).map(move |skeleton| skeleton.item(target))
}

/// Lines to begin with, a section of `data/skeletons.txt`: behind a line `== LABEL |
/// DIALECT | PLACE | DETAIL`. Places to fill in are written as in snippets: `${1:s0}`;
/// `PROCESSOR` and `GPU` are the chip's names in LLVM's words and in CLRX's.
struct Skeleton {
    label: &'static str,
    /// The dialect that it is written in; `None` where both read it.
    dialect: Option<Dialect>,
    place: SkeletonContext,
    detail: &'static str,
    lines: &'static str,
}

/// The places where a skeleton is offered.
#[derive(PartialEq, Eq)]
enum SkeletonContext {
    /// Texts in which no instruction is yet: `text`.
    EmptyText,
    /// Anywhere: `code`.
    Code,
}

impl Skeleton {
    fn item(&self, target: Target) -> CompletionItem {
        let row = target.row();
        let product = row.aliases.iter().find(|name| !name.contains(' ')).unwrap_or(&row.name);
        let snippet = self.lines.replace("PROCESSOR", row.processor).replace("GPU", product);
        CompletionItem::new(self.label, CompletionKind::Skeleton)
            .with_detail(self.detail)
            .with_snippet(&source::without_places(&snippet), snippet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Options, assemble};

    fn program(text: &str, dialect: Dialect, target: Target) -> Program {
        let options = Options { dialect, target: Some(target), ..Options::default() };
        assemble(text, &options, &|_| None, &source::no_checkpoint)
    }

    #[test]
    fn what_a_beginner_is_handed_has_no_finding() {
        let mut offered = 0;
        for target in Target::all()
            .filter(|target| target.row().compiles == crate::targets::Compiles::AllStages)
        {
            for dialect in [Dialect::Llvm, Dialect::Clrx] {
                for item in skeletons(&program("", dialect, target)) {
                    let found = program(&item.insert, dialect, target);
                    let name = target.name();
                    assert_eq!(found.diagnostics, [], "{name}: {}", item.insert);
                    assert!(!item.insert.contains('$'), "{}", item.insert);
                    offered += 1;
                }
            }
        }
        assert!(offered > 100, "{offered}");
    }

    #[test]
    fn a_kernel_is_offered_where_there_is_none() {
        let target = Target::default();
        let labels = |text: &str| -> Vec<String> {
            skeletons(&program(text, Dialect::Llvm, target)).map(|it| it.label).collect()
        };
        assert_eq!(
            labels(""),
            ["kernel …", "loop …", "if lanes …", "wait …", "barrier …", "macro …"]
        );
        assert!(!labels("s_endpgm\n").contains(&"kernel …".to_owned()));
        assert!(labels("ker").contains(&"kernel …".to_owned()), "while it is being typed");
    }
}
