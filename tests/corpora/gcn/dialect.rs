//! Our reading of CLRX's dialect against its assembler's verdicts. Every line is
//! judged by the example `gcn_dialect`; here every fifth of each class.

use gcn::assembler::Dialect;
use tests::corpora::shared;
use tests::matrix::{CLRX_CLASSES, clrx_reason, clrx_rows, compare};

/// Lines that must agree, verdict and bytes, in percent.
const SAME: f64 = 99.5;

/// Lines that disagree for no reason that we know, in percent.
const UNEXPLAINED: f64 = 0.05;

const STEP: usize = 5;

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
