//! One verdict: what compiling refuses is an error of the check at the same place, nothing else
//! is, and what has one cause is told once.

use std::collections::BTreeSet;

use engine::ide::{CompiledRef, ProblemKind};
use engine::{Host, Language, Settings};
use source::{Diagnostic, Severity, TextRange};
use tests::random_shaders::Numbers;
use tests::{corpus, planted};

/// Programs with faults of all kinds, and sound ones.
fn cases() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tgsi");
    let mut cases = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "tgsi") {
                let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into();
                cases.push((path.display().to_string(), text));
            }
        }
    }
    for example in tgsi::codes::examples() {
        cases.push((format!("{}, wrong", example.code), example.wrong.to_owned()));
        cases.push((format!("{}, right", example.code), example.right.to_owned()));
    }
    let planted = planted::shaders(300, &mut Numbers::new(4));
    cases.extend(
        planted.into_iter().enumerate().map(|(number, it)| (format!("planted {number}"), it)),
    );
    cases.extend(corpus::tgsi_programs().into_iter().map(|it| (it.name, it.text)));
    cases
}

/// Diagnostics of a text, and the places for which its shaders are refused.
fn judged(text: &str) -> (Vec<Diagnostic>, Vec<Option<TextRange>>, usize) {
    let target = gcn::Target::default();
    let targets = vec![target];
    let mut host = Host::new(Settings { targets, compile: true, ..Settings::default() });
    let id = host.set_file("a.tgsi", text.into(), Language::Tgsi);
    let snapshot = host.snapshot();
    let shaders = snapshot.shaders(id).expect("nobody cancels").len();
    let refused = (0..shaders).filter_map(|shader| {
        let compiled = CompiledRef::new(shader, target);
        let code = snapshot.compiled_code(id, &compiled).expect("nobody cancels")?;
        let problem = code.problem.filter(|it| it.kind == ProblemKind::Invalid)?;
        Some(problem.range)
    });
    let refused = refused.collect();
    (snapshot.diagnostics(id).expect("nobody cancels"), refused, shaders)
}

/// Words and forms that readers once had.
const OLD: [&str; 11] = [
    "tgsi::blank-in-index",
    "tgsi::dialect",
    "tgsi::historic-file",
    "tgsi::historic-form",
    "tgsi::historic-opcode",
    "tgsi::historic-word",
    "tgsi::historic-operands",
    "tgsi::opcode-modifier",
    "tgsi::predicate",
    "tgsi::unknown-format",
    "tgsi::vertex-input-attribute",
];

#[test]
fn what_compiling_refuses_is_an_error_at_the_same_place_and_nothing_else_is() {
    let (mut bad, mut refusals) = (Vec::new(), 0);
    for (name, text) in cases() {
        let (found, refused, shaders) = judged(&text);
        let errors = found.iter().filter(|it| it.severity == Severity::Error);
        let errors: Vec<&Diagnostic> = errors.collect();
        refusals += refused.len();
        // Old words in a new text mean something: only the command refuses them.
        let is_old = errors.iter().all(|it| OLD.contains(&it.code.0));
        let is_missed = errors.is_empty() && !refused.is_empty();
        let is_false = refused.is_empty() && !is_old && shaders > 0;
        if is_missed || is_false {
            bad.push(format!("{name}: {refused:?}, but {errors:?}"));
        }
        for place in refused.into_iter().flatten() {
            let is_there = |it: &&&Diagnostic| line(&text, it.range) == line(&text, place);
            if errors.iter().find(is_there).is_none() {
                bad.push(format!("{name}: no error at {place:?}, but {errors:?}"));
            }
        }
    }
    assert!(bad.is_empty(), "{}:\n{}", bad.len(), bad.join("\n"));
    assert!(refusals > 200, "{refusals}");
}

fn line(text: &str, range: TextRange) -> usize {
    text[..usize::from(range.start())].matches('\n').count()
}

/// Pairs of codes that may stand at one place, since each has a cause of its own.
const TWO_CAUSES: [(&str, &str); 10] = [
    ("compile::unsupported", "tgsi::historic-opcode"),
    ("tgsi::bad-immediate", "tgsi::historic-opcode"),
    // Two old forms of one operand.
    ("tgsi::historic-form", "tgsi::historic-form"),
    ("tgsi::historic-form", "tgsi::short-swizzle"),
    ("tgsi::dialect", "tgsi::missing-property"),
    ("tgsi::historic-opcode", "tgsi::opcode-stage"),
    ("tgsi::interpolation-place", "tgsi::interpolation-without-semantic"),
    ("tgsi::missing-position", "tgsi::missing-property"),
    // Two properties.
    ("tgsi::missing-property", "tgsi::missing-property"),
    ("tgsi::predicate", "tgsi::short-swizzle"),
];

/// A declaration that nothing uses may be wrong in itself.
const UNUSED: &str = "tgsi::unused-declaration";

#[test]
fn what_has_one_cause_is_told_once() {
    let mut bad = BTreeSet::new();
    for (name, text) in cases() {
        let (found, ..) = judged(&text);
        for (place, one) in found.iter().enumerate() {
            for other in &found[place + 1..] {
                let overlap = one.range.intersect(other.range).is_some_and(|it| !it.is_empty());
                if !overlap && one.range.start() != other.range.start() {
                    continue;
                }
                let mut pair = [one.code.0, other.code.0];
                pair.sort_unstable();
                let known = TWO_CAUSES.contains(&(pair[0], pair[1]));
                if !known && (!pair.contains(&UNUSED) || pair[0] == pair[1]) {
                    bad.insert(format!("{pair:?}: {name}: {}; {}", one.message, other.message));
                }
            }
        }
    }
    let bad: Vec<String> = bad.into_iter().collect();
    assert!(bad.is_empty(), "{}:\n{}", bad.len(), bad.join("\n"));
}
