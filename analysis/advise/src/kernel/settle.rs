//! Waits and wait states where they are needed, and nowhere else.

use gcn::analysis::{Cfg, Change as InstChange, DefUse, hazards, waits};
use gcn::codes;
use gcn::program::{KernelCode, Options};
use source::{LineIndex, no_checkpoint};

use super::listing::{Kind, Listing, assembled};
use super::{Change, text_of};
use crate::search::Promise;

/// Rounds in which what is missing is put in, at most: each finds what those before left.
const MOST_ROUNDS: usize = 12;

/// All waits are taken out, and those put in again that are needed.
pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    changes.push(Change {
        lines: without_waits(listing),
        what: "waits only where and for what something needs them".to_owned(),
        promise: Promise::Much,
    });
    // One at a time, too: its place may be the better one.
    for (place, instruction) in listing.instructions.iter().enumerate() {
        if instruction.kind == Kind::Waits {
            changes.push(Change {
                lines: listing.without(|it| it == place),
                what: format!("the wait of line {} moved to its first use", listing.place(place)),
                promise: Promise::Little,
            });
        }
    }
}

/// The lines without waits.
pub(super) fn without_waits(listing: &Listing) -> Vec<String> {
    listing.without(|place| listing.instructions[place].kind == Kind::Waits)
}

/// Puts in the waits and wait states that a text lacks; `None` where it does not assemble.
pub(super) fn settle(lines: Vec<String>, options: &Options) -> Option<String> {
    let mut lines = lines;
    for _ in 0..MOST_ROUNDS {
        let text = text_of(&lines);
        let program = assembled(&text, options)?;
        let kernel = program.kernels.first()?;
        let own = KernelCode::of(&program, kernel, program.address_counts(), &no_checkpoint);
        let def_use = DefUse::of_all(&own.code, &no_checkpoint);
        let cfg = Cfg::of(&own.code, &def_use);
        let groups = own.declared.waves_per_group;
        let mut missing = waits(&own.code, &def_use, &cfg, groups, &no_checkpoint);
        missing.retain(|it| it.code == codes::MISSING_WAIT);
        if missing.is_empty() {
            missing = hazards(&own.code, &def_use, &cfg, &no_checkpoint);
            missing.retain(|it| it.code == codes::MISSING_WAIT_STATES);
        }
        if missing.is_empty() {
            return Some(text);
        }
        let index = LineIndex::new(&text);
        // From the end on, so that lines before keep their numbers.
        missing.sort_by_key(|it| std::cmp::Reverse(it.instruction));
        missing.dedup_by_key(|it| it.instruction);
        for diagnostic in missing {
            let fix = diagnostic.fix?;
            let place = *own.instructions.get(diagnostic.instruction as usize)?;
            let instruction = program.instructions.get(place as usize)?;
            let line = index.line(program.range(instruction).start()) as usize;
            let old = lines.get(line)?;
            let indent: String = old.chars().take_while(|it| it.is_whitespace()).collect();
            match fix.change {
                InstChange::InsertBefore(new) => {
                    let new = new.lines().map(|it| format!("{indent}{it}"));
                    lines.splice(line..line, new.collect::<Vec<_>>());
                }
                InstChange::Replace(new) => *lines.get_mut(line)? = format!("{indent}{new}"),
                InstChange::Remove => return None,
            }
        }
    }
    None
}
