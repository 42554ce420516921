//! What editors and the command line say of chips and mnemonics, as Markdown.

use std::fmt::Write as _;

use crate::mnemonics::{Form, MnemonicInfo};
use crate::occupancy::{Limiter, Occupancy};
use crate::targets::Limits;
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
    let _ = writeln!(
        text,
        "| vector registers | {} per lane, allocated by {} |",
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
    if !row.compiles {
        text.push_str("\nShaders are not compiled for it; its code is assembled and decoded.\n");
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
        Limiter::Sgprs => format!("{waves} per SIMD, limited by scalar registers."),
        Limiter::Lds => format!("{waves} per SIMD, limited by local data share."),
        Limiter::Groups => format!("{waves} per SIMD, limited by the number of workgroups."),
    };
    match occupancy.relief {
        Some(relief) => {
            let costs = [
                (relief.vgprs, "vector register"),
                (relief.sgprs, "scalar register"),
                (relief.lds, "byte of local data share"),
            ];
            let costs: Vec<String> = costs
                .into_iter()
                .filter(|(amount, _)| *amount > 0)
                .map(|(amount, what)| plural(amount, what))
                .collect();
            let _ = write!(text, " {} fewer would give {}.", costs.join(" and "), relief.waves);
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

/// A mnemonic: what it does, and its encodings in every generation.
pub fn mnemonic(info: &MnemonicInfo) -> String {
    let mut text = format!("**{}**\n\n", info.name);
    if !info.summary.is_empty() {
        let _ = writeln!(text, "{}\n", info.summary);
    }
    if !info.aliases.is_empty() {
        let _ = writeln!(text, "Also written {}.\n", info.aliases.join(", "));
    }
    text.push_str("| generation | encodings |\n|---|---|\n");
    for generation in Generation::ALL {
        let (label, _) = generation.titles();
        let forms = forms(info.generation_forms(generation));
        let _ = writeln!(text, "| {generation} ({label}) | {forms} |");
    }
    if let Some(other) = info.gfx906_forms() {
        let _ = writeln!(text, "| gfx906, gfx908 | {} |", forms(other));
    }
    text
}

fn forms(forms: &[Form]) -> String {
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::mnemonics::mnemonic_info;
    use crate::occupancy::Usage;

    #[test]
    fn a_chip() {
        let polaris = Target::find("polaris10").expect("polaris10");
        expect![[r#"
            **polaris10** (gfx803): GCN 1.2, Volcanic Islands

            Radeon RX 470/480/570/580/590, Radeon Pro WX 7100

            Also called ellesmere, polaris20, polaris30.

            | | |
            |---|---|
            | waves per SIMD | 8 |
            | vector registers | 256 per lane, allocated by 4 |
            | scalar registers | 800 per SIMD, 102 can be named, allocated by 16 |
            | local data share | 64 KiB per compute unit, 64 KiB per workgroup, allocated by 512 bytes |
            | 64-bit floats | 1/16 of the 32-bit rate |
            | 32-bit fused multiply-add | a quarter of the rate |
        "#]]
        .assert_eq(&target(polaris));
    }

    #[test]
    fn a_mnemonic() {
        let info = mnemonic_info("v_mad_mix_f32").expect("v_mad_mix_f32");
        expect![[r#"
            **v_mad_mix_f32**

            D = S0 * S1 + S2, each a 32-bit or 16-bit float

            | generation | encodings |
            |---|---|
            | gfx6 (GCN 1.0) | none |
            | gfx7 (GCN 1.1) | none |
            | gfx8 (GCN 1.2) | none |
            | gfx9 (GCN 1.4) | VOP3P 32 |
            | gfx906, gfx908 | none |
        "#]]
        .assert_eq(&mnemonic(info));
        let info = mnemonic_info("v_add_f32").expect("v_add_f32");
        assert!(mnemonic(info).contains("| gfx8 (GCN 1.2) | VOP2 1, DPP, SDWA; VOP3 257 |"));
    }

    #[test]
    fn what_would_change_the_waves() {
        let of = |vgprs, sgprs, lds, name| {
            let usage = Usage { vgprs, sgprs, lds, ..Usage::default() };
            occupancy(&crate::occupancy::occupancy(usage, Target::find(name).expect(name)))
        };
        assert_eq!(
            of(41, 97, 0, "vega10"),
            "5 waves per SIMD, limited by vector registers. 1 vector register fewer would give 6."
        );
        assert_eq!(
            of(30, 90, 0, "polaris10"),
            "8 waves per SIMD, the most of this chip. 2 vector registers and 6 scalar registers \
             more cost no wave."
        );
        assert_eq!(
            of(84, 20, 16384, "verde"),
            "1 wave per SIMD, limited by local data share. 3328 bytes of local data share fewer \
             would give 2."
        );
        assert_eq!(of(300, 20, 0, "verde").lines().count(), 1);
    }

    #[test]
    fn every_chip_is_listed() {
        let table = targets();
        assert_eq!(table.lines().count(), 2 + Target::all().len());
        assert!(table.contains("| vega10 | gfx900 | GCN 1.4 | 10 | Radeon RX Vega 56/64,"));
    }
}
