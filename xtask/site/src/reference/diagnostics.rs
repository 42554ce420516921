//! Pages of diagnostics.

use source::Code;

use crate::page::{Page, Section};

/// Families of codes of which no shader or program alone is an example: they are about files,
/// projects, hosts, runs and compiles.
const FAMILIES_WITHOUT_EXAMPLES: [&str; 5] = ["file", "project", "run", "compile", "host"];

/// Codes about texts that are too long for a page.
const LONG_EXAMPLES: [Code; 3] =
    [gcn::codes::TOO_LARGE, gcn::codes::MORE_DIAGNOSTICS, tgsi::codes::TOO_MANY_ERRORS];

/// A page for each diagnostic, with what is wrong and what is right.
///
/// # Errors
/// A code without an example that is not among those that have none.
pub(super) fn pages() -> Result<Vec<Page>, String> {
    let mut pages = Vec::new();
    for code in engine::codes() {
        let text = engine::explain(code).ok_or_else(|| format!("{code} has no page"))?;
        let mut body = text.trim_end().to_owned() + "\n";
        if let Some(example) = tgsi::codes::examples().find(|example| example.code == code) {
            let (wrong, right) = (example.wrong, example.right);
            body += &format!(
                "\n## Example\n\n```tgsi wrong\n{wrong}```\n\n```tgsi right\n{right}```\n"
            );
            if example.has_fix {
                body += "\nThere is a quick fix: `tungsten check --fix`, or the light bulb of an editor.\n";
            }
        }
        let family = code.split("::").next().unwrap_or_default();
        let has_none = FAMILIES_WITHOUT_EXAMPLES.contains(&family)
            || LONG_EXAMPLES.iter().any(|long| long.0 == code);
        if !body.contains("```") && !has_none {
            return Err(format!("the page of {code} has no example"));
        }
        let mut page = Page::about(Section::Diagnostics, code, body);
        page.group = match family {
            "tgsi" => "TGSI",
            "gcn" => "GCN",
            _ => "Files, projects, runs and compiling",
        }
        .to_owned();
        pages.push(page);
    }
    Ok(pages)
}
