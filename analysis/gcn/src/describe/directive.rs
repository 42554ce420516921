//! Pages of directives: hovers, completion and the command line show the same.

use std::fmt::Write as _;

pub use crate::assembler::directives::{DirectiveInfo, all as directives, find as directive};

impl DirectiveInfo {
    /// Returns its page, as Markdown.
    pub fn markdown(&self) -> String {
        let dialects = match self.dialects {
            [one] => format!("the {} dialect alone", one.name()),
            _ => "both dialects".to_owned(),
        };
        let blank = if self.arguments.is_empty() { "" } else { " " };
        let (name, arguments, does) = (self.name, self.arguments, self.does);
        let mut page = format!("```gcn\n{name}{blank}{arguments}\n```\n{does}\n");
        if let Some(example) = &self.example {
            let _ = write!(page, "\nExample:\n```gcn\n{example}\n```\n");
        }
        let _ = write!(page, "\nIn {dialects}; from: {}.\n", self.source);
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::{Options, expand};

    #[test]
    fn every_example_uses_its_directive_and_is_accepted() {
        let (mut seen, mut failed) = (0, String::new());
        for info in directives() {
            let Some(example) = &info.example else { continue };
            assert!(
                example.split(|letter: char| letter.is_whitespace()).any(|it| it == info.name),
                "{}",
                info.name
            );
            for dialect in info.dialects {
                let includes = |_: &str| Some(std::sync::Arc::from(""));
                let read = expand(
                    example,
                    *dialect,
                    &includes,
                    &Options::default(),
                    &source::no_checkpoint,
                );
                for diagnostic in read.diagnostics() {
                    failed.push_str(&format!(
                        "{} in {}: {}\n",
                        info.name,
                        dialect.name(),
                        diagnostic.message
                    ));
                }
                seen += 1;
            }
        }
        assert_eq!(failed, "");
        assert!(seen > 300, "{seen}");
    }
}
