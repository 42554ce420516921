//! The outline: kernels with their labels, macros, symbols, the parts of a dump.

use editor_model::{Symbol, SymbolKind};
use source::{TextRange, TextSize};

use super::View;
use super::statement::{First, statements};
use crate::assembler::symbols;
use crate::dialect::{Part, PartKind};

/// The outline of a file.
pub fn outline(view: View<'_>) -> Vec<Symbol> {
    let (program, text) = (view.program, view.text());
    let end = TextSize::of(text);
    let kernels: rustc_hash::FxHashSet<&str> =
        program.kernels.iter().map(|kernel| &*kernel.name).filter(|it| !it.is_empty()).collect();
    let mut items: Vec<Symbol> = Vec::new();
    let mut bodies: Vec<TextRange> = Vec::new();
    for macro_ in &program.expansion.macros {
        let (name, body) = (macro_.definition, macro_.body);
        if name.source != view.source || body.source != view.source {
            continue;
        }
        let parameters: Vec<&str> = macro_.parameters.iter().map(|it| &*it.name).collect();
        bodies.push(body.range);
        let range = name.range.cover(body.range);
        let item = Symbol::new(macro_.name.to_string(), SymbolKind::Macro, range, name.range);
        items.push(Symbol { detail: parameters.join(", "), ..item });
    }
    bodies.sort_by_key(|body| body.start());
    let inside = |at: TextSize| {
        let after = bodies.partition_point(|body| body.start() <= at);
        after.checked_sub(1).is_some_and(|index| bodies[index].end() > at)
    };
    for statement in statements(text, program.expansion.dialect) {
        for label in statement.labels.iter().filter(|label| !inside(label.start())) {
            let name = view.printed(*label).unwrap_or(statement.slice(*label)).to_owned();
            let kind =
                if kernels.contains(&*name) { SymbolKind::Shader } else { SymbolKind::Label };
            let code = program.disassembly_at(label.start());
            let end = code.map_or(end, |part| part.range.end());
            items.push(Symbol::new(name, kind, TextRange::new(label.start(), end), *label));
        }
        let assigned = match statement.first {
            First::Assigned(range) => Some(range),
            First::Word(_) if [".set", ".equ", ".equiv"].contains(&statement.word()) => {
                statement.words().first().map(|word| word.range)
            }
            _ => None,
        };
        let Some(assigned) = assigned.filter(|range| !inside(range.start())) else { continue };
        let name = statement.slice(assigned).to_owned();
        // The first place alone: a counter is set again and again.
        let symbol = program.expansion.find_symbol(&name, 0).map(|id| program.expansion.symbol(id));
        let first = symbol.is_some_and(|symbol| {
            symbol.kind != symbols::SymbolKind::Label
                && symbol.definitions.first().is_some_and(|it| it.span.range == assigned)
        });
        if first {
            items.push(Symbol::new(name, SymbolKind::Constant, statement.range(), assigned));
        }
    }
    items.extend(view.parts().iter().map(of_part));
    items.sort_by_key(|item| item.range.start());
    nest(items)
}

/// A part of a dump: what the dump has of a shader.
fn of_part(part: &Part) -> Symbol {
    let kind = match part.kind {
        PartKind::Disassembly => SymbolKind::Shader,
        _ => SymbolKind::Property,
    };
    let start = TextRange::empty(part.range.start());
    let item = Symbol::new(part.kind.name().to_owned(), kind, part.range, start);
    Symbol { detail: part.title.to_string(), ..item }
}

/// Puts labels under the kernel before them; each ends where the next begins.
fn nest(items: Vec<Symbol>) -> Vec<Symbol> {
    let mut nested: Vec<Symbol> = Vec::new();
    let mut kernel: Option<usize> = None;
    for item in items {
        let start = item.range.start();
        match item.kind {
            SymbolKind::Shader => {
                if let Some(open) = kernel.and_then(|index| nested.get_mut(index)) {
                    close(open, start);
                    open.children.iter_mut().for_each(|child| close(child, start));
                }
                kernel = Some(nested.len());
                nested.push(item);
            }
            SymbolKind::Label => {
                let siblings = match kernel {
                    Some(index) => &mut nested[index].children,
                    None => &mut nested,
                };
                let before = siblings.iter_mut().rev().find(|it| it.kind == SymbolKind::Label);
                if let Some(before) = before {
                    close(before, start);
                }
                siblings.push(item);
            }
            _ => nested.push(item),
        }
    }
    nested
}

fn close(item: &mut Symbol, end: TextSize) {
    let range = item.range;
    item.range = TextRange::new(range.start(), range.end().min(end).max(range.start()));
}
