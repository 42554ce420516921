//! Waits that are missing, too strict, or for something: in code of a few lines.

use super::*;
use crate::Target;
use crate::analysis::diagnostic::InstFix;
use crate::code_lines::from_lines;

fn found_in(chip: &str, text: &str) -> Vec<InstDiagnostic> {
    let target = Target::find(chip).expect(chip);
    let text = format!("{text}\ns_endpgm");
    let code = from_lines(target, &text).expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    waits(&code, &def_use, &cfg, None, &source::no_checkpoint)
}

/// The diagnostics: instruction, severity, and the text of the fix.
fn found(chip: &str, text: &str) -> Vec<(u32, Severity, String)> {
    let fix = |change: Option<InstFix>| match change.map(|fix| fix.change) {
        Some(Change::InsertBefore(text) | Change::Replace(text)) => text,
        Some(Change::Remove) => "nothing".to_owned(),
        None => String::new(),
    };
    let diagnostics = found_in(chip, text).into_iter();
    diagnostics.map(|it| (it.instruction, it.severity, fix(it.fix))).collect()
}

#[test]
fn uses_that_come_too_early() {
    use Severity::{Error, Hint, Warning};
    let load = "buffer_load_dword v1, v0, s[0:3], 0 offen";
    let other = "buffer_load_dword v2, v0, s[0:3], 0 offen";
    let times: String =
        (2..18).map(|pair| format!("s_memtime s[{}:{}]\n", 2 * pair, 2 * pair + 1)).collect();
    let sample = "image_sample v1, v[4:5], s[8:15], s[16:19] dmask:0x1";
    for (chip, text, expected) in [
        // In order: the count of what may still be under way.
        (
            "polaris10",
            format!("{load}\n{other}\nv_mov_b32 v3, v1"),
            vec![(2, Error, "s_waitcnt vmcnt(1)")],
        ),
        ("polaris10", format!("{load}\n{other}\ns_waitcnt vmcnt(1)\nv_mov_b32 v3, v1"), vec![]),
        (
            "polaris10",
            format!("{load}\n{other}\ns_waitcnt vmcnt(1)\nv_mov_b32 v3, v2"),
            vec![(3, Error, "s_waitcnt vmcnt(0)")],
        ),
        // Scalar memory keeps no order.
        (
            "polaris10",
            "s_load_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x4\n\
          s_waitcnt lgkmcnt(1)\ns_mov_b32 s6, s4"
                .to_owned(),
            vec![(3, Warning, "s_waitcnt lgkmcnt(0)")],
        ),
        // One of a kind in order is done where those behind it would be too many.
        (
            "tahiti",
            "ds_read_b32 v1, v0\nds_read_b32 v2, v0\ns_load_dword s4, s[0:1], 0x0\n\
             s_waitcnt lgkmcnt(1)\nv_mov_b32 v3, v1"
                .to_owned(),
            vec![],
        ),
        (
            "tahiti",
            "ds_read_b32 v1, v0\nds_read_b32 v2, v0\ns_load_dword s4, s[0:1], 0x0\n\
             s_waitcnt lgkmcnt(1)\nv_mov_b32 v3, v2"
                .to_owned(),
            vec![(4, Warning, "s_waitcnt lgkmcnt(0)")],
        ),
        (
            "tahiti",
            "ds_read_b32 v1, v0\ns_load_dword s4, s[0:1], 0x0\nds_read_b32 v2, v0\n\
             v_mov_b32 v3, v1"
                .to_owned(),
            vec![(3, Error, "s_waitcnt lgkmcnt(1)")],
        ),
        (
            "polaris10",
            format!(
                "{load}\n{other}\nflat_load_dword v6, v[8:9]\ns_waitcnt vmcnt(1)\nv_mov_b32 v3, v1"
            ),
            vec![],
        ),
        // A full counter says nothing of what is older and of another kind.
        (
            "polaris10",
            format!("ds_read_b32 v1, v0\n{times}v_mov_b32 v3, v1"),
            vec![(17, Error, "s_waitcnt lgkmcnt(0)")],
        ),
        // An address may be a result at once; a later load of the same kind is in order.
        (
            "polaris10",
            format!("{load}\nbuffer_load_dword v0, v0, s[0:3], 0 offen\n{load}"),
            vec![(2, Error, "s_waitcnt vmcnt(0)")],
        ),
        ("polaris10", format!("{load}\n{load}"), vec![]),
        ("polaris10", format!("{load}\n{sample}"), vec![(1, Warning, "s_waitcnt vmcnt(0)")]),
        ("polaris10", format!("{load}\nv_mov_b32 v1, 0"), vec![(1, Warning, "s_waitcnt vmcnt(0)")]),
        // Exports read late; stores do only on gfx6.
        (
            "polaris10",
            "exp mrt0 v0, v1, v2, v3 done vm\nv_mov_b32 v1, 0".to_owned(),
            vec![(1, Error, "s_waitcnt expcnt(0)")],
        ),
        (
            "tahiti",
            "buffer_store_dword v1, v0, s[0:3], 0 offen\nv_mov_b32 v1, 0".to_owned(),
            vec![(1, Error, "s_waitcnt expcnt(0)")],
        ),
        (
            "bonaire",
            "buffer_store_dword v1, v0, s[0:3], 0 offen\nv_mov_b32 v1, 0".to_owned(),
            vec![],
        ),
        // Flat memory may come back by either counter.
        (
            "vega10",
            "flat_load_dword v1, v[2:3]\nv_mov_b32 v4, v1".to_owned(),
            vec![(1, Error, "s_waitcnt vmcnt(0) lgkmcnt(0)")],
        ),
        (
            "vega10",
            "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v1".to_owned(),
            vec![(2, Hint, "s_waitcnt lgkmcnt(0)")],
        ),
        // AMD's own compiler leaves a store to flat memory behind a read of local memory.
        (
            "polaris10",
            "ds_read_b32 v1, v0\nflat_store_dword v[2:3], v4\ns_waitcnt lgkmcnt(1)\n\
             v_mov_b32 v5, v1"
                .to_owned(),
            vec![(3, Hint, "s_waitcnt lgkmcnt(0)")],
        ),
        (
            "polaris10",
            "ds_read_b32 v1, v0\nflat_load_dword v6, v[2:3]\ns_waitcnt lgkmcnt(1)\n\
             v_mov_b32 v5, v1"
                .to_owned(),
            vec![(3, Warning, "s_waitcnt lgkmcnt(0)")],
        ),
        (
            "vega10",
            "global_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v1".to_owned(),
            vec![],
        ),
    ] {
        let expected: Vec<_> =
            expected.into_iter().map(|(at, how, fix)| (at, how, fix.to_owned())).collect();
        assert_eq!(found(chip, &text), expected, "{chip}: {text}");
    }
}

