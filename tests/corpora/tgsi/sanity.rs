//! Validation against the reference checker's verdicts over the corpora, kind by kind.
//!
//! Of real shaders the verdicts say how many errors and warnings the checker of Mesa 21
//! counts. The model of it (`tests::sanity`) must count the same in every file; what
//! kinds those are it tells, too. Of small probe files the checker's own words are known.
//! A shader with a fault of some kind has a diagnostic of ours of that kind, and one without
//! has none and no error, those excepted that are listed here with the document that
//! allows what the checker faults, or forbids what it passes.

use std::collections::BTreeMap;

use source::{Diagnostic, Severity, no_checkpoint};
use tests::corpora;
use tests::corpus::Program;
use tests::sanity::{self, Fault};
use tgsi::ast::{Shader, WriteMask};
use tgsi::words::{File, SemanticName};

/// The checker's kinds, its words for them, and our codes.
const KINDS: [(Fault, &str, &str); 9] = [
    (Fault::FileName, "Invalid register file name", "tgsi::null-file"),
    (Fault::Undeclared, "Undeclared", "tgsi::undeclared-register"),
    (Fault::Repeated, "declared more than once", "tgsi::duplicate-declaration"),
    (Fault::LateDeclaration, "but declaration found", "tgsi::late-declaration"),
    (Fault::LateImmediate, "but immediate found", "tgsi::late-declaration"),
    (Fault::ImmediateType, "Invalid immediate data type", "none: the documents allow it"),
    (Fault::SecondEnd, "Too many END", "tgsi::second-end"),
    (Fault::MissingEnd, "Missing END", "tgsi::missing-end"),
    (Fault::Opcode, "Invalid instruction opcode", "tgsi::gap-opcode"),
];

fn code(fault: Fault) -> &'static str {
    KINDS.iter().find(|kind| kind.0 == fault).map_or("", |kind| kind.2)
}

/// Returns the reason for which the checker faults what the documents allow; it has a name
/// and a citation.
fn known_mistake(fault: Fault, shader: &Shader) -> Option<&'static str> {
    // "Double ISA" and "64-bit integer ISA" of the Gallium documentation of 2020.
    if fault == Fault::ImmediateType {
        return Some("64-bit immediates are newer than its list of types");
    }
    // "PIPE_CAP_TGSI_ARRAY_COMPONENTS", the same: masks may declare overlapping ranges.
    let masked =
        |it: &&tgsi::ast::Declaration| it.mask.is_some_and(|mask| mask.value != WriteMask::ALL);
    if fault == Fault::Repeated && shader.declarations().filter(masked).count() > 1 {
        return Some("components of one register are declared apart");
    }
    // "TGSI_SEMANTIC_PRIMID", the same: an ordinary input, which the primitive has once.
    let primitive = shader.declarations().any(|it| {
        it.file.value == File::Input
            && it.semantic.is_some_and(|it| it.value.name == SemanticName::PrimitiveId)
    });
    if fault == Fault::Undeclared && primitive {
        return Some("PRIM_ID is not an input of each vertex");
    }
    // Register files of "TGSI token format": one index of CONST means buffer 0.
    let buffer = shader.declarations().any(|it| {
        it.file.value == File::Constant
            && it.dimension.flatten().is_some_and(|buffer| buffer.value.first == 0)
    });
    if fault == Fault::Undeclared && buffer {
        return Some("constants of buffer 0 may be named with one index");
    }
    None
}

struct Found {
    shader: Shader,
    found: Vec<Diagnostic>,
}

fn validated(text: &str) -> Vec<Found> {
    let regions = tgsi::regions::split(text).shaders;
    let shaders = regions.iter().filter_map(|region| {
        let parse = tgsi::parser::parse(region.text(text), &no_checkpoint);
        let shader = parse.shader?;
        let mut found = parse.diagnostics;
        found.extend(tgsi::validate(&shader, &no_checkpoint));
        Some(Found { shader, found })
    });
    shaders.collect()
}

