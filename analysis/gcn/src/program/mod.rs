//! Whole programs: a text expanded, every statement encoded and placed.
//!
//! [`assemble`] joins the assembler's front end, which knows no instruction, with
//! the encoder, which knows no label. Instructions are encoded and placed first;
//! then distances are known, and what waited for them is filled in. Everything
//! that looks at machine code of a text (diagnostics, listings, costs) starts at
//! the [`Program`].

mod broken_lines;
mod broken_operands;
mod completion;
mod descriptor_check;
mod diagnostic_sink;
mod entry_registers;
mod guess;
mod hidden_arguments;
mod image;
mod kernel_code;
mod kernel_labels;
mod kernels;
mod launch;
mod metadata;
mod other_generations;
mod printed_words;
mod readings;
mod reassembly;
mod register_limits;
mod repeated;
mod resolve;
mod typo;
mod values;

#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use source::{Checkpoint, Diagnostic, Severity, TextRange, TextSize};

use crate::Target;
use crate::analysis::Code;
use crate::assembler::change::Change;
use crate::assembler::edited::{Kept, Moves};
use crate::assembler::layout::Layout;
use crate::assembler::result::{Statement, StatementKind};
use crate::assembler::sources::{NodeId, SourceId, Span};
use crate::assembler::{self, Abi, Asked, Expansion, Limits};
use crate::codes;
use crate::dialect::{self, Dialect, Listing, Part, PartKind, Unsupported};
use crate::expression::Address;
use crate::instruction::{Assembled, FixupKind, InstructionSet, Symbols, assemble_line, suggest};
use crate::target_id::Settings;

use diagnostic_sink::{DiagnosticSink, Suggestion};
pub use entry_registers::{EntryRegisters, EntryValue};
pub use guess::{FoundTarget, guess_target};
pub use hidden_arguments::{HiddenArgument, HiddenKind};
pub use image::Image;
pub use kernel_code::{KernelCode, MemoryFields};
pub use kernels::Kernel;
use reassembly::Before;
use repeated::Repeated;
use typo::TypoFinder;
pub use values::KernelValues;

/// Options of an assembly: facts that the text need not say.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The chip, where the user said it: it wins over what the text says.
    pub target: Option<Target>,
    /// The chip that the file's name says, where that is not supported.
    pub unsupported: Option<Unsupported>,
    /// The chip of a text that names none.
    pub default_target: Target,
    /// The certainty of that chip: it was said, or is a guess that must not accuse.
    pub certainty: Certainty,
    /// The language of the operands.
    pub dialect: Dialect,
    /// The program that printed the text, where nobody wrote it.
    pub listing: Option<Listing>,
    /// Symbols with values: `-defsym`.
    pub symbols: Vec<(String, i64)>,
    /// The kind of descriptors in use; where unsaid, the text shows it.
    pub abi: Option<Abi>,
    /// Names of included files that are missing because they are not to be read.
    pub outside: Arc<[Arc<str>]>,
    /// The bounds of expansion.
    pub limits: Limits,
}

impl Options {
    /// Reads the options off the text, its instructions and its file's name.
    pub fn of(text: &str, file_name: &str) -> Options {
        let detected = dialect::detect(text);
        let options =
            Options { dialect: detected.dialect, listing: detected.listing, ..Options::default() };
        let (found, certainty) = match dialect::target_in(text, file_name) {
            Some(named) => (Some(named.target), options.certainty),
            None => (guess_target(text, &options).map(|it| it.target), Certainty::Assumed),
        };
        match found.transpose() {
            Ok(target) => {
                let default_target = target.unwrap_or(options.default_target);
                Options { default_target, certainty, ..options }
            }
            Err(unsupported) => Options { unsupported: Some(unsupported), certainty, ..options },
        }
    }

    /// The language whose rules the lines follow. RADV prints what the CLRX disassembler
    /// says for the oldest chips with encodings behind `;`.
    fn line_dialect(&self) -> Dialect {
        match self.listing {
            None | Some(Listing::Clrxdisasm) => self.dialect,
            Some(_) => Dialect::Llvm,
        }
    }
}

