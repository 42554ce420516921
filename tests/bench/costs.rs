//! The time that the analyses of machine code take for an instruction: of 500, of 20,000
//! and of 100,000 instructions, which shows whether the time is linear.
//!
//! `cargo bench -p tests --bench costs`

use std::hint::black_box;
use std::time::Duration;

use gcn::Target;
use gcn::analysis::{Cfg, DefUse, Liveness, Options, analyse, check, hazards, waits};
use tests::code_lines::from_lines;
use tests::measure::median_of;

/// The nanoseconds that the flow half (blocks, needs, waits, hazards) may take for an
/// instruction, and the whole with the clocks.
const BAR_FLOW: f64 = 2_000.0;
const BAR_ALL: f64 = 4_000.0;

/// A kernel of so many pieces, each with loads, arithmetic, a divergent branch and a
/// loop.
fn kernel(pieces: usize) -> String {
    let mut text = String::new();
    for piece in 0..pieces {
        let v = 8 + piece % 40;
        text.push_str(&format!(
            "s_load_dwordx4 s[4:7], s[2:3], 0x10\n\
             s_waitcnt lgkmcnt(0)\n\
             buffer_load_dword v{v}, v0, s[4:7], 0 offen\n\
             buffer_load_dword v2, v1, s[4:7], 0 offen\n\
             v_mul_f32 v3, v4, v5\n\
             v_add_f32 v4, v3, v3\n\
             s_waitcnt vmcnt(1)\n\
             v_mac_f32 v5, v{v}, v4\n\
             v_cmp_lt_f32 vcc, v5, v{v}\n\
             s_and_saveexec_b64 s[8:9], vcc\n\
             s_cbranch_execz else{piece}\n\
             v_add_f32 v6, v5, v4\n\
             ds_write_b32 v6, v5\n\
             else{piece}:\n\
             s_or_b64 exec, exec, s[8:9]\n\
             s_mov_b64 s[10:11], exec\n\
             loop{piece}:\n\
             v_add_f32 v7, v7, v2\n\
             v_cmp_gt_f32 vcc, v7, v6\n\
             s_and_b64 exec, exec, vcc\n\
             s_cbranch_execnz loop{piece}\n\
             s_mov_b64 exec, s[10:11]\n\
             s_waitcnt vmcnt(0) lgkmcnt(0)\n\
             v_mov_b32 v0, v2\n\
             v_mul_f32 v1, v7, v6\n"
        ));
    }
    text.push_str("exp mrt0 v0, v1, v5, v6 done vm\ns_endpgm\n");
    text
}

#[allow(clippy::print_stdout)]
fn main() {
    let target = Target::find("polaris10").expect("a chip");
    let mut first = None;
    for pieces in [21, 870, 4_350] {
        let code = from_lines(target, &kernel(pieces)).expect("code");
        let count = code.instructions.len();
        let runs = if count < 1_000 { 101 } else { 5 };
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
        let each = |time: Duration| time.as_nanos() as f64 / count as f64;
        let say = |name: &str, time: f64| {
            println!("METRIC:gcn costs {count}, {name}:{time:.0}:ns/instruction");
        };
        let mut whole = 0.0;
        let mut step = |name: &str, work: &mut dyn FnMut()| {
            let time = each(median_of(runs, work));
            say(name, time);
            whole += time;
        };
        step("def_use", &mut || drop(black_box(DefUse::of_all(&code, &source::no_checkpoint))));
        step("cfg", &mut || drop(black_box(Cfg::of(&code, &def_use))));
        step("needs", &mut || {
            drop(black_box(Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint)))
        });
        step("waits", &mut || {
            drop(black_box(waits(&code, &def_use, &cfg, None, &source::no_checkpoint)))
        });
        step("hazards", &mut || {
            drop(black_box(hazards(&code, &def_use, &cfg, &source::no_checkpoint)))
        });
        say("cfg half", whole);
        let all = each(median_of(runs, || {
            let report = analyse(&code, &Options::default(), &source::no_checkpoint);
            black_box(check(
                &code,
                &report.def_use,
                &report.cfg,
                &report.liveness,
                None,
                &source::no_checkpoint,
            ));
        }));
        say("all", all);
        assert!(!liveness.before(0).is_empty(), "something is needed at the start");
        if whole > BAR_FLOW || all > BAR_ALL {
            println!("over the bar of {BAR_FLOW} and {BAR_ALL} ns/instruction");
        }
        let smallest = *first.get_or_insert(all);
        if all > 3.0 * smallest {
            println!("not linear: {all:.0} ns beside {smallest:.0} ns of the smallest");
        }
    }
}
