//! Results of runs, pinned by checksums: the repository's own programs on several inputs,
//! and every opcode with every kind of operand.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sampler::{Compare, Dimension, Filter, MipFilter, Numbers, Sampler, Shape, Texture, Wrap};
use tgsi::{Opcode, Stage};

use crate::launch::{Grid, QuadInputs, Tracing, run_quad, run_watched_grid};
use crate::open::Script;
use crate::patch::{Order, run_patch};
use crate::{Denormals, Image, LANES, Limits, Program, Register, Resources, Sampled, Textures};

#[path = "../../../tests/src/records.rs"]
mod records;
use records::Records;
#[path = "../../../tests/src/chance.rs"]
mod chance;
use chance::Chance;

pub(crate) const LIMITS: Limits = Limits { steps: 3000, records: 400 };

pub(crate) fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name))
}

impl Chance {
    /// A word that is likely to be near an edge of some type.
    fn word(&mut self) -> u32 {
        const EDGES: [u32; 16] = [
            0,
            0x8000_0000,
            0xffff_ffff,
            0x7fff_ffff,
            0x3f80_0000,
            0xbf80_0000,
            0x3f00_0000,
            0x4020_0000,
            0xc0e8_0000,
            0x0000_0001,
            0x0080_0000,
            0x7f7f_ffff,
            0x7f80_0000,
            0x7fc0_0000,
            0x4049_0fdb,
            0x3ff8_0000,
        ];
        let next = self.next();
        match next >> 60 {
            0..=4 => (next % 12) as u32,
            5..=9 => EDGES[(next % 16) as usize],
            10..=13 => ((next % 1000) as f32 / 64.0 - 6.0).to_bits(),
            _ => next as u32,
        }
    }

    fn register(&mut self) -> Register {
        std::array::from_fn(|_| std::array::from_fn(|_| self.word()))
    }

    fn vectors(&mut self, count: usize) -> Vec<[u32; 4]> {
        (0..count).map(|_| std::array::from_fn(|_| self.word())).collect()
    }
}

/// Textures of every kind that the unit's number leaves, and samplers of every kind.
fn sampled(program: &Program, words: &mut Chance) -> Textures {
    let mut one = |count: usize| (words.next() % count as u64) as usize;
    let samplers = (0..6).map(|_| Sampler {
        wrap: std::array::from_fn(|_| Wrap::ALL[one(Wrap::ALL.len())]),
        minify: [Filter::Nearest, Filter::Linear][one(2)],
        magnify: [Filter::Nearest, Filter::Linear][one(2)],
        mip: [MipFilter::None, MipFilter::Nearest, MipFilter::Linear][one(3)],
        compare: Compare::ALL[one(Compare::ALL.len())],
        bias: [0.0, 0.5, -1.25][one(3)],
        border: [0.25f32, 0.5, 2.0, -1.0].map(f32::to_bits),
        ..Sampler::default()
    });
    let samplers = samplers.collect();
    let shape = Shape { dimension: Dimension::Two, size: [5, 3, 1], levels: 2, samples: 1 };
    let mut sampled = Sampled {
        textures: vec![Texture::generated(shape, Numbers::Normalized, 9).ok()],
        samplers,
        sample_positions: vec![[0.25, 0.75], [0.75, 0.25]],
    };
    if program.textures().iter().any(|it| it.0 == 0 && it.1 != Dimension::Two) {
        sampled.textures.clear();
    }
    sampled.make_up(program);
    Textures::Sampled(sampled)
}

/// The ways in which a program is run, each with inputs of its own.
const WAYS: u64 = 4;

