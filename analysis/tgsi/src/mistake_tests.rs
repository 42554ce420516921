//! Everyday mistakes, each with the program that its author meant: the fix that is offered first
//! makes that program, and nothing is wrong with it then.

use source::{Diagnostic, Severity, no_checkpoint};

/// A sound program, most of whose lines somebody can get wrong.
const SOUND: &str = include_str!("../data/mistakes.tgsi").trim_ascii_end();

/// A row of the table: where it names a line of [`SOUND`] the others stand in its place, else they
/// are whole programs.
struct Mistake {
    kind: &'static str,
    wrong: String,
    right: String,
}

fn mistakes() -> Vec<Mistake> {
    let rows = include_str!("../data/mistakes.tsv").lines().skip(1);
    let mistake = |row: &'static str| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [kind, line, wrong, right] = cells[..] else { panic!("four cells: {row}") };
        let program = |lines: &str| {
            let lines = lines.replace(" / ", "\n");
            if line.is_empty() {
                return lines;
            }
            assert_eq!(SOUND.matches(&format!("{line}\n")).count().max(1), 1, "{line}");
            assert!(SOUND.contains(line), "{line}");
            SOUND.replacen(line, &lines, 1)
        };
        Mistake { kind, wrong: program(wrong), right: program(right) }
    };
    rows.map(mistake).collect()
}

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let parse = crate::parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    if let Some(shader) = &parse.shader {
        found.extend(super::validate::validate(shader, &no_checkpoint));
    }
    found
}

/// The program without blanks at the ends of lines, and without empty lines.
fn plain(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

/// The diagnostic that tells the mistake: the worst one that the right program does not have.
fn told(mistake: &Mistake) -> Option<Diagnostic> {
    let sound = diagnostics(&mistake.right);
    let known = |it: &Diagnostic| sound.iter().any(|other| other.code == it.code);
    let mut new: Vec<_> = diagnostics(&mistake.wrong);
    new.retain(|it| !known(it));
    new.into_iter().min_by_key(|it| it.severity)
}

/// Returns what is wrong with the fix of a mistake: `None` where it makes the program that was
/// meant.
fn objection(mistake: &Mistake) -> Option<String> {
    let Some(told) = told(mistake) else { return Some("nothing is told".to_owned()) };
    let Some(fix) = told.fixes.first() else { return Some(format!("no fix: {}", told.message)) };
    let fixed = source::apply_edits(&mistake.wrong, &fix.edits).expect("edits that apply");
    if plain(&fixed) != plain(&mistake.right) {
        return Some(format!("{}: {} makes\n{fixed}", told.message, fix.title));
    }
    let left = diagnostics(&fixed);
    let left = left.iter().find(|it| it.code == told.code || it.severity == Severity::Error);
    left.map(|left| format!("left: {}", left.message))
}

#[test]
fn the_sound_program_is_sound() {
    let found = diagnostics(SOUND);
    assert!(found.is_empty(), "{found:?}");
}

/// No kind is without its fix: what has none is not a row of the table.
#[test]
fn everyday_mistakes_have_the_fix_that_was_meant() {
    let mistakes = mistakes();
    let kinds: std::collections::BTreeSet<_> = mistakes.iter().map(|it| it.kind).collect();
    assert_eq!(kinds.len(), mistakes.len(), "a kind stands twice");
    assert!(mistakes.len() >= 100, "{}", mistakes.len());
    let failed: Vec<String> =
        mistakes.iter().filter_map(|it| Some(format!("{}: {}", it.kind, objection(it)?))).collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), mistakes.len(), failed.join("\n"));
}
