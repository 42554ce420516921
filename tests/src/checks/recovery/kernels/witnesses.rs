//! Sound lines that break into the same text as another one: proof that nobody can tell which of
//! them is meant.

use gcn::mnemonics;

use super::super::breaks;

/// Whole lines, each with a register of the diagnostic in it, or with an effect on waits, wait
/// states, lanes and control.
const LINES: [&str; 18] = [
    "v_mov_b32 v255, ~",
    "v_mov_b32 ~, 0",
    "v_readfirstlane_b32 s0, ~",
    "v_readfirstlane_b32 ~, v0",
    "v_cmpx_eq_u32 vcc, v0, v0",
    "s_mov_b32 s99, ~",
    "s_mov_b32 ~, 0",
    "s_mov_b64 exec, s[0:1]",
    "s_waitcnt 0",
    "s_nop 7",
    "s_endpgm",
    "buffer_store_dword ~, off, s[0:3], 0",
    "buffer_load_dword ~, off, s[0:3], 0",
    "global_store_dword v[0:1], ~, off",
    "global_load_dword ~, v[0:1], off",
    "flat_store_dword v[0:1], ~",
    "ds_write_b32 v0, ~",
    "ds_read_b32 ~, v0",
];

/// Mnemonics that read, write or rule in each place what others do not.
const MNEMONICS: [&str; 20] = [
    "v_mac_f32",
    "v_mov_b32",
    "v_cmp_eq_u32",
    "v_cmpx_eq_u32",
    "v_readlane_b32",
    "v_readfirstlane_b32",
    "v_writelane_b32",
    "v_mfma_f32_32x32x1f32",
    "s_cmp_lg_u32",
    "s_cmp_lg_u64",
    "s_store_dword",
    "s_load_dword",
    "s_add_u32",
    "s_and_b64",
    "s_mov_b64",
    "buffer_store_dword",
    "buffer_load_dword",
    "global_store_dword",
    "ds_write_b32",
    "flat_store_dword",
];

/// Returns lines that a way of breaking makes the same text of as of a sound line, where a
/// diagnostic names some registers in its message.
pub(super) fn witnesses(sound: &str, broken: &str, way: &str, message: &str) -> Vec<String> {
    let subjects = registers(message);
    let mut lines: Vec<String> = LINES
        .iter()
        .flat_map(|line| subjects.iter().map(|subject| line.replace('~', subject)))
        .collect();
    let (word, operands) = sound.split_once(' ').unwrap_or((sound, ""));
    let end = word.find('_').map(|at| &word[at..]);
    let alike = mnemonics::all().iter().map(|info| info.name);
    let alike = alike.filter(|name| end.is_some() && name.find('_').map(|at| &name[at..]) == end);
    for word in alike.chain(MNEMONICS).chain([word]) {
        lines.push(format!("{word} {operands}"));
        let others = variants(operands, &subjects);
        lines.extend(others.into_iter().map(|operands| format!("{word} {operands}")));
    }
    lines.retain(|line| line != sound && breaks::may_become(line, broken, way));
    lines.dedup();
    lines
}

/// The registers that a message names, and EXEC, which rules what is written.
fn registers(message: &str) -> Vec<String> {
    let words = message.split('`').skip(1).step_by(2);
    let named = words.filter(|word| range(word).is_some());
    named.chain(["exec", "exec_lo"]).map(str::to_owned).collect()
}

/// The file, first and last number of a range of registers.
fn range(word: &str) -> Option<(&str, u16, u16)> {
    let file = word.get(..1).filter(|it| ["v", "s", "a"].contains(it))?;
    let numbers = word[1..].trim_start_matches('[').trim_end_matches(']');
    let (first, last) = numbers.split_once(':').unwrap_or((numbers, numbers));
    Some((file, first.parse().ok()?, last.parse().ok()?))
}

/// Operands of which one is another register, with as many parts as it had.
fn variants(operands: &str, subjects: &[String]) -> Vec<String> {
    let words: Vec<&str> = operands.split(", ").collect();
    let mut all = Vec::new();
    for (place, operand) in words.iter().enumerate() {
        let (own, rest) = operand.split_once(' ').unwrap_or((operand, ""));
        let count = range(own).map_or(1, |(_, first, last)| last - first + 1);
        for subject in subjects {
            let replaced = match range(subject) {
                Some((file, first, _)) if count > 1 => {
                    let first = first / 4 * 4;
                    format!("{file}[{first}:{}]", first + count - 1)
                }
                _ => subject.clone(),
            };
            let mut other: Vec<String> = words.iter().map(|&it| it.to_owned()).collect();
            other[place] = format!("{replaced} {rest}").trim_end().to_owned();
            all.push(other.join(", "));
        }
    }
    all
}
