//! Our assembler and decoder against the reference's verdicts. Every line is
//! judged by the example `gcn_matrix`; here every seventh of each class.

use std::io::Read as _;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{Code, InstructionSet, NoSymbols, assemble_line, decode};
use proptest::prelude::*;
use tests::corpora::shared;
use tests::matrix::{CLASSES, Row, compare, refused, rows};

/// Verdicts that must agree, in percent: what was reached on all lines.
const SAME_VERDICT: f64 = 99.99;
/// Words whose text must assemble to the same words again, in percent.
const ROUND_TRIP: f64 = 99.9;

const STEP: usize = 7;

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

fn sample(class: &str) -> Option<Vec<Row>> {
    let folder = shared("data/gcn/mc-matrix")?;
    let all = rows(&folder.join(format!("{class}.tsv.gz")), decompress).unwrap();
    Some(all.into_iter().step_by(STEP).collect())
}

#[test]
fn verdicts_and_bytes_agree_with_the_reference() {
    for class in CLASSES {
        let Some(rows) = sample(class) else { return };
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
        let Some(rows) = sample(class) else { return };
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
    let Some(folder) = shared("data/gcn/mc-err") else { return };
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

#[test]
fn messages_name_the_rule() {
    for (target, line, code, range, words) in [
        ("gfx600", "ds_read_b96 v[0:2], v1", Code::Unavailable, 0..11, "needs gfx700 or later"),
        ("gfx900", "v_add_f32_e64 v0, s1, s2", Code::ConstantBus, 22..24, "one scalar register"),
        ("gfx803", "v_add_f32_e64 v0, 0x1234, v2", Code::Literal, 18..24, "no place for a literal"),
        ("gfx803", "s_mov_b64 s[1:2], 0", Code::Register, 10..16, "multiple of 2"),
        ("gfx803", "image_load v5, v1, s[8:15] dmask:0x3", Code::DataSize, 11..13, "2 registers"),
        ("gfx803", "v_nonsense v0", Code::UnknownMnemonic, 0..10, "v_nonsense"),
        ("gfx803", "s_mov_b32 s0", Code::MissingOperand, 0..9, "also needs"),
        (
            "gfx803",
            "buffer_load_dword v1, off, s[4:7], s1 offset:4096",
            Code::Range,
            38..49,
            "4095",
        ),
    ] {
        let set = InstructionSet::of(Target::find(target).unwrap());
        let error = assemble_line(line, set, &NoSymbols).unwrap_err();
        assert_eq!((error.code, error.range), (code, range), "{line}: {}", error.message);
        assert!(error.message.contains(words), "{line}: {}", error.message);
    }
}

fn any_class() -> impl Strategy<Value = &'static InstructionSet> {
    prop::sample::select(CLASSES.to_vec())
        .prop_map(|class| InstructionSet::of(Target::find(class).unwrap()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_words_are_too_strange_to_decode(
        first in any::<u32>(),
        second in any::<u32>(),
        set in any_class(),
    ) {
        if let Ok(decoded) = decode(&[first, second], set) {
            // What is decoded reads back, or says which bits it ignored.
            if let Ok(again) = assemble_line(&decoded.text, set, &NoSymbols) {
                prop_assert!(again.words().len() <= 2);
            }
        }
    }

    #[test]
    fn no_line_is_too_strange_to_refuse(line in "\\PC{0,60}", set in any_class()) {
        let _ = assemble_line(&line, set, &NoSymbols);
    }

    #[test]
    fn no_operands_are_too_strange_to_refuse(
        mnemonic in prop::sample::select(vec![
            "v_add_f32", "v_mov_b32_sdwa", "v_pk_add_f16", "s_waitcnt", "s_sendmsg", "s_getreg_b32",
            "s_set_gpr_idx_on", "exp", "ds_swizzle_b32", "image_load", "buffer_load_dword",
            "tbuffer_load_format_x", "v_interp_p1_f32", "s_branch", "global_load_dword",
        ]),
        operands in "[-vsa0-9\\[\\]():,| x.|negabsoffsetdmask\"{}&+*/]{0,40}",
        set in any_class(),
    ) {
        let line = format!("{mnemonic} {operands}");
        if let Err(error) = assemble_line(&line, set, &NoSymbols) {
            prop_assert!(error.range.start <= line.len() && error.range.end <= line.len(), "{error:?}");
        }
    }
}
