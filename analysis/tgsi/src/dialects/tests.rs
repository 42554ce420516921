//! Judgements of each reader about forms and words.

use source::no_checkpoint;

use super::{Dialect, FORMS, readers};
use crate::codes;

fn judged(dialect: &str, text: &str) -> Vec<String> {
    let parse = crate::parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    let shader = parse.shader.expect("a shader");
    Dialect::find(dialect).expect("a dialect").check(&shader, text, &mut found);
    let line =
        |it: &source::Diagnostic| format!("{:?} {} {}", it.severity, it.code.0, &text[it.range]);
    found.iter().map(line).collect()
}

#[test]
fn what_was_right_in_its_time_gets_no_hint_and_what_was_not_is_an_error() {
    let text = "VERT\nDCL IN[0], POSITION\nDCL OUT[0], POSITION\nSUB OUT[0], IN[0].x, IN[0]\nEND\n";
    assert_eq!(judged("mesa-2010", text), ["Error tgsi::short-swizzle .x"]);
    let late = judged("mesa-21", text);
    let codes = ["vertex-input-attribute", "historic-opcode", "short-swizzle"];
    assert_eq!(late.len(), codes.len(), "{late:?}");
    for (found, code) in late.iter().zip(codes) {
        assert!(found.starts_with(&format!("Error tgsi::{code}")), "{late:?}");
    }
    let later = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nADD_PRECISE OUT[0], IN[0], IN[0]\nEND\n";
    assert_eq!(judged("mesa-2016", later), ["Error tgsi::dialect ADD_PRECISE"]);
    assert_eq!(judged("mesa-24", later), [""; 0]);
}

#[test]
fn the_readers_of_a_text_are_those_without_errors() {
    let names = |text: &str| -> Vec<&str> {
        let parse = crate::parser::parse(text, &no_checkpoint);
        let shader = parse.shader.expect("a shader");
        readers(&shader, text, &parse.diagnostics).iter().map(|it| it.name).collect()
    };
    assert_eq!(names("FRAG1.1\nEND\n"), ["mesa-2009"]);
    assert_eq!(names("FRAG\n// none\nEND\n"), [""; 0]);
    assert_eq!(
        names("COMP\nDCL HWATOMIC[0][0]\nEND\n"),
        ["mesa-2018", "mesa-21", "mesa-24", "virglrenderer"]
    );
}

#[test]
fn tables_name_what_there_is() {
    for form in FORMS.iter() {
        assert!(codes::ALL.iter().any(|code| code.0 == form.code), "{}", form.code);
    }
    let mesa = Dialect::all().iter().filter(|dialect| dialect.is_mesa());
    assert!(mesa.map(|dialect| dialect.date).is_sorted());
}
