//! Bounds, met exactly and missed by one: of steps, of records, of memory.

use super::{CHIPS, machine, program};
use crate::{Limits, Machine, Memory, NoImages, Reason, Unmapped};

fn ends(text: &str, waves: usize, limits: Limits) -> Result<u64, (usize, usize, Reason)> {
    let program = program("vega10", &format!("{text}\ns_endpgm"));
    let wave = machine().waves.remove(0);
    let mut machine = Machine { waves: vec![wave; waves], ..Machine::default() };
    let ended = machine.run(&program, &mut NoImages, limits);
    ended.map_err(|stop| (stop.wave, stop.instruction, stop.reason))
}

#[test]
fn steps_of_all_waves_count() {
    let text = "s_nop 0\ns_nop 1\ns_nop 2";
    let with = |waves, steps| ends(text, waves, Limits { steps, ..Limits::default() });
    assert_eq!(with(1, 4), Ok(4));
    assert_eq!(with(1, 3), Err((0, 3, Reason::Steps)));
    assert_eq!(with(3, 12), Ok(12));
    assert_eq!(with(3, 11), Err((2, 3, Reason::Steps)));
    assert_eq!(with(3, 0), Err((0, 0, Reason::Steps)));
    assert_eq!(with(0, 0), Ok(0));
    assert_eq!(Limits::default(), Limits { steps: 1 << 20, records: 1 << 14 });
}

#[test]
fn exports_messages_and_signals_count_together() {
    let text = "exp mrt0 v0, v0, off, off\ns_sendmsg sendmsg(MSG_INTERRUPT)\n\
                ds_gws_sema_v gds\nexp mrt1 v0, v0, off, off done vm";
    let with = |records| ends(text, 1, Limits { records, ..Limits::default() });
    assert_eq!(with(4), Ok(5));
    // One more than are allowed is found where the next instruction begins.
    assert_eq!(with(3), Err((0, 4, Reason::Records)));
    assert_eq!(with(2), Err((0, 3, Reason::Records)));
    assert_eq!(with(1), Err((0, 2, Reason::Records)));
    assert_eq!(with(0), Err((0, 1, Reason::Records)));
}

#[test]
fn what_a_run_left_is_where_the_next_begins() {
    for chip in CHIPS {
        let program = program(chip, "s_mov_b32 s0, 1\ns_endpgm\ns_mov_b32 s0, 2\ns_endpgm");
        let mut machine = machine();
        for (value, steps) in [(1, 2), (2, 2)] {
            let ended = machine.run(&program, &mut NoImages, Limits::default());
            assert_eq!(ended, Ok(steps), "{chip}");
            assert_eq!(machine.waves[0].scalar(0), value, "{chip}");
        }
        let stop = machine.run(&program, &mut NoImages, Limits::default()).expect_err(chip);
        assert_eq!((stop.wave, stop.instruction, stop.reason), (0, 0, Reason::NoInstruction));
    }
}

fn refused<T>(address: u64) -> Result<T, Unmapped> {
    Err(Unmapped { address })
}

#[test]
fn ranges_of_memory_stand_apart() {
    let mut memory = Memory::default();
    assert_eq!(memory.map(0x100, vec![1; 0x10]), Ok(()));
    assert_eq!(memory.map(0x110, vec![2; 0x10]), Ok(()));
    assert_eq!(memory.map(0xf0, vec![3; 0x10]), Ok(()));
    assert_eq!(memory.map(0x10f, vec![4; 1]), refused(0x10f));
    assert_eq!(memory.map(0xe8, vec![4; 9]), refused(0xe8));
    assert_eq!(memory.map(0x11f, vec![4; 9]), refused(0x11f));
    assert_eq!(memory.map(0x80, vec![4; 0x200]), refused(0x80));
    assert_eq!(memory.map(0x200, Vec::new()), refused(0x200));
    assert_eq!(memory.map(u64::MAX, vec![4; 2]), refused(u64::MAX));
    assert_eq!(memory.map(u64::MAX - 1, vec![5; 1]), Ok(()));
    // A range ends where it ends, though the next begins there.
    assert_eq!(memory.read(0x10c, 4), Ok(0x0101_0101));
    assert_eq!(memory.read(0x10d, 4), refused(0x10d));
    assert_eq!(memory.read(0x110, 8), Ok(0x0202_0202_0202_0202));
    assert_eq!(memory.read(0x110, 9), memory.read(0x110, 8));
    assert_eq!(memory.read(0xef, 1), refused(0xef));
    assert_eq!(memory.read(0x120, 1), refused(0x120));
    assert_eq!(memory.read(u64::MAX - 1, 1), Ok(5));
    assert_eq!(memory.write(0x10d, 4, 9), refused(0x10d));
    assert_eq!(memory.write(0xff, 1, 0x1234), Ok(()));
    assert_eq!(memory.word(0xfc), Ok(0x3403_0303));
    assert_eq!(memory.write(0x118, 8, 0x0807_0605_0403_0201), Ok(()));
    let seen = [0x0202_0202, 0x0202_0202, 0x0403_0201, 0x0807_0605];
    assert_eq!(memory.words(0x110), seen);
    assert_eq!(memory.words(0x114), []);
    assert_eq!(memory.words(u64::MAX - 1), [5]);
}

#[test]
fn so_much_memory_and_no_more() {
    let mut memory = Memory::default();
    let most = 1 << 28;
    assert_eq!(memory.map(0, vec![0; most + 1]), Err(Unmapped { address: 0 }));
    assert_eq!(memory.map(0, vec![0; most - 1]), Ok(()));
    assert_eq!(memory.map(1 << 40, vec![0; 2]), Err(Unmapped { address: 1 << 40 }));
    assert_eq!(memory.map(1 << 40, vec![0; 1]), Ok(()));
    assert_eq!(memory.map(1 << 41, vec![0; 1]), Err(Unmapped { address: 1 << 41 }));
}

#[test]
fn reasons_are_told_in_words() {
    for (reason, words) in [
        (Reason::Steps, "more instructions than are allowed"),
        (Reason::Records, "more exports, messages and signals than are allowed"),
        (Reason::NoInstruction, "control reaches an address where no instruction begins"),
        (Reason::Undecodable, "these words are not an instruction"),
        (Reason::Unmapped(Unmapped { address: 0x40 }), "no memory at 0x40"),
        (Reason::Hazard("too early".to_owned()), "too early"),
        (Reason::MissingWait("no wait".to_owned()), "no wait"),
    ] {
        assert_eq!(reason.to_string(), words);
    }
}
