//! Files of inputs as they are read, pinned by checksums: the own ones, wounded ones, and every
//! field with every kind of value.

use std::fmt::Write as _;

use sampler::{Dimension, Numbers};

use super::Inputs;
use crate::execution::execute;
use crate::launch::Tracing;
use crate::record_tests::{LIMITS, names, prepared, read, table};
use crate::stepping::Stepping;

#[test]
fn all_that_files_of_inputs_give() {
    let mut records = table("inputs.tsv");
    for name in names(".inputs.toml") {
        let text = read(&name);
        let program = read(&name.replace(".inputs.toml", ".tgsi"));
        let program = prepared(&program).expect("a shader").expect("a program");
        let inputs = Inputs::read(&text);
        records.add(&name, "read", &format!("{inputs:?}"));
        let inputs = inputs.expect("inputs");
        let mut said = String::new();
        for lane in [inputs.lane, 0, 3, 64] {
            let inputs = Inputs { lane, ..inputs.clone() };
            for tracing in [Tracing::On, Tracing::Off] {
                let _ = writeln!(said, "{:?}", execute(&program, &inputs, tracing, LIMITS));
            }
        }
        records.add(&name, "executed", &said);
        // A file with a letter left out or another in its place, where it still is TOML.
        let mut wounds = String::new();
        for (at, letter) in text.char_indices().step_by(2) {
            for new in ["", "0"] {
                let wounded = format!("{}{new}{}", &text[..at], &text[at + letter.len_utf8()..]);
                if toml::de::DeTable::parse(&wounded).is_err() {
                    continue;
                }
                let read = Inputs::read(&wounded);
                let mistake = read.map_err(|it| (it.line(&wounded), it.range, it.message));
                let _ = writeln!(wounds, "{:?}", mistake.err());
            }
        }
        records.add(&name, "wounded", &wounds);
    }
    records.check();
}

/// Fields of a file of inputs.
const FIELDS: [&str; 26] = [
    "lane",
    "grid",
    "in.0",
    "in.4095",
    "in.4096",
    "in.x",
    "vertex.1.0",
    "vertex.2",
    "const.1",
    "sv.0",
    "framebuffer.0",
    "buf.0",
    "hwatomic.1",
    "img.0.size",
    "img.0.texels",
    "tex.0.size",
    "tex.0.levels",
    "tex.0.samples",
    "tex.0.numbers",
    "tex.0.texels",
    "tex.0.seed",
    "samp.0.wrap",
    "samp.0.min",
    "samp.0.mip",
    "samp.0.bias",
    "samp.0.lod",
];

/// Values of every kind.
const VALUES: [&str; 44] = [
    "0",
    "1",
    "-1",
    "3",
    "64",
    "4095",
    "4096",
    "2147483648",
    "4294967295",
    "4294967296",
    "-2147483648",
    "-2147483649",
    "0xff",
    "1_000",
    "0.5",
    "-0.0",
    "inf",
    "-nan",
    "1e40",
    "true",
    "1979-05-27",
    "\"\"",
    "\"float\"",
    "\"unorm\"",
    "\"sint\"",
    "\"uint\"",
    "\"nearest\"",
    "\"linear\"",
    "\"none\"",
    "\"repeat\"",
    "[]",
    "[1]",
    "[1, 0.5]",
    "[1, 2, 3]",
    "[1, 2, 3, 4]",
    "[1, 2, 3, 4, 5]",
    "[[1]]",
    "[[1], [2]]",
    "[[1], [2, 3], [4], [5, 6, 7, 8]]",
    "[[], [], [], [], []]",
    "[\"linear\"]",
    "[\"mirror\", \"clamp\", \"repeat\"]",
    "[\"mirror\", \"clamp\", \"repeat\", \"clamp\"]",
    "{ 1 = [2] }",
];

#[test]
fn every_field_of_inputs_with_every_value() {
    let mut records = table("fields.tsv");
    for field in FIELDS {
        let mut said = String::new();
        for value in VALUES {
            let text = format!("{field} = {value}\n");
            let read = Inputs::read(&text);
            let _ = writeln!(said, "{value}: {read:?}");
        }
        records.add(field, "read", &said);
    }
    records.check();
}

/// Textures that are read, as each kind of them.
#[test]
fn every_kind_of_texture_of_inputs() {
    const KINDS: [Dimension; 9] = [
        Dimension::One,
        Dimension::Two,
        Dimension::Three,
        Dimension::Cube,
        Dimension::OneArray,
        Dimension::TwoArray,
        Dimension::CubeArray,
        Dimension::Multisample,
        Dimension::Buffer,
    ];
    let mut records = table("textures.tsv");
    for size in ["[4]", "[2, 2]", "[4, 4, 3]", "[2, 2, 6]", "[2, 2, 12]", "[3, 5, 1]"] {
        let mut said = String::new();
        for more in ["", ", levels = 2", ", seed = 9", ", samples = 4", ", numbers = \"sint\""] {
            let text = format!("tex.0 = {{ size = {size}{more} }}\n");
            let inputs = Inputs::read(&text).expect("inputs");
            let own = inputs.textures[0].as_ref().expect("a texture");
            for kind in KINDS {
                for numbers in [Numbers::Float, Numbers::Normalized] {
                    let _ =
                        writeln!(said, "{kind:?} {numbers:?}: {:?}", own.texture(kind, numbers, 3));
                }
            }
        }
        records.add(size, "made", &said);
    }
    records.check();
}

/// Steps of a held run that are told.
const STEPS: usize = 200;

/// All that a held run says of where it stands.
fn standing(run: &Stepping<'_>) -> String {
    let mut said = format!(
        "{:?} {} {} {} {:?}\n",
        run.quad(),
        run.group(),
        run.barriers(),
        run.steps(),
        run.last_step()
    );
    for quad in 0..run.quads() {
        let _ = writeln!(
            said,
            "{:?} {:x} {} {:x} {:x} {:x} {:x} {:?} {:?}",
            run.ordinal(quad),
            run.written(quad),
            run.is_at_barrier(quad),
            run.active(quad),
            run.present(quad),
            run.killed(quad),
            run.out_of_bounds(quad),
            run.returns(quad),
            run.streams(quad),
        );
    }
    said
}

#[test]
fn all_that_held_runs_say() {
    let mut records = table("held.tsv");
    for name in names(".inputs.toml") {
        let inputs = Inputs::read(&read(&name)).expect("inputs");
        let text = read(&name.replace(".inputs.toml", ".tgsi"));
        let program = prepared(&text).expect("a shader").expect("a program");
        let mut run = Stepping::new(&program, &inputs, LIMITS).expect("a run");
        let places: Vec<_> = (0..9).map(|invocation| run.place_of(invocation)).collect();
        let mut said = format!("{places:?} {:?} {}\n", run.files(0), run.bytes());
        for _ in 0..STEPS {
            said += &standing(&run);
            if run.quad().is_none() {
                break;
            }
            if let Err(stop) = run.step() {
                let _ = writeln!(said, "{stop}");
                break;
            }
        }
        let _ = writeln!(said, "{:?} {}", run.resources().buffers, run.bytes());
        records.add(&name, "said", &said);
    }
    records.check();
}
