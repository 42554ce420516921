//! Declared registers and uses of them.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Severity, TextRange};

use super::context::Context;
use super::gaps::Gaps;
use super::operands::{Files, files};
use crate::ast::{
    Declaration, Index, IndexRange, Indirect, Instruction, Register, Shader, StatementKind,
    WriteMask,
};
use crate::codes;
use crate::register_set::{LAST_REGISTER, RegisterSet};
use crate::report::Report;
use crate::words::File;

/// The most register numbers that are entered. A shader that declares more,
/// by overlaps, is not a shader; nothing more is said of its declarations.
const MOST_ENTERED: u64 = 1 << 26;

/// The register numbers that are declared.
#[derive(Default)]
struct Set {
    /// Registers of which any component is.
    numbers: RegisterSet,
    /// Registers by component, since a declaration that has not all.
    components: Option<Box<[RegisterSet; 4]>>,
}

impl Set {
    /// Adds a range. Returns whether any of it was there already.
    fn add(&mut self, range: IndexRange, mask: WriteMask) -> bool {
        let last = range.last.min(LAST_REGISTER);
        let count = (last + 1).saturating_sub(range.first.min(LAST_REGISTER));
        if mask != WriteMask::ALL && self.components.is_none() {
            let all = std::array::from_fn(|_| self.numbers.clone());
            self.components = Some(Box::new(all));
        }
        let is_known = self.numbers.insert(range) < count;
        let Some(components) = &mut self.components else { return is_known };
        let mut there = false;
        for component in mask.components() {
            there |= components[component as usize].insert(range) < count;
        }
        there
    }
}

/// The declarations that a fix may widen, by what they say beside the range: the highest number of
/// the last one, and the place of the range.
type Widest = FxHashMap<(File, Option<u32>), (IndexRange, TextRange)>;

/// All declared registers.
pub(super) struct Registers<'a> {
    /// Declared registers, for the fixes of others.
    shader: &'a Shader,
    /// Registers with one index, or the second of two where the first is a vertex.
    plain: [Set; File::ALL.len()],
    /// Registers of each buffer.
    by_dimension: FxHashMap<(File, u32), Set>,
    /// The files of which any register is declared.
    declared: Files,
    /// The files whose number 0 stands for a register that is numbered by its kind.
    zeros: Files,
    /// Gathered for the first register that is not declared.
    widest: Option<Widest>,
    immediates: u32,
    /// The number of registers that were entered, overlaps included.
    entered: u64,
    reported: FxHashSet<(File, Option<i32>, i32)>,
}

