//! A model of the reference sanity check, from its list of checks: what it faults
//! in a shader, by kind. Its own output is known for real shaders as counts only;
//! where the counts of the model are the same, its kinds are those of the check.
//!
//! It keeps the check's mistakes, since they count too: inputs and outputs of
//! tessellation and geometry shaders stand for every vertex, whatever their
//! semantic but PATCH and the levels, and components of a register are not told
//! apart.

use std::collections::{BTreeMap, HashMap, HashSet};

use tgsi::ast::{Declaration, Index, PropertyValue, Register, Shader, StatementKind};
use tgsi::words::{File, ImmediateType, Primitive, PropertyName, SemanticName, Stage};

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A register of the file `NULL`.
    FileName,
    /// A register that is not declared.
    Undeclared,
    /// A register that is declared twice.
    Repeated,
    /// A declaration behind an instruction.
    LateDeclaration,
    /// An immediate behind an instruction.
    LateImmediate,
    /// An immediate of 64 bits.
    ImmediateType,
    /// More than one `END`.
    SecondEnd,
    /// No `END`.
    MissingEnd,
    /// A number without an opcode.
    Opcode,
}

/// The result of the check of a shader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Its errors.
    pub faults: BTreeMap<Fault, u32>,
    /// Its warnings: registers that are never used.
    pub unused: u32,
}

impl Verdict {
    /// All errors.
    pub fn errors(&self) -> u32 {
        self.faults.values().sum()
    }
}

/// A register as the check keeps it: one or two numbers.
type Key = (File, i64, Option<i64>);

#[derive(Default)]
struct Check {
    verdict: Verdict,
    declared: HashSet<Key>,
    /// Every declaration, repeated ones too: each is reported as unused.
    entered: Vec<Key>,
    used: HashSet<Key>,
    used_by_number: HashSet<File>,
    immediates: i64,
    instructions: u32,
    ended: bool,
    vertices: i64,
    vertices_out: i64,
}

/// Checks a shader that the reference parser takes.
pub fn check(shader: &Shader) -> Verdict {
    let mut check = Check::default();
    let stage = shader.stage.value;
    if matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation) {
        check.vertices = 32;
    }
    for statement in &shader.statements {
        match &statement.kind {
            StatementKind::Declaration(declaration) => check.declaration(stage, declaration),
            StatementKind::Immediate(immediate) => {
                if check.instructions > 0 {
                    check.fault(Fault::LateImmediate);
                }
                let key = (File::Immediate, check.immediates, None);
                check.immediates += 1;
                check.declared.insert(key);
                check.entered.push(key);
                let narrow =
                    [ImmediateType::Float32, ImmediateType::Unsigned32, ImmediateType::Signed32];
                if !narrow.contains(&immediate.ty.value) {
                    check.fault(Fault::ImmediateType);
                }
            }
            StatementKind::Property(property) => {
                let name = property.name.map(|name| name.value);
                match (stage, name, property.value.map(|value| value.value)) {
                    (
                        Stage::Geometry,
                        Some(PropertyName::GeometryInputPrimitive),
                        Some(PropertyValue::Primitive(primitive)),
                    ) => check.vertices = vertices(primitive),
                    (
                        Stage::TessellationControl,
                        Some(PropertyName::ControlVerticesOut),
                        Some(PropertyValue::Number(number)),
                    ) => check.vertices_out = i64::from(number),
                    _ => {}
                }
            }
            StatementKind::Instruction(instruction) => {
                let opcode = instruction.opcode.value;
                if opcode.mnemonic() == "END" && std::mem::replace(&mut check.ended, true) {
                    check.fault(Fault::SecondEnd);
                }
                if opcode.is_gap() {
                    // It looks no further.
                    check.fault(Fault::Opcode);
                    continue;
                }
                for destination in &instruction.destinations {
                    check.direct(key(&destination.register));
                }
                for source in &instruction.sources {
                    check.source(&source.register);
                }
                check.instructions += 1;
            }
            StatementKind::Unknown => {}
        }
    }
    if !check.ended {
        check.fault(Fault::MissingEnd);
    }
    let unused = check
        .entered
        .iter()
        .filter(|key| !check.used.contains(key) && !check.used_by_number.contains(&key.0));
    check.verdict.unused = unused.count() as u32;
    check.verdict
}

impl Check {
    fn fault(&mut self, fault: Fault) {
        *self.verdict.faults.entry(fault).or_default() += 1;
    }

    fn declaration(&mut self, stage: Stage, declaration: &Declaration) {
        if self.instructions > 0 {
            self.fault(Fault::LateDeclaration);
        }
        let file = declaration.file.value;
        if file == File::Null {
            self.fault(Fault::FileName);
            return;
        }
        let once = declaration.semantic.is_some_and(|semantic| {
            matches!(
                semantic.value.name,
                SemanticName::Patch
                    | SemanticName::TessellationOuter
                    | SemanticName::TessellationInner
            )
        });
        let of_vertices = match (file, stage) {
            _ if once => None,
            (
                File::Input,
                Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation,
            ) => Some(self.vertices),
            (File::Output, Stage::TessellationControl) => Some(self.vertices_out),
            _ => None,
        };
        let range = declaration.range.value;
        for number in range.first..=range.last {
            let number = i64::from(number);
            match of_vertices {
                Some(vertices) => {
                    for vertex in 0..vertices {
                        self.declare((file, number, Some(vertex)));
                    }
                }
                None => {
                    let buffer = declaration.dimension.flatten();
                    self.declare((file, number, buffer.map(|it| i64::from(it.value.first))));
                }
            }
        }
    }

    fn declare(&mut self, key: Key) {
        if !self.declared.insert(key) {
            self.fault(Fault::Repeated);
        }
        self.entered.push(key);
    }

    fn direct(&mut self, key: Key) {
        if key.0 == File::Null {
            self.fault(Fault::FileName);
            return;
        }
        if !self.declared.contains(&key) {
            self.fault(Fault::Undeclared);
        }
        self.used.insert(key);
    }

    fn source(&mut self, register: &Register) {
        let Some(indirect) = register.index.indirect else {
            self.direct(key(register));
            return;
        };
        if register.file == File::Null {
            self.fault(Fault::FileName);
        } else {
            if !self.declared.iter().any(|key| key.0 == register.file) {
                self.fault(Fault::Undeclared);
            }
            self.used_by_number.insert(register.file);
        }
        self.direct((indirect.file, i64::from(indirect.index), None));
    }
}

/// A register as if it were named directly, as the check takes destinations.
fn key(register: &Register) -> Key {
    let number = |index: Index| i64::from(index.offset);
    (register.file, number(register.index), register.dimension.map(number))
}

fn vertices(primitive: Primitive) -> i64 {
    let known = HashMap::from([
        (Primitive::Points, 1),
        (Primitive::Lines, 2),
        (Primitive::LineLoop, 2),
        (Primitive::LineStrip, 2),
        (Primitive::LinesAdjacency, 4),
        (Primitive::LineStripAdjacency, 4),
        (Primitive::TrianglesAdjacency, 6),
        (Primitive::TriangleStripAdjacency, 6),
        (Primitive::Quads, 4),
        (Primitive::QuadStrip, 4),
    ]);
    known.get(&primitive).copied().unwrap_or(3)
}
