//! Every form of the grammar, and what is said of each mistake.

mod declarations;
mod instructions;
mod plain;

use std::fmt::Write;

use expect_test::{Expect, expect};
use source::{Severity, no_checkpoint};

use crate::ast::*;

/// Returns what was understood of a text, a line each, then what was found wrong.
fn show(text: &str) -> String {
    let parse = super::parse(text, &no_checkpoint);
    let mut out = String::new();
    if let Some(shader) = &parse.shader {
        let _ = writeln!(out, "{}", shader.stage.value);
        for statement in &shader.statements {
            let mark = if statement.broken { "! " } else { "  " };
            let _ = writeln!(out, "{mark}{}", statement_words(text, statement));
        }
    }
    for found in &parse.diagnostics {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let place = &text[found.range];
        let _ = writeln!(out, "{severity} {place:?}: {}", found.message);
        for fix in &found.fixes {
            let fixed = source::apply_edits(text, &fix.edits).expect("a fix that applies");
            let line = fixed.lines().find(|line| !text.lines().any(|old| old == *line));
            let _ = writeln!(out, "    {}: {:?}", fix.title, line.unwrap_or_default());
        }
    }
    out
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text));
}

fn statement_words(text: &str, statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Declaration(declaration) => declaration_words(declaration),
        StatementKind::Immediate(immediate) => {
            let bits: Vec<String> =
                immediate.bits.iter().map(|bits| format!("{bits:#x}")).collect();
            let index = immediate.index.map(|index| index.value);
            format!("IMM {index:?} {} {}", immediate.ty.value, bits.join(" "))
        }
        StatementKind::Property(property) => {
            let name = property.name.map(|name| name.value.word());
            let value = property.value.map(|value| value.value);
            format!("PROPERTY {name:?} {value:?}")
        }
        StatementKind::Instruction(instruction) => instruction_words(instruction),
        StatementKind::Unknown => format!("? {:?}", &text[statement.range]),
    }
}

fn declaration_words(declaration: &Declaration) -> String {
    let mut out = format!("DCL {}", declaration.file.value);
    let range = |range: IndexRange| format!("[{}..{}]", range.first, range.last);
    match declaration.dimension {
        Some(Some(dimension)) => out += &range(dimension.value),
        Some(None) => out += "[]",
        None => {}
    }
    out += &range(declaration.range.value);
    let mut add = |word: String| out += &format!(" {word}");
    if let Some(mask) = declaration.mask {
        add(mask_words(mask.value));
    }
    if let Some(array) = declaration.array {
        add(format!("array={}", array.value));
    }
    if declaration.local {
        add("local".to_owned());
    }
    if let Some(semantic) = declaration.semantic {
        add(format!("{}[{}]", semantic.value.name, semantic.value.index));
    }
    if let Some(streams) = declaration.streams {
        add(format!("streams={:?}", streams.value));
    }
    if let Some(interpolation) = declaration.interpolation {
        add(interpolation.value.to_string());
    }
    if let Some(location) = declaration.location {
        add(location.value.to_string());
    }
    if declaration.invariant {
        add("invariant".to_owned());
    }
    if let Some(image) = &declaration.image {
        let format = image.format.as_ref().map(|format| format.value.as_str());
        add(format!("{} {format:?} wr={} raw={}", image.target.value, image.writable, image.raw));
    }
    if let Some(view) = declaration.sampler_view {
        add(format!("{} {:?}", view.target.value, view.returns));
    }
    if declaration.atomic {
        add("atomic".to_owned());
    }
    if let Some(memory) = declaration.memory {
        add(memory.value.to_string());
    }
    if !declaration.initializers.is_empty() {
        add(format!("{:x?}", declaration.initializers));
    }
    out
}

