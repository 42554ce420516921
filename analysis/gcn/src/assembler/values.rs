//! Values of names, while expansion runs and after it.

use std::cell::Cell;

use source::Severity;

use super::editor::names;
use super::expand::{Expander, Here};
use super::layout::Layout;
use super::result::{Expansion, Resolved};
use super::sources::{NodeId, Span};
use super::symbols::{Definition, Setting, SymbolKind};
use super::target_symbols;
use crate::Target;
use crate::codes;
use crate::dialect::Dialect;
use crate::expression::{
    self, Address, ExpressionError, ExpressionErrorKind, Scope, Symbols, Value,
};
use crate::limits::{EXPRESSION_BYTES, SYMBOL_DEPTH, SYMBOL_WORK};

/// Symbols as one statement sees them.
#[derive(Clone, Copy)]
struct At<'a> {
    expansion: &'a Expansion,
    statement: u32,
    depth: u32,
    left: &'a Cell<u32>,
    /// The places of statements, once they are known.
    layout: Option<&'a Layout>,
}

impl Scope for At<'_> {
    fn symbol(&mut self, name: &str) -> Value {
        if name == "." {
            return self.expansion.place_of(self.statement).map_or(Value::Unknown, Value::Address);
        }
        self.value(name).map_or(Value::Undefined, |resolved| resolved.value)
    }

    fn distance(&mut self, from: Address, to: Address) -> Option<i64> {
        near(from, to).or_else(|| self.layout?.distance(self.expansion, from, to))
    }

    fn takes_float(&mut self) -> bool {
        true
    }

    fn target(&self) -> Option<Target> {
        Some(self.expansion.chip())
    }
}

impl At<'_> {
    fn value(&self, name: &str) -> Option<Resolved> {
        let symbols = &self.expansion.symbols;
        if name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            let place = symbols.numeric_label(name, self.statement)?;
            let forward = name.ends_with('f');
            return Some(Resolved { value: Value::Address(place), forward, until: self.statement });
        }
        let Some(symbol) = symbols.find_at(name, self.statement) else {
            return self.linked(name);
        };
        let symbol = symbols.get(symbol);
        let here = self.statement;
        let later = symbol.settings_until(here);
        let (setting, forward) = match later.checked_sub(1) {
            Some(last) => (&symbol.values[last], false),
            // Not set yet: what it is in the end.
            None => (symbol.values.last()?, true),
        };
        let Some(text) = &setting.expression else {
            // With one scope a name has one meaning.
            let lasts = !forward && symbols.has_one_scope();
            let next = symbol.values.get(later).map_or(u32::MAX, |next| next.statement);
            let until = if lasts { next } else { here };
            return Some(Resolved { value: setting.value, forward, until });
        };
        if self.depth >= SYMBOL_DEPTH || self.left.get() == 0 {
            return Some(Resolved { value: Value::Unknown, forward, until: here });
        }
        let bytes = u32::try_from(text.len() / EXPRESSION_BYTES).unwrap_or(u32::MAX);
        self.left.set(self.left.get().saturating_sub(bytes.saturating_add(1)));
        let seen_from = match symbol.kind {
            SymbolKind::Expression => self.statement,
            _ => setting.statement,
        };
        let mut scope = At { statement: seen_from, depth: self.depth + 1, ..*self };
        let value = expression::evaluate(text, 0, self.expansion.dialect, &mut scope);
        let value = value.map_or(Value::Unknown, |(value, _)| value);
        Some(Resolved { value, forward, until: here })
    }
}

/// Words behind `@` that say how the linker computes with a symbol (LLVM's AMDGPUMCAsmInfo).
const RELOCATIONS: [&str; 9] = [
    "rel32@lo",
    "rel32@hi",
    "gotpcrel32@lo",
    "gotpcrel32@hi",
    "gotpcrel",
    "abs32@lo",
    "abs32@hi",
    "abs64",
    "rel64",
];