/// The certainty of the target of a text that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Certainty {
    /// Somebody said it.
    #[default]
    Explicit,
    /// Nobody did: a line that another generation has is not an error.
    Guessed,
    /// Nobody did, and code for this chip is wanted all the same: a line that another
    /// generation has is an error that says so.
    Assumed,
}

/// A text, assembled.
#[derive(Debug)]
pub struct Program {
    /// The chip it was assembled for.
    pub target: Target,
    /// The chip that the text names in its place, of which nothing but the name is known:
    /// no instruction is assembled then, and none is judged.
    pub unsupported: Option<Unsupported>,
    /// The certainty of that chip.
    pub certainty: Certainty,
    /// The language of its operands.
    pub dialect: Dialect,
    /// The program that printed the text, where nobody wrote it.
    pub listing: Option<Listing>,
    /// The parts of a dump, of which the disassemblies alone are code.
    pub parts: Vec<Part>,
    /// The dump with all its parts, from whose disassemblies the code was read; empty where
    /// there are no parts.
    pub printed: Box<str>,
    /// The text without macros, and what is known of its symbols and files.
    pub expansion: Expansion,
    /// The instructions in order of their sections, and in them of their places.
    pub instructions: Vec<Instruction>,
    /// Labels, in the order of the instructions they stand before.
    pub labels: Vec<Label>,
    /// The pieces of code that are entered on their own, in the order of their
    /// instructions.
    pub kernels: Vec<Kernel>,
    /// Diagnostics of the text that was given.
    pub diagnostics: Vec<Diagnostic>,
    /// For each of them the place in a file that it is about, which may be an
    /// included one.
    pub diagnostic_places: Vec<Span>,
    layout: Layout,
    /// In the order of their statements.
    jumps: Vec<Jump>,
    /// The sizes that metadata state of kernels, by name.
    metadata: FxHashMap<Box<str>, metadata::Sizes>,
    /// Bytes of local data share that a launch adds.
    launch_lds: Option<u32>,
    by_place: OnceLock<Vec<(TextRange, u32)>>,
    /// For each kernel, once they were asked for.
    values: Vec<OnceLock<Option<KernelValues>>>,
    /// For each kernel, once it was asked for.
    codes: Vec<OnceLock<Option<Arc<Code>>>>,
}

/// An instruction of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// The statement: an index of `Expansion::statements`.
    pub statement: u32,
    /// Its section: an index of `Expansion::sections`.
    pub section: u32,
    /// Bytes from the beginning of the section, or from the last statement before
    /// it whose size is not known.
    pub offset: u32,
    /// Its words, with distances and addresses filled in; `None` where the line is
    /// wrong, or depends on what is not known here.
    pub assembled: Option<Assembled>,
    depends_on: Dependence,
}

/// A jump to a place of the text, whose distance is in its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Jump {
    statement: u32,
    to: Address,
}

/// The things that the words of an instruction follow from, beside the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dependence {
    /// The text alone.
    Text,
    /// Values of symbols.
    Symbols,
    /// Places of symbols, as far as they are known.
    Places,
    /// A diagnostic came with its words, or it has none.
    Doubt,
}

/// A label of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its name; digits for a numeric label.
    pub name: Arc<str>,
    /// The statement that defines it.
    pub statement: u32,
    /// The next instruction of its section: an index of `Program::instructions`,
    /// or, at the end of a section, where that instruction would be.
    pub instruction: u32,
}

/// Assembles a text.
///
/// `includes` gives the text of a file that `.include` names; where it gives
/// nothing, the name is in [`Expansion::wanted`], and no error is reported that the
/// missing text could undo. `checkpoint` is called every thousand lines or so; it
/// may unwind to cancel. Takes time linear in the lines read, which
/// [`Options::limits`] bounds.
pub fn assemble(
    text: &str,
    options: &Options,
    includes: &dyn Fn(&str) -> Option<Arc<str>>,
    checkpoint: Checkpoint<'_>,
) -> Program {
    reassemble(None, &Arc::from(text), options, includes, checkpoint)
}

