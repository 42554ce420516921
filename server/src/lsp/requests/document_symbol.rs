//! `textDocument/documentSymbol`: the outline.

use engine::ide::Symbol;
use tower_lsp::ls_types::{DocumentSymbolParams, DocumentSymbolResponse};

use super::{DocumentRequest, Stop};
use crate::limits::ANSWER_ENTRIES;
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentSymbolParams {
    type Answer = Option<DocumentSymbolResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let mut symbols = context.snapshot.symbols(context.file)?;
        if cut(&mut symbols, &mut { ANSWER_ENTRIES }) {
            context.tell_cut(ANSWER_ENTRIES, "symbols");
        }
        let lines = context.lines()?;
        let symbols = symbols.into_iter().map(|symbol| to_protocol::symbol(&lines, symbol));
        Ok(Some(DocumentSymbolResponse::Nested(symbols.collect())))
    }
}

/// Leaves as many entries as may be told, outer ones before those within them. Tells whether
/// there were more.
fn cut(symbols: &mut Vec<Symbol>, left: &mut usize) -> bool {
    let mut is_cut = symbols.len() > *left;
    symbols.truncate(*left);
    *left -= symbols.len();
    for symbol in symbols {
        is_cut |= cut(&mut symbol.children, left);
    }
    is_cut
}

#[cfg(test)]
mod tests {
    use engine::ide::SymbolKind;
    use source::TextRange;

    use super::*;

    fn symbol(children: Vec<Symbol>) -> Symbol {
        let (range, selection) = (TextRange::default(), TextRange::default());
        let kind = SymbolKind::Label;
        Symbol { name: String::new(), detail: String::new(), kind, range, selection, children }
    }

    #[test]
    fn outer_entries_are_left_before_inner_ones() {
        let pair = || symbol(vec![symbol(Vec::new()), symbol(Vec::new())]);
        let after = |most: usize| {
            let mut symbols = vec![pair(), pair()];
            let is_cut = cut(&mut symbols, &mut { most });
            (is_cut, symbols.iter().map(|it| it.children.len()).collect::<Vec<_>>())
        };
        assert_eq!(after(6), (false, vec![2, 2]));
        assert_eq!(after(5), (true, vec![2, 1]));
        assert_eq!(after(1), (true, vec![0]));
    }
}
