//! Lowering against real shaders: how many of the vertex, fragment and compute
//! shaders that Mesa 21 reads are lowered, and what the others contain.

use std::collections::BTreeMap;

use lower::{FailureKind, Generation};
use tests::corpora;
use tgsi::ast::Shader;

/// The share of those shaders that must be lowered, in percent.
const LEAST_SHARE: usize = 98;

/// The stages that are lowered.
const LOWERED: [&str; 3] = ["VERT", "FRAG", "COMP"];

/// The shader of a corpus file, which begins at its header.
fn shader(text: &str) -> Option<Shader> {
    tgsi::parser::parse(text, &text::no_checkpoint).shader
}

#[test]
fn real_shaders_are_lowered() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut tried = 0;
    let mut lowered = BTreeMap::from(Generation::ALL.map(|generation| (generation, 0)));
    let mut constructs: BTreeMap<String, usize> = BTreeMap::new();
    let wanted = programs
        .iter()
        .filter(|program| program.accepted_by_mesa_21 && LOWERED.contains(&program.stage.as_str()));
    for program in wanted {
        let Some(found) = shader(&program.text) else { panic!("{}: no shader", program.name) };
        tried += 1;
        for generation in Generation::ALL {
            let result = lower::lower(&found, generation);
            let check = lower::check(&found, generation);
            assert_eq!(result.as_ref().err().unwrap_or(&Vec::new()), &check, "{}", program.name);
            match result {
                Ok(module) => {
                    *lowered.entry(generation).or_default() += 1;
                    for line in module.ir.lines().filter(|line| line.starts_with("declare ")) {
                        let name = line.split(['@', '(']).nth(1).unwrap_or_default();
                        assert!(lower::intrinsic_allowed(name), "{}: {name}", program.name);
                    }
                }
                Err(failures) => {
                    assert!(!failures.is_empty(), "{}", program.name);
                    let inside = failures.iter().all(|failure| {
                        usize::from(failure.range.end()) <= program.text.len()
                            && failure.kind == FailureKind::Unsupported
                    });
                    assert!(inside, "{}: {failures:?}", program.name);
                    let mut names: Vec<String> =
                        failures.into_iter().map(|failure| failure.construct).collect();
                    names.sort();
                    names.dedup();
                    if generation == Generation::Gfx8 {
                        for name in names {
                            *constructs.entry(name).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    eprintln!("{tried} vertex, fragment and compute shaders that Mesa 21 reads");
    for (generation, count) in &lowered {
        eprintln!("{generation:?}: {count} lowered");
    }
    for (construct, files) in &constructs {
        eprintln!("not compiled yet: {construct}: {files} files");
    }
    assert!(tried > 1000, "the manifest was not read");
    for (generation, count) in lowered {
        assert!(count * 100 >= tried * LEAST_SHARE, "{generation:?}: {count} of {tried}");
    }
}

#[test]
fn other_stages_are_refused_at_their_header() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut refused = 0;
    for program in programs.iter().filter(|program| program.accepted) {
        if let Some(shader) = shader(&program.text) {
            let stage = shader.stage.value.word();
            if LOWERED.contains(&stage) {
                continue;
            }
            let failures = lower::lower(&shader, Generation::Gfx8).unwrap_err();
            assert_eq!(failures.len(), 1, "{}", program.name);
            assert_eq!(failures[0].construct, format!("stage {stage}"));
            assert_eq!(failures[0].range, shader.stage.range);
            refused += 1;
        }
    }
    assert!(refused > 200);
}
