//! The interpreter over the real programs: how many it executes, and that it
//! comes to an end on all of them whatever they are given.

use std::collections::BTreeMap;

use run::launch::{QuadInputs, run_grid, run_quad};
use run::{Image, Limits, Program, Register, Resources};
use tests::corpora;
use tgsi::Stage;

/// Bits at random and bits that are special, repeatable.
struct Source(u64);

impl Source {
    fn word(&mut self) -> u32 {
        // The constants are those of Knuth's MMIX generator.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (self.0 >> 32) as u32;
        const SPECIAL: [u32; 8] =
            [0, 0x8000_0000, 1, u32::MAX, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7fff_ffff];
        match bits % 4 {
            0 => SPECIAL[(bits >> 8) as usize % SPECIAL.len()],
            1 => bits >> 28,
            2 => ((bits >> 16) as f32 / 8192.0 - 4.0).to_bits(),
            _ => bits,
        }
    }

    fn register(&mut self) -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| self.word()))
    }

    fn vector(&mut self) -> [u32; 4] {
        std::array::from_fn(|_| self.word())
    }

    fn resources(&mut self) -> Resources {
        let mut image =
            || Image { size: [4, 4, 2], texels: (0..32).map(|_| self.vector()).collect() };
        let images = vec![Some(image()), Some(image())];
        Resources {
            textures: images.clone(),
            images,
            constants: (0..2).map(|_| (0..32).map(|_| self.vector()).collect()).collect(),
            buffers: (0..2).map(|_| (0..64).map(|_| self.word()).collect()).collect(),
            shared: vec![0; 64],
            counters: vec![vec![0; 16]],
        }
    }
}

#[test]
fn real_programs_are_executed_and_end() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let limits = Limits { steps: 8000, records: 1000 };
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let (mut accepted, mut executed, mut stopped) = (0, 0, 0);
    for (number, program) in programs.iter().filter(|program| program.accepted).enumerate() {
        let regions = tgsi::regions::split(&program.text);
        let Some(region) = regions.shaders.first() else { continue };
        let parse = tgsi::parser::parse(region.text(&program.text), &text::no_checkpoint);
        let Some(shader) = parse.shader else { continue };
        accepted += 1;
        let ready = match Program::prepare(&shader) {
            Ok(ready) => ready,
            Err(refusal) => {
                *refusals.entry(refusal.message).or_default() += 1;
                continue;
            }
        };
        executed += 1;
        let mut source = Source(number as u64);
        for _ in 0..2 {
            let mut resources = source.resources();
            let patch = matches!(ready.stage, Stage::Geometry | Stage::TessellationEvaluation);
            let vertices = if patch { 6 } else { 1 };
            let inputs = QuadInputs {
                inputs: (0..vertices)
                    .map(|_| (0..16).map(|_| source.register()).collect())
                    .collect(),
                system_values: (0..8).map(|_| source.register()).collect(),
                mask: 0xf,
                ..QuadInputs::default()
            };
            let ended = if ready.stage == Stage::Compute {
                run_grid(&ready, &mut resources, [2, 1, 1], &inputs.system_values, limits)
            } else {
                run_quad(&ready, &mut resources, &inputs, limits).map(drop)
            };
            stopped += usize::from(ended.is_err());
        }
    }
    eprintln!("programs: {accepted} accepted, {executed} executed; {stopped} runs given up");
    for (message, count) in &refusals {
        eprintln!("  {count:4} {message}");
    }
    // What is left: tessellation control, and forms that few texts ever had.
    assert_eq!((accepted, executed), (1807, 1642));
    assert_eq!(refusals.get("unsupported: TESS_CTRL"), Some(&148));
    assert!(stopped < executed / 20);
}
