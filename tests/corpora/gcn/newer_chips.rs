//! The chips after gfx908 beside LLVM 22: lines, opcodes, random words, and lines of real
//! kernels.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use tests::corpora::{decompress, shared};
use tests::matrix::{compare, rows};

const CHIPS: [&str; 3] = ["gfx90a", "gfx942", "gfx950"];

fn set_of(chip: &str) -> InstructionSet {
    InstructionSet::of(Target::find(chip).expect(chip))
}

/// The rows of a compressed table, in cells.
fn cells(folder: &str, chip: &str) -> Vec<Vec<String>> {
    let path = shared("data/cdna").join(folder).join(format!("{chip}.tsv.gz"));
    let mut bytes = Vec::new();
    std::fs::File::open(&path).expect("a table").read_to_end(&mut bytes).expect("its bytes");
    let text = String::from_utf8_lossy(&decompress(&bytes)).into_owned();
    let row = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(row).collect()
}

/// The bytes of `0x01,0x02` or `0x01 0x02`.
fn bytes(cell: &str) -> Vec<u8> {
    let digits = cell.split([',', ' ']).filter_map(|byte| byte.strip_prefix("0x"));
    digits.map(|digits| u8::from_str_radix(digits, 16).expect("a byte")).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |four: &[u8]| u32::from_le_bytes(four.try_into().expect("whole words"));
    bytes.chunks(4).map(word).collect()
}

fn assembled(line: &str, set: InstructionSet) -> Option<Vec<u8>> {
    assemble_line(line, set, &NoSymbols).ok().map(|it| it.bytes().collect())
}

#[test]
fn lines_of_newer_chips_are_judged_as_llvm_judges_them() {
    for chip in CHIPS {
        let path = shared("data/cdna/mc-matrix").join(format!("{chip}.tsv.gz"));
        let rows = rows(&path).expect("a table");
        assert!(rows.len() > 78_000, "{chip}");
        let found = compare(chip, Dialect::Llvm, rows.iter());
        assert!(found.same_verdict() >= 99.9, "{chip} {}: {:#?}", found.same(), found.groups);
        assert_eq!(found.different, 0, "{chip}: {:#?}", found.groups);
    }
}

/// Instructions whose last operand is a mask: the samples have vector registers there.
const MASKED: [&str; 4] = ["v_cndmask_b32", "v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32"];

#[test]
fn every_opcode_of_newer_chips_is_decoded() {
    for chip in CHIPS {
        let set = set_of(chip);
        let path = shared("data/cdna/opcodes").join(format!("{chip}.tsv"));
        let table = std::fs::read_to_string(path).expect("a table");
        let mut other = Vec::new();
        for line in table.lines().skip(1) {
            let row: Vec<&str> = line.split('\t').collect();
            let words = words(&bytes(row[5]));
            let found = decode(&words, set).map(|it| it.text).unwrap_or_default();
            let name = |text: &str| {
                let word = text.split(' ').next().unwrap_or_default().to_owned();
                word.strip_suffix("_e64").map(str::to_owned).unwrap_or(word)
            };
            // Samples whose registers the instruction does not take.
            let has_wrong_mask = row[4].ends_with(", v[8:9]") && MASKED.contains(&&*name(row[4]));
            // LLVM prints here what its assembler refuses on these chips.
            let has_wrong_half = row[4].starts_with("v_dot2_") && row[4].contains("op_sel_hi");
            let is_wrong = has_wrong_mask || has_wrong_half || row[4].contains("Invalid register");
            if name(&found) != name(row[4]) && !is_wrong {
                other.push(format!("{} | {found}", row[4]));
            }
        }
        assert!(table.lines().count() > 1400 && other.is_empty(), "{chip}: {other:#?}");
    }
}

#[test]
fn lines_of_real_kernels_come_back_as_they_were() {
    for chip in ["gfx942", "gfx950"] {
        let set = set_of(chip);
        let mut wrong = Vec::new();
        let rows = cells("aiter-lines", chip);
        assert!(rows.len() > 35_000, "{chip}");
        for row in &rows {
            let [text, own, reassembly] = &row[..] else { panic!("{row:?}") };
            let own = bytes(own);
            if reassembly == "same" && assembled(text, set).as_ref() != Some(&own) {
                wrong.push(text.clone());
            }
            let printed = decode(&words(&own), set).map(|it| it.text).unwrap_or_default();
            if assembled(&printed, set) != Some(own) {
                wrong.push(format!("{text} | {printed}"));
            }
        }
        assert!(wrong.is_empty(), "{chip}: {} {:#?}", wrong.len(), &wrong[..wrong.len().min(9)]);
    }
}

