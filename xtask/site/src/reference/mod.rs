//! The reference: a page for each thing that the tables describe, and a list of each section.

mod diagnostics;
mod gcn;
mod tgsi;

use std::fmt::Write as _;

use crate::page::{Page, Section};

/// Makes the pages of all sections, each with its list.
///
/// # Errors
/// A page without the example that is due, or an example that does not run.
pub(crate) fn pages() -> Result<Vec<Page>, String> {
    let mut pages = tgsi::opcodes()?;
    pages.extend(tgsi::words());
    pages.extend(tgsi::capabilities());
    pages.extend(gcn::instructions()?);
    pages.extend(gcn::words());
    pages.extend(gcn::directives());
    pages.extend(gcn::chips());
    pages.extend(diagnostics::pages()?);
    let lists: Vec<Page> = Section::REFERENCE.iter().map(|it| list(*it, &pages)).collect();
    pages.extend(lists);
    Ok(pages)
}

/// Returns all pages, or else all faults: who repairs one sees the others too.
fn all<T>(results: impl Iterator<Item = Result<T, String>>) -> Result<Vec<T>, String> {
    let (mut pages, mut faults) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(page) => pages.push(page),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(pages) } else { Err(faults.join("\n")) }
}

/// The list of a section: its groups, each with its pages.
fn list(section: Section, pages: &[Page]) -> Page {
    let own: Vec<&Page> = pages.iter().filter(|page| page.section == section).collect();
    let mut groups: Vec<&str> = Vec::new();
    for page in &own {
        if !groups.contains(&page.group.as_str()) {
            groups.push(&page.group);
        }
    }
    let mut body = format!("{}\n\n{} pages.\n", section.introduction(), own.len());
    for group in groups {
        if !group.is_empty() {
            let _ = write!(body, "\n## {group}\n");
        }
        body.push_str("\n| | |\n|---|---|\n");
        for page in own.iter().filter(|page| page.group == group) {
            let summary = page.summary.replace('|', "\\|");
            let _ = writeln!(body, "| [`{}`]({}) | {summary} |", page.title, page.path);
        }
    }
    Page {
        section: Section::Chapters,
        path: Page::list_path(section),
        title: section.title().to_owned(),
        summary: section.introduction().split(". ").next().unwrap_or_default().replace('`', ""),
        group: String::new(),
        aliases: Vec::new(),
        body,
    }
}
