//! Expansion, shown: statements, problems and what the editor asks.

use std::sync::Arc;

use expect_test::{Expect, expect};
use source::{Severity, TextSize};

use super::editor::NameKind;
use super::result::{Statement, StatementKind};
use super::sources::{NodeId, NodeKind, SourceId};
use crate::expression::Symbols;

use super::{Abi, Dialect, Expansion, Limits, Options, expand};

mod bounds;
mod clrx;
mod llvm;

fn read(text: &str, dialect: Dialect, options: &Options<'_>) -> Expansion {
    let includes = |name: &str| match name {
        "defines.inc" => Some(Arc::from(".macro twice a\n s_nop \\a\n s_nop \\a\n.endm\n")),
        "itself.inc" => Some(Arc::from("s_nop 1\n.include \"itself.inc\"\n")),
        _ => None,
    };
    expand(text, dialect, &includes, options, &source::no_checkpoint)
}

/// The statements as a text that needs no expansion, and the problems.
fn shown(expansion: &Expansion) -> String {
    // A first line without a blank: what is expected keeps its own.
    let mut shown = "expanded\n".to_owned() + &expansion.standalone().text;
    for diagnostic in expansion.diagnostics() {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "hint",
        };
        let file = expansion.source(SourceId::ROOT);
        let at = &file[diagnostic.range];
        shown.push_str(&format!("{severity} at `{at}`: {}\n", diagnostic.message));
    }
    shown
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(&read(text, Dialect::Llvm, &Options::default())));
}

fn check_clrx(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(&read(text, Dialect::Clrx, &Options::default())));
}

/// The place of `|` in a text, and the text without it.
fn marked(text: &str) -> (String, TextSize) {
    let at = text.find('|').expect("a mark");
    (text.replacen('|', "", 1), TextSize::new(u32::try_from(at).expect("short")))
}

const MACROS: &str = "\
base = 4
.macro add first, second=1
 v_add_u32 v\\first, v[base], v[\\second]
.endm
loop:
 add 3, second=2
 add 5
 s_branch loop
 s_branch 1f
1:
";

fn at(word: &str, skip: usize) -> TextSize {
    let (index, _) = MACROS.match_indices(word).nth(skip).expect("the word");
    TextSize::new(u32::try_from(index).expect("short"))
}

fn lines(expansion: &Expansion, places: Vec<super::sources::Span>) -> Vec<usize> {
    places.into_iter().map(|place| expansion.line_of(place)).collect()
}

