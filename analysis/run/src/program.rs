//! A shader made ready: every opcode resolved, every block joined to its end,
//! everything that is not executed refused.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;
use texture::{Dimension, Numbers};
use tgsi::Stage;
use tgsi::ast::{Instruction, PropertyValue, Register, SamplerViewType, Shader, StatementKind};
use tgsi::words::{File, PropertyName, ReturnType, SemanticName};

use crate::access::Atomic;
use crate::lookup::{self, Lookup};
use crate::operation::{Operation, operation};

/// Why a program is not executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The instruction that is the reason, from 1; 0 where it is not one.
    pub ordinal: u32,
    /// The reason, such as `unsupported: CLOCK`.
    pub message: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// What an instruction does.
#[derive(Clone, Copy)]
pub(crate) enum Action {
    Compute(Operation),
    /// Subtrahend and minuend lane of every lane.
    Derivative([[usize; 4]; 2]),
    Lookup(Lookup),
    Load,
    Store,
    Atomic(Atomic),
    ResourceSize,
    IfFloat,
    IfInteger,
    Else,
    EndIf,
    BeginLoop,
    EndLoop,
    Switch,
    Case,
    EndSwitch,
    Break,
    Continue,
    Call,
    Return,
    /// The first instruction of a subroutine; to run into it ends the program.
    Subroutine,
    Kill,
    KillIf,
    Emit,
    EndPrimitive,
    Barrier,
    End,
    Nothing,
}

/// One instruction, ready to run.
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) instruction: Instruction,
    /// `SWITCH`: the places of its cases. `CAL`: the place of its subroutine.
    pub(crate) targets: Vec<usize>,
    /// Of `CASE` and `DEFAULT`: whether there is a value.
    pub(crate) has_value: bool,
    /// Of loops: the place of the beginning.
    pub(crate) partner: usize,
}

/// A shader that can be executed.
pub struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) immediates: Vec<[u32; 4]>,
    pub(crate) temporaries: usize,
    pub(crate) addresses: usize,
    pub(crate) outputs: usize,
    /// `GS_MAX_OUTPUT_VERTICES`.
    pub(crate) vertices: u32,
    /// The stage.
    pub stage: Stage,
    /// The fixed size of a thread group, 1 where not said.
    pub block: [u32; 3],
    /// Which system value each `SV` register holds.
    pub system_values: Vec<(u32, SemanticName)>,
    /// The registers that are declared as position or face of a fragment.
    pub inputs: Vec<(u32, SemanticName)>,
    /// The sampler views that are declared.
    pub(crate) views: Vec<(RangeInclusive<u32>, SamplerViewType)>,
}

/// Registers of one file, at most: as many as Mesa's interpreter has.
const MOST_REGISTERS: usize = 4096;
/// Blocks within blocks, at most.
const DEEPEST: usize = 256;

