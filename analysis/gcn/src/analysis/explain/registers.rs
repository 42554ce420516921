//! The registers that an instruction needs, value by value, and what would free them.

use std::cmp::Reverse;

use source::Checkpoint;

use crate::analysis::report::Report;
use crate::instruction::Bank;
use crate::limits::EDITED_INSTRUCTIONS;
use crate::occupancy::{Usage, occupancy};

use super::Explainer;
use super::edit::Edit;
use super::savings::{Saving, SavingKind, Search, can_edit, is_load};
use super::values::{HeldValue, WebsOf, held_values};

/// The values that hold the registers of a bank at an instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisterPressure {
    /// The kind of register.
    pub bank: Bank,
    /// The instruction.
    pub instruction: u32,
    /// The registers that are needed at once there: the sum over the values.
    pub here: u32,
    /// The most that are needed anywhere in the code.
    pub peak: u32,
    /// The values, those first that would free most.
    pub values: Vec<HeldValue>,
    /// The values whose changes were not tried, as the code is too long for all of them.
    pub untried: usize,
    /// Set where no change was looked for: control or operands depend on what is not seen.
    pub is_opaque: bool,
}

/// Returns the first instruction at which most registers of a bank are needed; `None` where none
/// is ever needed.
pub fn peak_of(report: &Report, bank: Bank) -> Option<usize> {
    let pressure = |index: usize| report.liveness.pressure(index).of_bank(bank);
    let peak = report.liveness.peak().of_bank(bank);
    (0..report.def_use.len()).find(|index| peak > 0 && pressure(*index) == peak)
}

impl Explainer<'_> {
    /// Explains the pressure of a bank at an instruction; `None` where there is none.
    pub fn registers(&mut self, bank: Bank, at: usize) -> Option<RegisterPressure> {
        let Explainer { code, report, webs, checkpoint, .. } = self;
        let def_use = report.def_use.get(at)?;
        let (held, moment) = report.liveness.held(&report.cfg, def_use, report.target, at, bank);
        let mut values = held_values(report, webs, at, (&held, moment), bank);
        let is_opaque = !can_edit(code, &report.def_use, &report.cfg);
        let mut untried = 0;
        if !is_opaque {
            let search = Search { code, report, at, bank };
            let mut left = EDITED_INSTRUCTIONS;
            values.sort_by_key(|value| Reverse(value.count));
            for value in &mut values {
                let found = search.savings(value, webs, &mut left, *checkpoint);
                untried += usize::from(found.is_none());
                value.savings = found.unwrap_or_default();
            }
        }
        values.sort_by_key(|value| Reverse(value.rank()));
        Some(RegisterPressure {
            bank,
            instruction: at as u32,
            here: held.count(bank),
            peak: report.liveness.peak().of_bank(bank).into(),
            values,
            untried,
            is_opaque,
        })
    }
}

impl HeldValue {
    /// The order of values: what the best change of one frees, then what it holds.
    fn rank(&self) -> (u32, u32, u32) {
        let best = self.savings.first().map_or((0, 0), |saving| (saving.peak, saving.here));
        (best.0, best.1, self.count)
    }
}

impl Search<'_> {
    /// The savings of a value, the best first; `None` where there is no work left for it.
    fn savings(
        &self,
        value: &HeldValue,
        webs: &mut WebsOf<'_>,
        left: &mut usize,
        checkpoint: Checkpoint<'_>,
    ) -> Option<Vec<Saving>> {
        let mut edits: Vec<(SavingKind, Edit)> = Vec::new();
        edits.extend(self.made_anew(value, webs));
        edits.extend(self.read_before(value, webs).map(|edit| (SavingKind::Earlier, edit)));
        let mut savings = Vec::new();
        for (kind, edit) in edits {
            *left = left.checked_sub(self.code.instructions.len())?;
            savings.extend(self.measured(kind, &edit, checkpoint));
        }
        savings.extend(self.narrowed(value));
        savings.retain(|saving| saving.here > 0 || saving.peak > 0);
        savings.sort_by(|one, other| {
            let rank = |saving: &Saving| (saving.peak, saving.here);
            rank(other).cmp(&rank(one)).then(one.clocks.total_cmp(&other.clocks))
        });
        Some(savings)
    }

    /// Edits the code and sees what that frees.
    fn measured(
        &self,
        kind: SavingKind,
        edit: &Edit,
        checkpoint: Checkpoint<'_>,
    ) -> Option<Saving> {
        let edited = edit.apply(self.code, &self.report.def_use)?;
        let (before, after) = (&self.report.liveness, edited.liveness(checkpoint));
        let here = after.pressure(*edited.places.get(self.at)?).of_bank(self.bank);
        let peak = after.peak().of_bank(self.bank);
        let here = before.pressure(self.at).of_bank(self.bank).saturating_sub(here);
        let peak = before.peak().of_bank(self.bank).saturating_sub(peak);
        Some(Saving {
            kind,
            instruction: edit.instruction,
            before: edit.before.clone(),
            here: here.into(),
            peak: peak.into(),
            waves: self.waves(peak.into()),
            clocks: self.clocks(edit),
            is_load: is_load(&self.report.def_use[edit.instruction as usize]),
        })
    }

    /// The saving of not writing what nobody reads, of what the instruction itself loads.
    fn narrowed(&self, value: &HeldValue) -> Option<Saving> {
        let unread = self.unread_results();
        let own = value.registers.intersection(&unread);
        if own.is_empty() || value.definition() != Some(self.at as u32) {
            return None;
        }
        let liveness = &self.report.liveness;
        let pressure = |index: usize| u32::from(liveness.pressure(index).of_bank(self.bank));
        let without = pressure(self.at).saturating_sub(own.count(self.bank));
        let before = liveness.before(self.at).counted(self.bank).count(self.bank);
        let now = without.max(before);
        let others = (0..self.report.def_use.len()).filter(|index| *index != self.at);
        let peak = others.map(pressure).max().unwrap_or(0).max(now);
        let gain = u32::from(liveness.peak().of_bank(self.bank)).saturating_sub(peak);
        Some(Saving {
            kind: SavingKind::Narrower,
            instruction: self.at as u32,
            before: Vec::new(),
            here: pressure(self.at) - now,
            peak: gain,
            waves: self.waves(gain),
            clocks: 0.0,
            is_load: true,
        })
    }

    /// The waves that fit with fewer registers of the bank.
    fn waves(&self, fewer: u32) -> u32 {
        let mut usage: Usage = self.report.usage;
        let own = match self.bank {
            Bank::Scalar => &mut usage.sgprs,
            Bank::Vector => &mut usage.vgprs,
            Bank::Accumulator => &mut usage.agprs,
        };
        *own = own.saturating_sub(fewer);
        occupancy(usage, self.report.target).waves
    }
}
