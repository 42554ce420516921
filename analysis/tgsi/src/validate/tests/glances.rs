//! Checks that are skipped where a glance at the operands says that they have nothing to say,
//! beside the same checks of every instruction.

use source::{Diagnostic, no_checkpoint};

use crate::ast::{Shader, StatementKind};
use crate::parser::parse;
use crate::random_tests::shader;
use crate::recorded_tests::{chance::Chance, programs};
use crate::report::Report;
use crate::validate::context::Context;
use crate::validate::operands::Glance;
use crate::validate::registers::Registers;
use crate::validate::rules;

/// Operands of which every check must look.
const ANYTHING: Glance =
    Glance { read: u32::MAX, written: u32::MAX, odd: true, absolute: true, offsets: true };

fn found(context: &Context<'_>) -> Vec<Diagnostic> {
    let mut report = Report::default();
    rules::check(context, &mut report, &no_checkpoint);
    report.finish()
}

/// Diagnostics about registers that are not declared, and whether all are by a glance.
fn undeclared(shader: &Shader) -> (Vec<Diagnostic>, bool) {
    let context = Context::new(shader);
    let mut registers = Registers::new(shader);
    for statement in shader.statements.iter().filter(|statement| !statement.broken) {
        match &statement.kind {
            StatementKind::Declaration(it) => registers.declare(it, &mut Report::default()),
            StatementKind::Immediate(_) => registers.declare_immediate(),
            _ => {}
        }
    }
    let is_covered = registers.cover(&context);
    let mut report = Report::default();
    shader.instructions().for_each(|it| registers.check(it, &context.gaps, &mut report));
    (report.finish(), is_covered)
}

/// Compares both ways. Returns whether all registers are declared by a glance.
fn compare(text: &str) -> bool {
    let Some(shader) = parse(text, &no_checkpoint).shader else { return false };
    let expected = {
        let mut context = Context::new(&shader);
        context.operands.glances.fill(ANYTHING);
        found(&context)
    };
    assert_eq!(found(&Context::new(&shader)), expected, "{text}");
    let (undeclared, is_covered) = undeclared(&shader);
    assert!(!is_covered || undeclared.is_empty(), "{undeclared:?}\n{text}");
    is_covered
}

#[test]
fn a_glance_only_saves_time() {
    let texts: Vec<String> = programs().map(|(_, text)| text).chain((0..100).map(shader)).collect();
    let covered = texts.iter().filter(|text| compare(text)).count();
    assert!(covered * 2 > texts.len(), "{covered} of {}", texts.len());
}

#[test]
fn a_glance_only_saves_time_in_changed_texts() {
    const FILES: [&str; 13] = [
        "TEMP", "IN", "OUT", "CONST", "IMM", "SAMP", "ADDR", "SV", "BUFFER", "IMAGE", "SVIEW",
        "MEMORY", "HWATOMIC",
    ];
    const SIGNS: [(&str, &str); 12] = [
        ("[0]", "[1]"),
        ("[1]", "[0]"),
        ("[0]", "[ADDR[0].x]"),
        ("[0]", "[ADDR[0].x](1)"),
        ("[0]", "[70000]"),
        ("[0]", "[0][0]"),
        (".x", ".y"),
        (".xyzw", ".wzyx"),
        (" ", " -"),
        ("TEMP[0]", "|TEMP[0]|"),
        ("MOV", "MOV_SAT"),
        ("ADD", "UADD"),
    ];
    let texts: Vec<String> = programs().map(|(_, text)| text).collect();
    let texts: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
    let lines: Vec<&str> = texts.iter().flat_map(|lines| &lines[1..]).copied().collect();
    let mut numbers = Chance(7);
    for _ in 0..1_500 {
        let text = &texts[numbers.below(texts.len())];
        let mut changed: Vec<String> = text.iter().map(|line| (*line).to_owned()).collect();
        for _ in 0..1 + numbers.below(4) {
            if changed.len() < 3 {
                break;
            }
            let place = 1 + numbers.below(changed.len() - 1);
            let (from, to) = match numbers.below(4) {
                0 => {
                    changed.remove(place);
                    continue;
                }
                1 => {
                    changed.insert(place, numbers.one(&lines).to_owned());
                    continue;
                }
                2 => numbers.one(&SIGNS),
                _ => (numbers.one(&FILES), numbers.one(&FILES)),
            };
            changed[place] = changed[place].replacen(from, to, 1);
        }
        compare(&changed.join("\n"));
    }
}
