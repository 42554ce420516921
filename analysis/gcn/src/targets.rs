//! The chips: processor names, marketing names, generation, limits.
//!
//! The rows are `data/targets.tsv`; what a whole generation shares is
//! `data/generations.tsv`. Nothing about a chip is written anywhere else.

use std::fmt;
use std::sync::OnceLock;

use crate::table::Table;

/// A generation of the instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// GCN 1.0, Southern Islands, gfx600-602.
    Gfx6,
    /// GCN 1.1, Sea Islands, gfx700-705.
    Gfx7,
    /// GCN 1.2, Volcanic Islands, gfx801-810.
    Gfx8,
    /// GCN 1.4, Vega, gfx900-90c.
    Gfx9,
}

impl Generation {
    /// All, the oldest first.
    pub const ALL: [Generation; 4] =
        [Generation::Gfx6, Generation::Gfx7, Generation::Gfx8, Generation::Gfx9];

    /// The name the tables use: `gfx6`.
    pub fn name(self) -> &'static str {
        match self {
            Generation::Gfx6 => "gfx6",
            Generation::Gfx7 => "gfx7",
            Generation::Gfx8 => "gfx8",
            Generation::Gfx9 => "gfx9",
        }
    }

    /// The name by which the field counts them, and AMD's own: `GCN 1.0`, `Southern Islands`.
    pub fn titles(self) -> (&'static str, &'static str) {
        let row = &tables().generations[self as usize];
        (row.label, row.architecture)
    }

    /// The most wait states that one `s_nop` makes.
    pub fn most_nop_states(self) -> u8 {
        tables().generations[self as usize].nop_states as u8
    }

    /// The wait states that an `s_nop` with this operand makes: the hardware reads only
    /// so many of its bits.
    pub fn nop_states(self, operand: u64) -> u8 {
        let mask = self.most_nop_states() - 1;
        (operand as u8 & mask) + 1
    }

    fn named(name: &str) -> Option<Generation> {
        Generation::ALL.into_iter().find(|generation| generation.name() == name)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A chip: a row of the table. Two targets are equal if they are the same row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target(u16);

/// What is known of a chip.
#[derive(Debug)]
pub struct Row {
    /// The name users know: `polaris10`, or the processor's own: `gfx803`.
    pub name: &'static str,
    /// The name LLVM takes: `gfx803`.
    pub processor: &'static str,
    /// The generation.
    pub generation: Generation,
    /// Other names of the chip: `ellesmere`.
    pub aliases: Vec<&'static str>,
    /// What it was sold as; empty for a row that is only a processor.
    pub products: &'static str,
    /// Sizes of what waves share.
    pub limits: Limits,
    /// Whether every shader allocates the registers of page-fault retry.
    pub xnack: bool,
    /// The rate of 64-bit addition beside the 32-bit one: `1/16`.
    pub fp64_rate: &'static str,
    /// Whether 32-bit fused multiply-add is as fast as multiplication.
    pub fast_fma: bool,
    /// The feature string LLVM is given; empty for none.
    pub features: &'static str,
    /// Whether shaders are compiled for it; else it is only assembled and decoded.
    pub compiles: bool,
    /// The number in the flags of ELF files; only the processors' own rows have one.
    pub machine: Option<u32>,
    /// Where the row is from.
    pub source: &'static str,
}

/// Sizes of what the waves of a SIMD or a compute unit share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most waves on a SIMD.
    pub waves: u32,
    /// Vector registers of a lane, on a SIMD.
    pub vgpr_file: u32,
    /// Vector registers are allocated in multiples of this.
    pub vgpr_granule: u32,
    /// Scalar registers of a SIMD.
    pub sgpr_file: u32,
    /// Scalar registers are allocated in multiples of this.
    pub sgpr_granule: u32,
    /// How many numbered scalar registers an instruction can name.
    pub sgpr_addressable: u32,
    /// What is always allocated, on chips with the SGPR initialisation fault.
    pub fixed_sgprs: Option<u32>,
    /// Bytes of local data share of a compute unit.
    pub lds_unit: u32,
    /// The most bytes of local data share of a workgroup.
    pub lds_group: u32,
    /// Local data share is allocated in multiples of this, in bytes.
    pub lds_granule: u32,
    /// Scalar registers added where VCC is used. The three additions overlap:
    /// the largest that applies counts.
    pub extra_vcc: u32,
    /// Scalar registers added where the chip retries page faults.
    pub extra_xnack: u32,
    /// Scalar registers added where FLAT_SCRATCH is used.
    pub extra_flat_scratch: u32,
}

