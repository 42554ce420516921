//! Our reading of CLRX's dialect against its assembler's verdicts. Every line is
//! judged by the example `gcn_dialect`; here every fifth of each class.

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::program::{Options, assemble};
use source::{Diagnostic, Severity};
use tests::corpora::shared;
use tests::matrix::{CLRX_CLASSES, clrx_reason, clrx_rows, compare};

/// Lines that must agree, verdict and bytes, in percent.
const SAME: f64 = 99.5;

/// Lines that disagree for no reason that we know, in percent.
const UNEXPLAINED: f64 = 0.05;

const STEP: usize = 5;

/// Cases of the assembler's own that must get the same verdict, in percent.
const SAME_CASES: f64 = 99.5;

/// The chips of the cases, and the processors that they are.
const CHIPS: [(&str, &str); 3] =
    [("pitcairn", "gfx600"), ("bonaire", "gfx704"), ("tonga", "gfx802")];

/// A case: its texts have one statement or several, with symbols between.
struct Case<'a> {
    chip: &'a str,
    verdict: &'a str,
    bytes: &'a str,
    text: String,
}

fn case(row: &str) -> Case<'_> {
    let mut cells = row.split('\t');
    let mut next = || cells.next().unwrap_or_default();
    let (chip, verdict, bytes) = (next(), next(), next());
    Case { chip, verdict, bytes, text: next().replace("\\n", "\n") }
}

/// Our bytes of a case; `None` where it is refused, or something in it is not known.
fn assembled(case: &Case<'_>) -> Option<String> {
    let known = CHIPS.iter().find(|(chip, _)| *chip == case.chip);
    let target = Target::find(known.map_or(case.chip, |(_, processor)| processor));
    let options = Options { target, dialect: Dialect::Clrx, ..Options::default() };
    let program = assemble(&case.text, &options, &|_| None, &source::no_checkpoint);
    let is_error = |it: &Diagnostic| it.severity == Severity::Error;
    if program.diagnostics.iter().any(is_error) {
        return None;
    }
    let mut bytes = String::new();
    for instruction in &program.instructions {
        let assembled = instruction.assembled.filter(|it| it.fixup.is_none())?;
        assembled.bytes().for_each(|byte| bytes.push_str(&format!("{byte:02x}")));
    }
    Some(bytes)
}

#[test]
fn cases_of_the_clrx_assembler_have_its_verdicts_and_bytes() {
    let text = std::fs::read_to_string(shared("data/gcn/clrx-cases.tsv")).unwrap();
    let (mut all, mut accepted, mut other) = (0, 0, Vec::new());
    for case in text.lines().skip(1).map(case) {
        all += 1;
        match (case.verdict, assembled(&case)) {
            ("ok", Some(bytes)) => {
                accepted += 1;
                assert_eq!(bytes, case.bytes, "{}: {}", case.chip, case.text);
            }
            ("err", None) => {}
            (verdict, _) => other.push(format!("{} {verdict}: {}", case.chip, case.text)),
        }
    }
    eprintln!("{all} cases, {accepted} accepted by both, {} with another verdict", other.len());
    assert!(all > 2_000 && accepted > 2_000, "{all} {accepted}");
    let same = 100.0 * f64::from(all - other.len() as u32) / f64::from(all);
    assert!(same >= SAME_CASES, "{same}: {other:#?}");
}

#[test]
fn verdicts_and_bytes_agree_with_the_clrx_assembler() {
    let folder = shared("data/gcn/dialect");
    for class in CLRX_CLASSES {
        let rows = clrx_rows(&folder.join(format!("{class}.tsv.gz"))).unwrap();
        let agreement = compare(class, Dialect::Clrx, rows.iter().step_by(STEP));
        let unexplained: Vec<_> = agreement
            .groups
            .iter()
            .filter(|(group, (_, example))| clrx_reason(group, example).is_none())
            .collect();
        let lines: usize = unexplained.iter().map(|(_, (count, _))| count).sum();
        eprintln!(
            "{class}: {} same bytes, {} both refuse, {} differ, {lines} of them for no known reason",
            agreement.equal,
            agreement.refused,
            agreement.lines() - agreement.equal - agreement.refused,
        );
        assert!(agreement.same() >= SAME, "{class}: {:?}", agreement.groups);
        let percent = 100.0 * lines as f64 / agreement.lines() as f64;
        assert!(percent <= UNEXPLAINED, "{class}: {unexplained:?}");
    }
}