#[test]
fn names_lead_to_definitions_and_uses() {
    let expansion = read(MACROS, Dialect::Llvm, &Options::default());
    let look = |word: &str, skip: usize| {
        let name = expansion.name_at(SourceId::ROOT, at(word, skip)).expect(word);
        let kind = match name.kind {
            NameKind::Macro(_) => "macro",
            NameKind::Parameter { .. } => "parameter",
            NameKind::Symbol(_) => "symbol",
            NameKind::NumericLabel => "numeric label",
        };
        let definitions = lines(&expansion, expansion.definitions(&name));
        let references = lines(&expansion, expansion.references(&name));
        format!("{word}: {kind}, defined in {definitions:?}, named in {references:?}")
    };
    let found = [
        look("base", 1),
        look("add", 2),
        look("first", 1),
        look("second", 2),
        look("loop", 1),
        look("1f", 0),
    ];
    expect![[r#"
        base: symbol, defined in [1], named in [1, 3]
        add: macro, defined in [2], named in [2, 6, 7]
        first: parameter, defined in [2], named in [2, 3]
        second: parameter, defined in [2], named in [2, 3, 6]
        loop: symbol, defined in [5], named in [5, 8]
        1f: numeric label, defined in [10], named in [9, 10]"#]]
    .assert_eq(&found.join("\n"));
    assert_eq!(expansion.name_at(SourceId::ROOT, at("s_branch", 0)), None);
}

#[test]
fn a_call_shows_its_expansion() {
    let expansion = read(MACROS, Dialect::Llvm, &Options::default());
    let shown = expansion.expanded_at(SourceId::ROOT, at("add 5", 0));
    assert_eq!(shown.as_deref(), Some("\tv_add_u32 v5, v[base], v[1]\n"));
    assert_eq!(expansion.expanded_at(SourceId::ROOT, at("loop", 1)), None);
    let (text, offset) = marked(".rep|t 2\n s_nop 1\n.endr\n");
    let expansion = read(&text, Dialect::Llvm, &Options::default());
    let shown = expansion.expanded_at(SourceId::ROOT, offset);
    assert_eq!(shown.as_deref(), Some("\ts_nop 1\n\ts_nop 1\n"));
}

#[test]
fn statements_know_how_they_came_to_be() {
    let text = ".macro outer n\n.rept 2\n inner \\n\n.endr\n.endm\n\
                .macro inner n\n s_nop \\n\n.endm\n outer 7\n";
    let expansion = read(text, Dialect::Llvm, &Options::default());
    let statement: &Statement = &expansion.statements[1];
    let steps: Vec<String> = expansion
        .frames(statement.node)
        .iter()
        .map(|step| {
            let line = expansion.line_of(step.call);
            match step.kind {
                NodeKind::Macro(index) => {
                    format!("{} in line {line}", expansion.macros[index as usize].name)
                }
                NodeKind::Iteration(run) => format!("run {run} in line {line}"),
                other => format!("{other:?} in line {line}"),
            }
        })
        .collect();
    assert_eq!(steps, ["outer in line 9", "run 1 in line 2", "inner in line 3"]);
    assert_eq!(expansion.line_of(expansion.in_file(statement.span)), 7);
    assert_eq!(&text[expansion.in_root(statement.span, statement.node)], "outer 7");
    // The operand came from the call.
    let mut operand = statement.span;
    operand.range =
        source::TextRange::new(operand.range.end() - TextSize::new(1), operand.range.end());
    assert_eq!(expansion.line_of(expansion.in_file(operand)), 9);
}

#[test]
fn bounds_end_expansion_and_name_the_macro() {
    let limits = Limits { lines: 1000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let text = ".macro m\n s_nop 0\n m\n.endm\n m\n";
    let expansion = read(text, Dialect::Llvm, &options);
    assert!(expansion.stopped);
    let messages: Vec<String> = expansion.diagnostics().into_iter().map(|it| it.message).collect();
    expect![[
        r#"["expansion stops at 200 nested texts, within macro `m` (in macro `m`, line 3)"]"#
    ]]
    .assert_eq(&format!("{messages:?}"));
    let text = ".macro many\n.rept 1 << 60\n.rept 1 << 60\n.endr\n.endr\n.endm\n many\n s_nop 1\n";
    let expansion = read(text, Dialect::Llvm, &options);
    assert!(expansion.stopped && expansion.statements.is_empty());
    expect!["expansion stops here: 1152921504606846976 runs exceed the limit of 1000 lines for macros and repetitions, within macro `many`"]
        .assert_eq(&expansion.problems[0].message);
    let text = ".include \"itself.inc\"\n";
    let expansion = read(text, Dialect::Llvm, &options);
    assert_eq!((expansion.stopped, expansion.statements.len()), (true, 200));
    let limits = Limits { bytes: 4000, ..Limits::default() };
    let text = ".macro m a\n m \\a\\a\n.endm\n m xy\n";
    let expansion = read(text, Dialect::Llvm, &Options { limits, ..Options::default() });
    expect!["expansion stops: macros have made 4000 bytes of text, within macro `m`"]
        .assert_eq(&expansion.problems[0].message);
}

#[test]
fn symbols_have_the_value_of_their_moment() {
    let text = "i = 0\n.rept 3\n s_nop i\n i = i + 1\n.endr\n.set later, end\n.set end, 9\n";
    let expansion = read(text, Dialect::Llvm, &Options::default());
    let value = |name, at| format!("{:?}", expansion.value(name, at).map(|it| it.value));
    assert_eq!(value("i", 0), "Some(Absolute(0))");
    assert_eq!(value("i", 2), "Some(Absolute(2))");
    assert_eq!(value("i", 3), "Some(Absolute(3))");
    assert_eq!(value("later", 3), "Some(Absolute(9))");
    let symbols = expansion.symbols_at(1);
    assert_eq!(symbols.value("i"), Some(1));
    assert_eq!(symbols.value("end"), None);
    assert_eq!(value("nothing", 3), "None");
    let id = expansion.find_symbol("i", 0).expect("a symbol");
    assert_eq!(expansion.symbol(id).values().len(), 4);
    assert_eq!(expansion.symbol(id).definitions.len(), 2);
}

#[test]
fn the_target_sets_symbols() {
    let text = ".long .amdgcn.gfx_generation_number, .amdgcn.gfx_generation_stepping\n\
                .ifdef .option.machine_version_major\n s_nop 1\n.endif\n";
    let target = crate::Target::find("gfx90c").expect("a chip");
    let shown = |abi| {
        let options = Options { target, abi: Some(abi), ..Options::default() };
        shown(&read(text, Dialect::Llvm, &options))
    };
    expect![[r#"
        expanded
        .set .amdgcn.gfx_generation_number, 9
        .set .amdgcn.gfx_generation_stepping, 12
        	.long .amdgcn.gfx_generation_number, .amdgcn.gfx_generation_stepping
    "#]]
    .assert_eq(&shown(Abi::V3));
    assert!(shown(Abi::V2).ends_with("\ts_nop 1\n"));
}

#[test]
fn distances_need_the_sizes_of_instructions() {
    let text = "a:\n s_nop 1\n v_add_u32 v0, 0x1234567, v1\n.long 1, 2\n.p2align 4\nb:\n\
                .if b - a == 32\n s_nop 2\n.endif\n.if . - b == 4\n s_nop 3\n.endif\n";
    let size = |text: &str, _: &mut dyn FnMut(&str) -> Option<i64>| {
        Some(if text.contains("0x") { 8 } else { 4 })
    };
    let sized = Options { instruction_size: Some(&size), ..Options::default() };
    let count = |options: &Options<'_>| {
        let expansion = read(text, Dialect::Llvm, options);
        let instructions =
            expansion.statements.iter().filter(|it| it.kind == StatementKind::Instruction);
        (instructions.count(), expansion.incomplete)
    };
    assert_eq!(count(&sized), (4, false));
    // Without them nothing is certain, and both are read.
    assert_eq!(count(&Options::default()), (4, true));
}

#[test]
fn the_root_is_no_expansion() {
    let expansion = read("s_nop 1\n", Dialect::Llvm, &Options::default());
    assert_eq!(expansion.node(NodeId::ROOT).kind, NodeKind::Root);
    assert!(expansion.frames(NodeId::ROOT).is_empty());
    assert_eq!(expansion.expanded_text(&[NodeId::ROOT]), "\ts_nop 1\n");
}

#[test]
fn of_a_loop_without_an_end_a_part_is_shown() {
    let limits = Limits { lines: 400_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let expansion = read(".while 1\n s_nop 0\n.endr\n", Dialect::Clrx, &options);
    let shown = expansion.expanded_at(SourceId::ROOT, 3.into()).expect("a loop");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(shown.len() < crate::limits::EXPANDED_TEXT + 100, "{} bytes", shown.len());
    assert!(lines.len() > 100_000, "{} lines", lines.len());
    assert_eq!((lines[0], *lines.last().unwrap()), ("\ts_nop 0", "// the rest is left out"));
}

/// A text has as many of them as lines.
#[test]
fn a_statement_takes_32_bytes() {
    assert_eq!(size_of::<Statement>(), 32);
}

#[test]
fn a_guess_and_a_comment_are_known_of_a_statement() {
    let text = ".if UNKNOWN\n s_nop /* one */ 1\n.endif\n s_nop /* two */ 2\n s_nop 3\n";
    let expansion = read(text, Dialect::Llvm, &Options::default());
    let shown: Vec<_> = expansion
        .statements
        .iter()
        .map(|it| (expansion.text(it).trim(), it.is_guessed(), it.is_as_written()))
        .collect();
    assert_eq!(
        shown,
        [
            ("s_nop           1", true, false),
            ("s_nop           2", false, false),
            ("s_nop 3", false, true),
        ]
    );
}