impl At<'_> {
    /// The value of a symbol that the linker fills in, such as `table@rel32@lo`: its place, or
    /// something that another file knows.
    fn linked(&self, name: &str) -> Option<Resolved> {
        let (symbol, _) = name.split_once('@').filter(|(_, how)| RELOCATIONS.contains(how))?;
        let place = self.value(symbol).filter(|it| matches!(it.value, Value::Address(_)));
        let until = self.statement;
        let unknown = Resolved { value: Value::Unknown, forward: false, until };
        Some(place.unwrap_or(unknown))
    }
}

/// The distance of places behind the same statement.
fn near(from: Address, to: Address) -> Option<i64> {
    let same = from.section == to.section && from.statement == to.statement;
    same.then(|| to.addend.wrapping_sub(from.addend))
}

impl Expansion {
    /// Returns the value of a name, seen from a statement by index: symbols, labels, `1b` and
    /// `1f`; `None` for a name that is defined nowhere.
    pub fn value(&self, name: &str, statement: u32) -> Option<Resolved> {
        self.value_and_work(name, statement).0
    }

    /// The same, with the work that it took.
    fn value_and_work(&self, name: &str, statement: u32) -> (Option<Resolved>, u32) {
        let left = Cell::new(SYMBOL_WORK);
        let at = At { expansion: self, statement, depth: 0, left: &left, layout: None };
        (at.value(name), SYMBOL_WORK - left.get())
    }

    /// The value of an expression, seen from a statement, and where it ends in the text.
    pub fn evaluate(
        &self,
        text: &str,
        from: usize,
        statement: u32,
    ) -> Result<(Value, usize), ExpressionError> {
        self.evaluate_placed(text, from, statement, None)
    }

    /// The same, where it may be known how far places are from each other.
    pub(crate) fn evaluate_placed(
        &self,
        text: &str,
        from: usize,
        statement: u32,
        layout: Option<&Layout>,
    ) -> Result<(Value, usize), ExpressionError> {
        let left = Cell::new(SYMBOL_WORK);
        let mut scope = At { expansion: self, statement, depth: 0, left: &left, layout };
        expression::evaluate(text, from, self.dialect, &mut scope)
    }

    /// The place of a statement.
    fn place_of(&self, statement: u32) -> Option<Address> {
        let section = self.statements.get(statement as usize)?.section;
        Some(Address { section, statement, addend: 0 })
    }
}

/// The symbols of an expansion as one statement sees them.
#[derive(Debug)]
pub struct SymbolsAt<'a> {
    expansion: &'a Expansion,
    statement: u32,
    asked: Cell<Asked>,
    until: Cell<u32>,
}

/// The source of the symbols that were asked for, the least certain of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// No symbol was asked for.
    Nothing,
    /// All are defined in the text.
    Defined,
    /// One is not: the command line or another file may define it.
    Undefined,
}

impl Expansion {
    /// The symbols as the statement of an index sees them, for the encoder.
    pub fn symbols_at(&self, statement: u32) -> SymbolsAt<'_> {
        let (asked, until) = (Cell::new(Asked::Nothing), Cell::new(u32::MAX));
        SymbolsAt { expansion: self, statement, asked, until }
    }
}

impl SymbolsAt<'_> {
    /// Returns what was asked for so far.
    pub fn asked(&self) -> Asked {
        self.asked.get()
    }

    /// Returns the first statement behind that may be given other answers than so far.
    pub(crate) fn until(&self) -> u32 {
        self.until.get()
    }

    fn note(&self, asked: Asked, until: u32) {
        self.asked.set(self.asked.get().max(asked));
        self.until.set(self.until.get().min(until));
    }
}

