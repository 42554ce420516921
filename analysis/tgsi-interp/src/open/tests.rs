//! The bits of a run are among the words that they may be, whatever is executed.

use std::path::Path;

use crate::launch::{Grid, QuadInputs, run_quad, run_watched_grid};
use crate::open::{Script, Scripts};
use crate::registers::{EMPTY, Register};
use crate::{Denormals, Limits, Program, Resources, Sampled, Textures};

const SHADERS: &str = "../../tests/data/tgsi";

fn words(seed: u64) -> impl FnMut() -> u32 {
    let special = [0, 1, 0x8000_0000, 0x3f80_0000, 0xbf00_0000, 0x7f80_0000, 0x7fc0_0001, 31, 4];
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (state >> 33) as u32;
        match word % 3 {
            0 => special[word as usize / 3 % special.len()],
            1 => ((word % 4096) as f32 / 256.0 - 8.0).to_bits(),
            _ => word % 16,
        }
    }
}

/// The shader files below a folder.
fn files(folder: &Path, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|it| Some(it.ok()?.path())) {
        match path.extension().and_then(|it| it.to_str()) {
            Some("tgsi") => found.extend(std::fs::read_to_string(&path)),
            None => files(&path, found),
            Some(_) => {}
        }
    }
}

#[test]
fn bits_are_among_the_words_that_they_may_be() {
    let mut texts = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(SHADERS), &mut texts);
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut texts);
    texts.sort();
    let (mut compared, mut open) = (0, 0);
    for text in &texts {
        let Some(shader) = tgsi::parser::parse(text, &source::no_checkpoint).shader else {
            continue;
        };
        let Ok(mut program) = Program::prepare(&shader) else { continue };
        for seed in 0..4 {
            program.denormals = [Denormals::Kept, Denormals::Flushed][seed as usize % 2];
            let mut word = words(seed);
            let mut register = || -> Register { EMPTY.map(|lanes| lanes.map(|_| word())) };
            let inputs = QuadInputs {
                inputs: (0..6).map(|_| (0..8).map(|_| register()).collect()).collect(),
                system_values: (0..6).map(|_| register()).collect(),
                mask: 0xf,
                open: Some(Script::default()),
                ..QuadInputs::default()
            };
            let mut sampled = Sampled::default();
            sampled.make_up(&program);
            let mut word = words(seed + 9);
            let mut resources = Resources {
                constants: vec![(0..32).map(|_| [(); 4].map(|()| word())).collect(); 2],
                buffers: vec![(0..64).map(|_| word()).collect(); 3],
                shared: vec![0; 64],
                textures: Textures::Sampled(sampled),
                ..Resources::default()
            };
            let limits = Limits { steps: 1 << 14, ..Limits::default() };
            let before = resources.clone();
            if program.stage == tgsi::Stage::Compute {
                let grid = Grid {
                    groups: [1; 3],
                    system_values: &inputs.system_values,
                    open: inputs.open.clone(),
                    ..Grid::default()
                };
                if run_watched_grid(&program, &mut resources, &grid, limits).is_err() {
                    continue;
                }
            } else if program.stage != tgsi::Stage::TessellationControl {
                let Ok(left) = run_quad(&program, &mut resources, &inputs, limits) else {
                    continue;
                };
                // The same run without sets leaves the same bits.
                let plain = QuadInputs { open: None, ..inputs };
                let again = run_quad(&program, &mut before.clone(), &plain, limits).expect("a run");
                assert_eq!(again.outputs, left.outputs);
                let all = left.words.expect("a shadow").outputs;
                for (register, words) in left.outputs.iter().zip(&all) {
                    for (bits, word) in register.iter().flatten().zip(words.iter().flatten()) {
                        assert!(word.holds(*bits), "{bits:#x} is not in {word}:\n{text}");
                        compared += 1;
                        open += usize::from(word.bits().is_none());
                    }
                }
            }
            for (unit, buffer) in resources.buffers.iter().enumerate() {
                for (place, bits) in buffer.iter().enumerate() {
                    let word = resources.open.word(crate::open::Space::Buffer, unit, place, *bits);
                    assert!(
                        word.holds(*bits),
                        "BUFFER[{unit}] {place}: {bits:#x}, {word}:\n{text}"
                    );
                }
            }
        }
    }
    assert!(compared > 2000 && open > 100, "{compared} compared, {open} of them open");
}

#[test]
fn every_way_through_open_conditions_is_taken() {
    let mut scripts = Scripts::new(32);
    let mut taken = Vec::new();
    while let Some(script) = scripts.next() {
        scripts.found(&script, 3);
        let mut way = script.0.clone();
        way.resize(3, false);
        taken.push(way);
    }
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 8);
    assert!(scripts.is_complete());
    let mut few = Scripts::new(4);
    while let Some(script) = few.next() {
        few.found(&script, 3);
    }
    assert!(!few.is_complete());
}

#[test]
fn what_reads_bits_reads_those_of_any_nan() {
    let text = "VERT\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0]\nIMM[0] UINT32 { 2139095040, 0, 1, 2 }\n\
                MUL TEMP[0].x, IMM[0].xxxx, IMM[0].yyyy\nUP4B OUT[0], TEMP[0].xxxx\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let program = Program::prepare(&shader).expect("a program");
    let inputs = QuadInputs { mask: 1, open: Some(Script::default()), ..QuadInputs::default() };
    let left = run_quad(&program, &mut Resources::default(), &inputs, Limits::default());
    let words = left.expect("a run").words.expect("a shadow");
    for bits in [0.0_f32, -1.0 / 127.0, 64.0 / 127.0].map(f32::to_bits) {
        assert!(words.outputs[0][0][0].holds(bits), "{:?}", words.outputs[0][0][0]);
    }
}
