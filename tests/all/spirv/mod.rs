//! The way from TGSI to SPIR-V: modules are well formed, whatever the shader; their text and what
//! the command line writes.

mod exchange;
mod names;
mod numbers;
mod recorded;

use spirv::words::Op;
use tests::checks::spirv::{random_module, well_formed};
use tests::corpus;

/// The module of a text, or the constructs that stand in its way; `None` where it is no shader.
fn translated(text: &str, options: &spirv::Options) -> Option<Result<spirv::Module, Vec<String>>> {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let shader = parse.shader?;
    Some(spirv::translate(&shader, options).map_err(|failures| {
        for failure in &failures {
            assert!(usize::from(failure.range.end()) <= text.len(), "{failure:?} in\n{text}");
        }
        assert!(!failures.is_empty(), "refused without a reason:\n{text}");
        failures.into_iter().map(|failure| failure.construct).collect()
    }))
}

fn check(name: &str, text: &str, module: &spirv::Module) {
    if let Err(fault) = well_formed(&module.words) {
        panic!(
            "{name}: {fault}\n{text}\n{}",
            spirv::disassemble(&module.words).unwrap_or_default()
        );
    }
    let printed = spirv::disassemble(&module.words);
    assert!(printed.is_ok(), "{name}: word {printed:?} was not understood");
}

#[test]
fn own_shaders_become_well_formed_modules() {
    let programs = corpus::tgsi_programs();
    let (mut good, mut refused) = (0, 0);
    for program in programs.iter().filter(|program| program.accepted) {
        match translated(&program.text, &spirv::Options::default()) {
            Some(Ok(module)) => {
                check(&program.name, &program.text, &module);
                good += 1;
            }
            Some(Err(_)) => refused += 1,
            None => panic!("{}: no shader", program.name),
        }
    }
    println!("{good} modules, {refused} shaders refused");
    assert!(good > 400 && good > 3 * refused, "{good} modules, {refused} refused");
}

#[test]
fn random_shaders_become_well_formed_modules() {
    let (mut good, mut refused) = (0, 0);
    for seed in 0..200 {
        match random_module(seed) {
            Some((text, module)) => {
                check(&format!("seed {seed}"), &text, &module);
                good += 1;
            }
            None => refused += 1,
        }
    }
    println!("{good} modules, {refused} shaders refused");
    assert!(good > 100, "{good} modules, {refused} refused");
}

#[test]
fn every_state_gives_a_module_or_a_reason() {
    let programs = corpus::written_programs();
    let mut changed = 0;
    for program in programs.iter().filter(|program| program.accepted).step_by(40) {
        let Some(Ok(usual)) = translated(&program.text, &spirv::Options::default()) else {
            continue;
        };
        for key in lower::environment_keys::KEYS {
            for value in key.values.examples() {
                let mut options = spirv::Options::default();
                options.environment.set(key.name, &value).expect("an example");
                if let Some(Ok(module)) = translated(&program.text, &options) {
                    check(
                        &format!("{} {}={value}", program.name, key.name),
                        &program.text,
                        &module,
                    );
                    changed += usize::from(module.words != usual.words);
                }
            }
        }
    }
    assert!(changed > 5, "{changed} modules differ by the state");
}

#[test]
fn the_check_notices_what_is_broken() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\nMOV TEMP[0], IN[0]\nIF IN[0].xxxx\n\
                ADD TEMP[0].x, IN[0].yyyy, IMM[0]\nENDIF\nBGNLOOP\nBRK\nENDLOOP\n\
                MOV OUT[0], TEMP[0]\nEND\n";
    let module = translated(text, &spirv::Options::default()).expect("a shader").expect("a module");
    assert_eq!(well_formed(&module.words), Ok(()));
    let (mut place, mut broken) = (5, 0);
    let mut in_function = false;
    while let Some(first) = module.words.get(place) {
        let length = (first >> 16) as usize;
        let op = Op::row(*first as u16).expect("a known instruction").op;
        in_function |= op == Op::Function;
        // Without lines, stores and ends of functions a module is as well formed as before.
        let counts =
            !matches!(op, Op::Line | Op::NoLine | Op::Store | Op::FunctionEnd | Op::Function);
        if in_function && counts {
            let without = [&module.words[..place], &module.words[place + length..]].concat();
            assert!(well_formed(&without).is_err(), "{op:?} at word {place} may go");
            broken += 1;
        }
        place += length;
    }
    assert!(broken > 20, "{broken} instructions were taken away");
}

#[test]
fn a_function_that_two_others_call_is_no_recursion() {
    let calls = |last: &str| {
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nCAL :3\nMOV OUT[0], TEMP[0]\nEND\n\
             BGNSUB\nCAL :7\nCAL :10\nENDSUB\nBGNSUB\nCAL :13\nENDSUB\nBGNSUB\nCAL :13\nENDSUB\n\
             BGNSUB\n{last}\nENDSUB\n"
        )
    };
    let of = |last| translated(&calls(last), &spirv::Options::default()).expect("a shader");
    let text = calls("MOV TEMP[0], IN[0]");
    check("calls", &text, &of("MOV TEMP[0], IN[0]").expect("a module"));
    assert_eq!(of("CAL :3").expect_err("a circle"), ["recursive CAL"]);
}

/// Numbers of streams need the capability, declared outputs or not.
#[test]
fn streams_are_a_capability() {
    let module = |outputs: &str, emitted: &str| {
        let text = format!(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION{outputs}\n\
             IMM[0] UINT32 {{0, 1, 0, 0}}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].{emitted}\nEND\n"
        );
        let module = translated(&text, &spirv::Options::default()).expect("a shader");
        let module = module.expect("a module");
        check("streams", &text, &module);
        spirv::disassemble(&module.words).expect("known instructions")
    };
    for (outputs, emitted, wanted) in
        [("", "xxxx", false), ("", "yyyy", true), (", STREAM(1, 1, 1, 1)", "xxxx", true)]
    {
        let text = module(outputs, emitted);
        let found =
            ["OpCapability GeometryStreams", "OpEmitStreamVertex"].map(|it| text.contains(it));
        assert_eq!(found, [wanted; 2], "{outputs} {emitted}\n{text}");
    }
}

#[test]
fn debug_lines_are_those_that_are_asked_for() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                ADD OUT[0].yw, IN[0], IN[0]\nEND\n";
    let lines = |options: &spirv::Options| -> Vec<String> {
        let module = translated(text, options).expect("a shader").expect("a module");
        let printed = spirv::disassemble(&module.words).expect("known instructions");
        let lines = printed.lines().filter(|line| line.contains("OpLine"));
        lines.map(|line| line.split_whitespace().skip(2).collect::<Vec<_>>().join(":")).collect()
    };
    // Its channels are computed before they are stored.
    assert_eq!(lines(&spirv::Options::default()), ["1:2", "1:4", "1:2", "1:4", "1:0"]);
    let options = spirv::Options { lines: Some(vec![4, 5]), ..spirv::Options::default() };
    assert_eq!(lines(&options), ["4:2", "4:4", "4:2", "4:4", "4:0"]);
}
