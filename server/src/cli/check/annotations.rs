//! Diagnostics for code reviews: a SARIF log (OASIS, Static Analysis Results
//! Interchange Format 2.1.0), and the workflow commands of GitHub's runners.

use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use source::{Diagnostic, Printable, Severity, TextRange};

use crate::cli::files::{LineColumnRange, SourceFile};
use crate::cli::output::Output;

/// A diagnostic as a SARIF `result` (section 3.27).
pub(super) fn result(file: &SourceFile, diagnostic: &Diagnostic) -> Value {
    let location = |range: TextRange| json!({"artifactLocation": {"uri": uri(&file.name)}, "region": region(file, range)});
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|it| json!({"physicalLocation": location(it.range), "message": {"text": it.message}}))
        .collect();
    let fixes: Vec<Value> = diagnostic
        .fixes
        .iter()
        .map(|fix| {
            let replacements = fix.edits.iter().map(|edit| {
                json!({
                    "deletedRegion": region(file, edit.range),
                    "insertedContent": {"text": edit.insert},
                })
            });
            json!({
                "description": {"text": fix.title},
                "artifactChanges": [{
                    "artifactLocation": {"uri": uri(&file.name)},
                    "replacements": replacements.collect::<Vec<_>>(),
                }],
            })
        })
        .collect();
    let mut result = json!({
        "ruleId": diagnostic.code.0,
        "level": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "note",
        },
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": location(diagnostic.range)}],
    });
    // Empty lists say nothing.
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    if !fixes.is_empty() {
        result["fixes"] = Value::Array(fixes);
    }
    result
}

/// The log of one run with its results, and the pages of what they name.
pub(super) fn log(results: Vec<Value>) -> Value {
    let mut codes: Vec<&str> = results.iter().filter_map(|it| it["ruleId"].as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules = codes.into_iter().map(
        |code| json!({"id": code, "help": {"text": engine::explain(code).unwrap_or(code).trim()}}),
    );
    let driver = json!({
        "name": "tungsten",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn region(file: &SourceFile, range: TextRange) -> Value {
    let LineColumnRange { line, column, end_line, end_column } = file.place(range);
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}

/// The characters of a path that a URI escapes.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path as a relative or `file:` reference.
fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let path = path.trim_start_matches("./");
    let path = path.split(std::path::is_separator).collect::<Vec<_>>().join("/");
    format!("{scheme}{}", utf8_percent_encode(&path, ESCAPED))
}

/// Prints the diagnostics of a file as workflow commands.
pub(super) fn github(
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    output: &mut Output,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let LineColumnRange { line, column, end_line, end_column } = file.place(diagnostic.range);
        let (name, title) = (property(&file.name), property(diagnostic.code.0));
        // The end column counts in diagnostics of one line only.
        let end = match line == end_line {
            true => format!("endLine={end_line},endColumn={end_column}"),
            false => format!("endLine={end_line}"),
        };
        output.line(&format!(
            "::{level} file={name},line={line},col={column},{end},title={title}::{}",
            data(&diagnostic.message)
        ))?;
    }
    Ok(())
}

/// The text of a workflow command, escaped.
fn data(text: &str) -> String {
    Printable::text(text).as_str().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command, escaped.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_properties_are_escaped() {
        assert_eq!(uri("./a b/c.tgsi"), "a%20b/c.tgsi");
        assert_eq!(uri("/tmp/é#"), "file:///tmp/%C3%A9%23");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
