//! The whole map of a product of matrices, both ways: where each element is, and what each lane
//! holds.

use std::fmt::Write as _;

use super::matrix::{Use, along, layout_source, products, span};
use crate::matrix::{Element, LANES, Layout, Part, Place};
use crate::mnemonics::op_info;

/// The word before a mnemonic that names its map: `layout:v_mfma_f32_32x32x8f16`.
pub const LAYOUT: &str = "layout:";

/// Returns the map that a name stands for, in Markdown: `layout:` and a mnemonic, then the
/// modifiers that say which formats A and B have, and the operands, whose registers are named
/// then: `layout:v_mfma_… cbsz:4 blgp:4 operands:v[0:3],v[4:7],v[8:11],0`.
pub fn matrix_layout(name: &str) -> Option<String> {
    let mut words = name.strip_prefix(LAYOUT)?.split_ascii_whitespace();
    let info = op_info(&words.next()?.to_ascii_lowercase())?;
    let (_, product) = products(info).pop()?;
    let mut used = Use::of(product);
    for word in words {
        let (key, value) = word.split_once(':')?;
        if key == "operands" {
            let operands = value.split(',').collect::<Vec<_>>();
            used.operands = match operands[..] {
                [d, a, b, c, ..] => Some([a, b, d, c]),
                _ => return None,
            };
            continue;
        }
        let place = ["cbsz", "abid", "blgp"].iter().position(|it| *it == key)?;
        used.modifiers[place] = value.parse().ok()?;
    }
    let mut text = format!(
        "The places of the elements of `{}`: D = A × B + C, without modifiers that rearrange \
         them.",
        info.name
    );
    text.push_str(match used.operands {
        Some(_) => "\n\n",
        None => " `lane 16: 0–1` is the first two registers of the operand, in lane 16.\n\n",
    });
    text.push_str(layout_source(product.layout));
    for part in Part::ALL {
        let layout = used.layout(part)?;
        let line = if part == Part::A { 'i' } else { 'j' };
        let title = used.title(part);
        let (rows, columns) = layout.size();
        let _ = writeln!(text, "## {title}: {rows} × {columns} of {}\n", layout.ty.name());
        text.push_str(&table(&by_element(&used, part, &layout, line)));
        let _ = writeln!(text, "\nWhat each lane holds:\n");
        text.push_str(&table(&by_lane(&used, part, &layout, line)));
        text.push('\n');
    }
    Some(text)
}

/// A row for each line of each block, a column for each run of elements along it.
fn by_element(used: &Use<'_>, part: Part, layout: &Layout, line: char) -> Vec<Vec<String>> {
    let runs = layout.length / layout.run;
    let mut head =
        vec![if layout.blocks > 1 { format!("block, {line}") } else { line.to_string() }];
    head.extend((0..runs).map(|run| along(used.product, part, run * layout.run, layout.run)));
    let mut rows = vec![head];
    for block in 0..layout.blocks {
        for own in 0..layout.side {
            let name = if layout.blocks > 1 { format!("{block}, {own}") } else { own.to_string() };
            let mut row = vec![name];
            row.extend((0..runs).filter_map(|run| {
                let first = run * layout.run;
                let (row, column) = if part == Part::A { (own, first) } else { (first, own) };
                let place = layout.place(Element { row, column, block })?;
                let count = layout.run * layout.ty.bits() / 32;
                let lane = format!("lane {}", place.lane);
                match used.named(part, place.register, count) {
                    // The heading has them all.
                    Some(_) if layout.held() == layout.run => Some(lane),
                    Some(registers) => Some(format!("{lane}: {registers}")),
                    None => Some(format!("{lane}: {}", span(place.register, count))),
                }
            }));
            rows.push(row);
        }
    }
    rows
}

/// A row for each lane, a column for each run of its registers.
fn by_lane(used: &Use<'_>, part: Part, layout: &Layout, line: char) -> Vec<Vec<String>> {
    let runs = layout.held() / layout.run;
    let mut head = vec!["lane".to_owned()];
    head.extend((0..runs).map(|run| used.registers(part, layout, run)));
    let mut rows = vec![head];
    for lane in 0..LANES {
        let mut row = vec![lane.to_string()];
        row.extend((0..runs).filter_map(|run| {
            let bits = run * layout.run * layout.ty.bits();
            let place = Place { lane, register: bits / 32, bit: bits % 32 };
            let Element { row, column, block } = layout.element(place)?;
            let (own, first) = if part == Part::A { (row, column) } else { (column, row) };
            let mut text =
                format!("{line} = {own}, {}", along(used.product, part, first, layout.run));
            if layout.blocks > 1 {
                let _ = write!(text, ", block {block}");
            }
            Some(text)
        }));
        rows.push(row);
    }
    rows
}

/// A table in Markdown, whose columns stand below each other in the text too.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
        if number == 0 {
            for width in &widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}
