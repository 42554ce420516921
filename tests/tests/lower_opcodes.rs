//! Every opcode that lowering handles, in every form that it treats in a way
//! of its own: lowered or refused by name, and calling known functions only.

mod lower_shaders;

use std::collections::BTreeSet;

use lower::environment_keys::{KEYS, Values};
use lower::{Environment, FailureKind, Generation, Module};
use tgsi::ast::Shader;

/// Constructs that the made shaders contain and that are not compiled.
const REFUSED: [&str; 3] = [" of target ", "image of target ", " of this target"];

fn parse(name: &str, text: &str) -> Shader {
    let parse = tgsi::parser::parse(text, &text::no_checkpoint);
    let errors: Vec<_> = parse
        .diagnostics
        .iter()
        .filter(|found| found.severity == text::Severity::Error)
        .map(|found| &found.message)
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{text}");
    parse.shader.unwrap_or_else(|| panic!("{name}: no shader\n{text}"))
}

/// The functions that a module declares.
fn declared(module: &Module) -> impl Iterator<Item = &str> {
    module.ir.lines().filter_map(|line| {
        let (_, rest) = line.strip_prefix("declare ")?.split_once('@')?;
        Some(rest.split_once('(')?.0)
    })
}

/// The default state with each word that a key knows.
fn environments() -> Vec<Environment> {
    let mut environments = Vec::new();
    for key in KEYS {
        if let Values::Words(words) | Values::List(words) = key.values {
            for word in words {
                let mut environment = Environment::default();
                environment.set(key.name, word).unwrap();
                environments.push(environment);
            }
        }
    }
    environments
}

#[test]
fn made_shaders_are_lowered_or_refused_by_name_and_call_known_functions() {
    let mut called = BTreeSet::new();
    let mut lowered = 0;
    let made = lower_shaders::all();
    for shader in &made {
        let parsed = parse(&shader.name, &shader.text);
        for generation in Generation::ALL {
            match lower::lower(&parsed, generation) {
                Ok(module) => {
                    lowered += 1;
                    called.extend(declared(&module).map(str::to_owned));
                }
                Err(failures) => {
                    for failure in failures {
                        assert_eq!(
                            failure.kind,
                            FailureKind::Unsupported,
                            "{}: {}",
                            shader.name,
                            failure.message
                        );
                        assert!(
                            REFUSED.iter().any(|part| failure.construct.contains(part)),
                            "{}: {}",
                            shader.name,
                            failure.construct
                        );
                    }
                }
            }
        }
    }
    let colored = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let colored = parse("colors", colored);
    for environment in environments() {
        for generation in Generation::ALL {
            let module = lower::lower_for(&colored, generation, environment).unwrap();
            called.extend(declared(&module).map(str::to_owned));
        }
    }
    eprintln!("{} shaders, {lowered} modules, {} functions", made.len(), called.len());
    assert!(lowered > 6000);
    let listed: BTreeSet<String> = lower::INTRINSICS.iter().map(|name| (*name).into()).collect();
    let unknown: Vec<_> = called.difference(&listed).collect();
    let unused: Vec<_> = listed.difference(&called).collect();
    assert!(unknown.is_empty(), "not in the list of intrinsics: {unknown:?}");
    assert!(unused.is_empty(), "listed but never called: {unused:?}");
}

#[test]
fn the_list_of_intrinsics_is_in_order_and_finds_its_names() {
    assert!(lower::INTRINSICS.is_sorted());
    assert!(lower::INTRINSICS.iter().all(|name| lower::intrinsic_allowed(name)));
    assert!(!lower::intrinsic_allowed("llvm.amdgcn.image.sample.2d.v4f32.f16"));
    assert!(!lower::intrinsic_allowed("llvm"));
}

#[test]
fn the_text_around_the_statements_does_not_reach_the_module() {
    let plain = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n\
                 MUL OUT[0], IN[0], IN[0]\nEND\n";
    let spaced = "FRAG\n\n# a comment\nDCL   IN[0],\n  GENERIC[0], LINEAR // another\n\n\
                  DCL OUT[0], COLOR\n  7: MUL OUT[0], IN[0],\n IN[0]\n\n  9: END";
    for generation in Generation::ALL {
        let first = lower::lower(&parse("plain", plain), generation);
        assert!(first.is_ok());
        assert_eq!(first, lower::lower(&parse("spaced", spaced), generation));
        assert_eq!(first, lower::lower(&parse("plain", plain), generation));
    }
}
