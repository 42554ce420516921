//! What instructions compute, in one notation.
//!
//! The rows are `data/formulas.tsv`, for families of mnemonics; the words that
//! tell the members of a family apart are `data/formula_words.tsv`. The notation
//! is told at the head of the first; [`NOTATION`] is its short form for readers.

use std::fmt::Write as _;
use std::sync::OnceLock;

use crate::Generation;
use crate::mnemonics::MnemonicInfo;
use crate::patterns::fits;
use crate::table::{Row, Table};

/// How the formulas are read, for people, in Markdown.
pub const NOTATION: &str = "\
`D` is the destination, `S0` to `S2` are the sources, `K` is the constant after the instruction, `C` a mask \
with a bit for each lane (`C1` another one that is read). `M` is the memory at the address, `MEM[ADDR]` the same with a \
type, `DATA` what is stored. After the point stands the type: `f` float, `i` signed, `u` unsigned, `b` bits, of 32 bits \
where no number says otherwise. Vector instructions work on each lane that `EXEC` has; `[lane]` is a lane's bit. `<>` is \
less or greater, so false for NaN. Statements are done from left to right.";

struct Formula {
    patterns: &'static str,
    generations: &'static str,
    text: &'static str,
}

struct Word {
    group: &'static str,
    word: &'static str,
    text: &'static str,
}

struct Tables {
    formulas: Vec<Formula>,
    words: Vec<Word>,
}

/// What a mnemonic computes in a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Computes {
    /// A formula.
    Formula(String),
    /// Nothing; its description says what happens.
    Nothing,
}

/// What a mnemonic computes; `None` where no row is for it.
pub fn computes(info: &MnemonicInfo, generation: Generation) -> Option<Computes> {
    let tables = tables();
    let digit = generation.name().as_bytes()[3];
    tables
        .formulas
        .iter()
        .filter(|row| row.generations.bytes().any(|byte| byte == digit))
        .find_map(|row| {
            row.patterns.split(' ').find_map(|it| expand(it, row.text, info.name, tables))
        })
        .map(|text| {
            if text == "-" { Computes::Nothing } else { Computes::Formula(typed(&text, info.name)) }
        })
}

/// The formula for a name that fits the pattern, with the group's word filled in.
fn expand(pattern: &str, text: &str, name: &str, tables: &Tables) -> Option<String> {
    let Some((before, rest)) = pattern.split_once('<') else {
        return fits(pattern, name).then(|| text.to_owned());
    };
    let (group, after) = rest.split_once('>')?;
    let stem = before.trim_end_matches(['*', '?']);
    if !name.starts_with(stem) && before == stem {
        return None;
    }
    let of_group = tables.words.iter().filter(|word| word.group == group);
    let found =
        of_group.into_iter().find(|word| fits(&format!("{before}{}{after}", word.word), name))?;
    Some(text.replace(&format!("<{group}>"), found.text))
}

/// The types in a name: `v_cvt_f32_i32` has `f32` and `i32`.
fn types(name: &str) -> impl DoubleEndedIterator<Item = (char, &str)> {
    name.split('_').filter_map(|word| {
        let letter =
            word.chars().next().filter(|letter| matches!(letter, 'f' | 'i' | 'u' | 'b'))?;
        let bits = &word[1..];
        (!bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
            .then_some((letter, bits))
    })
}

/// The text with its types filled in.
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

/// A formula with the operands of an instruction in the place of the symbols.
///
/// The type after a symbol stays, but not after a number.
pub fn with_operands(formula: &str, operand: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(formula.len() + 32);
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let length = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(length);
        rest = after;
        // What follows a point is a type.
        let found = if out.ends_with('.') { None } else { operand(word) };
        match found {
            Some(text) => {
                let is_number =
                    text.trim_start_matches('-').starts_with(|it: char| it.is_ascii_digit());
                let _ = write!(out, "{text}");
                if is_number && rest.starts_with('.') {
                    let end = rest[1..].find(|it| !is_word(it)).map_or(rest.len(), |end| end + 1);
                    rest = &rest[end..];
                }
            }
            None => out.push_str(word),
        }
    }
    out
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| match parse() {
        Ok(tables) => tables,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the tables of formulas: {message}"),
    })
}

