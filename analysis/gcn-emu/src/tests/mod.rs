//! Whole programs, from assembly text.

mod apertures;
mod bounds;
mod cases;
#[path = "../../../../tests/src/code_lines.rs"]
#[expect(unreachable_pub, reason = "other tests import it")]
mod code_lines;
mod compiled;
mod coverage;
mod edges;
mod effects;
mod formats;
mod formula;
mod formulas;
mod image_statements;
mod images;
mod lanes;
mod limits;
mod matrices;
mod matrix_layouts;
mod modifiers;
mod opcode_form;
mod properties;
mod recorded;
mod scaled;
mod selections;
mod share_pairs;
mod timing;
mod transposed;
mod unified;

use gcn::Target;

use crate::{Limits, Machine, NoImages, Program, Reason, Stop, Wave};
use code_lines::from_lines;

/// The program of lines, if they are one of the chip's.
pub(crate) fn assembled(chip: &str, text: &str) -> Result<Program, String> {
    let target = Target::find(chip).expect(chip);
    let code = from_lines(target, text);
    let code = code.map_err(|problem| format!("{text}: {problem}"))?;
    let words: Vec<u32> = code.instructions.iter().flat_map(|it| it.words().to_vec()).collect();
    Ok(Program::prepare(target, &words))
}

pub(crate) fn program(chip: &str, text: &str) -> Program {
    assembled(chip, text).unwrap_or_else(|problem| panic!("{chip}: {problem}"))
}

/// Runs lines on a machine, with an end behind them.
pub(crate) fn run(chip: &str, text: &str, machine: &mut Machine) -> Result<(), Stop> {
    let program = program(chip, &format!("{text}\ns_endpgm"));
    machine.run(&program, &mut NoImages, Limits::default()).map(|_| ())
}

/// One wave whose v0 holds the numbers of the lanes.
pub(crate) fn machine() -> Machine {
    let mut wave = Wave::new(u64::MAX);
    for lane in 0..64 {
        wave.set_lane(0, lane, lane as u32);
    }
    Machine { waves: vec![wave], ..Machine::default() }
}

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

#[test]
fn a_loop_runs_until_its_lanes_are_done() {
    for chip in CHIPS {
        let mut machine = machine();
        let text = "
            s_mov_b64 s[0:1], exec
            v_mov_b32 v1, 0
            again:
            v_cmp_gt_u32 vcc, v0, v1
            s_and_b64 exec, exec, vcc
            s_cbranch_execz done
            s_mov_b32 s4, 3
            v_mad_u32_u24 v1, v1, 1, s4
            s_branch again
            done:
            s_mov_b64 exec, s[0:1]";
        run(chip, text, &mut machine).expect(chip);
        for lane in 0..64_usize {
            let expected = lane.div_ceil(3) * 3;
            assert_eq!(machine.waves[0].lane(1, lane) as usize, expected, "{chip} {lane}");
        }
    }
}

#[test]
fn a_missing_wait_is_told() {
    for chip in CHIPS {
        let mut machine = machine();
        machine.memory.map_words(0x1000, &[7, 8, 9, 10]).expect("a mapping");
        machine.waves[0].set_pair(2, 0x1000);
        // Offsets of gfx6 and gfx7 count words.
        let offset = if chip == "tahiti" || chip == "bonaire" { 1 } else { 4 };
        let load = format!("s_load_dwordx2 s[4:5], s[2:3], {offset}\n");
        let good = format!("{load}s_waitcnt lgkmcnt(0)\ns_add_u32 s6, s4, s5");
        run(chip, &good, &mut machine).expect(chip);
        assert_eq!(machine.waves[0].scalar(6), 8 + 9, "{chip}");
        machine.waves[0].counter = 0;
        let stop = run(chip, &format!("{load}s_add_u32 s6, s4, s5"), &mut machine);
        let reason = stop.expect_err(chip).reason;
        assert!(matches!(reason, Reason::MissingWait(_)), "{chip} {reason:?}");
    }
}

#[test]
fn standing_too_close_is_told() {
    let mut machine = machine();
    let text = "v_readfirstlane_b32 s4, v0\nv_readlane_b32 s5, v0, s4";
    let stop = run("polaris10", text, &mut machine).expect_err("a hazard");
    assert!(matches!(stop.reason, Reason::Hazard(_)), "{stop:?}");
}

#[test]
fn waves_meet_at_barriers() {
    let mut machine = machine();
    let second = machine.waves[0].clone();
    machine.waves.push(second);
    machine.waves[1].set_scalar(0, 1);
    machine.share = vec![0; 512];
    // Each wave stores its number and reads the other's.
    let text = "
        s_mov_b32 m0, -1
        s_lshl_b32 s1, s0, 2
        s_xor_b32 s2, s1, 4
        v_mov_b32 v1, s1
        v_mov_b32 v2, s2
        s_add_u32 s3, s0, 40
        v_mov_b32 v3, s3
        ds_write_b32 v1, v3
        s_waitcnt lgkmcnt(0)
        s_barrier
        ds_read_b32 v4, v2
        s_waitcnt lgkmcnt(0)";
    run("polaris10", text, &mut machine).expect("both end");
    assert_eq!([0, 1].map(|wave| machine.waves[wave].lane(4, 9)), [41, 40]);
}

#[test]
fn exports_are_recorded() {
    let mut machine = machine();
    run("vega10", "v_mov_b32 v1, 1.0\nexp mrt0 v0, v1, off, off done vm", &mut machine)
        .expect("it");
    let export = &machine.exports[0];
    assert_eq!((export.sent.target, export.sent.enabled, export.sent.done), (0, 3, true));
    assert_eq!((export.values[0][5], export.values[1][63]), (5, 0x3f80_0000));
    assert_eq!(export.writers[1], 0);
}

#[test]
fn runs_are_bounded() {
    let mut machine = machine();
    let stop = run("tahiti", "again:\ns_branch again", &mut machine).expect_err("it never ends");
    assert_eq!(stop.reason, Reason::Steps);
}
