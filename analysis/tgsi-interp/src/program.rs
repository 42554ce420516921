//! A shader made ready: every opcode resolved, every block joined to its end,
//! everything that is not executed refused.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use sampler::{Dimension, Numbers};
use tgsi::ast::{
    Declaration, Instruction, PropertyValue, Register, Shader, StatementKind, Swizzle,
};
use tgsi::coordinates::crowded_out;
use tgsi::opcodes::{Flag, ValueType};
use tgsi::words::{File, Interpolation, PropertyName, ReturnType, SemanticName, TextureTarget};
use tgsi::{Opcode, Stage};
use thiserror::Error;

use crate::action::{Action, action};
use crate::conversion::PACK_HALVES_TOWARD_ZERO;
use crate::historic::Forms;
use crate::images::DeclaredImages;
use crate::lookup;
use crate::loop_exits::questions_on_exits;
use crate::operation::operation_with_zeros;
use crate::precision::{Precision, Promised};
use crate::products::{self, Ieee, ZeroWins};
use crate::registers::Place;
use crate::uniformity::Divergence;

/// The reason for which a program is not executed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The instruction that is the reason, from 1; 0 where it is not one.
    pub ordinal: u32,
    /// The reason, such as `unsupported: BRA`.
    pub message: String,
}

/// The treatment of single-precision denormals that an opcode reads or computes
/// as floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Denormals {
    /// They are numbers like others.
    #[default]
    Kept,
    /// They become zeros of their sign, as hardware does that is not told otherwise.
    Flushed,
}

impl Denormals {
    /// Returns the bits of a float after the treatment.
    pub(crate) fn apply(self, bits: u32) -> u32 {
        match self {
            Denormals::Flushed if bits & 0x7f80_0000 == 0 => bits & 0x8000_0000,
            _ => bits,
        }
    }
}

/// The declaration of an `SVIEW` or `RES`.
pub(crate) struct View {
    pub(crate) target: TextureTarget,
    numbers: Numbers,
}

impl View {
    /// Tells whether its texels are floats.
    pub(crate) fn holds_floats(&self) -> bool {
        !matches!(self.numbers, Numbers::Signed | Numbers::Unsigned)
    }

    fn declared(declaration: &Declaration) -> Option<View> {
        match (declaration.file.value, &declaration.sampler_view, &declaration.image) {
            (_, Some(view), _) => {
                let numbers = match view.returns[0] {
                    ReturnType::Sint => Numbers::Signed,
                    ReturnType::Uint => Numbers::Unsigned,
                    ReturnType::Unorm => Numbers::Normalized,
                    _ => Numbers::Float,
                };
                Some(View { target: view.target.value, numbers })
            }
            (File::Resource, _, Some(image)) => {
                Some(View { target: image.target.value, numbers: Numbers::Float })
            }
            _ => None,
        }
    }
}

/// One instruction, ready to run.
pub(crate) struct MicroOp {
    pub(crate) action: Action,
    pub(crate) instruction: Instruction,
    /// `SWITCH`: the places of its cases. `CAL`: the place of its subroutine.
    pub(crate) targets: Vec<usize>,
    /// Of `CASE` and `DEFAULT`: whether there is a value.
    pub(crate) has_value: bool,
    /// Of loops: the place of the beginning.
    pub(crate) partner: usize,
    /// True if sources are bits, whatever their type is said to be: what is only copied
    /// keeps them, and what is unpacked is not a number.
    pub(crate) keeps_bits: bool,
    /// The bounds of results around the mathematical ones, where they are not exact.
    pub(crate) precision: Option<Precision>,
    /// The forms of the first years in its operands.
    pub(crate) forms: Forms,
}

impl MicroOp {
    /// Returns the type that a source of a type is read as. What is unpacked is an integer, as
    /// Mesa's interpreter has it (`tgsi_exec.c`), and what is only copied is bits: of neither is
    /// anything flushed.
    pub(crate) fn read_as(&self, ty: ValueType) -> ValueType {
        match ty {
            ValueType::Float if self.instruction.info().has(Flag::Unpack) => ValueType::Unsigned,
            ValueType::Float if self.keeps_bits => ValueType::Untyped,
            ty => ty,
        }
    }

    /// The components of what it loads, as the resource's swizzle arranges them. Of a handle
    /// the swizzle chooses the words instead.
    pub(crate) fn resource_swizzle(&self) -> Swizzle {
        match self.instruction.sources.first() {
            Some(resource) if is_resource(resource.register.file) => resource.swizzle,
            _ => Swizzle::IDENTITY,
        }
    }
}