fn resources(program: &Program, way: u64, words: &mut Chance) -> Resources {
    let image = |size: [u32; 3], words: &mut Chance| {
        let count = (size[0] * size[1] * size[2]) as usize;
        Some(Image { size, texels: words.vectors(count) })
    };
    let images = vec![image([4, 4, 2], words), image([3, 2, 1], words), None];
    let textures = match way % 2 {
        0 => sampled(program, words),
        _ => Textures::Recorded(vec![
            image([4, 3, 2], words),
            image([1, 1, 1], words),
            None,
            image([8, 1, 1], words),
        ]),
    };
    Resources {
        constants: vec![words.vectors(12), words.vectors(5)],
        buffers: (0..3).map(|_| words.vectors(8).concat()).collect(),
        counters: vec![vec![3, 1, 4], vec![1]],
        images,
        textures,
        shared: words.vectors(16).concat(),
        ..Resources::default()
    }
}

/// Runs a program in one way and tells everything that it leaves.
fn told(program: &mut Program, way: u64) -> String {
    let mut words = Chance(way * 1000 + 1);
    let resources = resources(program, way, &mut words);
    let vertices = if way == 0 { 3 } else { 6 };
    let inputs = (0..vertices).map(|_| (0..8).map(|_| words.register()).collect()).collect();
    let quad = QuadInputs {
        inputs,
        system_values: (0..6).map(|_| words.register()).collect(),
        framebuffer: (0..2).map(|_| words.register()).collect(),
        mask: [0xf, 0b1011, 0xf, 0b0110][way as usize % 4],
        open: (way % 2 == 1).then(Script::default),
        tracing: Tracing::On,
        ..QuadInputs::default()
    };
    program.denormals = [Denormals::Kept, Denormals::Flushed][way as usize / 2 % 2];
    let mut after = resources.clone();
    let mut out = match program.stage {
        Stage::Compute => {
            let grid = Grid {
                groups: [2, 1, 1],
                system_values: &quad.system_values,
                open: quad.open.clone(),
                order: [Order::Forward, Order::Backward][way as usize / 2 % 2],
                watched: Some(way as usize),
                ..Grid::default()
            };
            format!("{:?}\n", run_watched_grid(program, &mut after, &grid, LIMITS))
        }
        Stage::TessellationControl => {
            let order = [Order::Forward, Order::Backward][way as usize / 2 % 2];
            format!("{:?}\n", run_patch(program, &mut after, &quad, way as usize, order, LIMITS))
        }
        _ => format!("{:?}\n", run_quad(program, &mut after, &quad, LIMITS)),
    };
    if after.images != resources.images {
        let _ = writeln!(out, "{:?}", after.images);
    }
    for (name, before, after) in [
        ("buffers", &resources.buffers, &after.buffers),
        ("counters", &resources.counters, &after.counters),
        ("shared", &vec![resources.shared], &vec![after.shared]),
    ] {
        if before != after {
            let _ = writeln!(out, "{name} {after:?}");
        }
    }
    out
}

pub(crate) fn prepared(text: &str) -> Option<Result<Program, String>> {
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader?;
    Some(Program::prepare(&shader).map_err(|it| format!("{} {it}", it.ordinal)))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tgsi")
}

/// The names of the manifest with an end.
pub(crate) fn names(end: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("MANIFEST.tsv")).expect("a manifest");
    let names = text.lines().filter_map(|row| row.split('\t').next());
    names.filter(|name| name.ends_with(end)).map(str::to_owned).collect()
}

pub(crate) fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("a file of the manifest")
}

#[test]
fn all_that_own_programs_leave() {
    let mut records = table("programs.tsv");
    let mut ran = 0;
    for name in names(".tgsi") {
        let text = read(&name);
        let regions = tgsi::regions::split(&text);
        let Some(region) = regions.shaders.first() else { continue };
        let Some(program) = prepared(region.text(&text)) else { continue };
        let mut said = String::new();
        match program {
            Ok(mut program) => {
                for way in 0..WAYS {
                    said += &told(&mut program, way);
                }
                let _ = writeln!(
                    said,
                    "{:?} {:?} {:?}",
                    program.textures(),
                    program.inputs,
                    program.system_values
                );
                ran += 1;
            }
            Err(refusal) => said = refusal,
        }
        records.add(&name, "left", &said);
    }
    assert!(ran > 200, "{ran} programs");
    records.check();
}

