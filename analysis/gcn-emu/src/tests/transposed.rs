//! Loads from the share that transpose among 16 lanes, against matrices written down in the share.

use super::{machine, run};
use crate::{Machine, Reason};

/// A wave whose lanes read their own bytes, one after the other, from a share of matrices: each
/// has `rows` rows of sixteen columns, whose elements count from the matrix's number on.
fn with_matrices(bits: usize, stride: usize, rows: usize) -> Machine {
    let mut machine = machine();
    let mut share = vec![0_u8; 64 * stride];
    let each = rows;
    for lane in 0..64 {
        for element in 0..each {
            let (matrix, at) = (lane / 16, lane % 16 * each + element);
            let value = value_of(matrix, at / 16, at % 16, bits);
            for bit in 0..bits {
                let place = 8 * stride * lane + element * bits + bit;
                share[place / 8] |= ((value >> bit & 1) as u8) << (place % 8);
            }
        }
        machine.waves[0].set_lane(4, lane, (stride * lane) as u32);
    }
    machine.share = share;
    machine
}

/// The element of a row and column; what does not fit in the bits is cut off.
fn value_of(matrix: usize, row: usize, column: usize, bits: usize) -> u32 {
    ((matrix * 77 + row * 16 + column * 5 + row * column) as u32) & ((1 << bits) - 1)
}

#[test]
fn each_lane_is_given_a_column() {
    for (text, bits, stride, rows, words) in [
        ("ds_read_b64_tr_b16 v[10:11], v4", 16, 8, 4, 2),
        ("ds_read_b64_tr_b8 v[10:11], v4", 8, 8, 8, 2),
        ("ds_read_b64_tr_b4 v[10:11], v4", 4, 8, 16, 2),
        ("ds_read_b96_tr_b6 v[10:12], v4", 6, 16, 16, 3),
    ] {
        let mut machine = with_matrices(bits, stride, rows);
        run("gfx950", &format!("{text}\ns_waitcnt lgkmcnt(0)"), &mut machine).expect(text);
        for lane in 0..64 {
            let found = (0..words).fold(0_u128, |all, word| {
                all | u128::from(machine.waves[0].lane(10 + word, lane)) << (32 * word)
            });
            for row in 0..rows {
                let element = (found >> (row * bits)) as u32 & ((1 << bits) - 1);
                let expected = value_of(lane / 16, row, lane % 16, bits);
                assert_eq!(element, expected, "{text}: lane {lane}, row {row}");
            }
        }
    }
}

/// Written down by hand: lane 5 of the first sixteen is given the column 5, whose rows are in the
/// second lane of each four, at its second place.
#[test]
fn halves_come_from_every_fourth_lane() {
    let mut machine = machine();
    for lane in 0..64_u16 {
        machine
            .share
            .extend([0, 1, 2, 3].into_iter().flat_map(|it| (lane << 8 | it).to_le_bytes()));
        machine.waves[0].set_lane(4, lane.into(), 8 * u32::from(lane));
    }
    let text = "ds_read_b64_tr_b16 v[10:11], v4\ns_waitcnt lgkmcnt(0)";
    run("gfx950", text, &mut machine).expect("a load");
    let words = [10, 11].map(|register| machine.waves[0].lane(register, 5));
    assert_eq!(words, [0x0501_0101, 0x0d01_0901]);
    let words = [10, 11].map(|register| machine.waves[0].lane(register, 63));
    assert_eq!(words, [0x3703_3303, 0x3f03_3b03]);
}

#[test]
fn inactive_lanes_and_odd_addresses_end_the_run() {
    for (text, exec, address) in [
        ("ds_read_b64_tr_b8 v[10:11], v4", 1, 0),
        ("ds_read_b64_tr_b8 v[10:11], v4", u64::MAX, 4),
        ("ds_read_b96_tr_b6 v[10:12], v4", u64::MAX, 8),
    ] {
        let mut machine = machine();
        machine.share = vec![0; 64];
        machine.waves[0].set_exec(exec);
        (0..64).for_each(|lane| machine.waves[0].set_lane(4, lane, address));
        let stop = run("gfx950", text, &mut machine).expect_err(text);
        assert!(matches!(stop.reason, Reason::Unsupported(_)), "{text} {:?}", stop.reason);
    }
}
