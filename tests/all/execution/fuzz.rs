//! Machine code and shaders, damaged at random, are executed: nothing panics, time and
//! memory stay within their limits.

use gcn::Target;
use gcn::instruction::{self, InstructionSet};
use gcn_emu::{
    Apertures, Attribute, ImageError, ImageRequest, Images, LANES, Machine, Memory, Wave,
};
use tests::checks::interpreter::damaged_shaders_are_interpreted;
use tests::code_lines::from_lines;
use tests::corpus;
use tests::random_shaders::Numbers;
use tests::search::{Size, search};

#[test]
fn damaged_own_shaders_are_interpreted() {
    let texts = corpus::tgsi_programs().into_iter().map(|program| program.text);
    damaged_shaders_are_interpreted(texts.collect(), SECONDS);
}

/// The time of each search, in seconds, unless more is asked for.
const SECONDS: f64 = 3.0;

/// Code that touches every unit, to be damaged.
const CODE: &str = "
    s_load_dwordx4 s[8:11], s[2:3], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32 v1, 2, v0
    again:
    buffer_load_dword v2, v1, s[8:11], 0 offen offset:16
    v_cmp_lt_f32 vcc, v0, v1
    s_and_saveexec_b64 s[4:5], vcc
    v_add_f32 v3, v0, v1
    ds_write_b32 v1, v3
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_mad_f32 v4, v2, v3, v2
    ds_read_b64 v[6:7], v1 offset:8
    v_mov_b32 v5, src_lds_direct
    image_sample v[8:11], v[0:1], s[8:15], s[16:19] dmask:0xf
    s_waitcnt vmcnt(0)
    buffer_store_dwordx4 v[8:11], v1, s[8:11], 0 offen
    s_mov_b64 exec, s[4:5]
    s_cbranch_scc1 again
    s_barrier
    s_waitcnt vmcnt(0) lgkmcnt(0)
    exp mrt0 v0, v1, v2, v3 done vm
    s_endpgm";

/// Code for the chips behind the first.
const FLAT: &str = "
    flat_load_dwordx2 v[12:13], v[14:15]
    flat_atomic_add v16, v[18:19], v2 glc
    flat_store_byte v[20:21], v3
    s_waitcnt vmcnt(0) lgkmcnt(0)";

const CHIPS: [&str; 6] = ["tahiti", "bonaire", "polaris10", "vega10", "vega20", "arcturus"];

/// The highest bits of a first word, that mark an encoding: value and width.
const PREFIXES: [(u32, u32); 20] = [
    (0, 1),
    (0b10, 2),
    (0b1011, 4),
    (0b1_0111_1101, 9),
    (0b1_0111_1110, 9),
    (0b1_0111_1111, 9),
    (0b11000, 5),
    (0b110000, 6),
    (0b0111111, 7),
    (0b0111110, 7),
    (0b110100, 6),
    (0b1_1010_0111, 9),
    (0b110010, 6),
    (0b110101, 6),
    (0b110110, 6),
    (0b110111, 6),
    (0b111000, 6),
    (0b111010, 6),
    (0b111100, 6),
    (0b111110, 6),
];

fn word(numbers: &mut Numbers) -> u32 {
    (numbers.below(1 << 16) << 16 | numbers.below(1 << 16)) as u32
}

/// Words of code: real ones with wounds, or any at all.
#[derive(Debug)]
struct Given {
    chip: &'static str,
    words: Vec<u32>,
    seed: u64,
}

/// Waits for all that is under way, does nothing for eight states, and ends: on every chip.
const WAIT: u32 = 0xbf8c_0000;
const IDLE: u32 = 0xbf80_0007;
const END: u32 = 0xbf81_0000;

