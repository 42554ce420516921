//! Recorded comparisons on explicit inputs: what a file of inputs says, and no more.

use std::fmt::Write as _;

use diff_exec::{Compiled, ExplicitInputs, Random, TestPair, Verdict};
use sampler::{Dimension, Sampler};
use tgsi_interp::inputs::{Inputs, TextureInput};
use tgsi_interp::{Image, Program, Register, Resources};

use super::recorded::Recorded;
use crate::records::Records;

/// Sets of inputs for each program.
const SETS: u64 = 3;

/// A word that is a small float, or a small integer where those are wanted.
fn word(random: &mut Random, set: u64) -> u32 {
    match set {
        0 => random.below(6),
        1 => ((random.below(64) as f32) / 8.0 - 2.0).to_bits(),
        _ if random.below(2) == 0 => random.below(20),
        _ => (random.below(8) as f32).to_bits(),
    }
}

fn registers(random: &mut Random, set: u64, count: usize) -> Vec<Register> {
    let mut register = || std::array::from_fn(|_| std::array::from_fn(|_| word(random, set)));
    (0..count).map(|_| register()).collect()
}

fn vectors(random: &mut Random, set: u64, count: usize) -> Vec<[u32; 4]> {
    (0..count).map(|_| std::array::from_fn(|_| word(random, set))).collect()
}

/// The inputs of a set: the last has too few of everything.
fn inputs(set: u64, program: &Program) -> Inputs {
    let random = &mut Random::new(set + 1);
    let (vertices, count) = if set == 2 { (2, 1) } else { (6, 8) };
    let image = |random: &mut Random| {
        let size = [4, 3, 2];
        Some(Image { size, texels: vectors(random, set, 24) })
    };
    let textures = program.textures().into_iter().map(|(_, dimension, _)| {
        let size = match dimension {
            Dimension::One => [4, 1, 1],
            Dimension::Two | Dimension::Multisample => [4, 4, 1],
            _ => [4, 4, 6],
        };
        let count = size.iter().product::<u32>() as usize;
        Some(TextureInput::of_texels(size, vectors(random, set, count)))
    });
    let textures: Vec<_> = textures.collect();
    let textures = if set == 2 { textures } else { Vec::new() };
    Inputs {
        lane: 0,
        grid: (set == 1).then_some([2, 1, 2]),
        vertices: (0..vertices).map(|_| registers(random, set, count)).collect(),
        system_values: registers(random, set, count),
        framebuffer: registers(random, set, 1),
        resources: Resources {
            constants: vec![vectors(random, set, count), vectors(random, set, 3)],
            buffers: (0..3).map(|_| vectors(random, set, 4).concat()).collect(),
            counters: vec![vec![3, 1, 4]],
            images: vec![image(random), image(random)],
            ..Resources::default()
        },
        textures,
        samplers: vec![Sampler::default(); 2],
        ..Inputs::default()
    }
}

#[test]
fn verdicts_on_explicit_inputs() {
    let path = crate::architecture::root().join("analysis/diff-exec/records/explicit.tsv");
    let mut records = Records::new(path);
    let (mut agree, mut differ) = (0, 0);
    for recorded in Recorded::all() {
        let [shader] = &recorded.shaders[..] else { continue };
        let program = Program::prepare(shader).expect("a program");
        let entry = recorded.lowered().expect("it is lowered").entry;
        let sound = [recorded.code.clone()].into_iter();
        let mut said = String::new();
        for (place, code) in sound.chain(recorded.faulty().take(2)).enumerate() {
            let (target, assembly) = (recorded.target, &*recorded.assembly);
            let compiled = Compiled { target, entry: &entry, assembly, code: &code };
            let pair = match TestPair::new(shader, &compiled) {
                Ok(pair) => pair,
                Err(error) => {
                    let _ = writeln!(said, "{error}");
                    continue;
                }
            };
            for set in 0..SETS {
                let given = match ExplicitInputs::of(&inputs(set, &program), &program) {
                    Ok(given) => given,
                    Err(error) => {
                        let _ = writeln!(said, "{error}");
                        continue;
                    }
                };
                let verdict = pair.check_explicit(&given);
                let is_sound = place == 0;
                assert!(!is_sound || !matches!(verdict, Verdict::Differ(_)), "{}", recorded.name);
                agree += usize::from(is_sound && verdict == Verdict::Agree);
                differ += usize::from(matches!(verdict, Verdict::Differ(_)));
                let _ = match verdict {
                    Verdict::Differ(difference) => writeln!(said, "{difference}; {difference:?}"),
                    other => writeln!(said, "{other:?}"),
                };
            }
            let _ = writeln!(said, "{} {:?}", pair.compared(), pair.statistics());
        }
        records.add(&recorded.name, "said", &said);
    }
    assert!(agree > 60 && differ > 20, "{agree} agree, {differ} differ");
    records.check();
}