fn parse() -> Result<Tables, String> {
    let formulas = Table::parse(include_str!("../data/formulas.tsv"))?;
    let words = Table::parse(include_str!("../data/formula_words.tsv"))?;
    let formula = |row: Row<'_>| {
        Ok::<_, String>(Formula {
            patterns: row.cell("mnemonics")?,
            generations: row.cell("generations")?,
            text: row.cell("formula")?,
        })
    };
    let word = |row: Row<'_>| {
        Ok::<_, String>(Word {
            group: row.cell("group")?,
            word: row.cell("word")?,
            text: row.cell("text")?,
        })
    };
    Ok(Tables {
        formulas: formulas.rows().map(formula).collect::<Result<_, _>>()?,
        words: words.rows().map(word).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::{self, mnemonic_info};

    fn of(name: &str, generation: Generation) -> String {
        let info = mnemonic_info(name).unwrap_or_else(|| panic!("no {name}"));
        match computes(info, generation) {
            Some(Computes::Formula(text)) => text,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn every_mnemonic_has_a_formula_or_says_that_it_has_none() {
        let (mut formulas, mut without, mut missing) = (0, 0, Vec::new());
        for info in mnemonics::all() {
            for generation in Generation::ALL {
                if info.behaviour(generation).is_none() {
                    continue;
                }
                match computes(info, generation) {
                    Some(Computes::Formula(text)) => {
                        formulas += 1;
                        assert!(
                            !text.contains(['%', '#']) && !text.contains(".*"),
                            "{}: {text}",
                            info.name
                        );
                    }
                    Some(Computes::Nothing) => without += 1,
                    None => missing.push(format!("{generation} {}", info.name)),
                }
            }
        }
        eprintln!("{formulas} formulas, {without} without");
        assert!(missing.is_empty(), "{missing:?}");
        assert!(without < 150 && formulas > 3_600);
    }

    #[test]
    fn every_row_and_word_is_used() {
        let tables = tables();
        for row in &tables.formulas {
            for pattern in row.patterns.split(' ') {
                let used = mnemonics::all()
                    .iter()
                    .any(|it| expand(pattern, row.text, it.name, tables).is_some());
                assert!(used, "{pattern}");
            }
        }
        for word in &tables.words {
            let all = tables
                .formulas
                .iter()
                .filter(|row| row.text.contains(&format!("<{}>", word.group)));
            let used = all.flat_map(|row| row.patterns.split(' ')).any(|pattern| {
                let pattern = pattern.replace(&format!("<{}>", word.group), word.word);
                mnemonics::all().iter().any(|it| fits(&pattern, it.name))
            });
            assert!(used, "{} {}", word.group, word.word);
        }
    }

    #[test]
    fn families_are_made_from_their_rules() {
        use Generation::{Gfx6, Gfx8, Gfx9};
        for (name, generation, formula) in [
            ("v_mad_f32", Gfx6, "D.f = S0.f × S1.f + S2.f"),
            ("v_cmp_nlt_f64", Gfx6, "D[lane] = !(S0.f64 < S1.f64)"),
            ("v_cmpx_ne_u16", Gfx8, "D[lane] = S0.u16 != S1.u16; EXEC = D"),
            ("v_cvt_f64_u32", Gfx6, "D.f64 = convert(S0.u)"),
            ("v_add_u32", Gfx8, "D.u = S0.u + S1.u; C[lane] = carry"),
            ("v_add_u32", Gfx9, "D.u = S0.u + S1.u"),
            ("v_mad_i64_i32", Gfx8, "D.i64 = S0.i × S1.i + S2.i64; C[lane] = carry"),
            ("s_nand_b64", Gfx6, "D.u64 = ~(S0.u64 & S1.u64); SCC = D.u64 != 0"),
            ("s_orn2_saveexec_b64", Gfx6, "D.u64 = EXEC; EXEC = S0.u64 | ~EXEC; SCC = EXEC != 0"),
            (
                "buffer_atomic_smax_x2",
                Gfx6,
                "old = M; M.u64 = max(M.i64, DATA.i64); if (glc) D.u64 = old",
            ),
            ("ds_min_rtn_f64", Gfx6, "old = M; M.f64 = min(M.f64, DATA.f64); D.f64 = old"),
            ("ds_read_b96", Gfx9, "D.b96 = MEM[ADDR].b96"),
            ("global_load_ubyte_d16_hi", Gfx9, "D.u[31:16] = zeroExtend(MEM[ADDR].u8)"),
            ("s_cmpk_lg_u32", Gfx6, "SCC = S0.u != SIMM16"),
            (
                "v_rsq_clamp_f64",
                Gfx6,
                "D.f64 = 1 / sqrt(S0.f64), infinite becomes the largest number",
            ),
        ] {
            assert_eq!(of(name, generation), formula, "{name}");
        }
    }

    #[test]
    fn operands_take_the_place_of_symbols() {
        let operand = |symbol: &str| match symbol {
            "D" => Some("v0".to_owned()),
            "S0" => Some("-v1".to_owned()),
            "S1" => Some("2.0".to_owned()),
            _ => None,
        };
        assert_eq!(with_operands("D.f = S0.f × S1.f + D.f", &operand), "v0.f = -v1.f × 2.0 + v0.f");
        assert_eq!(with_operands("D.u = S1.u[4:0]; é", &operand), "v0.u = 2.0[4:0]; é");
    }
}
