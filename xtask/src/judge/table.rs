//! The tables: rows of judged lines, compressed, and the list of their sources.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Write as _};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::llvm::{Judge, Verdict};

/// A line with the verdict of all judges, or the verdict of each.
pub(crate) struct Row {
    line: String,
    verdict: Agreed,
}

enum Agreed {
    Right {
        bytes: String,
        text: String,
    },
    /// All complain; the newest judge's column.
    Wrong {
        column: usize,
    },
    /// `llvm-15=err llvm-19=7e000280`
    Split(String),
}

/// The numbers of a table's lines by verdict.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    pub(crate) split: usize,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ok, {} err, {} split", self.right, self.wrong, self.split)
    }
}

/// Joins the verdicts of judges on lines. A line on which one gives none is left out.
pub(crate) fn rows(
    lines: &[String],
    judges: &[Judge],
    verdicts: &[Vec<Option<Verdict>>],
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let of_line: Option<Vec<&Verdict>> =
            verdicts.iter().map(|all| all.get(index)?.as_ref()).collect();
        let Some(of_line) = of_line else { continue };
        let short = |verdict: &Verdict| match verdict {
            Verdict::Right { bytes, .. } => bytes.clone(),
            Verdict::Wrong { .. } => "err".to_owned(),
        };
        let Some(newest) = of_line.last() else { continue };
        if short(newest).contains('?') {
            continue;
        }
        let verdict = if of_line.iter().any(|verdict| short(verdict) != short(newest)) {
            let each = judges.iter().zip(&of_line);
            let each = each.map(|(judge, verdict)| format!("{}={}", judge.name, short(verdict)));
            Agreed::Split(each.collect::<Vec<_>>().join(" "))
        } else {
            match newest {
                Verdict::Right { bytes, text } => {
                    Agreed::Right { bytes: bytes.clone(), text: text.clone() }
                }
                Verdict::Wrong { column } => Agreed::Wrong { column: *column },
            }
        };
        rows.push(Row { line: line.clone(), verdict });
    }
    rows
}

/// Takes the spelling of right lines from a disassembler.
pub(crate) fn respell(
    rows: &mut [Row],
    disassemble: impl FnOnce(&[String]) -> Result<Vec<Option<String>>, String>,
) -> Result<(), String> {
    let mut places = Vec::new();
    let mut words = Vec::new();
    for row in rows {
        if let Agreed::Right { bytes, text } = &mut row.verdict {
            words.push(bytes.clone());
            places.push(text);
        }
    }
    for (place, text) in places.into_iter().zip(disassemble(&words)?) {
        // What the disassembler does not know has no spelling.
        *place = text.unwrap_or_else(|| "-".to_owned());
    }
    Ok(())
}

/// The text of a table.
pub(crate) fn print(class: &str, rows: &[Row], judges: &[Judge]) -> (String, Outcome) {
    let names: Vec<&str> = judges.iter().map(|judge| judge.name.as_str()).collect();
    let mut text = format!(
        "# Our lines for {class} as {} judge them: ok, bytes, and the spelling where it is another (`-`: none); err and\n\
         # the column; split and the verdict of each. Made by `cargo xtask judge`; SOURCES.tsv has the versions.\n\
         line\tverdict\tbytes\ttext\n",
        names.join(", ")
    );
    let mut outcome = Outcome::default();
    for row in rows {
        let line = &row.line;
        // Writing to a string cannot fail.
        let _ = match &row.verdict {
            Agreed::Right { bytes, text: spelled } => {
                outcome.right += 1;
                let spelled = if spelled == line { "" } else { spelled };
                writeln!(text, "{line}\tok\t{bytes}\t{spelled}")
            }
            Agreed::Wrong { column } => {
                outcome.wrong += 1;
                writeln!(text, "{line}\terr\t{column}\t")
            }
            Agreed::Split(each) => {
                outcome.split += 1;
                writeln!(text, "{line}\tsplit\t{each}\t")
            }
        };
    }
    (text, outcome)
}

/// Tells whether a stored table holds this text.
pub(crate) fn is_current(path: &Path, text: &str) -> Result<bool, String> {
    let Ok(bytes) = std::fs::read(path) else { return Ok(false) };
    Ok(decompress(&bytes).map_err(|error| format!("{}: {error}", path.display()))? == text)
}

/// The text of compressed bytes.
pub(crate) fn decompress(bytes: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text)?;
    Ok(text)
}

/// Writes a table.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).map_err(failed)?;
    std::fs::write(path, encoder.finish().map_err(failed)?).map_err(failed)
}

/// The list of tables with their judges.
pub(crate) struct Source {
    rows: BTreeMap<String, String>,
}

const SOURCES: &str = "SOURCES.tsv";
const HEAD: &str = "# Who judged each table: made by `cargo xtask judge`, whose `--check` says whether they are current.\n\
                    table\tjudges\tdate\tcommand\tverdicts\n";

impl Source {
    /// Reads the list of a folder; an absent one is empty.
    pub(crate) fn read(folder: &Path) -> Result<Source, String> {
        let text = std::fs::read_to_string(folder.join(SOURCES)).unwrap_or_default();
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let split = |row: &str| Some((row.split_once('\t')?.0.to_owned(), row.to_owned()));
        Ok(Source { rows: rows.filter_map(split).collect() })
    }

    /// Notes a table that was written today.
    pub(crate) fn record(
        &mut self,
        name: &str,
        judges: &str,
        outcome: &impl Display,
    ) -> Result<(), String> {
        let date = Command::new("date").arg("+%F").output().map_err(|error| error.to_string())?;
        let date = String::from_utf8_lossy(&date.stdout).trim().to_owned();
        let row = format!("{name}\t{judges}\t{date}\tcargo xtask judge\t{outcome}");
        self.rows.insert(name.to_owned(), row);
        Ok(())
    }

    /// Writes the list.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), String> {
        let rows: String = self.rows.values().map(|row| format!("{row}\n")).collect();
        std::fs::write(folder.join(SOURCES), format!("{HEAD}{rows}"))
            .map_err(|error| format!("{SOURCES}: {error}"))
    }
}
