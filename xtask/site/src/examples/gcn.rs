//! Examples of GCN instructions: a line, its machine code, and where a table has values, what the
//! emulator computed.

use std::fmt::Write as _;

use gcn::describe;
use gcn::encoding::{Encoding, base};
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use gcn::mnemonics::{OpEncoding, OpInfo};
use gcn::{Dialect, Target};
use gcn_emu::{Limits, Machine, NoImages, Program, Wave};
use isa::gcn::encoding::base_bits;

use super::rows;

/// Single instructions with registers before and after, by the manuals.
const CASES: &str = include_str!("../../../../analysis/gcn-emu/data/cases.tsv");
/// Instructions that are not executed, and why.
const NOT_EXECUTED: &str = include_str!("../../../../analysis/gcn-emu/data/not_executed.tsv");

/// The chips that examples are for, the commonest first.
const CHIPS: [&str; 7] = ["polaris10", "vega10", "bonaire", "tahiti", "vega20", "gfx908", "gfx90a"];
/// The chips whose instructions no earlier one has.
const LATER: [&str; 2] = ["gfx942", "gfx950"];

/// Returns the example of an instruction as Markdown.
///
/// # Errors
/// There is none, or it does not do what its table says.
pub(crate) fn of(info: &OpInfo) -> Result<String, String> {
    let failed = |why: String| format!("the example of {}: {why}", info.name);
    let mut text = String::new();
    let line = match case(info.name) {
        Some(case) => {
            text.push_str(&case.run().map_err(failed)?);
            Line { chip: case.chip, dialect: Dialect::Llvm, text: case.instruction.to_owned() }
        }
        None => match (plain_line(info), not_executed(info.name)) {
            (Some(line), _) => line,
            (None, Some(reason)) => return Ok(format!("There is none: {reason}.\n")),
            (None, None) => return Err(format!("the instruction {} has no example", info.name)),
        },
    };
    let encoded = line.encoded().map_err(failed)?;
    text.insert_str(0, &encoded);
    if let Some(reason) = not_executed(info.name) {
        let _ = writeln!(text, "\nThe emulator does not execute it: {reason}.");
    }
    Ok(text)
}

/// Returns why an instruction is not executed on any chip that has it.
fn not_executed(name: &str) -> Option<&'static str> {
    let row = rows(NOT_EXECUTED).find(|row| row[0].split(' ').any(|it| it == name))?;
    row.get(2).copied()
}

/// A line for a chip.
struct Line {
    chip: Target,
    dialect: Dialect,
    text: String,
}

impl Line {
    /// The line with its machine code and the fields of its encoding.
    fn encoded(&self) -> Result<String, String> {
        let set = InstructionSet::in_dialect(self.chip, self.dialect);
        let assembled = assemble_line(&self.text, set, &NoSymbols)
            .map_err(|error| format!("{}: {error:?}", self.text))?;
        let view = describe::encoding(assembled.words(), set)
            .map_err(|_| format!("{}: its words cannot be decoded", self.text))?;
        let chip = match self.dialect {
            Dialect::Llvm => self.chip.name().to_owned(),
            Dialect::Clrx => format!("{} in CLRX's dialect", self.chip.name()),
        };
        Ok(format!("```gcn try {chip}\n{}\n```\n\n{}\n", self.text, view.markdown().trim_end()))
    }
}

/// A case of the table.
struct Case {
    chip: Target,
    instruction: &'static str,
    before: &'static str,
    after: &'static str,
}

/// Returns the first case of an instruction alone; those of several lines are about how
/// instructions follow one another.
fn case(name: &str) -> Option<Case> {
    rows(CASES).find_map(|row| {
        let [chips, instruction, before, after, _] = row[..] else { return None };
        let word = instruction.split(' ').next()?;
        if word != name || instruction.contains("\\n") {
            return None;
        }
        let is_meant = |chip: &&&str| chips == "all" || chips.split(' ').any(|it| it == **chip);
        let named = CHIPS.iter().chain(&LATER).find(is_meant).copied();
        let chip = Target::find(named.or_else(|| chips.split([' ', ',']).next())?)?;
        Some(Case { chip, instruction, before, after })
    })
}

impl Case {
    /// Runs the case, and returns the values as Markdown.
    fn run(&self) -> Result<String, String> {
        let set = InstructionSet::of(self.chip);
        let mut words = Vec::new();
        for line in [self.instruction, "s_endpgm"] {
            let line = assemble_line(line, set, &NoSymbols).map_err(|error| {
                format!("{} on {}: {error:?}", self.instruction, self.chip.name())
            })?;
            words.extend_from_slice(line.words());
        }
        let program = Program::prepare(self.chip, &words);
        let mut wave = Wave::new(1);
        for (name, value) in registers(self.before) {
            set_register(&mut wave, name, value)
                .ok_or_else(|| format!("{name} is not a register"))?;
        }
        let mut machine = Machine { waves: vec![wave], ..Machine::default() };
        machine
            .run(&program, &mut NoImages, Limits::default())
            .map_err(|stop| format!("{} was stopped: {stop:?}", self.instruction))?;
        let mut text = String::from(
            "\nRun by the emulator in one lane:\n\n| register | before | after |\n|---|---|---|\n",
        );
        for (name, value) in registers(self.before) {
            let _ = writeln!(text, "| `{name}` | {} | |", shown(value, self.instruction));
        }
        for (name, expected) in registers(self.after) {
            let found = register(&machine.waves[0], name);
            if found != Some(expected) {
                return Err(format!("{}: {name} is {found:08x?}", self.instruction));
            }
            let _ = writeln!(text, "| `{name}` | | {} |", shown(expected, self.instruction));
        }
        Ok(text)
    }
}

