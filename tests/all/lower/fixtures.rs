//! Every opcode is either compiled, with a fixture for each generation of
//! chips, or refused for good with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gcn::{Generation, Target};
use tests::literate::read;
use tgsi::Opcode;

#[test]
fn every_opcode_is_compiled_in_a_suite_or_refused_with_a_reason() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/opcodes.md");
    let suite = std::fs::read_to_string(suite).unwrap();
    let mut fixtures: BTreeMap<String, BTreeSet<Generation>> = BTreeMap::new();
    let mut silent = Vec::new();
    for case in read(&suite) {
        let shader = case.block("tgsi").unwrap_or_else(|| panic!("{}: no shader", case.name));
        let parse = tgsi::parser::parse(&shader.text, &source::no_checkpoint);
        let shader = parse.shader.unwrap_or_else(|| panic!("{}: no shader", case.name));
        let used: BTreeSet<&str> =
            shader.instructions().map(|it| it.opcode.value.mnemonic()).collect();
        for block in case.blocks.iter().filter(|block| block.kind == "gcn-of") {
            let generations: Vec<Generation> = block
                .arguments
                .iter()
                .filter_map(|name| Some(Target::find(name)?.row().generation))
                .collect();
            let lines =
                || block.text.lines().map(|line| line.split_once(':').unwrap_or((line, "")));
            let says = |patterns: &str| patterns.split(';').any(|one| !one.trim().is_empty());
            // What has no code of its own shows in that of the whole shader.
            let of_all = lines().any(|(opcode, patterns)| opcode == "*" && says(patterns));
            for (opcode, patterns) in lines() {
                assert!(opcode == "*" || used.contains(opcode), "{}: no {opcode}", case.name);
                if !of_all && !says(patterns) {
                    silent.push(format!("{opcode} ({})", case.name));
                }
                fixtures.entry(opcode.to_owned()).or_default().extend(&generations);
            }
        }
    }
    assert!(silent.is_empty(), "no pattern says anything of {silent:?}");
    let mut missing = Vec::new();
    let (mut compiled, mut refused) = (0, 0);
    for opcode in Opcode::all() {
        let mnemonic = opcode.mnemonic();
        let found = fixtures.get(mnemonic).map_or(0, BTreeSet::len);
        match (lower::supported(opcode), lower::refusal(opcode)) {
            (true, None) if found == 4 => compiled += 1,
            (false, Some(reason)) if !reason.is_empty() && found == 0 => refused += 1,
            _ => missing.push(mnemonic),
        }
    }
    eprintln!("{compiled} opcodes compiled, {refused} refused");
    assert!(missing.is_empty(), "neither a fixture nor a reason: {missing:?}");
    assert!(compiled > 300);
}
