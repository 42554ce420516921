//! The assembler's verdicts on some forty thousand lines for nine classes of
//! chips, and ours beside them.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use crate::corpora::decompress;
use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};

/// A line and what the reference says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line.
    pub line: String,
    /// Its bytes and its text when decoded, or the message and column.
    pub verdict: Result<(Vec<u8>, String), (String, usize)>,
}

/// Statistics of the comparison with the reference on one class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Both accept, with the same bytes.
    pub equal: usize,
    /// Both accept, with different bytes.
    pub different: usize,
    /// Both refuse.
    pub refused: usize,
    /// Of these, at the same column.
    pub same_column: usize,
    /// Of these, at other columns of the same operand.
    pub same_operand: usize,
    /// Of these, where the reference only points at the mnemonic.
    pub whole_line: usize,
    /// Only the reference accepts.
    pub we_refuse: usize,
    /// Only we accept.
    pub we_accept: usize,
    /// Groups of disagreement, by kind and mnemonic: how many, and an example.
    pub groups: BTreeMap<String, (usize, String)>,
    /// Lines that both refuse at different columns, by the reference's message: their
    /// number, and an example with both columns and our message.
    pub columns: BTreeMap<String, (usize, String)>,
}

impl Agreement {
    /// All lines.
    pub fn lines(&self) -> usize {
        self.equal + self.different + self.refused + self.we_refuse + self.we_accept
    }

    /// The share of lines with the same verdict and bytes, in percent.
    pub fn same(&self) -> f64 {
        100.0 * (self.equal + self.refused) as f64 / self.lines().max(1) as f64
    }

    /// The share of lines with the same verdict, in percent.
    pub fn same_verdict(&self) -> f64 {
        let same = self.equal + self.different + self.refused;
        100.0 * same as f64 / self.lines().max(1) as f64
    }
}

/// The classes, by their files' names.
pub const CLASSES: [&str; 9] =
    ["gfx600", "gfx704", "gfx801", "gfx803", "gfx810", "gfx900", "gfx904", "gfx906", "gfx908"];

/// The classes after these, of which only our own tables have lines.
pub const NEWER_CLASSES: [&str; 3] = ["gfx90a", "gfx942", "gfx950"];

/// All classes of our own tables.
pub fn judged_classes() -> impl Iterator<Item = &'static str> {
    CLASSES.into_iter().chain(NEWER_CLASSES)
}

/// Reads the rows of a compressed table.
pub fn rows(path: &Path) -> std::io::Result<Vec<Row>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&decompress(&bytes)).into_owned();
    Ok(text.lines().skip(1).filter_map(row).collect())
}

fn row(line: &str) -> Option<Row> {
    let mut cells = line.split('\t');
    let (line, verdict, third) = (cells.next()?, cells.next()?, cells.next()?);
    let fourth = cells.next().unwrap_or("");
    let verdict = match verdict {
        "ok" => Ok((bytes(third)?, fourth.to_owned())),
        _ => Err((third.to_owned(), fourth.parse().unwrap_or(0))),
    };
    Some(Row { line: line.to_owned(), verdict })
}

/// Classes whose lines were given to the CLRX assembler too, by their files' names.
pub const CLRX_CLASSES: [&str; 5] = ["gfx600", "gfx704", "gfx803", "gfx900", "gfx906"];

/// Reads what the CLRX assembler says of the lines of a compressed table.
pub fn clrx_rows(path: &Path) -> std::io::Result<Vec<Row>> {
    let bytes = std::fs::read(path)?;
    let text = String::from_utf8_lossy(&decompress(&bytes)).into_owned();
    Ok(text.lines().skip(1).filter_map(clrx_row).collect())
}

fn clrx_row(line: &str) -> Option<Row> {
    let mut cells = line.split('\t');
    let line = cells.next()?;
    let (verdict, text) = (cells.nth(2)?, cells.next()?);
    // Where it gave neither bytes nor a message it gave no verdict.
    if text.is_empty() {
        return None;
    }
    let verdict = match verdict {
        "ok" => Ok((bytes(text)?, String::new())),
        _ => Err((text.to_owned(), 0)),
    };
    Some(Row { line: line.to_owned(), verdict })
}

/// Returns the operand of a line that a column, from 1, is in: 0 for the mnemonic. Commas
/// divide operands, and so do blanks before a word.
fn operand_of(line: &str, column: usize) -> usize {
    let bytes = line.as_bytes();
    let before = bytes.iter().take(column.saturating_sub(1)).enumerate();
    let mut depth = 0_u32;
    before
        .filter(|(at, byte)| {
            match byte {
                b'[' | b'(' => depth += 1,
                b']' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let begins_word = bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
            let is_first_blank = !bytes[..*at].contains(&b' ');
            let after_comma = *at > 0 && bytes[at - 1] == b',';
            let divides = **byte == b' ' && !after_comma && (begins_word || is_first_blank);
            depth == 0 && (divides || **byte == b',')
        })
        .count()
}

/// The rows of the lines that must be refused, by processor: those for which the
/// reference's message and column were measured.
pub fn refused(folder: &Path) -> std::io::Result<BTreeMap<String, Vec<Row>>> {
    let mut all: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".tsv") || name.contains(".accepted") {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [processor, line, _, message, column, ..] = cells[..] else { continue };
            let Ok(column) = column.parse() else { continue };
            // The reference's generic processor has the first generation's instructions.
            let processor = if processor == "generic" { "gfx600" } else { processor };
            let verdict = Err((message.to_owned(), column));
            let row = Row { line: line.to_owned(), verdict };
            all.entry(processor.to_owned()).or_default().push(row);
        }
    }
    Ok(all)
}

