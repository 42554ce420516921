//! Real kernels, assembled whole: macros and includes expanded, labels resolved.

use std::collections::BTreeMap;

use gcn::assembler::Dialect;
use gcn::program::{Options, Program, assemble};
use source::Severity;
use tests::corpora::shared;
use tests::kernels::{Kernel, kernels};

fn assembled(kernel: &Kernel) -> (String, Program) {
    let text = kernel.text();
    let options = Options {
        target: Some(kernel.target),
        dialect: Dialect::Llvm,
        symbols: kernel.symbols.clone(),
        abi: kernel.abi,
        ..Options::default()
    };
    let program = assemble(&text, &options, &|name| kernel.include(name), &source::no_checkpoint);
    (text, program)
}

#[test]
fn kernels_that_assemble_have_no_error() {
    let root = shared("corpora/gcn");
    let (mut files, mut instructions, mut bytes, mut open) = (0, 0, 0, 0);
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for kernel in kernels(&root).iter().filter(|kernel| kernel.assembles()) {
        let (text, program) = assembled(kernel);
        files += 1;
        instructions += program.instructions.len();
        for diagnostic in &program.diagnostics {
            let line = 1 + text[..usize::from(diagnostic.range.start())].matches('\n').count();
            let shown = format!("{} {}", diagnostic.code.0, diagnostic.message);
            match diagnostic.severity {
                Severity::Error => failures.push(format!("{} {line}: {shown}", kernel.file)),
                _ => {
                    *others
                        .entry(format!("{:?} {}", diagnostic.severity, diagnostic.code.0))
                        .or_default() += 1
                }
            }
        }
        for instruction in &program.instructions {
            match &instruction.assembled {
                Some(assembled) => {
                    bytes += assembled.words().len() * 4;
                    open += usize::from(assembled.fixup.is_some());
                }
                None => failures.push(format!("{}: {}", kernel.file, program.text(instruction))),
            }
        }
        if program.kernels.is_empty() {
            failures.push(format!("{}: no kernels", kernel.file));
        }
    }
    eprintln!(
        "{files} files, {instructions} instructions, {bytes} bytes, {open} values left open, {others:?}"
    );
    failures.truncate(60);
    assert!(failures.is_empty(), "{failures:#?}");
    // One kernel names a symbol that its command line does not define.
    assert_eq!(open, others.get("Hint gcn::undefined-symbol").copied().unwrap_or(0));
    assert!(files >= 65 && instructions > 180_000, "{files} files, {instructions} instructions");
}

/// The sections with code are, byte for byte, what llvm-mc puts into its object.
#[test]
fn code_is_what_the_reference_makes() {
    let root = shared("corpora/gcn");
    let (mut compared, mut bytes, mut absent) = (0, 0, 0);
    let mut failures = Vec::new();
    for kernel in kernels(&root).iter().filter(|kernel| kernel.assembles()) {
        let Some(theirs) = kernel.assemble_with_reference(".text") else {
            absent += 1;
            continue;
        };
        let (_, program) = assembled(kernel);
        let ours = program.image(0);
        compared += 1;
        bytes += theirs.len();
        let same =
            ours.bytes.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
        if ours.bytes != theirs {
            let at = program
                .instructions
                .iter()
                .rfind(|it| it.section == 0 && it.offset as usize <= same)
                .map_or("", |it| program.text(it));
            let lengths = (ours.bytes.len(), theirs.len());
            failures.push(format!("{}: {lengths:?} from {same:#x}: {at}", kernel.file));
        }
    }
    eprintln!("{compared} kernels compared, {bytes} bytes, {absent} without their assembler here");
    assert!(compared > 0, "no llvm-mc on this machine");
    assert!(failures.is_empty(), "{failures:#?}");
}