fn is_resource(file: File) -> bool {
    matches!(
        file,
        File::Buffer
            | File::Image
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::Resource
    )
}

/// A shader that can be executed.
#[derive(Default)]
pub struct Program {
    pub(crate) ops: Vec<MicroOp>,
    pub(crate) immediates: Vec<[u32; 4]>,
    pub(crate) temporaries: usize,
    pub(crate) addresses: usize,
    pub(crate) outputs: usize,
    pub(crate) loops: usize,
    /// The lengths of the historic arrays of temporaries.
    pub(crate) arrays: Vec<usize>,
    /// The registers of the historic array of immediates.
    pub(crate) immediate_array: Vec<[u32; 4]>,
    /// The colour that each output is.
    pub(crate) colors: Vec<(RangeInclusive<u32>, u32)>,
    /// True if 0 times anything is 0.
    pub(crate) zero_wins: bool,
    /// The treatment of denormal floats. Kept, unless whoever runs it says otherwise.
    pub denormals: Denormals,
    /// The promise that bounds results.
    pub(crate) promised: Promised,
    /// `TCS_VERTICES_OUT`: the invocations of a tessellation control shader.
    pub patch_vertices: u32,
    /// `GS_MAX_OUTPUT_VERTICES`: what an invocation may emit.
    pub vertices: u32,
    /// The stage.
    pub stage: Stage,
    /// The questions to the subgroup that are on the way out of a loop.
    pub(crate) on_exits: BTreeSet<usize>,
    /// The fixed size of a thread group, 1 where not said.
    pub block: [u32; 3],
    /// The system value that each `SV` register holds.
    pub system_values: Vec<(u32, SemanticName)>,
    /// The registers that are declared as position or face of a fragment.
    pub inputs: Vec<(u32, SemanticName)>,
    /// The declarations.
    pub(crate) declared: Vec<Declaration>,
    /// The images that are declared.
    images: Vec<DeclaredImages>,
    /// The sampler views that are declared.
    views: Vec<(RangeInclusive<u32>, View)>,
    /// The registers that may differ among invocations.
    pub(crate) divergence: Divergence,
}

/// Registers of one file, at most: as many as Mesa's interpreter has.
const MOST_REGISTERS: usize = 4096;
/// Views of one declaration that an index may mean, at most.
const MOST_VIEWS: usize = 128;
/// Blocks within blocks, at most.
const DEEPEST: usize = 256;

impl Program {
    /// Returns the number of registers that each quad has of its own.
    pub(crate) fn registers(&self) -> usize {
        let arrays: usize = self.arrays.iter().sum();
        self.temporaries + self.addresses + self.outputs + self.loops + arrays
    }

    /// Makes a shader ready.
    ///
    /// # Errors
    /// Says which instruction is not executed, or that blocks do not match.
    pub fn prepare(shader: &Shader) -> Result<Program, Refusal> {
        let stage = shader.stage.value;
        let mut program = Program {
            immediates: shader.immediates().map(|immediate| immediate.bits).collect(),
            patch_vertices: 1,
            vertices: u32::MAX,
            stage,
            block: [1; 3],
            ..Program::default()
        };
        program.properties(shader)?;
        program.declarations(shader)?;
        for statement in &shader.statements {
            if statement.broken {
                return Err(refuse(0, "the text has errors"));
            }
            if let StatementKind::Instruction(instruction) = &statement.kind {
                program.instruction(instruction)?;
            }
        }
        program.join()?;
        program.divergence = Divergence::of(&program);
        program.on_exits = questions_on_exits(&program);
        Ok(program)
    }

    fn properties(&mut self, shader: &Shader) -> Result<(), Refusal> {
        for property in shader.properties() {
            let (Some(name), Some(value)) = (property.name, property.value) else { continue };
            let PropertyValue::Number(value) = value.value else { continue };
            match name.value {
                PropertyName::BlockWidth => self.block[0] = value.max(1),
                PropertyName::BlockHeight => self.block[1] = value.max(1),
                PropertyName::BlockDepth => self.block[2] = value.max(1),
                PropertyName::GeometryMaxOutputVertices => self.vertices = value,
                PropertyName::MultiplyZeroWins | PropertyName::LegacyMathRules => {
                    self.zero_wins = value != 0;
                }
                PropertyName::ControlVerticesOut => self.patch_vertices = value.clamp(1, 32),
                _ => {}
            }
        }
        Ok(())
    }