/// An instruction that the chip has, with any operands.
fn instruction(set: InstructionSet, numbers: &mut Numbers) -> Vec<u32> {
    for _ in 0..64 {
        let (value, width) = PREFIXES[numbers.below(PREFIXES.len())];
        let first = value << (32 - width) | word(numbers) & (u32::MAX >> width);
        let words = [first, word(numbers)];
        if let Ok(decoded) = instruction::decode(&words, set) {
            return words[..decoded.words].to_vec();
        }
    }
    vec![IDLE]
}

/// A program of such instructions, most of which are waited for.
fn program(chip: &str, numbers: &mut Numbers) -> Vec<u32> {
    let set = InstructionSet::of(Target::find(chip).expect(chip));
    let mut words = Vec::new();
    // Many are short, so that they come to their ends.
    let longest = 1 << numbers.below(6);
    for _ in 0..=numbers.below(longest) {
        words.extend(instruction(set, numbers));
        if !numbers.once_in(6) {
            words.extend([WAIT, IDLE]);
        }
    }
    words.push(END);
    words
}

fn given(codes: &[(&'static str, Vec<u32>)], numbers: &mut Numbers) -> Given {
    let (chip, code) = &codes[numbers.below(codes.len())];
    let mut words = if numbers.once_in(2) { program(chip, numbers) } else { code.clone() };
    let wounds = if numbers.once_in(2) { 0 } else { numbers.below(6) };
    for _ in 0..wounds {
        let at = numbers.below(words.len());
        match numbers.below(5) {
            0 => words.truncate(at.max(1)),
            1 => words.insert(at, word(numbers)),
            2 => words[at] = word(numbers),
            _ => words[at] ^= 1 << numbers.below(32),
        }
    }
    Given { chip, words, seed: numbers.below(1 << 30) as u64 }
}

/// Answers anything, or that it cannot.
struct Anything(Numbers);

impl Images for Anything {
    fn access(
        &mut self,
        _: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        if self.0.once_in(8) {
            return Err(ImageError::NoImages);
        }
        Ok(Box::new([[word(&mut self.0); 4]; LANES]))
    }
}

/// The code of M0 among the scalar registers.
const M0: u16 = 124;

/// The beginning of memory, and the number of its bytes.
const MEMORY: (u32, u32) = (0x1000, 0x1400);

/// An address of memory, with room behind it; that of four words as a rule.
fn address(numbers: &mut Numbers) -> u32 {
    MEMORY.0 + (word(numbers) & if numbers.once_in(8) { 0xffc } else { 0xff0 })
}

/// A buffer of bytes or of records, some of them swizzled, with any of the formats.
fn descriptor(numbers: &mut Numbers) -> [u32; 4] {
    let stride = [0, 0, 4, 16][numbers.below(4)];
    let swizzled = u32::from(numbers.once_in(8)) << 31;
    let records = [0x400, 0x40, 4, 0][numbers.below(4)];
    let select = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    let format = word(numbers) & (0x7f << 12);
    let flags = if numbers.once_in(4) { word(numbers) & (0xf << 20) } else { 0 };
    [MEMORY.0, stride << 16 | swizzled, records, select | format | flags]
}

/// Four words that are of use to some instruction: two addresses, a buffer's descriptor, or
/// numbers; by the number that chooses among them.
fn quad(kind: usize, numbers: &mut Numbers) -> [u32; 4] {
    match kind {
        0..3 => [address(numbers), 0, address(numbers), 0],
        3..6 => descriptor(numbers),
        6 => [word(numbers) & 0x3ff, 0, word(numbers) & 0x3f, word(numbers) & 0x3ff],
        _ => [word(numbers), word(numbers), word(numbers), word(numbers)],
    }
}

/// The values of a vector register in each lane: floats, small integers, addresses that lie
/// side by side, or all alike.
fn lanes(numbers: &mut Numbers) -> [u32; LANES] {
    let (first, step) = match numbers.below(8) {
        0..4 => (address(numbers), 4 * numbers.below(5) as u32),
        4 => (word(numbers) & 0x3ff, numbers.below(32) as u32),
        5 => return std::array::from_fn(|lane| (lane as f32 - 7.5).to_bits()),
        6 => return std::array::from_fn(|_| word(numbers)),
        _ => (0, 0),
    };
    std::array::from_fn(|lane| first.wrapping_add(step * lane as u32))
}

/// A wave in a state that code could have brought about: descriptors and addresses that
/// exist beside numbers of any size, in every register.
fn wave(numbers: &mut Numbers) -> Wave {
    let lanes_on = match numbers.below(4) {
        0 => 0,
        1 => u64::from(word(numbers)) << 32 | u64::from(word(numbers)),
        _ => u64::MAX,
    };
    let mut wave = Wave::new(lanes_on);
    for first in (0..124).step_by(4) {
        // The first registers are where code finds its addresses.
        let kind = if first == 0 { 0 } else { numbers.below(8) };
        for (scalar, value) in (first..).zip(quad(kind, numbers)) {
            wave.set_scalar(scalar, value);
        }
    }
    // The share's bound on older chips.
    wave.set_scalar(M0, if numbers.once_in(4) { word(numbers) } else { u32::MAX });
    for vector in 0..256 {
        // The high half of an address stands behind the low one.
        let values = match vector % 2 == 1 && !numbers.once_in(8) {
            true => [0; LANES],
            false => lanes(numbers),
        };
        for (lane, value) in values.into_iter().enumerate() {
            wave.set_lane(vector, lane, value);
        }
    }
    wave.mode.bits = if numbers.once_in(2) { 0xc0 } else { word(numbers) & 0x3ff };
    wave.attributes = vec![Attribute::default(); numbers.below(4)];
    // Pairs of registers often point into these.
    wave.apertures = Apertures { shared: 0, private: 0x1000, hidden_private: 0x1000 };
    wave
}

impl Size for Given {
    fn bytes(&self) -> usize {
        4 * self.words.len()
    }
}

/// Returns whether it came to an end.
fn execute(given: &Given) -> bool {
    let target = Target::find(given.chip).expect(given.chip);
    let program = gcn_emu::Program::prepare(target, &given.words);
    let mut numbers = Numbers::new(given.seed);
    let waves = (0..=numbers.below(2)).map(|_| wave(&mut numbers)).collect();
    let mut machine = Machine { waves, ..Machine::default() };
    // What is loaded of it is often of use once more.
    let quads = (0..MEMORY.1 / 16).flat_map(|_| quad(2 + numbers.below(6), &mut numbers));
    let words: Vec<u32> = quads.collect();
    machine.memory.map_words(MEMORY.0.into(), &words).expect("free addresses");
    machine.share = vec![0; numbers.below(0x2000)];
    machine.global_share = vec![0; numbers.below(0x200)];
    let sizes = (machine.share.len(), machine.global_share.len());
    let limits = gcn_emu::Limits { steps: 1000, records: 40 };
    let ended = machine.run(&program, &mut Anything(numbers), limits);
    assert!(ended.is_err() || ended.as_ref().is_ok_and(|steps| *steps <= limits.steps));
    let records = machine.exports.len() + machine.messages.len() + machine.signals.len();
    assert!(records <= limits.records + 1, "{records} records");
    assert_eq!((machine.share.len(), machine.global_share.len()), sizes);
    assert_eq!(machine.memory.words(MEMORY.0.into()).len(), words.len());
    ended.is_ok()
}

#[test]
fn damaged_machine_code_is_executed() {
    let codes: Vec<_> = CHIPS
        .into_iter()
        .map(|chip| {
            let target = Target::find(chip).expect(chip);
            let flat = if chip == "tahiti" { "" } else { FLAT };
            let text = CODE.replace("\n    again:", &format!("{flat}\n    again:"));
            let code = from_lines(target, &text).expect(chip);
            (chip, code.instructions.iter().flat_map(|it| it.words().to_vec()).collect())
        })
        .collect();
    search("machine codes", SECONDS, |numbers| given(&codes, numbers), execute);
}
