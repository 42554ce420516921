//! Opcodes are named by their tables alone, and no table is read when the program runs.

use crate::architecture::{code_of, root};

/// The string literals of a source, comments left out, each with what stands before it in
/// its line.
pub(crate) fn literals(code: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut line = String::new();
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(after) = ["'\"'", "'\\\"'"].iter().find_map(|it| rest.strip_prefix(it)) {
            rest = after;
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            let end = raw.find("\"#").unwrap_or(raw.len());
            found.push((line.clone(), raw[..end].to_owned()));
            rest = raw.get(end + 2..).unwrap_or_default();
        } else if letter == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|it| {
                let ends = it == '"' && !escaped;
                escaped = it == '\\' && !escaped;
                ends
            });
            let end = end.unwrap_or(rest.len() - 1) + 1;
            found.push((line.clone(), rest[1..end].to_owned()));
            rest = rest.get(end + 1..).unwrap_or_default();
        } else {
            line.push(letter);
            if letter == '\n' {
                line.clear();
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    found
}

/// Tells whether a literal is a part of a name rather than a whole one.
fn is_part(before: &str, literal: &str) -> bool {
    let calls = ["starts_with(", "ends_with(", "strip_prefix(", "find(", "contains("];
    calls.iter().any(|call| before.ends_with(call)) || literal.ends_with('_')
}

/// Tells whether a literal names an opcode of TGSI, or the beginning of some.
fn names_opcode((before, literal): &(String, String)) -> bool {
    let is_part = is_part(before, literal);
    let is_word = |text: &str| {
        text.len() > 1
            && text.bytes().all(|it| it.is_ascii_uppercase() || b"_0123456789".contains(&it))
    };
    is_word(literal)
        && tgsi::Opcode::all().map(tgsi::Opcode::mnemonic).any(|mnemonic| {
            mnemonic == literal || is_part && mnemonic.starts_with(literal.as_str())
        })
}

#[test]
fn opcodes_of_tgsi_are_named_by_their_table_alone() {
    let sample = "matches!(word, \"TXL\" | \"no\") // \"TEX\"\n&& it == b\"END\" || it.starts_with(\"INTERP_\")";
    assert_eq!(literals(sample).iter().filter(|it| names_opcode(it)).count(), 3);
    let mut files = 0;
    for folder in ["isa", "tgsi", "tgsi-interp", "lower", "engine", "diff-exec"] {
        for (name, code) in code_of(&format!("analysis/{folder}")) {
            // The other instruction set has encodings with names of opcodes of this one.
            if name.contains("isa/src/gcn/") {
                continue;
            }
            files += 1;
            let named: Vec<_> = literals(&code).into_iter().filter(names_opcode).collect();
            assert!(named.is_empty(), "{name} names opcodes by literals: {named:?}");
        }
    }
    for (name, code) in code_of("server") {
        let named: Vec<_> = literals(&code).into_iter().filter(names_opcode).collect();
        assert!(named.is_empty(), "{name} names opcodes by literals: {named:?}");
    }
    assert!(files > 200, "{files}");
}

#[test]
fn opcodes_of_gcn_are_named_by_their_table_alone() {
    let is_opcode = |it: &(String, String)| {
        // The target of an export is not an opcode, though the word is one.
        it.1 != "exp" && isa::gcn::Opcode::find(&it.1).is_some()
    };
    assert_eq!(
        literals("a(\"s_nop\", \"b\") // \"s_nop\"").iter().filter(|it| is_opcode(it)).count(),
        1
    );
    for (folder, least) in [("analysis/gcn", 100), ("analysis/gcn-emu", 40)] {
        let files = code_of(folder);
        assert!(files.len() > least);
        for (name, code) in files {
            let named: Vec<_> = literals(&code).into_iter().filter(is_opcode).collect();
            assert!(named.is_empty(), "{name} names {named:?}: match on the enum");
        }
    }
}

#[test]
fn the_emulator_forms_no_families_by_the_beginnings_of_names() {
    let is_beginning = |(before, literal): &(String, String)| {
        let begins = |opcode: isa::gcn::Opcode| opcode.name().starts_with(literal.as_str());
        literal.len() > 1 && is_part(before, literal) && isa::gcn::Opcode::all().any(begins)
    };
    let sample = literals("it.starts_with(\"v_cmp\") || prefix == \"s_load_\" || it == \"vdst\"");
    assert_eq!(sample.iter().filter(|it| is_beginning(it)).count(), 2);
    for (name, code) in code_of("analysis/gcn-emu") {
        let named: Vec<_> = literals(&code).into_iter().filter(is_beginning).collect();
        assert!(named.is_empty(), "{name} tests names for {named:?}: see `isa::gcn::operation`");
    }
}

/// Tells whether a literal is compared with a part of a mnemonic of GCN.
fn is_part_of_mnemonic((before, literal): &(String, String)) -> bool {
    let word = literal.trim();
    let is_word = word.len() > 1
        && word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        && word.bytes().any(|it| it.is_ascii_lowercase());
    let names = || {
        let suffixes = gcn::mnemonics::FormSuffix::ALL.map(|it| it.name());
        isa::gcn::Opcode::all().map(isa::gcn::Opcode::name).chain(suffixes)
    };
    let is_call = |calls: &[&str]| calls.iter().any(|call| before.ends_with(call));
    is_word
        && if is_call(&["starts_with(", "strip_prefix("]) || word.ends_with('_') {
            names().any(|name| name.starts_with(word))
        } else if is_call(&["ends_with(", "strip_suffix("]) {
            names().any(|name| name.ends_with(word))
        } else {
            is_call(&["contains(", "find("]) && names().any(|name| name.contains(word))
        }
}

#[test]
fn what_a_mnemonic_of_gcn_means_is_not_read_out_of_its_name() {
    let sample = "name.starts_with(\"image_\") || name.contains(\"rev\") || it.ends_with(\"_e32\")";
    assert_eq!(literals(sample).iter().filter(|it| is_part_of_mnemonic(it)).count(), 3);
    for (name, code) in code_of("analysis/gcn") {
        let parts: Vec<_> = literals(&code).into_iter().filter(is_part_of_mnemonic).collect();
        assert!(parts.is_empty(), "{name} looks for {parts:?}: ask the opcode's row");
    }
}

#[test]
fn no_table_is_parsed_when_the_program_runs() {
    let crates = std::fs::read_dir(root().join("analysis")).unwrap().flatten();
    let crates = crates.map(|it| format!("analysis/{}", it.file_name().to_string_lossy()));
    for folder in crates.chain(["server".to_owned()]) {
        for (name, code) in code_of(&folder) {
            let tables: Vec<_> = literals(&code)
                .into_iter()
                .filter(|(_, text)| text.ends_with(".tsv") || text.ends_with(".txt"))
                .filter(|(before, _)| before.contains("include_"))
                .collect();
            assert!(tables.is_empty(), "{name} reads {tables:?}: a build script makes constants");
        }
    }
}