impl Symbols for SymbolsAt<'_> {
    fn value(&self, name: &str) -> Option<i64> {
        let found = self.expansion.value(name, self.statement);
        let known = match found.map(|it| it.value) {
            None | Some(Value::Undefined | Value::Unknown) if name != "." => Asked::Undefined,
            _ => Asked::Defined,
        };
        self.note(known, found.map_or(self.statement, |it| it.until));
        found.filter(|it| !it.forward)?.value.absolute()
    }

    fn later(&self, name: &str) -> Option<i64> {
        let found = self.expansion.value(name, self.statement)?;
        self.note(Asked::Defined, self.statement);
        found.value.absolute()
    }

    fn registers(&self, name: &str) -> Option<&str> {
        let Value::Registers(index) = self.expansion.value(name, self.statement)?.value else {
            return None;
        };
        self.note(Asked::Defined, self.statement);
        self.expansion.registers(index)
    }
}

impl Scope for Expander<'_> {
    fn symbol(&mut self, name: &str) -> Value {
        if name == "." {
            return Value::Address(self.here_place());
        }
        if let Some(count) = self.counted(name) {
            return Value::Absolute(count);
        }
        let (found, work) = self.out.value_and_work(name, self.next_statement());
        // A file may say so much more than it holds only by symbols.
        self.work(u64::from(work) * EXPRESSION_BYTES as u64);
        let value = found.map_or(Value::Undefined, |it| it.value);
        if value != Value::Undefined {
            return value;
        }
        // The names of the other generation of descriptors mean the same numbers.
        if let Some(value) = target_symbols::value(name, self.options.version())
            && self.dialect == Dialect::Llvm
        {
            return Value::Absolute(value);
        }
        if self.missing.is_none() {
            self.missing = Some(name.into());
        }
        Value::Undefined
    }

    fn distance(&mut self, from: Address, to: Address) -> Option<i64> {
        near(from, to).or_else(|| self.measured(from, to))
    }

    fn takes_float(&mut self) -> bool {
        self.saw_float = true;
        true
    }

    fn target(&self) -> Option<Target> {
        Some(self.out.chip())
    }
}

