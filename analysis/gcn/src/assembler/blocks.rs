//! Descriptors of kernels, and blocks of free text.

use source::Severity;

use super::descriptor;
use super::expand::{Expander, Here};
use super::lines::end_of_string;
use super::result::{DescriptorKind, Field, Kernel, Metadata, StatementKind};
use super::sources::{NodeId, Span};
use crate::codes;
use crate::expression::Value;

/// The block that is open.
#[derive(Debug)]
pub(super) enum Block {
    None,
    /// Fields of the last kernel.
    Fields {
        end: &'static str,
        span: Span,
        node: NodeId,
    },
    /// Fields of a CLRX kernel, up to the next section.
    Config,
    /// Free text.
    Text {
        end: &'static str,
        directive: Box<str>,
        span: Span,
        node: NodeId,
        text: String,
    },
}

impl Block {
    pub(super) fn takes_text(&self) -> bool {
        matches!(self, Block::Text { .. })
    }
}

impl Expander<'_> {
    pub(super) fn open_text(&mut self, end: &'static str, here: &Here<'_>) {
        let directive = here.name().into();
        let (span, node) = (here.whole(), here.node);
        self.block = Block::Text { end, directive, span, node, text: String::new() };
    }

    pub(super) fn kernel_symbol(&mut self, here: &Here<'_>) {
        self.reset_counts();
        self.add_kernel(here.rest(), DescriptorKind::Symbol, here);
        self.emit(StatementKind::Directive, here, here.whole());
    }

    pub(super) fn open_kernel(&mut self, here: &Here<'_>) {
        let name = here.rest();
        let known = self.out.kernels.iter().position(|kernel| *kernel.name == *name);
        let index = known.unwrap_or_else(|| {
            self.add_kernel(name, DescriptorKind::Clrx, here);
            self.out.kernels.len() - 1
        });
        self.enter_kernel(u32::try_from(index).ok());
        self.emit(StatementKind::Directive, here, here.whole());
    }

    pub(super) fn enter_kernel(&mut self, kernel: Option<u32>) {
        self.kernel = kernel;
        self.sections.open(".text", kernel);
        self.end_of_config();
    }

    pub(super) fn open_config(&mut self, here: &Here<'_>) {
        if self.kernel.is_none() {
            self.unmatched(here, "`.kernel` before it");
        }
        self.block = Block::Config;
    }

    fn add_kernel(&mut self, name: &str, kind: DescriptorKind, here: &Here<'_>) {
        let statement = self.next_statement();
        let name = name.split([',', ' ', '\t']).next().unwrap_or_default();
        self.out.kernels.push(Kernel {
            name: name.into(),
            kind,
            span: here.whole(),
            node: here.node,
            statement,
            fields: Vec::new(),
        });
    }

    pub(super) fn open_descriptor(&mut self, end: &'static str, here: &Here<'_>) {
        let old = end == ".end_amd_kernel_code_t";
        let name = if old { self.last_label_name() } else { Box::from(here.rest()) };
        let kind = if old { DescriptorKind::KernelCode } else { DescriptorKind::Amdhsa };
        if !old && name.is_empty() {
            let message = "the name of a kernel was expected";
            self.error(codes::DIRECTIVE, here, here.whole(), message);
        }
        self.add_kernel(&name, kind, here);
        self.block = Block::Fields { end, span: here.whole(), node: here.node };
    }

    /// The label that an old descriptor describes: the last one.
    fn last_label_name(&self) -> Box<str> {
        self.last_label.map(|id| (*self.out.symbols.get(id).name).into()).unwrap_or_default()
    }

    /// Takes a directive as a field of the open descriptor; false where it is none.
    pub(super) fn field(&mut self, here: &Here<'_>) -> bool {
        match self.block {
            Block::Fields { end, .. } => {
                if here.name().eq_ignore_ascii_case(end) {
                    self.block = Block::None;
                    // The old descriptor lies in the code, 256 bytes of it.
                    let size = match end {
                        ".end_amd_kernel_code_t" => 256,
                        _ => descriptor::SIZE,
                    };
                    self.emit(StatementKind::Data(Some(size)), here, here.whole());
                    return true;
                }
                if !here.name().starts_with(".amdhsa_") {
                    return false;
                }
                let last = self.out.kernels.len().checked_sub(1);
                self.add_field(last, here);
                true
            }
            Block::Config => {
                let kernel = self.kernel.map(|index| index as usize);
                self.add_field(kernel, here);
                true
            }
            Block::None | Block::Text { .. } => false,
        }
    }

    /// Takes an assignment as a field of the old descriptor; false outside of one.
    pub(super) fn code_field(&mut self, here: &Here<'_>) -> bool {
        let Block::Fields { end: ".end_amd_kernel_code_t", .. } = self.block else {
            return false;
        };
        let last = self.out.kernels.len().checked_sub(1);
        self.add_field(last, here);
        true
    }

    fn add_field(&mut self, kernel: Option<usize>, here: &Here<'_>) {
        let text = here.rest();
        let value = self.whole_value(text);
        let field =
            Field { name: here.name().into(), text: text.into(), value, span: here.whole() };
        if let Some(kernel) = kernel.and_then(|index| self.out.kernels.get_mut(index)) {
            kernel.fields.push(field);
        }
    }

    /// The number that a whole text stands for.
    fn whole_value(&mut self, text: &str) -> Option<i64> {
        match self.evaluate(text, 0) {
            Ok((Value::Absolute(value), end)) if end == text.len() => Some(value),
            _ => None,
        }
    }

    /// Gives fields their values that name what is only defined behind them: compilers state
    /// the registers of all functions at the end.
    pub(super) fn resolve_fields(&mut self) {
        let mut kernels = std::mem::take(&mut self.out.kernels);
        let fields = kernels.iter_mut().flat_map(|kernel| &mut kernel.fields);
        for field in fields.filter(|field| field.value.is_none()) {
            field.value = self.whole_value(&field.text);
        }
        self.out.kernels = kernels;
    }

    /// A line of a block of free text.
    pub(super) fn block_text(&mut self, here: Here<'_>) {
        let Block::Text { end, text, .. } = &mut self.block else { return };
        let line = &here.line[..here.rest.1];
        if line.trim_ascii_start() != *end {
            text.push_str(line);
            text.push('\n');
            return;
        }
        let open = std::mem::replace(&mut self.block, Block::None);
        if let Block::Text { directive, span, text, .. } = open {
            self.out.metadata.push(Metadata { directive, span, text });
        }
    }

    /// A section begins: a CLRX kernel's fields end.
    pub(super) fn end_of_config(&mut self) {
        if matches!(self.block, Block::Config) {
            self.block = Block::None;
        }
    }

    /// Tells a block that is open at the end.
    pub(super) fn end_of_block(&mut self) {
        let open = std::mem::replace(&mut self.block, Block::None);
        let (end, span, node) = match open {
            Block::Fields { end, span, node } | Block::Text { end, span, node, .. } => {
                (end, span, node)
            }
            Block::None | Block::Config => return,
        };
        let message = format!("this has no matching `{end}`");
        self.tell(codes::UNMATCHED_DIRECTIVE, Severity::Error, span, node, message);
    }
}

/// The insides of the strings in a text.
pub(super) fn strings(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find('"')?;
        let end = end_of_string(text.as_bytes(), start);
        at = end;
        let closed = end > start + 1 && text.as_bytes()[end - 1] == b'"';
        Some(&text[start + 1..if closed { end - 1 } else { end }])
    })
}
