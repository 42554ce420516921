//! Validation of real shaders: hints stay few, and no code warns that is not listed.

use std::collections::BTreeMap;

use source::{Severity, no_checkpoint};
use tests::checks::fixes::fixes_hold;
use tests::checks::hints::{Hints, MOST_HINTS as MOST_HINTS_OF_DRIVERS};
use tests::corpora;

#[test]
fn fixes_of_real_shaders_repair_them() {
    assert!(fixes_hold(&corpora::tgsi_programs()) > 500);
}

#[test]
fn hints_of_shaders_that_drivers_made_are_few() {
    let programs = corpora::tgsi_programs();
    let made = programs.iter().filter(|it| it.name.starts_with("mesa22-virgl-piglit"));
    let found = Hints::of(made.map(|it| it.text.as_str()));
    println!("{found:?}: {:.2} for 100 lines", found.density());
    assert!(found.lines > 10_000, "{found:?}");
    assert!(found.density() <= MOST_HINTS_OF_DRIVERS, "{found:?}");
}

/// The most hints for 100 lines of shaders that Mesa 21 accepts, people's own among them.
const MOST_HINTS: f64 = 2.0;

/// Codes that warn in shaders that a reference accepts: a code that is new here
/// must be looked at before it is listed. Of what is listed, texel fetches of
/// cube maps are forbidden by the documents, `LINES` is nothing that a geometry
/// shader can make, and the temporaries are written by no instruction.
const KNOWN_WARNINGS: [&str; 5] = [
    "tgsi::duplicate-declaration",
    "tgsi::missing-end",
    "tgsi::property-value",
    "tgsi::texture-target",
    "tgsi::unwritten-temporary",
];

#[test]
fn hints_are_few_and_warnings_known() {
    let programs = corpora::programs_with_verdicts();
    let (mut lines, mut hints) = (0, 0);
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in programs.iter().filter(|entry| entry.program.accepted) {
        let program = &entry.program;
        lines += program.text.lines().count() * usize::from(entry.accepted_by_mesa_21);
        for region in tgsi::regions::split(&program.text).shaders {
            let text = region.text(&program.text);
            let parse = tgsi::parser::parse(text, &no_checkpoint);
            let Some(shader) = parse.shader else { continue };
            for found in tgsi::validate(&shader, &no_checkpoint) {
                *counts.entry((found.code.0, found.severity)).or_default() += 1;
                let known = match found.severity {
                    Severity::Error => corpora::CUT_OFF.contains(&program.name.as_str()),
                    Severity::Warning => KNOWN_WARNINGS.contains(&found.code.0),
                    Severity::Hint => true,
                };
                if !known {
                    wrong.push(format!("{}: {} {}", program.name, found.code.0, found.message));
                }
                if found.severity == Severity::Hint && entry.accepted_by_mesa_21 {
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