fn instruction_words(instruction: &Instruction) -> String {
    let mut out = format!("{}: {}", instruction.ordinal, instruction.opcode.value.mnemonic());
    if instruction.saturate {
        out += " sat";
    }
    if instruction.precise {
        out += " precise";
    }
    if let Some(predicate) = &instruction.predicate {
        let not = if predicate.inverted { "!" } else { "" };
        out += &format!(" if({not}{})", register_words(&predicate.register));
    }
    for destination in &instruction.destinations {
        out +=
            &format!(" {}{}", register_words(&destination.register), mask_words(destination.mask));
    }
    for source in &instruction.sources {
        let sign = if source.negate { "-" } else { "" };
        let bar = if source.absolute { "|" } else { "" };
        let letters: String = source.swizzle.0.into_iter().map(Component::letter).collect();
        out += &format!(" {sign}{bar}{}.{letters}{bar}", register_words(&source.register));
    }
    if let Some(target) = instruction.target {
        out += &format!(" {}", target.value);
    }
    for offset in &instruction.offsets {
        let letters: String = offset.swizzle.into_iter().map(Component::letter).collect();
        out += &format!(" +{}.{letters}", register_words(&offset.register));
    }
    for qualifier in &instruction.qualifiers {
        out += &format!(" {}", qualifier.value);
    }
    if let Some(format) = &instruction.format {
        out += &format!(" {}", format.value);
    }
    if let Some(label) = instruction.label {
        out += &format!(" :{}", label.value);
    }
    out
}

fn register_words(register: &Register) -> String {
    let index = |index: Index| match index.indirect {
        None => format!("[{}]", index.offset),
        Some(base) => {
            let array = base.array.map_or(String::new(), |array| format!("({array})"));
            let letter = base.component.letter();
            format!("[{}[{}].{letter}{:+}]{array}", base.file, base.index, index.offset)
        }
    };
    let dimension = register.dimension.map_or(String::new(), index);
    format!("{}{dimension}{}", register.file, index(register.index))
}

fn mask_words(mask: WriteMask) -> String {
    format!(".{}", mask.components().map(Component::letter).collect::<String>())
}

