//! Symbols of assembly in the project's file.

use source::{TextEdit, TextRange, TextSize};
use toml::de::{DeTable, DeValue};

/// The table and the key of the setting `assembly.symbols`.
const TABLE: &str = "assembly";
const KEY: &str = "symbols";

/// The edit of a project's text that gives symbols the value 0, which the user then changes;
/// `None` where the file is written in a way that leaves no certain place for them.
pub(crate) fn define(text: &str, names: &[String]) -> Option<TextEdit> {
    let items: Vec<String> = names.iter().map(|name| format!("    \"{name}=0\",\n")).collect();
    let items = items.concat();
    let edit = insertion(text, &items)?;
    let changed = source::apply_edits(text, std::slice::from_ref(&edit))?;
    let are_there = names.iter().all(|name| defines(&changed, name));
    are_there.then_some(edit)
}

/// The edit that puts lines of items into the list, or makes the list.
fn insertion(text: &str, items: &str) -> Option<TextEdit> {
    let list = format!("{KEY} = [\n{items}]\n");
    let insert = |offset: usize, words: String| TextEdit {
        range: TextRange::empty(TextSize::new(offset as u32)),
        insert: words,
    };
    let parsed = DeTable::parse(text).ok()?;
    let Some(table) = parsed.get_ref().get(TABLE) else {
        let lead = match text {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        return Some(insert(text.len(), format!("{lead}[{TABLE}]\n{list}")));
    };
    let DeValue::Table(table) = table.get_ref() else { return None };
    let Some(value) = table.get(KEY) else {
        let head = text.match_indices(&format!("[{TABLE}]\n")).next()?;
        return Some(insert(head.0 + head.1.len(), list));
    };
    let end = value.span().end.checked_sub(1)?;
    let before = text.get(value.span().start..end)?.trim_end();
    let comma = if before.ends_with([',', '[']) { "" } else { "," };
    let last = value.span().start + before.len();
    let range = TextRange::new(TextSize::new(last as u32), TextSize::new(end as u32));
    Some(TextEdit { range, insert: format!("{comma}\n{items}") })
}

/// Tells whether a text gives a symbol a value.
fn defines(text: &str, name: &str) -> bool {
    let Ok(parsed) = DeTable::parse(text) else { return false };
    let table = parsed.get_ref().get(TABLE).map(|it| it.get_ref());
    let Some(DeValue::Table(table)) = table else { return false };
    let Some(DeValue::Array(items)) = table.get(KEY).map(|it| it.get_ref()) else { return false };
    items.iter().any(|item| match item.get_ref() {
        DeValue::String(word) => word.split_once('=').is_some_and(|(own, _)| own == name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(text: &str, names: &[&str]) -> Option<String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        source::apply_edits(text, &[define(text, &names)?])
    }

    #[test]
    fn symbols_come_to_the_end_of_their_list() {
        let list = "[assembly]\nsymbols = [\n    \"a=0\",\n    \"b=0\",\n]\n";
        assert_eq!(defined("", &["a", "b"]).as_deref(), Some(list));
        let targets = "targets = [\"tahiti\"]\n";
        assert_eq!(defined(targets, &["a", "b"]), Some(format!("{targets}\n{list}")));
        assert_eq!(
            defined("[assembly]\ndialect = \"clrx\"\n", &["a", "b"]),
            Some(format!("{list}dialect = \"clrx\"\n"))
        );
        assert_eq!(
            defined("[assembly]\nsymbols = [\"x=1\"]\n", &["a"]).as_deref(),
            Some("[assembly]\nsymbols = [\"x=1\",\n    \"a=0\",\n]\n")
        );
        assert_eq!(
            defined("[assembly]\nsymbols = [\n    \"x=1\",\n]\n", &["a"]).as_deref(),
            Some("[assembly]\nsymbols = [\n    \"x=1\",\n    \"a=0\",\n]\n")
        );
    }

    #[test]
    fn a_text_without_a_certain_place_is_left_alone() {
        for text in [
            "[assembly\n",
            "assembly = 1\n",
            "assembly.dialect = \"clrx\"\n",
            "[assembly]\nsymbols = [\n    \"x=1\" # one\n]\n",
        ] {
            assert_eq!(defined(text, &["a"]), None, "{text}");
        }
    }
}
