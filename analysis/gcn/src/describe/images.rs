//! Pages of image instructions: the encoding with its fields and all instructions, and for
//! each its syntax, counts and addresses.

use std::fmt::Write as _;

use isa::gcn::Suffix;

use super::word::word;
use crate::dialect::Dialect;
use crate::encoding::Encoding;
use crate::image::{self, Dimension, Packing};
use crate::instruction::form::{InstDesc, Slot, SlotKind};
use crate::instruction::image::address_sizes;
use crate::instruction::{InstructionSet, Layout, fields};
use crate::mnemonics::{self, OpInfo};
use crate::{Generation, Target};

include!(concat!(env!("OUT_DIR"), "/images.rs"));

/// A field of the encoding that is no modifier.
struct ImageField {
    field: &'static str,
    summary: &'static str,
}

/// A statement of a known document that is wrong.
struct Erratum {
    /// The pages on which it is told.
    names: &'static [&'static str],
    said: &'static str,
    truth: &'static str,
    source: &'static str,
}

/// The name of the encoding, and of its page.
const ENCODING: &str = "MIMG";

/// Returns what CLRX's document on image instructions has wrong about a name, as a list; empty
/// where it is right.
pub(super) fn errata(name: &str) -> String {
    let mut text = String::new();
    for erratum in ERRATA.iter().filter(|erratum| erratum.names.contains(&name)) {
        let Erratum { said, truth, source, .. } = erratum;
        let _ = writeln!(text, "- CLRX's document on MIMG: {said}. Right is: {truth} ({source}).");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Returns the names that have a page here: the encoding and its fields.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(ENCODING).chain(FIELDS.iter().map(|field| field.field))
}

/// Returns the first chip of a generation, which stands for all of it.
fn chip_of(generation: Generation) -> Option<Target> {
    Target::all().find(|target| target.generation() == generation)
}

/// Returns the chips that a page is about: one, or one of each generation.
fn chips(target: Option<Target>) -> Vec<Target> {
    match target {
        Some(target) => vec![target],
        None => Generation::ALL.into_iter().filter_map(chip_of).collect(),
    }
}

/// Returns an image instruction's syntax, the counts of its registers, what its name means, and
/// what its address holds for each shape; empty for others.
pub(super) fn instruction(info: &OpInfo, target: Option<Target>) -> String {
    if !info.is_of_images() {
        return String::new();
    }
    let mut text = syntax(info, target);
    for suffix in info.opcode.suffixes() {
        let _ = writeln!(text, "- `_{}`: {}", suffix.word, suffix.meaning);
    }
    if !info.opcode.suffixes().is_empty() {
        text.push('\n');
    }
    text.push_str("| image | address, a register each | |\n|---|---|---|\n");
    for dimension in Dimension::ALL {
        let Some(address) = image::address(info.opcode, dimension) else { continue };
        let da = if dimension.needs_da() { "`da`" } else { "" };
        let _ = writeln!(text, "| {} | {} | {da} |", dimension.name(), address.join(", "));
    }
    text.push('\n');
    if chips(target).iter().any(|chip| has_modifier(info, *chip, "a16")) {
        let halves = |dimension| image::registers(info.opcode, dimension, Packing::Halves);
        let largest = Dimension::ALL.into_iter().filter_map(halves).max_by_key(Vec::len);
        let largest = largest.unwrap_or_default().join(", ");
        let _ = writeln!(text, "With `a16` parts share registers, at most: {largest}.\n");
    }
    text + &errata(info.name)
}

fn has_modifier(info: &OpInfo, chip: Target, name: &str) -> bool {
    let form = InstructionSet::of(chip).forms_of(info.opcode).first();
    form.is_some_and(|form| form.slots().iter().filter_map(modifier).any(|it| it == name))
}

/// The name of a slot's modifier; the one that chooses a cache of `glc` and `slc`.
fn modifier(slot: &Slot) -> Option<&'static str> {
    match slot.kind {
        SlotKind::Flag(flag) => Some(flag.name()),
        SlotKind::Number { key, .. } => Some(key.name()),
        SlotKind::CachePolicy { .. } => Some("glc"),
        _ => None,
    }
}

