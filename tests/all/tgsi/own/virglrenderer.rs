//! Verdicts of virglrenderer on the repository's own shaders, beside our own on its dialect
//! (`cargo xtask judge` asks it).

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use source::no_checkpoint;
use tgsi::dialects::readers;

use super::folder;

#[test]
fn shaders_are_read_where_virglrenderer_reads_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/judged/tgsi-virglrenderer.tsv.gz");
    let mut table = String::new();
    let bytes = std::fs::read(path).expect("the table");
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut table).expect("a table");
    let (mut agreed, mut wrong) = ([0, 0], Vec::new());
    for row in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, number, verdict] = cells[..] else { panic!("{row}") };
        let bytes = std::fs::read(folder().join(file)).expect(file);
        let number: usize = number.parse().expect("a number");
        let reads = reads(&String::from_utf8_lossy(&bytes), number - 1);
        if reads == (verdict != "err") {
            agreed[usize::from(reads)] += 1;
        } else {
            wrong.push(format!("{file}\t{number}\t{verdict}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreed[0] >= 100 && agreed[1] >= 300, "refused and read: {agreed:?}");
}

/// Tells whether a shader of a file is read, as we know virglrenderer.
fn reads(text: &str, number: usize) -> bool {
    let regions = tgsi::regions::split(text).shaders;
    let text = regions[number].text(text);
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let Some(shader) = parse.shader else { return false };
    let names: BTreeSet<&str> =
        readers(&shader, text, &parse.diagnostics).iter().map(|it| it.name).collect();
    names.contains("virglrenderer")
}
