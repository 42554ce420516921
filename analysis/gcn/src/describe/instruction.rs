//! One instruction with its operands: form, formula, what it waits for and where
//! it exists; and the same for a mnemonic alone.

use std::fmt::Write as _;

use isa::gcn::FeatureSet;

use super::encoding::view;
use super::{image_use, images, matrix};
use crate::behaviour::{Behaviour, Condition, CounterEvent, CounterInc, Implicit, Special};
use crate::encoding::{Encoding, Undecodable};
use crate::formula;
use crate::instruction::form::SlotKind;
use crate::instruction::modifier::{Flag, Key};
use crate::instruction::set::InstructionSet;
use crate::instruction::{Operand, Recognised, counter_name, recognise};
use crate::mnemonics::OpInfo;
use crate::{Generation, Target};

/// Returns the page of the instruction that `words` begin with, as Markdown: its text and
/// what it does, its formula with its operands, how it behaves, the chips that have it, and
/// its words field by field.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub fn instruction(words: &[u32], set: InstructionSet) -> Result<String, Undecodable> {
    written_instruction(words, None, set)
}

/// Returns the page of an instruction that a text holds: as [`instruction`] does, but for the
/// registers of an image's address, of which the text names `address`.
///
/// # Errors
/// Where the chip has no such instruction, or the words end too early. Never panics.
pub fn written_instruction(
    words: &[u32],
    address: Option<u8>,
    set: InstructionSet,
) -> Result<String, Undecodable> {
    let mut found = recognise(words, set)?;
    if let Some(address) = address {
        image_use::name_registers(&mut found, address, set);
    }
    let info = found.form.mnemonic();
    let mut text = format!("```gcn\n{}\n```\n\n{}\n\n", found.text(set), info.summary);
    let symbols = symbols(&found, set);
    let operand = |name: &str| {
        let found = symbols.iter().find(|(symbol, _)| *symbol == name);
        found.map(|(_, text)| text.clone())
    };
    let formula = formula::formula(info, set.subtarget());
    let formula = image_use::formula(&found, formula, set.target());
    let computes = formula::with_operands(&formula, &operand) + &on_result(&found);
    if !computes.is_empty() {
        let _ = writeln!(text, "`{computes}`\n");
    }
    if let Some(behaviour) = info.opcode.behaviour(set.subtarget()) {
        let _ = writeln!(text, "{}\n", self::behaviour(behaviour));
    }
    text.push_str(&product(&found, &symbols, set));
    text.push_str(&image_use::registers_page(&found, address, set.target()));
    text.push_str(&images::errata(info.name));
    let _ = writeln!(text, "{}\n", availability(info));
    Ok(text + &view(&found, words, set).markdown())
}

/// Returns what is known of a product of matrices, with its operands; nothing of others.
fn product(found: &Recognised, symbols: &[(&str, String)], set: InstructionSet) -> String {
    let opcode = found.form.mnemonic().opcode;
    let Some(product) = opcode.matrix_product(set.subtarget()) else { return String::new() };
    let operand = |name: &str| {
        let found = symbols.iter().find(|(symbol, _)| *symbol == name);
        found.map_or("", |(_, text)| text.as_str())
    };
    let modifiers = ["cbsz:", "abid:", "blgp:"].map(|key| {
        let value = found.pieces.iter().find_map(|(_, piece)| piece.strip_prefix(key));
        value.and_then(|value| value.parse().ok()).unwrap_or(0)
    });
    let operands = Some([operand("S0"), operand("S1"), operand("D"), operand("S2")]);
    matrix::Use { product, modifiers, operands }.page()
}

/// Returns what modifiers do to the result, after the formula.
fn on_result(found: &Recognised) -> String {
    let mut text = String::new();
    for (index, piece) in &found.pieces {
        match found.form.slots()[*index].kind {
            SlotKind::Number { key: Key::Omod, .. } => {
                let factor = match piece.as_str() {
                    "mul:2" => "× 2",
                    "mul:4" => "× 4",
                    _ => "/ 2",
                };
                let _ = write!(text, ", then {factor}");
            }
            SlotKind::Flag(Flag::Clamp) => text.push_str(", then clamped"),
            _ => {}
        }
    }
    text
}

