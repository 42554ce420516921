//! Answers about expressions made at random, pinned by checksums: in data, operands,
//! conditions and symbols of both dialects.

use std::fmt::Write as _;

use crate::assembler::Dialect;
use crate::program::{Options, assemble};
use crate::recorded_tests::{chance::Chance, code, diagnostics, table};

impl Chance {
    fn expression(&mut self, depth: usize) -> String {
        const LEAVES: [&str; 26] = [
            "0",
            "1",
            "-1",
            "7",
            "0x80000000",
            "0xffffffffffffffff",
            "0b101",
            "017",
            "63",
            "64",
            "'a'",
            "'\\n'",
            "'\\\\'",
            "'\\x41'",
            "x",
            "y",
            "late",
            "none",
            "here",
            "there",
            ".",
            "1.5",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551616",
            "0x",
        ];
        const OPERATORS: [&str; 30] = [
            "+", "-", "*", "/", "%", "//", "%%", "<<", ">>", ">>>", "&", "|", "^", "!", "&&", "||",
            "==", "!=", "<>", "<", ">", "<=", ">=", "<@", ">@", "<=@", ">=@", "%", "+", "-",
        ];
        match self.below(if depth > 3 { 3 } else { 9 }) {
            0..=2 => self.one(&LEAVES).to_owned(),
            3 => format!("{}{}", self.one(&["-", "~", "!", "+", "- "]), self.expression(depth + 1)),
            4 => format!("({})", self.expression(depth + 1)),
            5 => {
                let [a, b, c] = [(); 3].map(|()| self.expression(depth + 2));
                format!("{a} ? {b} : {c}")
            }
            _ => {
                let blank = self.one(&["", "", " "]);
                let (left, right) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("{left}{blank}{}{blank}{right}", self.one(&OPERATORS))
            }
        }
    }
}

#[test]
fn expressions_made_at_random() {
    let mut records = table("random_expressions.tsv");
    for dialect in [Dialect::Llvm, Dialect::Clrx] {
        for row in 0..12 {
            let mut numbers = Chance(row);
            let mut all = String::new();
            for _ in 0..40 {
                let mut text = String::from("x = 5\ny = x-9\nhere:\n");
                for begin in [".long ", ".quad ", "s_mov_b32 s0, ", ".if ", "z = ", ".byte "] {
                    let end = if begin == ".if " { "\ns_nop 7\n.endif" } else { "" };
                    let _ = writeln!(text, "{begin}{}{end}", numbers.expression(0));
                }
                text += "s_nop 0\nthere:\nlate = 3\n.quad z\n";
                let options = Options { dialect, ..Options::default() };
                let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
                all += &(code(&program) + &diagnostics(&program));
            }
            records.add(&row.to_string(), dialect.name(), &all);
        }
    }
    records.check();
}
