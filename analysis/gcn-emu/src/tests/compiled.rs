//! Kernels that LLVM 22 compiled for the chips with one register file, run against what their
//! source says. `compiled/kernels.cl` is that source; `compiled/CHIP.s` has the code of
//! `clang -x cl -cl-std=CL1.2 -cl-no-stdinc -target amdgcn-amd-amdhsa -mcpu=CHIP -O2`, kernel by
//! kernel.

use super::{machine, run};
use crate::Machine;

/// A chip, the code of its kernels, and the scalar register where they find their arguments. The
/// number of the workgroup follows that pair.
const CHIPS: [(&str, &str, u16); 3] = [
    ("gfx90a", include_str!("compiled/gfx90a.s"), 4),
    ("gfx942", include_str!("compiled/gfx942.s"), 0),
    ("gfx950", include_str!("compiled/gfx950.s"), 0),
];

const ARGUMENTS: u64 = 0x1000;
const RESULT: u64 = 0x1_0000;
const FIRST: u64 = 0x2_0000;
const SECOND: u64 = 0x3_0000;

/// The lines of a kernel.
fn kernel<'a>(code: &'a str, name: &str) -> &'a str {
    let (_, found) = code.split_once(&format!("== {name}\n")).expect(name);
    found.split("== ").next().expect("code")
}

/// Runs a kernel on one wave of workgroup `group`; memory is given by place.
fn launched(name: &str, group: u32, arguments: &[u32], memory: &[(u64, &[u32])]) -> Vec<Machine> {
    let run_on = |(chip, code, first): (&str, &str, u16)| {
        let mut machine = machine();
        machine.share = vec![0; 256];
        machine.memory.map_words(ARGUMENTS, arguments).expect("a mapping");
        for (place, words) in memory {
            machine.memory.map_words(*place, words).expect("a mapping");
        }
        machine.waves[0].set_pair(first, ARGUMENTS);
        machine.waves[0].set_scalar(first + 2, group);
        run(chip, kernel(code, name), &mut machine).expect(chip);
        machine
    };
    CHIPS.map(run_on).into()
}

/// A place in memory as two words of the arguments.
fn pointer(place: u64) -> [u32; 2] {
    [place as u32, (place >> 32) as u32]
}

#[test]
fn a_sum_of_scaled_floats() {
    let x: Vec<u32> = (0..256).map(|it| (it as f32 - 7.25).to_bits()).collect();
    let y: Vec<u32> = (0..256).map(|it| (3.0 * it as f32).to_bits()).collect();
    let arguments = [pointer(RESULT), pointer(FIRST), [1.5_f32.to_bits(), 0]].concat();
    for machine in launched("saxpy", 3, &arguments, &[(RESULT, &y), (FIRST, &x)]) {
        for place in 0..256_u64 {
            let own = |words: &[u32]| f32::from_bits(words[place as usize]);
            // The workgroup has the last quarter.
            let expected = if place < 192 { own(&y) } else { 1.5_f32.mul_add(own(&x), own(&y)) };
            let found = machine.memory.read(RESULT + 4 * place, 4).expect("mapped") as u32;
            assert_eq!(f32::from_bits(found), expected, "{place}");
        }
    }
}

#[test]
fn an_exchange_through_the_local_data_share() {
    let x: Vec<u32> = (0..64).map(|it| it * it + 5).collect();
    let arguments = [pointer(RESULT), pointer(FIRST)].concat();
    for machine in launched("reversed", 0, &arguments, &[(RESULT, &[0; 64]), (FIRST, &x)]) {
        for place in 0..64_u64 {
            let found = machine.memory.read(RESULT + 4 * place, 4).expect("mapped");
            assert_eq!(found, u64::from(x[63 - place as usize]) * 3, "{place}");
        }
    }
}

#[test]
fn a_product_of_matrices_of_halves() {
    // Small whole numbers: every sum is exact.
    let a = |row: usize, k: usize| (row as i32 * 3 + k as i32 * 5) % 11 - 5;
    let b = |k: usize, column: usize| (k as i32 * 7 + column as i32 * 2) % 13 - 6;
    let halves = |value: &dyn Fn(usize, usize) -> i32| -> Vec<u32> {
        let half = |at: usize| {
            let bits = softfloat::to_half(
                f64::from(value(at / 16, at % 16)),
                softfloat::Rounding::Nearest,
            );
            u32::from(bits)
        };
        (0..128).map(|word| half(2 * word) | half(2 * word + 1) << 16).collect()
    };
    let arguments = [pointer(RESULT), pointer(FIRST), pointer(SECOND)].concat();
    let (first, second) = (halves(&a), halves(&b));
    let memory: [(u64, &[u32]); 3] = [(RESULT, &[0; 256]), (FIRST, &first), (SECOND, &second)];
    for machine in launched("product", 0, &arguments, &memory) {
        for (row, column) in (0..256).map(|it| (it / 16, it % 16)) {
            let expected: i32 = (0..16).map(|k| a(row, k) * b(k, column)).sum();
            let place = RESULT + 4 * (16 * row + column) as u64;
            let found = machine.memory.read(place, 4).expect("mapped") as u32;
            assert_eq!(f32::from_bits(found), expected as f32, "{row} {column}");
        }
    }
}

#[test]
fn a_loop_over_64_bit_floats() {
    for count in [0, 1, 9] {
        let arguments = [pointer(RESULT), [count, 0]].concat();
        for machine in launched("squares", 0, &arguments, &[(RESULT, &[7; 128])]) {
            for lane in 0..64_u64 {
                let found = machine.memory.read(RESULT + 8 * lane, 8).expect("mapped");
                let expected: u64 = (1..=u64::from(count)).map(|k| k * (lane + k)).sum();
                assert_eq!(f64::from_bits(found), expected as f64, "{count} {lane}");
            }
        }
    }
}