impl<'a> Registers<'a> {
    /// Of a shader, before its first declaration.
    pub(super) fn new(shader: &'a Shader) -> Registers<'a> {
        Registers {
            shader,
            plain: Default::default(),
            by_dimension: FxHashMap::default(),
            declared: 0,
            zeros: 0,
            widest: None,
            immediates: 0,
            entered: 0,
            reported: FxHashSet::default(),
        }
    }

    /// Takes an immediate.
    pub(super) fn declare_immediate(&mut self) {
        self.immediates = self.immediates.saturating_add(1);
    }

    /// Takes a declaration; reports registers declared twice.
    pub(super) fn declare(&mut self, declaration: &Declaration, report: &mut Report) {
        let file = declaration.file.value;
        if file == File::Null {
            note_null(declaration.file.range, report);
        }
        let range = declaration.range;
        let last = range.value.last.min(LAST_REGISTER);
        self.entered += u64::from(last - range.value.first.min(last)) + 1;
        if self.entered > MOST_ENTERED {
            return;
        }
        self.declared |= files(&[file]);
        if declaration.is_numbered_by_kind() {
            self.zeros |= files(&[file]);
        }
        let dimension = declaration.dimension.filter(|_| !first_is_vertex(file)).flatten();
        let set = match dimension {
            Some(dimension) => self.by_dimension.entry((file, dimension.value.first)).or_default(),
            None => &mut self.plain[file as usize],
        };
        if set.add(range.value, declaration.components()) {
            report.warning(codes::DUPLICATE_DECLARATION, range.range, || {
                format!("a register of this range of {file} is declared already")
            });
        }
    }

    /// Tells whether all that instructions name is declared, nothing of it is unknown, and so
    /// nothing is to be said.
    pub(super) fn cover(&self, context: &Context<'_>) -> bool {
        let named = context.operands.named.iter().zip(File::ALL);
        let is_declared = |(named, file): (&RegisterSet, &File)| match file {
            File::Null => named.is_empty(),
            File::Immediate => named.last().is_none_or(|last| last < self.immediates),
            file => named.is_within(&self.plain[*file as usize].numbers),
        };
        let mut odd = context.operands.odd(&context.instructions);
        self.entered <= MOST_ENTERED
            && !context.is_broken()
            && named.into_iter().all(is_declared)
            && odd.all(|register| {
                let bases = register.indirects().map(|base| direct(base, register.range));
                register.file != File::Null
                    && self.is_declared(register)
                    && bases.into_iter().all(|base| self.is_declared(&base))
            })
    }

    /// Checks that what an instruction names is declared.
    pub(super) fn check(
        &mut self,
        instruction: &Instruction,
        gaps: &Gaps<'_>,
        report: &mut Report,
    ) {
        if self.entered > MOST_ENTERED {
            return;
        }
        instruction.registers().for_each(|register| self.check_register(register, gaps, report));
        for offset in &instruction.offsets {
            self.check_register(&offset.register, gaps, report);
        }
    }

    fn check_register(&mut self, register: &Register, gaps: &Gaps<'_>, report: &mut Report) {
        for indirect in register.indirects() {
            if !gaps.hide(indirect.file) {
                self.check_base(indirect, register.range, report);
            }
        }
        if register.file == File::Null {
            note_null(register.range, report);
            return;
        }
        if !gaps.hide(register.file) && !self.is_declared(register) {
            self.undeclared(
                register.file,
                register.dimension,
                register.index,
                register.range,
                report,
            );
        }
    }

    /// The register that holds an index is always named directly.
    fn check_base(&mut self, base: Indirect, range: TextRange, report: &mut Report) {
        let register = direct(base, range);
        if !self.is_declared(&register) {
            self.undeclared(base.file, None, register.index, range, report);
        }
    }

    fn is_declared(&self, register: &Register) -> bool {
        let file = register.file;
        let number = u32::try_from(register.index.offset);
        if file == File::Immediate {
            let direct = number.is_ok_and(|number| number < self.immediates);
            let declared = self.declared & files(&[file]) != 0;
            return direct || declared || register.index.indirect.is_some() && self.immediates > 0;
        }
        if self.declared & files(&[file]) == 0 {
            return false;
        }
        if register.is_computed() || is_historic(file) {
            return true;
        }
        let Ok(number) = number else { return false };
        if self.zeros & files(&[file]) != 0 && number == 0 {
            return true;
        }
        let plain = &self.plain[file as usize].numbers;
        let in_buffer = |buffer: u32| {
            self.by_dimension.get(&(file, buffer)).is_some_and(|set| set.numbers.contains(number))
        };
        let dimension = register.dimension.filter(|_| !first_is_vertex(file));
        let Some(dimension) = dimension else {
            // Buffer 0 may be named with one index or with two.
            return plain.contains(number) || in_buffer(0);
        };
        match u32::try_from(dimension.offset) {
            Ok(0) if file == File::Constant && plain.contains(number) => true,
            Ok(buffer) => in_buffer(buffer),
            Err(_) => false,
        }
    }

    /// The edit that makes the declaration before a register reach it, where that is the
    /// next number.
    fn widened(
        &mut self,
        file: File,
        dimension: Option<Index>,
        index: Index,
    ) -> Option<(String, TextRange, String)> {
        let dimension = match dimension {
            Some(dimension) => Some(u32::try_from(dimension.offset).ok()?),
            None => None,
        };
        let shader = self.shader;
        let widest = self.widest.get_or_insert_with(|| widest(shader));
        let (range, place) = widest.get(&(file, dimension))?;
        let number =
            u32::try_from(index.offset).ok().filter(|it| range.last.checked_add(1) == Some(*it))?;
        let insert = format!("{}..{number}", range.first);
        let buffer = dimension.map(|buffer| format!("[{buffer}]")).unwrap_or_default();
        Some((format!("Declare `{file}{buffer}[{insert}]`"), *place, insert))
    }

    #[cold]
    fn undeclared(
        &mut self,
        file: File,
        dimension: Option<Index>,
        index: Index,
        range: TextRange,
        report: &mut Report,
    ) {
        let key = (file, dimension.map(|dimension| dimension.offset), index.offset);
        if !self.reported.insert(key) {
            return;
        }
        let computed =
            index.indirect.is_some() || dimension.is_some_and(|first| first.indirect.is_some());
        report.push(|| {
            let message = match (computed, dimension) {
                (true, _) => format!("no register of the file {file} is declared"),
                (false, Some(first)) => {
                    format!("`{file}[{}][{}]` is not declared", first.offset, index.offset)
                }
                (false, None) => format!("`{file}[{}]` is not declared", index.offset),
            };
            let diagnostic = Diagnostic::error(codes::UNDECLARED_REGISTER, range, message);
            let diagnostic = match self.widened(file, dimension, index) {
                Some((title, place, insert)) if !computed => {
                    diagnostic.with_fix(title, place, insert)
                }
                _ => diagnostic,
            };
            // Other files need more than a number, or stand for what is bound.
            let plain = matches!(file, File::Temporary | File::Address | File::Sampler);
            if !plain || computed || dimension.is_some() || index.offset < 0 {
                return diagnostic;
            }
            let declaration = format!("DCL {file}[{}]", index.offset);
            let title = format!("Add `{declaration}`");
            let place = TextRange::empty(self.shader.stage.range.end());
            diagnostic.with_fix(title, place, format!("\n{declaration}"))
        });
    }
}

/// The register that holds an index.
fn direct(base: Indirect, range: TextRange) -> Register {
    let index = Index { offset: i32::try_from(base.index).unwrap_or(i32::MAX), indirect: None };
    Register { range, file: base.file, dimension: None, index }
}

fn widest(shader: &Shader) -> Widest {
    let mut all = Widest::default();
    let mut entered = 0;
    for statement in shader.statements.iter().filter(|statement| !statement.broken) {
        let StatementKind::Declaration(declaration) = &statement.kind else { continue };
        let (file, range) = (declaration.file.value, declaration.range);
        let last = range.value.last.min(LAST_REGISTER);
        entered += u64::from(last - range.value.first.min(last)) + 1;
        if entered > MOST_ENTERED {
            break;
        }
        if !is_widened(declaration) {
            continue;
        }
        let dimension = declaration.dimension.flatten().map(|dimension| dimension.value.first);
        let widest = all.entry((file, dimension)).or_insert((range.value, range.range));
        if range.value.last > widest.0.last {
            *widest = (range.value, range.range);
        }
    }
    all
}

/// Files whose registers differ in nothing but their number.
fn is_widened(declaration: &Declaration) -> bool {
    let plain = matches!(
        declaration.file.value,
        File::Temporary | File::Address | File::Constant | File::Sampler
    );
    plain && declaration.array.is_none() && declaration.mask.is_none()
}

/// Tells whether the first of two indices is a vertex, which declarations imply.
fn first_is_vertex(file: File) -> bool {
    matches!(file, File::Input | File::Output)
}

/// Files whose declarations are too varied over the years to judge by number.
fn is_historic(file: File) -> bool {
    matches!(
        file,
        File::Predicate | File::Loop | File::Resource | File::ImmediateArray | File::TemporaryArray
    )
}

fn note_null(range: TextRange, report: &mut Report) {
    report.note((codes::NULL_FILE, Severity::Warning, ""), range, || {
        "the file NULL can be written but has no registers: the reference check \
         refuses it"
    });
}
