//! Pages of GCN: instructions, words of operands, directives, chips.

use gcn::{Target, describe, mnemonics};

use crate::examples;
use crate::page::{Page, Section};

/// A page for each instruction, with a line that was assembled.
pub(super) fn instructions() -> Result<Vec<Page>, String> {
    let page = |info: &mnemonics::OpInfo| {
        let example = examples::gcn::of(info)?;
        let body = format!("{}\n## Example\n\n{example}", without_name(&describe::mnemonic(info)));
        let mut page = Page::about(Section::GcnInstructions, info.name, body);
        page.summary = info.summary.to_owned();
        page.aliases = info.aliases.iter().map(|alias| (*alias).to_owned()).collect();
        let behaviour = info.generations().last().and_then(|it| info.behaviour(it));
        page.group = behaviour.map_or("Other", |behaviour| behaviour.unit.title()).to_owned();
        Ok(page)
    };
    let mut pages = super::all(mnemonics::all().iter().map(page))?;
    // The order of the units is that of their first instruction; within them the alphabet stays.
    let mut units: Vec<String> = Vec::new();
    for page in &pages {
        if !units.contains(&page.group) {
            units.push(page.group.clone());
        }
    }
    pages.sort_by_key(|page| units.iter().position(|unit| *unit == page.group));
    Ok(pages)
}

/// A page for each encoding, field and modifier.
pub(super) fn words() -> Vec<Page> {
    let names: std::collections::BTreeSet<&str> = describe::operand_words().collect();
    let page = |name: &str| {
        // Words with a number after them have their page under the first.
        let text = describe::operand_word(name, None)
            .or_else(|| describe::operand_word(&format!("{name}0"), None))?;
        Some(Page::about(Section::GcnWords, name, without_name(&text)))
    };
    names.into_iter().filter_map(page).collect()
}

/// A page for each directive.
pub(super) fn directives() -> Vec<Page> {
    let page = |info: &describe::DirectiveInfo| {
        let mut page = Page::about(Section::GcnDirectives, info.name, info.markdown());
        page.group = match info.dialects {
            [one] => format!("{} alone", one.name()),
            _ => "Both assemblers".to_owned(),
        };
        page
    };
    let mut pages: Vec<Page> = describe::directives().iter().map(page).collect();
    pages.sort_by(|one, other| (&one.group, &one.title).cmp(&(&other.group, &other.title)));
    pages
}

/// A page for each chip.
pub(super) fn chips() -> Vec<Page> {
    let page = |target: Target| {
        let row = target.row();
        let mut page =
            Page::about(Section::GcnChips, target.name(), without_name(&describe::target(target)));
        let (label, architecture) = row.generation.titles();
        page.summary = match row.products {
            "" => format!("{label}, {architecture}"),
            products => products.to_owned(),
        };
        page.group = format!("{} ({label})", row.generation);
        page.aliases = row.aliases.iter().map(|alias| (*alias).to_owned()).collect();
        page
    };
    Target::all().map(page).collect()
}

/// A text without its first line, where that is the name that the heading has already.
fn without_name(text: &str) -> String {
    match text.split_once("\n\n") {
        Some((name, rest)) if name.starts_with("**") && name.ends_with("**") => rest.to_owned(),
        _ => text.to_owned(),
    }
}
