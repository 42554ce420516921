//! The words behind mnemonics, and the lines to begin with.

use std::path::Path;

use tables::print::{array, strings};
use tables::{Error, Result, Table};

/// Returns the words of operands and modifiers.
pub(crate) fn words(data: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for row in Table::read(data, "words.tsv")?.rows() {
        crate::filled(row, &["word", "kind", "written", "summary", "source"])?;
        let kinds = [
            ("target", true),
            ("modifier", false),
            ("counter", false),
            ("function", false),
            ("operand", false),
        ];
        let name = row.cell("word")?;
        let is_numbered = row.one_of("kind", &kinds)? && row.cell("written")? != name;
        rows.push(format!(
            "    WordInfo {{ name: {name:?}, is_numbered: {is_numbered}, {}}},\n",
            strings(row, &["written", "summary", "source"])?
        ));
    }
    Ok(array("WORDS", "WordInfo", &rows))
}

/// Returns the lines to begin with.
pub(crate) fn skeletons(data: &Path) -> Result<String> {
    let text = tables::read(data, "skeletons.txt")?;
    let mut skeletons = Vec::new();
    let mut line = 1;
    for section in text.split_inclusive("\n== ") {
        let refused = |what: &str| {
            let place = Some(("data/skeletons.txt".to_owned(), line));
            Error { place, message: what.to_owned() }
        };
        let section = section.strip_prefix("== ").unwrap_or(section);
        let section = section.strip_suffix("== ").unwrap_or(section);
        let (head, lines) = section.split_once('\n').unwrap_or((section, ""));
        let [label, dialect, place, detail] = *head.split(" | ").collect::<Vec<_>>() else {
            return Err(refused("a label, a dialect, a place and a detail begin a section"));
        };
        let dialect = match dialect {
            "both" => "None",
            "llvm" => "Some(Dialect::Llvm)",
            "clrx" => "Some(Dialect::Clrx)",
            _ => return Err(refused("the dialect is not known")),
        };
        let place = match place {
            "text" => "SkeletonContext::EmptyText",
            "code" => "SkeletonContext::Code",
            _ => return Err(refused("the place is not known")),
        };
        skeletons.push(format!(
            "    Skeleton {{ label: {label:?}, dialect: {dialect}, place: {place}, detail: \
             {detail:?}, lines: {:?} }},\n",
            lines.trim_end()
        ));
        line += section.lines().count();
    }
    Ok(array("SKELETONS", "Skeleton", &skeletons))
}
