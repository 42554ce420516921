//! Pages of chips, mnemonics and instructions, as plain data and as Markdown.

mod directive;
mod encoding;
#[cfg(test)]
mod image_tests;
mod image_use;
mod images;
mod instruction;
mod matrix;
mod matrix_map;
#[cfg(test)]
mod matrix_tests;
mod register;
#[cfg(test)]
mod tests;
mod word;

use std::fmt::Write as _;

use isa::gcn::OpGroup;

pub use directive::{DirectiveInfo, directive, directives};
pub use encoding::{EncodingView, FieldView, encoding};
pub use instruction::{availability, behaviour, instruction, written_instruction};
pub use matrix_map::{LAYOUT, matrix_layout};
pub(crate) use register::{NAMED_REGISTERS, NamedRegister, named_register};
pub use word::{WordInfo, word};
pub(crate) use word::{named_number, words};

use crate::behaviour::Unit;
use crate::formula;
use crate::mnemonics;

use crate::mnemonics::{OpEncoding, OpInfo};
use crate::occupancy::{Limiter, Occupancy, ReliefKind};
use crate::targets::{Compiles, Limits};
use crate::{Generation, Target};

/// A chip: what it is, what it was sold as, what its waves share.
pub fn target(target: Target) -> String {
    let row = target.row();
    let limits = &row.limits;
    let (label, architecture) = row.generation.titles();
    let mut text = format!("**{}**", row.name);
    if row.name != row.processor {
        let _ = write!(text, " ({})", row.processor);
    }
    let _ = writeln!(text, ": {label}, {architecture}\n");
    if !row.products.is_empty() {
        let _ = writeln!(text, "{}\n", row.products);
    }
    if !row.aliases.is_empty() {
        let _ = writeln!(text, "Also called {}.\n", row.aliases.join(", "));
    }
    text.push_str("| | |\n|---|---|\n");
    let _ = writeln!(text, "| waves per SIMD | {} |", limits.waves);
    let shared = match limits.accum_granule {
        0 => String::new(),
        granule => format!(
            "; accumulation registers share them and begin at a multiple of {granule}; {} of a kind \
             can be named",
            limits.vgpr_addressable
        ),
    };
    let _ = writeln!(
        text,
        "| vector registers | {} per lane, allocated by {}{shared} |",
        limits.vgpr_file, limits.vgpr_granule
    );
    let _ = writeln!(text, "| scalar registers | {} |", scalar_registers(limits));
    let _ = writeln!(
        text,
        "| local data share | {} KiB per compute unit, {} KiB per workgroup, allocated by {} bytes |",
        limits.lds_unit / 1024,
        limits.lds_group / 1024,
        limits.lds_granule
    );
    let _ = writeln!(text, "| 64-bit floats | {} of the 32-bit rate |", row.fp64_rate);
    let fma = if row.fast_fma { "as fast as multiplication" } else { "a quarter of the rate" };
    let _ = writeln!(text, "| 32-bit fused multiply-add | {fma} |");
    if row.xnack {
        text.push_str("| page-fault retry | its registers are always allocated |\n");
    }
    match row.compiles {
        Compiles::AllStages => {}
        Compiles::Compute => text.push_str(
            "\nIt draws nothing: compute shaders alone are compiled for it. Its code is assembled and \
             decoded.\n",
        ),
        Compiles::Nothing => text
            .push_str("\nShaders are not compiled for it; its code is assembled and decoded.\n"),
    }
    text
}

fn scalar_registers(limits: &Limits) -> String {
    let allocated = match limits.fixed_sgprs {
        Some(fixed) => format!("always {fixed} allocated"),
        None => format!("allocated by {}", limits.sgpr_granule),
    };
    format!("{} per SIMD, {} can be named, {allocated}", limits.sgpr_file, limits.sgpr_addressable)
}

/// Every chip, one per row.
pub fn targets() -> String {
    let mut text = String::from("| name | processor | generation | waves | sold as |\n");
    text.push_str("|---|---|---|---|---|\n");
    for target in Target::all() {
        let row = target.row();
        let (label, _) = row.generation.titles();
        let _ = writeln!(
            text,
            "| {} | {} | {label} | {} | {} |",
            row.name, row.processor, row.limits.waves, row.products
        );
    }
    text
}