/// A row of the table of generations.
#[derive(Debug)]
struct GenerationRow {
    label: &'static str,
    architecture: &'static str,
    limits: Limits,
    nop_states: u32,
}

#[derive(Debug)]
struct Tables {
    generations: Vec<GenerationRow>,
    targets: Vec<Row>,
    default: u16,
}

/// The chip that is compiled for where nobody chose one.
const DEFAULT_NAME: &str = "polaris10";

impl Target {
    /// The target of a chip's name, processor, or other name; letter case does not count.
    ///
    /// A processor's name is its own row, with the limits that LLVM knows:
    /// `gfx803` has 10 waves where `polaris10` has 8.
    pub fn find(name: &str) -> Option<Target> {
        let name = name.trim();
        let position = |matches: &dyn Fn(&Row) -> bool| tables().targets.iter().position(matches);
        position(&|row| row.name.eq_ignore_ascii_case(name))
            .or_else(|| position(&|row| row.aliases.iter().any(|a| a.eq_ignore_ascii_case(name))))
            .and_then(|index| u16::try_from(index).ok())
            .map(Target)
    }

    /// The processor of a number in the flags of an ELF file.
    pub fn of_machine(machine: u32) -> Option<Target> {
        Target::all().find(|target| target.row().machine == Some(machine))
    }

    /// Every target, processor by processor.
    pub fn all() -> impl ExactSizeIterator<Item = Target> {
        let count = u16::try_from(tables().targets.len()).unwrap_or(u16::MAX);
        (0..count).map(Target)
    }

    /// What is known of it.
    pub fn row(self) -> &'static Row {
        &tables().targets[usize::from(self.0)]
    }

    /// The name users know: `polaris10`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The generation.
    pub fn generation(self) -> Generation {
        self.row().generation
    }
}

impl Default for Target {
    fn default() -> Target {
        Target(tables().default)
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Target({})", self.name())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| match parse() {
        Ok(tables) => tables,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of targets: {message}"),
    })
}

fn parse() -> Result<Tables, String> {
    let generations = parse_generations(include_str!("../data/generations.tsv"))?;
    let targets = parse_targets(include_str!("../data/targets.tsv"), &generations)?;
    let default = targets
        .iter()
        .position(|row| row.name == DEFAULT_NAME)
        .and_then(|index| u16::try_from(index).ok())
        .ok_or("the default is missing")?;
    Ok(Tables { generations, targets, default })
}

fn parse_generations(text: &'static str) -> Result<Vec<GenerationRow>, String> {
    let table = Table::parse(text)?;
    let mut generations = Vec::new();
    for (row, generation) in table.rows().zip(Generation::ALL) {
        let name = row.cell("generation")?;
        if name != generation.name() {
            return Err(row.refuse("generation", name));
        }
        generations.push(GenerationRow {
            label: row.cell("label")?,
            architecture: row.cell("architecture")?,
            limits: Limits {
                waves: row.number("waves")?,
                vgpr_file: row.number("vgpr_file")?,
                vgpr_granule: row.number("vgpr_granule")?,
                sgpr_file: row.number("sgpr_file")?,
                sgpr_granule: row.number("sgpr_granule")?,
                sgpr_addressable: row.number("sgpr_addressable")?,
                fixed_sgprs: None,
                lds_unit: row.number("lds_unit")?,
                lds_group: row.number("lds_group")?,
                lds_granule: row.number("lds_granule")?,
                extra_vcc: row.number("extra_vcc")?,
                extra_xnack: row.number("extra_xnack")?,
                extra_flat_scratch: row.number("extra_flat_scratch")?,
            },
            nop_states: row.number("nop_states")?,
        });
    }
    if generations.len() == Generation::ALL.len() {
        Ok(generations)
    } else {
        Err("a generation is missing".to_owned())
    }
}

