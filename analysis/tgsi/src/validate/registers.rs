//! Declared registers and uses of them.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Severity, TextRange};

use super::gaps::Gaps;
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

/// A set of register numbers for each component.
#[derive(Default)]
struct Set {
    components: [RegisterSet; 4],
}

impl Set {
    /// Adds a range. Returns whether any of it was there already.
    fn add(&mut self, range: IndexRange, mask: WriteMask) -> bool {
        let last = range.last.min(LAST_REGISTER);
        let count = (last + 1).saturating_sub(range.first.min(LAST_REGISTER));
        let mut there = false;
        for component in mask.components() {
            there |= self.components[component as usize].insert(range) < count;
        }
        there
    }

    fn contains(&self, number: u32) -> bool {
        self.components.iter().any(|numbers| numbers.contains(number))
    }
}

/// A register file of the shader; buffers and the like have a set each.
#[derive(Default)]
struct Declared {
    /// Registers with one index, or the second of two where the first is a vertex.
    plain: Set,
    /// Registers of each buffer.
    by_dimension: FxHashMap<u32, Set>,
    any: bool,
    /// Set where number 0 stands for a register that is numbered by its kind.
    zero: bool,
}

/// The declarations that a fix may widen, by what they say beside the range: the highest number of
/// the last one, and the place of the range.
type Widest = FxHashMap<(File, Option<u32>), (IndexRange, TextRange)>;

/// All declared registers.
pub(super) struct Registers<'a> {
    /// Declared registers, for the fixes of others.
    shader: &'a Shader,
    files: [Option<Box<Declared>>; File::ALL.len()],
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
            files: Default::default(),
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
        let declared = self.files[file as usize].get_or_insert_default();
        declared.any = true;
        declared.zero |= declaration.is_numbered_by_kind();
        let dimension = declaration.dimension.filter(|_| !first_is_vertex(file)).flatten();
        let set = match dimension {
            Some(dimension) => declared.by_dimension.entry(dimension.value.first).or_default(),
            None => &mut declared.plain,
        };
        if set.add(range.value, declaration.components()) {
            report.warning(codes::DUPLICATE_DECLARATION, range.range, || {
                format!("a register of this range of {file} is declared already")
            });
        }
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
        let index = Index { offset: i32::try_from(base.index).unwrap_or(i32::MAX), indirect: None };
        let register = Register { range, file: base.file, dimension: None, index };
        if !self.is_declared(&register) {
            self.undeclared(base.file, None, index, range, report);
        }
    }

    fn is_declared(&self, register: &Register) -> bool {
        let file = register.file;
        let number = u32::try_from(register.index.offset);
        if file == File::Immediate {
            let direct = number.is_ok_and(|number| number < self.immediates);
            let declared = self.files[file as usize].is_some();
            return direct || declared || register.index.indirect.is_some() && self.immediates > 0;
        }
        let Some(declared) = &self.files[file as usize] else { return false };
        if register.is_computed() || is_historic(file) {
            return declared.any;
        }
        let Ok(number) = number else { return false };
        if declared.zero && number == 0 {
            return true;
        }
        let dimension = register.dimension.filter(|_| !first_is_vertex(file));
        let Some(dimension) = dimension else {
            // Buffer 0 may be named with one index or with two.
            return declared.plain.contains(number)
                || declared.by_dimension.get(&0).is_some_and(|set| set.contains(number));
        };
        match u32::try_from(dimension.offset) {
            Ok(0) if file == File::Constant && declared.plain.contains(number) => true,
            Ok(buffer) => {
                declared.by_dimension.get(&buffer).is_some_and(|set| set.contains(number))
            }
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
