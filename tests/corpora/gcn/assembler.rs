//! Real kernels, expanded as their command lines say.

use std::collections::BTreeMap;

use gcn::assembler::result::StatementKind;
use gcn::assembler::{Dialect, Options, expand};
use gcn::dialect;
use source::Severity;
use tests::corpora::shared;
use tests::kernels::{Kernel, kernels};

fn expanded(case: &Kernel) -> gcn::assembler::Expansion {
    let options = Options {
        target: case.target,
        symbols: case.symbols.clone(),
        abi: case.abi,
        ..Options::default()
    };
    let text = case.text();
    expand(&text, Dialect::Llvm, &|name| case.include(name), &options, &source::no_checkpoint)
}

/// Kernels whose manifest says that they assemble expand without any error.
#[test]
fn kernels_that_assemble_expand_without_errors() {
    let root = shared("corpora/gcn");
    let (mut files, mut instructions, mut failures) = (0, 0, Vec::new());
    let mut hints: BTreeMap<String, usize> = BTreeMap::new();
    for case in kernels(&root).iter().filter(|case| case.verdict.ends_with(" ok")) {
        let expansion = expanded(case);
        files += 1;
        let count = |it: &&gcn::assembler::result::Statement| it.kind == StatementKind::Instruction;
        let found = expansion.statements.iter().filter(count).count();
        instructions += found;
        for problem in &expansion.problems {
            if problem.severity == Severity::Hint {
                *hints.entry(problem.message.clone()).or_default() += 1;
            } else {
                let place = expansion.in_file(problem.span);
                failures.push(format!(
                    "{} line {} of {}: {}",
                    case.file,
                    expansion.line_of(place),
                    expansion.files().find(|it| it.0 == place.source).expect("a file").1,
                    problem.message
                ));
            }
        }
        if found == 0 || expansion.incomplete || !expansion.wanted.is_empty() {
            failures.push(format!("{}: {found} instructions", case.file));
        }
    }
    eprintln!("{files} files, {instructions} instructions, hints {hints:?}");
    assert_eq!(failures, Vec::<String>::new());
    assert!(files >= 65 && instructions > 180_000, "{files} files");
}

/// Expansions are what an assembler was seen to assemble to the kernel's own bytes.
#[test]
fn expansions_are_what_assemblers_make_of_the_kernels() {
    let root = shared("corpora/gcn");
    let cases = kernels(&root);
    let rows = include_str!("assembler_kernels.tsv").lines();
    let mut compared = 0;
    for row in rows.filter(|row| !row.starts_with('#')).skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, _, instructions, digest] = cells[..] else { panic!("{row}") };
        let case = cases.iter().find(|case| case.file == file).expect(file);
        let expansion = expanded(case);
        let is_instruction =
            |it: &&gcn::assembler::result::Statement| it.kind == StatementKind::Instruction;
        let found = expansion.statements.iter().filter(is_instruction).count();
        assert_eq!(found.to_string(), instructions, "{file}");
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let text = expansion.standalone().text;
        let found = text.bytes().fold(0xcbf2_9ce4_8422_2325, hash);
        assert_eq!(format!("{found:016x}"), digest, "{file}");
        compared += 1;
    }
    eprintln!("{compared} kernels");
    assert!(compared >= 70, "{compared} kernels");
}

#[test]
fn real_files_show_their_dialect_and_target() {
    let root = shared("corpora/gcn");
    let manifest = std::fs::read_to_string(root.join("MANIFEST.tsv")).expect("the manifest");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in manifest.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (file, said) = (cells[0], cells[2]);
        let bytes = std::fs::read(root.join(file)).expect("the file");
        let text = String::from_utf8_lossy(&bytes);
        let found = dialect::detect(&text);
        let objdump = found.listing == Some(dialect::Listing::Objdump);
        let fits = match said {
            "llvm" | "llvm include" => found.dialect == Dialect::Llvm && found.listing.is_none(),
            "llvm-objdump dump" => found.dialect == Dialect::Llvm && objdump,
            _ => true,
        };
        if !fits {
            wrong.push(format!("{file}: {found:?}"));
        }
        *counts.entry(said.to_owned()).or_default() += 1;
    }
    eprintln!("{counts:?}");
    assert_eq!(wrong, Vec::<String>::new());
}