    fn declarations(&mut self, shader: &Shader) -> Result<(), Refusal> {
        self.images = DeclaredImages::all(shader);
        for declaration in shader.declarations() {
            let range = declaration.range.value;
            self.need(declaration.file.value, range.last as usize, 0)?;
            self.declared.push(declaration.clone());
            if let Some(view) = View::declared(declaration) {
                self.views.push((range.first..=range.last, view));
            }
            match declaration.file.value {
                File::ImmediateArray => {
                    self.immediate_array.extend(&declaration.initializers);
                    continue;
                }
                File::TemporaryArray => {
                    self.array(declaration)?;
                    continue;
                }
                _ => {}
            }
            let Some(semantic) = declaration.semantic else { continue };
            if (declaration.file.value, semantic.value.name) == (File::Output, SemanticName::Color)
            {
                self.colors.push((range.first..=range.last, semantic.value.index));
            }
            let list = match declaration.file.value {
                File::SystemValue => &mut self.system_values,
                File::Input => &mut self.inputs,
                _ => continue,
            };
            list.push((range.first, semantic.value.name));
        }
        Ok(())
    }

    /// Tells whether a place holds a value: of most system values only x does.
    pub(crate) fn has_meaning(&self, place: Place) -> bool {
        let own = |it: &&(u32, SemanticName)| it.0 as usize == place.index;
        match self.system_values.iter().find(own) {
            Some((_, name)) if place.file == File::SystemValue => {
                let known = tgsi::validate::components::of_system_value(*name, self.stage);
                known.0 >> place.component & 1 == 1
            }
            _ => true,
        }
    }

    /// Makes room for a historic array of temporaries.
    fn array(&mut self, declaration: &Declaration) -> Result<(), Refusal> {
        let number = declaration.dimension.flatten().map_or(0, |it| it.value.first) as usize;
        let length = declaration.range.value.last as usize + 1;
        let together: usize = self.arrays.iter().sum();
        if number >= MOST_REGISTERS || together.saturating_add(length) > MOST_REGISTERS {
            let message = format!("unsupported: more than {MOST_REGISTERS} TEMPX registers");
            return Err(refuse(0, &message));
        }
        if self.arrays.len() <= number {
            self.arrays.resize(number + 1, 0);
        }
        self.arrays[number] = self.arrays[number].max(length);
        Ok(())
    }

