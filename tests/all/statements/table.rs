//! The tables of statements.

use std::path::{Path, PathBuf};

/// A statement of a document, with its check.
#[derive(Debug)]
pub(super) struct Row {
    /// The line in its table, from 1.
    pub(super) line: usize,
    /// The section of the document.
    pub(super) section: String,
    /// The statement, in our words.
    pub(super) statement: String,
    pub(super) verdict: Verdict,
    /// The kind of check.
    pub(super) check: String,
    /// The program, stream, name or operands that it looks at.
    pub(super) program: String,
    /// The inputs, layout or chip that it is given.
    pub(super) given: String,
    /// The outcome that it must have.
    pub(super) expected: String,
}

/// Returns how a statement is kept.
#[derive(Debug)]
pub(super) enum Verdict {
    /// As it is made.
    Honoured,
    /// Not, on purpose: a page says why.
    Deviates { page: String, says: String },
    /// Documents contradict each other: a page has both readings.
    Contradictory { page: String, says: String },
}

/// The folder of the tables.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/statements")
}

/// Reads the table of a document. A row that lacks its check is refused.
pub(super) fn read(document: &str) -> Vec<Row> {
    let path = folder().join(document).with_extension("tsv");
    let text = std::fs::read_to_string(&path).expect("readable");
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with("# "));
    let (_, head) = lines.next().expect("a head");
    assert_eq!(head, "section\tstatement\tverdict\tcheck\tprogram\tgiven\texpected", "{document}");
    lines.map(|(at, line)| row(document, at + 1, line)).collect()
}

fn row(document: &str, line: usize, text: &str) -> Row {
    let place = format!("{document}.tsv:{line}");
    let cells: Vec<&str> = text.split('\t').collect();
    let [section, statement, verdict, check, program, given, expected] = cells[..] else {
        panic!("{place}: {} cells", cells.len());
    };
    let needed = [("section", section), ("statement", statement), ("check", check)];
    for (name, cell) in needed.into_iter().chain([("program", program), ("outcome", expected)]) {
        assert!(!cell.trim().is_empty(), "{place}: no {name}");
    }
    let owned = str::to_owned;
    Row {
        line,
        section: owned(section),
        statement: owned(statement),
        verdict: self::verdict(verdict).unwrap_or_else(|| panic!("{place}: `{verdict}`")),
        check: owned(check),
        program: owned(program),
        given: owned(given),
        expected: owned(expected),
    }
}

/// `honoured`, `deviates PAGE: words of the page`, `contradictory PAGE: words of the page`.
fn verdict(cell: &str) -> Option<Verdict> {
    if cell == "honoured" {
        return Some(Verdict::Honoured);
    }
    let (kind, rest) = cell.split_once(' ')?;
    let (page, says) = rest.split_once(": ")?;
    let (page, says) = (page.to_owned(), says.to_owned());
    match kind {
        "deviates" => Some(Verdict::Deviates { page, says }),
        "contradictory" => Some(Verdict::Contradictory { page, says }),
        _ => None,
    }
}

/// The program of a cell: a line for each part between slashes. One that does not begin with
/// its stage is a fragment shader that leaves `TEMP[0]`; `{1.0 -2 3 4}` is an immediate.
pub(super) fn program(cell: &str) -> String {
    let mut lines: Vec<&str> = cell.split(" / ").collect();
    let stage = lines.iter().find(|line| !line.starts_with('#')).copied().unwrap_or_default();
    let stages = ["FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"];
    let framed = !stages.iter().any(|word| stage.starts_with(word));
    if framed {
        let head = ["FRAG", "DCL OUT[0], COLOR", "DCL TEMP[0..9]", "DCL ADDR[0..1]"];
        lines.splice(0..0, head);
        if !cell.contains("OUT[0]") {
            lines.push("MOV OUT[0], TEMP[0]");
        }
    }
    let mut text = String::new();
    let mut immediates = 0;
    for line in &lines {
        match line.strip_prefix('{').and_then(|values| values.strip_suffix('}')) {
            Some(values) => {
                let bits = super::numbers::words(values).expect("values");
                let [x, y, z, w] = std::array::from_fn(|at| bits.get(at).copied().unwrap_or(0));
                text += &format!("IMM[{immediates}] UINT32 {{{x}, {y}, {z}, {w}}}\n");
                immediates += 1;
            }
            None => text += &format!("{line}\n"),
        }
    }
    if !lines.iter().any(|line| line.split_whitespace().last() == Some("END")) {
        text += "END\n";
    }
    text
}