impl Expander<'_> {
    pub(super) fn evaluate(
        &mut self,
        text: &str,
        from: usize,
    ) -> Result<(Value, usize), ExpressionError> {
        self.missing = None;
        self.saw_float = false;
        let dialect = self.dialect;
        expression::evaluate(text, from, dialect, self)
    }

    /// The number an expression stands for and its end, where that is known.
    pub(super) fn number(&mut self, text: &str, from: usize) -> Option<(i64, usize)> {
        let (value, end) = self.evaluate(text, from).ok()?;
        Some((value.absolute()?, end))
    }

    /// The number that the expression at an offset of the line stands for, and its
    /// end in the line; told, and `None`, where it is none.
    pub(super) fn absolute(&mut self, here: &Here<'_>, from: usize) -> Option<(i64, usize)> {
        let text = &here.line[..here.rest.1];
        match self.evaluate(text, from) {
            Ok((Value::Absolute(value), end)) => Some((value, end)),
            Ok((_, end)) => {
                let span = here.span(from, end.max(from));
                let missing = self.missing.take();
                self.out.incomplete = true;
                match missing {
                    Some(name) if self.out.missing.contains(&name) => {}
                    Some(name) => {
                        let message = format!(
                            "`{name}` is not defined in this text, so this condition is not evaluated; \
                             a command line or another file may define it"
                        );
                        let severity = Severity::Warning;
                        self.tell(codes::UNDEFINED_SYMBOL, severity, span, here.node, message);
                        self.out.missing.insert(name);
                    }
                    None => {
                        let message = "this depends on something outside of the text";
                        let severity = Severity::Hint;
                        self.tell(codes::UNKNOWN_VALUE, severity, span, here.node, message);
                    }
                }
                None
            }
            Err(wrong) => {
                self.report_expression_error(here, &wrong);
                None
            }
        }
    }

    /// Tells whether an expression that ends at an offset of the line ends the statement;
    /// told where not.
    pub(super) fn expect_end(&mut self, here: &Here<'_>, end: usize) -> bool {
        let ends = end >= here.rest.1;
        if !ends {
            let message = "the end of the statement was expected";
            self.error(codes::EXPRESSION, here, here.span(end, here.rest.1), message);
        }
        ends
    }

    pub(super) fn report_expression_error(&mut self, here: &Here<'_>, wrong: &ExpressionError) {
        let at = wrong.at.min(here.rest.1);
        let width = here.line[at..].chars().next().map_or(0, char::len_utf8);
        let span = match at < here.rest.1 {
            true => here.span(at, at + width),
            false => here.whole(),
        };
        self.error(codes::EXPRESSION, here, span, wrong.to_string());
    }

    /// `name = value`, `.set name, value`: the value is at `from` in the line.
    pub(super) fn set(
        &mut self,
        here: &Here<'_>,
        name: (usize, usize),
        from: usize,
        kind: SymbolKind,
    ) {
        let span = here.span(name.0, name.1);
        let name = &here.line[name.0..name.1];
        let text = &here.line[from.min(here.rest.1)..here.rest.1];
        if self.dialect == Dialect::Clrx
            && let Some(registers) = text.strip_prefix('%')
        {
            let registers = registers.trim();
            return self.set_registers(name, registers, span, here.node);
        }
        let (value, end) = match self.evaluate(&here.line[..here.rest.1], from) {
            Ok(found) => found,
            Err(wrong) if wrong.kind == ExpressionErrorKind::DivisionByZero => {
                // Wrong only where the value is used.
                let at = wrong.at.min(here.rest.1);
                let span = here.span(at, here.rest.1);
                self.tell(codes::EXPRESSION, Severity::Warning, span, here.node, wrong.to_string());
                (Value::Unknown, here.rest.1)
            }
            Err(wrong) => return self.report_expression_error(here, &wrong),
        };
        if !self.expect_end(here, end) {
            return;
        }
        let known = self.out.symbols.find(name).map(|id| self.out.symbols.get(id));
        let redefined = known.is_some_and(|symbol| {
            let defined = symbol
                .values
                .last()
                .is_some_and(|it| it.value != Value::Undefined || it.expression.is_some());
            let fixed = match symbol.kind {
                SymbolKind::Label | SymbolKind::Expression => true,
                SymbolKind::Constant => self.dialect == Dialect::Clrx,
                SymbolKind::Variable | SymbolKind::Predefined => false,
            };
            let once = matches!(kind, SymbolKind::Constant | SymbolKind::Expression);
            defined && (fixed || once)
        });
        if redefined {
            let message = format!("`{name}` is already defined");
            return self.error(codes::REDEFINITION, here, span, message);
        }
        if let Value::Absolute(value) = value {
            self.set_counted(name, value);
        }
        if value == Value::Undefined && names(text, self.dialect).any(|used| used == name) {
            let message = format!("`{name}` has no value yet and is kept as a name");
            self.tell(codes::UNDEFINED_SYMBOL, Severity::Warning, span, here.node, message);
        }
        let later = value == Value::Undefined || kind == SymbolKind::Expression;
        let expression = later.then(|| Box::from(text));
        let value = if later { Value::Undefined } else { value };
        self.set_value(name, kind, value, expression, Definition { span, node: here.node });
    }

    fn set_value(
        &mut self,
        name: &str,
        kind: SymbolKind,
        value: Value,
        expression: Option<Box<str>>,
        definition: Definition,
    ) {
        let statement = self.next_statement();
        let id = self.out.symbols.define(name, kind);
        self.out.symbols.set_kind(id, kind);
        self.out.symbols.set(id, Setting { statement, value, expression }, Some(definition));
    }

    pub(super) fn set_number(&mut self, name: &str, value: i64, span: Span, node: NodeId) {
        let value = Value::Absolute(value);
        self.set_value(name, SymbolKind::Variable, value, None, Definition { span, node });
    }

    pub(super) fn set_registers(&mut self, name: &str, registers: &str, span: Span, node: NodeId) {
        let index = u32::try_from(self.out.symbols.registers.len()).unwrap_or(u32::MAX);
        self.out.symbols.registers.push(registers.into());
        let definition = Definition { span, node };
        let kind = SymbolKind::Variable;
        self.set_value(name, kind, Value::Registers(index), None, definition);
    }
}