/// The bytes of `0x01,0x02,A`; a byte that the linker fills in counts as zero.
fn bytes(cell: &str) -> Option<Vec<u8>> {
    cell.split(',')
        .map(|byte| match byte.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(&digits[..2], 16).ok(),
            None => Some(0),
        })
        .collect()
}

/// Judges rows for a class and compares.
///
/// The CLRX assembler refuses a line whose symbols nothing defines, and addresses
/// behind the end of its section; we say that a value comes later.
pub fn compare<'a>(
    class: &str,
    dialect: Dialect,
    rows: impl Iterator<Item = &'a Row>,
) -> Agreement {
    let target = Target::find(class).expect("a processor");
    let set = InstructionSet::in_dialect(target, dialect);
    let mut agreement = Agreement::default();
    for row in rows {
        let ours = assemble_line(&row.line, set, &NoSymbols).or_else(|error| {
            // CLRX warns of what it cuts, and goes on.
            let is_cut = dialect == Dialect::Clrx;
            error.cut.filter(|_| is_cut).ok_or(error)
        });
        let mnemonic = row.line.split_whitespace().next().unwrap_or("");
        let mut differ = |kind: &str, detail: String| {
            let key = format!("{kind} {mnemonic}");
            let entry = agreement.groups.entry(key).or_insert((0, String::new()));
            entry.0 += 1;
            if entry.1.is_empty() {
                entry.1 = format!("{} | {detail}", row.line);
            }
        };
        match (&row.verdict, ours) {
            (Ok((bytes, _)), Ok(assembled)) => {
                let ours: Vec<u8> = assembled.bytes().collect();
                if *bytes == ours {
                    agreement.equal += 1;
                } else {
                    agreement.different += 1;
                    differ("bytes", format!("{bytes:02x?} {ours:02x?}"));
                }
            }
            (Err((message, column)), Err(error)) => {
                agreement.refused += 1;
                let ours = row.line.get(..error.range.start).map_or(0, |text| text.chars().count());
                if ours + 1 == *column {
                    agreement.same_column += 1;
                } else if operand_of(&row.line, ours + 1) == operand_of(&row.line, *column) {
                    agreement.same_operand += 1;
                } else if operand_of(&row.line, *column) == 0 {
                    agreement.whole_line += 1;
                } else {
                    let entry =
                        agreement.columns.entry(message.clone()).or_insert((0, String::new()));
                    entry.0 += 1;
                    if entry.1.is_empty() {
                        let message = &error.message;
                        entry.1 = format!("{} | {column}, ours {}: {message}", row.line, ours + 1);
                    }
                }
            }
            (Ok(_), Err(error)) => {
                agreement.we_refuse += 1;
                let kind = format!("refuse {}", error.code.0);
                differ(&kind, format!("{} {}", error.range.start + 1, error.message));
            }
            (Err((message, _)), Ok(ours)) if ours.fixup.is_some() && needs_more(message) => {
                agreement.refused += 1;
            }
            (Err((message, column)), Ok(_)) => {
                agreement.we_accept += 1;
                differ("accept", format!("{column} {message}"));
            }
        }
    }
    agreement
}

/// Tells whether a refusal is about symbols of other lines.
fn needs_more(message: &str) -> bool {
    message.starts_with("Unresolved symbol")
        || message.contains("have unresolved symbol")
        || message.starts_with("Jump over current section")
}

/// The reasons for which we differ from the CLRX assembler on purpose: the beginning and
/// the end of a group of disagreement, words of its example, and the reason.
pub const CLRX_REASONS: [([&str; 3], &str); 7] = [
    (["refuse gcn::range", "", ""], "it cuts off what does not fit; we say so"),
    (["refuse gcn::constant-bus", "", ""], "it counts numbered scalar registers and VCC alone"),
    (["refuse gcn::modifier", "", "drop it silently"], "it drops magnitudes of packed sources"),
    (["refuse", "_class_f64_e64", ", m0"], "it takes M0 for 64 bits"),
    (["accept", "", "sext("], "it cannot read a constant within sext()"),
    (["accept", "", "|-"], "it cannot read a constant between bars"),
    (["accept v_div_fmas_f64", "", ""], "it counts VCC twice where it is named too"),
];

/// The reason of a group of disagreement with the CLRX assembler.
pub fn clrx_reason(group: &str, example: &str) -> Option<&'static str> {
    let example = format!("{example} ");
    CLRX_REASONS.iter().find_map(|([begins, ends, contains], reason)| {
        let fits = group.starts_with(begins) && group.ends_with(ends) && example.contains(contains);
        fits.then_some(*reason)
    })
}
