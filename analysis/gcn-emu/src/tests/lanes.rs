//! Waits and lanes: what a run uses too early in its lanes, the analysis of all paths finds, too.

use std::fmt::Write as _;

use gcn::Target;
use gcn::analysis::{Cfg, DefUse, waits};

use super::code_lines::from_lines;
use super::recorded::chance::Chance;
use super::{machine, run};
use crate::Reason;

const CHIP: &str = "polaris10";
/// Operations on masks, from which EXEC is computed.
const MASKS: [&str; 14] = [
    "s_and_saveexec_b64 s[10:11], vcc",
    "s_or_saveexec_b64 s[12:13], vcc",
    "s_andn2_saveexec_b64 s[12:13], s[10:11]",
    "s_andn2_b64 exec, s[10:11], exec",
    "s_xor_b64 exec, exec, s[10:11]",
    "s_or_b64 exec, exec, s[10:11]",
    "s_and_b64 exec, exec, vcc",
    "s_andn2_b64 exec, exec, vcc",
    "s_mov_b64 exec, s[10:11]",
    "s_mov_b64 exec, s[12:13]",
    "s_mov_b64 s[12:13], exec",
    "s_xor_b64 s[10:11], s[10:11], exec",
    "s_not_b64 exec, exec",
    "s_mov_b64 exec, -1",
];

/// A program that loads, uses what it loads and changes masks, with branches ahead.
fn program(chance: &mut Chance) -> String {
    let mut text = String::new();
    let lines = 20;
    for line in 0..lines {
        let [to, from] = [1 + chance.below(3), 1 + chance.below(3)];
        let _ = write!(text, "l{line}:\n    ");
        let _ = match chance.below(12) {
            0..=2 => writeln!(text, "ds_read_b32 v{to}, v0"),
            3 => writeln!(text, "v_mov_b32 v{to}, {line}"),
            4 => writeln!(text, "v_xor_b32 v{to}, v{from}, v0"),
            5 => writeln!(text, "v_cmp_gt_u32 vcc, {}, v0", chance.below(65)),
            6 => writeln!(text, "v_cmpx_gt_u32 vcc, {}, v0", chance.below(65)),
            7 => {
                let condition = chance.one(&["execz", "execnz", "vccz", "vccnz", "scc0"]);
                let target = line + 1 + chance.below(lines - line);
                writeln!(text, "s_cbranch_{condition} l{target}")
            }
            8 if chance.below(3) == 0 => writeln!(text, "s_waitcnt lgkmcnt(0)"),
            _ => writeln!(text, "{}", chance.one(&MASKS)),
        };
    }
    let _ = writeln!(text, "l{lines}:\ns_waitcnt lgkmcnt(0)");
    text
}

#[test]
fn what_a_run_uses_too_early_the_analysis_finds() {
    let target = Target::find(CHIP).expect("a chip");
    let mut chance = Chance(5);
    let (mut stopped, mut silent) = (0, 0);
    for _ in 0..1_500 {
        let text = program(&mut chance);
        let mut machine = machine();
        machine.share = vec![0; 0x400];
        let wave = &mut machine.waves[0];
        for code in
            [gcn::analysis::M0, 4, 10, 11, 12, 13, gcn::analysis::VCC, gcn::analysis::VCC + 1]
        {
            wave.set_scalar(code, chance.next() as u32);
        }
        wave.set_scalar(gcn::analysis::M0, 0x400);
        let code = from_lines(target, &format!("{text}s_endpgm")).expect("assembles");
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let found = waits(&code, &def_use, &cfg, None, &source::no_checkpoint);
        let found: Vec<_> = found.iter().filter(|it| it.code == gcn::codes::MISSING_WAIT).collect();
        silent += usize::from(found.is_empty());
        if let Err(stop) = run(CHIP, &text, &mut machine) {
            assert!(matches!(stop.reason, Reason::MissingWait(_)), "{text}{}", stop.reason);
            // An operation that is told of counts as done from there on.
            let is_told = found.iter().any(|it| it.instruction as usize <= stop.instruction);
            assert!(is_told, "{text}{} {}", stop.instruction, stop.reason);
            stopped += 1;
        }
    }
    assert!(stopped > 300 && silent > 300, "{stopped} stopped, {silent} without a diagnostic");
}
