//! Faults of many kinds, planted in kernels.

use gcn::mnemonics;

use crate::kernels::Kernel;
use crate::random_shaders::Numbers;

/// The faults; a tilde stands for a number that each has for itself.
const FAULTS: [&str; 16] = [
    "s_load_dword s40, s[4:5], 0x0\ns_add_u32 s41, s40, 1",
    "buffer_load_dword v20, v1, s[8:11], 0 offen\nv_add_f32 v21, v20, v20",
    "ds_read_b32 v22, v1\nv_mov_b32 v23, v22",
    "buffer_load_dword v24, off, s[8:11], 0\nv_mov_b32 v24, 0",
    "buffer_store_dword v29, off, s[8:11], 0\nv_mov_b32 v29, 0",
    "v_mov_b32 v2, v20~",
    "s_mov_b32 s50, s7~",
    "v_mov_b32 v25, 0\nv_mov_b32 v25, 1",
    "s_mov_b32 s60, 0\ns_mov_b32 s60, 1",
    "v_readfirstlane_b32 s12, v1\nbuffer_load_dword v26, off, s[12:15], 0",
    "v_cmp_eq_u32 vcc, v1, v2\nv_div_fmas_f32 v27, v1, v2, v3",
    "v_readfirstlane_b32 s43, v1\nv_readlane_b32 s44, v2, s43",
    "s_setreg_b32 hwreg(HW_REG_MODE), s1\ns_getreg_b32 s45, hwreg(HW_REG_MODE)",
    "s_branch there_~\nv_mov_b32 v28, 0\nthere_~:",
    "s_load_dwordx2 vcc, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_cbranch_vccz here_~\nhere_~:",
    "s_cbranch_scc1 over_~\nv_add_f32 v1, v1, v1\nover_~:",
];

/// Plants from four to nine faults in a kernel.
pub(super) fn plant(kernel: &Kernel, random: &mut Numbers) -> String {
    let mut lines: Vec<String> = kernel.text().lines().map(str::to_owned).collect();
    for number in 0..4 + random.below(6) {
        let places: Vec<usize> =
            (0..lines.len()).filter(|line| is_instruction(&lines[*line])).collect();
        let Some(place) = places.get(random.below(places.len().max(1))) else { break };
        let fault = FAULTS[random.below(FAULTS.len())].replace('~', &number.to_string());
        lines.splice(place..place, fault.lines().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

/// The mnemonic of a line.
fn word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Tells whether a line is an instruction.
pub(super) fn is_instruction(line: &str) -> bool {
    mnemonics::op_info(word(line)).is_some()
}

/// Tells whether an instruction says where control goes.
pub(super) fn steers(line: &str) -> bool {
    const BEGINNINGS: [&str; 7] =
        ["s_branch", "s_cbranch", "s_endpgm", "s_setpc", "s_swappc", "s_call", "s_rfe"];
    BEGINNINGS.iter().any(|beginning| word(line).starts_with(beginning))
}
