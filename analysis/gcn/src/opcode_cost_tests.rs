//! Costs of every form of every opcode, alone before a wait for its result, pinned by
//! checksums: on a chip of each rate of arithmetic, by all figures of time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::Target;
use crate::analysis::timing::{Band, Model, Profile, TimingOptions};
use crate::analysis::{Code, Options, analyse, check};
use crate::encoding::base;
use crate::mnemonics;
use crate::recorded_tests::table;

/// Chips that differ in what arithmetic costs, or in what they wait for.
const CHIPS: [&str; 9] =
    ["tahiti", "pitcairn", "hawaii", "bonaire", "carrizo", "fiji", "vega10", "vega20", "gfx908"];

/// `s_waitcnt 0` and `s_endpgm`.
const WAIT: u32 = 0xbf8c_0000;
const END: u32 = 0xbf81_0000;

/// All sets of figures; for most chips one of each model.
fn timings(chip: &str) -> Vec<TimingOptions> {
    if !["tahiti", "gfx908"].contains(&chip) {
        let of = |model| TimingOptions { model, ..TimingOptions::default() };
        return [Model::Measured, Model::Aco].map(of).to_vec();
    }
    let mut all = Vec::new();
    for band in [Band::Best, Band::Typical, Band::Worst] {
        all.push(TimingOptions { model: Model::Measured, profile: Profile::Mesa25, band });
    }
    for profile in [Profile::Mesa22, Profile::Mesa25] {
        all.push(TimingOptions { model: Model::Aco, profile, band: Band::default() });
    }
    all
}

#[test]
fn every_opcode_alone() {
    let mut records = table("opcode_costs.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect("a chip");
        let mut groups = BTreeMap::<String, String>::new();
        for info in mnemonics::all() {
            for form in info.forms(target) {
                let Some(first) = base(form.encoding, form.opcode, target.generation()) else {
                    continue;
                };
                let bits = u64::from(first);
                let [low, high] = [bits as u32, (bits >> 32) as u32];
                let long = Code::from_words(target, &[low, high, WAIT, END]);
                let is_long = long.instructions.first().is_some_and(|it| it.words().len() == 2);
                // The same once more: it may wait for itself.
                let words = match is_long {
                    true => vec![low, high, low, high, WAIT, low, high, END],
                    false => vec![low, low, WAIT, low, END],
                };
                let code = Code::from_words(target, &words);
                let group = info.name.chars().take(7).collect();
                let out: &mut String = groups.entry(group).or_default();
                let _ = writeln!(out, "{} {}", info.name, form.encoding.name());
                for (number, timing) in timings(chip).into_iter().enumerate() {
                    let options = Options { timing, ..Options::default() };
                    let report = analyse(&code, &options, &source::no_checkpoint);
                    let _ = writeln!(out, "{:?}", report.timing.instructions);
                    if number > 0 {
                        continue;
                    }
                    let _ = writeln!(out, "{:?} {:?}", report.usage, report.def_use.first());
                    let (cfg, def_use) = (&report.cfg, &report.def_use[..]);
                    let live = &report.liveness;
                    let found = check(&code, def_use, cfg, live, None, &source::no_checkpoint);
                    let _ = writeln!(out, "{found:?}");
                }
            }
        }
        for (group, said) in &groups {
            records.add(group, chip, said);
        }
    }
    records.check();
}
