//! The interpreter over whole programs: how many it executes, and that it comes to an end on
//! all of them whatever they are given.

use std::collections::BTreeMap;

use crate::corpus::Program;
use sampler::{Compare, Filter, MipFilter, Sampler, Wrap};
use tgsi::Stage;
use tgsi_interp::launch::{QuadInputs, run_grid, run_quad};
use tgsi_interp::patch::{Order, run_patch};
use tgsi_interp::{Image, Limits, Register, Resources, Sampled, Textures};

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

    /// Samplers with every mode, and limits that are any numbers.
    fn sampler(&mut self) -> Sampler {
        let filter = |bits: u32| if bits & 1 == 0 { Filter::Nearest } else { Filter::Linear };
        let mips = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear];
        let modes = self.word() as usize;
        let [least_detail, greatest_detail, bias] =
            std::array::from_fn(|_| f32::from_bits(self.word()));
        Sampler {
            wrap: [0, 3, 6].map(|shift| Wrap::ALL[modes >> shift & 7]),
            minify: filter(self.word() >> 8),
            magnify: filter(self.word() >> 8),
            mip: mips[(modes >> 16) % 3],
            least_detail,
            greatest_detail,
            bias,
            compare: Compare::ALL[modes >> 11 & 7],
            border: self.vector(),
        }
    }

    /// Resources; textures filtered, or under the model of recorded runs.
    fn resources(&mut self, program: &tgsi_interp::Program, round: usize) -> Resources {
        let mut image =
            || Image { size: [4, 4, 2], texels: (0..32).map(|_| self.vector()).collect() };
        let images = vec![Some(image()), Some(image())];
        let samplers = (0..16).map(|_| self.sampler()).collect();
        let mut sampled = Sampled { samplers, ..Sampled::default() };
        sampled.make_up(program);
        Resources {
            textures: match round {
                0 => Textures::Recorded(images.clone()),
                _ => Textures::Sampled(sampled),
            },
            images,
            constants: (0..2).map(|_| (0..32).map(|_| self.vector()).collect()).collect(),
            buffers: (0..2).map(|_| (0..64).map(|_| self.word()).collect()).collect(),
            shared: vec![0; 64],
            counters: vec![vec![0; 16]],
            ..Resources::default()
        }
    }
}

/// The results of executing programs.
#[derive(Debug)]
pub struct Executed {
    /// Programs that are accepted, and have a shader.
    pub accepted: usize,
    /// Programs of these that are executed.
    pub executed: usize,
    /// Runs that were given up, of two each.
    pub stopped: usize,
    /// The reasons for which the others are not executed, with their numbers.
    pub refusals: BTreeMap<String, usize>,
}

/// Executes every accepted program twice, on inputs of every kind; each comes to an end.
pub fn executed(programs: &[Program]) -> Executed {
    let limits = Limits { steps: 8000, records: 1000 };
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let (mut accepted, mut executed, mut stopped) = (0, 0, 0);
    for (number, program) in programs.iter().filter(|program| program.accepted).enumerate() {
        let regions = tgsi::regions::split(&program.text);
        let Some(region) = regions.shaders.first() else { continue };
        let parse = tgsi::parser::parse(region.text(&program.text), &source::no_checkpoint);
        let Some(shader) = parse.shader else { continue };
        accepted += 1;
        let ready = match tgsi_interp::Program::prepare(&shader) {
            Ok(ready) => ready,
            Err(refusal) => {
                *refusals.entry(refusal.message).or_default() += 1;
                continue;
            }
        };
        executed += 1;
        let mut source = Source(number as u64);
        for round in 0..2 {
            let mut resources = source.resources(&ready, round);
            let single = matches!(ready.stage, Stage::Vertex | Stage::Fragment | Stage::Compute);
            let vertices = if single { 1 } else { 6 };
            let inputs = QuadInputs {
                inputs: (0..vertices)
                    .map(|_| (0..16).map(|_| source.register()).collect())
                    .collect(),
                system_values: (0..8).map(|_| source.register()).collect(),
                mask: 0xf,
                ..QuadInputs::default()
            };
            let ended = match ready.stage {
                Stage::Compute => {
                    run_grid(&ready, &mut resources, [2, 1, 1], &inputs.system_values, limits)
                }
                Stage::TessellationControl => {
                    run_patch(&ready, &mut resources, &inputs, 0, Order::Backward, limits).map(drop)
                }
                _ => run_quad(&ready, &mut resources, &inputs, limits).map(drop),
            };
            stopped += usize::from(ended.is_err());
        }
    }
    eprintln!("programs: {accepted} accepted, {executed} executed; {stopped} runs given up");
    for (message, count) in &refusals {
        eprintln!("  {count:4} {message}");
    }
    Executed { accepted, executed, stopped, refusals }
}
