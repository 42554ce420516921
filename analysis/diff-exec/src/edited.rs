//! Machine code that somebody has edited, in place of the compiler's.

use gcn::compiled::Instruction;

use crate::test_pair::{TestPair, prepared};

/// The bits of the first word of an instruction without an operand of 16 bits, such as the
/// distance of a branch, which changes with what stands between.
fn key(words: &[u32]) -> Vec<u32> {
    const PROGRAM_CONTROL: u32 = 0b1_0111_1111 << 23;
    match words {
        [first] if first & 0xff80_0000 == PROGRAM_CONTROL => vec![first & 0xffff_0000],
        _ => words.to_vec(),
    }
}

impl TestPair<'_> {
    /// Puts machine code in place of the compiler's. Its instructions come from the statements
    /// that those of the compiler do which they are, or whose place they have.
    pub fn edit(&mut self, mut instructions: Vec<Instruction>) {
        let numbers = 0..self.code.instructions.len();
        let old: Vec<Vec<u32>> = numbers.map(|number| key(self.code.words(number))).collect();
        let new: Vec<Vec<u32>> = instructions.iter().map(|own| key(&own.words)).collect();
        let mut same = vec![None; new.len()];
        for (number, own) in source::align(&old, &new).into_iter().enumerate() {
            if let Some(place) = own.and_then(|own| same.get_mut(own)) {
                *place = Some(number);
            }
        }
        // Between two that are the same one after another: what the compiler has there, then
        // the last.
        let mut next = old.len();
        let mut ends = vec![next; new.len()];
        for (number, end) in ends.iter_mut().enumerate().rev() {
            *end = next;
            next = same[number].unwrap_or(next);
        }
        let mut last = 0;
        for (number, own) in instructions.iter_mut().enumerate() {
            let begin = usize::from(number > 0);
            last = same[number]
                .unwrap_or((last + begin).min(ends[number].saturating_sub(1)).max(last));
            own.ordinal = self.lines.get(last).map_or(0, |(_, ordinal)| *ordinal);
        }
        (self.code, self.lines) = prepared(&instructions, self.target);
    }
}
