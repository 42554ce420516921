//! Every opcode's formula on the cases of `data/cases.tsv`.

use rustc_hash::FxHashSet;
use tgsi::opcodes::ValueType;

use super::*;

const CASES: &str = include_str!("../data/cases.tsv");

fn is_wide(ty: ValueType) -> bool {
    matches!(ty, ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64)
}

/// The bits of a number as an operand of 32 or 64 bits.
fn bits(number: &str, wide: bool) -> u64 {
    if let Some(digits) = number.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).unwrap();
    }
    match number.parse::<i128>() {
        Ok(integer) if wide => integer as u64,
        Ok(integer) => u64::from(integer as u32),
        Err(_) if wide => number.parse::<f64>().unwrap().to_bits(),
        Err(_) => u64::from(number.parse::<f32>().unwrap().to_bits()),
    }
}

fn vector(list: &str) -> [u32; 4] {
    let words: Vec<u32> = list.split(',').map(|number| bits(number, false) as u32).collect();
    words.try_into().expect("four components")
}

/// Tells whether a result is the one expected: `nan` means any.
fn is(expected: &str, wide: bool, result: u64) -> bool {
    match (expected, wide) {
        ("nan", true) => f64::from_bits(result).is_nan(),
        ("nan", false) => f32::from_bits(result as u32).is_nan(),
        _ => bits(expected, wide) == result,
    }
}

#[test]
fn cases_come_out_as_the_documents_say() {
    let mut seen = FxHashSet::default();
    let rows = CASES.lines().filter(|line| !line.starts_with('#')).skip(1);
    for line in rows {
        let fields: Vec<&str> = line.split('\t').collect();
        let opcode = Opcode::find(fields[0]).expect(line);
        let row = opcode.row();
        let sources: Vec<&str> = fields[1].split(' ').collect();
        assert_eq!(sources.len(), row.sources, "{line}");
        let operation = operation(opcode).expect(line);
        seen.insert(opcode);
        let mut words = [0; 5];
        let mut longs = [0; 3];
        let mut vectors = [[0; 4]; 5];
        for (place, source) in sources.iter().enumerate() {
            if matches!(operation, Operation::Whole(_)) {
                vectors[place] = vector(source);
                continue;
            }
            let value = bits(source, is_wide(row.source_types[place]));
            words[place] = value as u32;
            if let Some(long) = longs.get_mut(place) {
                *long = value;
            }
        }
        let good = match operation {
            Operation::Each(function) | Operation::Replicated(function) => {
                is(fields[2], false, function(words).into())
            }
            Operation::Whole(function) => function(&vectors) == vector(fields[2]),
            Operation::Wide(function) | Operation::WideSparse(function) => {
                is(fields[2], true, function(longs))
            }
            Operation::Compare(function) => {
                is(fields[2], false, crate::float::all_if(function(longs)).into())
            }
            Operation::Narrow(function) => is(fields[2], false, function(longs).into()),
        };
        assert!(good, "{line}");
    }
    let without: Vec<_> =
        Opcode::all().filter(|it| operation(*it).is_some() && !seen.contains(it)).collect();
    assert!(without.is_empty(), "no case for {without:?}");
}
