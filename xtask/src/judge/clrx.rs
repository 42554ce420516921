//! Verdicts of the CLRX assembler, taken from tables that somebody else measured,
//! for the lines that are ours too.

use std::collections::BTreeSet;
use std::path::Path;

use super::table::{Outcome, decompress};

/// The table of a class: its name, text, numbers and judge; none where nothing was
/// measured.
pub(crate) fn table(
    folder: &Path,
    class: &str,
    lines: &[String],
) -> Result<Option<(String, String, Outcome, String)>, String> {
    let path = folder.join(format!("{class}.tsv.gz"));
    let Ok(bytes) = std::fs::read(&path) else { return Ok(None) };
    let measured = decompress(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let ours: BTreeSet<&str> = lines.iter().map(String::as_str).collect();
    let mut outcome = Outcome::default();
    let mut text = format!(
        "# Those of our lines for {class} that were given to the CLRX assembler: ok and bytes, or err.\n\
         line\tverdict\tbytes\n"
    );
    for row in measured.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [line, _, _, verdict, answer, ..] = cells[..] else { continue };
        if !ours.contains(line) || answer.is_empty() {
            continue;
        }
        if verdict == "ok" {
            outcome.right += 1;
            let bytes = answer.replace("0x", "").replace(',', "");
            text.push_str(&format!("{line}\tok\t{bytes}\n"));
        } else {
            outcome.wrong += 1;
            text.push_str(&format!("{line}\terr\t\n"));
        }
    }
    Ok(Some((format!("clrx-{class}.tsv.gz"), text, outcome, "clrxasm 0.1.9".to_owned())))
}