/// Says how an instruction of random words is read beside LLVM's reading. `row` has the words,
/// LLVM's verdict, the bytes that its text stands for, and the text.
///
/// Two texts differ only where LLVM's own does not come back: its assembler refuses it, or makes
/// other words of it, which is so of each of these rows (llvm-mc 22, every text assembled again).
/// The other kinds are:
/// - scalar pairs that begin at an odd register, which LLVM prints as if they began one before;
/// - registers and constants that it marks as invalid, or has no name for in assembly;
/// - both words `idxen offen` before an odd register;
/// - bits that mean nothing: the upper half of a literal of 16 bits, the sign of an offset that has
///   none, more than four bits of `gpr_idx`, `op_sel` of dot products.
fn kind(row: &[String], set: InstructionSet) -> &'static str {
    let words = words(&bytes(&row[0]));
    let found = decode(&words, set);
    let (text, used) =
        (row.get(3).map_or("", String::as_str), row.get(2).map_or("", String::as_str));
    let used = bytes(used);
    let keeps_words = bytes(&row[0]).starts_with(&used);
    match (row[1].as_str(), found) {
        ("ok", Ok(found)) if found.text == text => "the same text",
        ("ok", Ok(found)) => match assembled(&found.text, set) {
            Some(own) if own == used => "another text of the same bytes",
            Some(own) if bytes(&row[0]).starts_with(&own) => {
                "another text of the words, where LLVM's is of others"
            }
            _ if text.contains("Invalid") => "another text, where LLVM marks operands",
            _ if found.ignored != 0 => "another text, which says that bits mean nothing",
            _ => "another text of other bytes",
        },
        ("ok", Err(_)) if text.contains("Invalid") => "decoded by LLVM alone, which marks operands",
        ("ok", Err(_)) if !keeps_words => "decoded by LLVM alone, as a text of other words",
        ("ok", Err(_)) => "decoded by LLVM alone, as a text that its assembler refuses",
        (_, Ok(found)) if found.ignored != 0 => "decoded here alone, with bits that mean nothing",
        (_, Ok(_)) => "decoded here alone",
        (_, Err(_)) => "refused by both",
    }
}

#[test]
fn random_words_of_newer_chips_are_read_as_llvm_reads_them() {
    let mut said = String::new();
    for chip in CHIPS {
        let set = set_of(chip);
        let mut kinds = BTreeMap::new();
        for row in cells("random-words", chip) {
            let kind = kind(&row, set);
            assert_ne!(kind, "another text of other bytes", "{chip}: {row:?}");
            assert_ne!(kind, "decoded here alone", "{chip}: {row:?}");
            *kinds.entry(kind).or_insert(0) += 1;
        }
        let _ = writeln!(said, "{chip}");
        for (kind, count) in kinds {
            let _ = writeln!(said, "  {count} {kind}");
        }
    }
    expect_test::expect![[r#"
        gfx90a
          5 another text of the same bytes
          5 another text of the words, where LLVM's is of others
          1 another text, where LLVM marks operands
          46 another text, which says that bits mean nothing
          399 decoded by LLVM alone, as a text of other words
          154 decoded by LLVM alone, as a text that its assembler refuses
          792 decoded by LLVM alone, which marks operands
          999 decoded here alone, with bits that mean nothing
          9580 refused by both
          4004 the same text
        gfx942
          9 another text of the same bytes
          5 another text of the words, where LLVM's is of others
          3 another text, where LLVM marks operands
          61 another text, which says that bits mean nothing
          343 decoded by LLVM alone, as a text of other words
          167 decoded by LLVM alone, as a text that its assembler refuses
          919 decoded by LLVM alone, which marks operands
          869 decoded here alone, with bits that mean nothing
          9580 refused by both
          4068 the same text
        gfx950
          6 another text of the same bytes
          2 another text of the words, where LLVM's is of others
          5 another text, where LLVM marks operands
          61 another text, which says that bits mean nothing
          353 decoded by LLVM alone, as a text of other words
          160 decoded by LLVM alone, as a text that its assembler refuses
          978 decoded by LLVM alone, which marks operands
          944 decoded here alone, with bits that mean nothing
          9522 refused by both
          4058 the same text
    "#]]
    .assert_eq(&said);
}