impl Program {
    /// Makes a shader ready.
    ///
    /// # Errors
    /// Says which instruction is not executed, or that blocks do not match.
    pub fn prepare(shader: &Shader) -> Result<Program, Refusal> {
        let stage = shader.stage.value;
        if stage == Stage::TessellationControl {
            // Its outputs belong to the patch, not to a lane.
            return Err(refuse(0, &format!("unsupported: {stage}")));
        }
        let mut program = Program {
            steps: Vec::new(),
            immediates: shader.immediates().map(|immediate| immediate.bits).collect(),
            temporaries: 0,
            addresses: 0,
            outputs: 0,
            vertices: u32::MAX,
            stage,
            block: [1; 3],
            system_values: Vec::new(),
            inputs: Vec::new(),
            views: Vec::new(),
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
                PropertyName::MultiplyZeroWins | PropertyName::LegacyMathRules if value != 0 => {
                    return Err(refuse(0, &format!("unsupported: {}", name.value)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn declarations(&mut self, shader: &Shader) -> Result<(), Refusal> {
        for declaration in shader.declarations() {
            let range = declaration.range.value;
            self.need(declaration.file.value, range.last as usize, 0)?;
            if let Some(view) = declaration.sampler_view {
                self.views.push((range.first..=range.last, view));
            }
            let Some(semantic) = declaration.semantic else { continue };
            let list = match declaration.file.value {
                File::SystemValue => &mut self.system_values,
                File::Input => &mut self.inputs,
                _ => continue,
            };
            list.push((range.first, semantic.value.name));
        }
        Ok(())
    }

    /// Makes room for a register.
    fn need(&mut self, file: File, last: usize, ordinal: u32) -> Result<(), Refusal> {
        let count = match file {
            File::Temporary => &mut self.temporaries,
            File::Address => &mut self.addresses,
            File::Output => &mut self.outputs,
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
        if !instruction.historic.is_empty() || instruction.signed_saturate {
            return unsupported("operand forms of 2007 to 2009");
        }
        let row = opcode.row();
        let Some(action) = action(instruction) else { return unsupported(word) };
        let shorter = matches!(action, Action::Emit | Action::EndPrimitive);
        if instruction.destinations.len() != row.destinations
            || instruction.sources.len() != row.sources && !shorter
        {
            return unsupported(&format!("{word} with these operands"));
        }
        let destinations = instruction.destinations.iter().map(|it| (&it.register, true));
        let sources = instruction.sources.iter().map(|it| (&it.register, false));
        for (register, written) in destinations.chain(sources) {
            self.register(register, written, &action, ordinal)?;
        }
        self.steps.push(Step {
            action,
            instruction: instruction.clone(),
            targets: Vec::new(),
            has_value: !instruction.sources.is_empty(),
            partner: 0,
        });
        Ok(())
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
            Action::Load | Action::Store | Action::Atomic(_) | Action::ResourceSize
        );
        let known = match file {
            File::Temporary | File::Address | File::Output => register.dimension.is_none(),
            File::Null => written,
            File::Constant | File::Input => !written,
            File::Immediate | File::SystemValue => !written && register.dimension.is_none(),
            File::Sampler | File::SamplerView | File::Resource => {
                matches!(action, Action::Lookup(_))
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
        let mut subroutines: FxHashMap<usize, ()> = FxHashMap::default();
        for place in 0..self.steps.len() {
            let ordinal = self.steps[place].instruction.ordinal;
            let unbalanced = || refuse(ordinal, "blocks do not match");
            let innermost = |open: &[usize]| open.last().copied().ok_or_else(unbalanced);
            match self.steps[place].action {
                Action::IfFloat
                | Action::IfInteger
                | Action::BeginLoop
                | Action::Switch
                | Action::Subroutine => {
                    if matches!(self.steps[place].action, Action::Subroutine) {
                        subroutines.insert(place, ());
                    }
                    open.push(place);
                    if open.len() > DEEPEST {
                        return Err(refuse(ordinal, "unsupported: blocks nested this deep"));
                    }
                }
                Action::Else => {
                    let opener = innermost(&open)?;
                    if !matches!(self.steps[opener].action, Action::IfFloat | Action::IfInteger)
                        || self.steps[opener].partner != 0
                    {
                        return Err(unbalanced());
                    }
                    self.steps[opener].partner = place;
                }
                Action::Case => {
                    let opener = innermost(&open)?;
                    if !matches!(self.steps[opener].action, Action::Switch) {
                        return Err(unbalanced());
                    }
                    self.steps[opener].targets.push(place);
                }
                Action::EndIf | Action::EndLoop | Action::EndSwitch => {
                    let opener = innermost(&open)?;
                    let matching = match self.steps[place].action {
                        Action::EndIf => {
                            matches!(self.steps[opener].action, Action::IfFloat | Action::IfInteger)
                        }
                        Action::EndLoop => matches!(self.steps[opener].action, Action::BeginLoop),
                        _ => matches!(self.steps[opener].action, Action::Switch),
                    };
                    if !matching {
                        return Err(unbalanced());
                    }
                    self.steps[place].partner = opener;
                    open.pop();
                }
                Action::Return if self.ends_subroutine(place) => {
                    let opener = innermost(&open)?;
                    if !matches!(self.steps[opener].action, Action::Subroutine) {
                        return Err(unbalanced());
                    }
                    open.pop();
                }
                _ => {}
            }
        }
        if let Some(place) = open.pop() {
            return Err(refuse(self.steps[place].instruction.ordinal, "blocks do not match"));
        }
        for place in 0..self.steps.len() {
            let step = &self.steps[place];
            if !matches!(step.action, Action::Call) {
                continue;
            }
            let ordinal = step.instruction.ordinal;
            let target = step.instruction.label.map(|label| label.value as usize);
            let Some(target) = target.filter(|target| subroutines.contains_key(target)) else {
                return Err(refuse(ordinal, "its label names no BGNSUB"));
            };
            self.steps[place].targets.push(target);
        }
        Ok(())
    }

    /// The textures that the shader looks up by a number that stands in the
    /// text: number, kind, and what the texels hold.
    pub fn textures(&self) -> Vec<(u32, Dimension, Numbers)> {
        let mut found = BTreeMap::new();
        for step in &self.steps {
            let Action::Lookup(lookup) = step.action else { continue };
            let target = lookup.target(self, &step.instruction);
            let operand = step.instruction.sources.get(lookup.texture).map(|it| it.register);
            let (Some(operand), Some(dimension)) = (operand, lookup::dimension(target)) else {
                continue;
            };
            let numbered =
                matches!(operand.file, File::Sampler | File::SamplerView | File::Resource);
            let Ok(number) = u32::try_from(operand.index.offset) else { continue };
            if !numbered {
                continue;
            }
            let view = self.views.iter().find(|(range, _)| range.contains(&number));
            let numbers = match view.map(|(_, view)| view.returns[0]) {
                Some(ReturnType::Sint) => Numbers::Signed,
                Some(ReturnType::Uint) => Numbers::Unsigned,
                Some(ReturnType::Unorm) => Numbers::Normalized,
                _ => Numbers::Float,
            };
            found.entry(number).or_insert((dimension, numbers));
        }
        found
            .into_iter()
            .map(|(number, (dimension, numbers))| (number, dimension, numbers))
            .collect()
    }

    fn ends_subroutine(&self, place: usize) -> bool {
        self.steps[place].instruction.opcode.value.mnemonic() == "ENDSUB"
    }
}

fn refuse(ordinal: u32, message: &str) -> Refusal {
    Refusal { ordinal, message: message.to_owned() }
}

/// What an opcode does; `None` where it is not executed.
fn action(instruction: &Instruction) -> Option<Action> {
    let opcode = instruction.opcode.value;
    if let Some(operation) = operation(opcode) {
        return Some(Action::Compute(operation));
    }
    let word = opcode.mnemonic();
    if let Some(lookup) = Lookup::find(word) {
        return Some(Action::Lookup(lookup));
    }
    if let Some(atomic) = Atomic::find(word) {
        return Some(Action::Atomic(atomic));
    }
    Some(match word {
        // Coarse derivatives are those of the first row and column.
        "DDX" => Action::Derivative([[0; 4], [1; 4]]),
        "DDY" => Action::Derivative([[0; 4], [2; 4]]),
        "DDX_FINE" => Action::Derivative([[0, 0, 2, 2], [1, 1, 3, 3]]),
        "DDY_FINE" => Action::Derivative([[0, 1, 0, 1], [2, 3, 2, 3]]),
        "LOAD" => Action::Load,
        "STORE" => Action::Store,
        "RESQ" => Action::ResourceSize,
        "IF" => Action::IfFloat,
        "UIF" => Action::IfInteger,
        "ELSE" => Action::Else,
        "ENDIF" => Action::EndIf,
        "BGNLOOP" => Action::BeginLoop,
        "ENDLOOP" => Action::EndLoop,
        "SWITCH" => Action::Switch,
        "CASE" | "DEFAULT" => Action::Case,
        "ENDSWITCH" => Action::EndSwitch,
        "BRK" | "BREAK" => Action::Break,
        "CONT" => Action::Continue,
        "CAL" | "CALL" => Action::Call,
        "RET" | "ENDSUB" => Action::Return,
        "BGNSUB" => Action::Subroutine,
        "KILL" | "KILP" | "DEMOTE" => Action::Kill,
        "KILL_IF" | "KIL" | "TEXKILL" => Action::KillIf,
        "EMIT" => Action::Emit,
        "ENDPRIM" => Action::EndPrimitive,
        "BARRIER" => Action::Barrier,
        "MEMBAR" | "NOP" => Action::Nothing,
        "END" => Action::End,
        _ => return None,
    })
}