/// Returns the line of an instruction, with a table of how many registers each operand names.
fn syntax(info: &OpInfo, target: Option<Target>) -> String {
    let mut text = String::new();
    let forms =
        |chip: &Target, dialect| InstructionSet::in_dialect(*chip, dialect).forms_of(info.opcode);
    let having: Vec<Target> =
        chips(target).into_iter().filter(|chip| !forms(chip, Dialect::Llvm).is_empty()).collect();
    let (Some(first), Some(last)) = (having.first(), having.last()) else { return text };
    let Some(form) = forms(last, Dialect::Llvm).first() else { return text };
    let sampler = form.flags().sampler();
    let operands = if sampler { "VDATA, VADDR, SRSRC, SSAMP" } else { "VDATA, VADDR, SRSRC" };
    let named = modifiers(info, &having);
    let _ = writeln!(text, "```gcn\n{} {operands} [MODIFIERS]\n```\n", info.name);
    let _ = writeln!(text, "| operand | registers |\n|---|---|");
    let _ = writeln!(text, "| VDATA | {} |", data(form));
    let (llvm, clrx) = (sizes(forms(first, Dialect::Llvm)), sizes(forms(first, Dialect::Clrx)));
    let clrx = if clrx.is_empty() { "not there".to_owned() } else { clrx };
    let _ = writeln!(text, "| VADDR | {llvm}; in CLRX's dialect {clrx} |");
    let short = has_modifier(info, *first, "r128");
    let short =
        if short { "; with `r128` 4 are read, and 4 are named in CLRX's dialect" } else { "" };
    let _ = writeln!(text, "| SRSRC | 8{short} |");
    if sampler {
        let _ = writeln!(text, "| SSAMP | 4 |");
    }
    let _ = writeln!(text, "\nModifiers: {named}.\n");
    text
}

/// The modifiers of an instruction, as words; those that some of the chips lack with the
/// generations that have them.
fn modifiers(info: &OpInfo, chips: &[Target]) -> String {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for chip in chips {
        let Some(form) = InstructionSet::of(*chip).forms_of(info.opcode).first() else { continue };
        for name in form.slots().iter().filter_map(modifier) {
            let generation = chip.generation().name();
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, generations)) => generations.push(generation),
                None => all.push((name, vec![generation])),
            }
        }
    }
    let word = |(name, generations): &(&str, Vec<&str>)| {
        // Both are bits of the same rule.
        let name = if *name == "glc" { "glc` `slc" } else { name };
        let few = generations.len() < chips.len();
        let on = if few { format!(" on {}", super::listed(generations)) } else { String::new() };
        format!("`{name}`{on}")
    };
    all.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Says how many registers the data of a form takes.
fn data(form: &InstDesc) -> &'static str {
    let flags = form.flags();
    match (flags.gather(), flags.atomic(), flags.pair()) {
        (true, ..) => "4; one more with `tfe`; with `d16` 2 from gfx9 on",
        (_, _, true) => {
            "2 with `dmask:0x3`, value and comparand; 4 with `dmask:0xf`, two of 64 bits; one \
             more with `tfe`"
        }
        (_, true, _) => {
            "1 with `dmask:0x1`, 2 with `dmask:0x3`: a texel of 64 bits; one more with `tfe`"
        }
        _ if flags.d16() => {
            "1 to 4, one for each bit of `dmask`; one more with `tfe`; with `d16` half as many \
             from gfx9 on"
        }
        _ => "1 to 4, one for each bit of `dmask`; one more with `tfe`",
    }
}

/// The sizes of an address that forms take, in words.
fn sizes(forms: &[InstDesc]) -> String {
    let sizes: Vec<String> = address_sizes(forms).iter().map(u8::to_string).collect();
    sizes.join(" ")
}

/// Returns the page of the encoding, of one of its fields, or of a modifier that it has; `None`
/// for other names.
pub(super) fn page(name: &str, target: Option<Target>) -> Option<String> {
    if name.eq_ignore_ascii_case(ENCODING) || begins_images(name) {
        return Some(whole(target));
    }
    let name = name.to_ascii_lowercase();
    let bits = places(&name, target)?;
    let own = FIELDS.iter().find(|field| field.field == name);
    let summary = match own {
        Some(field) => format!("{}\n", field.summary),
        None => word(&name)?.markdown(),
    };
    Some(format!("{summary}\nA field of MIMG: {bits}.\n\n{}", errata(&name)))
}

