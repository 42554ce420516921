//! Expressions over features, as the columns `when` and `with` have them.
//!
//! An expression becomes alternatives: masks of features that must be there and of those
//! that must not. A chip has exactly one generation, so that a range of them is one mask:
//! none of the others.

use tables::Result;

/// The names of the features, each with its bit; those of the generations come first.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) generations: Vec<String>,
    pub(crate) features: Vec<String>,
}

/// Masks of the features that must be there, and of those that must not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Clause {
    pub(crate) required: u64,
    pub(crate) excluded: u64,
}

/// An expression: one of the clauses must hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct When(pub(crate) Vec<Clause>);

impl When {
    /// Returns the expression that holds for all chips.
    pub(crate) fn always() -> When {
        When(vec![Clause { required: 0, excluded: 0 }])
    }

    /// Tells whether it holds for a set of features.
    pub(crate) fn holds(&self, features: u64) -> bool {
        let fits =
            |it: &Clause| features & it.required == it.required && features & it.excluded == 0;
        self.0.iter().any(fits)
    }

    /// Prints it as code.
    pub(crate) fn code(&self) -> String {
        let clause = |it: &Clause| {
            let Clause { required, excluded } = it;
            format!("Clause::of({required:#x}, {excluded:#x}), ")
        };
        format!("When(&[{}])", self.0.iter().map(clause).collect::<String>())
    }

    fn and(&self, other: &When) -> When {
        let join = |a: &Clause, b: &Clause| Clause {
            required: a.required | b.required,
            excluded: a.excluded | b.excluded,
        };
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| join(a, b)));
        // A clause that wants and refuses one feature never holds.
        When(pairs.filter(|it| it.required & it.excluded == 0).collect())
    }

    fn or(mut self, other: When) -> When {
        self.0.extend(other.0);
        self.0.sort();
        self.0.dedup();
        self
    }

    /// Returns the opposite, by De Morgan's laws.
    fn not(&self) -> When {
        let bits = |mask: u64| (0..64).map(move |bit| mask & 1 << bit).filter(|bit| *bit != 0);
        self.0.iter().fold(When::always(), |all, clause| {
            let absent = bits(clause.required).map(|bit| Clause { required: 0, excluded: bit });
            let present = bits(clause.excluded).map(|bit| Clause { required: bit, excluded: 0 });
            all.and(&When(absent.chain(present).collect()))
        })
    }
}

impl Names {
    /// Returns the bit of a feature or a generation.
    pub(crate) fn bit(&self, name: &str) -> Result<u64> {
        let place = self.generations.iter().chain(&self.features).position(|it| it == name);
        place.map(|bit| 1 << bit).ok_or_else(|| format!("there is no feature `{name}`").into())
    }

    /// Reads an expression: `gfx8.. & !mai`.
    pub(crate) fn expression(&self, text: &str) -> Result<When> {
        let mut reader = Reader { names: self, rest: text.trim() };
        let when = reader.alternatives()?;
        let rest = reader.rest;
        if rest.is_empty() { Ok(when) } else { Err(format!("`{rest}` is not expected").into()) }
    }

    fn place(&self, generation: &str) -> Result<usize> {
        let place = self.generations.iter().position(|it| it == generation);
        place.ok_or_else(|| format!("there is no generation `{generation}`").into())
    }
}

struct Reader<'a> {
    names: &'a Names,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    fn word(&mut self) -> &'a str {
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '-';
        let end = self.rest.find(|it| !is_word(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    fn alternatives(&mut self) -> Result<When> {
        let mut all = self.conjunction()?;
        while self.eat("|") {
            all = all.or(self.conjunction()?);
        }
        Ok(all)
    }

    fn conjunction(&mut self) -> Result<When> {
        let mut all = self.atom()?;
        while self.eat("&") {
            all = all.and(&self.atom()?);
        }
        Ok(all)
    }

    fn atom(&mut self) -> Result<When> {
        if self.eat("!") {
            return Ok(self.atom()?.not());
        }
        if self.eat("(") {
            let inner = self.alternatives()?;
            return if self.eat(")") { Ok(inner) } else { Err("`)` is missing".into()) };
        }
        let word = self.word();
        if !self.eat("..") {
            let required = self.names.bit(word)?;
            return Ok(When(vec![Clause { required, excluded: 0 }]));
        }
        let first = self.names.place(word)?;
        let last = match self.word() {
            "" => self.names.generations.len() - 1,
            word => self.names.place(word)?,
        };
        if last < first {
            return Err("the range is empty".into());
        }
        let others = (0..self.names.generations.len()).filter(|it| *it < first || *it > last);
        let excluded = others.fold(0, |mask, bit| mask | 1 << bit);
        Ok(When(vec![Clause { required: 0, excluded }]))
    }
}
