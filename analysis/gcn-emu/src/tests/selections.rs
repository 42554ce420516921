//! Every opcode that takes parts of registers or values of other lanes: with whole
//! registers and each lane's own value it does what its short form does.

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::mnemonics;

use super::bounds::Words;
use crate::{Limits, Machine, NoImages, Program, Wave};

/// Codes of the first source that ask for another word.
const SDWA: u32 = 249;
const DPP: u32 = 250;
/// The selection of a whole register, for each operand.
const WHOLE: u32 = 6;

/// Registers at random: numbers of all sizes in a few lanes.
fn wave(words: &mut Words) -> Wave {
    let mut wave = Wave::new(0xff);
    for register in 0..24 {
        for lane in 0..8 {
            let any = words.next();
            let moderate = 0x3c00_3c00 ^ any & 0x83ff_83ff;
            wave.set_lane(register, lane, if words.next() & 1 == 0 { any } else { moderate });
        }
    }
    wave.set_pair(gcn::analysis::VCC, words.next().into());
    wave
}

/// Runs an instruction and returns the wave, without what counts instructions.
fn after(target: Target, code: &[u32], wave: &Wave) -> Wave {
    let mut machine = Machine { waves: vec![wave.clone()], ..Machine::default() };
    let program = Program::prepare(target, &[code, &[0xbf81_0000]].concat());
    machine
        .run(&program, &mut NoImages, Limits::default())
        .unwrap_or_else(|stop| panic!("{target} {code:x?}: {}", stop.reason));
    let mut wave = machine.waves.remove(0);
    wave.counter = 0;
    wave
}

#[test]
fn whole_registers_and_own_lanes_change_nothing() {
    let mut words = Words(11);
    let (mut parts, mut lanes) = (0, 0);
    for chip in ["gfx803", "gfx900"] {
        let target = Target::find(chip).expect(chip);
        for info in mnemonics::all() {
            for form in info.forms(target) {
                let short =
                    matches!(form.encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
                let takes = form.sdwa || form.dpp;
                if !short || !takes || !super::coverage::is_executed(info, target) {
                    continue;
                }
                let first = base(form.encoding, form.opcode, target.generation());
                // Sources in v4 and v8, the result in v16.
                let with_result = if form.encoding == Encoding::Vopc { 0 } else { 16 << 17 };
                let with_second = if form.encoding == Encoding::Vop1 { 0 } else { 8 << 9 };
                let first = first.expect(info.name) | with_result | with_second;
                let wave = wave(&mut words);
                let plain = after(target, &[first | (256 + 4)], &wave);
                if form.sdwa {
                    // Comparisons have their mask where others choose a part.
                    let to = if form.encoding == Encoding::Vopc { 0 } else { WHOLE << 8 };
                    let second = 4 | to | WHOLE << 16 | WHOLE << 24;
                    let selected = after(target, &[first | SDWA, second], &wave);
                    assert!(selected == plain, "{chip} {} of parts", info.name);
                    parts += 1;
                }
                if form.dpp {
                    // Each lane of a quad its own; all rows and banks.
                    let second = 4 | 0xe4 << 8 | 0xff << 24;
                    let moved = after(target, &[first | DPP, second], &wave);
                    assert!(moved == plain, "{chip} {} of lanes", info.name);
                    lanes += 1;
                }
            }
        }
    }
    eprintln!("{parts} instructions on parts of registers, {lanes} on values of other lanes");
    assert!(parts > 400 && lanes > 200, "{parts} {lanes}");
}