/// Assembles a text of which an earlier state was assembled before: the same as
/// [`assemble`], but instructions that did not change are not encoded again, and the program
/// shares the text.
pub fn reassemble(
    before: Option<&Program>,
    text: &Arc<str>,
    options: &Options,
    includes: &dyn Fn(&str) -> Option<Arc<str>>,
    checkpoint: Checkpoint<'_>,
) -> Program {
    reassemble_keeping(before, text, options, includes, checkpoint).0
}

/// The same, with the statements that were not read again.
fn reassemble_keeping(
    before: Option<&Program>,
    text: &Arc<str>,
    options: &Options,
    includes: &dyn Fn(&str) -> Option<Arc<str>>,
    checkpoint: Checkpoint<'_>,
) -> (Program, Option<Kept>) {
    // What a listing has beside its code is passed over.
    let printed = text;
    let parts = options.listing.map_or(Vec::new(), |_| dialect::parts(text));
    let code = options.listing.map(|listing| dialect::printed::code_of(text, listing, &parts));
    let text = &code.map_or_else(|| Arc::clone(text), Arc::from);
    let named = dialect::target_in(text, "").filter(|_| options.target.is_none());
    let (found, place) = match named {
        Some(named) => (Some(named.target), named.range),
        None => (options.target.map(Ok), TextRange::default()),
    };
    let found = found.or_else(|| options.unsupported.clone().map(Err));
    let (found, unsupported) = match found.transpose() {
        Ok(found) => (found, None),
        Err(unsupported) => (None, Some(unsupported)),
    };
    let target = found.unwrap_or(options.default_target);
    let set = InstructionSet::in_dialect(target, options.dialect);
    let is_supported = unsupported.is_none();
    let size = |text: &str, value: &mut dyn FnMut(&str) -> Option<i64>| {
        if !is_supported {
            return None;
        }
        let symbols = Asking(RefCell::new(value));
        let assembled = assemble_line(text, set, &symbols).ok()?;
        u32::try_from(assembled.words().len() * 4).ok()
    };
    let expansion_options = assembler::Options {
        target,
        unsupported: unsupported.clone(),
        symbols: options.symbols.clone(),
        abi: options.abi,
        instruction_size: Some(&size),
        outside: options.outside.clone(),
        limits: options.limits,
    };
    let lines = options.line_dialect();
    let before = before.filter(|it| it.dialect == options.dialect);
    let change = before.map(|it| (it, Change::between(it.expansion.source(SourceId::ROOT), text)));
    let edited = change.and_then(|(before, change)| {
        before.expansion.after(text, change, lines, includes, &expansion_options)
    });
    let (expansion, moves) = match edited {
        Some((expansion, moves)) => (expansion, Some(moves)),
        None => {
            let options = &expansion_options;
            (assembler::expand_shared(text, lines, includes, options, checkpoint), None)
        }
    };
    // A directive in an included file, or one that a condition let through.
    let target = options.target.or(expansion.target.map(|(target, _)| target)).unwrap_or(target);
    let last = expansion.unsupported.clone();
    let unsupported = match options.target {
        Some(_) => None,
        None => last.or(unsupported.filter(|_| expansion.target.is_none())),
    };
    let certainty = match found.is_some() || expansion.target.is_some() {
        true => Certainty::Explicit,
        false => options.certainty,
    };
    let mut program = Program {
        target,
        unsupported,
        certainty,
        dialect: options.dialect,
        listing: options.listing,
        printed: if parts.is_empty() { "".into() } else { (**printed).into() },
        parts,
        expansion,
        instructions: Vec::new(),
        labels: Vec::new(),
        kernels: Vec::new(),
        diagnostics: Vec::new(),
        diagnostic_places: Vec::new(),
        layout: Layout::default(),
        jumps: Vec::new(),
        metadata: FxHashMap::default(),
        launch_lds: launch::added_share(printed),
        by_place: OnceLock::new(),
        values: Vec::new(),
        codes: Vec::new(),
    };
    let mut sink = DiagnosticSink::new(&program.expansion, certainty);
    if let Some(unsupported) = &program.unsupported {
        sink.report_unsupported(unsupported, place);
    }
    program.compare_target_id(options, &mut sink);
    let change = change.filter(|(it, _)| it.target == target);
    let kept = moves.as_ref().map(|it| it.kept);
    program.place(change, moves.as_ref(), &mut sink, checkpoint);
    program.resolve(&mut sink, checkpoint);
    program.sort_by_section();
    match (change, kept) {
        (Some((before, _)), Some(kept)) => program.keep_labels(before, kept),
        _ => program.find_labels(),
    }
    program.kernels = kernels::find(&program);
    program.metadata = metadata::sizes(&program.expansion);
    program.values.resize_with(program.kernels.len(), OnceLock::new);
    if let (Some((before, _)), Some(kept)) = (change, kept) {
        program.keep_codes(before, kept);
    }
    program.codes.resize_with(program.kernels.len(), OnceLock::new);
    if program.unsupported.is_none() {
        descriptor_check::check(&program, &mut sink);
        register_limits::check(&program, &mut sink);
        printed_words::check(&program, printed, &mut sink);
        sink.report_unknown_fields(&program.expansion);
    }
    (program.diagnostics, program.diagnostic_places) = sink.finish();
    (program, kept)
}

