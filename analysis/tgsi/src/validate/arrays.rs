//! Arrays, vertices and components: accesses against what is declared of them.
//!
//! Facts: "Array Declaration", "Declaration" and "Geometry shaders" of the
//! Gallium documentation of 2020; the vertices of each primitive.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use source::{Diagnostic, TextRange};

use super::context::Context;
use super::dataflow::components_read;
use super::operands::{Files, Glance, files};
use crate::Stage;
use crate::ast::{Declaration, Instruction, PropertyValue, Register, WriteMask};
use crate::codes;
use crate::opcodes::{Control, Opcode};
use crate::report::Report;
use crate::words::{File, Primitive, PropertyName};

/// The most registers whose components are entered; drivers have far fewer.
const MOST_REGISTERS: u32 = 1 << 12;

/// The most that are entered, overlaps counted each time.
const MOST_ENTERED: u64 = 1 << 16;

/// The vertices of the largest patch.
const PATCH: u32 = 32;

/// Declarations of arrays, vertices and components.
pub(super) struct Extents<'a> {
    /// First and last register of each array.
    arrays: FxHashMap<(File, u32), (u32, u32)>,
    /// Declared components, where a declaration of the file names some.
    components: FxHashMap<(File, u32), u8>,
    /// The files of those declarations.
    partly: Files,
    /// The number of vertices that inputs and outputs have, where they are numbered.
    vertices: [Option<u32>; 2],
    context: &'a Context<'a>,
    /// The last register of each file, and of each of its buffers, for computed numbers.
    last: OnceCell<FxHashMap<(File, Option<u32>), u32>>,
}

impl<'a> Extents<'a> {
    /// Gathers them, and reports arrays with the same number.
    pub(super) fn new(context: &'a Context<'a>, report: &mut Report) -> Extents<'a> {
        let mut arrays = FxHashMap::default();
        let mut places: FxHashMap<(File, u32), TextRange> = FxHashMap::default();
        for (_, declaration) in &context.declarations {
            // The first of an array's number counts.
            if context.gaps.hide(declaration.file.value) {
                continue;
            }
            let Some(array) = declaration.array.filter(|array| array.value != 0) else {
                check_counters(declaration, report);
                continue;
            };
            let range = declaration.range.value;
            let key = (declaration.file.value, array.value);
            let known = *arrays.entry(key).or_insert((range.first, range.last));
            let first = *places.entry(key).or_insert(array.range);
            // Components of one array are declared apart.
            if known != (range.first, range.last) {
                report.push(|| {
                    let message = format!("another {} has this number already", key.0);
                    Diagnostic::warning(codes::DUPLICATE_ARRAY, array.range, message)
                        .with_related(first, "the first array of this number")
                });
            }
        }
        let components = components(context);
        let partly = components.keys().fold(0, |all, (file, _)| all | files(&[*file]));
        Extents {
            arrays,
            components,
            partly,
            vertices: vertices(context),
            context,
            last: OnceCell::new(),
        }
    }

    /// Tells whether declarations say anything of the operands of an instruction.
    pub(super) fn concern(&self, operands: Glance) -> bool {
        operands.odd || operands.files() & self.partly != 0
    }

    /// The last register of a file, or of one of its buffers.
    fn last(&self, file: File, buffer: Option<u32>) -> Option<u32> {
        self.last.get_or_init(|| last(self.context)).get(&(file, buffer)).copied()
    }

    fn vertices(&self, file: File) -> Option<u32> {
        match file {
            File::Input => self.vertices[0],
            File::Output => self.vertices[1],
            _ => None,
        }
    }
}

fn last(context: &Context<'_>) -> FxHashMap<(File, Option<u32>), u32> {
    let mut last = FxHashMap::default();
    for (_, declaration) in &context.declarations {
        // More may be declared.
        if !context.gaps.hide(declaration.file.value) {
            let highest = last.entry(buffer(declaration)).or_insert(0);
            *highest = declaration.range.value.last.max(*highest);
        }
    }
    last
}

/// A range of counters is an array.
fn check_counters(declaration: &Declaration, report: &mut Report) {
    let range = declaration.range;
    if declaration.file.value == File::HardwareAtomic && range.value.first != range.value.last {
        report.hint(
            codes::MISSING_ARRAY,
            range.range,
            || "a range of counters is an array, which has a number of its own: `, ARRAY(1)`",
        );
    }
}

