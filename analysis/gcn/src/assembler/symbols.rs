//! Symbols: their values over the course of the text, and where they are defined.
//!
//! A symbol may be set again and again, and each statement sees the value of its
//! moment. Values are therefore kept with the number of statements before them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::edited::Moves;
use super::sources::{NodeId, Span};
use crate::expression::{Address, Value};
use crate::limits::SCOPES;

/// A symbol.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Its name, without scope.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: SymbolKind,
    /// The first places where it is defined, the same place once.
    pub definitions: SmallVec<[Definition; 1]>,
    pub(super) values: SmallVec<[Setting; 1]>,
}

/// The kinds of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A label: one place in the code.
    Label,
    /// A name for a value that may change.
    Variable,
    /// A name for a value that may not change.
    Constant,
    /// A name for an expression that is evaluated at each use.
    Expression,
    /// Set by the assembler or its command line.
    Predefined,
}

/// A place that defines a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The name in the statement that defines it.
    pub span: Span,
    /// The expansion it stands in.
    pub node: NodeId,
}

/// A value, from some statement on.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// The number of statements before.
    pub(super) statement: u32,
    pub(super) value: Value,
    /// The text, where a symbol in it was not defined yet.
    pub(super) expression: Option<Box<str>>,
}

/// Places of definition that are kept of one symbol.
const DEFINITIONS_KEPT: usize = 64;

/// The index of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymbolId(pub(super) u32);

/// A scope of the CLRX assembler; the other has the first only.
#[derive(Debug, Clone, Default)]
struct Scope {
    parent: u32,
    names: FxHashMap<Arc<str>, SymbolId>,
    scopes: FxHashMap<Box<str>, u32>,
    using: Vec<u32>,
}

/// All symbols.
#[derive(Debug)]
pub(super) struct Symbols {
    symbols: Vec<Symbol>,
    /// They say nothing of places, so that texts after edits share them.
    scopes: Arc<Vec<Scope>>,
    /// The scope that is open.
    pub(super) scope: u32,
    /// From which statement on which scope is open.
    changes: Vec<(u32, u32)>,
    /// Numeric labels: every place of each number, in order.
    numeric_labels: FxHashMap<Box<str>, Vec<Address>>,
    /// The registers that symbols name.
    pub(super) registers: Vec<Box<str>>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols {
            symbols: Vec::new(),
            scopes: Arc::new(vec![Scope::default()]),
            scope: 0,
            changes: Vec::new(),
            numeric_labels: FxHashMap::default(),
            registers: Vec::new(),
        }
    }
}

impl Symbols {
    /// The same with all places moved.
    pub(super) fn moved(&self, moves: &Moves) -> Option<Symbols> {
        let mut symbols = self.symbols.clone();
        for symbol in &mut symbols {
            for definition in &mut symbol.definitions {
                moves.move_span(&mut definition.span)?;
            }
            for setting in &mut symbol.values {
                setting.statement = moves.statement(setting.statement)?;
                setting.value = moves.value(setting.value)?;
            }
        }
        let mut changes = self.changes.clone();
        for (statement, _) in &mut changes {
            *statement = moves.statement(*statement)?;
        }
        let mut numeric_labels = self.numeric_labels.clone();
        for place in numeric_labels.values_mut().flatten() {
            *place = moves.address(*place)?;
        }
        Some(Symbols {
            symbols,
            scopes: Arc::clone(&self.scopes),
            scope: self.scope,
            changes,
            numeric_labels,
            registers: self.registers.clone(),
        })
    }

    pub(super) fn all(&self) -> &[Symbol] {
        &self.symbols
    }

    pub(super) fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Tells whether no scope but the outermost was ever opened.
    pub(super) fn has_one_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// The symbol of a name, seen from the scope that is open at a statement.
    pub(super) fn find_at(&self, name: &str, statement: u32) -> Option<SymbolId> {
        let later = self.changes.partition_point(|(from, _)| *from <= statement);
        let scope = later.checked_sub(1).map_or(0, |index| self.changes[index].1);
        self.find_from(name, scope)
    }

    /// The symbol of a name, seen from the open scope.
    pub(super) fn find(&self, name: &str) -> Option<SymbolId> {
        self.find_from(name, self.scope)
    }

    fn find_from(&self, name: &str, scope: u32) -> Option<SymbolId> {
        if self.has_one_scope() && !name.contains(':') {
            return self.scopes[0].names.get(name).copied();
        }
        let mut fuel = SCOPES;
        match name.rsplit_once("::") {
            Some((path, name)) => {
                let scope = self.scope_of_path(path, scope)?;
                self.in_scope(name, scope, &mut fuel)
            }
            None => self.upwards(scope, |scope| self.in_scope(name, scope, &mut fuel)),
        }
    }

    /// The first answer on the way from a scope to the outermost.
    fn upwards<T>(&self, scope: u32, mut ask: impl FnMut(u32) -> Option<T>) -> Option<T> {
        let mut scope = scope;
        for _ in 0..SCOPES {
            if let Some(found) = ask(scope) {
                return Some(found);
            }
            if scope == 0 {
                return None;
            }
            scope = self.scopes[scope as usize].parent;
        }
        None
    }