/// The waves of a shader, what keeps them from being more, and what would change
/// them: one or two sentences.
pub fn occupancy(occupancy: &Occupancy) -> String {
    let waves = plural(occupancy.waves, "wave");
    let mut text = match occupancy.limiter {
        Limiter::Waves => format!("{waves} per SIMD, the most of this chip."),
        Limiter::Vgprs => format!("{waves} per SIMD, limited by vector registers."),
        Limiter::Agprs => format!("{waves} per SIMD, limited by accumulation registers."),
        Limiter::Sgprs => format!("{waves} per SIMD, limited by scalar registers."),
        Limiter::Lds => format!("{waves} per SIMD, limited by local data share."),
        Limiter::Groups => format!("{waves} per SIMD, limited by the number of workgroups."),
    };
    match occupancy.relief {
        Some(relief) => {
            let costs = relief.words(|kind, amount| {
                let what = match kind {
                    ReliefKind::Vgprs => "vector register",
                    ReliefKind::Agprs => "accumulation register",
                    ReliefKind::Sgprs => "scalar register",
                    ReliefKind::Lds => "byte of local data share",
                };
                plural(amount, what)
            });
            let _ = write!(text, " {costs} fewer would give {}.", relief.waves);
        }
        None if occupancy.waves > 1 => {
            let _ = write!(
                text,
                " {} and {} more cost no wave.",
                plural(occupancy.spare_vgprs, "vector register"),
                plural(occupancy.spare_sgprs, "scalar register")
            );
        }
        None => {}
    }
    text
}

/// `1 wave`, `2 waves`, `3 bytes of local data share`.
fn plural(amount: u32, what: &str) -> String {
    let (noun, rest) = what.split_once(" of ").unwrap_or((what, ""));
    let ending = if amount == 1 { "" } else { "s" };
    let of = if rest.is_empty() { "" } else { " of " };
    format!("{amount} {noun}{ending}{of}{rest}")
}

/// A mnemonic: what it does and computes, and its encodings in every generation.
pub fn mnemonic(info: &OpInfo) -> String {
    mnemonic_on(info, None)
}

/// A mnemonic as a chip has it: what it does and computes, and its encodings there; of all
/// generations where no chip is named.
pub fn mnemonic_on(info: &OpInfo, target: Option<Target>) -> String {
    let mut text = format!("**{}**\n\n{}\n\n", info.name, info.summary);
    if let Some(target) = target.filter(|target| info.forms(*target).is_empty()) {
        let _ = writeln!(text, "{} does not have it. {}\n", target.name(), availability(info));
        return text + &images::errata(info.name);
    }
    let is_asked = |generations: &[Generation]| {
        target.is_none_or(|target| generations.contains(&target.generation()))
    };
    // Of one chip only its own is said.
    let on = |generations: &[Generation]| match target {
        Some(_) => String::new(),
        None => on(info, generations),
    };
    let of_images = info.is_of_images() && info.opcode.group() == Some(OpGroup::ImageAtomic);
    for (generations, formula) in formulas(info).into_iter().filter(|(on, _)| is_asked(on)) {
        let _ = writeln!(text, "`{formula}`{}\n", on(&generations));
        if of_images {
            let wide = formula::of_64_bits(&formula);
            let _ = writeln!(text, "`{wide}` where `dmask` says 64 bits\n");
        }
    }
    if !info.aliases.is_empty() {
        let _ = writeln!(text, "Also written {}.\n", info.aliases.join(", "));
    }
    for (generations, behaviour) in by_generation(info, |generation| {
        info.behaviour(generation).map(|it| instruction::behaviour(&it))
    }) {
        if !is_asked(&generations) {
            continue;
        }
        let heading = on(&generations);
        if !heading.is_empty() {
            let _ = writeln!(text, "{}:\n", heading.trim_start_matches(' '));
        }
        let _ = writeln!(text, "{behaviour}\n");
    }
    text.push_str(&matrix::of_mnemonic(info, target));
    text.push_str(&images::instruction(info, target));
    text.push_str("| generation | encodings |\n|---|---|\n");
    if let Some(target) = target {
        let _ = writeln!(text, "| {} | {} |", target.name(), forms(info.forms(target)));
        return text;
    }
    for generation in Generation::ALL {
        let (label, _) = generation.titles();
        let forms = forms(info.generation_forms(generation));
        let _ = writeln!(text, "| {generation} ({label}) | {forms} |");
    }
    for (processors, own) in info.chips_that_differ() {
        let _ = writeln!(text, "| {processors} | {} |", forms(own));
    }
    text
}