/// Tells whether a name with an underline at its end begins mnemonics, and of images alone.
fn begins_images(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut named = mnemonics::all().iter().filter(|info| info.name.starts_with(&name)).peekable();
    name.ends_with('_') && named.peek().is_some() && named.all(OpInfo::is_of_images)
}

/// Says which bits a field has, on which chips; `None` for what is no field of the encoding.
fn places(name: &str, target: Option<Target>) -> Option<String> {
    let mut places: Vec<(String, Vec<Generation>)> = Vec::new();
    for chip in chips(target) {
        let mut all = fields(Layout::Of(Encoding::Mimg), chip.features());
        let Some(field) = all.find(|field| field.name == name) else { continue };
        let high = field.low + field.width - 1;
        let bits = match field.width {
            1 => format!("bit {high}"),
            _ => format!("bits {high}:{}", field.low),
        };
        match places.iter_mut().find(|(known, _)| *known == bits) {
            Some((_, generations)) => generations.push(chip.generation()),
            None => places.push((bits, vec![chip.generation()])),
        }
    }
    let all = chips(target).len();
    let said = places.into_iter().map(|(bits, generations)| {
        let names: Vec<&str> = generations.iter().map(|it| it.name()).collect();
        let on = if names.len() == all {
            String::new()
        } else {
            format!(" on {}", super::listed(&names))
        };
        bits + &on
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// The encoding: its fields, what names mean, and all instructions.
fn whole(target: Option<Target>) -> String {
    let mut text = String::from(
        "**MIMG**: instructions on images, two words\n\n```gcn\nINSTRUCTION VDATA, VADDR, SRSRC \
         [MODIFIERS]\nINSTRUCTION VDATA, VADDR, SRSRC, SSAMP [MODIFIERS]\n```\n\nModifiers may be \
         in any order. All instructions are done in order; each raises `vmcnt`, which comes down \
         when its data are there or its memory is written. On gfx6 what writes memory raises \
         `expcnt`, too, which comes down when its data registers were read.\n\n| field | bits | \
         meaning |\n|---|---|---|\n| op | bits 24:18 | The opcode. |\n| encoding | bits 31:26 | \
         0b111100. |\n",
    );
    let known = chips(target);
    let own = known.iter().flat_map(|chip| fields(Layout::Of(Encoding::Mimg), chip.features()));
    let mut names: Vec<(u8, &str)> = own.map(|field| (field.low, field.name)).collect();
    names.sort_unstable();
    names.dedup_by_key(|(_, name)| *name);
    for (_, name) in names {
        let own = FIELDS.iter().find(|field| field.field == name).map(|field| field.summary);
        let summary = own.or_else(|| Some(word(name)?.summary)).unwrap_or_default();
        let bits = places(name, target).unwrap_or_default();
        let _ = writeln!(text, "| {name} | {bits} | {summary} |");
    }
    text.push_str("\n| word of a name | adds to the address | meaning |\n|---|---|---|\n");
    for suffix in Suffix::all() {
        let _ =
            writeln!(text, "| `_{}` | {} | {} |", suffix.word, suffix.component, suffix.meaning);
    }
    text.push('\n');
    text + &list(&known) + "\n" + &errata(ENCODING)
}

/// Every image instruction: its opcode on each chip, its address of two dimensions, and what it
/// does.
fn list(chips: &[Target]) -> String {
    let generations: Vec<&str> = chips.iter().map(|chip| chip.generation().name()).collect();
    let mut text =
        format!("| instruction | {} | address of a 2D image | |\n|---", generations.join(" | "));
    text.push_str(&"|---".repeat(chips.len() + 2));
    text.push_str("|\n");
    for info in mnemonics::all().iter().filter(|info| info.is_of_images()) {
        let number = |chip: &Target| {
            info.forms(*chip).first().map_or(String::new(), |form| form.opcode.to_string())
        };
        let numbers: Vec<String> = chips.iter().map(number).collect();
        if numbers.iter().all(String::is_empty) {
            continue;
        }
        let address = image::address(info.opcode, Dimension::Two).unwrap_or_default().join(", ");
        let _ = writeln!(
            text,
            "| `{}` | {} | {address} | {} |",
            info.name,
            numbers.join(" | "),
            info.summary
        );
    }
    text
}
