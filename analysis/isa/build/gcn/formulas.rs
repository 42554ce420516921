//! The formulas of opcodes: `formulas.tsv` for families, with the words of
//! `formula_words.tsv` that tell their members apart.

use super::Input;
use super::families::{self, fits};
use tables::{Result, Row};

/// The words of a group: `lt` of `compare` is `S0.* < S1.*`.
struct Words(Vec<[String; 3]>);

/// Returns the code for the formulas of opcodes, and the row that each has.
pub(crate) fn read(input: Input<'_>) -> Result<(String, families::Resolved)> {
    let words = Words::read(input)?;
    let table = input.table("formulas")?;
    let rows: Vec<Row<'_>> = table.rows().collect();
    let fitting = |pattern: &str, name: &str| words.expand(pattern, "", name).is_some();
    let rows_of = families::resolve(&table, input, fitting, |_| true)?;
    let mut texts: Vec<String> = Vec::new();
    let mut of = rows_of.clone();
    for (op, of) in input.ops.iter().zip(&mut of) {
        for number in of.iter_mut().flatten() {
            *number = families::number_in(&mut texts, words.formula(rows[*number], &op.name)?);
        }
    }
    let code = format!(
        "static FORMULAS: [&str; {}] = {texts:?};\n{}",
        texts.len(),
        families::numbers("FORMULAS_OF", &of)
    );
    Ok((code, rows_of))
}

impl Words {
    fn read(input: Input<'_>) -> Result<Words> {
        let table = input.table("formula_words")?;
        let cell = |row: Row<'_>, column| row.cell(column).map(str::to_owned);
        let row = |row| Ok([cell(row, "group")?, cell(row, "word")?, cell(row, "text")?]);
        table.rows().map(row).collect::<Result<_>>().map(Words)
    }

    /// Returns what a row computes for an opcode that fits it.
    fn formula(&self, row: Row<'_>, name: &str) -> Result<String> {
        let text = row.cell("formula")?;
        let patterns = row.cell("mnemonics")?.split(' ');
        let found = patterns.into_iter().find_map(|it| self.expand(it, text, name));
        let found = found.ok_or_else(|| row.refuse("formula"))?;
        Ok(if found == "-" { found } else { typed(&found, name) })
    }

    /// Returns the formula for a name that fits the pattern, with the group's word filled in.
    fn expand(&self, pattern: &str, text: &str, name: &str) -> Option<String> {
        let Some((before, rest)) = pattern.split_once('<') else {
            return fits(pattern, name).then(|| text.to_owned());
        };
        let (group, after) = rest.split_once('>')?;
        let stem = before.trim_end_matches(['*', '?']);
        if !name.starts_with(stem) && before == stem {
            return None;
        }
        let of_group = self.0.iter().filter(|word| word[0] == group);
        let found = of_group
            .into_iter()
            .find(|[_, word, _]| fits(&format!("{before}{word}{after}"), name))?;
        Some(text.replace(&format!("<{group}>"), &found[2]))
    }
}

/// Lists the types in a name: `v_cvt_f32_i32` has `f32` and `i32`.
fn types(name: &str) -> impl DoubleEndedIterator<Item = (char, &str)> {
    name.split('_').filter_map(|word| {
        let letter =
            word.chars().next().filter(|letter| matches!(letter, 'f' | 'i' | 'u' | 'b'))?;
        let bits = &word[1..];
        (!bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
            .then_some((letter, bits))
    })
}

/// Returns the text with its types filled in.
fn typed(text: &str, name: &str) -> String {
    let double = name.ends_with("_x2");
    let usual = ('u', if double { "64" } else { "32" });
    let last = types(name).next_back().unwrap_or(usual);
    let first = types(name).next().unwrap_or(usual);
    let bits = |bits: &str| if bits == "32" { String::new() } else { bits.to_owned() };
    let write = |(letter, width): (char, &str)| match (letter, width) {
        // Bits are written as unsigned numbers where such are computed with.
        ('b', "8" | "16" | "32" | "64") => format!("u{}", bits(width)),
        ('b', _) => format!("b{width}"),
        _ => format!("{letter}{}", bits(width)),
    };
    let text = text
        .replace(".*", &format!(".{}", write(last)))
        .replace(".%", &format!(".{}", write(first)));
    text.replace('#', &bits(last.1))
}