/// Compares kinds; returns what differs and is not known.
fn compare(
    found: &Found,
    faults: &[Fault],
    excused: &mut BTreeMap<&'static str, usize>,
) -> Vec<String> {
    let has = |code: &str| found.found.iter().any(|it| it.code.0 == code);
    let mut bad = Vec::new();
    for fault in faults {
        if has(code(*fault)) {
            continue;
        }
        match known_mistake(*fault, &found.shader) {
            Some(why) => *excused.entry(why).or_default() += 1,
            None => bad.push(format!("it finds {fault:?}, and we no {}", code(*fault))),
        }
    }
    for (_, _, ours) in KINDS {
        let theirs = faults.iter().any(|fault| code(*fault) == ours);
        if has(ours) && !theirs {
            bad.push(format!("we find {ours}, and it does not"));
        }
    }
    bad
}

#[test]
fn verdicts_agree_with_the_reference_checker() {
    let programs = corpora::programs_with_verdicts();
    let mut excused: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<Fault, usize> = BTreeMap::new();
    let (mut faulted, mut passed, mut bad) = (0, 0, Vec::new());
    for corpora::ProgramVerdicts { program, sanity_errors, sanity_warnings, .. } in &programs {
        let Program { name, text, .. } = program;
        let (Some(errors), Some(warnings)) = (sanity_errors, sanity_warnings) else { continue };
        let shaders = validated(text);
        let [only] = &shaders[..] else {
            bad.push(format!("{name}: {} shaders", shaders.len()));
            continue;
        };
        let verdict = sanity::check(&only.shader);
        if (verdict.errors(), verdict.unused) != (*errors, *warnings) {
            let (ours, unused) = (verdict.errors(), verdict.unused);
            bad.push(format!(
                "{name}: the model counts {ours} errors and {unused} warnings, the checker \
                 {errors} and {warnings}"
            ));
        }
        match errors {
            0 => passed += 1,
            _ => faulted += 1,
        }
        let faults: Vec<Fault> = verdict.faults.keys().copied().collect();
        faults.iter().for_each(|fault| *kinds.entry(*fault).or_default() += 1);
        let differs = compare(only, &faults, &mut excused);
        bad.extend(differs.into_iter().map(|what| format!("{name}: {what}")));
        if let Some(error) = only.found.iter().find(|it| it.severity == Severity::Error) {
            bad.push(format!("{name}: it parses, and we say {}", error.message));
        }
    }
    eprintln!("{passed} files that the reference check passes, {faulted} that it faults");
    for (fault, count) in kinds {
        eprintln!("{count:6} with {fault:?}");
    }
    for (why, count) in excused {
        eprintln!("{count:6} of them wrongly: {why}");
    }
    assert!(bad.is_empty(), "{} disagree:\n{}", bad.len(), bad.join("\n"));
}

/// The probe files of which the checker's words are known, which are also the first of
/// what the model finds.
#[test]
fn the_checkers_words_name_our_kinds() {
    let root = corpora::shared("data/tgsi");
    let table = std::fs::read_to_string(root.join("PARSER-CASES.tsv")).expect("a table");
    let mut seen = 0;
    for row in table.lines().skip(1) {
        let mut fields = row.split('\t');
        let (name, verdict) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let Some((_, words)) = verdict.split_once("sanity: ") else { continue };
        let path = root.join("parser-cases").join(format!("{name}.tgsi"));
        let text = std::fs::read_to_string(path).expect("a probe file");
        let shaders = validated(&text);
        let known = KINDS.iter().find(|kind| words.contains(kind.1));
        let (fault, _, _) = known.unwrap_or_else(|| panic!("{name}: no kind for {words}"));
        let faults: Vec<Fault> =
            shaders.iter().flat_map(|it| sanity::check(&it.shader).faults.into_keys()).collect();
        assert!(faults.contains(fault), "{name}: {words}; the model finds {faults:?}");
        let excused = shaders.iter().any(|it| known_mistake(*fault, &it.shader).is_some());
        let ours = shaders.iter().any(|it| it.found.iter().any(|it| it.code.0 == code(*fault)));
        assert!(ours || excused, "{name}: {words}");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
    eprintln!("{seen} probe files with words of the checker");
}
