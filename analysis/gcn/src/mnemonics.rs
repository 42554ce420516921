//! Every mnemonic, with its encodings and opcode numbers in each generation.
//!
//! The rows are `data/mnemonics.tsv`. A chip of a generation may lack an
//! instruction of the row: the table has gfx600, gfx704, gfx803, gfx900 and
//! what gfx904, gfx906 and gfx908
//! change.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::assembler::Dialect;
use crate::encoding::Encoding;
use crate::table::{Row, Table};
use crate::{Generation, Target};

/// A mnemonic.
#[derive(Debug)]
pub struct MnemonicInfo {
    /// Its name, without the suffixes `_e32`, `_e64`, `_sdwa` and `_dpp`.
    pub name: &'static str,
    /// Other spellings of the same opcodes.
    pub aliases: Vec<&'static str>,
    /// What it does.
    pub summary: &'static str,
    /// Where the row is from.
    pub source: &'static str,
    forms: [Vec<Form>; 4],
    /// The forms of gfx904 where they differ from gfx900's.
    gfx904: Option<Vec<Form>>,
    /// The forms of gfx906 and gfx908 where they differ from gfx900's.
    gfx906: Option<Vec<Form>>,
    /// The forms of gfx908 where they differ from gfx906's.
    gfx908: Option<Vec<Form>>,
}

/// A mnemonic's place in an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The encoding.
    pub encoding: Encoding,
    /// The number within it.
    pub opcode: u16,
    /// Whether it also takes lane movement.
    pub dpp: bool,
    /// Whether it also takes byte and word selection.
    pub sdwa: bool,
}

impl MnemonicInfo {
    /// Its forms in a generation; empty where the generation lacks it.
    pub fn generation_forms(&self, generation: Generation) -> &[Form] {
        &self.forms[generation as usize]
    }

    /// Its forms on a chip.
    pub fn forms(&self, target: Target) -> &[Form] {
        let own = match target.row().processor {
            "gfx904" => self.gfx904.as_ref(),
            "gfx906" => self.gfx906.as_ref(),
            "gfx908" => self.gfx908.as_ref().or(self.gfx906.as_ref()),
            _ => None,
        };
        own.map_or_else(|| self.generation_forms(target.generation()), Vec::as_slice)
    }

    /// Whether only later chips of a generation have it.
    pub(crate) fn is_later(&self, generation: Generation) -> bool {
        let later = [&self.gfx904, &self.gfx906, &self.gfx908];
        generation == Generation::Gfx9 && later.into_iter().flatten().any(|forms| !forms.is_empty())
    }

    /// The generations of which some chip has it.
    pub fn generations(&self) -> impl Iterator<Item = Generation> + use<'_> {
        Generation::ALL.into_iter().filter(|generation| {
            !self.generation_forms(*generation).is_empty() || self.is_later(*generation)
        })
    }

    /// Processors whose forms differ from the rest of gfx9, and their forms.
    pub fn chips_that_differ(&self) -> impl Iterator<Item = (&'static str, &[Form])> {
        let gfx906 = if self.gfx908.is_some() { "gfx906" } else { "gfx906, gfx908" };
        [("gfx904", &self.gfx904), (gfx906, &self.gfx906), ("gfx908", &self.gfx908)]
            .into_iter()
            .filter_map(|(names, forms)| Some((names, forms.as_deref()?)))
    }
}

/// What is known of a mnemonic; letter case and the suffix of its form do not count.
pub fn mnemonic_info(name: &str) -> Option<&'static MnemonicInfo> {
    let table = table();
    let find =
        |name: &str| table.by_name.get(name).map(|(index, _)| &table.rows[usize::from(*index)]);
    find(base_name(name)).or_else(|| find(base_name(&name.to_ascii_lowercase())))
}

/// The mnemonic that a spelling stands for on a generation that lacks it.
///
/// With it, whether only the long encoding is meant.
pub(crate) fn stands_for(
    name: &str,
    generation: Generation,
    dialect: Dialect,
) -> Option<(&'static MnemonicInfo, bool)> {
    let row = spelling(name, generation, dialect).filter(|row| row.cell("forms") != Ok("none"))?;
    let other = mnemonic_info(row.cell("stands_for").ok()?)?;
    Some((other, row.cell("forms") == Ok("long")))
}

/// Whether a dialect does not know a name on a generation; with it, what it says
/// instead, empty where it lacks the instruction.
pub(crate) fn is_unknown_to(
    name: &str,
    generation: Generation,
    dialect: Dialect,
) -> Option<&'static str> {
    let row = spelling(name, generation, dialect).filter(|row| row.cell("forms") == Ok("none"))?;
    row.cell("stands_for").ok()
}

/// The row of a name in the table of spellings.
fn spelling(name: &str, generation: Generation, dialect: Dialect) -> Option<Row<'static>> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| match Table::parse(include_str!("../data/spellings.tsv")) {
        Ok(table) => table,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of spellings: {message}"),
    });
    let digit = generation.name().get(3..)?;
    table.rows().find(|row| {
        row.cell("name") == Ok(name)
            && row.cell("dialect") == Ok(dialect.name())
            && row.cell("generations").is_ok_and(|generations| generations.contains(digit))
    })
}

/// The place in [`all`] of a name as the table spells it.
pub(crate) fn index_of(name: &str) -> Option<usize> {
    let (index, spelling) = *table().by_name.get(name)?;
    (spelling == Spelling::Own).then_some(usize::from(index))
}

