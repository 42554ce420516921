//! Our reading of CLRX's dialect against its assembler's verdicts. Every line is
//! judged by the example `gcn_dialect`; here every fifth of each class.

use std::io::Read as _;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use proptest::prelude::*;
use tests::corpora::shared;
use tests::matrix::{CLRX_CLASSES, clrx_reason, clrx_rows, compare};

/// Lines that must agree, verdict and bytes, in percent.
const SAME: f64 = 99.5;
/// Lines that disagree for no reason that we know, in percent.
const UNEXPLAINED: f64 = 0.05;

const STEP: usize = 5;

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

#[test]
fn verdicts_and_bytes_agree_with_the_clrx_assembler() {
    let Some(folder) = shared("data/gcn/dialect") else { return };
    for class in CLRX_CLASSES {
        let rows = clrx_rows(&folder.join(format!("{class}.tsv.gz")), decompress).unwrap();
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

fn any_class() -> impl Strategy<Value = &'static InstructionSet> {
    prop::sample::select(CLRX_CLASSES.to_vec())
        .prop_map(|class| InstructionSet::in_dialect(Target::find(class).unwrap(), Dialect::Clrx))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_operands_are_too_strange_to_refuse(
        mnemonic in prop::sample::select(vec![
            "v_add_f32", "v_mov_b32_sdwa", "v_pk_add_f16", "s_waitcnt", "s_sendmsg", "s_getreg_b32",
            "exp", "ds_swizzle_b32", "image_load", "buffer_load_dword", "tbuffer_load_format_x",
            "v_interp_p1_f32", "s_branch", "flat_load_dword", "é",
        ]),
        operands in "[-vsa0-9\\[\\]():,| x.|@hneglitabsoffsetdmask\"{}&+*/é]{0,40}",
        set in any_class(),
    ) {
        let line = format!("{mnemonic} {operands}");
        if let Err(error) = assemble_line(&line, set, &NoSymbols) {
            prop_assert!(error.range.start <= line.len() && error.range.end <= line.len(), "{error:?}");
            prop_assert!(line.get(error.range.clone()).is_some(), "{error:?}");
        }
    }
}
