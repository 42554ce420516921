//! The formatter against Mesa's own dumps, and its promises on real shaders.

use serde_json::Value;
use source::no_checkpoint;
use tests::checks::formatting::{
    ALWAYS, programs_keep_their_meaning, repairing_labels_leaves_nothing,
};
use tests::corpora;
use tgsi::format::format;

/// One program of the corpora and what Mesa's dumper prints of it.
struct Dumped {
    file: String,
    text: String,
    dump: String,
}

fn dumped() -> Vec<Dumped> {
    let root = corpora::shared("corpora/tgsi");
    let mut all = Vec::new();
    let mut files: Vec<_> =
        std::fs::read_dir(root.join("dump")).expect("dumps").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files.iter().filter(|file| file.path().extension().is_some_and(|e| e == "jsonl")) {
        let lines = std::fs::read_to_string(file.path()).expect("a file of dumps");
        for line in lines.lines() {
            let object: Value = serde_json::from_str(line).expect("an object");
            let field = |name: &str| object[name].as_str().expect("a string").to_owned();
            let (file, dump) = (field("file"), field("text"));
            let text = std::fs::read_to_string(root.join(&file)).expect("a program");
            all.push(Dumped { file, text, dump });
        }
    }
    all
}

/// The floats between the braces of a line, where it is an `IMM` of them.
fn floats(line: &str) -> Option<Vec<&str>> {
    let (head, rest) = line.split_once('{')?;
    (head.starts_with("IMM[") && head.ends_with("] FLT32 ")).then_some(())?;
    Some(rest.strip_suffix('}')?.split(", ").collect())
}

/// Word for word, with two classes of exceptions: blank lines, which the
/// dumper has none of and which are kept, and floats of which four decimals
/// are not all, which keep their bits.
#[test]
fn formatting_is_what_mesa_prints() {
    let programs = dumped();
    let mut wrong = Vec::new();
    let (mut same, mut kept) = (0, 0);
    for Dumped { file, text, dump } in &programs {
        let ours = format(text, ALWAYS);
        let ours: Vec<&str> = ours.lines().filter(|line| !line.is_empty()).collect();
        let theirs: Vec<&str> = dump.lines().collect();
        if ours.len() != theirs.len() {
            wrong.push(format!("{file}: {} lines, Mesa {}", ours.len(), theirs.len()));
        }
        for (our, their) in ours.iter().zip(&theirs) {
            if our == their {
                same += 1;
            } else if is_rounded(our, their) {
                kept += 1;
            } else {
                wrong.push(format!("{file}:\n  ours {our:?}\n  Mesa {their:?}"));
            }
        }
    }
    eprintln!("{} programs, {same} lines the same, {kept} with more digits", programs.len());
    assert!(programs.len() > 200 && kept < 50, "the dumps were not read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tells whether a line of Mesa's is ours but for floats that it rounds.
fn is_rounded(our: &str, their: &str) -> bool {
    let (Some(ours), Some(theirs)) = (floats(our), floats(their)) else { return false };
    let head = |line: &str| line.split_once('{').map(|(head, _)| head.to_owned());
    head(our) == head(their)
        && ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(our, their)| {
            let (ours, read): (f32, f32) = match (our.trim().parse(), their.trim().parse()) {
                (Ok(ours), Ok(read)) => (ours, read),
                _ => return false,
            };
            *our == their || read.to_bits() != ours.to_bits() && format!("{ours:10.4}") == their
        })
}

/// Mesa 22's compiler writes the labels that interpreters want. A driver's
/// pass may add instructions later and leave the labels behind: then each is
/// short by as many as were added before its target, never by anything else.
#[test]
fn labels_are_those_of_a_compiler_that_knew() {
    let programs = corpora::tgsi_programs();
    let (mut right, mut left_behind) = (0, 0);
    for program in programs.iter().filter(|it| it.name.starts_with("mesa22-virgl-piglit/")) {
        let Some(shader) = tgsi::parser::parse(&program.text, &no_checkpoint).shader else {
            continue;
        };
        let labels = tgsi::labels::labels(&shader);
        let mut pairs: Vec<(u32, u32)> = labels
            .iter()
            .filter(|label| label.matters)
            .map(|label| (label.right, label.written.expect("a label").value))
            .collect();
        pairs.sort_unstable();
        let mut added = 0;
        for (ours, theirs) in pairs {
            let shift = ours.checked_sub(theirs).filter(|shift| *shift >= added);
            added = shift.unwrap_or_else(|| panic!("{}: {ours} {theirs}", program.name));
            *(if added == 0 { &mut right } else { &mut left_behind }) += 1;
        }
    }
    eprintln!("{right} labels agree, {left_behind} were left behind");
    assert!(right > 500, "the programs were not read");
}

#[test]
fn real_shaders_keep_their_meaning() {
    programs_keep_their_meaning(&corpora::tgsi_programs());
}

#[test]
fn repairing_labels_leaves_nothing_to_repair() {
    assert!(repairing_labels_leaves_nothing(&corpora::tgsi_programs()) > 500);
}
