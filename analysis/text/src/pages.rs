//! Pages of documentation in one Markdown text, a `## heading` each.

/// The page under a heading, without it; `None` if the text has no such
/// heading. Text before the first heading is no page.
pub fn page<'a>(pages: &'a str, heading: &str) -> Option<&'a str> {
    pages.split("\n## ").skip(1).find_map(|section| {
        let (found, page) = section.split_once('\n')?;
        (found.trim() == heading).then(|| page.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_page_is_what_stands_under_its_heading() {
        let pages = "# All\n\n## a::b\n\nThe first.\n\n## c\nThe second.\n";
        assert_eq!(page(pages, "a::b"), Some("The first."));
        assert_eq!(page(pages, "c"), Some("The second."));
        assert_eq!(page(pages, "All"), None);
    }
}
