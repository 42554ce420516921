//! Calls: macros, includes, and leaving them.

use std::sync::Arc;

use source::{Severity, TextRange};

use super::directives::{Action, Switch};
use super::expand::{Expander, Frame, FrameKind, Here};
use super::macros::{self, ParameterNames, size};
use super::result::Wanted;
use super::sources::{Node, NodeId, NodeKind, SourceId, Span};
use super::substitution::{ExpandedText, Substitution, substitute, takes_bare_words};
use crate::codes;
use crate::dialect::Dialect;
use crate::limits::MISSING_FILES;

impl Expander<'_> {
    fn fold<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        let capitals = || name.bytes().any(|byte| byte.is_ascii_uppercase());
        if self.macro_case == Switch::Off && capitals() {
            name.to_ascii_lowercase().into()
        } else {
            name.into()
        }
    }

    pub(super) fn find_macro(&self, name: &str) -> Option<u32> {
        self.macro_names.get(&*self.fold(name)).copied()
    }

    /// `.macro`: keeps the body for later.
    pub(super) fn define_macro(&mut self, here: &Here<'_>) {
        let rest = here.rest();
        let end = super::lines::end_of_word(rest.as_bytes(), 0);
        let name = &rest[..end];
        let name_span = here.span(here.rest.0, here.rest.0 + end);
        let Some(body) = self.body(here, Action::Macro) else { return };
        if end == 0 {
            let message = "the name of the macro was expected";
            return self.error(codes::MACRO_DEFINITION, here, here.whole(), message);
        }
        let words = here.words(self.dialect, self.alternate);
        let parameters = match macros::parameters(words, end) {
            Ok(parameters) => parameters,
            Err(wrong) => {
                let span = words.span(wrong.from, wrong.to);
                return self.error(codes::MACRO_DEFINITION, here, span, wrong.message);
            }
        };
        if self.find_macro(name).is_some() {
            let message = format!("macro `{name}` is already defined");
            return self.error(codes::REDEFINITION, here, name_span, message);
        }
        let indices = parameters.iter().enumerate();
        let indices = indices.map(|(index, it)| (it.name.clone(), index)).collect();
        let index = u32::try_from(self.out.macros.len()).unwrap_or(u32::MAX);
        let key = Box::from(&*self.fold(name));
        self.macro_names.insert(key, index);
        self.out.macros.push(macros::Macro {
            name: name.into(),
            definition: name_span,
            node: here.node,
            parameters,
            body,
            calls: 0,
            indices: Arc::new(indices),
        });
    }

    pub(super) fn purge_macro(&mut self, here: &Here<'_>) {
        for name in here.rest().split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let key = self.fold(name).into_owned();
            if self.macro_names.remove(key.as_str()).is_none() {
                let message = format!("no macro is named `{name}`");
                self.error(codes::MACRO_DEFINITION, here, here.rest_span(), message);
            }
        }
    }

    pub(super) fn call_macro(&mut self, index: u32, here: &Here<'_>) {
        if self.is_too_deep() {
            return;
        }
        // A call costs what its line does not show.
        let parameters = self.out.macros[index as usize].parameters.len();
        if !self.work(parameters as u64) {
            return;
        }
        let words = here.words(self.dialect, self.alternate);
        let node = here.node;
        // The table is lent out while arguments are evaluated.
        let macros = std::mem::take(&mut self.out.macros);
        let mut unknown = false;
        let bound = macros::arguments(words, &macros[index as usize], &mut |text, at| {
            let value = self.number(text, at);
            unknown |= value.is_none();
            value
        });
        self.out.macros = macros;
        let arguments = match bound {
            Ok(arguments) => arguments,
            Err(wrong) => {
                let span = words.span(wrong.from, wrong.to);
                let span = if span.range.is_empty() { here.whole() } else { span };
                // A command line may give the value.
                self.out.incomplete |= unknown;
                self.leave_unread();
                let severity = if unknown { Severity::Hint } else { Severity::Error };
                return self.tell(codes::MACRO_CALL, severity, span, node, wrong.message);
            }
        };
        let call = here.whole();
        let counter = self.counter;
        self.counter += 1;
        let macro_ = &mut self.out.macros[index as usize];
        macro_.calls = macro_.calls.saturating_add(1);
        let (body, mut indices) = (macro_.body, Arc::clone(&macro_.indices));
        let mut arguments = arguments;
        if self.dialect == Dialect::Clrx && self.alternate == Switch::On {
            let text = Arc::clone(self.out.sources.text(body.source));
            let text = &text[usize::from(body.range.start())..usize::from(body.range.end())];
            super::locals::add(text, counter, call, &mut indices, &mut arguments);
        }
        let node = self.add_node(here.node, call, NodeKind::Macro(index));
        let Some((source, range)) =
            self.substituted(body, &indices, &arguments, Some(counter), call)
        else {
            return;
        };
        self.enter(source, range, node, FrameKind::Macro);
    }

    /// A body with arguments in place: as it stands where nothing is to be put in.
    /// `None` once the texts are too large.
    pub(super) fn substituted(
        &mut self,
        body: Span,
        indices: &ParameterNames,
        arguments: &[Option<macros::Argument>],
        counter: Option<u64>,
        call: Span,
    ) -> Option<(SourceId, TextRange)> {
        let text = Arc::clone(self.out.sources.text(body.source));
        let text = &text[usize::from(body.range.start())..usize::from(body.range.end())];
        if !self.work(text.len() as u64) {
            return None;
        }
        let words = self.alternate == Switch::On
            && !indices.is_empty()
            && takes_bare_words(text, indices, self.dialect);
        let alternate = if words { Switch::On } else { Switch::Off };
        if !words && !text.contains('\\') {
            return Some((body.source, body.range));
        }
        let limit = self.bytes_left;
        let given = Substitution {
            body: text,
            span: body,
            indices,
            arguments,
            alternate,
            counter,
            call,
            limit,
        };
        if !substitute(&given, &mut self.made) {
            let limit = self.options.limits.bytes;
            self.stop(format!("expansion stops: macros have made {limit} bytes of text"));
            return None;
        }
        let ExpandedText { text, pieces } = &self.made;
        // Pieces are memory too.
        self.bytes_left = limit.saturating_sub(text.len() + 16 * pieces.len());
        let range = TextRange::up_to(size(text.len()));
        Some((self.out.sources.add_expanded(text, pieces), range))
    }

    pub(super) fn add_node(&mut self, parent: NodeId, call: Span, kind: NodeKind) -> NodeId {
        let id = NodeId(u32::try_from(self.out.nodes.len()).unwrap_or(u32::MAX));
        // The runs of a repetition follow each other.
        let last = self.out.nodes.last().filter(|it| it.call == call && it.parent == parent);
        let shown = last.map_or_else(|| self.out.in_root(call, parent), |it| it.shown);
        let outer = match kind {
            NodeKind::Iteration(_) => self.out.node(parent).outer,
            NodeKind::Root | NodeKind::Include(_) | NodeKind::Macro(_) => id,
        };
        self.out.nodes.push(Node { parent, call, kind, shown, outer });
        id
    }

    /// Tells whether a text more would be too deep, which ends expansion.
    pub(super) fn is_too_deep(&mut self) -> bool {
        let limit = self.options.limits.depth;
        let deep = self.frames.len() > limit;
        if deep {
            self.stop(format!("expansion stops at {limit} nested texts"));
        }
        deep
    }

    pub(super) fn enter(
        &mut self,
        source: SourceId,
        range: TextRange,
        node: NodeId,
        kind: FrameKind,
    ) {
        self.frames.push(Frame {
            source,
            at: range.start().into(),
            end: range.end().into(),
            node,
            conditions: self.conditions.len(),
            kind,
        });
        self.switched = true;
    }

    pub(super) fn end_of_frame(&mut self) {
        self.switched = true;
        if let Some(Frame { kind: FrameKind::Repetition(next), .. }) = self.frames.pop() {
            self.repeat(next);
        }
    }

    /// `.include`.
    pub(super) fn include(&mut self, here: &Here<'_>) {
        let name = here.rest().trim_matches('"');
        if name.is_empty() {
            let message = "the name of a file was expected";
            return self.error(codes::INCLUDE, here, here.whole(), message);
        }
        if self.is_too_deep() {
            return;
        }
        let known = self.files.get(name).copied();
        let source = known.or_else(|| {
            let text = (self.includes)(name).filter(|it| it.len() <= source::MAX_TEXT_LENGTH)?;
            let source = self.out.sources.add_file(name, text);
            self.files.insert(name.into(), source);
            Some(source)
        });
        let Some(source) = source else {
            let span = here.rest_span();
            let message = match self.options.outside.iter().any(|it| **it == *name) {
                true => format!("`{name}` cannot be read: {}", source::OUTSIDE),
                false => format!("`{name}` was not found: what it defines is not known"),
            };
            self.tell(codes::INCLUDE, Severity::Warning, span, here.node, message);
            // As many again as were found: however many there are, few rounds find them all.
            let most = MISSING_FILES.max(self.files.len());
            if self.absent.len() < most && self.absent.insert(name.into()) {
                self.out.wanted.push(Wanted { name: name.into(), span });
            }
            self.out.incomplete = true;
            self.leave_unread();
            return;
        };
        let node = self.add_node(here.node, here.whole(), NodeKind::Include(source));
        let range = TextRange::up_to(size(self.out.sources.text(source).len()));
        self.enter(source, range, node, FrameKind::File);
    }

    /// `.end`: nothing behind it in this text is read; CLRX reads nothing at all.
    pub(super) fn end(&mut self) {
        if self.is_guess() || self.lacks_name() {
            return;
        }
        self.switched = true;
        if self.dialect == Dialect::Clrx {
            self.frames.clear();
            self.conditions.clear();
            return;
        }
        if let Some(frame) = self.frames.pop() {
            self.conditions.truncate(frame.conditions);
        }
    }

    /// `.exitm`: leaves the macro; LLVM takes a repetition for one.
    pub(super) fn exit_macro(&mut self, here: &Here<'_>) {
        let leaves = |frame: &Frame| match frame.kind {
            FrameKind::File => false,
            FrameKind::Macro => true,
            FrameKind::Repetition(_) => self.dialect == Dialect::Llvm,
        };
        let index = self.frames.iter().rposition(leaves);
        let file = self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::File));
        match index {
            Some(index) if file.is_none_or(|file| file < index) => {
                let open = self.frames[index].conditions;
                self.frames.truncate(index);
                self.conditions.truncate(open);
                self.switched = true;
            }
            _ => {
                let message = "`.exitm` is outside of a macro";
                self.error(codes::UNMATCHED_DIRECTIVE, here, here.whole(), message);
            }
        }
    }
}