#[test]
fn one_path_that_waits_makes_it_a_warning() {
    let load = "buffer_load_dword v1, v0, s[0:3], 0 offen\ns_cbranch_scc1 skip";
    let text = format!("{load}\ns_waitcnt vmcnt(0)\nskip:\nv_mov_b32 v2, v1");
    let expected = (3, Severity::Warning, "s_waitcnt vmcnt(0)".to_owned());
    assert_eq!(found("polaris10", &text), [expected]);
    let text = format!("{load}\ns_nop 0\nskip:\nv_mov_b32 v2, v1");
    assert_eq!(found("polaris10", &text)[0].1, Severity::Error);
}

#[test]
fn what_comes_round_a_loop_counts() {
    let text = "v_mov_b32 v1, 0\nagain:\nv_add_f32 v2, v2, v1\n\
                buffer_load_dword v1, v0, s[0:3], 0 offen\ns_cbranch_scc1 again";
    let expected = (1, Severity::Warning, "s_waitcnt vmcnt(0)".to_owned());
    assert_eq!(found("polaris10", text), [expected]);
    // Loads of one kind come back in order, also those of one instruction.
    let repeated = |load: &str| format!("again:\n{load}\ns_cbranch_scc1 again");
    assert_eq!(found("polaris10", &repeated("buffer_load_dword v1, v0, s[0:3], 0 offen")), []);
    assert_eq!(found("polaris10", &repeated("ds_read_b32 v1, v0")), []);
    let scalar = (1, Severity::Warning, "s_waitcnt lgkmcnt(0)".to_owned());
    let repeated = repeated("s_nop 0\ns_load_dword s4, s[0:1], 0x0");
    assert_eq!(found("polaris10", &repeated), [scalar]);
}

