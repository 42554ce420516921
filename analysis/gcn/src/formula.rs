//! Formulas of instructions, in one notation.
//!
//! The rows are `formulas.tsv` of `isa`, whose head explains the notation; [`NOTATION`] is
//! its short form for readers.

use std::fmt::Write as _;

use isa::gcn::Subtarget;

use crate::mnemonics::OpInfo;

/// The notation of the formulas, for people, in Markdown.
pub const NOTATION: &str = "\
`D` is the destination, `S0` to `S2` are the sources, `K` is the literal after the instruction, `C` a mask \
with a bit for each lane (`C1` another one that is read). `M` is the memory at the address, `MEM[ADDR]` the same with a \
type, `DATA` what is stored. After the point is the type: `f` float, `i` signed, `u` unsigned, `b` bits, of 32 bits \
where no number says otherwise. Vector instructions work on each lane that `EXEC` has; `[lane]` is a lane's bit. `<>` is \
less or greater, so false for NaN. Statements are done from left to right.";

/// Returns the formula of a mnemonic on a chip; empty where it computes nothing or no row is
/// for it.
pub fn formula(info: &OpInfo, subtarget: Subtarget) -> &'static str {
    info.opcode.formula(subtarget).filter(|it| *it != "-").unwrap_or_default()
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

/// A formula on words with the types of 64 bits.
pub fn of_64_bits(formula: &str) -> String {
    let mut out = String::with_capacity(formula.len() + 16);
    let mut characters = formula.chars().peekable();
    while let Some(character) = characters.next() {
        out.push(character);
        let is_type = matches!(character, 'u' | 'i' | 'f')
            && out.strip_suffix(character).is_some_and(|before| before.ends_with('.'));
        let ends = characters.peek().is_none_or(|next| !next.is_ascii_alphanumeric());
        if is_type && ends {
            out.push_str("64");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generation;
    use crate::mnemonics::{self, op_info};

    fn of(name: &str, generation: Generation) -> &'static str {
        let info = op_info(name).unwrap_or_else(|| panic!("no {name}"));
        formula(info, info.subtarget(generation).expect(name))
    }

    #[test]
    fn every_mnemonic_has_a_formula_or_says_that_it_has_none() {
        let (mut formulas, mut without, mut missing) = (0, 0, Vec::new());
        for info in mnemonics::all() {
            for generation in Generation::ALL {
                let Some(subtarget) = info.subtarget(generation) else { continue };
                match info.opcode.formula(subtarget) {
                    Some("-") => without += 1,
                    Some(text) => {
                        formulas += 1;
                        assert!(
                            !text.contains(['%', '#']) && !text.contains(".*"),
                            "{}: {text}",
                            info.name
                        );
                    }
                    None => missing.push(format!("{generation} {}", info.name)),
                }
            }
        }
        eprintln!("{formulas} formulas, {without} without");
        assert!(missing.is_empty(), "{missing:?}");
        assert!(without < 150 && formulas > 3_600);
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