/// Returns the encodings, fields and modifiers that have a page.
pub fn operand_words() -> impl Iterator<Item = &'static str> {
    images::names().chain(words().iter().map(|info| info.name))
}

/// Returns the page of an encoding, a field or a modifier by its name, on a chip or on all.
pub fn operand_word(name: &str, target: Option<Target>) -> Option<String> {
    images::page(name, target).or_else(|| word(name).map(WordInfo::markdown))
}

/// Returns what is said of the generations that have a mnemonic, those together of which the
/// same is said.
fn by_generation(
    info: &OpInfo,
    say: impl Fn(Generation) -> Option<String>,
) -> Vec<(Vec<Generation>, String)> {
    let mut all: Vec<(Vec<Generation>, String)> = Vec::new();
    for generation in info.generations() {
        let Some(text) = say(generation) else { continue };
        match all.iter_mut().find(|(_, known)| *known == text) {
            Some((generations, _)) => generations.push(generation),
            None => all.push((vec![generation], text)),
        }
    }
    all
}

/// Returns the formulas of a mnemonic, each with its generations.
fn formulas(info: &OpInfo) -> Vec<(Vec<Generation>, String)> {
    by_generation(info, |generation| {
        let formula = formula::formula(info, info.subtarget(generation)?);
        (!formula.is_empty()).then(|| formula.to_owned())
    })
}

/// Names in a sentence: `a, b and c`.
fn listed(names: &[impl std::borrow::Borrow<str>]) -> String {
    match names {
        [] => String::new(),
        [only] => only.borrow().to_owned(),
        [before @ .., last] => format!("{} and {}", before.join(", "), last.borrow()),
    }
}

/// ` on gfx8 and gfx9`, where these are not all that have the mnemonic.
fn on(info: &OpInfo, generations: &[Generation]) -> String {
    if generations.len() == info.generations().count() {
        return String::new();
    }
    let names: Vec<&str> = generations.iter().map(|generation| generation.name()).collect();
    format!(" on {}", listed(&names))
}

/// Every mnemonic, as one Markdown text: how formulas are read, then a section for
/// each unit and in it a row for each mnemonic.
pub fn reference() -> String {
    let mut text = format!("# GCN instructions\n\n{}\n", formula::NOTATION);
    for unit in Unit::ALL {
        let of_unit = |info: &&OpInfo| {
            let behaviour = info.generations().last().and_then(|it| info.behaviour(it));
            behaviour.is_some_and(|behaviour| behaviour.unit == unit)
        };
        let _ = writeln!(text, "\n## Unit: {}\n", unit.title());
        text.push_str("| instruction | what it does | formula | issue class | generations |\n|---|---|---|---|---|\n");
        for info in mnemonics::all().iter().filter(of_unit) {
            let formulas: Vec<String> = formulas(info)
                .iter()
                // A bar would end the cell.
                .map(|(on_these, formula)| {
                    format!("`{}`{}", formula.replace('|', "\\|"), on(info, on_these))
                })
                .collect();
            let class = info.generations().last().and_then(|it| info.behaviour(it));
            let generations: Vec<&str> = info.generations().map(Generation::name).collect();
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} |",
                info.name,
                info.summary.replace('|', "\\|"),
                formulas.join("; "),
                class.map_or("", |behaviour| behaviour.issue.name()),
                generations.join(" "),
            );
        }
    }
    text
}

/// Every directive, as a row of a table.
pub fn directive_reference() -> String {
    let mut text = String::from("| directive | what it does | dialects |\n|---|---|---|\n");
    for info in directives() {
        let dialects: Vec<&str> = info.dialects.iter().map(|it| it.name()).collect();
        let blank = if info.arguments.is_empty() { "" } else { " " };
        let _ = writeln!(
            text,
            "| `{}{blank}{}` | {} | {} |",
            info.name,
            info.arguments.replace('|', "\\|"),
            info.does.replace('|', "\\|"),
            dialects.join(" ")
        );
    }
    text
}

fn forms(forms: &[OpEncoding]) -> String {
    if forms.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = forms
        .iter()
        .map(|form| {
            let dpp = if form.dpp { ", DPP" } else { "" };
            let sdwa = if form.sdwa { ", SDWA" } else { "" };
            format!("{} {}{dpp}{sdwa}", form.encoding.name(), form.opcode)
        })
        .collect();
    words.join("; ")
}
