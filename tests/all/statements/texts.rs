//! Statements about what is told: pages, demands of drivers, the compiler's own language.

use gcn::Target;

use super::table;

/// Looks for words on the pages of a name, in any order, parted by ` | `.
pub(super) fn explain(name: &str, expected: &str) -> Result<(), String> {
    let pages = server::pages::of(name);
    if pages.is_empty() {
        return Err(format!("`{name}` has no page"));
    }
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = squeeze(&pages.join("\n"));
    match expected.split(" | ").find(|words| !text.contains(&squeeze(words))) {
        None => Ok(()),
        Some(words) => Err(format!("the page of {name} does not say `{words}`:\n{text}")),
    }
}

/// Looks for the capabilities that a program asks a driver for, `NAME` of each.
pub(super) fn requirements(program: &str, expected: &str) -> Result<(), String> {
    let text = table::program(program);
    let shader = tgsi::parser::parse(&text, &source::no_checkpoint).shader;
    let shader = shader.ok_or("there is no shader")?;
    let found = tgsi::requirements::requirements(&shader, &source::no_checkpoint);
    let names: Vec<&str> = found.iter().map(|it| it.capability).collect();
    match expected.split(" / ").find(|name| match name.strip_prefix('!') {
        Some(name) => names.contains(&name),
        None => !names.contains(name),
    }) {
        None => Ok(()),
        Some(_) => Err(format!("found {}", names.join(" / "))),
    }
}

/// Looks for patterns in what a program is compiled to for a chip, in this order; or, after
/// `refused: `, for words of the reason why it is not.
pub(super) fn intermediate(program: &str, given: &str, expected: &str) -> Result<(), String> {
    let text = table::program(program);
    let shader = tgsi::parser::parse(&text, &source::no_checkpoint).shader;
    let shader = shader.ok_or("there is no shader")?;
    let target = Target::find(given).ok_or_else(|| format!("`{given}` is not a chip"))?;
    let lowered = lower::lower(&shader, target.row().generation);
    match (lowered, expected.strip_prefix("refused: ")) {
        (Err(failures), Some(words)) if failures[0].message.contains(words) => Ok(()),
        (Ok(module), None) => {
            match tests::literate::missing_pattern(&module.ir, &expected.replace(" | ", "\n")) {
                None => Ok(()),
                Some(pattern) => Err(format!("`{pattern}` is missing in\n{}", module.ir)),
            }
        }
        (Err(failures), _) => Err(format!("refused: {}", failures[0].message)),
        (Ok(module), _) => Err(format!("compiled to\n{}", module.ir)),
    }
}
