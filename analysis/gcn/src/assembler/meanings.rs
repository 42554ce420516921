//! Meanings of a word at each of its places, without looking through all macros or statements
//! for each of them.

use rustc_hash::FxHashMap;
use source::{Cover, TextSize};

use super::editor::{NameKind, Role, SourceWord};
use super::result::Expansion;
use super::sources::{SourceId, Span};
use crate::dialect::Dialect;

/// The meanings of words: of one in whatever case, or of all.
pub(super) struct Meanings<'a> {
    expansion: &'a Expansion,
    /// By name, as the dialect tells names apart.
    macros: FxHashMap<String, Definitions>,
    /// Bodies that know a parameter of that name, by its spelling.
    bodies: FxHashMap<&'a str, FxHashMap<SourceId, Cover<Parameter>>>,
    /// The innermost parameters whose names stand at places of headers.
    headers: FxHashMap<(&'a str, Span), Parameter>,
    /// The statements of each source up to which none ends later, each with its end.
    ends: FxHashMap<SourceId, Vec<(TextSize, u32)>>,
}

/// A parameter of a macro: the length of the macro's body, so that the innermost is the least,
/// the macro and the parameter.
type Parameter = (TextSize, u32, usize);

/// The macros of one name, in the order of their definitions.
#[derive(Default)]
struct Definitions {
    all: Vec<(SourceId, u32)>,
    /// Of each source the macros, each with the least place from it on.
    places: FxHashMap<SourceId, Vec<(TextSize, u32)>>,
    /// The last that stands in another source than the last one.
    last_elsewhere: Option<u32>,
}

impl Definitions {
    fn add(&mut self, place: Span, index: u32) {
        if let Some((_, last)) = self.all.last().filter(|(source, _)| *source != place.source) {
            self.last_elsewhere = Some(*last);
        }
        self.all.push((place.source, index));
        self.places.entry(place.source).or_default().push((place.range.start(), index));
    }

    fn finish(&mut self) {
        for places in self.places.values_mut() {
            let mut least = TextSize::new(u32::MAX);
            for (start, _) in places.iter_mut().rev() {
                least = least.min(*start);
                *start = least;
            }
        }
    }

    /// The last that is defined before a place or in another source, or else the first.
    fn at(&self, place: Span) -> Option<u32> {
        let (source, last) = *self.all.last()?;
        let elsewhere = if source == place.source { self.last_elsewhere } else { Some(last) };
        let before = self.places.get(&place.source).and_then(|places| {
            let count = places.partition_point(|(start, _)| *start <= place.range.start());
            places.get(count.checked_sub(1)?).map(|(_, index)| *index)
        });
        before.max(elsewhere).or_else(|| self.all.first().map(|(_, index)| *index))
    }
}

