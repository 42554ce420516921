//! Fixes that are offered in whole programs.

use std::collections::BTreeMap;

use crate::corpus::Program;
use source::{Severity, no_checkpoint};

/// Diagnostics that may come with a fix, by the code of what it fixes: the operands of a second
/// name are checked once the opcode has its own.
const FOLLOWING: [(&str, &str); 3] = [
    ("tgsi::historic-opcode", "tgsi::scalar-source"),
    ("tgsi::historic-opcode", "tgsi::texture-offset"),
    ("tgsi::historic-opcode", "tgsi::texture-target"),
];

/// Every fix that is offered in programs, accepted or not, takes its diagnostic away, and adds
/// none of another kind; returns how many there are.
///
/// # Panics
/// Names those that do not.
pub fn fixes_hold(programs: &[Program]) -> usize {
    let mut applied: BTreeMap<&str, usize> = BTreeMap::new();
    let mut bad = Vec::new();
    for program in programs {
        for region in tgsi::regions::split(&program.text).shaders {
            let text = region.text(&program.text);
            let found = diagnostics(text);
            for diagnostic in &found {
                for fix in &diagnostic.fixes {
                    *applied.entry(diagnostic.code.0).or_default() += 1;
                    let fixed = source::apply_edits(text, &fix.edits).expect("edits that apply");
                    let left = diagnostics(&fixed);
                    // One diagnostic may stand for several places: then the next is reported. What
                    // stood behind the edits has moved.
                    let place = usize::from(diagnostic.range.start());
                    let before = fix.edits.iter().filter(|it| usize::from(it.range.end()) <= place);
                    let place = before.fold(place, |place, edit| {
                        let range = edit.range;
                        place + edit.insert.len()
                            - (usize::from(range.end()) - usize::from(range.start()))
                    });
                    let still = left.iter().any(|it| {
                        it.code == diagnostic.code && usize::from(it.range.start()) == place
                    });
                    // A word that is understood at last shows what else is there; where all
                    // were understood, nothing new may come.
                    let complete = found.iter().all(|it| it.severity != Severity::Error);
                    // In a list of declarations nothing is reported as unused.
                    let complete = complete && diagnostic.code.0 != "tgsi::missing-end";
                    let is_new = |it: &&source::Diagnostic| {
                        !found.iter().any(|before| before.code == it.code)
                            && !FOLLOWING.contains(&(diagnostic.code.0, it.code.0))
                    };
                    let new = left.iter().find(|it| complete && is_new(it));
                    if still || new.is_some() {
                        let new = new.map(|new| new.code.0);
                        bad.push(format!(
                            "{}: {}: {}: still there: {still}, new: {new:?}",
                            program.name, diagnostic.code.0, fix.title
                        ));
                    }
                }
            }
        }
    }
    for (code, count) in &applied {
        eprintln!("{count:6} fixes of {code}");
    }
    assert!(bad.is_empty(), "{} of them:\n{}", bad.len(), bad[..bad.len().min(40)].join("\n"));
    applied.values().sum()
}

fn diagnostics(text: &str) -> Vec<source::Diagnostic> {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    found.extend(parse.shader.iter().flat_map(|it| tgsi::validate(it, &no_checkpoint)));
    found
}
