//! Answers of the machine: what it asks the texture unit, and what it does with answers.

use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};

use super::answers::target;
use crate::{
    Conversion, ImageError, ImageRequest, Images, LANES, Limits, Machine, Memory, Program, Wave,
};

/// Keeps a request, and changes a texel where it is an atomic.
struct Unit {
    texel: [u32; 4],
    asked: Vec<String>,
}

impl Images for Unit {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let answer = self.texel;
        self.asked = parts(request);
        let [first, second, ..] = self.texel;
        let changed = request.changed([first, second], 0);
        (self.texel[0], self.texel[1]) = (changed[0], changed[1]);
        Ok(Box::new([answer; LANES]))
    }
}

/// The parts of a request that are there, each with the numbers that it was given.
fn parts(request: &ImageRequest<'_>) -> Vec<String> {
    let at = &request.addresses[0];
    let access = &request.access;
    let mut parts = Vec::new();
    let mut add = |name: &str, values: &[u32]| {
        let values: Vec<String> =
            values.iter().filter(|value| **value != 0).map(u32::to_string).collect();
        if !values.is_empty() {
            parts.push(format!("{name} {}", values.join(" ")));
        }
    };
    add("offsets", &[at.offset]);
    add("bias", &[at.bias]);
    add("reference", &[at.reference]);
    add("dh", &at.derivatives[0]);
    add("dv", &at.derivatives[1]);
    add("coordinates", &at.coordinates);
    add(if access.least_level { "clamp" } else { "level" }, &[at.level]);
    parts.extend(access.level_zero.then(|| "level zero".to_owned()));
    parts.extend(request.unnormalized.then(|| "unnormalised".to_owned()));
    parts.extend(request.array.then(|| "array".to_owned()));
    parts.extend(match access.conversion {
        Conversion::Format => None,
        Conversion::Bits => Some("raw".to_owned()),
        Conversion::SignedBits => Some("raw, signs extended".to_owned()),
    });
    parts
}

/// Runs a line in LLVM's dialect on one lane, each of whose registers holds its number.
fn run(chip: &str, line: &str, kind: u32, unit: &mut Unit, set: &[(usize, u32)]) -> Wave {
    let target = target(chip);
    let assembled = assemble_line(line, InstructionSet::of(target), &NoSymbols);
    let assembled = assembled.unwrap_or_else(|error| panic!("{line}: {}", error.message));
    let mut words = assembled.words().to_vec();
    words.push(0xbf81_0000);
    let mut wave = Wave::new(1);
    for register in 0..64 {
        wave.set_lane(register, 0, register as u32);
        wave.set_scalar(register as u16, kind << 28);
    }
    set.iter().for_each(|(register, value)| wave.set_lane(*register, 0, *value));
    let mut machine = Machine { waves: vec![wave], ..Machine::default() };
    let program = Program::prepare(target, &words);
    let ended = machine.run(&program, unit, Limits::default());
    ended.unwrap_or_else(|stop| panic!("{line}: {stop:?}"));
    machine.waves.swap_remove(0)
}

/// The shapes of images by the type of their descriptor.
const SHAPES: [(&str, u32); 6] =
    [("1D", 8), ("2D", 9), ("3D", 10), ("cube", 11), ("1D array", 12), ("2D array", 13)];

/// Returns the request of an image of a shape: `SHAPE: LINE`.
pub(super) fn request(chip: &str, input: &str) -> String {
    let (shape, line) = input.split_once(": ").expect(input);
    let (_, kind) = SHAPES.iter().find(|(name, _)| *name == shape).expect(shape);
    let mut unit = Unit { texel: [100, 101, 102, 103], asked: Vec::new() };
    run(chip, line, *kind, &mut unit, &[]);
    unit.asked.join("; ")
}

/// The registers from v0 on that hold something else behind a load.
pub(super) fn loaded(chip: &str, line: &str) -> String {
    let mut unit = Unit { texel: [100, 101, 102, 103], asked: Vec::new() };
    let wave = run(chip, line, 9, &mut unit, &[]);
    let values = (0..8).map(|register| (register, wave.lane(register, 0)));
    let written = values.filter(|(register, value)| *register as u32 != *value);
    written.map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// The texel and the data behind an atomic: `LINE | TEXEL | DATA`, words in decimal.
pub(super) fn computed(chip: &str, input: &str) -> String {
    let [line, texel, data] = *input.split(" | ").collect::<Vec<_>>() else { panic!("{input}") };
    let numbers = |text: &str| -> Vec<u32> {
        text.split(' ').map(|number| number.parse().expect(input)).collect()
    };
    let (texel, data) = (numbers(texel), numbers(data));
    let mut words = [0; 4];
    words.iter_mut().zip(&texel).for_each(|(word, value)| *word = *value);
    let mut unit = Unit { texel: words, asked: Vec::new() };
    let registers: Vec<(usize, u32)> = data.iter().copied().enumerate().collect();
    let wave = run(chip, line, 9, &mut unit, &registers);
    let joined = |words: Vec<u32>| words.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let after = (0..data.len()).map(|register| wave.lane(register, 0)).collect();
    format!("{} | {}", joined(unit.texel[..texel.len()].to_vec()), joined(after))
}
