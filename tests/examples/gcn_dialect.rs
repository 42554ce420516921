//! Prints how our reading of CLRX's dialect agrees with its assembler's verdicts,
//! class by class, and every kind of disagreement:
//! `cargo run --release -p tests --example gcn_dialect [CLASS…]`.

#![allow(clippy::print_stdout)]

use std::io::Read as _;

use gcn::assembler::Dialect;
use tests::matrix::{CLRX_CLASSES, clrx_rows, compare};

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).expect("gzip");
    out
}

fn main() {
    let Some(folder) = tests::corpora::shared("data/gcn/dialect") else { return };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("class    lines  equal  differ refused we-refuse we-accept agree%");
    for class in
        CLRX_CLASSES.iter().filter(|class| wanted.is_empty() || wanted.iter().any(|w| w == *class))
    {
        let path = folder.join(format!("{class}.tsv.gz"));
        let rows = clrx_rows(&path, decompress).expect("readable");
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
        let mut groups: Vec<_> = agreement.groups.iter().collect();
        groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let most = if wanted.is_empty() { 5 } else { 80 };
        for (group, (count, example)) in groups.into_iter().take(most) {
            println!("    {count:5} {group}: {example}");
        }
    }
}
