//! One instruction of the IR as it is written, piece by piece. Types and values add
//! themselves (`values.rs`).
//!
//! A shader of a thousand lines comes to a megabyte of IR, so the pieces are put into
//! the text as they are. The standard library's formatting, which asks for padding and
//! precision at each of them, took most of the time of a lowering.

/// The text of a module, at the end of which an instruction is being written.
pub(crate) struct IrLine<'a>(pub(crate) &'a mut String);

impl IrLine<'_> {
    /// Words as they are.
    pub(crate) fn words(self, words: &str) -> Self {
        self.0.push_str(words);
        self
    }

    /// A number in decimal digits.
    pub(crate) fn number(self, number: u64) -> Self {
        let mut digits = [0; 20];
        let mut first = digits.len();
        let mut rest = number;
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.words(str::from_utf8(&digits[first..]).unwrap_or_default())
    }

    /// The same with its sign where it is below zero.
    pub(crate) fn signed(self, number: i64) -> Self {
        let line = if number < 0 { self.words("-") } else { self };
        line.number(number.unsigned_abs())
    }

    /// Bits in hexadecimal digits, as LLVM writes floats.
    pub(crate) fn bits(self, bits: u64) -> Self {
        let digit = |place| b"0123456789ABCDEF"[(bits >> (60 - 4 * place)) as usize & 15];
        let digits: [u8; 16] = std::array::from_fn(digit);
        self.words("0x").words(str::from_utf8(&digits).unwrap_or_default())
    }

    /// Pieces with commas between them.
    pub(crate) fn commas<T>(
        self,
        pieces: impl IntoIterator<Item = T>,
        write: impl Fn(Self, T) -> Self,
    ) -> Self {
        pieces.into_iter().enumerate().fold(self, |line, (place, piece)| {
            write(if place == 0 { line } else { line.words(", ") }, piece)
        })
    }
}
