//! Generations, features and chips.

use std::path::Path;

use tables::print::array;

use super::when::{Names, When};
use crate::plain::Generation;
use tables::{Result, Row, Table};

/// The columns of `generations.tsv` that a chip may have otherwise.
const LIMITS: [&str; 16] = [
    "lanes",
    "waves",
    "vgpr_file",
    "vgpr_granule",
    "vgpr_addressable",
    "accum_granule",
    "sgpr_file",
    "sgpr_granule",
    "sgpr_addressable",
    "lds_unit",
    "lds_group",
    "lds_granule",
    "extra_vcc",
    "extra_xnack",
    "extra_flat_scratch",
    "nop_states",
];

/// The words for what is compiled for a chip.
const COMPILES: [(&str, &str); 3] =
    [("yes", "AllStages"), ("compute", "Compute"), ("no", "Nothing")];

/// The chip that is compiled for where nobody chose one.
const DEFAULT: &str = "polaris10";

/// The features of all chips, by which expressions are judged.
pub(crate) struct Features {
    names: Names,
    /// The sets of features that chips have; those of whole generations come first.
    sets: Vec<u64>,
    /// The features of each processor.
    processors: Vec<(String, u64)>,
}

impl Features {
    /// Lists the processors with a set of features.
    pub(crate) fn processors(&self, set: u64) -> String {
        let own = self.processors.iter().filter(|it| it.1 == set).map(|it| it.0.as_str());
        own.collect::<Vec<_>>().join(" ")
    }

    /// Lists the sets of features that chips have: chips with equal features share one.
    pub(crate) fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// Returns the generation of a set of features.
    pub(crate) fn generation(&self, set: u64) -> Generation {
        Generation::ALL[set.trailing_zeros() as usize]
    }

    /// Tells whether a set has a feature.
    pub(crate) fn has(&self, set: u64, feature: &str) -> bool {
        self.names.bit(feature).is_ok_and(|bit| set & bit != 0)
    }

    /// Reads the expression in a column; one that holds for no chip is an error.
    pub(crate) fn when(&self, row: Row<'_>, column: &str) -> Result<When> {
        self.expression(row, column, row.cell(column)?)
    }

    /// Reads an expression that is part of a cell.
    pub(crate) fn expression(&self, row: Row<'_>, column: &str, text: &str) -> Result<When> {
        let when = self
            .names
            .expression(text)
            .map_err(|error| row.error(format!("{column} `{text}`: {error}")))?;
        if self.sets.iter().any(|set| when.holds(*set)) {
            Ok(when)
        } else {
            Err(row.error(format!("{column} `{text}` holds for no chip")))
        }
    }
}

/// Returns the code for generations, features and chips, and what expressions need.
pub(crate) fn read(data: &Path) -> Result<(String, Features)> {
    let generations = Table::read(data, "gcn/generations.tsv")?;
    let features = Table::read(data, "gcn/features.tsv")?;
    let chips = Table::read(data, "gcn/targets.tsv")?;
    let mut names = Names::default();
    for row in generations.rows() {
        names.generations.push(row.cell("generation")?.to_owned());
    }
    if !names.generations.iter().eq(Generation::ALL.map(Generation::name).iter()) {
        return Err("gcn/generations.tsv: a row for each variant of `Generation`".into());
    }
    let mut brought: Vec<(String, When)> = Vec::new();
    for row in features.rows() {
        let (name, with) = (row.cell("feature")?, row.cell("with")?);
        if names.bit(name).is_ok() {
            return Err(row.error(format!("`{name}` stands twice")));
        }
        if !with.is_empty() {
            let when = names.expression(with).map_err(|error| row.error(error.message))?;
            brought.push((name.to_owned(), when));
        }
        names.features.push(name.to_owned());
    }
    if names.generations.len() + names.features.len() > 64 {
        return Err("there are more features than bits of a set".into());
    }
    let all = |row: Row<'_>, generation: &str, own: &str| -> Result<u64> {
        let bit = |name: &str| names.bit(name).map_err(|error| row.error(error.message));
        let mut set = bit(generation)?;
        for name in own.split(' ').filter(|name| !name.is_empty()) {
            set |= bit(name)?;
        }
        for (name, when) in &brought {
            set |= if when.holds(set) { bit(name)? } else { 0 };
        }
        Ok(set)
    };
    let mut code = feature_code(&names, &features)?;
    code += &generation_code(&generations, all)?;
    let mut processors: Vec<(String, u64)> = Vec::new();
    for row in chips.rows().filter(|row| row.cell("name") == row.cell("processor")) {
        let set = all(row, row.cell("generation")?, row.cell("has")?)?;
        processors.push((row.cell("name")?.to_owned(), set));
    }
    let mut sets: Vec<u64> = generations
        .rows()
        .map(|row| all(row, row.cell("generation")?, ""))
        .collect::<Result<_, _>>()?;
    for (_, set) in &processors {
        if !sets.contains(set) {
            sets.push(*set);
        }
    }
    code += &chip_code(&chips, &generations, &processors, &sets)?;
    Ok((code, Features { names, sets, processors }))
}

