//! The lines that are judged for a chip.

use std::collections::BTreeSet;

use gcn::Target;

use super::alter::neighbour;
use super::random::Random;
use super::words::{Place, places};
use super::{CLASSES, templates};

/// Neighbours of each form, and of a form that stands for all with the same operands.
const NEIGHBOURS: [usize; 2] = [2, 24];

/// Makes the lines for a class of chips, in the order of the alphabet.
///
/// `share`: of this many lines one is kept. Chips that differ in little have most of
/// their rules judged with another chip; each keeps other lines.
pub(crate) fn lines(class: &str, share: usize, all: &[(Target, Vec<Place>)]) -> Vec<String> {
    let target = Target::find(class).unwrap_or_default();
    let own = all.iter().find(|(other, _)| *other == target).map_or(&[][..], |(_, own)| own);
    let mut lines: BTreeSet<String> = BTreeSet::new();
    let mut offset = Random::named(class).below(share);
    let mut keep = |line: String| {
        offset += 1;
        if offset.is_multiple_of(share) && line.is_ascii() && !line.contains('\t') {
            lines.insert(line);
        }
    };
    for line in templates::lines(target) {
        keep(line);
    }
    for place in own {
        let name = format!("{class} {} {}", place.mnemonic.name, place.encoding.name());
        let mut random = Random::named(&format!("{name} {}", place.extension));
        if !place.lines.is_empty() {
            for _ in 0..NEIGHBOURS[usize::from(place.stands_for_others)] {
                keep(neighbour(&random.pick(&place.lines).clone(), &mut random));
            }
        }
    }
    // Every form has a line whatever is left out, and so have those of other chips.
    for place in own {
        let kept = match share {
            1 => place.lines.len(),
            _ => (place.lines.len() / share).max(1),
        };
        lines.extend(place.lines.iter().rev().take(kept).cloned());
    }
    lines.extend(strangers(own, all));
    lines.into_iter().collect()
}

/// The forms of every class, with their lines.
pub(crate) fn all_places() -> Vec<(Target, Vec<Place>)> {
    let targets = CLASSES.iter().filter_map(|class| Target::find(class));
    targets.map(|target| (target, places(target))).collect()
}

/// A line of each mnemonic that only other chips have.
fn strangers(own: &[Place], all: &[(Target, Vec<Place>)]) -> Vec<String> {
    let known: BTreeSet<_> = own.iter().map(|place| place.mnemonic.name).collect();
    let mut found = BTreeSet::new();
    let others = all.iter().flat_map(|(_, places)| places);
    let unknown = others.filter(|place| !known.contains(place.mnemonic.name));
    unknown
        .filter(|place| found.insert((place.mnemonic.name, place.encoding)))
        .filter_map(|place| place.lines.last().cloned())
        .collect()
}
