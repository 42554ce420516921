//! Accesses of instructions, written as text.

use super::*;
use crate::code_lines::from_lines;
use crate::instruction::form::Role;

fn names(accesses: &[Access]) -> Vec<String> {
    accesses
        .iter()
        .map(|access| {
            let letter = if access.register.bank == Bank::Vector { 'v' } else { 's' };
            let kind = match access.kind {
                AccessKind::Full => "",
                AccessKind::Partial => " part",
                AccessKind::CrossLane => " lane",
                AccessKind::Indexed => " relative",
                AccessKind::Unknown => " guess",
            };
            format!("{letter}{}x{}{kind}", access.register.first, access.register.dwords)
        })
        .collect()
}

#[test]
fn reads_and_writes() {
    for (chip, line, reads, writes) in [
        ("tahiti", "v_mac_f32 v1, v2, v3", "v1x1 v2x1 v3x1 s126x2", "v1x1"),
        ("tahiti", "v_addc_u32 v1, vcc, v2, v3, vcc", "v2x1 v3x1 s106x2 s126x2", "v1x1 s106x2"),
        ("tahiti", "v_cndmask_b32 v1, v2, v3, vcc", "v2x1 v3x1 s106x2 s126x2", "v1x1"),
        ("tahiti", "v_cmp_lt_f64 s[4:5], v[2:3], v[6:7]", "v2x2 v6x2 s126x2", "s4x2"),
        ("tahiti", "v_readlane_b32 s4, v2, s3", "v2x1 lane,s3x1", "s4x1"),
        ("tahiti", "v_writelane_b32 v2, s3, 4", "s3x1", "v2x1 lane"),
        ("tahiti", "v_movreld_b32 v250, v2", "v2x1 s126x2 s124x1", "v250x6 relative"),
        ("tahiti", "s_cmov_b32 s7, s2", "s7x1 s2x1 s253x1", "s7x1"),
        ("tahiti", "s_addk_i32 s7, 0x10", "s7x1", "s7x1 s253x1"),
        ("tahiti", "s_and_saveexec_b64 s[0:1], vcc", "s106x2 s126x2", "s0x2 s126x2 s253x1"),
        ("tahiti", "s_load_dwordx4 s[4:7], s[2:3], 0x60", "s2x2", "s4x4"),
        ("tahiti", "s_buffer_load_dword s4, s[8:11], s3", "s8x4 s3x1", "s4x1"),
        ("tahiti", "ds_read_b64 v[2:3], v4", "v4x1 s126x2 s124x1", "v2x2"),
        ("tahiti", "exp mrt0 v1, off, v3, off done vm", "v1x1 v3x1 s126x2", ""),
        ("tahiti", "exp mrt0 v1, v1, v3, v3 done compr vm", "v1x1 v1x1 v3x1 v3x1 s126x2", ""),
        (
            "tahiti",
            "buffer_atomic_cmpswap v[2:3], v4, s[8:11], 0 offen glc",
            "v2x2 v4x1 s8x4 s126x2",
            "v2x1",
        ),
        (
            "tahiti",
            "buffer_load_dword v[2:3], v4, s[8:11], 0 offen tfe",
            "v4x1 s8x4 s126x2",
            "v2x2 part",
        ),
        (
            "tahiti",
            "image_sample_c_l v[4:6], v[8:11], s[8:15], s[16:19] dmask:0x7",
            "v8x4 s8x8 s16x4 s126x2",
            "v4x3",
        ),
        ("vega10", "flat_atomic_add v1, v[2:3], v4 glc", "v2x2 v4x1 s126x2 s102x2 guess", "v1x1"),
        ("vega10", "global_load_dwordx3 v[4:6], v2, s[4:5]", "v2x1 s4x2 s126x2", "v4x3"),
        ("vega10", "ds_read_u8_d16_hi v1, v2", "v2x1 s126x2", "v1x1 part"),
        ("vega10", "v_swap_b32 v1, v2", "v1x1 v2x1 s126x2", "v1x1 v2x1"),
        ("vega10", "v_mad_mixhi_f16 v1, v2, v3, v4", "v2x1 v3x1 v4x1 s126x2", "v1x1 part"),
        (
            "vega10",
            "v_add_f32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0",
            "v2x1 v3x1 s126x2",
            "v1x1",
        ),
        (
            "vega10",
            "v_add_f32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf",
            "v2x1 v3x1 s126x2",
            "v1x1 part",
        ),
        ("vega10", "s_atomic_add s4, s[2:3], 0 glc", "s4x1 s2x2", "s4x1"),
        ("polaris10", "s_swappc_b64 s[0:1], s[2:3]", "s2x2", "s0x2"),
    ] {
        let target = Target::find(chip).expect(chip);
        let code = from_lines(target, line).expect(line);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint)[0];
        let words = |text: &str| -> Vec<String> {
            text.replace(" part", "_part")
                .replace(" lane,", "_lane ")
                .replace(" lane", "_lane")
                .replace(" relative", "_relative")
                .replace(" guess", "_guess")
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(|word| word.replace('_', " "))
                .collect()
        };
        assert_eq!(names(def_use.reads()), words(reads), "reads of {line}");
        assert_eq!(names(def_use.writes()), words(writes), "writes of {line}");
    }
}

#[test]
fn an_image_address_is_guessed_where_nobody_says() {
    let target = Target::find("polaris10").expect("a chip");
    let line = "image_sample v[4:7], v0, s[8:15], s[16:19] dmask:0xf";
    let mut code = from_lines(target, line).expect(line);
    code.instructions[0].address_vgprs = None;
    let reads = names(DefUse::of_all(&code, &source::no_checkpoint)[0].reads());
    assert_eq!(reads, ["v0x1", "v1x1 guess", "s8x8", "s16x4", "s126x2"]);
}

#[test]
fn every_form_fits_its_lists() {
    for target in Target::all() {
        let set = InstructionSet::of(target);
        for desc in Opcode::all().flat_map(|opcode| set.forms_of(opcode)) {
            let reads = desc.operands().iter().filter(|(_, role)| *role != Role::Write).count();
            let writes = desc.operands().iter().filter(|(_, role)| *role != Role::Read).count();
            // EXEC, M0, SCC and what is like them; an address may be in two parts.
            assert!(reads + 3 <= READS && writes + 3 <= WRITES, "{} {reads} {writes}", desc.name());
        }
    }
}
