//! Lowering against real shaders: how many of those that Mesa 21 reads are
//! lowered, and what the others contain.

use std::collections::BTreeMap;

use lower::{FailureKind, Generation};
use tests::corpora;
use tgsi::ast::Shader;

/// The share of the shaders of every stage that must be lowered, in percent.
const LEAST_SHARE: usize = 98;

/// The shader of a corpus file, which begins at its header.
fn shader(text: &str) -> Option<Shader> {
    tgsi::parser::parse(text, &text::no_checkpoint).shader
}

#[test]
fn real_shaders_are_lowered() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut tried = 0;
    let mut lowered: BTreeMap<(&str, Generation), [usize; 2]> = BTreeMap::new();
    let mut constructs: BTreeMap<String, usize> = BTreeMap::new();
    for program in programs.iter().filter(|program| program.accepted_by_mesa_21) {
        let Some(found) = shader(&program.text) else { panic!("{}: no shader", program.name) };
        tried += 1;
        for generation in Generation::ALL {
            let result = lower::lower(&found, generation);
            let check = lower::check(&found, generation);
            assert_eq!(result.as_ref().err().unwrap_or(&Vec::new()), &check, "{}", program.name);
            let counts = lowered.entry((&program.stage, generation)).or_default();
            counts[1] += 1;
            match result {
                Ok(module) => {
                    counts[0] += 1;
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
    eprintln!("{tried} shaders that Mesa 21 reads");
    for ((stage, generation), [count, all]) in &lowered {
        eprintln!("{stage} {generation:?}: {count} of {all} lowered");
    }
    for (construct, files) in &constructs {
        eprintln!("not compiled yet: {construct}: {files} files");
    }
    assert!(tried > 1000, "the manifest was not read");
    assert_eq!(lowered.len(), 6 * Generation::ALL.len(), "a stage is missing");
    for ((stage, generation), [count, all]) in lowered {
        assert!(count * 100 >= all * LEAST_SHARE, "{stage} {generation:?}: {count} of {all}");
    }
}