/// The registers of a cell: `name=bits`, apart by blanks.
fn registers(cell: &str) -> impl Iterator<Item = (&str, u32)> {
    cell.split_ascii_whitespace().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        Some((name, u32::from_str_radix(value, 16).ok()?))
    })
}

fn set_register(wave: &mut Wave, name: &str, value: u32) -> Option<()> {
    match name {
        "vcc" => wave.set_pair(gcn::analysis::VCC, value.into()),
        "exec" => wave.set_exec(value.into()),
        "scc" => wave.scc = value != 0,
        "m0" => wave.set_scalar(gcn::analysis::M0, value),
        _ => match name.split_at_checked(1)? {
            ("v", number) => wave.set_lane(number.parse().ok()?, 0, value),
            (_, number) => wave.set_scalar(number.parse().ok()?, value),
        },
    }
    Some(())
}

fn register(wave: &Wave, name: &str) -> Option<u32> {
    Some(match name {
        "vcc" => wave.vcc() as u32,
        "exec" => wave.exec() as u32,
        "scc" => u32::from(wave.scc),
        _ => match name.split_at_checked(1)? {
            ("v", number) => wave.lane(number.parse().ok()?, 0),
            (_, number) => wave.scalar(number.parse().ok()?),
        },
    })
}

/// Bits as hexadecimal digits, and as a float where the instruction works on floats.
fn shown(bits: u32, instruction: &str) -> String {
    let name = instruction.split(' ').next().unwrap_or_default();
    match name.contains("f32") {
        true => format!("`{bits:#010x}` = {:?}", f32::from_bits(bits)),
        false => format!("`{bits:#x}`"),
    }
}

/// Returns a line of an instruction with plain operands: what its words, with little but the
/// opcode in them, are disassembled as.
fn plain_line(info: &OpInfo) -> Option<Line> {
    let chips = || {
        let named = CHIPS.iter().chain(&LATER).filter_map(|chip| Target::find(chip));
        named.chain(Target::all())
    };
    let of = |chip: Target, dialect: Dialect| {
        let set = InstructionSet::in_dialect(chip, dialect);
        info.forms(chip).iter().find_map(|form| {
            attempts(*form, chip).into_iter().find_map(|words| {
                let decoded = decode(&words, set).ok()?;
                let again = assemble_line(&decoded.text, set, &NoSymbols).ok()?;
                let is_it = decoded.opcode == info.opcode && !again.words().is_empty();
                is_it.then_some(Line { chip, dialect, text: decoded.text })
            })
        })
    };
    // Some instructions have a name in CLRX's dialect alone.
    let dialects = [Dialect::Llvm, Dialect::Clrx].into_iter();
    dialects
        .flat_map(|dialect| chips().map(move |chip| (chip, dialect)))
        .find_map(|(c, d)| of(c, d))
}

/// Words of a form with plain operands. Which bits an instruction must have beside its opcode
/// differs, so several are tried.
fn attempts(form: OpEncoding, chip: Target) -> Vec<[u32; 4]> {
    if form.encoding == Encoding::Vop3px {
        let bits = base_bits(form.encoding, form.opcode, chip.generation()).unwrap_or_default();
        let pair = 0x104 | 264 << 9;
        return vec![[bits as u32, pair, (bits >> 64) as u32, pair | 272 << 18]];
    }
    let Some(first) = base(form.encoding, form.opcode, chip.generation()) else {
        return Vec::new();
    };
    // Sources v2, v4 and v6: even, as some chips take pairs. Matrices need more room.
    let three = 258 | 260 << 9 | 262 << 18;
    let wide = 320 | 352 << 9 | 384 << 18;
    let (first, seconds): (u32, &[u32]) = match form.encoding {
        Encoding::Vop1 => (first | 258, &[0]),
        Encoding::Vop2 | Encoding::Vopc => (first | 258 | 4 << 9, &[0]),
        Encoding::Vop3 | Encoding::Vop3p => {
            (first, &[three, wide, 258 | 260 << 9, 258, 0, 256 << 9, 0x100 | 3 << 27 | 256 << 9])
        }
        Encoding::Smrd => (first | 1 << 8, &[0]),
        Encoding::Smem => (first | 1 << 17, &[0]),
        Encoding::Mimg => (first | 1 << 8, &[0, 2 << 8 | 2 << 16]),
        Encoding::Mubuf => (first, &[0x80 << 24, 0x80 << 24 | 1 << 16 | 2 << 8]),
        Encoding::Ds => (first, &[2 << 24 | 4 << 16 | 6 << 8 | 1, 0]),
        _ => (first, &[0]),
    };
    // The bits of `gds`, of `lds`, and of the halves of a third source.
    let also = match form.encoding {
        Encoding::Ds => vec![0, 1 << 16, 1 << 17],
        Encoding::Mubuf => vec![0, 1 << 16],
        Encoding::Mimg => vec![0, 2 << 8],
        Encoding::Vop3p => vec![0, 1 << 14],
        _ => vec![0],
    };
    let with = |bit: u32| seconds.iter().map(move |second| [first | bit, *second, 0, 0]);
    also.into_iter().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_has_an_example() {
        let failed: Vec<String> =
            gcn::mnemonics::all().iter().filter_map(|info| of(info).err()).collect();
        assert!(failed.is_empty(), "{}:\n{}", failed.len(), failed.join("\n"));
    }

    #[test]
    fn a_case_with_another_result_is_an_error() {
        let polaris = Target::find("polaris10").unwrap();
        let case = |after| Case {
            chip: polaris,
            instruction: "v_add_f32 v0, v1, v2",
            before: "v1=3fc00000 v2=40100000",
            after,
        };
        assert!(case("v0=40700000").run().is_ok());
        assert!(case("v0=40700001").run().is_err());
    }
}
