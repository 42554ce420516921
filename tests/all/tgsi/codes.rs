//! Each diagnostic of TGSI has a page and two examples: the wrong one has the
//! diagnostic, the right one does not, and the fix that is promised fixes it.

use std::collections::BTreeSet;

use engine::{Host, Language, Settings};
use source::Diagnostic;

/// The diagnostics of a file. Profiles come from the text's own settings.
fn check(text: &str) -> Vec<Diagnostic> {
    let mut host = Host::new(Settings::default());
    let id = host.set_file("a.tgsi", text.into(), Language::Tgsi);
    host.snapshot().diagnostics(id).expect("not cancelled")
}

#[test]
fn every_code_has_a_page_and_examples() {
    let with_examples: BTreeSet<&str> = tgsi::codes::examples().map(|it| it.code).collect();
    assert_eq!(with_examples.len(), tgsi::codes::examples().count(), "a code stands twice");
    for code in tgsi::codes::ALL {
        assert!(tgsi::codes::explain(code.0).is_some_and(|page| page.len() > 40), "{}", code.0);
        let has = with_examples.contains(code.0);
        assert_eq!(has, *code != tgsi::codes::TOO_MANY_ERRORS, "{}", code.0);
    }
    for code in with_examples {
        assert!(tgsi::codes::ALL.iter().any(|it| it.0 == code), "{code} is not code");
    }
    let many = "FRAG\n".to_owned() + &"FOO\n".repeat(100_000);
    let last = check(&many).pop().expect("diagnostics");
    assert!(last.code.0.contains("too-many"), "{}", last.code.0);
}

#[test]
fn the_wrong_example_has_the_diagnostic_and_the_right_one_does_not() {
    let mut bad = Vec::new();
    for example in tgsi::codes::examples() {
        let codes = |text: &str| -> Vec<&str> { check(text).iter().map(|it| it.code.0).collect() };
        let (wrong, right) = (codes(example.wrong), codes(example.right));
        if !wrong.contains(&example.code) {
            bad.push(format!("{}: wrong, and has {wrong:?}", example.code));
        }
        if right.contains(&example.code) {
            bad.push(format!("{}: right, and has {right:?}", example.code));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn fixes_do_what_they_promise_and_nothing_breaks() {
    let mut bad = Vec::new();
    let mut fixed = 0;
    for example in tgsi::codes::examples() {
        let found = check(example.wrong);
        let Some(diagnostic) = found.iter().find(|it| it.code.0 == example.code) else { continue };
        if diagnostic.fixes.is_empty() == example.has_fix {
            bad.push(format!("{}: fixes {:?}", example.code, diagnostic.fixes));
        }
        for fix in &diagnostic.fixes {
            let text = source::apply_edits(example.wrong, &fix.edits).expect("edits that apply");
            let left = check(&text);
            let still = left.iter().filter(|it| it.code.0 == example.code).count();
            let before = found.iter().filter(|it| it.code.0 == example.code).count();
            let known = |code: &str| found.iter().any(|it| it.code.0 == code);
            let new: Vec<&str> = left.iter().map(|it| it.code.0).filter(|it| !known(it)).collect();
            if still >= before || !new.is_empty() {
                bad.push(format!(
                    "{}: {}: still {still}, new {new:?}\n{text}",
                    example.code, fix.title
                ));
            }
            fixed += 1;
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(fixed > 20, "{fixed}");
    eprintln!("{fixed} fixes applied");
}

/// The suite shows what each example says, word by word and place by place.
#[test]
fn every_code_stands_in_a_suite_with_and_without_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/codes.md");
    let text = std::fs::read_to_string(path).expect("the suite");
    let cases = tests::literate::read(&text);
    let case = |name: &str| cases.iter().find(|case| case.name == name);
    for example in tgsi::codes::examples() {
        // A carriage return is not a line of a Markdown file.
        if example.wrong.contains('\r') {
            continue;
        }
        let code = example.code;
        let wrong = case(code).unwrap_or_else(|| panic!("{code}"));
        let right = case(&format!("{code}, fixed")).unwrap_or_else(|| panic!("{code}, fixed"));
        let block = |case: &tests::literate::Case, kind: &str| {
            case.block(kind).map(|block| block.text.clone())
        };
        assert_eq!(block(wrong, "tgsi"), Some(example.wrong.to_owned()), "{code}");
        assert_eq!(block(right, "tgsi"), Some(example.right.to_owned()), "{code}");
        let says = |case| {
            block(case, "diagnostics-tgsi").map(|found| found.contains(&format!(" {code}:")))
        };
        assert_eq!(says(wrong), Some(true), "{code}");
        assert_eq!(says(right), Some(false), "{code}");
        assert_eq!(block(wrong, "fixed").is_some(), example.has_fix, "{code}");
    }
}
