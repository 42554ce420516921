//! Callers and callees: subroutines of shaders, and labels and macros of assembly.
//!
//! Assembly has no calls to speak of: an address is put into registers and jumped to
//! by them, and a branch is written like a call. So there whatever names a label or a
//! macro counts, and a piece of code reaches from its label to the next.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use editor_model::{Callable, Calls, References, Symbol, SymbolKind};
use salsa::Database;
use source::{Cover, TextRange, TextSize};
use tgsi::Opcode;
use tgsi::ast::{Instruction, Shader, StatementKind};

use super::assembly;
use super::languages::{Query, service};
use super::placed::{self, Placed};
use crate::inputs::{File, FileId};

/// The subroutine of a shader that an offset names, or else lies in.
pub(super) fn subroutine(db: &dyn Database, file: File, offset: TextSize) -> Option<Callable> {
    let (placed, place) = placed::at(db, file, offset)?;
    let shader = placed.parse.shader.as_ref()?;
    let code = Subroutines::of(shader);
    let named = code.calls.iter().find(|call| call.place.contains_inclusive(place));
    let piece = match named {
        Some(call) => call.callee,
        None => code.piece_at(place),
    };
    Some(code.callable(&placed, piece))
}

/// The code of assembly that an offset names, or else lies in.
pub(super) fn code(q: Query<'_>, offset: TextSize) -> Option<Callable> {
    let here = || Pieces::of(q.db, Some(q.file)).innermost(offset).map(|it| of_symbol(None, it));
    named_at(q, offset).or_else(here)
}

/// The callers of the code of assembly whose name stands at an offset, in order.
pub(super) fn callers_of_code(q: Query<'_>, offset: TextSize) -> Vec<Calls> {
    let places = service(q.db, q.file).references(q, offset, References::Uses);
    let mut known: HashMap<Option<FileId>, (Pieces, HashSet<TextRange>)> = HashMap::new();
    gathered(places.into_iter().filter_map(|place| {
        let (pieces, names) = known.entry(place.file).or_insert_with(|| {
            let Some(of) = of_id(q, place.file) else {
                return (Pieces::of(q.db, None), HashSet::new());
            };
            let whole = TextRange::up_to(TextSize::of(&*of.text(q.db)));
            let names = assembly::names_in(q.db, of, whole).into_iter().map(|it| it.1);
            (Pieces::of(q.db, Some(of)), names.collect())
        });
        // A directive that describes a label enters no code.
        names.get(&place.range)?;
        let caller = pieces.innermost(place.range.start())?;
        Some((of_symbol(place.file, caller), place.range))
    }))
}

/// The code of assembly that the one whose name stands at an offset names, in order.
pub(super) fn callees_of_code(q: Query<'_>, offset: TextSize) -> Vec<Calls> {
    let pieces = Pieces::of(q.db, Some(q.file));
    let Some(caller) = pieces.innermost(offset) else { return Vec::new() };
    let is_own = |file: Option<FileId>, selection: TextRange| {
        file.is_none() && caller.range.contains_range(selection)
    };
    let mut others: HashMap<FileId, Pieces> = HashMap::new();
    let names = assembly::defined_names_in(q.db, q.file, caller.range);
    gathered(names.into_iter().filter_map(|(range, found, selection)| {
        let defined = match found {
            None => pieces.defined_at(selection),
            Some(id) => {
                let known = others.entry(id).or_insert_with(|| Pieces::of(q.db, of_id(q, found)));
                known.defined_at(selection)
            }
        };
        let callee = defined.filter(|_| !is_own(found, selection))?;
        Some((of_symbol(found, callee), range))
    }))
}

/// The places of calls by the piece of code at their other end, in the order in which
/// the pieces come first.
fn gathered(calls: impl Iterator<Item = (Callable, TextRange)>) -> Vec<Calls> {
    let mut found: Vec<Calls> = Vec::new();
    let mut known: HashMap<(Option<FileId>, TextRange), usize> = HashMap::new();
    for (callable, place) in calls {
        // No two pieces of code have their names at one place.
        let next = found.len();
        let number = *known.entry((callable.file, callable.selection)).or_insert(next);
        match found.get_mut(number) {
            Some(known) => known.places.push(place),
            None => found.push(Calls { callable, places: vec![place] }),
        }
    }
    found
}

/// The code of assembly that the name at an offset means: the entry of an outline that is
/// defined there.
fn named_at(q: Query<'_>, offset: TextSize) -> Option<Callable> {
    let found = service(q.db, q.file).definitions(q, offset)?;
    let destination = *found.destinations.first()?;
    let pieces = Pieces::of(q.db, of_id(q, destination.file));
    Some(of_symbol(destination.file, pieces.defined_at(destination.selection)?))
}

fn of_id(q: Query<'_>, file: Option<FileId>) -> Option<File> {
    match file {
        None => Some(q.file),
        Some(id) => q.files.get(id.0 as usize).copied(),
    }
}

fn is_code(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Shader | SymbolKind::Label | SymbolKind::Macro)
}