/// The place in [`all`] of a name or of another spelling of it.
pub(crate) fn index_of_any(name: &str) -> Option<usize> {
    table().by_name.get(name).map(|(index, _)| usize::from(*index))
}

/// A mnemonic without the suffix that chooses its form.
pub fn base_name(mnemonic: &str) -> &str {
    // The last letter tells which one it could be.
    let suffix = match mnemonic.as_bytes().last() {
        Some(b'2') => "_e32",
        Some(b'4') => "_e64",
        Some(b'a') => "_sdwa",
        Some(b'p') => "_dpp",
        _ => return mnemonic,
    };
    mnemonic.strip_suffix(suffix).unwrap_or(mnemonic)
}

/// Every mnemonic in order of the alphabet.
pub fn all() -> &'static [MnemonicInfo] {
    &table().rows
}

#[derive(Debug)]
struct Mnemonics {
    rows: Vec<MnemonicInfo>,
    by_name: FxHashMap<&'static str, (u16, Spelling)>,
}

/// Whether a name is the table's or another one for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Own,
    Alias,
}

fn table() -> &'static Mnemonics {
    static TABLE: OnceLock<Mnemonics> = OnceLock::new();
    TABLE.get_or_init(|| match parse(include_str!("../data/mnemonics.tsv")) {
        Ok(table) => table,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of mnemonics: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Mnemonics, String> {
    let table = Table::parse(text)?;
    let mut rows: Vec<MnemonicInfo> = Vec::new();
    for row in table.rows() {
        let forms = |generation: Generation| parse_forms(&row, generation.name());
        let own = |column: &str| match row.cell(column)? {
            "" => Ok(None),
            "-" => Ok(Some(Vec::new())),
            _ => parse_forms(&row, column).map(Some),
        };
        let [gfx6, gfx7, gfx8, gfx9] = Generation::ALL;
        rows.push(MnemonicInfo {
            name: row.cell("name")?,
            aliases: row.cell("aliases")?.split(',').filter(|name| !name.is_empty()).collect(),
            summary: row.cell("summary")?,
            source: row.cell("source")?,
            forms: [forms(gfx6)?, forms(gfx7)?, forms(gfx8)?, forms(gfx9)?],
            gfx904: own("gfx904")?,
            gfx906: own("gfx906")?,
            gfx908: own("gfx908")?,
        });
    }
    let mut by_name = FxHashMap::default();
    for (index, row) in rows.iter().enumerate() {
        let index = u16::try_from(index).map_err(|_| "too many rows".to_owned())?;
        let own = std::iter::once((row.name, Spelling::Own));
        let others = row.aliases.iter().map(|name| (*name, Spelling::Alias));
        for (name, spelling) in own.chain(others) {
            if by_name.insert(name, (index, spelling)).is_some() {
                return Err(format!("{name} twice"));
            }
        }
    }
    Ok(Mnemonics { rows, by_name })
}

/// `VOP2:3+dpp+sdwa VOP3:259`
fn parse_forms(row: &Row<'_>, column: &str) -> Result<Vec<Form>, String> {
    let cell = row.cell(column)?;
    cell.split_ascii_whitespace()
        .map(|form| {
            let refuse = || row.refuse(column, form);
            let (place, also) = form.split_once('+').unwrap_or((form, ""));
            let (encoding, opcode) = place.split_once(':').ok_or_else(refuse)?;
            Ok(Form {
                encoding: Encoding::named(encoding).ok_or_else(refuse)?,
                opcode: opcode.parse().map_err(|_| refuse())?,
                dpp: also.split('+').any(|word| word == "dpp"),
                sdwa: also.split('+').any(|word| word == "sdwa"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_case_and_aliases_do_not_count() {
        let add = mnemonic_info("v_add_f32").expect("v_add_f32");
        for name in ["v_add_f32_e32", "v_add_f32_e64", "V_ADD_F32_SDWA", "v_add_f32_dpp"] {
            assert_eq!(mnemonic_info(name).map(|info| info.name), Some(add.name), "{name}");
        }
        assert_eq!(mnemonic_info("v_cmp_lg_u32").map(|info| info.name), Some("v_cmp_ne_u32"));
        assert!(mnemonic_info("v_add").is_none());
        assert!(mnemonic_info("").is_none());
    }

    #[test]
    fn chips_of_a_generation_may_differ() {
        let target = |name| Target::find(name).expect(name);
        let dot = mnemonic_info("v_dot2_f32_f16").expect("v_dot2_f32_f16");
        assert!(dot.forms(target("vega10")).is_empty());
        assert_eq!(dot.forms(target("vega20"))[0].encoding, Encoding::Vop3p);
        let mix = mnemonic_info("v_mad_mix_f32").expect("v_mad_mix_f32");
        assert!(mix.forms(target("vega20")).is_empty() && !mix.forms(target("vega10")).is_empty());
    }

    #[test]
    fn no_opcode_has_two_names() {
        for generation in Generation::ALL {
            let mut seen = FxHashMap::default();
            for info in all() {
                for form in info.generation_forms(generation) {
                    let other = seen.insert((form.encoding, form.opcode), info.name);
                    assert_eq!(other, None, "{generation} {}", info.name);
                }
            }
            assert!(seen.len() > 800, "{generation}: {}", seen.len());
        }
    }

    #[test]
    fn every_mnemonic_has_a_summary() {
        let silent = all().iter().filter(|info| info.summary.is_empty()).count();
        assert_eq!(silent, 0, "mnemonics without a summary");
    }

    #[test]
    fn rows_are_in_order() {
        assert!(all().windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
