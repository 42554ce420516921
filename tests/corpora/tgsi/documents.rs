//! Tables of TGSI against the documents and facts that they are from.

use std::collections::BTreeSet;

use tests::corpora::shared;
use tgsi::capabilities;
use tgsi::describe::texture_components;
use tgsi::opcodes::{Opcode, OutputMode};

/// Lists the capabilities that no shader shows, each with the reason.
fn elsewhere() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = include_str!("../../../analysis/tgsi/data/capabilities_elsewhere.tsv");
    let cells = table.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    cells.flat_map(|row| row[1].split(',').map(move |name| (name, row[0])))
}

#[test]
fn opcodes_agree_with_the_table_of_facts() {
    let facts = std::fs::read_to_string(shared("data/tgsi/OPCODES.tsv")).expect("readable");
    for line in facts.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let row = Opcode::find(fields[0]).map(Opcode::row);
        let row = row.unwrap_or_else(|| panic!("{} is missing", fields[0]));
        let flag = |set: bool| if set { "1" } else { "0" };
        let output = match row.output {
            OutputMode::None => "none",
            OutputMode::Componentwise => "componentwise",
            OutputMode::Replicate => "replicate",
            OutputMode::ChannelDependent => "chan_dependent",
            OutputMode::Other => "other",
        };
        let ours = [
            row.number.map_or(String::new(), |number| number.to_string()),
            row.destinations.to_string(),
            row.sources.to_string(),
            flag(row.texture).into(),
            flag(row.label).into(),
            flag(row.store).into(),
            output.into(),
        ];
        assert_eq!(ours[..], fields[1..8], "{}", row.mnemonic);
        assert_eq!([row.since, row.until], fields[11..13], "{}", row.mnemonic);
        let (stages, _) = fields[10].split_once(" (").unwrap_or((fields[10], ""));
        assert_eq!(row.stages, stages.replace(',', " "), "{}", row.mnemonic);
    }
}

#[test]
fn the_table_of_formats_is_in_ours() {
    let facts = std::fs::read_to_string(shared("data/tgsi/FORMATS.tsv")).expect("readable");
    for line in facts.lines().skip(1) {
        let name = line.split('\t').next().unwrap_or_default();
        let ours = include_str!("../../../analysis/tgsi/data/formats.tsv").lines();
        let row = ours.skip(1).find(|row| row.split('\t').next() == Some(name));
        let row = row.unwrap_or_else(|| panic!("{name} is missing"));
        assert!(row.starts_with(line), "{name} differs");
    }
}

#[test]
fn names_are_those_of_the_document_or_the_headers() {
    let document =
        std::fs::read_to_string(shared("seeds/gallium-documentation-2020.txt")).expect("readable");
    let headers =
        std::fs::read_to_string(shared("data/tgsi/profiles/defaults.tsv")).expect("readable");
    let document = document.replace('\\', "");
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
        parts.map(str::to_owned).collect()
    };
    let (document, headers) = (words(&document), words(&headers));
    for row in capabilities::all() {
        let source = match row.source.contains("Mesa 21 headers") {
            true => &headers,
            false => &document,
        };
        assert!(source.contains(row.name), "{}: not in its source", row.name);
    }
}

#[test]
fn every_capability_of_the_document_is_known() {
    let document =
        std::fs::read_to_string(shared("seeds/gallium-documentation-2020.txt")).expect("readable");
    let document = document.replace('\\', "");
    let words = document.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    let named: BTreeSet<&str> = words
        .filter(|word| {
            let rest = word.strip_prefix("PIPE_").unwrap_or("");
            let groups = ["CAP_", "CAPF_", "SHADER_CAP_", "COMPUTE_CAP_"];
            groups.iter().any(|group| rest.strip_prefix(group).is_some_and(|name| !name.is_empty()))
        })
        .collect();
    assert!(named.len() > 250, "{}", named.len());
    let checked: BTreeSet<&str> = capabilities::all().iter().map(|row| row.name).collect();
    let mut unseen = 0;
    for (name, reason) in elsewhere() {
        assert!(named.contains(name), "{name} is not in the document");
        assert!(reason.len() > 20, "{name}: {reason}");
        unseen += 1;
    }
    let elsewhere: BTreeSet<&str> = elsewhere().map(|(name, _)| name).collect();
    assert_eq!(elsewhere.len(), unseen, "a capability stands twice");
    let unknown: Vec<&&str> = named
        .iter()
        .filter(|name| !checked.contains(**name) && !elsewhere.contains(**name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    eprintln!("{} capabilities checked, {} not seen in shaders", checked.len(), elsewhere.len());
}

#[test]
fn texture_components_are_those_of_the_document() {
    let document =
        std::fs::read_to_string(shared("seeds/gallium-documentation-2020.txt")).expect("readable");
    let rows: Vec<&str> = document
        .lines()
        .skip_while(|line| !line.starts_with("Texture Components\tGallium"))
        .skip(1)
        .take_while(|line| line.contains('\t'))
        .collect();
    assert_eq!(rows.len(), texture_components().len());
    for (theirs, ours) in rows.iter().zip(texture_components()) {
        let fields: Vec<&str> = theirs.split('\t').collect();
        assert_eq!(fields[0], ours.components);
        let columns = [ours.gallium, ours.opengl, ours.direct3d];
        for (theirs, ours) in fields[1..].iter().zip(columns) {
            let theirs = theirs.split(" <sup>").next().unwrap_or_default();
            let theirs = theirs.replace("XXX TBD", "not settled").replace("N/A", "not there");
            assert_eq!(theirs, ours, "{}", fields[0]);
        }
    }
}
