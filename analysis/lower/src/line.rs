//! One instruction of the IR as it is written: words, types and values, one after the
//! other.
//!
//! A shader of a thousand lines comes to a megabyte of IR, so the pieces are put into
//! the text as they are. The standard library's formatting, which asks for padding and
//! precision at each of them, took most of the time of a lowering.

use crate::builder::Block;
use crate::values::{Type, Value};

/// The text of a module, at the end of which an instruction is being written.
pub(crate) struct Line<'a>(pub(crate) &'a mut String);

impl Line<'_> {
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

    /// A type.
    pub(crate) fn ty(self, ty: Type) -> Self {
        ty.write(self)
    }

    /// A value without its type: `%v1`.
    pub(crate) fn value(self, value: Value) -> Self {
        value.write(self)
    }

    /// A value after its type: `float %v1`.
    pub(crate) fn typed(self, value: Value) -> Self {
        self.ty(value.ty).words(" ").value(value)
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

    /// Values after their types.
    pub(crate) fn list(self, values: &[Value]) -> Self {
        self.commas(values.iter().copied(), Line::typed)
    }

    /// Two values of one type, as behind the name of an operation.
    pub(crate) fn operands(self, left: Value, right: Value) -> Self {
        self.words(" ").typed(left).words(", ").value(right)
    }

    /// The call of a function.
    pub(crate) fn call(self, ty: Type, name: &str, arguments: &[Value]) -> Self {
        let line = self.words("call ").ty(ty).words(" @").words(name);
        line.words("(").list(arguments).words(")")
    }

    /// The type of an array.
    pub(crate) fn array(self, length: u32, ty: Type) -> Self {
        self.words("[").number(length.into()).words(" x ").ty(ty).words("]")
    }

    /// The name of a block: `block1`.
    pub(crate) fn block(self, block: Block) -> Self {
        self.words("block").number(block.0.into())
    }

    /// A block that is jumped to.
    pub(crate) fn label(self, block: Block) -> Self {
        self.words("label %").block(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bits_are_as_the_standard_library_writes_them() {
        for number in [0, 1, 9, 10, 99, 100, 4_294_967_295, i64::MAX, -1, -10, i64::MIN] {
            let mut text = String::new();
            Line(&mut text).signed(number).words(" ").bits(number as u64);
            assert_eq!(text, format!("{number} 0x{:016X}", number as u64));
        }
    }
}
