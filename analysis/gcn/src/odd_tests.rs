//! Answers about fields, directives and mnemonics where they stand as nobody writes
//! them, pinned by checksums: every field with several values, every directive and mnemonic
//! with every kind of operand.

use std::fmt::Write as _;

use source::{TextRange, TextSize};

use crate::Target;
use crate::assembler::{Dialect, descriptor_fields};
use crate::program::{Options, Program, assemble};
use crate::recorded_tests::{code, diagnostics, table};
use crate::service::{View, completion, formatting, signature};
use crate::{describe, mnemonics};

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "fiji", "vega10"];

fn assembled(text: &str, chip: &str, dialect: Dialect) -> Program {
    let target = Some(Target::find(chip).expect("a chip"));
    let options = Options { target, dialect, ..Options::default() };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

fn said(text: &str, chip: &str, dialect: Dialect) -> String {
    let program = assembled(text, chip, dialect);
    code(&program) + &diagnostics(&program)
}

#[test]
fn every_field_of_a_descriptor_with_several_values() {
    let mut records = table("fields.tsv");
    let needed = ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 16\n";
    let names = descriptor_fields::AMDHSA.iter().map(|it| it.name);
    for name in names.filter(|it| it.starts_with('.')) {
        let mut all = String::new();
        for (chip, value) in
            CHIPS.into_iter().flat_map(|it| ["0", "1", "3", "-1", "70000"].map(|n| (it, n)))
        {
            let text = format!(
                "main:\ns_endpgm\n.rodata\n.amdhsa_kernel main\n{needed}{name} {value}\n\
                 .end_amdhsa_kernel\n"
            );
            all += &said(&text, chip, Dialect::Llvm);
        }
        records.add(name, "said", &all);
    }
    for name in descriptor_fields::KERNEL_CODE.iter().map(|it| it.name) {
        let mut all = String::new();
        for value in ["0", "1", "2", "-1", "70000"] {
            let text = format!(
                "main:\n.amd_kernel_code_t\n{name} = {value}\n.end_amd_kernel_code_t\ns_endpgm\n"
            );
            all += &said(&text, "fiji", Dialect::Llvm);
        }
        records.add(name, "said", &all);
    }
    records.check();
}

/// Operands of directives and mnemonics.
const OPERANDS: [&str; 22] = [
    "",
    " 1",
    " 3, 5",
    " -1, x, \"text\"",
    " main",
    " main, @function",
    " main, 8, 4",
    " \"a b\\n\"",
    " v0, v1",
    " v0, v1, v2",
    " v[0:1], v[2:3], v4",
    " v0, vcc, v1, v2, vcc",
    " s0, s1",
    " s[0:1], s[2:3], 0x10",
    " s[4:7], s[0:1], s5",
    " v1, v2, s[4:7], 0 offen offset:16 glc",
    " v[0:3], v[4:7], s[8:15], s[4:7] dmask:0xf unorm",
    " v1, v2 offset:8 gds",
    " vcc, v0, 1.5 clamp",
    " exec, s[2:3]",
    " v0, -|v1|, 0x12345678 mul:2",
    " mrt0 v0, v1, off, off done vm",
];

#[test]
fn every_directive_with_odd_operands() {
    let mut records = table("odd_directives.tsv");
    for directive in describe::directives() {
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let mut all = String::new();
            for operands in OPERANDS {
                let begin = format!("main:\ns_nop 0\n{}{operands}", directive.name);
                let text = format!("{begin}\ns_mov_b32 s0, x\nx = 4\nv_mov_b32 v0, v1\n");
                let program = assembled(&text, "fiji", dialect);
                all += &(code(&program) + &diagnostics(&program));
                let view = View::root(&program);
                let whole = TextRange::up_to(TextSize::of(&*text));
                let _ = writeln!(all, "{:?}", formatting::edits(view, whole));
                let at = TextSize::of(&*begin);
                let _ = writeln!(all, "{:?}", signature::signature(view, at));
                let completed = completion::complete(view, at);
                let labels = completed
                    .map(|it| it.items.iter().map(|it| it.label.clone()).collect::<Vec<_>>());
                let _ = writeln!(all, "{labels:?}");
            }
            records.add(directive.name, dialect.name(), &all);
        }
    }
    records.check();
}

#[test]
fn mnemonics_with_odd_operands() {
    let mut records = table("odd_operands.tsv");
    let mut groups = std::collections::BTreeMap::<String, String>::new();
    for (number, info) in mnemonics::all().iter().enumerate().step_by(3) {
        let group = groups.entry(info.name.chars().take(5).collect()).or_default();
        let lines = OPERANDS.map(|operands| format!("{}{operands}\n", info.name)).concat();
        let chip = CHIPS[number % CHIPS.len()];
        let dialect = if number % 2 == 0 { Dialect::Llvm } else { Dialect::Clrx };
        *group += &said(&lines, chip, dialect);
    }
    for (group, all) in &groups {
        records.add(group, "said", all);
    }
    records.check();
}