/// The forms of a chip, and what was learnt about the lines and names of a text.
struct Encoder {
    set: InstructionSet,
    typos: TypoFinder,
    repeated: Repeated,
}

/// A function as the encoder asks for symbols.
struct Asking<F>(RefCell<F>);

impl<F: FnMut(&str) -> Option<i64>> Symbols for Asking<F> {
    fn value(&self, name: &str) -> Option<i64> {
        self.0.try_borrow_mut().ok().and_then(|mut value| value(name))
    }
}

/// The number of items in front for which `is_before` holds, as [`slice::partition_point`] has it:
/// few are asked if it is little more than `near`.
fn partition_point_near<T>(items: &[T], near: usize, is_before: impl Fn(&T) -> bool) -> usize {
    let near = match near.checked_sub(1).and_then(|last| items.get(last)) {
        Some(last) if is_before(last) => near,
        _ => 0,
    };
    let mut end = near + 8;
    while items.get(end).is_some_and(&is_before) {
        end += end - near;
    }
    near + items[near..end.min(items.len())].partition_point(is_before)
}

/// Statements between two calls of the checkpoint.
const CHECKPOINT_STATEMENTS: usize = 1024;

impl Program {
    /// Tells that a target id names another chip than the one that was asked for.
    fn compare_target_id(&self, options: &Options, sink: &mut DiagnosticSink) {
        let Some((named, span)) = self.expansion.target.filter(|_| options.target.is_some()) else {
            return;
        };
        let is_id = dialect::settings_in(self.expansion.source_text(span)).is_some();
        if is_id && named.processor() != self.target.processor() {
            let message = format!(
                "this names {}, but the text is assembled for {}, which was asked for",
                named.processor(),
                self.target.processor()
            );
            let place = (span, NodeId::ROOT);
            sink.report_at(&self.expansion, place, codes::TARGET_ID, Severity::Warning, &message);
        }
    }

    /// The settings of the target id that the text names.
    pub fn settings(&self) -> Settings {
        self.expansion.settings
    }

    /// Tells whether the text names a target id that leaves open that page faults are retried.
    pub(crate) fn may_repeat(&self) -> bool {
        self.expansion.target.is_some() && self.settings().may_retry(self.target)
    }

    /// The machine code of a dump that an offset of the text is in.
    pub fn disassembly_at(&self, offset: TextSize) -> Option<&Part> {
        let after = self.parts.partition_point(|part| part.range.start() <= offset);
        let part = self.parts.get(after.checked_sub(1)?)?;
        (part.kind == PartKind::Disassembly && part.range.contains(offset)).then_some(part)
    }

    /// The machine code of a dump that a kernel was read from.
    pub fn disassembly_of(&self, kernel: &Kernel) -> Option<&Part> {
        let first = self.instructions.get(kernel.instructions.start as usize)?;
        self.disassembly_at(self.range(first).start())
    }

