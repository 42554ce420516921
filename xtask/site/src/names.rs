//! The names that have a page: texts link to them, and the search finds them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::page::{Page, Section};

/// The pages by the names that texts use for them.
pub(crate) struct Names {
    paths: HashMap<String, String>,
}

impl Names {
    /// Collects the names of the reference. Where two pages have one name, the section that is
    /// first in the menu counts.
    pub(crate) fn of(pages: &[Page]) -> Names {
        let mut paths = HashMap::new();
        for section in Section::REFERENCE {
            for page in pages.iter().filter(|page| page.section == section) {
                let names = std::iter::once(&page.title).chain(&page.aliases);
                for name in names {
                    paths.entry(name.clone()).or_insert_with(|| page.path.clone());
                }
            }
        }
        Names { paths }
    }

    /// Returns the path of the page about a name, spelled as the page spells it.
    pub(crate) fn path(&self, name: &str) -> Option<&str> {
        self.paths.get(name).map(String::as_str)
    }
}

/// Writes the index of the search: a script, so that it also works where pages are files.
/// A row has the names, the kind, the path and the summary.
pub(crate) fn search_index(pages: &[Page]) -> String {
    let mut text = String::from("window.tungstenPages=[\n");
    for page in pages {
        let names: Vec<&str> =
            std::iter::once(&page.title).chain(&page.aliases).map(String::as_str).collect();
        let row = [
            names.join(" "),
            page.section.label().to_owned(),
            page.path.clone(),
            page.summary.clone(),
        ];
        let row: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        let _ = writeln!(text, "[{}],", row.join(","));
    }
    text.push_str("];\n");
    text
}

/// Returns a text as a string of JavaScript.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => quoted.extend(['\\', sign]),
            '<' => quoted.push_str("\\u003c"),
            sign if sign.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(sign));
            }
            sign => quoted.push(sign),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_scripts_are_escaped() {
        assert_eq!(quoted("a\"b\\\n</script>"), r#""a\"b\\\u000a\u003c/script>""#);
    }
}
