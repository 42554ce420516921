//! Our assembler and decoder against the reference's verdicts. Every line is
//! judged by the example `gcn_matrix`; here every seventh of each class.

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use tests::corpora::shared;
use tests::matrix::{CLASSES, Row, compare, refused, rows};

/// Verdicts that must agree, in percent: what was reached on all lines.
const SAME_VERDICT: f64 = 99.99;

/// Words whose text must assemble to the same words again, in percent.
const ROUND_TRIP: f64 = 99.9;

const STEP: usize = 7;

fn sample(class: &str) -> Vec<Row> {
    let folder = shared("data/gcn/mc-matrix");
    let all = rows(&folder.join(format!("{class}.tsv.gz"))).unwrap();
    all.into_iter().step_by(STEP).collect()
}

#[test]
fn verdicts_and_bytes_agree_with_the_reference() {
    for class in CLASSES {
        let rows = sample(class);
        let agreement = compare(class, Dialect::Llvm, rows.iter());
        eprintln!(
            "{class}: {} same bytes, {} both refuse ({} at the same column), {} only we refuse, {} only we accept",
            agreement.equal,
            agreement.refused,
            agreement.same_column,
            agreement.we_refuse,
            agreement.we_accept,
        );
        assert_eq!(agreement.different, 0, "{class}: {:?}", agreement.groups);
        assert!(agreement.same_verdict() >= SAME_VERDICT, "{class}: {:?}", agreement.groups);
        assert!(agreement.equal > 2_000, "{class}");
    }
}

#[test]
fn what_is_decoded_assembles_to_the_same_words() {
    for class in CLASSES {
        let rows = sample(class);
        let set = InstructionSet::of(Target::find(class).unwrap());
        let (mut all, mut same) = (0, 0);
        let mut lost = Vec::new();
        for row in &rows {
            let Ok((bytes, _)) = &row.verdict else { continue };
            let words: Vec<u32> =
                bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
            let decoded = decode(&words, set).unwrap_or_else(|e| panic!("{class} {row:?}: {e:?}"));
            assert_eq!(decoded.words, words.len(), "{class}: {row:?}");
            all += 1;
            match assemble_line(&decoded.text, set, &NoSymbols) {
                Ok(again) if again.words() == words => same += 1,
                _ => lost.push((row.line.clone(), decoded.text)),
            }
        }
        eprintln!("{class}: {same} of {all} round trips");
        let percent = 100.0 * f64::from(same) / f64::from(all.max(1));
        assert!(percent >= ROUND_TRIP, "{class}: {lost:?}");
    }
}

/// Messages of the reference whose errors stand at another operand than ours, and
/// why.
const OTHER_OPERANDS: [(&str, &str); 4] = [
    ("not a valid operand.", "a literal beside DPP: ours is at the literal that has no place"),
    ("invalid operand for instruction", "several operands are wrong: each names another of them"),
    (
        "literal operands are not supported",
        "two literals: ours is at the first, theirs at the last",
    ),
    (
        "invalid operand (violates constant bus",
        "ours is at the value, theirs behind the line's end",
    ),
];

/// Lines that must be refused are, and the error is at the operand that the
/// reference names, where it names one.
#[test]
fn errors_stand_at_the_operand_of_the_reference() {
    let folder = shared("data/gcn/mc-err");
    let (mut all, mut column, mut same, mut others) = (0, 0, 0, 0);
    for (processor, rows) in refused(&folder).unwrap() {
        let Some(target) = Target::find(&processor) else { continue };
        let agreement = compare(target.name(), Dialect::Llvm, rows.iter());
        assert_eq!(agreement.refused, rows.len(), "{processor}: {:?}", agreement.groups);
        all += rows.len();
        column += agreement.same_column;
        same += agreement.same_column + agreement.same_operand + agreement.whole_line;
        for (message, (count, example)) in &agreement.columns {
            let known = OTHER_OPERANDS.iter().any(|(part, _)| message.contains(part));
            assert!(known, "{processor}: {message}: {example}");
            others += count;
        }
    }
    eprintln!(
        "{all} refused, {column} at the same column, {same} at the same operand, {others} not"
    );
    assert!(all > 5_000 && same * 100 >= all * 97, "{same} of {all}");
}
