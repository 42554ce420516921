//! What each directive is for, read from `data/directives.tsv`: hovers, completion and
//! the command line show the same rows.
//!
//! What a directive does while assembling is another table's: a fact for the program,
//! where this one is for readers.

use std::fmt::Write as _;
use std::sync::OnceLock;

use crate::assembler::Dialect;
use crate::table::Table;

/// A directive, for readers.
#[derive(Debug)]
pub struct DirectiveInfo {
    /// Its name with the point.
    pub name: &'static str,
    /// The dialects that have it.
    pub dialects: &'static [Dialect],
    /// What stands behind it, optional parts in brackets; empty where nothing does.
    pub arguments: &'static str,
    /// What it does, as Markdown.
    pub does: &'static str,
    /// Lines that use it, which its dialects accept; `None` where only a whole program would.
    pub example: Option<String>,
    /// Where the row is from.
    pub source: &'static str,
}

impl DirectiveInfo {
    /// What it is, as Markdown.
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

/// Every directive, in the order of the table.
pub fn directives() -> &'static [DirectiveInfo] {
    static ROWS: OnceLock<Vec<DirectiveInfo>> = OnceLock::new();
    ROWS.get_or_init(|| match parse() {
        Ok(rows) => rows,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of directives: {message}"),
    })
}

/// The directive of a name, in any case.
pub fn directive(name: &str) -> Option<&'static DirectiveInfo> {
    directives().iter().find(|info| info.name.eq_ignore_ascii_case(name))
}

fn parse() -> Result<Vec<DirectiveInfo>, String> {
    let mut rows = Vec::new();
    let table = Table::parse(include_str!("../../data/directives.tsv"))?;
    for row in table.rows() {
        let dialects: &[Dialect] = match row.cell("dialect")? {
            "both" => &[Dialect::Llvm, Dialect::Clrx],
            "llvm" => &[Dialect::Llvm],
            "clrx" => &[Dialect::Clrx],
            other => return Err(row.refuse("dialect", other)),
        };
        let given = |column| row.cell(column).map(|cell| (cell != "-").then_some(cell));
        for column in ["name", "does", "source"] {
            if given(column)?.is_none_or(str::is_empty) {
                return Err(row.refuse(column, ""));
            }
        }
        rows.push(DirectiveInfo {
            name: row.cell("name")?,
            dialects,
            arguments: given("arguments")?.unwrap_or_default(),
            does: row.cell("does")?,
            example: given("example")?.map(|lines| lines.replace("\\n", "\n")),
            source: row.cell("source")?,
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::{Options, directives, expand};

    #[test]
    fn every_directive_of_the_assembler_has_one_row() {
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            for name in directives::names(dialect) {
                let rows = super::directives().iter().filter(|info| info.name == name);
                let of_dialect = rows.filter(|info| info.dialects.contains(&dialect)).count();
                assert_eq!(of_dialect, 1, "{name} in {}", dialect.name());
            }
        }
        for info in super::directives() {
            // These are known as parts of blocks.
            let part = info.name.starts_with(".amdhsa_") || info.name.starts_with(".end_");
            for dialect in info.dialects {
                let known = directives::names(*dialect).any(|name| name == info.name);
                assert!(known || part, "{} in {}", info.name, dialect.name());
            }
        }
    }

    #[test]
    fn every_example_uses_its_directive_and_is_accepted() {
        let (mut seen, mut failed) = (0, String::new());
        for info in super::directives() {
            let Some(example) = &info.example else { continue };
            assert!(
                example.split(|letter: char| letter.is_whitespace()).any(|it| it == info.name),
                "{}",
                info.name
            );
            for dialect in info.dialects {
                let includes = |_: &str| Some(std::sync::Arc::from(""));
                let read =
                    expand(example, *dialect, &includes, &Options::default(), &text::no_checkpoint);
                for finding in read.diagnostics() {
                    failed.push_str(&format!(
                        "{} in {}: {}\n",
                        info.name,
                        dialect.name(),
                        finding.message
                    ));
                }
                seen += 1;
            }
        }
        assert_eq!(failed, "");
        assert!(seen > 300, "{seen}");
    }
}