#[test]
fn waits_that_could_be_looser() {
    let loads = "buffer_load_dword v1, v0, s[0:3], 0 offen\n\
                 buffer_load_dword v2, v0, s[0:3], 0 offen";
    for (text, expected) in [
        (format!("{loads}\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v1\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v2"),
         // The second one waits for nothing only as long as the first is so strict.
         vec![(2, "s_waitcnt vmcnt(1)")]),
        (format!("{loads}\ns_waitcnt vmcnt(1)\nv_mov_b32 v3, v1\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v2"), vec![]),
        (format!("{loads}\ns_waitcnt vmcnt(0) expcnt(0)\nv_add_f32 v3, v1, v2"),
         vec![(2, "s_waitcnt vmcnt(0)")]),
        // Kinds that are mixed: one keeps its order.
        ("ds_read_b32 v1, v0\nds_read_b32 v2, v0\ns_load_dword s4, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n\
          v_mov_b32 v3, v1\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\ns_mov_b32 s5, s4".to_owned(),
         vec![(3, "s_waitcnt lgkmcnt(1)")]),
        // A store's wait is for the order of memory.
        ("buffer_store_dword v1, v0, s[0:3], 0 offen\ns_waitcnt vmcnt(0)\ns_barrier\ns_waitcnt vmcnt(0)".to_owned(),
         vec![(3, "nothing")]),
    ] {
        let mut found = found("polaris10", &text);
        found.sort_by_key(|(at, ..)| *at);
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(at, fix)| (at, Severity::Hint, fix.to_owned()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_waves_exchange_is_there_before_the_barrier() {
    use Severity::{Hint, Warning};
    let zero = "s_waitcnt lgkmcnt(0)";
    let load = "buffer_load_dword v1, s[0:3], 0 offen lds";
    let branch = |side: &str| {
        format!(
            "ds_write_b32 v0, v1\ns_cbranch_scc1 join\n{side}\njoin:\ns_barrier\nds_read_b32 v1, v2"
        )
    };
    for (text, expected) in [
        ("ds_write_b32 v0, v1\ns_barrier\nds_read_b32 v1, v2".to_owned(), vec![(1, Warning, zero)]),
        (format!("ds_write_b32 v0, v1\n{zero}\ns_barrier\nds_read_b32 v1, v2"), vec![]),
        // The write is older than one that is not waited for.
        (
            "ds_write_b32 v0, v1\nds_read_b32 v3, v2\ns_barrier\nds_add_u32 v0, v1".to_owned(),
            vec![(2, Warning, "s_waitcnt lgkmcnt(1)")],
        ),
        // Nothing is read, or only behind another barrier.
        ("ds_write_b32 v0, v1\ns_barrier\nds_write_b32 v0, v2".to_owned(), vec![]),
        (format!("ds_write_b32 v0, v1\ns_barrier\n{zero}\ns_barrier\nds_read_b32 v1, v2"), vec![]),
        // What does not touch memory is not an access.
        ("ds_swizzle_b32 v0, v1 offset:1\ns_barrier\nds_read_b32 v1, v2".to_owned(), vec![]),
        ("ds_write_b32 v0, v1\ns_barrier\nds_bpermute_b32 v2, v3, v4".to_owned(), vec![]),
        // A load into the share counts as vector memory.
        (
            format!("s_mov_b32 m0, 0\n{load}\n{zero}\ns_barrier\nds_read_b32 v1, v2"),
            vec![(3, Warning, "s_waitcnt vmcnt(0)")],
        ),
        (branch(zero), vec![(3, Hint, zero)]),
        (branch("s_nop 0"), vec![(3, Warning, zero)]),
        // A loop writes for its next iteration.
        (
            "again:\nds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\nds_write_b32 v0, v1\ns_barrier\n\
             s_cbranch_scc1 again"
                .to_owned(),
            vec![(3, Warning, zero)],
        ),
    ] {
        let expected: Vec<_> =
            expected.into_iter().map(|(at, how, fix)| (at, how, fix.to_owned())).collect();
        let races = found_in("polaris10", &text).into_iter();
        let races = races.filter(|it| it.code == codes::UNORDERED_SHARE);
        let found: Vec<_> = races
            .map(|it| {
                assert_eq!(it.related.len(), 2, "{text}");
                let Some(Change::InsertBefore(fix)) = it.fix.map(|fix| fix.change) else {
                    panic!()
                };
                (it.instruction, it.severity, fix)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    let text = "s_mov_b32 m0, s0\ns_nop 0\nglobal_load_lds_dword v[0:1], off\ns_barrier\n\
                ds_read_b32 v1, v2";
    let races = found_in("gfx942", text).into_iter();
    let races: Vec<u32> =
        races.filter(|it| it.code == codes::UNORDERED_SHARE).map(|it| it.instruction).collect();
    assert_eq!(races, [3], "a load by address into the share");
    let code = from_lines(Target::default(), "ds_write_b32 v0, v1\ns_barrier\nds_read_b32 v1, v2");
    let code = code.expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    assert_eq!(waits(&code, &def_use, &cfg, Some(1), &source::no_checkpoint), []);
}

/// Both sides of a divergent branch: a load of `then` in some lanes, then `other` in the lanes that
/// `mask` makes active.
fn sides(then: &str, mask: &str, other: &str) -> String {
    format!(
        "s_mov_b64 s[6:7], exec\nv_cmpx_le_u32 vcc, s4, v0\ns_cbranch_execz past\n{then}\npast:\n\
         {mask}\n{other}\ns_mov_b64 exec, s[6:7]\ns_waitcnt lgkmcnt(0)"
    )
}

/// The instructions whose waits are missing.
fn missing(text: &str) -> Vec<u32> {
    let missing = found_in("polaris10", text).into_iter();
    missing.filter(|it| it.code == codes::MISSING_WAIT).map(|it| it.instruction).collect()
}

#[test]
fn other_lanes_need_no_wait() {
    let load = "ds_read_b32 v2, v2";
    let others = "s_andn2_b64 exec, s[6:7], exec";
    for (then, mask, other, expected) in [
        (load, others, "v_mov_b32 v2, 0", vec![]),
        (load, others, "v_add_u32 v3, vcc, v2, v0", vec![]),
        (load, "s_xor_b64 exec, exec, s[6:7]", "v_mov_b32 v2, 0", vec![]),
        // The same lanes, and all lanes.
        (load, "s_and_b64 exec, s[6:7], exec", "v_mov_b32 v2, 0", vec![5]),
        (load, "s_mov_b64 exec, s[6:7]", "v_mov_b32 v2, 0", vec![5]),
        // Another lane's value is read.
        (load, others, "v_readlane_b32 s8, v2, s5", vec![5]),
        (load, others, "v_readfirstlane_b32 s8, v2", vec![5]),
        // Scalar registers belong to all lanes.
        ("s_load_dword s8, s[0:1], 0x0", others, "s_mov_b32 s8, 0", vec![5]),
    ] {
        let text = sides(then, mask, other);
        assert_eq!(missing(&text), expected, "{text}");
    }
    // The mask is changed by the last instruction of a block.
    let text = format!(
        "{load}\ns_and_saveexec_b64 s[10:11], vcc\nagain:\nv_mov_b32 v2, 0\ns_cbranch_scc1 again"
    );
    assert_eq!(missing(&text), [2]);
    // The branch goes round again, in lanes that loaded before.
    let text = format!("again:\n{}\ns_cbranch_scc1 again", sides(load, others, "v_mov_b32 v2, 0"));
    assert_eq!(missing(&text), [0; 0]);
    let text = text.replace("s_waitcnt lgkmcnt(0)", "s_nop 0");
    assert_eq!(missing(&text), [3, 5]);
}