/// Operands of every kind, in which `#` is another number in each round.
const OPERANDS: [&str; 30] = [
    "",
    " TEMP[0]",
    " TEMP[0], IN[0]",
    " TEMP[0].xz, -|IN[0].wzyx|",
    " TEMP[0], IN[0], IN[1]",
    " TEMP[0].yw, IMM[0].xyzw, -IN[#].yxwz",
    " TEMP[0], IN[0], IN[1], IN[2]",
    " TEMP[0], IN[0], IN[1], IN[2], IN[3]",
    " TEMP[0], IN[0], IMM[1].yyyy, IMM[1].zzzz, IN[2]",
    " TEMP[0], TEMP[1], IN[0], IMM[1].zyxw",
    " TEMP[ADDR[0].x], CONST[1][ADDR[0].y-1]",
    " TEMP[0], IN[#], SAMP[0], 2D",
    " TEMP[0], IN[#], SAMP[1], SHADOW2D, IMM[1].xyz",
    " TEMP[0], IN[#], SAMP[2], CUBE",
    " TEMP[0], IN[#], IN[1], SAMP[3], 2D_ARRAY",
    " TEMP[0], IN[#], IN[1], IN[2], SAMP[4], 3D",
    " TEMP[0], IN[#], IN[1], SAMP[5], SHADOWCUBEARRAY",
    " TEMP[0], IN[#], SVIEW[0], SAMP[0]",
    " TEMP[0], IN[#], SVIEW[1], SAMP[1], IN[2]",
    " TEMP[0], IN[#], SVIEW[0], SAMP[2], IN[1], IN[2]",
    " TEMP[0], IN[#], SVIEW[0]",
    " TEMP[0], BUFFER[0], IMM[1].zzzz, IN[1], IN[2]",
    " BUFFER[1].xy, IMM[1].wwww, IN[0]",
    " TEMP[0], IMAGE[#], IMM[1], IN[1], IN[2], 2D, PIPE_FORMAT_R32_UINT",
    " IMAGE[#], IMM[1], IN[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM",
    " TEMP[0], MEMORY[0], IMM[1].zzzz, IN[1], IN[2]",
    " TEMP[0], IMAGE[#], IMM[1]",
    " IMAGE[#].xz, IMM[1], IN[0]",
    " TEMP[3], TEMP[2]\nMOV OUT[0], TEMP[3]\nMOV TEMP[0], OUT[0].wzyx",
    " OUT[ADDR[0].z], OUT[0], OUT[ADDR[0].x], TEMP[3]",
];

/// A shader with one statement between others that show what it wrote.
fn shader(stage: &str, statement: &str) -> String {
    let (properties, inputs, output) = match stage {
        "FRAG" => ("", "DCL IN[0..3], GENERIC[0], LINEAR\n", "COLOR"),
        "VERT" => ("", "DCL IN[0..3]\n", "GENERIC[0]"),
        "GEOM" => (
            "PROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\n",
            "DCL IN[][0..3], GENERIC[0]\n",
            "GENERIC[0]",
        ),
        _ => ("PROPERTY CS_FIXED_BLOCK_WIDTH 6\n", "", "GENERIC[0]"),
    };
    let statement = match stage {
        "GEOM" => statement.replace(" IN[", " IN[1]["),
        "COMP" => statement.replace(" IN[", " CONST[0]["),
        _ => statement.to_owned(),
    };
    let statement = statement.replace("-|IN[", "-|CONST[0][").replace("-IN[", "-CONST[0][");
    format!(
        "{stage}\n{properties}{inputs}DCL OUT[0..1], {output}\nDCL CONST[0][0..7]\n\
         DCL CONST[1][0..3]\nDCL TEMP[0..3]\nDCL ADDR[0]\nDCL SAMP[0..5]\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], 1D_ARRAY, SINT\nDCL BUFFER[0..1]\n\
         DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\n\
         IMM[0] FLT32 {{ 0.5, -1.5, 3.0, 100.0 }}\nIMM[1] UINT32 {{ 0, 1, 4, 8 }}\n\
         ARL ADDR[0], IMM[0].zxyw\nMOV TEMP[0], IMM[0].wzyx\nMOV TEMP[1], CONST[1][2]\n\
         {statement}\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[3]\nEND\n"
    )
}

