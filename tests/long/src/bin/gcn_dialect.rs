//! Prints how our reading of CLRX's dialect agrees with its assembler's verdicts,
//! class by class, and the reasons of every disagreement; for a class that is
//! named also those without a reason:
//! `cargo run --release -p long-tests --bin gcn_dialect [CLASS…]`.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use gcn::assembler::Dialect;
use tests::matrix::{CLRX_CLASSES, clrx_reason, clrx_rows, compare};

fn main() {
    let folder = tests::corpora::shared("data/gcn/dialect");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("class    lines  equal  differ refused we-refuse we-accept agree%");
    for class in
        CLRX_CLASSES.iter().filter(|class| wanted.is_empty() || wanted.iter().any(|w| w == *class))
    {
        let path = folder.join(format!("{class}.tsv.gz"));
        let rows = clrx_rows(&path).expect("readable");
        let agreement = compare(class, Dialect::Clrx, rows.iter());
        println!(
            "{class}  {:6} {:6} {:6} {:7} {:9} {:9} {:8.3}",
            agreement.lines(),
            agreement.equal,
            agreement.different,
            agreement.refused,
            agreement.we_refuse,
            agreement.we_accept,
            agreement.same(),
        );
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        let mut others = Vec::new();
        for (group, (count, example)) in &agreement.groups {
            match clrx_reason(group, example) {
                Some(reason) => *reasons.entry(reason).or_default() += count,
                None => others.push((count, group, example)),
            }
        }
        for (reason, count) in reasons {
            println!("    {count:5} {reason}");
        }
        others.sort_by_key(|(count, ..)| std::cmp::Reverse(**count));
        let rest: usize = others.iter().map(|(count, ..)| **count).sum();
        println!("    {rest:5} without a reason");
        let most = if wanted.is_empty() { 0 } else { 80 };
        for (count, group, example) in others.into_iter().take(most) {
            println!("        {count:5} {group}: {example}");
        }
    }
}
