//! What validation says of real shaders: hints stay few, and no code warns
//! that is not listed.

use std::collections::BTreeMap;

use tests::corpora;
use text::{Severity, no_checkpoint};

/// The most hints for 100 lines of shaders that Mesa 21 accepts.
const MOST_HINTS: f64 = 2.0;

/// Codes that warn in shaders that a reference accepts: a code that is new here
/// must be looked at before it is listed. Of what is listed, texel fetches of
/// cube maps are forbidden by the documents, `LINES` is nothing that a geometry
/// shader can make, and the temporaries are written by no instruction.
const KNOWN_WARNINGS: [&str; 6] = [
    "tgsi::duplicate-declaration",
    "tgsi::missing-end",
    "tgsi::property-value",
    "tgsi::texture-target",
    "tgsi::unbalanced",
    "tgsi::unwritten-temporary",
];

#[test]
fn hints_are_few_and_warnings_known() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let (mut lines, mut hints) = (0, 0);
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for program in programs.iter().filter(|program| program.accepted) {
        lines += program.text.lines().count() * usize::from(program.accepted_by_mesa_21);
        for region in tgsi::regions::split(&program.text).shaders {
            let text = region.text(&program.text);
            let parse = tgsi::parser::parse(text, &no_checkpoint);
            let Some(shader) = parse.shader else { continue };
            for found in tgsi::validate(&shader, &no_checkpoint) {
                *counts.entry((found.code.0, found.severity)).or_default() += 1;
                let known = match found.severity {
                    Severity::Error => false,
                    Severity::Warning => KNOWN_WARNINGS.contains(&found.code.0),
                    Severity::Hint => true,
                };
                if !known {
                    wrong.push(format!("{}: {} {}", program.name, found.code.0, found.message));
                }
                if found.severity == Severity::Hint && program.accepted_by_mesa_21 {
                    hints += 1;
                }
            }
        }
    }
    let density = 100.0 * hints as f64 / lines as f64;
    for ((code, severity), count) in counts {
        eprintln!("{count:6} {severity:?} {code}");
    }
    eprintln!("{hints} hints in {lines} lines that Mesa 21 accepts: {density:.2} for 100 lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(density <= MOST_HINTS, "{density} hints for 100 lines");
}

/// Every fix that is offered in real shaders, accepted or not: it takes its finding
/// away, and adds none of another kind.
#[test]
fn fixes_of_real_shaders_mend_them() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut applied: BTreeMap<&str, usize> = BTreeMap::new();
    let mut bad = Vec::new();
    for program in &programs {
        for region in tgsi::regions::split(&program.text).shaders {
            let text = region.text(&program.text);
            let found = findings(text);
            for finding in &found {
                for fix in &finding.fixes {
                    *applied.entry(finding.code.0).or_default() += 1;
                    let mended = text::apply_edits(text, &fix.edits).expect("edits that apply");
                    let left = findings(&mended);
                    // One finding may stand for several places: then the next is told. What
                    // stood behind the edits has moved.
                    let place = usize::from(finding.range.start());
                    let before = fix.edits.iter().filter(|it| usize::from(it.range.end()) <= place);
                    let place = before.fold(place, |place, edit| {
                        let range = edit.range;
                        place + edit.insert.len()
                            - (usize::from(range.end()) - usize::from(range.start()))
                    });
                    let still = left.iter().any(|it| {
                        it.code == finding.code && usize::from(it.range.start()) == place
                    });
                    // A word that is understood at last shows what else is there; where all
                    // were understood, nothing new may come.
                    let complete = found.iter().all(|it| it.severity != Severity::Error);
                    // Of a list of declarations nothing is said to be unused.
                    let complete = complete && finding.code.0 != "tgsi::missing-end";
                    let new = left
                        .iter()
                        .find(|it| complete && !found.iter().any(|before| before.code == it.code));
                    if still || new.is_some() {
                        let new = new.map(|new| new.code.0);
                        bad.push(format!(
                            "{}: {}: {}: still there: {still}, new: {new:?}",
                            program.name, finding.code.0, fix.title
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
}

fn findings(text: &str) -> Vec<text::Diagnostic> {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let mut found = parse.diagnostics;
    found.extend(parse.shader.iter().flat_map(|it| tgsi::validate(it, &no_checkpoint)));
    found
}