    /// Encodes every instruction, and places every statement.
    fn place(
        &mut self,
        before: Option<(&Program, Change)>,
        moves: Option<&Moves>,
        sink: &mut DiagnosticSink,
        checkpoint: Checkpoint<'_>,
    ) {
        let count = self.expansion.statements.len();
        self.instructions.reserve(count);
        self.layout.reserve(count);
        let mut encoder = Encoder {
            set: InstructionSet::in_dialect(self.target, self.dialect),
            typos: TypoFinder::default(),
            repeated: Repeated::default(),
        };
        let before = before.filter(|_| self.unsupported.is_none());
        if let (Some((before, _)), Some(moves)) = (before, moves) {
            return self.place_kept(before, moves, &encoder, sink, checkpoint);
        }
        encoder.repeated = Repeated::for_statements(count);
        let mut before = before.map(|(before, change)| Before::new(before, change));
        for index in 0..count {
            if index % CHECKPOINT_STATEMENTS == 0 {
                checkpoint();
            }
            // Little changes by an edit: nothing else of such a line is looked at.
            let known = |it: &Statement| before.as_mut()?.words(it);
            self.place_statement(index, known, &encoder, sink);
        }
    }

    /// Places the next statement. `known` may have the words of an instruction.
    fn place_statement(
        &mut self,
        index: usize,
        known: impl FnOnce(&Statement) -> Option<(Assembled, Dependence)>,
        encoder: &Encoder,
        sink: &mut DiagnosticSink,
    ) {
        let Some(statement) = self.expansion.statements.get(index) else { return };
        if statement.kind != StatementKind::Instruction {
            self.layout.push(statement, None);
            return;
        }
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let (mut assembled, depends_on) = match known(statement) {
            Some((assembled, depends_on)) => (Some(assembled), depends_on),
            None if self.unsupported.is_some() => (None, Dependence::Doubt),
            None => self.encode(index, statement, encoder, sink),
        };
        let bytes = assembled.as_ref().map(|it| 4 * it.words().len() as u32);
        let place = self.layout.push(statement, bytes);
        let is_allocated =
            |it: &Assembled| it.fixup.is_some_and(|fixup| fixup.kind == FixupKind::Registers);
        if assembled.as_ref().is_some_and(is_allocated) {
            assembled = None;
        }
        self.instructions.push(Instruction {
            statement: index,
            section: statement.section,
            offset: place.bytes,
            assembled,
            depends_on,
        });
    }

    /// Encodes the next instruction. Returns its words, and what they depend on.
    fn encode(
        &self,
        index: u32,
        statement: &Statement,
        Encoder { set, typos, repeated }: &Encoder,
        sink: &mut DiagnosticSink,
    ) -> (Option<Assembled>, Dependence) {
        let set = *set;
        let text = self.expansion.text(statement);
        if let Some(same) = repeated.find(text, index, self) {
            return (same.assembled, same.depends_on);
        }
        let symbols = self.expansion.symbols_at(index);
        let error = match assemble_line(text, set, &symbols) {
            Ok(assembled) => {
                let depends_on = match (assembled.fixup, symbols.asked()) {
                    (Some(_), _) => Dependence::Places,
                    (None, Asked::Nothing) => Dependence::Text,
                    (None, _) => Dependence::Symbols,
                };
                if assembled.fixup.is_none() {
                    repeated.keep(text, self.instructions.len(), symbols.until());
                }
                return (Some(assembled), depends_on);
            }
            Err(error) => error,
        };
        let asked = symbols.asked();
        let suggest = || match suggest::find(text, &error, set, &symbols) {
            Some(fix) => Some(Suggestion::Rewrite(fix)),
            None => typos.of_line(text, set, &self.expansion, &symbols).map(Suggestion::Typo),
        };
        let has = |other| other_generations::has(other, text, self.dialect, &symbols);
        sink.report_line(&self.expansion, statement, &error, asked, suggest, has);
        (error.cut, Dependence::Doubt)
    }

