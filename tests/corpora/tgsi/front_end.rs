//! The TGSI front end against what the reference parsers say: real shaders,
//! probe files, and real shaders with one mistake each.

use source::LineIndex;
use tests::checks::front_end::{
    accepted_programs_have_no_error, analyse, describe, errors, one_mistake_gives_one_error,
};
use tests::corpora;
use tests::corpus::Program;

#[test]
fn files_that_a_reference_accepts_have_no_error() {
    let is_cut_off = |it: &Program| corpora::CUT_OFF.contains(&it.name.as_str());
    let (cut_off, whole): (Vec<_>, Vec<_>) =
        corpora::tgsi_programs().into_iter().partition(is_cut_off);
    assert!(accepted_programs_have_no_error(&whole) > 1000);
    assert_eq!(cut_off.len(), corpora::CUT_OFF.len());
    for program in &cut_off {
        let (_, diagnostics) = analyse(&program.text);
        let found = errors(&diagnostics);
        assert!(!found.is_empty(), "{} is whole", program.name);
        assert!(found.iter().all(|it| it.code == tgsi::codes::UNBALANCED), "{found:?}");
    }
}

#[test]
fn one_mistake_gives_one_error_at_its_statement() {
    let programs = corpora::programs_with_verdicts().into_iter();
    let accepted = programs.filter(|it| it.accepted_by_mesa_21).map(|it| it.program);
    one_mistake_gives_one_error(&accepted.collect::<Vec<_>>(), 500);
}

/// Probe files that today's three parsers refuse, and that are read here with
/// a hint, and why.
const LENIENT: [(&str, &str); 18] = [
    ("bom", "editors write it, and nothing is lost by reading on"),
    ("comment-hash", "people write comments; they are kept, and a fix strips them"),
    ("comment-slash", "as above"),
    ("crlf", "files from Windows; a fix repairs all line ends"),
    ("vformfeed", "white space everywhere but in the reference"),
    ("hdr-1.1", "Mesa's parser of 2008 and 2009 wanted this header"),
    ("op-swz1", "scalar swizzles stand in Mesa's own documentation"),
    ("op-swz2", "as above"),
    ("op-swz3", "as above"),
    ("op-tex-cube_array", "the name in C, which people write"),
    ("dcl-file-glued", "`TEMPX` was a file from 2010 to 2013"),
    ("dcl-res", "`RES` was a file from 2011 to 2016"),
    ("fsdcl-cylwrap", "Mesa's dumper printed it until 2021"),
    ("op-indsp", "readers until 2012 took the blank"),
    ("op-op-kil", "`KIL` was an opcode until 2013"),
    ("op-ssat", "signed saturation was in the language until 2015"),
    ("vsdcl-interp", "vertex inputs had attributes until 2010"),
    ("vsdcl-sem", "as above"),
];

/// Probe files that a parser reads, and that no driver can make a program of.
const MEANINGLESS: [&str; 7] = [
    "op-brk-outside",
    "op-dimdst",
    "op-else-twice",
    "op-endif-only",
    "op-if-unbal",
    "op-neg-idx",
    "op-undeclared",
];

#[test]
fn probe_files_get_the_verdicts_of_the_references() {
    let root = corpora::shared("data/tgsi");
    let table = std::fs::read_to_string(root.join("PARSER-CASES.tsv")).expect("a table");
    let mut wrong = Vec::new();
    let (mut accepted, mut lenient, mut refused) = (0, 0, 0);
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (name, verdicts) = (fields[0], &fields[1..]);
        let path = root.join("parser-cases").join(format!("{name}.tgsi"));
        let text = std::fs::read_to_string(path).expect("a probe file");
        let (_, diagnostics) = analyse(&text);
        let found = errors(&diagnostics);
        let said = || found.iter().map(|error| describe(&text, error)).collect::<Vec<_>>();
        if verdicts.iter().any(|verdict| verdict.starts_with("ok")) {
            accepted += 1;
            if MEANINGLESS.contains(&name) {
                assert_eq!(found.len(), 1, "{name}: {:?}", said());
            } else if !found.is_empty() {
                wrong.push(format!("{name}: accepted by a reference, here {:?}", said()));
            }
        } else if LENIENT.iter().any(|(lenient, _)| *lenient == name) {
            lenient += 1;
            if !found.is_empty() || diagnostics.is_empty() {
                wrong.push(format!("{name}: wants a hint only, has {:?}", said()));
            }
        } else {
            refused += 1;
            let lines = faulty_lines(&text, verdicts);
            let place = found.first().map(|e| LineIndex::new(&text).line(e.range.start()) + 1);
            if found.len() != 1 || !lines.contains(&place.unwrap_or(0)) {
                wrong.push(format!("{name}: wants one error at {lines:?}, has {:?}", said()));
            }
        }
    }
    assert_eq!(lenient, LENIENT.len(), "a lenient file is accepted by a reference, or not there");
    eprintln!("{accepted} accepted, {lenient} lenient, {refused} refused, {} wrong", wrong.len());
    assert!(accepted + lenient + refused > 300, "the table was not read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the lines, from 1, in which an error may stand: the line that a reference names,
/// or the one before where it noticed the mistake only at the next statement. Probe files
/// without a position have their fault in line 2.
fn faulty_lines(text: &str, verdicts: &[&str]) -> Vec<u32> {
    let named = verdicts.iter().find_map(|verdict| {
        let position = verdict.strip_prefix("error ")?.split(' ').next()?;
        let line: u32 = position.split(':').next()?.parse().ok()?;
        (line > 0).then_some(line)
    });
    let Some(line) = named else { return vec![2] };
    // Columns count from 1 in the first line and from 2 in all others.
    let at_statement_start =
        verdicts.iter().any(|verdict| verdict.contains(&format!(" {line}:2 ")));
    let previous_incomplete = ["Expected `,'", "Expected `}'", "Expected `|'", "as property!"];
    let late = previous_incomplete.iter().any(|what| verdicts[0].contains(what));
    match at_statement_start && late && line > 1 {
        true => vec![line - 1],
        false => vec![line.min(text.lines().count().max(1) as u32)],
    }
}
