//! The state of one translation: the shader, what it declares, the module being written, and the
//! instruction at hand.

use std::collections::BTreeSet;

use lower::declared::Declared;
use lower::failure::Failure;
use rustc_hash::{FxHashMap, FxHashSet};
use source::TextRange;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Register, Shader};
use tgsi::words::{File, PropertyName};

use crate::builder::{Builder, Contraction, Id};
use crate::frames::ControlFlow;
use crate::interface::Interface;
use crate::layout::Binding;
use crate::options::Options;
use crate::stages::VariableKey;
use crate::values::Value;

/// The result of emitting an instruction.
pub(crate) type Emitted<T = ()> = Result<T, Failure>;

/// One translation.
pub(crate) struct Translation<'shader> {
    pub(crate) shader: &'shader Shader,
    pub(crate) instructions: Vec<&'shader Instruction>,
    pub(crate) declared: Declared,
    pub(crate) options: &'shader Options,
    pub(crate) interface: Interface,
    pub(crate) builder: Builder,
    pub(crate) flow: ControlFlow,
    /// The opcode at hand, for failures; the stage before the first instruction.
    pub(crate) place: TextRange,
    /// The variables of the registers that are cells of their own.
    pub(crate) cells: FxHashMap<(File, u32, Component), Id>,
    /// The components of outputs that some instruction names as its target: a vertex may be emitted
    /// before the text comes to what an earlier turn of a loop wrote.
    written: FxHashSet<(u32, Component)>,
    /// The arrays of the indexed ranges, by place of the range and component.
    pub(crate) arrays: FxHashMap<(usize, Component), Id>,
    /// The inputs, outputs and resources.
    pub(crate) variables: FxHashMap<VariableKey, Id>,
    pub(crate) bindings: BTreeSet<Binding>,
    /// The resources that are accessed coherently, by binding.
    pub(crate) coherent: FxHashSet<u32>,
    /// The size of a block that the pipeline may set.
    pub(crate) block_size: Option<Value>,
    /// The reference of the alpha test, which the pipeline sets.
    pub(crate) alpha_reference: Option<Value>,
}

impl<'shader> Translation<'shader> {
    /// Begins a translation. `declared` must come from the same shader.
    pub(crate) fn new(
        shader: &'shader Shader,
        declared: Declared,
        options: &'shader Options,
    ) -> Translation<'shader> {
        let mut builder = Builder::new();
        builder.exact = options.contraction == Contraction::Forbidden;
        builder.zero_wins = [PropertyName::MultiplyZeroWins, PropertyName::LegacyMathRules]
            .into_iter()
            .any(|name| declared.property(name).is_some_and(|value| value != 0));
        let all = shader.instructions().flat_map(|it| &it.destinations);
        let outputs = all.filter(|it| it.register.file == File::Output);
        let written = outputs.filter_map(|it| Some((it.register.number()?, it.mask)));
        let written = written.flat_map(|(register, mask)| {
            mask.components().map(move |component| (register, component)).collect::<Vec<_>>()
        });
        let written = written.collect();
        let interface = options.interface.clone().unwrap_or_else(|| Interface::of(&[shader]));
        Translation {
            shader,
            instructions: shader.instructions().collect(),
            declared,
            options,
            interface,
            builder,
            flow: ControlFlow::default(),
            place: shader.stage.range,
            cells: FxHashMap::default(),
            written,
            arrays: FxHashMap::default(),
            variables: FxHashMap::default(),
            bindings: BTreeSet::new(),
            coherent: FxHashSet::default(),
            block_size: None,
            alpha_reference: None,
        }
    }

    /// The stage of the shader.
    pub(crate) fn stage(&self) -> Stage {
        self.shader.stage.value
    }

    /// Tells whether some instruction may write a component of an output. At the end of the text
    /// what is written has a cell; before it, where vertices are emitted, more may get one.
    pub(crate) fn is_written(&self, register: u32, component: Component) -> bool {
        self.declared.indexed_range(File::Output, register).is_some()
            || self.cells.contains_key(&(File::Output, register, component))
            || (self.stage() == Stage::Geometry && self.written.contains(&(register, component)))
    }

    /// Begins an instruction.
    pub(crate) fn begin_instruction(&mut self, instruction: &Instruction) {
        self.place = instruction.opcode.range;
        self.builder.set_line(self.line(instruction));
        let forbidden = self.options.contraction == Contraction::Forbidden;
        self.builder.exact = forbidden || instruction.precise;
    }

    /// The line of an instruction: its ordinal, where no other was asked for.
    fn line(&self, instruction: &Instruction) -> u32 {
        let ordinal = instruction.ordinal;
        let lines = self.options.lines.as_ref();
        let line = lines.and_then(|lines| lines.get(ordinal as usize - 1)).copied();
        line.unwrap_or(ordinal)
    }

    /// Goes on at the last instruction that writes one of some outputs, or at none.
    pub(crate) fn begin_at_writer(&mut self, registers: &[Option<u32>]) {
        let writes = |register: &Register| {
            register.file == File::Output && registers.contains(&register.number())
        };
        let mut all = self.instructions.iter().rev();
        let last = all.find(|it| it.destinations.iter().any(|it| writes(&it.register)));
        self.builder.set_line(last.map_or(0, |last| self.line(last)));
    }

    /// The value of a numeric property; 0 without it.
    pub(crate) fn property(&self, name: PropertyName) -> u32 {
        self.declared.property(name).unwrap_or(0)
    }
}