    /// Brings instructions of one section together; mostly there is one.
    fn sort_by_section(&mut self) {
        if !self.instructions.is_sorted_by_key(|it| it.section) {
            self.instructions.sort_by_key(|it| it.section);
        }
    }

    fn find_labels(&mut self) {
        let mut near = 0;
        let count = self.expansion.statements.len();
        let labels = (0..count).filter_map(|index| {
            let label = self.label_of(index, near)?;
            near = label.instruction as usize;
            Some(label)
        });
        self.labels = labels.collect();
        self.labels.sort_by_key(|label| label.instruction);
    }

    /// The label that a statement is. The search for its instruction begins at `near`.
    fn label_of(&self, index: usize, near: usize) -> Option<Label> {
        let statement = self.expansion.statements.get(index)?;
        if !matches!(statement.kind, StatementKind::Label(_) | StatementKind::NumericLabel) {
            return None;
        }
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let key = (statement.section, index);
        let is_before = |it: &Instruction| (it.section, it.statement) < key;
        let instruction = partition_point_near(&self.instructions, near, is_before);
        let name = self.expansion.text(statement).trim();
        let known = match statement.kind {
            StatementKind::Label(symbol) => Some(&self.expansion.symbol(symbol).name),
            _ => None,
        };
        Some(Label {
            name: known.filter(|known| ***known == *name).map_or_else(|| name.into(), Arc::clone),
            statement: index,
            instruction: instruction as u32,
        })
    }

    /// The statement an instruction was made from.
    pub fn statement(&self, instruction: &Instruction) -> &Statement {
        &self.expansion.statements[instruction.statement as usize]
    }

    /// The text of an instruction: comments within it are blank.
    pub fn text(&self, instruction: &Instruction) -> &str {
        self.expansion.text(self.statement(instruction))
    }

    /// The range of the given text where an instruction is to be shown: its own,
    /// or that of the outermost call that leads to it.
    pub fn range(&self, instruction: &Instruction) -> TextRange {
        let statement = self.statement(instruction);
        self.expansion.in_root(statement.span, statement.node)
    }

    /// The instructions shown within a range of the given text, as indices: those
    /// written there, and those that calls there expand to.
    pub fn instructions_in(&self, range: TextRange) -> impl Iterator<Item = u32> + '_ {
        let places = self.places();
        let first = places.partition_point(|(place, _)| place.end() < range.start());
        places[first..]
            .iter()
            .take_while(move |(place, _)| place.start() <= range.end())
            .map(|(_, instruction)| *instruction)
    }

    /// The first instruction that is shown at an offset of the given text.
    pub fn instruction_at(&self, offset: TextSize) -> Option<u32> {
        self.instructions_in(TextRange::empty(offset)).next()
    }

    /// Returns where instructions are shown, in the order of the text. Places never overlap,
    /// unless they are equal.
    fn places(&self) -> &[(TextRange, u32)] {
        self.by_place.get_or_init(|| {
            let instructions = self.instructions.iter().zip(0..);
            let mut places: Vec<_> =
                instructions.map(|(it, index)| (self.range(it), index)).collect();
            let order = |(range, index): &(TextRange, u32)| (range.start(), range.end(), *index);
            if !places.is_sorted_by_key(order) {
                places.sort_by_key(order);
            }
            places
        })
    }

    /// The instructions of a section, as a range of indices.
    pub fn instructions_of_section(&self, section: u32) -> std::ops::Range<usize> {
        let first = self.instructions.partition_point(|it| it.section < section);
        let last = self.instructions.partition_point(|it| it.section <= section);
        first..last
    }

    /// The label of a name.
    pub fn label(&self, name: &str) -> Option<&Label> {
        self.labels.iter().find(|label| *label.name == *name)
    }

    /// Tells whether an instruction is written in the given text and no macro made it.
    pub fn is_written(&self, instruction: &Instruction) -> bool {
        let span = self.statement(instruction).span;
        span.source == SourceId::ROOT && self.range(instruction) == span.range
    }
}