/// The file of a declaration, and the buffer where it has several.
fn buffer(declaration: &Declaration) -> (File, Option<u32>) {
    let file = declaration.file.value;
    let number = declaration.dimension.flatten().filter(|_| file == File::Constant);
    (file, number.map(|number| number.value.first))
}

/// The declared components of registers of files that declare less than all.
fn components(context: &Context<'_>) -> FxHashMap<(File, u32), u8> {
    let mut components = FxHashMap::default();
    let mut entered = 0;
    for file in [File::Input, File::Output, File::Temporary] {
        let partly = |mask: WriteMask| mask != WriteMask::ALL;
        let mut declared = context.declared(file);
        if context.gaps.hide(file) {
            continue;
        }
        if !declared.any(|it| it.mask.is_some_and(|mask| partly(mask.value))) {
            continue;
        }
        for declaration in context.declared(file) {
            let range = declaration.range.value;
            let mask = declaration.components().0;
            entered += u64::from(range.last.saturating_sub(range.first)) + 1;
            if range.last > MOST_REGISTERS || entered > MOST_ENTERED {
                return FxHashMap::default();
            }
            for number in range.first..=range.last {
                *components.entry((file, number)).or_insert(0) |= mask;
            }
        }
    }
    components
}

fn vertices(context: &Context<'_>) -> [Option<u32>; 2] {
    match context.stage.value {
        Stage::Geometry => match context.value(PropertyName::GeometryInputPrimitive) {
            Some((PropertyValue::Primitive(primitive), _)) => [primitive_vertices(primitive), None],
            _ => [None, None],
        },
        Stage::TessellationControl => {
            let made = context.number(PropertyName::ControlVerticesOut);
            [Some(PATCH), made.map(|(vertices, _)| vertices)]
        }
        Stage::TessellationEvaluation => [Some(PATCH), None],
        _ => [None, None],
    }
}

/// Checks the vertices that a geometry shader surely emits against its limit. Those
/// in branches and loops may not be reached.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn check_emitted(context: &Context<'_>, report: &mut Report) {
    let names = [PropertyName::GeometryMaxOutputVertices, PropertyName::GeometryMaxVertices];
    let limit = names.into_iter().find_map(|name| context.value(name));
    let Some((PropertyValue::Number(limit), range)) = limit else { return };
    if context.gaps.steer || context.gaps.count || context.gaps.hide_properties() {
        return;
    }
    let mut depth: u32 = 0;
    let mut emitted: u32 = 0;
    for (instruction, op) in &context.instructions {
        match op.path() {
            Control::If | Control::Loop | Control::Switch => depth += 1,
            Control::EndIf | Control::EndLoop | Control::EndSwitch => {
                depth = depth.saturating_sub(1);
            }
            // A return may stand in a branch before.
            Control::Return
            | Control::Call
            | Control::Subroutine
            | Control::EndSubroutine
            | Control::Jump => return,
            Control::Next
            | Control::Else
            | Control::Case
            | Control::Default
            | Control::Break
            | Control::Continue
            | Control::End => {}
        }
        if depth > 0 || op.opcode != Opcode::EMIT {
            continue;
        }
        emitted = emitted.saturating_add(1);
        if emitted > limit {
            report.push(|| {
                let message = format!("GS_MAX_OUTPUT_VERTICES is {limit}; this emits one more");
                Diagnostic::warning(codes::VERTEX_NUMBER, instruction.opcode.range, message)
                    .with_related(range, "the limit")
            });
            return;
        }
    }
}

/// The vertices of a primitive that a geometry shader can take.
fn primitive_vertices(primitive: Primitive) -> Option<u32> {
    let is_taken = matches!(
        primitive,
        Primitive::Points
            | Primitive::Lines
            | Primitive::Triangles
            | Primitive::LinesAdjacency
            | Primitive::TrianglesAdjacency
    );
    is_taken.then(|| primitive.geometry_vertices())
}

