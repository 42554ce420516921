//! Moves keep the meaning: what any of them makes of a shader computes the same.

use advise::Moves;
use advise::shader::ShaderMoves;
use source::{Severity, no_checkpoint};
use tests::inefficiencies;
use tests::random_shaders::{Numbers, Shader};
use tgsi_interp::execution::{Failure, Outcome, execute};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Limits, Program};

/// Seeds of random shaders, and moves of each that are tried: `cargo test` is not optimised.
const SHADERS: u64 = 160;
const MOVES: usize = 24;
/// Moves one after another.
const DEPTH: usize = 3;

fn parsed(text: &str) -> Option<tgsi::ast::Shader> {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let is_wrong = parse.diagnostics.iter().any(|it| it.severity == Severity::Error);
    parse.shader.filter(|_| !is_wrong)
}

/// Inputs that are the same for a shader and its variants.
fn inputs(numbers: &mut Numbers) -> Inputs {
    let mut text = String::new();
    let vector = |numbers: &mut Numbers| -> String {
        let one = |numbers: &mut Numbers| match numbers.below(3) {
            0 => format!("{:.1}", numbers.below(64) as f32 / 8.0 - 4.0),
            1 => numbers.below(5).to_string(),
            _ => format!("{:#x}", numbers.below(1 << 30)),
        };
        let words: Vec<String> = (0..4).map(|_| one(numbers)).collect();
        format!("[{}]", words.join(", "))
    };
    text.push_str("[in]\n");
    for register in 0..4 {
        text.push_str(&format!("{register} = {}\n", vector(numbers)));
    }
    let constants: Vec<String> = (0..16).map(|_| vector(numbers)).collect();
    text.push_str(&format!("[const]\n0 = [{}]\n", constants.join(", ")));
    text.push_str("[buf]\n");
    for buffer in 0..3 {
        let words: Vec<String> = (0..64).map(|_| numbers.below(256).to_string()).collect();
        text.push_str(&format!("{buffer} = [{}]\n", words.join(", ")));
    }
    Inputs::read(&text).unwrap_or_else(|mistake| panic!("{}\n{text}", mistake.message))
}

fn run(text: &str, inputs: &Inputs) -> Option<Result<Outcome, Failure>> {
    let program = Program::prepare(&parsed(text)?).ok()?;
    let limits = Limits { steps: 1 << 14, ..Limits::default() };
    Some(execute(&program, inputs, Tracing::Off, limits))
}

/// Tells where two runs differ; steps that were given up say nothing.
fn difference(one: &Outcome, two: &Outcome) -> Option<String> {
    if one.killed != two.killed {
        return Some("killed".to_owned());
    }
    if one.outputs != two.outputs && one.killed != 0xf {
        let same = |(one, two): (&tgsi_interp::Register, &tgsi_interp::Register)| {
            one.iter().flatten().zip(two.iter().flatten()).all(|(one, two)| {
                let is_nan = |bits: &u32| f32::from_bits(*bits).is_nan();
                one == two || is_nan(one) && is_nan(two)
            })
        };
        if !one.outputs.iter().zip(&two.outputs).all(same) {
            return Some(format!("{:?}\n{:?}", one.outputs, two.outputs));
        }
    }
    (one.after.buffers != two.after.buffers).then(|| "buffers".to_owned())
}

/// Tries moves of a text, and moves of what they made. Answers how many were compared.
fn check(name: &str, text: &str, numbers: &mut Numbers) -> usize {
    let inputs: Vec<Inputs> = (0..2).map(|_| inputs(numbers)).collect();
    let before: Vec<_> = inputs.iter().map(|inputs| run(text, inputs)).collect();
    let mut compared = 0;
    let mut current = text.to_owned();
    for _ in 0..DEPTH {
        let mut variants = ShaderMoves.moves(&current);
        let mut last = None;
        for _ in 0..MOVES.min(variants.len()) {
            let variant = variants.swap_remove(numbers.below(variants.len()));
            assert!(
                parsed(&variant.text).is_some(),
                "{name}: {} is no shader:\n{}",
                variant.change,
                variant.text
            );
            // What holds only if resources are apart is proven elsewhere: here they are.
            for (inputs, before) in inputs.iter().zip(&before) {
                let (Some(Ok(before)), Some(Ok(after))) = (before, run(&variant.text, inputs))
                else {
                    continue;
                };
                let difference = difference(before, &after);
                assert_eq!(difference, None, "{name}: {}:\n{}", variant.change, variant.text);
                compared += 1;
            }
            last = Some(variant.text);
        }
        match last {
            Some(last) => current = last,
            None => break,
        }
    }
    compared
}

#[test]
fn random_moves_of_random_shaders_compute_the_same() {
    let mut compared = 0;
    for seed in 0..SHADERS {
        let text = Shader::of(seed).text();
        compared += check(&format!("seed {seed}"), &text, &mut Numbers::new(seed));
    }
    println!("{compared} runs compared");
    assert!(compared > 1000, "{compared}");
}

#[test]
fn random_moves_of_own_programs_compute_the_same() {
    let mut compared = 0;
    let programs = tests::corpus::written_programs().into_iter().filter(|it| it.accepted);
    let all = programs.map(|it| (it.name, it.text));
    let worse = inefficiencies::all().into_iter().map(|it| (it.name, it.worse));
    for (number, (name, text)) in all.chain(worse).enumerate() {
        compared += check(&name, &text, &mut Numbers::new(number as u64));
    }
    println!("{compared} runs compared");
    assert!(compared > 1000, "{compared}");
}