impl<'a> Meanings<'a> {
    /// Gathers what tells the meanings of a word.
    pub(super) fn of(expansion: &'a Expansion, word: &str) -> Meanings<'a> {
        Meanings::gathered(expansion, &|name| name.eq_ignore_ascii_case(word))
    }

    /// Gathers what tells the meanings of all words.
    pub(super) fn of_all(expansion: &'a Expansion) -> Meanings<'a> {
        Meanings::gathered(expansion, &|_| true)
    }

    fn gathered(expansion: &'a Expansion, is_wanted: &dyn Fn(&str) -> bool) -> Meanings<'a> {
        let mut meanings = Meanings {
            expansion,
            macros: FxHashMap::default(),
            bodies: FxHashMap::default(),
            headers: FxHashMap::default(),
            ends: FxHashMap::default(),
        };
        meanings.gather_macros(is_wanted);
        // Without scopes any statement sees the same symbols.
        if expansion.dialect != Dialect::Llvm {
            meanings.gather_statements();
        }
        meanings
    }

    fn gather_macros(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
        let mut bodies: FxHashMap<&str, FxHashMap<SourceId, Vec<_>>> = FxHashMap::default();
        for (index, it) in (0_u32..).zip(&self.expansion.macros) {
            let name = folded(&it.name, self.expansion.dialect);
            let definition = self.expansion.in_file(it.definition);
            self.macros.entry(name).or_default().add(definition, index);
            let named = it.indices.iter().filter(|(name, _)| is_wanted(name));
            for (name, parameter) in named {
                let key = (it.body.range.len(), index, *parameter);
                if let Some(known) = it.parameters.get(*parameter) {
                    let place = (&**name, self.expansion.in_file(known.span));
                    let least = self.headers.entry(place).or_insert(key);
                    *least = key.min(*least);
                }
                let body = self.expansion.in_file(it.body);
                let (start, end) = (u32::from(body.range.start()), u32::from(body.range.end()));
                if let Some(last) = end.checked_sub(1) {
                    let bodies = bodies.entry(name).or_default().entry(body.source).or_default();
                    bodies.push((start..=last, key));
                }
            }
        }
        self.macros.values_mut().for_each(Definitions::finish);
        let covers = |bodies: FxHashMap<SourceId, Vec<_>>| {
            bodies.into_iter().map(|(source, ranges)| (source, Cover::new(ranges))).collect()
        };
        self.bodies = bodies.into_iter().map(|(name, bodies)| (name, covers(bodies))).collect();
    }

    fn gather_statements(&mut self) {
        for (number, statement) in (0_u32..).zip(&self.expansion.statements) {
            let place = self.expansion.in_file(statement.span);
            let ends = self.ends.entry(place.source).or_default();
            if ends.last().is_none_or(|(last, _)| *last < place.range.end()) {
                ends.push((place.range.end(), number));
            }
        }
    }

    /// Returns the meaning of the word at one of its places.
    pub(super) fn meaning(&self, word: SourceWord<'_>, span: Span) -> Option<NameKind> {
        let first = word.text.as_bytes().first()?;
        if first.is_ascii_digit() {
            let digits = word.text.trim_end_matches(['b', 'f']);
            let near = digits.bytes().all(|byte| byte.is_ascii_digit())
                && (word.role == Role::Defined || word.text.len() == digits.len() + 1);
            return near.then_some(NameKind::NumericLabel);
        }
        if let Some(parameter) = self.parameter_at(word, span) {
            return Some(parameter);
        }
        match word.role {
            Role::First | Role::MacroName => self.macro_named(word.text, span).map(NameKind::Macro),
            Role::Parameter => None,
            Role::Defined | Role::Other => {
                let statement = self.statement_after(span);
                self.expansion.find_symbol(word.text, statement).map(NameKind::Symbol)
            }
        }
    }

    /// Returns the macro of a name: the last that is defined before the place, or else the first.
    fn macro_named(&self, name: &str, at: Span) -> Option<u32> {
        self.macros.get(&folded(name, self.expansion.dialect))?.at(at)
    }

    /// The parameter a word names: behind `\` in a body, in a header, or before `=` in a call.
    fn parameter_at(&self, word: SourceWord<'_>, span: Span) -> Option<NameKind> {
        if word.keyword
            && word.role == Role::Other
            && let Some(macro_index) = self.macro_named(word.first, span)
        {
            let called = &self.expansion.macros[macro_index as usize];
            if let Some(index) = called.indices.get(word.text) {
                return Some(NameKind::Parameter { macro_index, index: *index });
            }
        }
        let header = word.first.eq_ignore_ascii_case(".macro") && word.role == Role::Other;
        let found = match (header, word.role) {
            (true, _) => self.headers.get(&(word.text, span)).copied(),
            // The innermost macro around it that has such a parameter.
            (false, Role::Parameter) => {
                let bodies = self.bodies.get(word.text)?.get(&span.source)?;
                bodies.at(span.range.start().into())
            }
            (false, _) => None,
        };
        let (_, macro_index, index) = found?;
        Some(NameKind::Parameter { macro_index, index })
    }

    /// The first statement of the file itself that does not end before a place.
    fn statement_after(&self, span: Span) -> u32 {
        if self.expansion.dialect == Dialect::Llvm {
            return 0;
        }
        let ends = self.ends.get(&span.source).map_or(&[][..], Vec::as_slice);
        let before = ends.partition_point(|(end, _)| *end < span.range.start());
        let last = u32::try_from(self.expansion.statements.len()).unwrap_or(u32::MAX);
        ends.get(before).map_or(last, |(_, number)| *number)
    }
}

/// A macro's name as the dialect tells names apart.
fn folded(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Llvm => name.to_owned(),
        Dialect::Clrx => name.to_ascii_lowercase(),
    }
}