/// The pieces of code of an outline, which is two levels deep.
struct Pieces {
    all: Vec<Symbol>,
    /// The smallest that holds an offset. Where one ends the next begins, so that of equals
    /// the later one is meant.
    cover: Cover<(TextSize, Reverse<TextSize>, usize)>,
    /// By the places of their names.
    names: HashMap<TextRange, usize>,
}

impl Pieces {
    /// Of a file; none of one that is not known.
    fn of(db: &dyn Database, file: Option<File>) -> Pieces {
        let symbols = |file| service(db, file).symbols(Query::of(db, file));
        let outline = file.map_or(Vec::new(), symbols);
        let all = outline.into_iter().flat_map(|mut it| {
            let children = std::mem::take(&mut it.children);
            std::iter::once(it).chain(children)
        });
        let all: Vec<Symbol> = all.filter(is_code).collect();
        let cover = Cover::new(all.iter().enumerate().map(|(number, it)| {
            let (start, end) = (it.range.start(), it.range.end());
            (start.into()..=end.into(), (it.range.len(), Reverse(start), number))
        }));
        let mut names = HashMap::new();
        for (number, it) in all.iter().enumerate() {
            names.entry(it.selection).or_insert(number);
        }
        Pieces { all, cover, names }
    }

    fn innermost(&self, offset: TextSize) -> Option<&Symbol> {
        let (_, _, number) = self.cover.at(offset.into())?;
        self.all.get(number)
    }

    fn defined_at(&self, name: TextRange) -> Option<&Symbol> {
        self.all.get(*self.names.get(&name)?)
    }
}

fn of_symbol(file: Option<FileId>, symbol: &Symbol) -> Callable {
    Callable {
        file,
        name: symbol.name.clone(),
        kind: symbol.kind,
        range: symbol.range,
        selection: symbol.selection,
    }
}

/// The subroutines of a shader and the calls between them. The main program is piece 0.
struct Subroutines {
    /// Their ranges and names' ranges.
    pieces: Vec<(TextRange, TextRange, String)>,
    calls: Vec<SubroutineCall>,
}

#[derive(Clone, Copy)]
pub(super) struct SubroutineCall {
    pub(super) caller: usize,
    pub(super) callee: usize,
    /// The instruction.
    place: TextRange,
}

impl Subroutines {
    fn of(shader: &Shader) -> Subroutines {
        let header = shader.stage.range;
        let all = shader.statements.last().map_or(header, |last| header.cover(last.range));
        let name = shader.stage.value.word().to_owned();
        let mut pieces = vec![(all, header, name)];
        let mut by_number: HashMap<u32, usize> = HashMap::new();
        let mut named: Vec<(usize, u32, TextRange)> = Vec::new();
        let mut current = 0;
        for statement in &shader.statements {
            let StatementKind::Instruction(instruction) = &statement.kind else { continue };
            let opcode = instruction.opcode.value;
            if opcode == Opcode::BGNSUB {
                let number = instruction.ordinal - 1;
                current = pieces.len();
                by_number.insert(number, current);
                let name = format!("{opcode:?} {number}");
                pieces.push((statement.range, instruction.opcode.range, name));
            } else if opcode == Opcode::CAL {
                let place = call_place(instruction);
                named.extend(instruction.label.map(|label| (current, label.value, place)));
            }
            if current > 0 {
                pieces[current].0 = pieces[current].0.cover(statement.range);
            }
            if opcode == Opcode::ENDSUB {
                current = 0;
            }
        }
        let calls = named.into_iter().filter_map(|(caller, label, place)| {
            Some(SubroutineCall { caller, callee: *by_number.get(&label)?, place })
        });
        Subroutines { calls: calls.collect(), pieces }
    }

    /// The subroutine that holds a place, else the main program.
    fn piece_at(&self, place: TextSize) -> usize {
        let inside = self.pieces.iter().skip(1).position(|it| it.0.contains_inclusive(place));
        inside.map_or(0, |index| index + 1)
    }

    fn callable(&self, placed: &Placed, piece: usize) -> Callable {
        let (range, selection, name) = &self.pieces[piece];
        Callable {
            file: None,
            name: name.clone(),
            kind: if piece == 0 { SymbolKind::Shader } else { SymbolKind::Label },
            range: placed.to_file(*range),
            selection: placed.to_file(*selection),
        }
    }
}

/// From the opcode of a call to its label.
fn call_place(instruction: &Instruction) -> TextRange {
    let opcode = instruction.opcode.range;
    instruction.label.map_or(opcode, |label| opcode.cover(label.range))
}

/// The calls of a shader that concern the piece at an offset; `other` says with whom.
pub(super) fn of_subroutine(
    db: &dyn Database,
    file: File,
    offset: TextSize,
    other: impl Fn(&SubroutineCall, usize) -> Option<usize>,
) -> Vec<Calls> {
    let Some((placed, place)) = placed::at(db, file, offset) else { return Vec::new() };
    let Some(shader) = &placed.parse.shader else { return Vec::new() };
    let code = Subroutines::of(shader);
    let piece = code.piece_at(place);
    gathered(code.calls.iter().filter_map(|call| {
        let other = other(call, piece)?;
        Some((code.callable(&placed, other), placed.to_file(call.place)))
    }))
}
