//! Prints how our assembler agrees with the reference's verdicts, class by class:
//! `cargo run --release -p long-tests --bin gcn_matrix [CLASS…]`.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use gcn::assembler::Dialect;
use tests::matrix::{CLASSES, compare, rows};

fn main() {
    let folder = tests::corpora::shared("data/gcn/mc-matrix");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "class    lines  equal  differ refused same-column we-refuse we-accept verdict%  ns/line"
    );
    for class in
        CLASSES.iter().filter(|class| wanted.is_empty() || wanted.iter().any(|w| w == *class))
    {
        let rows = rows(&folder.join(format!("{class}.tsv.gz"))).expect("readable");
        // Once to build the tables, which are built once in a program's life.
        let _ = compare(class, Dialect::Llvm, rows.iter().take(1));
        let start = Instant::now();
        let agreement = compare(class, Dialect::Llvm, rows.iter());
        let elapsed = start.elapsed().as_nanos() as usize / rows.len().max(1);
        println!(
            "{class}  {:6} {:6} {:6} {:7} {:11} {:9} {:9} {:8.3} {:8}",
            agreement.lines(),
            agreement.equal,
            agreement.different,
            agreement.refused,
            agreement.same_column,
            agreement.we_refuse,
            agreement.we_accept,
            agreement.same_verdict(),
            elapsed,
        );
        let mut groups: Vec<_> = agreement.groups.iter().collect();
        groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let most = if wanted.is_empty() { 5 } else { 60 };
        for (group, (count, example)) in groups.into_iter().take(most) {
            println!("    {count:5} {group}: {example}");
        }
    }
}