    fn in_scope(&self, name: &str, scope: u32, fuel: &mut usize) -> Option<SymbolId> {
        // Scopes may use each other in a ring: a list, not a recursion.
        let mut waiting = vec![scope];
        while let Some(scope) = waiting.pop() {
            *fuel = fuel.checked_sub(1)?;
            let scope = &self.scopes[scope as usize];
            if let Some(found) = scope.names.get(name) {
                return Some(*found);
            }
            // Those used last are asked first.
            let room = fuel.saturating_sub(waiting.len());
            waiting.extend(scope.using.iter().skip(scope.using.len().saturating_sub(room)));
        }
        None
    }

    fn scope_of_path(&self, path: &str, from: u32) -> Option<u32> {
        let (absolute, path) = match path.strip_prefix("::") {
            Some(rest) => (true, rest),
            None => (path.is_empty(), path),
        };
        let mut steps = path.split("::").filter(|step| !step.is_empty());
        let Some(first) = steps.next() else { return Some(0) };
        let start = if absolute { 0 } else { from };
        let child = |scope: u32, step: &str| self.scopes[scope as usize].scopes.get(step).copied();
        let mut scope = match absolute {
            true => child(start, first)?,
            false => self.upwards(start, |scope| child(scope, first))?,
        };
        for step in steps {
            scope = child(scope, step)?;
        }
        Some(scope)
    }

    /// Opens a scope below the open one; without a name, a new one.
    pub(super) fn open_scope(&mut self, name: &str, statement: u32) {
        let parent = self.scope;
        let scopes = Arc::make_mut(&mut self.scopes);
        let known = scopes[parent as usize].scopes.get(name).copied();
        let scope = known.unwrap_or_else(|| {
            let scope = u32::try_from(scopes.len()).unwrap_or(u32::MAX);
            scopes.push(Scope { parent, ..Scope::default() });
            if !name.is_empty() {
                scopes[parent as usize].scopes.insert(name.into(), scope);
            }
            scope
        });
        self.enter(scope, statement);
    }

    /// Closes the open scope; false where none is open.
    pub(super) fn close_scope(&mut self, statement: u32) -> bool {
        let open = self.scope != 0;
        self.enter(self.scopes[self.scope as usize].parent, statement);
        open
    }

    fn enter(&mut self, scope: u32, statement: u32) {
        self.scope = scope;
        self.changes.push((statement, scope));
    }

    /// Makes the names of another scope seen in the open one; false for none of that name.
    pub(super) fn use_scope(&mut self, path: &str) -> bool {
        let Some(scope) = self.scope_of_path(path, self.scope) else { return false };
        let using = &mut Arc::make_mut(&mut self.scopes)[self.scope as usize].using;
        using.retain(|used| *used != scope);
        if using.len() >= SCOPES {
            using.remove(0);
        }
        using.push(scope);
        true
    }

    /// Undoes [`Symbols::use_scope`], for all where no path is given.
    pub(super) fn stop_using(&mut self, path: &str) {
        let scope = self.scope_of_path(path, self.scope);
        let using = &mut Arc::make_mut(&mut self.scopes)[self.scope as usize].using;
        using.retain(|used| !path.is_empty() && Some(*used) != scope);
    }

    /// The symbol that a definition of this name means, made where it is new.
    pub(super) fn define(&mut self, name: &str, kind: SymbolKind) -> SymbolId {
        let (scope, name) = match name.rsplit_once("::") {
            Some((path, name)) => {
                (self.scope_of_path(path, self.scope).unwrap_or(self.scope), name)
            }
            None => (self.scope, name),
        };
        if let Some(id) = self.scopes[scope as usize].names.get(name) {
            return *id;
        }
        let id = SymbolId(u32::try_from(self.symbols.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into();
        self.symbols.push(Symbol {
            name: Arc::clone(&name),
            kind,
            definitions: SmallVec::new(),
            values: SmallVec::new(),
        });
        Arc::make_mut(&mut self.scopes)[scope as usize].names.insert(name, id);
        id
    }

    /// Gives a symbol a value from a statement on.
    pub(super) fn set(&mut self, id: SymbolId, setting: Setting, place: Option<Definition>) {
        let symbol = &mut self.symbols[id.0 as usize];
        match symbol.values.last_mut() {
            Some(last) if last.statement == setting.statement => *last = setting,
            _ => symbol.values.push(setting),
        }
        if let Some(place) = place {
            let known = symbol.definitions.iter().any(|it| it.span == place.span);
            if !known && symbol.definitions.len() < DEFINITIONS_KEPT {
                symbol.definitions.push(place);
            }
        }
    }

    pub(super) fn set_kind(&mut self, id: SymbolId, kind: SymbolKind) {
        self.symbols[id.0 as usize].kind = kind;
    }

    pub(super) fn add_numeric_label(&mut self, digits: &str, place: Address) {
        match self.numeric_labels.get_mut(digits) {
            Some(places) => places.push(place),
            None => {
                self.numeric_labels.insert(digits.into(), vec![place]);
            }
        }
    }

    /// The place of `1b` or `1f`, seen from a statement.
    pub(super) fn numeric_label(&self, name: &str, statement: u32) -> Option<Address> {
        let digits = &name[..name.len().checked_sub(1)?];
        let places = self.numeric_labels.get(digits)?;
        let before = places.partition_point(|place| place.statement <= statement);
        match name.as_bytes().last() {
            Some(b'b') => places.get(before.checked_sub(1)?).copied(),
            Some(b'f') => places.get(before).copied(),
            _ => None,
        }
    }
}

impl Symbol {
    /// The number of its settings that a statement sees.
    pub(super) fn settings_until(&self, statement: u32) -> usize {
        self.values.partition_point(|setting| setting.statement <= statement)
    }
}