/// Checks the operands of one instruction.
pub(super) fn check(extents: &Extents<'_>, instruction: &Instruction, report: &mut Report) {
    let op = instruction.info();
    let has_components = !extents.components.is_empty();
    let is_plain =
        |register: &Register| register.index.indirect.is_none() && register.dimension.is_none();
    for destination in &instruction.destinations {
        let register = &destination.register;
        if !is_plain(register) {
            check_register(extents, register, report);
        }
        if has_components {
            check_components(extents, register, destination.mask.0, destination.range, report);
        }
    }
    for (number, source) in instruction.sources.iter().enumerate() {
        if !is_plain(&source.register) {
            check_register(extents, &source.register, report);
        }
        if has_components && let Some(read) = components_read(instruction, op, number) {
            check_components(extents, &source.register, read, source.range, report);
        }
    }
}

fn check_register(extents: &Extents<'_>, register: &Register, report: &mut Report) {
    if register.index.indirect.is_some() {
        check_computed(extents, register, report);
    }
    if let Some(vertex) = register.dimension.filter(|vertex| vertex.indirect.is_none())
        && let Some(vertices) = extents.vertices(register.file)
        && i64::from(vertex.offset) >= i64::from(vertices)
    {
        report.warning(codes::VERTEX_NUMBER, register.range, || {
            let (file, number) = (register.file, vertex.offset);
            format!("{file} has {vertices} vertices here; there is no vertex {number}")
        });
    }
}

fn check_computed(extents: &Extents<'_>, register: &Register, report: &mut Report) {
    let named = |array: Option<u32>| array.is_some_and(|array| array != 0);
    if matches!(register.file, File::Input | File::Output)
        && register.index.indirect.is_some_and(|indirect| !named(indirect.array))
    {
        report.note(codes::MISSING_ARRAY, register.range, || {
            let file = register.file;
            format!(
                "a computed number of {file} names the array that it stays in: \
                 `{file}[ADDR[0].x](1)`; only TEMP and CONST do without"
            )
        });
    }
    if register.file == File::Temporary
        && register.dimension.is_none()
        && register.index.indirect.is_some_and(|indirect| !named(indirect.array))
        && extents.arrays.keys().any(|(file, _)| *file == File::Temporary)
    {
        report.note(codes::MISSING_ARRAY, register.range, || {
            "a computed number without an array may be any TEMP: drivers keep them all apart in \
             memory; name the array: `TEMP[ADDR[0].x](1)`"
        });
    }
    if let Some(indirect) = register.index.indirect
        && let Some(array) = indirect.array
        && let Some((first, last)) = extents.arrays.get(&(register.file, array))
        && i64::from(register.index.offset) > i64::from(*last)
    {
        report.hint(codes::ARRAY_RANGE, register.range, || {
            format!(
                "the offset {} is past the end of array {array}, which is {}[{first}..{last}]",
                register.index.offset, register.file
            )
        });
    }
    check_behind_all(extents, register, report);
}

/// Reports an offset behind all registers of a file: only a negative index leads back to one.
fn check_behind_all(extents: &Extents<'_>, register: &Register, report: &mut Report) {
    let Some(indirect) = register.index.indirect else { return };
    let named = indirect.array.is_some_and(|array| array != 0);
    if named || !matches!(register.file, File::Constant | File::Temporary) {
        return;
    }
    let number = match register.dimension {
        Some(buffer) if buffer.indirect.is_some() => return,
        Some(buffer) => u32::try_from(buffer.offset).ok(),
        None => None,
    };
    // Buffer 0 may be named with one bracket or with two.
    let of = |number| extents.last(register.file, number);
    let zero = [None, Some(0)].into_iter().filter_map(of).max();
    let last = if number.unwrap_or(0) == 0 { zero } else { of(number) };
    let Some(last) = last.filter(|last| i64::from(register.index.offset) > i64::from(*last)) else {
        return;
    };
    report.hint(codes::ARRAY_RANGE, register.range, || {
        let (file, offset) = (register.file, register.index.offset);
        let buffer = number.map(|number| format!("[{number}]")).unwrap_or_default();
        format!("the offset {offset} is past the last register, `{file}{buffer}[{last}]`")
    });
}

fn check_components(
    extents: &Extents<'_>,
    register: &Register,
    used: u8,
    range: TextRange,
    report: &mut Report,
) {
    let Some(number) = register.number() else { return };
    let Some(declared) = extents.components.get(&(register.file, number)) else { return };
    let missing = WriteMask(used & !declared);
    if missing.0 == 0 {
        return;
    }
    report.note(codes::UNDECLARED_COMPONENT, range, || {
        let letters = missing.letters();
        format!("`.{letters}` of {}[{number}] is not declared", register.file)
    });
}
