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

/// Applying a fix removes its finding and adds none of its code.
#[test]
fn fixes_mend_what_they_promise() {
    let cases = [
        ("VERT\nDCL TEMP[0]\nEND", "tgsi::unused-declaration"),
        ("VERT\nPROPERTY FS_DEPTH_LAYOUT 1\nEND", "tgsi::property-stage"),
        ("FRAG\nPROPERTY FS_POST_DEPTH_COVERAGE 1\nEND", "tgsi::property-dependency"),
        ("VERT\nDCL IN[0]\nDCL TEMP[0]\nF2D TEMP[0].x, IN[0]\nEND", "tgsi::half-pair"),
    ];
    for (text, code) in cases {
        let found = validate(text);
        let finding = found.iter().find(|found| found.code.0 == code).expect(code);
        let fix = finding.fixes.first().expect("a fix");
        let mended = text::apply_edits(text, &fix.edits).expect("edits that apply");
        let left: Vec<&str> = validate(&mended).iter().map(|found| found.code.0).collect();
        assert!(!left.contains(&code), "{mended}: {left:?}");
        assert!(left.len() < found.len(), "{mended}: {left:?}");
    }
}

fn validate(text: &str) -> Vec<text::Diagnostic> {
    let shader = tgsi::parser::parse(text, &no_checkpoint).shader.expect("a shader");
    tgsi::validate(&shader, &no_checkpoint)
}
