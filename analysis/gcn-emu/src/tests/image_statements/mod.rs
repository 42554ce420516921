//! Statements of CLRX's document on image instructions, one a row of
//! `data/image_statements.tsv`: each is checked, and where the document is wrong the row says
//! why, and is checked for what is right.
//!
//! Expectations are made from the document's facts and CLRX's own cases, not from answers
//! of this project.

mod answers;
mod machine;

use std::collections::{BTreeMap, BTreeSet};

/// A row of the table.
struct Row<'a> {
    section: &'a str,
    instruction: &'a str,
    statement: &'a str,
    chip: &'a str,
    check: Check,
    input: &'a str,
    expectation: &'a str,
    /// The reason for which the document's statement is not the one that is checked.
    erratum: &'a str,
}

isa::words! {
    /// The kind of a check.
    Check {
        /// A line in CLRX's dialect has these words.
        Encodes "encodes",
        /// Words are this mnemonic, or `nothing`.
        Decodes "decodes",
        /// A line is `taken`, or refused with a message that holds the expectation.
        Judges "judges",
        /// The sizes that CLRX's dialect takes for the operand in braces.
        Sizes "sizes",
        /// The sizes of the data for each mask, without and with `tfe`.
        Data "data",
        /// The hover of the word behind `^`, else of the mnemonic, holds this.
        Hover "hover",
        /// The page of a name holds this.
        Explain "explain",
        /// The request to the texture unit: each part with the number of its register.
        Asks "asks",
        /// The registers of the data behind a load of the texel 100, 101, 102, 103.
        Loads "loads",
        /// The texel and the data behind an atomic.
        Computes "computes",
    }
}

impl Check {
    /// Tells whether an answer holds what is expected, or is it.
    fn holds(self, answer: &str, expectation: &str) -> bool {
        match self {
            Check::Hover | Check::Explain | Check::Judges => answer.contains(expectation),
            _ => answer == expectation,
        }
    }

    /// An answer to a question of the same kind about something else.
    fn other_answer(self, answer: &str) -> String {
        match self {
            Check::Hover => answers::hover("gfx803", "^v_mov_b32 v0, v1"),
            Check::Explain => answers::explain("gfx803", "v_mov_b32"),
            Check::Judges if answer == "taken" => "refused".to_owned(),
            Check::Judges => "taken".to_owned(),
            _ => format!("{answer} 7"),
        }
    }
}

fn rows() -> Vec<Row<'static>> {
    let text = include_str!("../../../data/image_statements.tsv");
    let rows = text.lines().filter(|row| !row.starts_with('#')).skip(1);
    let row = |row: &'static str| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [section, instruction, statement, chip, check, input, expectation, erratum] = cells[..]
        else {
            panic!("eight cells: {row}")
        };
        let check = Check::named(check).unwrap_or_else(|| panic!("no such check: {row}"));
        Row { section, instruction, statement, chip, check, input, expectation, erratum }
    };
    rows.map(row).collect()
}

fn answer(row: &Row<'_>) -> String {
    let Row { chip, input, .. } = *row;
    match row.check {
        Check::Encodes => answers::words(chip, input),
        Check::Decodes => answers::mnemonic(chip, input),
        Check::Judges => answers::verdict(chip, input),
        Check::Sizes => answers::sizes(chip, input),
        Check::Data => answers::data_sizes(chip, input),
        Check::Hover => answers::hover(chip, input),
        Check::Explain => answers::explain(chip, input),
        Check::Asks => machine::request(chip, input),
        Check::Loads => machine::loaded(chip, input),
        Check::Computes => machine::computed(chip, input),
    }
}

#[test]
fn statements_of_the_image_document_hold() {
    let (mut counts, mut errata) = (BTreeMap::<&str, u32>::new(), 0);
    let mut wrong = Vec::new();
    for row in rows() {
        let answer = answer(&row);
        *counts.entry(row.section).or_default() += 1;
        errata += u32::from(!row.erratum.is_empty());
        if !row.check.holds(&answer, row.expectation) {
            let Row { instruction, statement, chip, input, expectation, .. } = row;
            wrong.push(format!(
                "{instruction} {chip} {statement}: {input}\n  not {expectation}\n  but {answer}"
            ));
        }
    }
    let all: u32 = counts.values().sum();
    eprintln!("{all} statements, {errata} of them errata: {counts:#?}");
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all >= 1_300, "{all}");
}

/// Words are written in CLRX's dialect with the sizes that its assembler takes.
#[test]
fn every_opcode_is_printed_as_its_assembler_takes_it() {
    let opcodes =
        |row: &Row<'_>| row.section.starts_with("opcodes ") && row.check == Check::Encodes;
    let rows: Vec<Row<'_>> = rows().into_iter().filter(opcodes).collect();
    assert_eq!(rows.len(), 93 + 92 + 89);
    for Row { instruction, chip, expectation, .. } in rows {
        let text = answers::printed(chip, expectation);
        let text = text.unwrap_or_else(|problem| panic!("{chip} {instruction}: {problem}"));
        assert_eq!(answers::words(chip, &text), expectation, "{chip}: {text}");
        assert!(text.starts_with(instruction), "{chip} {instruction}: {text}");
    }
}

#[test]
fn every_row_can_fail_and_stands_once() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        let Row { section, instruction, statement, chip, input, expectation, .. } = row;
        let what = format!("{instruction}: {statement}");
        let cells = [section, instruction, statement, chip, input, expectation];
        assert!(cells.iter().all(|cell| cell.trim().len() > 1 || *cell == expectation), "{what}");
        assert!(!expectation.trim().is_empty(), "{what}");
        let check = row.check.name();
        assert!(seen.insert((statement, chip, check, input, expectation)), "twice: {what}");
        let other = row.check.other_answer(expectation);
        assert!(!row.check.holds(&other, expectation), "{what}: `{expectation}` holds of anything");
    }
}