/// Returns a name of the tables as a variant's: `fma-mix` is `FmaMix`.
pub(crate) fn variant(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split(['-', '_']).map(capital).collect()
}

fn feature_code(names: &Names, table: &Table) -> Result<String> {
    let (mut variants, mut all) = (String::new(), Vec::new());
    let mut add = |name: &str, summary: &str| {
        let variant = variant(name);
        variants += &format!("    #[doc = {summary:?}]\n    {variant},\n");
        all.push(format!("(Feature::{variant}, {name:?}, {summary:?}),\n"));
    };
    for name in &names.generations {
        add(name, &format!("The generation {name}."));
    }
    for row in table.rows() {
        add(row.cell("feature")?, &format!("{}.", row.cell("summary")?));
    }
    Ok(format!(
        "/// A feature of chips. Generations are features too; a chip has one of them.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[repr(u8)]\n\
         pub enum Feature {{\n{variants}}}\n{}",
        array("FEATURES", "(Feature, &str, &str)", &all)
    ))
}

fn generation_code(
    table: &Table,
    all: impl Fn(Row<'_>, &str, &str) -> Result<u64>,
) -> Result<String> {
    let print = |row: Row<'_>| {
        Ok(format!(
            "GenerationRow {{ label: {:?}, architecture: {:?}, nop_states: {}, \
             features: FeatureSet({:#x}) }},\n",
            row.cell("label")?,
            row.cell("architecture")?,
            row.number::<u32>("nop_states")?,
            all(row, row.cell("generation")?, "")?
        ))
    };
    let rows = table.rows().map(print).collect::<Result<Vec<_>>>()?;
    Ok(array("GENERATIONS", "GenerationRow", &rows))
}

fn chip_code(
    chips: &Table,
    generations: &Table,
    processors: &[(String, u64)],
    sets: &[u64],
) -> Result<String> {
    let (mut rows, mut default) = (Vec::new(), None);
    for (number, row) in chips.rows().enumerate() {
        let (name, processor) = (row.cell("name")?, row.cell("processor")?);
        let features = processors.iter().find(|it| it.0 == processor);
        let features = features.ok_or_else(|| row.error("the processor has no row"))?.1;
        if name != processor && !row.cell("has")?.is_empty() {
            return Err(row.error("features are those of the processor's row"));
        }
        let subtarget = sets.iter().position(|it| *it == features).unwrap_or_default();
        let generation = row.cell("generation")?;
        let shared = generations.rows().find(|it| it.cell("generation") == Ok(generation));
        let limits = limits(row, shared.ok_or_else(|| row.refuse("generation"))?)?;
        if name == DEFAULT {
            default = Some(number);
        }
        let aliases = row.cell("aliases")?.split(',').filter(|name| !name.is_empty());
        rows.push(format!(
            "    TargetInfo {{ name: {name:?}, processor: {processor:?}, generation: Generation::{}, \
             features: FeatureSet({features:#x}), subtarget: Subtarget({subtarget}), aliases: &{:?}, products: {:?}, {limits}, \
             xnack: {}, fp64_rate: {:?}, fast_fma: {}, llvm_since: {}, llvm_features: {:?}, compiles: Compiles::{}, \
             machine: {:?}, source: {:?} }},\n",
            variant(generation),
            aliases.collect::<Vec<_>>(),
            row.cell("products")?,
            row.flag("xnack")?,
            row.cell("fp64")?,
            row.one_of("fma", &[("full", true), ("quarter", false)])?,
            row.number::<u32>("llvm_since")?,
            row.cell("llvm_features")?,
            row.one_of("compiles", &COMPILES)?,
            row.optional_number("machine")?,
            row.cell("source")?,
        ));
    }
    let default = default.ok_or_else(|| format!("there is no chip `{DEFAULT}`"))?;
    Ok(format!(
        "/// The number of subtargets.\n\
         pub(super) const SUBTARGETS: usize = {};\n\
         static SUBTARGET_FEATURES: [FeatureSet; SUBTARGETS] = [{}];\n\
         {}const DEFAULT: Target = Target({default});\n",
        sets.len(),
        sets.iter().map(|set| format!("FeatureSet({set:#x}), ")).collect::<String>(),
        array("TARGETS", "TargetInfo", &rows)
    ))
}

/// Returns the limits of a generation, with those that a chip has otherwise.
fn limits(chip: Row<'_>, shared: Row<'_>) -> Result<String> {
    let own = chip.cell("limits")?.split(' ').filter(|word| !word.is_empty());
    let own: Vec<(&str, u32)> = own
        .map(|word| {
            let (name, value) = word.split_once('=')?;
            let known = name == "fixed_sgprs" || LIMITS.contains(&name);
            Some((name, value.parse().ok().filter(|_| known)?))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| chip.refuse("limits"))?;
    let of = |name: &str| own.iter().find(|it| it.0 == name).map(|it| it.1);
    let mut code = format!("limits: Limits {{ fixed_sgprs: {:?}", of("fixed_sgprs"));
    for name in LIMITS {
        let value = of(name).map_or_else(|| shared.number(name), Ok)?;
        code += &format!(", {name}: {value}");
    }
    Ok(code + " }")
}