fn parse_targets(text: &'static str, generations: &[GenerationRow]) -> Result<Vec<Row>, String> {
    let table = Table::parse(text)?;
    let mut targets = Vec::new();
    for row in table.rows() {
        let name = row.cell("generation")?;
        let generation = Generation::named(name).ok_or_else(|| row.refuse("generation", name))?;
        let shared = generations[generation as usize].limits;
        let fma = row.cell("fma")?;
        targets.push(Row {
            name: row.cell("name")?,
            processor: row.cell("processor")?,
            generation,
            aliases: row.cell("aliases")?.split(',').filter(|name| !name.is_empty()).collect(),
            products: row.cell("products")?,
            limits: Limits {
                waves: row.optional_number("waves")?.unwrap_or(shared.waves),
                fixed_sgprs: row.optional_number("fixed_sgprs")?,
                ..shared
            },
            xnack: row.yes_or_no("xnack")?,
            fp64_rate: row.cell("fp64")?,
            fast_fma: match fma {
                "full" => true,
                "quarter" => false,
                _ => return Err(row.refuse("fma", fma)),
            },
            features: row.cell("features")?,
            compiles: row.yes_or_no("compiles")?,
            machine: row.optional_number("machine")?,
            source: row.cell("source")?,
        });
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_found_in_any_case() {
        let mut seen = HashSet::new();
        for target in Target::all() {
            let row = target.row();
            for name in std::iter::once(&row.name).chain(&row.aliases) {
                assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
                assert_eq!(Target::find(&name.to_ascii_uppercase()), Some(target));
            }
            assert!(Target::find(row.processor).is_some(), "{} has no row", row.processor);
            assert!(!row.source.is_empty());
        }
        assert_eq!(Target::find("gfx1010"), None);
        assert_eq!(Target::find(""), None);
    }

    #[test]
    fn the_processor_decides_the_generation() {
        for target in Target::all() {
            let row = target.row();
            assert_eq!(row.processor[..4], *row.generation.name(), "{target}");
        }
    }

    #[test]
    fn a_chip_differs_from_its_processor_where_hardware_and_llvm_differ() {
        let limits = |name| Target::find(name).expect(name).row().limits;
        assert_eq!(limits("polaris10").waves, 8);
        assert_eq!(limits("gfx803").waves, 10);
        assert_eq!(limits("tonga").fixed_sgprs, Some(96));
        assert_eq!(limits("tahiti").lds_group, 32 << 10);
        assert_eq!(limits("bonaire").lds_group, 64 << 10);
    }

    #[test]
    fn every_processor_of_the_generations_is_there() {
        let named: HashSet<&str> = Target::all()
            .filter(|it| it.name() != it.row().processor)
            .map(|it| it.row().processor)
            .collect();
        let mut numbers = HashSet::new();
        for name in [
            "gfx600", "gfx601", "gfx602", "gfx700", "gfx701", "gfx702", "gfx703", "gfx704",
            "gfx705", "gfx801", "gfx802", "gfx803", "gfx805", "gfx810", "gfx900", "gfx902",
            "gfx904", "gfx906", "gfx908", "gfx909", "gfx90c",
        ] {
            let target = Target::find(name).expect(name);
            assert_eq!(target.name(), name);
            let machine = target.row().machine.expect(name);
            assert_eq!(Target::of_machine(machine), Some(target));
            assert!(numbers.insert(machine), "{name}");
            // Chips of these two were never sold under a name of their own.
            assert!(named.contains(name) || matches!(name, "gfx702" | "gfx705"), "{name}");
        }
        for (name, processor) in [
            ("tahiti", "gfx600"),
            ("pitcairn", "gfx601"),
            ("hawaii", "gfx701"),
            ("carrizo", "gfx801"),
            ("stoney", "gfx810"),
            ("vega10", "gfx900"),
            ("raven", "gfx902"),
            ("vega12", "gfx904"),
            ("vega20", "gfx906"),
            ("raven2", "gfx909"),
            ("renoir", "gfx90c"),
            ("polaris10", "gfx803"),
        ] {
            assert_eq!(Target::find(name).expect(name).row().processor, processor);
        }
        assert_eq!(Target::of_machine(0x33), None);
    }

    #[test]
    fn the_default_is_compiled_for() {
        assert_eq!(Target::default().name(), "polaris10");
        assert!(Target::default().row().compiles);
        assert!(!Target::find("gfx908").expect("a row").row().compiles);
        assert_eq!(format!("{:?}", Target::default()), "Target(polaris10)");
        assert_eq!(format!("{:>10}", Target::default()), " polaris10");
    }
}
