//! Every opcode that lowering handles, in every form that it treats in a way
//! of its own: lowered or refused by name, and calling known functions only.

use std::collections::BTreeSet;

use lower::environment_keys::KEYS;
use lower::{Environment, FailureKind, Generation, Module};
use tests::lower_shaders;
use tgsi::Stage;
use tgsi::ast::Shader;

/// Constructs that the made shaders contain and that are not compiled.
const REFUSED: [&str; 3] = [" of target ", "image of target ", " of this target"];

fn parse(name: &str, text: &str) -> Shader {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    let errors: Vec<_> = parse
        .diagnostics
        .iter()
        .filter(|found| found.severity == source::Severity::Error)
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

/// The default state with each value that a key takes, beside the stages that it
/// is for.
fn environments() -> Vec<(&'static [Stage], Environment)> {
    let mut environments = Vec::new();
    for key in KEYS {
        for value in key.values.examples() {
            let mut environment = Environment::default();
            environment.set(key.name, &value).unwrap();
            environments.push((key.stages, environment));
        }
    }
    environments
}

/// Shaders of every stage, with what the state decides on in them. The last is
/// lowered only where the state says how much memory of its own a lane has.
const STATEFUL: [&str; 7] = [
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], CLIPVERTEX\n\
     DCL OUT[3], PSIZE\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[0]\n\
     MOV OUT[3].x, IN[0]\nEND\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL SV[0], VERTICESIN\nDCL OUT[0], TESSOUTER\n\
     DCL OUT[1].xy, TESSINNER\nU2F OUT[0], SV[0]\nU2F OUT[1].xy, SV[0]\nEND\n",
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
     DCL OUT[1], CLIPDIST\nMOV OUT[0], IN[0][0]\nMOV OUT[1], IN[1][0]\nEND\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
     PROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n\
     IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
    "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], COLOR, COLOR\n\
     DCL IN[1], GENERIC[0], LINEAR\nDCL IN[2], POSITION, LINEAR\nDCL SV[0], SAMPLEMASK\n\
     DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0]\nADD TEMP[0], IN[0], IN[1]\n\
     U2F TEMP[0].w, SV[0].xxxx\nADD OUT[0], TEMP[0], IN[2]\nMOV OUT[1], IN[0]\nEND\n",
    "COMP\nDCL SV[0], BLOCK_SIZE\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {0, 0, 0, 0}\n\
     STORE MEMORY[0].x, IMM[0].xxxx, SV[0].yyyy\nEND\n",
    "COMP\nDCL MEMORY[0], PRIVATE\nIMM[0] UINT32 {0, 0, 0, 0}\n\
     STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].xxxx\nEND\n",
];

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
    let stateful = STATEFUL.map(|text| parse("state", text));
    for (stages, environment) in environments() {
        for shader in stateful.iter().filter(|shader| stages.contains(&shader.stage.value)) {
            for generation in Generation::ALL {
                let module = lower::lower_for(shader, generation, environment);
                assert!(module.is_ok() || shader == &stateful[6], "{:?}", module.err());
                called.extend(module.iter().flat_map(declared).map(str::to_owned));
            }
        }
    }
    let pairs = [(0, 1), (0, 3), (2, 3)];
    for (first, second) in pairs {
        let usual = Environment::default();
        let halves = ((&stateful[first], usual), (&stateful[second], usual));
        let module = lower::lower_merged(halves.0, halves.1, Generation::Gfx9).unwrap();
        called.extend(declared(&module).map(str::to_owned));
        let before = lower::lower_merged(halves.0, halves.1, Generation::Gfx8);
        assert_eq!(before, Err(Vec::new()));
    }
    eprintln!("{} shaders, {lowered} modules, {} functions", made.len(), called.len());
    assert!(lowered > 6000);
    let listed: BTreeSet<String> = lower::INTRINSICS.iter().map(|name| (*name).into()).collect();
    let unknown: Vec<_> = called.difference(&listed).collect();
    let unused: Vec<_> = listed.difference(&called).collect();
    assert!(unknown.is_empty(), "not in the list of intrinsics: {unknown:?}");
    assert!(unused.is_empty(), "listed but never called: {unused:?}");
}

/// A value that is not the usual one changes the code of some shader that it is
/// for: no key is only told.
#[test]
fn every_key_decides_something() {
    let stateful = STATEFUL.map(|text| parse("state", text));
    for key in KEYS {
        let decides = key.values.examples().iter().any(|value| {
            let mut environment = Environment::default();
            // Some count only beside others.
            match key.name {
                "stream-output-strides" => {
                    environment.set("stream-output", "BUF0<-OUT[0]").unwrap();
                }
                "dual-source" => environment.set("color-format", "32_r,none").unwrap(),
                _ => {}
            }
            let before = environment;
            environment.set(key.name, value).unwrap();
            stateful.iter().filter(|shader| key.stages.contains(&shader.stage.value)).any(
                |shader| {
                    lower::lower_for(shader, Generation::Gfx8, environment)
                        != lower::lower_for(shader, Generation::Gfx8, before)
                },
            )
        });
        assert!(decides, "{}", key.name);
    }
}

#[test]
fn the_list_of_intrinsics_is_in_order_and_finds_its_names() {
    assert!(lower::INTRINSICS.is_sorted());
    assert!(lower::INTRINSICS.contains(&"llvm.amdgcn.exp.f32"));
    assert!(!lower::INTRINSICS.contains(&"llvm.amdgcn.image.sample.2d.v4f32.f16"));
    assert!(!lower::INTRINSICS.contains(&"llvm"));
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

#[test]
fn modifiers_change_what_a_source_is_read_as() {
    use lower::supported;
    use tgsi::Opcode;
    use tgsi::opcodes::{Family, Flag, ValueType};

    let negations = |opcode: Opcode, sign: [&str; 4]| {
        let row = opcode.row();
        let sources: Vec<String> =
            sign.iter().take(row.sources).map(|sign| format!("{sign}IN[0]")).collect();
        let written = ["", "TEMP[0], ", "TEMP[0], TEMP[1], "][row.destinations.min(2)];
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
             {} {written}{}\nMOV OUT[0], TEMP[0]\nEND\n",
            opcode.mnemonic(),
            sources.join(", ")
        );
        let parsed = parse(opcode.mnemonic(), &text);
        let module = lower::lower(&parsed, Generation::Gfx8).ok()?;
        let count = |word: &str| module.ir.matches(word).count();
        Some([count("fneg "), count(" = sub i32 0, ") + count(" = sub i64 0, ")])
    };
    let mut judged = 0;
    let plain = |it: &Opcode| supported(*it) && it.row().family == Family::Plain;
    for opcode in Opcode::all().filter(plain) {
        let types = opcode.row().source_types;
        if tgsi::validate::steers(opcode) || !(1..=4).contains(&opcode.row().sources) {
            continue;
        }
        let Some(before) = negations(opcode, [""; 4]) else { continue };
        for (number, ty) in types.iter().enumerate() {
            let mut sign = [""; 4];
            sign[number] = "-";
            let Some(own) = negations(opcode, sign) else { continue };
            // What is unpacked is an integer whatever the table infers.
            let unpacks = opcode.row().has(Flag::Unpack);
            let is_float =
                !unpacks && matches!(ty, ValueType::Float | ValueType::Double | ValueType::Untyped);
            let [floats, integers] = [own[0] > before[0], own[1] > before[1]];
            assert_eq!(
                (floats, integers),
                (is_float, !is_float),
                "source {number} of {}",
                opcode.mnemonic()
            );
            judged += 1;
        }
    }
    assert!(judged > 150, "{judged}");
}
