//! Damaged shaders are interpreted: nothing panics, time and memory stay within their limits.

use crate::random_shaders::{Numbers, Shader};
use crate::search::search;
use tgsi::Stage;
use tgsi_interp::launch::{QuadInputs, run_grid, run_quad};
use tgsi_interp::open::Script;
use tgsi_interp::patch::{Order, run_patch};
use tgsi_interp::{Image, LANES as QUAD, Resources};

/// A shader with wounds: lines that stand twice, elsewhere, or nowhere, and numbers that
/// are others.
fn wounded(texts: &[String], numbers: &mut Numbers) -> String {
    let text = match numbers.below(3) {
        0 if !texts.is_empty() => texts[numbers.below(texts.len())].clone(),
        _ => Shader::of(numbers.below(1 << 30) as u64).text(),
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..numbers.below(5) {
        let (one, two) = (numbers.below(lines.len()), numbers.below(lines.len()));
        // The header stays.
        if one == 0 || two == 0 {
            continue;
        }
        match numbers.below(4) {
            0 => lines.swap(one, two),
            1 => lines[one] = lines[two].clone(),
            2 => drop(lines.remove(one)),
            _ => {
                let digit = char::from(b'0' + numbers.below(10) as u8);
                let replaced =
                    lines[one].replace(|letter: char| letter.is_ascii_digit(), &digit.to_string());
                lines[one] = replaced;
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Returns whether it could be run.
fn interpret(text: &str) -> bool {
    let Some(shader) = tgsi::parser::parse(text, &source::no_checkpoint).shader else {
        return false;
    };
    let Ok(program) = tgsi_interp::Program::prepare(&shader) else { return false };
    let register = |bits: u32| [[bits, !bits, bits << 3, 1]; QUAD];
    let inputs = QuadInputs {
        inputs: (0..3)
            .map(|vertex| (0..8).map(|it| register(0x3f80_0000 + vertex * it)).collect())
            .collect(),
        system_values: (0..6).map(register).collect(),
        framebuffer: vec![register(7)],
        mask: 0b1011,
        open: Some(Script::default()),
        ..QuadInputs::default()
    };
    let mut resources = Resources {
        constants: vec![vec![[1, 0x4000_0000, u32::MAX, 9]; 16]; 2],
        buffers: vec![vec![3; 16]; 2],
        counters: vec![vec![0; 4]],
        images: vec![Some(Image { size: [4, 4, 1], texels: vec![[5; 4]; 16] }), None],
        shared: vec![0; 64],
        ..Resources::default()
    };
    let limits = tgsi_interp::Limits { steps: 4000, records: 60 };
    // Either outcome will do: that there is one is what is tested.
    match program.stage {
        Stage::Compute => {
            let _ = run_grid(&program, &mut resources, [2, 1, 1], &[], limits).is_ok();
        }
        Stage::TessellationControl => {
            let patch = run_patch(&program, &mut resources, &inputs, 0, Order::Forward, limits);
            assert!(patch.is_err() || patch.is_ok_and(|patch| patch.vertices.len() <= 32));
        }
        _ => {
            if let Ok(left) = run_quad(&program, &mut resources, &inputs, limits) {
                assert_eq!(left.killed & !0xf, 0);
                let vertices: usize = left.streams.iter().flatten().map(Vec::len).sum();
                assert!(vertices <= limits.records, "{vertices} vertices");
            }
        }
    }
    assert_eq!(resources.buffers.iter().map(Vec::len).sum::<usize>(), 32);
    assert!(resources.shared.len() <= 1 << 16);
    true
}

/// Damages short texts, and random shaders, for some seconds.
///
/// # Panics
/// Shows the shader that breaks something.
pub fn damaged_shaders_are_interpreted(mut texts: Vec<String>, seconds: f64) {
    texts.retain(|text| text.len() < 6000);
    search(
        "shaders that are run",
        seconds,
        |numbers| wounded(&texts, numbers),
        |text| interpret(text),
    );
}
