//! Lines of the assemblers' test tables and of the opcode tables, written in the other
//! dialect: how many are, and for what the others have no way.
//!
//! `cargo run --release -p long-tests --bin gcn_convert`

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::convert;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use tests::conversion::samples;

fn main() {
    let samples = samples(1);
    let mut refused: BTreeMap<(String, String), (usize, String)> = BTreeMap::new();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for sample in &samples {
        let target = Target::find(&sample.class).expect("a class");
        for (from, to) in [(Dialect::Llvm, Dialect::Clrx), (Dialect::Clrx, Dialect::Llvm)] {
            let [from, to] = [from, to].map(|it| InstructionSet::in_dialect(target, it));
            if assemble_line(&sample.line, from, &NoSymbols).is_err() {
                continue;
            }
            let way = format!("{} to {}", sample.class, to.dialect().name());
            let count = counts.entry(way.clone()).or_default();
            count.0 += 1;
            match convert::instruction(&sample.line, from, to, &NoSymbols) {
                Ok(_) => count.1 += 1,
                Err(_) => {
                    let word = sample.line.trim().split([' ', '_']).take(2);
                    let word = word.collect::<Vec<_>>().join("_");
                    let group = refused.entry((way, word)).or_default();
                    group.0 += 1;
                    group.1.clone_from(&sample.line);
                }
            }
        }
    }
    for (way, (all, written)) in counts {
        println!("{way}: {written} of {all} lines");
    }
    for ((way, word), (count, example)) in refused {
        println!("{way}\t{word}\t{count}\t{example}");
    }
}
