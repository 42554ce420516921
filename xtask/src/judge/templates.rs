//! Lines from templates: `{a|b}` stands for each of its parts in turn.

use gcn::Target;
use gcn::targets::Feature;

/// Every line of every template for a chip.
pub(crate) fn lines(target: Target) -> Vec<String> {
    let newer = match target.has(Feature::Gfx90aInsts) {
        true => include_str!("templates_gfx90a.txt"),
        false => "",
    };
    let templates = include_str!("templates.txt").lines().chain(newer.lines());
    templates.filter(|line| !line.starts_with('#')).flat_map(expand).collect()
}

/// Returns the lines that a template stands for. Braces may hold others; `\|` is a bar of
/// the line.
fn expand(template: &str) -> Vec<String> {
    let Some((before, parts, after)) = first_braces(template) else {
        return vec![template.replace("\\|", "|")];
    };
    let whole = |part: &String| format!("{before}{part}{after}");
    parts.iter().flat_map(|part| expand(&whole(part))).collect()
}

/// The text before the first braces, their parts, and the text behind them.
fn first_braces(template: &str) -> Option<(&str, Vec<String>, &str)> {
    let start = template.find('{')?;
    let mut depth = 0;
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for (index, letter) in template.char_indices().skip_while(|(index, _)| *index <= start) {
        match letter {
            '}' if depth == 0 => return Some((&template[..start], parts, &template[index + 1..])),
            '|' if depth == 0 && before != '\\' => parts.push(String::new()),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                parts.last_mut()?.push(letter);
            }
        }
        before = letter;
    }
    None
}
