//! The whole reference as one Markdown document: contents, then the parts that
//! the languages and the diagnostics bring. Nothing is written here that a table
//! or a page does not say.

use std::fmt::Write as _;

use tgsi::describe::ReferenceSection;

/// The document.
pub(super) fn whole() -> String {
    let mut text = format!(
        "# Tungsten reference\n\nMade by Tungsten {} from its own tables: TGSI as every version of \
         Mesa and virglrenderer reads it, GCN from gfx6 to gfx9, and what each diagnostic means.\n\n\
         ## Contents\n\n",
        env!("CARGO_PKG_VERSION")
    );
    let parts = parts();
    for part in &parts {
        let _ = writeln!(text, "- [{}](#{})", part.title, anchor(&part.title));
        for group in groups(&part.body) {
            let _ = writeln!(text, "  - [{group}](#{})", anchor(group));
        }
    }
    for part in &parts {
        let _ = write!(text, "\n## {}\n\n{}", part.title, part.body);
    }
    text
}

fn parts() -> Vec<ReferenceSection> {
    let mut parts = tgsi::describe::reference();
    parts.push(nested(&gcn::describe::reference()));
    parts.push(ReferenceSection {
        title: "GCN directives".to_owned(),
        body: gcn::describe::directive_reference(),
    });
    parts.push(ReferenceSection { title: "GCN chips".to_owned(), body: gcn::describe::targets() });
    parts.push(nested(tgsi_interp::inputs::page()));
    parts.push(nested(&open_bits::page()));
    let groups = [
        ("Diagnostics in TGSI", &["tgsi"][..]),
        ("Diagnostics in GCN assembly", &["gcn"]),
        (
            "Diagnostics of files, projects, hosts, runs and compiling",
            &["file", "project", "host", "run", "compile"],
        ),
    ];
    parts.extend(groups.map(|(title, families)| diagnostics(title, families)));
    parts
}

/// The headings of a part that name groups, and not single rows.
fn groups(body: &str) -> impl Iterator<Item = &str> {
    let headings = body.lines().filter_map(|line| line.strip_prefix("### "));
    headings.filter(|heading| !heading.starts_with('`'))
}

/// The pages of the codes of some families, such as `tgsi`.
fn diagnostics(title: &str, families: &[&str]) -> ReferenceSection {
    let mut body = String::new();
    let family = |code: &str| code.split("::").next().unwrap_or_default().to_owned();
    for code in engine::codes().filter(|code| families.contains(&family(code).as_str())) {
        let blank = if body.is_empty() { "" } else { "\n" };
        let page = engine::explain(code).unwrap_or_default();
        let _ = write!(body, "{blank}### `{code}`\n\n{page}\n");
    }
    ReferenceSection { title: title.to_owned(), body }
}

/// A document of its own as a part: its title becomes the part's, and every
/// other heading goes one level down.
fn nested(document: &str) -> ReferenceSection {
    let (title, rest) = document.split_once('\n').unwrap_or((document, ""));
    let mut body = String::with_capacity(rest.len());
    let mut fenced = false;
    for line in rest.trim_start().lines() {
        fenced ^= line.starts_with("```");
        let heading = !fenced && line.trim_start_matches('#').starts_with(' ');
        let deeper = if heading && line.starts_with('#') { "#" } else { "" };
        let _ = writeln!(body, "{deeper}{line}");
    }
    ReferenceSection { title: title.trim_start_matches(['#', ' ']).to_owned(), body }
}

/// The anchor that Markdown readers give a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|sign| sign.is_ascii_alphanumeric() || " -".contains(*sign));
    kept.map(|sign| if sign == ' ' { '-' } else { sign.to_ascii_lowercase() }).collect()
}
