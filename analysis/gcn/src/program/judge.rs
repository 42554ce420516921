//! What is told of a line that cannot be assembled, and how certain it is.
//!
//! The text is not all that an assembler reads: a command line may define
//! symbols, and an included file may be missing here. A finding that such a thing
//! could undo is a hint; only what holds whatever they say is an error.

use rustc_hash::FxHashSet;
use text::{Diagnostic, MAX_DIAGNOSTICS, Severity, TextRange, TextSize};

use crate::assembler::result::Statement;
use crate::assembler::sources::{NodeId, Span};
use crate::assembler::{Asked, Dialect, Expansion};
use crate::instruction::{Code, LineError};

/// Collects findings: each of a place once, and no more than can be read.
#[derive(Debug)]
pub(super) struct Judge {
    findings: Vec<Diagnostic>,
    told: FxHashSet<(&'static str, Span)>,
    /// Findings that were left out.
    more: usize,
}

impl Judge {
    pub(super) fn new(expansion: &Expansion) -> Judge {
        let findings = expansion.diagnostics();
        Judge { findings, told: FxHashSet::default(), more: 0 }
    }

    /// Tells that a statement is no instruction.
    pub(super) fn line(
        &mut self,
        expansion: &Expansion,
        statement: &Statement,
        error: &LineError,
        asked: Asked,
        dialect: Dialect,
    ) {
        let severity = if dialect == Dialect::Clrx {
            // Lines are read as the other dialect's: nothing is certain.
            return;
        } else if is_certain(expansion, statement, error, asked) {
            Severity::Error
        } else {
            Severity::Hint
        };
        let range = TextRange::new(offset(error.range.start), offset(error.range.end));
        let code = text::Code(error.code.name());
        self.tell(expansion, statement, range, code, severity, &error.message);
    }

    /// Tells something about a range of a statement's text.
    pub(super) fn tell(
        &mut self,
        expansion: &Expansion,
        statement: &Statement,
        range: TextRange,
        code: text::Code,
        severity: Severity,
        message: &str,
    ) {
        let Span { source, range: whole } = statement.span;
        let range = TextRange::new(
            (whole.start() + range.start()).min(whole.end()),
            (whole.start() + range.end()).min(whole.end()),
        );
        self.tell_at(expansion, Span { source, range }, statement.node, code, severity, message);
    }

    fn tell_at(
        &mut self,
        expansion: &Expansion,
        span: Span,
        node: NodeId,
        code: text::Code,
        severity: Severity,
        message: &str,
    ) {
        // A line of a macro is wrong once, however often it is called.
        if !self.told.insert((code.0, expansion.in_file(span))) {
            return;
        }
        if self.findings.len() >= MAX_DIAGNOSTICS {
            self.more += 1;
            return;
        }
        self.findings.push(expansion.diagnostic(code, severity, span, node, message));
    }

    /// The findings in the order of the text.
    pub(super) fn finish(mut self, _expansion: &Expansion) -> Vec<Diagnostic> {
        self.findings.sort_by_key(|finding| finding.range.start());
        if self.more > 0 {
            let message = format!("{} more findings are not shown", self.more);
            let code = text::Code("gcn::more-findings");
            self.findings.push(Diagnostic::hint(code, TextRange::default(), message));
        }
        self.findings
    }
}

fn offset(at: usize) -> TextSize {
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

/// Whether nothing that is not known here could make the line right.
fn is_certain(
    expansion: &Expansion,
    statement: &Statement,
    error: &LineError,
    asked: Asked,
) -> bool {
    let depends_on_symbols = match asked {
        Asked::Nothing => false,
        Asked::Defined => expansion.incomplete,
        Asked::Undefined => true,
    };
    // What is no mnemonic may be a macro of a file that is not here.
    let may_be_macro = error.code == Code::UnknownMnemonic
        && (expansion.incomplete || !expansion.wanted.is_empty());
    !(statement.guessed || expansion.stopped || depends_on_symbols || may_be_macro)
}
