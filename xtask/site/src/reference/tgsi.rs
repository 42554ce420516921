//! Pages of TGSI: opcodes, words, capabilities.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tgsi::capabilities::{self, CapabilityKind};
use tgsi::describe;
use tgsi::{Opcode, word_rows};

use crate::examples;
use crate::page::{Page, Section};

/// A page for each opcode, with a shader that was run.
pub(super) fn opcodes() -> Result<Vec<Page>, String> {
    let page = |opcode: Opcode| {
        let row = opcode.row();
        let example = examples::tgsi::of(opcode)?;
        let body = format!("{}\n## Example\n\n{example}", describe::opcode(opcode));
        let mut page = Page::about(Section::TgsiOpcodes, row.mnemonic, body);
        page.summary = sentence(row.description);
        page.group = match row.until {
            "" => "In use".to_owned(),
            _ => "Historic".to_owned(),
        };
        Ok(page)
    };
    let mut pages = super::all(Opcode::all().map(page))?;
    pages.sort_by(|one, other| (&other.group, &one.title).cmp(&(&one.group, &other.title)));
    Ok(pages)
}

/// A page for each word of the lists. A word of several lists has one page with all.
pub(super) fn words() -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for row in word_rows::all() {
        let text = describe::page(row);
        match pages.iter_mut().find(|page| page.title == row.word) {
            Some(page) => {
                let _ = write!(page.body, "\n---\n\n{text}");
            }
            None => {
                let mut page = Page::about(Section::TgsiWords, row.word, text);
                page.summary = sentence(row.description);
                page.group = row.list.to_owned();
                pages.push(page);
            }
        }
    }
    for page in &mut pages {
        let mut letters = page.group.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        page.group = format!("{}{}", first.map(String::from).unwrap_or_default(), letters.as_str());
    }
    pages
}

/// A page for each question to drivers that a document or a table names, and for each debug
/// variable.
pub(super) fn capabilities() -> Vec<Page> {
    let mut bodies: BTreeMap<&str, (String, String)> = BTreeMap::new();
    for row in describe::documented() {
        let page = describe::documented_name(row.name).unwrap_or_default();
        bodies.insert(row.name, (sentence(row.meaning), page));
    }
    for row in capabilities::all() {
        let (_, body) = bodies.entry(row.name).or_default();
        let verb = match row.kind {
            CapabilityKind::Need => "Without it a shader cannot use",
            CapabilityKind::Limit => "Its number limits",
            CapabilityKind::Choice => "It chooses the form of",
        };
        let words: Vec<String> = row.words.iter().map(|word| format!("`{word}`")).collect();
        let when = if row.when.is_empty() { String::new() } else { format!(" ({})", row.when) };
        let _ = write!(
            body,
            "\n{verb} these words of the list *{}*{when}: {}.\n\n*{}*\n",
            row.list,
            words.join(", "),
            row.source
        );
    }
    let page = |(name, (summary, body)): (&str, (String, String))| {
        let mut page = Page::about(Section::Capabilities, name, body);
        if !summary.is_empty() {
            page.summary = summary;
        }
        page.group = match name {
            name if name.starts_with("PIPE_SHADER_CAP_") => "Asked for each stage",
            name if name.starts_with("PIPE_COMPUTE_CAP_") => "Asked for compute",
            name if name.starts_with("PIPE_CAP") => "Asked of the driver",
            _ => "Debug variables and other names",
        }
        .to_owned();
        page
    };
    bodies.into_iter().map(page).collect()
}

/// The first sentence of a description, without marks.
fn sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].replace(['`', '*'], "")
}
