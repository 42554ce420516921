//! Shaders and kernels with planted faults of which one statement is broken: the diagnostics of
//! all other statements stay, and none comes to them.

mod breaks;
mod kernels;
mod shaders;
mod twins;
mod typing;

use std::collections::{BTreeMap, BTreeSet};

use source::Diagnostic;

pub use kernels::break_lines;
pub use shaders::break_statements;
pub use typing::{Typed, type_statements};

/// The statements whose effect reaches over the whole shader are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An instruction that goes on to the next one.
    Plain,
    /// A word of structure.
    Structure,
    /// A declaration, an immediate or a property.
    Declaration,
}

/// The result of breaking statements of one kind.
#[derive(Debug, Default)]
pub struct Count {
    /// Pairs of a sound and a broken shader.
    pub pairs: usize,
    /// Diagnostics of the sound ones elsewhere.
    pub all: usize,
    /// Diagnostics of them that stayed.
    pub kept: usize,
    /// Diagnostics that went, as they must: another sound statement breaks into the same text, and
    /// does not have them. They are not among `all`.
    pub dependent: usize,
    /// Diagnostics that were lost, by code and way of breaking.
    pub lost: BTreeMap<(String, &'static str), usize>,
    /// Diagnostics that came, each with its text.
    pub added: Vec<String>,
}

/// A text of which one line is broken.
struct Pair {
    text: String,
    line: usize,
    way: &'static str,
    kind: Kind,
}

/// The results by kind, and the codes of the diagnostics that were compared.
#[derive(Debug, Default)]
pub struct Summary {
    /// By the kind of the broken statement.
    pub counts: BTreeMap<Kind, Count>,
    /// The codes that sound shaders had.
    pub codes: BTreeSet<String>,
}

impl Summary {
    /// Checks that so many of a hundred diagnostics beside plain instructions stay, and that none
    /// comes: of those that the text still tells of, and counted plainly, with all that nobody
    /// can tell.
    ///
    /// # Panics
    /// Shows those that were lost, and the first that came.
    pub fn check(&self, least: usize, plainly: usize) {
        for count in self.counts.values() {
            let heads: Vec<&str> = count.added.iter().filter_map(|it| it.lines().next()).collect();
            let first = count.added.first().map_or("", String::as_str);
            assert!(heads.is_empty(), "these came: {heads:#?}\n{first}");
        }
        let plain = &self.counts[&Kind::Plain];
        assert!(plain.pairs >= 1_000, "{} pairs", plain.pairs);
        self.reach(Kind::Plain, least);
        let all = plain.all + plain.dependent;
        assert!(plain.kept * 100 >= all * plainly, "{} of {all}: {plain:?}", plain.kept);
    }

    /// Checks that so many of a hundred diagnostics beside statements of a kind stay.
    ///
    /// # Panics
    /// Shows those that were lost.
    pub fn reach(&self, kind: Kind, least: usize) {
        let count = &self.counts[&kind];
        eprintln!(
            "{kind:?}: {} pairs, {} of {} stayed, {} open",
            count.pairs, count.kept, count.all, count.dependent
        );
        assert!(count.kept * 100 >= count.all * least, "{kind:?}: {count:?}");
    }
}

/// One diagnostic by its line, without what breaking another line may change.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    code: String,
    lines: (usize, usize),
    column: usize,
    message: String,
    /// Set where it stands for more places than its own.
    shared: bool,
}

impl Told {
    fn of(found: &Diagnostic, text: &str) -> Told {
        let start = usize::from(found.range.start());
        let line = |offset: usize| text[..offset].matches('\n').count();
        let (stem, more) = match found.message.split_once(" (and ") {
            Some((stem, _)) => (stem, true),
            None => (found.message.as_str(), false),
        };
        Told {
            code: found.code.0.to_owned(),
            lines: (line(start), line(usize::from(found.range.end()))),
            column: start - text[..start].rfind('\n').map_or(0, |end| end + 1),
            message: stem.to_owned(),
            shared: more,
        }
    }

    /// The message up to the components of a register, or the register itself, which differ from
    /// place to place.
    fn subject(&self) -> &str {
        self.message.split([';', '.']).next().unwrap_or(&self.message)
    }

    fn is_same(&self, other: &Told) -> bool {
        (&self.code, self.lines, self.column, &self.message)
            == (&other.code, other.lines, other.column, &other.message)
    }

    fn touches(&self, line: usize) -> bool {
        (self.lines.0..=self.lines.1).contains(&line)
    }
}

/// Compares the diagnostics of a sound text with those of a broken one; `depends` tells of one that
/// went whether it had to.
fn compare(
    before: &[Told],
    after: &[Told],
    pair: &Pair,
    depends: &dyn Fn(&Told) -> bool,
    count: &mut Count,
) {
    count.pairs += 1;
    let mut left: Vec<&Told> = after.iter().collect();
    let mut lost: Vec<&Told> = Vec::new();
    for told in before {
        let found = left.iter().position(|other| other.is_same(told));
        match found {
            Some(place) => {
                left.swap_remove(place);
            }
            None => lost.push(told),
        }
        if told.touches(pair.line) {
            continue;
        }
        if found.is_none() && depends(told) {
            count.dependent += 1;
            continue;
        }
        count.all += 1;
        match found {
            Some(_) => count.kept += 1,
            None => *count.lost.entry((told.code.clone(), pair.way)).or_default() += 1,
        }
    }
    for told in left.into_iter().filter(|told| !told.touches(pair.line)) {
        // It stood for this place too, or the first of its places was the broken line; or it was
        // told in this one's place, since of an instruction one of a kind is.
        let moved = lost.iter().any(|first| {
            let here = first.touches(pair.line) && first.subject() == told.subject();
            let in_its_place = first.lines == told.lines;
            first.code == told.code && (first.shared || here || in_its_place)
        });
        if !moved {
            let lines = pair.text.lines().enumerate();
            let text: String = lines.map(|(number, it)| format!("{number:4} {it}\n")).collect();
            let (way, line) = (pair.way, pair.line);
            count.added.push(format!("{way} of line {line} adds {told:?} to\n{text}"));
        }
    }
}