    /// Makes room for a register.
    fn need(&mut self, file: File, last: usize, ordinal: u32) -> Result<(), Refusal> {
        let count = match file {
            File::Temporary => &mut self.temporaries,
            File::Address => &mut self.addresses,
            File::Output => &mut self.outputs,
            File::Loop => &mut self.loops,
            _ => return Ok(()),
        };
        if last >= MOST_REGISTERS {
            let message = format!("unsupported: more than {MOST_REGISTERS} {file} registers");
            return Err(refuse(ordinal, &message));
        }
        *count = (*count).max(last + 1);
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Refusal> {
        let opcode = instruction.opcode.value;
        let (word, ordinal) = (opcode.mnemonic(), instruction.ordinal);
        let unsupported = |what: &str| Err(refuse(ordinal, &format!("unsupported: {what}")));
        if instruction.predicate.is_some() {
            return unsupported("predicates");
        }
        let row = opcode.row();
        let Some(mut action) = action(opcode) else { return unsupported(word) };
        if let (true, Action::Compute(_), Some(other)) =
            (self.zero_wins, action, operation_with_zeros(opcode.successor().unwrap_or(opcode)))
        {
            action = Action::Compute(other);
        }
        let mut precision = Precision::of(opcode, Promised::default());
        if matches!(action, Action::InterpolateOffset) && self.reads_constant(instruction) {
            // Wherever it is read, even at a place that is not a number.
            action = self::action(Opcode::INTERP_CENTROID).unwrap_or(action);
            precision = None;
        }
        let forms = Forms::of(instruction);
        if forms.any_source() && matches!(action, Action::Lookup(_) | Action::Matrix { .. }) {
            return unsupported(&format!("{word} with source forms of 2007 to 2009"));
        }
        // No component is both.
        if let Some(target) = instruction.target
            && crowded_out(row.lookup, target.value).is_some()
        {
            return unsupported(&format!("{word} of target {}", target.value));
        }
        // Old texts lack the last operand of some.
        let shorter = matches!(action, Action::Emit | Action::EndPrimitive | Action::Lookup(_));
        if instruction.destinations.len() != row.destinations
            || instruction.sources.len() != row.sources && !shorter
        {
            return unsupported(&format!("{word} with these operands"));
        }
        for (place, register) in instruction.registers().enumerate() {
            self.register(register, place < row.destinations, &action, ordinal)?;
        }
        self.ops.push(MicroOp {
            action,
            instruction: instruction.clone(),
            targets: Vec::new(),
            has_value: !instruction.sources.is_empty(),
            partner: 0,
            keeps_bits: row.destination_types.first() == Some(&ValueType::Untyped)
                || matches!(action, Action::Store | Action::Subgroup(_))
                || row.has(Flag::Unpack),
            precision,
            forms,
        });
        Ok(())
    }

    /// Tells whether the first source is an input that is the same wherever it is read.
    fn reads_constant(&self, instruction: &Instruction) -> bool {
        let Some(source) = instruction.sources.first() else { return false };
        let Register { file: File::Input, index, .. } = source.register else { return false };
        self.declared.iter().any(|declared| {
            declared.file.value == File::Input
                && declared.interpolation.is_some_and(|it| it.value == Interpolation::Constant)
                && u32::try_from(index.offset).is_ok_and(|it| declared.range.value.contains(it))
        })
    }

    /// Refuses registers that the interpreter does not have.
    fn register(
        &mut self,
        register: &Register,
        written: bool,
        action: &Action,
        ordinal: u32,
    ) -> Result<(), Refusal> {
        let file = register.file;
        let resource = matches!(
            action,
            Action::Load
                | Action::Store
                | Action::Atomic(_)
                | Action::ResourceSize
                | Action::Handle
        );
        let known = match file {
            File::Output if self.stage == Stage::TessellationControl => true,
            File::Temporary | File::Address | File::Output | File::Loop => {
                register.dimension.is_none()
            }
            File::TemporaryArray => true,
            File::Null => written,
            File::Constant | File::Input => !written,
            File::Immediate | File::ImmediateArray | File::SystemValue => {
                !written && register.dimension.is_none()
            }
            File::Resource => resource || matches!(action, Action::Lookup(_)),
            File::ConstantBuffer => matches!(action, Action::Load),
            File::Sampler | File::SamplerView => {
                matches!(action, Action::Lookup(_) | Action::Handle)
            }
            File::Buffer | File::Image | File::Memory | File::HardwareAtomic => resource,
            _ => false,
        };
        if !known {
            return Err(refuse(ordinal, &format!("unsupported: {file} here")));
        }
        if let (None, Ok(index)) = (register.index.indirect, usize::try_from(register.index.offset))
        {
            self.need(file, index, ordinal)?;
        }
        Ok(())
    }

    /// Joins what opens with what closes.
    fn join(&mut self) -> Result<(), Refusal> {
        let mut open: Vec<usize> = Vec::new();
        for place in 0..self.ops.len() {
            let ordinal = self.ops[place].instruction.ordinal;
            let unbalanced = || refuse(ordinal, "blocks do not match");
            let action = self.ops[place].action;
            match action {
                _ if action.opens_block() => {
                    open.push(place);
                    if open.len() > DEEPEST {
                        return Err(refuse(ordinal, "unsupported: blocks nested this deep"));
                    }
                }
                Action::Return if !self.ends_subroutine(place) => {}
                Action::Else
                | Action::Case
                | Action::EndIf
                | Action::EndLoop
                | Action::EndFor
                | Action::EndSwitch
                | Action::Return => {
                    let opener = open.last().copied().ok_or_else(unbalanced)?;
                    let opening = &mut self.ops[opener];
                    match (opening.action, action) {
                        (Action::IfFloat | Action::IfInteger, Action::Else)
                            if opening.partner == 0 =>
                        {
                            opening.partner = place;
                        }
                        (Action::Switch, Action::Case) => opening.targets.push(place),
                        (Action::IfFloat | Action::IfInteger, Action::EndIf)
                        | (Action::BeginLoop | Action::Repeat, Action::EndLoop)
                        | (Action::For, Action::EndFor)
                        | (Action::Switch, Action::EndSwitch)
                        | (Action::Subroutine, Action::Return) => {
                            self.ops[place].partner = opener;
                            open.pop();
                        }
                        _ => return Err(unbalanced()),
                    }
                }
                _ => {}
            }
        }
        if let Some(place) = open.pop() {
            return Err(refuse(self.ops[place].instruction.ordinal, "blocks do not match"));
        }
        for place in 0..self.ops.len() {
            let op = &self.ops[place];
            if !matches!(op.action, Action::Call) {
                continue;
            }
            let ordinal = op.instruction.ordinal;
            let target = op.instruction.label.map(|label| label.value as usize);
            let begins = |op: &MicroOp| matches!(op.action, Action::Subroutine);
            let Some(target) = target.filter(|it| self.ops.get(*it).is_some_and(begins)) else {
                return Err(refuse(ordinal, "its label names no BGNSUB"));
            };
            self.ops[place].targets.push(target);
        }
        Ok(())
    }

    /// Tells whether all of its results are exact.
    pub fn is_exact(&self) -> bool {
        self.ops.iter().all(|op| op.precision.is_none())
    }

    /// Bounds results that are not exact by another promise than that of the hardware.
    pub fn bound_by(&mut self, promised: Promised) {
        self.promised = promised;
        for op in &mut self.ops {
            let opcode = op.instruction.opcode.value;
            let usual = Precision::of(opcode, Promised::default());
            // What is exact for a reason of its own stays so.
            if op.precision.is_some() || usual.is_none() {
                op.precision = Precision::of(opcode, promised);
            }
        }
    }

    /// Lets `PK2H` round toward zero, as the hardware's instruction does and radeonsi lets it.
    pub fn round_halves_toward_zero(&mut self) {
        for op in &mut self.ops {
            if op.instruction.opcode.value == Opcode::PK2H {
                op.action = Action::Compute(PACK_HALVES_TOWARD_ZERO);
            }
        }
    }

    /// The textures that the shader looks up, by a number that stands in the text or as those that
    /// are declared like it after that number, which an index may mean: number, kind, and what the
    /// texels hold.
    pub fn textures(&self) -> Vec<(u32, Dimension, Numbers)> {
        let mut found = BTreeMap::new();
        for op in &self.ops {
            let Action::Lookup(lookup) = op.action else { continue };
            let target = lookup.target(self, &op.instruction);
            let operand = op.instruction.sources.get(lookup.texture).map(|it| it.register);
            let (Some(operand), Some(dimension)) = (operand, lookup::dimension(target)) else {
                continue;
            };
            let numbered =
                matches!(operand.file, File::Sampler | File::SamplerView | File::Resource);
            let Ok(number) = u32::try_from(operand.index.offset) else { continue };
            if !numbered {
                continue;
            }
            let numbers = self.view(number).map_or(Numbers::Float, |view| view.numbers);
            found.entry(number).or_insert((dimension, numbers));
            if operand.index.indirect.is_none() {
                continue;
            }
            for (range, view) in self.views.iter().filter(|(_, view)| view.target == target) {
                for other in range.clone().filter(|it| *it > number).take(MOST_VIEWS) {
                    found.entry(other).or_insert((dimension, view.numbers));
                }
            }
        }
        found
            .into_iter()
            .map(|(number, (dimension, numbers))| (number, dimension, numbers))
            .collect()
    }

    /// The sum of the first products of two vectors, by the shader's rule.
    pub(crate) fn dot(&self, left: &[u32; 4], right: &[u32; 4], count: usize) -> f32 {
        match self.zero_wins {
            true => products::dot::<ZeroWins>(left, right, count),
            false => products::dot::<Ieee>(left, right, count),
        }
    }

    /// Returns the declaration of an image.
    pub(crate) fn image(&self, number: u32) -> Option<&DeclaredImages> {
        self.images.iter().find(|own| own.numbers.contains(number))
    }

    /// Returns the declaration of a view or historic resource.
    pub(crate) fn view(&self, number: u32) -> Option<&View> {
        let view = self.views.iter().find(|(range, _)| range.contains(&number));
        view.map(|(_, view)| view)
    }

    pub(crate) fn ends_subroutine(&self, place: usize) -> bool {
        self.ops[place].instruction.opcode.value == Opcode::ENDSUB
    }

    /// Tells whether an instruction is the last one of a block.
    pub(crate) fn closes_block(&self, place: usize) -> bool {
        self.ends_subroutine(place)
            || matches!(
                self.ops[place].action,
                Action::EndIf | Action::EndLoop | Action::EndFor | Action::EndSwitch
            )
    }
}

fn refuse(ordinal: u32, message: &str) -> Refusal {
    Refusal { ordinal, message: message.to_owned() }
}
