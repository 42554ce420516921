//! Pages of documentation in one Markdown text, a `## heading` each.

/// The page under a heading, without it; `None` if the text has no such
/// heading. Text before the first heading is not a page.
pub fn page<'a>(pages: &'a str, heading: &str) -> Option<&'a str> {
    pages.split("\n## ").skip(1).find_map(|section| {
        let (found, page) = section.split_once('\n')?;
        (found.trim() == heading).then(|| page.trim())
    })
}
