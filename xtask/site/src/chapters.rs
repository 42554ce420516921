//! The hand-written chapters, and the documents of the repository that readers need.

use std::path::Path;

use crate::commands;
use crate::page::{Page, Section};

/// A part of the menu.
pub(crate) struct Part {
    /// Its heading.
    pub(crate) title: &'static str,
    /// Its chapters, in reading order.
    pub(crate) chapters: &'static [Chapter],
}

/// A chapter: its words in the menu, its address, its source.
pub(crate) struct Chapter {
    /// Its words in the menu.
    pub(crate) title: &'static str,
    /// Its path from the root of the site.
    pub(crate) path: &'static str,
    /// Its source from the root of the repository.
    source: &'static str,
}

/// A row of the menu.
const fn chapter(title: &'static str, path: &'static str, source: &'static str) -> Chapter {
    Chapter { title, path, source }
}

/// All chapters, in reading order.
pub(crate) const CHAPTERS: &[Part] = &[
    Part {
        title: "Begin",
        chapters: &[
            chapter("Overview", "index.html", "xtask/site/chapters/index.md"),
            chapter("Two minutes", "start.html", "xtask/site/chapters/start.md"),
            chapter("Tutorial: TGSI", "tutorial-tgsi.html", "xtask/site/chapters/tutorial-tgsi.md"),
            chapter("Tutorial: GCN", "tutorial-gcn.html", "xtask/site/chapters/tutorial-gcn.md"),
            chapter("Debugging", "debugging.html", "xtask/site/chapters/debugging.md"),
        ],
    },
    Part {
        title: "Use",
        chapters: &[
            chapter("Commands", "commands.html", "xtask/site/chapters/commands.md"),
            chapter("Editors", "editors.html", "xtask/site/chapters/editors.md"),
            chapter("Settings", "settings.html", "server/SETTINGS.md"),
            chapter("Run a shader", "run.html", "analysis/tgsi-interp/data/running.md"),
            chapter("Get TGSI from a driver", "dumps.html", "analysis/tgsi/data/dumps.md"),
        ],
    },
    Part {
        title: "Understand",
        chapters: &[
            chapter("How figures are made", "figures.html", "xtask/site/chapters/figures.md"),
            chapter("Questions", "questions.html", "xtask/site/chapters/questions.md"),
            chapter("Other tools", "comparison.html", "xtask/site/chapters/comparison.md"),
            chapter("Glossary", "glossary.html", "xtask/site/chapters/glossary.md"),
        ],
    },
    Part {
        title: "Look up",
        chapters: &[
            chapter("Protocol", "protocol.html", "server/PROTOCOL.md"),
            chapter("Limits", "limits.html", "server/LIMITS.md"),
            chapter("Security", "security.html", "SECURITY.md"),
            chapter("Changes", "changes.html", "CHANGELOG.md"),
        ],
    },
];

/// Reads all chapters, and runs their commands.
///
/// # Errors
/// A source that cannot be read, or a command that fails.
pub(crate) fn pages(root: &Path, tungsten: &Path) -> Result<Vec<Page>, String> {
    let chapters = CHAPTERS.iter().flat_map(|part| part.chapters);
    chapters
        .map(|chapter| {
            let failed = |why: String| format!("{}: {why}", chapter.source);
            let text = std::fs::read_to_string(root.join(chapter.source))
                .map_err(|why| failed(why.to_string()))?;
            let text = commands::run_blocks(&text, root, tungsten).map_err(failed)?;
            let (title, body) = heading(&text, chapter.title);
            let body = own_links(body, chapter.source);
            let page = Page::about(Section::Chapters, title, body);
            Ok(Page { path: chapter.path.to_owned(), ..page })
        })
        .collect()
}

/// Splits a text into its first heading and the rest.
fn heading<'a>(text: &'a str, otherwise: &'a str) -> (&'a str, &'a str) {
    let text = match text.strip_prefix("<!--") {
        Some(comment) => comment.split_once("-->").map_or("", |(_, rest)| rest.trim_start()),
        None => text,
    };
    match text.strip_prefix("# ") {
        Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
        None => (otherwise, text),
    }
}

/// Returns a text with its links to documents of the repository as links to their pages. A link
/// to what the site does not have becomes its words.
fn own_links(text: &str, source: &str) -> String {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, title, target, after)) = next_link(rest) {
        result.push_str(before);
        match page_of(folder, target) {
            Some(target) => result.push_str(&format!("[{title}]({target})")),
            None => result.push_str(title),
        }
        rest = after;
    }
    result + rest
}

/// Finds the next link of a text: what is before it, its words, its target, what follows.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    Some((&text[..start], &text[start + 1..middle], &text[middle + 2..end], &text[end + 1..]))
}

/// Returns where the site has what a link of a document means; `None` where it does not.
fn page_of(folder: &str, target: &str) -> Option<String> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    // Chapters of the site name its pages themselves.
    if file.is_empty() || target.contains(':') || !file.ends_with(".md") {
        return Some(target.to_owned());
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let source = parts.join("/");
    let mut chapters = CHAPTERS.iter().flat_map(|part| part.chapters);
    let chapter = chapters.find(|chapter| chapter.source == source)?;
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    Some(format!("{}{anchor}", chapter.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_documents_become_links_to_pages() {
        let text = "a [b](../SECURITY.md#c) [d](README.md) [e](start.html) f";
        let expected = "a [b](security.html#c) d [e](start.html) f";
        assert_eq!(own_links(text, "server/SETTINGS.md"), expected);
    }

    #[test]
    fn the_first_heading_is_the_title() {
        assert_eq!(heading("<!-- a -->\n# B\nc", ""), ("B", "c"));
        assert_eq!(heading("c", "B"), ("B", "c"));
    }
}
