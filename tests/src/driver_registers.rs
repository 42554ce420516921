//! Registers and waves that we count from machine code beside those that a driver
//! reports for it.

use std::collections::BTreeMap;
use std::fmt;

use gcn::analysis::{Declared, DefUse, usage};
use gcn::occupancy::{Arithmetic, Usage, occupancy_by};

use crate::aco::code;
use crate::listings::{Backend, Listing};

/// The agreement over many listings, by who compiled.
#[derive(Debug, Default)]
pub struct RegisterAgreement {
    /// Listings looked at.
    pub listings: usize,
    /// Shaders with the same number of vector registers allocated.
    pub vgprs: usize,
    /// Shaders with the same number of scalar registers allocated.
    pub sgprs: usize,
    /// Shaders for which the driver's registers give the driver's waves.
    pub waves: usize,
    /// Shaders for which our own registers give the driver's waves.
    pub own_waves: usize,
    /// Differences: what, and how often.
    pub different: BTreeMap<String, usize>,
    /// Waves that differ though the driver's registers were taken.
    pub wrong_waves: Vec<String>,
}

impl RegisterAgreement {
    /// Compares a listing.
    pub fn add(&mut self, listing: &Listing) {
        let figure = |name| listing.statistic(name).unwrap_or(0);
        let (vgprs, sgprs) = (figure("VGPRs"), figure("SGPRs"));
        let arithmetic = match listing.backend {
            Backend::Aco22 | Backend::Llvm15 => Arithmetic::Mesa22,
            Backend::Aco25 => Arithmetic::Mesa25,
        };
        let code = code(listing.target, listing.lines.iter().map(|(_, words)| words));
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let declared = Declared { lds: figure("LDS size"), ..Declared::NOTHING };
        let own = usage(&code, &def_use, &declared);
        let found = occupancy_by(arithmetic, own, listing.target);
        self.listings += 1;
        self.vgprs += usize::from(found.allocated_vgprs == vgprs);
        self.sgprs += usize::from(found.allocated_sgprs == sgprs);
        let mut differ = |what: String| *self.different.entry(what).or_default() += 1;
        let (target, backend) = (listing.target, listing.backend);
        if found.allocated_vgprs != vgprs {
            let images = listing.lines.iter().any(|(text, _)| text.starts_with("image_"));
            let images = if images { "with images" } else { "without images" };
            let more = if found.allocated_vgprs > vgprs { "more" } else { "fewer" };
            differ(format!("{backend:?} {target}: {more} VGPRs, {images}"));
        }
        if found.allocated_sgprs != sgprs {
            let (ours, used) = (found.allocated_sgprs, own.sgprs);
            let rounded = backend == Backend::Llvm15 && sgprs == used.next_multiple_of(8);
            let cause = if rounded { ", which LLVM rounds to 8 on every chip" } else { "" };
            differ(format!("{backend:?} {target}: {ours} SGPRs for {sgprs}{cause}"));
        }
        let waves = figure("Subgroups per SIMD");
        self.own_waves += usize::from(found.waves == waves);
        let theirs = occupancy_by(arithmetic, Usage { vgprs, sgprs, ..own }, listing.target).waves;
        if theirs == waves {
            self.waves += 1;
        } else {
            let name = format!("{} {target} {backend:?}: {theirs} for {waves}", listing.shader);
            self.wrong_waves.push(name);
        }
    }
}

impl fmt::Display for RegisterAgreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listings, vgprs, sgprs, waves, own_waves, .. } = self;
        writeln!(out, "of {listings} listings: VGPRs {vgprs} equal, SGPRs {sgprs} equal")?;
        writeln!(out, "waves: {waves} equal by the driver's registers, {own_waves} by ours")?;
        for name in &self.wrong_waves {
            writeln!(out, "    {name}")?;
        }
        for (what, count) in &self.different {
            writeln!(out, "    {count:4} {what}")?;
        }
        Ok(())
    }
}
