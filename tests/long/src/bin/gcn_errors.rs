//! Prints where our errors stand beside the reference's, for lines that must be
//! refused: `cargo run --release -p long-tests --bin gcn_errors`.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use gcn::Target;
use gcn::assembler::Dialect;
use tests::matrix::{compare, refused};

fn main() {
    let folder = tests::corpora::shared("data/gcn/mc-err");
    let rows = refused(&folder).expect("readable");
    let mut columns: BTreeMap<String, (usize, String)> = BTreeMap::new();
    println!("processor   lines both-refuse same-column same-operand whole-line we-accept");
    for (processor, rows) in rows.iter().filter(|(name, _)| Target::find(name).is_some()) {
        let agreement = compare(processor, Dialect::Llvm, rows.iter());
        println!(
            "{processor:<10} {:6} {:11} {:11} {:12} {:10} {:9}",
            agreement.lines(),
            agreement.refused,
            agreement.same_column,
            agreement.same_operand,
            agreement.whole_line,
            agreement.we_accept,
        );
        for (group, (count, example)) in &agreement.groups {
            println!("    {count:5} {group}: {example}");
        }
        for (message, (count, example)) in agreement.columns {
            columns.entry(message).or_insert((0, example)).0 += count;
        }
    }
    println!("at another operand, by the reference's message:");
    for (message, (count, example)) in columns {
        println!("    {count:5} {message}: {example}");
    }
}
