//! Values as people read them.

use debugger::Bits;
use tgsi::opcodes::ValueType;
use tgsi::values;

/// Lanes whose values are shown in one row, at most.
const MOST_IN_ROW: usize = 4;

/// A word as what it probably is.
pub fn word(bits: u32) -> String {
    values::word(ValueType::Untyped, bits)
}

/// A word as float, integer and bits.
pub fn every_way(bits: u32) -> String {
    let float = values::float(f32::from_bits(bits));
    format!("{float} | int {} | {bits:#010x}", bits as i32)
}

/// A mask of lanes: its bits, how many are set, and a row with lane 0 on the left.
pub fn mask(bits: u64, lanes: usize) -> String {
    let row: String =
        (0..lanes).map(|lane| if bits >> lane & 1 == 1 { '1' } else { '.' }).collect();
    format!("{bits:#x} | {} of {lanes} | {row}", bits.count_ones())
}

/// The value of a variable in a lane, with what the other active lanes have.
pub fn bits(bits: &Bits, lane: usize, active: u64) -> String {
    match bits {
        Bits::Word(bits) => every_way(*bits),
        Bits::Mask { bits, lanes } => mask(*bits, *lanes),
        Bits::Said(number, said) => format!("{number} | {said}"),
        Bits::Parts => String::new(),
        Bits::Lanes(words) => {
            let own = words.get(lane).copied().unwrap_or(0);
            let others = words.iter().enumerate();
            let differ = others.filter(|(at, bits)| active >> at & 1 == 1 && **bits != own).count();
            match (differ, words.len() <= MOST_IN_ROW) {
                (0, _) => every_way(own),
                (_, true) => {
                    let values: Vec<String> = words.iter().map(|bits| word(*bits)).collect();
                    format!("{} | lanes {}", word(own), row(&values, lane, active))
                }
                (1, false) => {
                    format!("{} | 1 lane differs | {}", every_way(own), chart(words, active))
                }
                (_, false) => {
                    format!("{} | {differ} lanes differ | {}", every_way(own), chart(words, active))
                }
            }
        }
    }
}

/// The values of all lanes in a row: those that differ from that of one lane are marked with `*`,
/// and lanes that are not active stand in parentheses.
pub fn row(values: &[String], lane: usize, active: u64) -> String {
    let own = values.get(lane);
    let shown = values.iter().enumerate().map(|(lane, value)| {
        let mark = if Some(value) == own { "" } else { "*" };
        match active >> lane & 1 {
            1 => format!("{value}{mark}"),
            _ => format!("({value}{mark})"),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The values of all lanes as a chart: a bar for each number between the least and the greatest,
/// `!` for what is none, `·` for a lane that is not active. Words that are no ordinary floats
/// count as integers.
pub fn chart(words: &[u32], active: u64) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let is_active = |lane: usize| active >> lane & 1 == 1;
    let own =
        || words.iter().enumerate().filter(|(lane, _)| is_active(*lane)).map(|(_, bits)| *bits);
    let is_float = |bits: u32| {
        let value = f32::from_bits(bits);
        bits == 0 || value.is_nan() || value.abs() >= 1e-30
    };
    let number = |bits: u32| match own().all(is_float) {
        true => f64::from(f32::from_bits(bits)),
        false => f64::from(bits as i32),
    };
    let finite = own().map(number).filter(|it| it.is_finite());
    let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), it| {
        (least.min(it), most.max(it))
    });
    let bar = |(lane, bits): (usize, &u32)| match number(*bits) {
        _ if !is_active(lane) => '·',
        value if !value.is_finite() => '!',
        value if most > least => {
            BARS[((value - least) / (most - least) * 7.0).round() as usize & 7]
        }
        _ => BARS[0],
    };
    words.iter().enumerate().map(bar).collect()
}