#[test]
fn headers() {
    check(
        "  tess_ctrl END",
        expect![[r#"
        TESS_CTRL
          1: END
    "#]],
    );
    check(
        "FRAG1.1\nEND",
        expect![[r#"
        FRAG
          1: END
        hint "FRAG1.1": headers have no version since 2009: today this is `FRAG`
            Write `FRAG`: "FRAG"
    "#]],
    );
    check(
        "FRAG2.0\nEND",
        expect![[r#"
        FRAG
          1: END
        error "FRAG2.0": no reader knows this version of the header; write `FRAG`
            Write `FRAG`: "FRAG"
    "#]],
    );
    check(
        "VERT:\nEND",
        expect![[r#"
            VERT
              1: END
            error ":": only white space may follow the header `VERT`, found `:`
                Remove the `:`: "VERT"
        "#]],
    );
    check(
        "VERT\nVERT\nEND",
        expect![[r#"
        VERT
        ! ? "VERT"
          1: END
        error "VERT": a shader has one header; `VERT` is a second one
    "#]],
    );
    check(
        "FRGA\nEND",
        expect![[r#"
            error "FRGA": expected a header such as `FRAG`, found `FRGA`; did you mean `FRAG`?
                Replace by `FRAG`: "FRAG"
        "#]],
    );
    check(
        "",
        expect![[r#"
        error "": the text is empty; a shader begins with `FRAG`, `VERT`, `GEOM`, `TESS_CTRL`, `TESS_EVAL` or `COMP`
    "#]],
    );
}

#[test]
fn white_space_and_comments() {
    check(
        "VERT\r\nMOV TEMP[0], // a\r\n  IN[0]\u{c}/* b */END\r\n# tungsten: target=tahiti\n# c",
        expect![[r#"
            VERT
              1: MOV TEMP[0].xyzw IN[0].xyzw
              2: END
            hint "\r\n": lines end with a carriage return, which the reference parser refuses (and in 2 more places)
                End lines with a line feed only: ""
                End lines with a line feed only everywhere in this shader: ""
            hint "// a": TGSI has no comments: the reference parser refuses this (and in 2 more places)
                Remove the comment: "MOV TEMP[0], "
                Remove the comment everywhere in this shader: "MOV TEMP[0], "
            hint "\u{c}": the reference parser knows only blanks, tabs and line feeds as white space
                Write plain blanks: "  IN[0] /* b */END"
        "#]],
    );
    check(
        "VERT\n/* NOP\nEND",
        expect![[r#"
            VERT
              1: END
            error "/*": no `*/` ends this comment; only this line is taken for a comment
                Remove the comment: ""
        "#]],
    );
}

#[test]
fn an_error_stays_in_its_statement() {
    check(
        "VERT\nMOV TEMP[0] q END\nMOV TEMP[0],\n  FOO[1]\nMOV TEMP[0], IN[0] MOV TEMP[1], q, END\nADD TEMP[0],\n  IN[0],\n  5.0\nEND",
        expect![[r#"
            VERT
            ! 1: MOV TEMP[0].xyzw
              2: END
            ! 3: MOV TEMP[0].xyzw
              4: MOV TEMP[0].xyzw IN[0].xyzw
            ! 5: MOV TEMP[1].xyzw
            ! 6: ADD TEMP[0].xyzw IN[0].xyzw
              7: END
            error "q": expected `,` and the next operand, found `q`
            error "FOO": expected a source register, but `FOO` is not a register file
            error "q": expected a source register, but `q` is not a register file
            error "5": operands are registers: declare the value with `IMM[n] FLT32 { … }` and name it `IMM[n]`
                Declare it as `IMM[0]`: "IMM[0] FLT32 {5.0, 0.0, 0.0, 0.0}"
        "#]],
    );
}

#[test]
fn findings_are_counted_at_the_end() {
    let text = format!("VERT\n{}", "FOO\n".repeat(2000));
    let found = super::parse(&text, &no_checkpoint).diagnostics;
    assert_eq!(found.len(), source::MAX_DIAGNOSTICS);
    assert_eq!(
        found.last().map(|last| last.message.as_str()),
        Some("1501 more diagnostics are not shown")
    );
}

#[test]
fn lines_whose_first_word_is_lost_are_what_they_can_only_declare() {
    let meant = |line: &str| {
        let text = format!("FRAG\n{line}\nEND");
        let shader = super::parse(&text, &source::no_checkpoint).shader.expect("a header");
        let meant = shader.unread[0].meant.as_deref();
        meant.map(crate::print::kind)
    };
    for line in [
        "DCL TEMP[0..3]",
        "DCL SAMP[0]",
        "DCL IN[0], GENERIC[0], PERSPECTIVE",
        "IMM[0] FLT32 {0.0, 1.0, 2.0, 3.0}",
        "IMM FLT32 {0.0, 1.0, 2.0, 3.0}",
        "PROPERTY FS_COORD_ORIGIN UPPER_LEFT",
    ] {
        let rest = line.trim_start_matches(|it: char| it.is_ascii_uppercase());
        for broken in [format!("QQXZ{rest}"), rest.trim_start().to_owned(), format!("MOV {line}")] {
            assert_eq!(meant(&broken).as_deref(), Some(line), "{broken}");
        }
    }
    // These may be instructions of any opcode.
    for line in ["QQXZ TEMP[0]", "QQXZ TEMP[0], IN[0]", "QQXZ TEMP[0], IN[0], SAMP[0], 2D"] {
        assert_eq!(meant(line), None, "{line}");
    }
}

/// The word that is missing on a line is put there, whatever else is wrong before it.
#[test]
fn a_missing_word_is_inserted_in_its_own_line() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                MVO TEMP[0], IN[0]\nSLT TEMP[0], IN[0], IN[0]\n TEMP[0].xxxx\n\
                MOV OUT[0], IN[0]\nENDIF\nEND\n";
    let found = super::parse(text, &no_checkpoint).diagnostics;
    let titles: Vec<&str> = found.iter().map(|it| it.fixes[0].title.as_str()).collect();
    assert_eq!(titles, ["Replace by `MOV`", "Insert `IF`"]);
}

/// A number at the end of what is not understood may be the beginning of another.
#[test]
fn a_number_that_is_cut_off_may_be_any_that_begins_so() {
    let writes = |statement: &str, other: &str| {
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..40]\n{statement}\nMOV OUT[0], TEMP[{other}]\nEND\n"
        );
        let shader = super::parse(&text, &no_checkpoint).shader.expect("a shader");
        let found = crate::validate(&shader, &no_checkpoint);
        !found.iter().any(|it| it.code == crate::codes::UNWRITTEN_TEMPORARY)
    };
    for (statement, other, may) in [
        ("MOV TEMP[1", "1", true),
        ("MOV TEMP[1", "12", true),
        ("MOV TEMP[1", "19", true),
        ("MOV TEMP[1", "20", false),
        ("MOV TEMP[0", "3", false),
        ("MOV TEMP[3", "35", true),
        ("MOV TEMP[1], 1", "12", false),
    ] {
        assert_eq!(writes(statement, other), may, "{statement} {other}");
    }
}