/// The sum that an instruction's operands make as an address: registers and
/// offset. Not for buffers and images, whose descriptors have a say.
fn address(found: &Recognised, features: FeatureSet) -> Option<String> {
    if matches!(found.form.encoding, Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for (index, piece) in &found.pieces {
        let slot = found.form.slots()[*index];
        let part = match (slot.kind, found.field_at(slot.low, features).unwrap_or("")) {
            (SlotKind::Off { .. }, _) => continue,
            (SlotKind::Number { key: Key::Offset, .. }, _) => piece.strip_prefix("offset:"),
            (_, "addr" | "saddr" | "sbase" | "offset" | "soffset") => Some(piece.as_str()),
            _ => None,
        };
        // An offset of nothing says nothing.
        parts.extend(part.filter(|part| !matches!(*part, "0" | "0x0")));
    }
    let sum = parts.join(" + ").replace("+ -", "- ");
    (!sum.is_empty()).then_some(sum)
}

/// Returns which operand stands for which symbol of the formulas.
fn symbols(found: &Recognised, set: InstructionSet) -> Vec<(&'static str, String)> {
    let form = found.form;
    let features = set.target().features();
    let operands = form.operand_spec().operands;
    let reads_first =
        operands.iter().any(|operand| matches!(operand, Operand::Scalar { read: true, .. }));
    let compares = operands.first() == Some(&Operand::Mask);
    let mut all: Vec<(&'static str, String)> = Vec::new();
    all.extend(address(found, features).map(|sum| ("ADDR", sum)));
    let mut masks = 0;
    for (index, text) in &found.pieces {
        let slot = form.slots()[*index];
        let field = found.field_at(slot.low, features).filter(|_| slot.width > 0);
        let names: &[&'static str] = match slot.kind {
            SlotKind::Mask | SlotKind::Vcc => {
                masks += 1;
                match masks {
                    1 if compares => &["D"],
                    1 => &["C"],
                    _ => &["C1"],
                }
            }
            SlotKind::Literal(_) => &["K"],
            SlotKind::Branch | SlotKind::Immediate(_) => &["SIMM16"],
            SlotKind::Attribute
            | SlotKind::AttributePart
            | SlotKind::Flag(_)
            | SlotKind::Number { .. } => &[],
            _ => match field.unwrap_or("") {
                "sdst" if reads_first => &["S0"],
                "vdst" | "sdst" => &["D"],
                "sdata" | "vdata" => &["D", "DATA"],
                "src0" | "s0" | "vsrc" => &["S0"],
                "vsrc1" | "src1" | "s1" => &["S1"],
                "src2" => &["S2"],
                "addr" if form.encoding == Encoding::Ds => &["S0"],
                "data" | "data0" => &["DATA"],
                "data1" => &["DATA2"],
                _ => &[],
            },
        };
        for name in names {
            if !all.iter().any(|(known, _)| known == name) {
                all.push((name, text.clone()));
            }
        }
    }
    all
}

impl Recognised {
    /// The name of the field that begins at a bit.
    fn field_at(&self, low: u8, features: FeatureSet) -> Option<&'static str> {
        self.fields(features).find(|field| field.low == low).map(|field| field.name)
    }
}

/// Unit, class, counters, and registers that nobody names, as a list.
pub fn behaviour(behaviour: &Behaviour) -> String {
    let (unit, class) = (behaviour.unit.title(), behaviour.issue.name());
    let mut text = format!("- unit: {unit}; issue class: `{class}`\n");
    for inc in behaviour.counters {
        let _ = writeln!(text, "- {}", counter(*inc));
    }
    let mut list = |what: &str, registers: Implicit| {
        let names: Vec<&str> = registers.iter().map(title).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "- {what} {} without naming it", names.join(", "));
        }
    };
    list("reads", behaviour.reads);
    list("writes", behaviour.writes);
    text.truncate(text.trim_end().len());
    text
}

fn title(special: Special) -> &'static str {
    match special {
        Special::Vcc => "VCC",
        Special::Exec => "EXEC",
        Special::Scc => "SCC",
        Special::M0 => "M0",
        Special::FlatScratch => "FLAT_SCRATCH",
    }
}

/// Returns the name of a counter, and the amount that the instruction adds.
fn counter(inc: CounterInc) -> String {
    let name = counter_name(inc.counter);
    let event = match inc.event {
        CounterEvent::Result => "its result is there",
        CounterEvent::Source => "its data registers were read and may be written",
        CounterEvent::Done => "it is done",
    };
    let condition = match inc.condition {
        Condition::Always => "",
        Condition::Gds => "with `gds`, ",
    };
    format!("{condition}`{name}` comes down when {event}")
}

/// The generations and chips that have a mnemonic.
pub fn availability(info: &OpInfo) -> String {
    let mut names: Vec<String> = Vec::new();
    for generation in Generation::ALL {
        if !info.generation_forms(generation).is_empty() {
            names.push(generation.name().to_owned());
        } else if info.is_later(generation) {
            let chips = Target::all().filter(|target| target.generation() == generation);
            let chips = chips.filter(|target| target.name() == target.row().processor);
            names.extend(
                chips.filter(|it| !info.forms(*it).is_empty()).map(|it| it.name().to_owned()),
            );
        }
    }
    match names.as_slice() {
        [] => "No chip has it.".to_owned(),
        [only] => format!("Only {only} has it."),
        [_, _, _, _] if names.iter().all(|name| name.len() == 4) => {
            "Every generation has it.".to_owned()
        }
        several => format!("{} have it.", super::listed(several)),
    }
}
