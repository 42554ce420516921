//! Files of inputs as they are read, pinned by checksums: the own ones, wounded ones, and every
//! field with every kind of value.

use std::fmt::Write as _;

use super::Inputs;
use crate::execution::execute;
use crate::launch::Tracing;
use crate::record_tests::{LIMITS, names, prepared, read, table};

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