/// Asks about an opcode in each stage, with what stands behind its mnemonic.
fn every_opcode(file: &str, stages: &[&str], ends: &[&str]) {
    let mut records = table(file);
    for opcode in Opcode::all() {
        for stage in stages {
            let mut said = String::new();
            for (place, operands) in OPERANDS.iter().enumerate() {
                for (number, end) in ends.iter().enumerate() {
                    let operands = operands.replace('#', &number.to_string());
                    let statement = format!("{}{end}{operands}", opcode.mnemonic());
                    let Some(program) = prepared(&shader(stage, &statement)) else { continue };
                    let _ = writeln!(said, "{statement}");
                    said += &match program {
                        Ok(mut program) => told(&mut program, (place + number) as u64 % WAYS),
                        Err(refusal) => refusal + "\n",
                    };
                }
            }
            records.add(opcode.mnemonic(), stage, &said);
        }
    }
    records.check();
}

#[test]
fn every_opcode_in_fragments() {
    every_opcode("fragments.tsv", &["FRAG"], &["", "_SAT", "", ""]);
}

#[test]
fn every_opcode_in_other_stages() {
    every_opcode("stages.tsv", &["VERT", "GEOM", "COMP"], &["", ""]);
}

#[test]
fn steps_and_records_end_a_run_exactly() {
    let text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
                PROPERTY GS_MAX_OUTPUT_VERTICES 9\nDCL OUT[0], POSITION\nIMM[0] UINT32 { 0, 1, 2, 3 }\n\
                MOV OUT[0], IMM[0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IMM[0]\nEMIT IMM[0].xxxx\nEND\n";
    let program = prepared(text).expect("a shader").expect("a program");
    let mut said = String::new();
    for steps in 0..8 {
        for records in 0..6 {
            for tracing in [Tracing::Off, Tracing::On] {
                let inputs = QuadInputs { mask: 0xf, tracing, ..QuadInputs::default() };
                let limits = Limits { steps, records };
                let ran = run_quad(&program, &mut Resources::default(), &inputs, limits);
                let _ = match ran {
                    Ok(left) => writeln!(said, "{:?} {}", left.streams[0], left.trace.len()),
                    Err(stop) => writeln!(said, "{stop}"),
                };
            }
        }
    }
    let mut records = table("limits.tsv");
    // A subroutine that calls itself counts how deep it comes.
    let text = "VERT\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 { 0, 1, 2, 3 }\n0: CAL :2\n1: END\n\
                2: BGNSUB\n3: ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n4: CAL :2\n\
                5: RET\n6: ENDSUB\n";
    let recursive = prepared(text).expect("a shader").expect("a program");
    let mut resources = Resources { buffers: vec![vec![0]], ..Resources::default() };
    let inputs = QuadInputs { mask: 1, ..QuadInputs::default() };
    let ended = run_quad(&recursive, &mut resources, &inputs, Limits::default());
    records.add("calls", "ends", &format!("{ended:?} {:?}", resources.buffers));
    records.add("two vertices", "ends", &said);
    let quad = |lane: usize| {
        let text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 5\nPROPERTY CS_FIXED_BLOCK_HEIGHT 3\n\
                    DCL SV[0], THREAD_ID\nDCL TEMP[0]\nMOV TEMP[0], SV[0]\nEND\n";
        let program = prepared(text).expect("a shader").expect("a program");
        let grid = Grid { groups: [2, 1, 1], watched: Some(lane), ..Grid::default() };
        run_watched_grid(&program, &mut Resources::default(), &grid, LIMITS)
    };
    let watched: Vec<_> = (0..8 * LANES).map(|lane| format!("{:?}\n", quad(lane))).collect();
    records.add("threads", "watched", &watched.concat());
    records.check();
}
