//! Regions of texts with logs, comments and mistakes.

use super::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let regions = split(text);
    let mut out = String::new();
    for region in regions.shaders {
        out += &format!("{:?}\n", region.text(text));
    }
    for found in regions.diagnostics {
        out += &format!("{:?} {:?}: {}\n", found.severity, &text[found.range], found.message);
    }
    expected.assert_eq(&out);
}

#[test]
fn shaders_are_told_from_logs() {
    check(
        "log: FRAG x\n\n FRAG\nDCL IN[0]\n  1: END\n\nmore log; 12\nVERT END\nGEOM\nEND\nNOP\n5:\nlog\n",
        expect![[r#"
            "FRAG\nDCL IN[0]\n  1: END"
            "VERT END"
            "GEOM\nEND\nNOP\n5:"
        "#]],
    );
    check(
        "// TGSI\nvert1.1\r\nEND\r\n0: MOV temp[0], const[0];\nvert of 3\n",
        expect![[r#"
        "vert1.1\r\nEND"
    "#]],
    );
    check(
        "FRAG\nNOP # END\n/* END\nVERT */\nFOO bar\nEND // x\n\n# y\nlog",
        expect![[r#"
            "FRAG\nNOP # END\n/* END\nVERT */\nFOO bar\nEND"
        "#]],
    );
}

#[test]
fn a_header_alone_swallows_a_second_one() {
    check(
        "VERT\nVERT\nEND\n",
        expect![[r#"
        "VERT\nVERT\nEND"
    "#]],
    );
    check(
        "VERT:\nEND",
        expect![[r#"
        "VERT:\nEND"
    "#]],
    );
    check(
        "VERT\n/* never closed\nFRAG\nEND",
        expect![[r#"
        "VERT\n/* never closed\nFRAG\nEND"
    "#]],
    );
}

#[test]
fn missing_headers_are_named() {
    check(
        "",
        expect![[r#"
        Error "": no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own
    "#]],
    );
    check(
        "\n  hello\n",
        expect![[r#"
        Error "hello": no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own
    "#]],
    );
    check(
        "FRAGMENT\nDCL OUT[0], COLOR\nEND",
        expect![[r#"
        Error "FRAGMENT": no header: did you mean `FRAG` instead of `FRAGMENT`?
    "#]],
    );
    check(
        "log\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nVERT\nEND\nFRGA\nDCL IN[0]\n",
        expect![[r#"
            "VERT\nEND"
            Error "DCL OUT[0], COLOR": this statement belongs to no shader: a header such as `FRAG` must come first
            Error "FRGA": no header: did you mean `FRAG` instead of `FRGA`?
        "#]],
    );
    check(
        "\u{feff}FRAG\nEND",
        expect![[r#"
        "FRAG\nEND"
        Hint "\u{feff}": the text begins with a byte order mark, which the reference parser refuses
    "#]],
    );
    check(
        "Vert is the only header here\nEND",
        expect![[r#"
        "Vert is the only header here\nEND"
    "#]],
    );
}

/// The holes of the format strings of each language, in the ways in which they quote a shader.
#[test]
fn holes_of_any_language_are_no_text() {
    let lines = |hole: &str| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[{hole}], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND"
        )
    };
    let escaped = |hole: &str| lines(hole).replace('\n', "\\n");
    let margin = |hole: &str| lines(hole).replace('\n', "\n  |");
    for text in [
        format!("sprintf(s, \"{}\\n\", n);", escaped("%d")),
        format!("sprintf(s, \"{}\\n\", n);", escaped("%\" PRIu32 \"")),
        format!("s = \"FRAG\\n\" << \"{}\\n\";", &escaped("\" << n << \"")[6..]),
        format!("let s = format!(\"{}\\n\");", escaped("{n}")),
        format!("s = `{}`;", lines("${n}")),
        format!("s = '{}';", escaped("' + n + '")),
        format!("val s = \"\"\"\n  |{}\n\"\"\"", margin("$n")),
        format!("$s = \"{}\\n\";", escaped("$a->n")),
        format!("$s = '{}';", escaped("' . $n . '")),
        format!("s = <<~EOS\n{}\nEOS\n", lines("#{n + 1}")),
        format!("cat <<'EOF' >file\n{}\nEOF\n", lines("$(f)")),
        format!("let s = \"\"\"\n{}\n\"\"\"", lines("\\(n)")),
        format!("let s = \"{}\\n\"", escaped("\\(n)")),
        format!("s = \"{}\"", escaped("{{ n }}")),
        format!("s = \"{}\"", escaped("\" .. n .. \"")),
    ] {
        let regions = split(&text);
        let shaders: Vec<&str> = regions.shaders.iter().map(|it| it.text(&text).trim()).collect();
        assert_eq!(shaders, [lines("\u{1a}")], "{text}");
    }
}

#[test]
fn gaps_of_haskell_join_lines() {
    check(
        "a = \"FRAG\\n\\\n    \\DCL OUT[0], COLOR\\n\\\n    \\END\\n\"\n",
        expect![[r#"
            "FRAG\nDCL OUT[0], COLOR\nEND"
        "#]],
    );
}

/// Of literals between lines of the preprocessor one form is read, and nothing is wrong with it.
#[test]
fn a_shader_with_conditions_has_one_form() {
    let own = |middle: &str| {
        let text = format!("t =\n\"FRAG\\n\"\n{middle}\"MOV OUT[0], IMM[0]\\n\"\n\"END\\n\";\n");
        let regions = split(&text);
        let shaders: Vec<String> =
            regions.shaders.iter().map(|it| it.text(&text).to_owned()).collect();
        let errors = regions.shaders.iter().filter(|it| {
            let said = crate::holes::diagnostics(it.text(&text), &source::no_checkpoint);
            said.iter().any(|it| it.severity == source::Severity::Error)
        });
        (shaders, errors.count(), regions.diagnostics.len())
    };
    let out = "\"DCL OUT[0], COLOR\\n\"\n";
    let imm = |value: u8| format!("\"IMM[0] FLT32 {{{value}, 0, 0, 0}}\\n\"\n");
    let (one, two) = (imm(1), imm(2));
    let expected = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 0}\nMOV OUT[0], IMM[0]\nEND";
    for middle in [
        format!("{out}#ifdef A\n{one}#else\n{two}#endif\n"),
        format!("{out}#if A > 1\n{one}#elif A\n{two}#else\n{two}#endif\n"),
        format!("#ifdef A\n{out}{one}#else\n{out}{two}#endif\n"),
        format!("{out}#ifdef A\n{one}#endif\n#ifndef A\n{two}#endif\n"),
        format!("#if B\n{out}#if A\n{one}#else\n{two}#endif\n#else\n{out}{two}#endif\n"),
    ] {
        assert_eq!(own(&middle), (vec![expected.to_owned()], 0, 1), "{middle}");
    }
    // A condition behind the shader is not its own.
    let text = "t = {\"FRAG\\nEND\\n\",\n#ifdef A\n\"VERT\\nEND\\n\"\n#endif\n};\n";
    let regions = split(text);
    assert_eq!((regions.shaders.len(), regions.diagnostics.len()), (2, 0));
    // Nothing was left out for certain.
    let (shaders, ..) = own(&format!("{out}#if 0\n{two}#else\n{one}#endif\n"));
    assert_eq!(shaders, [expected]);
    // One condition may exclude the other.
    let (shaders, errors, _) =
        own(&format!("{out}#if A > 1\n{one}#endif\n#if A < 1\n{two}#endif\n"));
    assert_eq!((shaders.len(), errors), (1, 0), "{shaders:?}");
}

/// Both shaders of a literal that is one or the other are there.
#[test]
fn a_shader_in_each_branch_is_one_of_its_own() {
    let text =
        "t =\n#ifdef A\n\"FRAG\\n\"\n\"END\\n\"\n#else\n\"VERT\\n\"\n\"END\\n\"\n#endif\n;\n";
    let regions = split(text);
    let shaders: Vec<&str> = regions.shaders.iter().map(|it| it.text(text)).collect();
    assert_eq!(shaders, ["FRAG\nEND", "VERT\nEND"]);
}
