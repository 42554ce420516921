//! Recorded modules of the own shaders in every form, pinned by checksums.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use spirv::{Contraction, Exchange, Interface, Options};
use tests::corpus;
use tgsi::ast::Shader;

use crate::records::Records;

/// Of the written programs, one in this many is translated for every state.
const IN_EVERY_STATE: usize = 10;

fn table(name: &str) -> Records {
    Records::new(crate::architecture::root().join("analysis/spirv/records").join(name))
}

fn shader(text: &str) -> Shader {
    tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader")
}

/// A module in full, or the reasons why there is none.
fn module(shader: &Shader, options: &Options) -> String {
    match spirv::translate(shader, options) {
        Ok(module) => {
            let text = spirv::disassemble(&module.words).expect("known instructions");
            let spirv::Module { stage, bindings, instructions, values, .. } = &module;
            format!("{text}{stage:?} {bindings:?} {instructions} {values:?}\n")
        }
        Err(failures) => failures.iter().fold(String::new(), |mut said, failure| {
            let _ = writeln!(said, "{failure:?}");
            said
        }),
    }
}

#[test]
fn modules_of_own_shaders() {
    let mut records = table("modules.tsv");
    let mut before: Option<Shader> = None;
    for program in corpus::written_programs() {
        let shader = shader(&program.text);
        let usual = Options::default();
        records.add(&program.name, "plain", &module(&shader, &usual));
        let exact = Contraction::Forbidden;
        let buffers = Options { exchange: Exchange::Buffers, contraction: exact, ..usual.clone() };
        records.add(&program.name, "buffers", &module(&shader, &buffers));
        let lines = Some((0..40).map(|number| 1000 - number).collect());
        let joined = before.iter().chain([&shader]).collect::<Vec<_>>();
        let interface = Some(Interface::of(&joined));
        let joined = Options { lines, interface, file: "a \"b\".tgsi".to_owned(), ..usual };
        records.add(&program.name, "joined", &module(&shader, &joined));
        before = Some(shader);
    }
    records.check();
}

/// Resources that an index chooses, one of one and one of several.
#[test]
fn modules_that_choose_among_resources() {
    let mut records = table("indexed.tsv");
    for last in [0, 2] {
        for (name, statement) in [
            ("constants", "MOV TEMP[0], CONST[ADDR[0].x][1]"),
            ("buffers", "LOAD TEMP[0].xy, BUFFER[ADDR[0].x], TEMP[0].xxxx"),
            ("stores", "STORE BUFFER[ADDR[0].x].x, TEMP[0].xxxx, TEMP[0].yyyy"),
            ("atomics", "ATOMUADD TEMP[0].x, BUFFER[ADDR[0].x], TEMP[0].xxxx, TEMP[0].yyyy"),
            ("images", "LOAD TEMP[0], IMAGE[ADDR[0].x], TEMP[0], 2D, PIPE_FORMAT_R32_UINT"),
            ("samplers", "TEX TEMP[0], TEMP[0], SAMP[ADDR[0].x], 2D"),
            ("sizes", "RESQ TEMP[0].x, BUFFER[ADDR[0].x]"),
        ] {
            let text = format!(
                "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                 DCL ADDR[0]\nDCL CONST[0][0..3]\nDCL CONST[{last}][0..3]\n\
                 DCL BUFFER[0..{last}]\nDCL IMAGE[0..{last}], 2D, PIPE_FORMAT_R32_UINT, WR\n\
                 DCL SAMP[0..{last}]\nDCL SVIEW[0..{last}], 2D, FLOAT\n\
                 MOV TEMP[0], IN[0]\nUARL ADDR[0].x, IN[0].xxxx\n{statement}\n\
                 MOV OUT[0], TEMP[0]\nEND\n"
            );
            let text = if last == 0 { text.replacen("DCL CONST[0][0..3]\n", "", 1) } else { text };
            let module = module(&shader(&text), &Options::default());
            assert!(module.contains("OpFunctionEnd"), "{module}\n{text}");
            records.add(name, &format!("up to {last}"), &module);
        }
    }
    records.check();
}

#[test]
fn modules_of_every_opcode() {
    let mut records = table("opcodes.tsv");
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    for program in corpus::made_programs() {
        let mut words = program.name.split(' ').filter(|word| *word != program.stage);
        let row = format!("{} {}", program.stage, words.next().unwrap_or_default());
        let module = module(&shader(&program.text), &Options::default());
        let _ = writeln!(said.entry(row).or_default(), "{}\n{module}", program.name);
    }
    for (row, said) in &said {
        records.add(row, "modules", said);
    }
    records.check();
}

#[test]
fn modules_for_every_state() {
    let mut records = table("states.tsv");
    for program in corpus::written_programs().iter().step_by(IN_EVERY_STATE) {
        let shader = shader(&program.text);
        let usual = spirv::translate(&shader, &Options::default());
        let mut said = String::new();
        for key in lower::environment_keys::KEYS {
            for value in key.values.examples() {
                let mut options = Options::default();
                options.environment.set(key.name, &value).expect("an example");
                if spirv::translate(&shader, &options) != usual {
                    let module = module(&shader, &options);
                    let _ = writeln!(said, "{}={value}\n{module}", key.name);
                }
            }
        }
        records.add(&program.name, "modules", &said);
    }
    records.check();
}

/// Modules that are cut off, or have another word somewhere.
#[test]
fn texts_of_damaged_modules() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
                DCL CONST[0..1]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] FLT32 {0.5, 1.0, 0.0, 0.0}\n\
                TEX TEMP[0], IN[0], SAMP[0], 2D\nUIF CONST[1].xxxx\nDADD TEMP[1], TEMP[0], TEMP[0]\n\
                MOV TEMP[0], TEMP[1]\nENDIF\nSLT OUT[0], TEMP[0], IMM[0]\nEND\n";
    let words = spirv::translate(&shader(text), &Options::default()).expect("a module").words;
    let mut records = table("damaged.tsv");
    let mut said = String::new();
    for end in 0..words.len() {
        let _ = match spirv::disassemble(&words[..end]) {
            Ok(text) => writeln!(said, "{end}: {} lines", text.lines().count()),
            Err(place) => writeln!(said, "{end}: not understood at {place}"),
        };
    }
    records.add("fragment", "cut off", &said);
    let usual = spirv::disassemble(&words).expect("a text");
    for (question, change) in [
        ("raised", (|word| word.wrapping_add(1)) as fn(u32) -> u32),
        ("zero", |_| 0),
        ("all bits", |_| u32::MAX),
        ("longer", |word| word.wrapping_add(1 << 16)),
        ("turned", |word| word ^ 0x8000),
    ] {
        let mut said = String::new();
        for place in (0..words.len()).step_by(2) {
            let mut words = words.clone();
            words[place] = change(words[place]);
            let _ = match spirv::disassemble(&words) {
                Ok(text) => {
                    let own = text.lines().zip(usual.lines()).find(|(own, usual)| own != usual);
                    writeln!(said, "{place}: {:?}", own.map(|(own, _)| own))
                }
                Err(at) => writeln!(said, "{place}: not understood at {at}"),
            };
        }
        records.add("fragment", question, &said);
    }
    let lines = usual.lines().fold(String::new(), |mut said, line| {
        let _ = writeln!(said, "{line}: {:?}", spirv::source_line(line));
        said
    });
    records.add("fragment", "lines", &lines);
    records.check();
}
