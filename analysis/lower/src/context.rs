//! The state of one lowering: the shader, what it declares, the function
//! being written, and where control flow stands.

use std::collections::{BTreeSet, HashMap};

use text::TextRange;
use tgsi::Stage;
use tgsi::ast::{Component, Instruction, Shader};
use tgsi::words::{File, InterpolationLocation};

use crate::builder::{Block, Builder};
use crate::control_flow::ControlFlow;
use crate::declared::Declared;
use crate::entry::{FIRST_BUFFERS, FIRST_IMAGES};
use crate::environment::Environment;
use crate::geometry::Stream;
use crate::tessellation_control::ControlOutputs;
use crate::values::{Type, Value};
use crate::{Failure, Generation};

/// The result of emitting an instruction.
pub(crate) type Emitted<T = ()> = Result<T, Failure>;

/// One lowering.
pub(crate) struct Lowering<'shader> {
    pub(crate) shader: &'shader Shader,
    pub(crate) builder: Builder,
    pub(crate) instructions: Vec<&'shader Instruction>,
    pub(crate) declared: Declared,
    pub(crate) environment: Environment,
    pub(crate) generation: Generation,
    pub(crate) stage: Stage,
    /// The instruction being lowered.
    pub(crate) place: TextRange,
    pub(crate) flow: ControlFlow,
    /// Set where killed lanes must go on computing for their neighbours' derivatives.
    pub(crate) demote_on_kill: bool,
    /// The registers that are cells of their own.
    pub(crate) cells: HashMap<(File, u32, Component), Value>,
    /// The arrays of the indexed ranges, by place of the range and component.
    pub(crate) arrays: HashMap<(usize, Component), Value>,
    pub(crate) constant_descriptors: HashMap<u32, Value>,
    /// The barycentric coordinates in use, by what is interpolated.
    pub(crate) barycentrics: HashMap<(&'static str, InterpolationLocation), [Value; 2]>,
    /// The attributes fetched for the instruction at hand.
    pub(crate) vectors: HashMap<u32, Value>,
    /// The instruction at hand, if its operands have forms of the first years.
    pub(crate) historic: Option<&'shader Instruction>,
    /// The components that the instruction at hand may write; `None` if all.
    pub(crate) write_conditions: Option<[Value; 4]>,
    /// The factor that the result of the instruction at hand is multiplied by.
    pub(crate) result_factor: Option<f32>,
    /// The registers of the stack and its height.
    pub(crate) stack: Option<[Value; 2]>,
    /// Arguments that the function has only where they are used.
    pub(crate) used_arguments: BTreeSet<&'static str>,
    /// Set where memory is used that the lanes of a group share.
    pub(crate) uses_shared_memory: bool,
    /// Descriptors of the memory between stages that are in use.
    pub(crate) buffers: HashMap<&'static str, Value>,
    /// The vertex streams that a geometry shader emits to.
    pub(crate) streams: [Option<Stream>; 4],
    /// The places of a control shader's outputs.
    pub(crate) control: ControlOutputs,
    /// Arguments that the hardware may put into other registers, as they are.
    pub(crate) mended_arguments: HashMap<&'static str, Value>,
    /// The stage of the other shader where two are lowered to one program.
    pub(crate) other_half: Option<Stage>,
    /// The block that the lanes of the other half of the program jump to.
    pub(crate) behind_half: Option<Block>,
}

impl<'shader> Lowering<'shader> {
    /// Begins a lowering. `declared` must come from the same shader.
    pub(crate) fn new(
        shader: &'shader Shader,
        declared: Declared,
        generation: Generation,
        environment: Environment,
        builder: Builder,
    ) -> Lowering<'shader> {
        let instructions: Vec<&Instruction> = shader.instructions().collect();
        let demote_on_kill = crate::fragment::needs_helpers_after_kill(&instructions)
            || environment.polygon_stipple && crate::fragment::takes_derivatives(&instructions);
        Lowering {
            shader,
            builder,
            instructions,
            declared,
            environment,
            generation,
            stage: shader.stage.value,
            place: shader.stage.range,
            flow: ControlFlow::default(),
            demote_on_kill,
            cells: HashMap::new(),
            arrays: HashMap::new(),
            constant_descriptors: HashMap::new(),
            barycentrics: HashMap::new(),
            vectors: HashMap::new(),
            historic: None,
            write_conditions: None,
            result_factor: None,
            stack: None,
            used_arguments: BTreeSet::new(),
            uses_shared_memory: false,
            buffers: HashMap::new(),
            streams: [None; 4],
            control: ControlOutputs::default(),
            mended_arguments: HashMap::new(),
            other_half: None,
            behind_half: None,
        }
    }

    /// A pointer argument: one of the lists of descriptors.
    pub(crate) fn list(&self, name: &'static str) -> Value {
        Value::argument(Type::ConstantPointer, self.list_name(name))
    }

    /// The argument that a list comes in.
    pub(crate) fn list_name(&self, name: &'static str) -> &'static str {
        match name {
            "const_and_shader_buffers" if self.is_first_of_two() => FIRST_BUFFERS,
            "samplers_and_images" if self.is_first_of_two() => FIRST_IMAGES,
            name => name,
        }
    }

    /// An integer argument, or what stands for it.
    pub(crate) fn integer_argument(&self, name: &'static str) -> Value {
        match self.mended_arguments.get(name) {
            Some(value) => *value,
            None => Value::argument(Type::I32, name),
        }
    }

    /// A float argument.
    pub(crate) fn float_argument(&self, name: &'static str) -> Value {
        Value::argument(Type::F32, name)
    }
}
