//! TGSI to LLVM IR: a pure function from a shader to a text.
//!
//! The IR follows the ABI that Mesa's radeonsi gave its shaders while it
//! compiled TGSI itself, as one monolithic function per shader. Where the
//! hardware runs two stages as one program it is that program if both shaders are
//! given (`merged.rs`), else one half of it; a geometry shader has a second
//! program (`geometry_copy.rs`), which the environment chooses. What lies between
//! stages is in `slots.rs`, `handover.rs`, `geometry.rs` and the
//! `tessellation*.rs`. Debug lines are instruction ordinals, from 1; line 0 is
//! LLVM's own "shared by several".

mod abi;
mod alu_float;
mod alu_integer;
mod alu_wide;
mod atomic;
mod builder;
mod compute;
mod constants;
mod context;
mod control_flow;
mod conversions;
mod coordinates;
mod declared;
mod derivatives;
mod dispatch;
mod entry;
pub mod environment;
pub mod environment_keys;
mod environment_values;
mod exports;
mod fragment;
mod fragment_exports;
mod fragment_state;
mod gather;
mod geometry;
mod geometry_copy;
mod handover;
mod historic;
mod image_call;
pub mod internal_buffers;
mod intrinsics;
mod lanes;
mod line;
mod memory;
mod merged;
mod module;
mod refusal;
mod registers;
mod sample;
mod shared;
mod slots;
mod stream_output;
mod system_values;
mod tessellation;
mod tessellation_control;
mod tessellation_evaluation;
mod texture;
mod texture_query;
mod values;
mod vertex;
mod vertex_formats;

#[cfg(test)]
mod tests;

use text::TextRange;
use tgsi::ast::Shader;
use tgsi::words::{PropertyName, Stage};
use tgsi::{Opcode, ast::StatementKind};

pub use abi::{Bank, Content, EntryPoint, Parameter};
pub use environment::Environment;
pub use exports::is_parameter;
pub use intrinsics::{INTRINSICS, intrinsic_allowed};
pub use isa::gcn::Generation;
pub use merged::{lower_merged, merges};
pub use refusal::refusal;
pub use slots::Slot;
pub use stream_output::{Captured, StreamOutput};
pub use tessellation_control::offchip_bytes;
pub use vertex_formats::VertexFormat;

use builder::Builder;
use context::Lowering;
use declared::Declared;
pub use entry::Half;
use entry::HardwareStage;

/// A lowered shader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Module {
    /// The IR as text, without target triple and data layout.
    pub ir: String,
    /// The number of TGSI instructions that it was made from; bounds the compile time.
    pub instructions: u32,
    /// The part that it is of a program of two stages; `None` if it is a whole program.
    pub half: Option<Half>,
    /// The ABI of its function: convention and parameters.
    pub entry: EntryPoint,
}

/// The reason why a shader, or a part of it, was not lowered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The place in the shader's text.
    pub range: TextRange,
    /// `opcode FOO`, `stage GEOM`, `file BUFFER`: what stands in the way.
    pub construct: String,
    /// Tells the fault of the shader from a limit of the compiler.
    pub kind: FailureKind,
    /// One sentence for the user.
    pub message: String,
}

/// The sides that can be at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// Valid TGSI that Tungsten does not compile yet.
    Unsupported,
    /// The shader has an error that leaves nothing to compile.
    Invalid,
}

/// The most instructions that radeonsi accepted; LLVM takes seconds for them.
const MOST_INSTRUCTIONS: usize = 16384;

/// A construct that is not lowered yet.
fn unsupported(range: TextRange, construct: String) -> Failure {
    let named = construct.strip_prefix("opcode ").unwrap_or(&construct);
    let message = format!("not compiled yet: {named}");
    Failure { range, construct, kind: FailureKind::Unsupported, message }
}

/// A construct that means nothing.
fn invalid(range: TextRange, construct: &str, message: String) -> Failure {
    Failure { range, construct: construct.to_owned(), kind: FailureKind::Invalid, message }
}

/// Tells whether an opcode is lowered in at least some of its forms.
pub fn supported(opcode: Opcode) -> bool {
    dispatch::emitter(opcode).is_some()
}

/// Lowers a shader for a generation, in the default environment.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn lower(shader: &Shader, generation: Generation) -> Result<Module, Vec<Failure>> {
    lower_for(shader, generation, Environment::default())
}

/// Lowers a shader for a generation and the state it is used with.
///
/// # Errors
/// Every construct that stands in the way, in order of the text.
pub fn lower_for(
    shader: &Shader,
    generation: Generation,
    environment: Environment,
) -> Result<Module, Vec<Failure>> {
    let lowering = run(shader, generation, environment, Builder::default())?;
    let entry = lowering.entry_point();
    let instructions = lowering.instructions.len() as u32;
    let half = lowering.half();
    let written = lowering.builder.finish();
    let ir = module::assemble(&entry, &written);
    Ok(Module { ir, instructions, half, entry: entry.point })
}

/// Returns the failures that [`lower`] would return, without the cost of the text: fit to be
/// asked at every keystroke.
pub fn check(shader: &Shader, generation: Generation) -> Vec<Failure> {
    check_for(shader, generation, Environment::default())
}

/// As [`check`], for the state that a shader is used with.
pub fn check_for(
    shader: &Shader,
    generation: Generation,
    environment: Environment,
) -> Vec<Failure> {
    run(shader, generation, environment, Builder::silent()).err().unwrap_or_default()
}

/// Lowers a shader with a builder, which may be a silent one.
fn run<'a>(
    shader: &'a Shader,
    generation: Generation,
    environment: Environment,
    builder: Builder,
) -> Result<Lowering<'a>, Vec<Failure>> {
    let mut failures = broken_statements(shader);
    if !failures.is_empty() {
        return Err(failures);
    }
    let declared = Declared::gather(shader, &mut failures);
    let mut lowering = Lowering::new(shader, declared, generation, environment, builder);
    lower_whole(&mut lowering, failures)?;
    Ok(lowering)
}

/// Lowers a shader whose statements are whole, with what was found in its
/// declarations.
fn lower_whole(
    lowering: &mut Lowering<'_>,
    mut failures: Vec<Failure>,
) -> Result<(), Vec<Failure>> {
    let shader = lowering.shader;
    if let Some(beyond) = lowering.instructions.get(MOST_INSTRUCTIONS) {
        let construct = format!("more than {MOST_INSTRUCTIONS} instructions");
        return Err(vec![unsupported(beyond.opcode.range, construct)]);
    }
    failures.extend(refused_properties(shader));
    failures.extend(lowering.program());
    if !failures.is_empty() {
        failures.sort_by_key(|failure| (failure.range.start(), failure.range.end()));
        failures.dedup();
        return Err(failures);
    }
    Ok(())
}

/// Statements with an error say too little to be lowered.
fn broken_statements(shader: &Shader) -> Vec<Failure> {
    let broken = |statement: &tgsi::ast::Statement| {
        (statement.broken || matches!(statement.kind, StatementKind::Unknown)).then(|| {
            let message = "this statement has an error".to_owned();
            invalid(statement.range, "statement", message)
        })
    };
    shader.statements.iter().filter_map(broken).collect()
}

/// Properties that change the machine code in ways not modelled.
fn refused_properties(shader: &Shader) -> Vec<Failure> {
    let refused = |property: &tgsi::ast::Property| {
        let name = property.name?;
        (name.value == PropertyName::BlitSgprs)
            .then(|| unsupported(name.range, format!("property {}", name.value)))
    };
    shader.properties().filter_map(refused).collect()
}

impl Lowering<'_> {
    /// Emits the beginning of a stage, before the main program; returns the failures that it finds.
    fn prepare_stage(&mut self) -> Vec<Failure> {
        self.begin_half();
        match self.stage {
            Stage::Geometry => self.geometry_failures(),
            Stage::Fragment => {
                self.discard_holes();
                Vec::new()
            }
            Stage::TessellationControl => {
                self.prepare_control();
                self.control_failures()
            }
            _ => Vec::new(),
        }
    }

    /// Emits the end of a stage, which hands the outputs on; returns the failures that it finds.
    fn hand_on(&mut self) -> Vec<Failure> {
        match self.hardware_stage() {
            HardwareStage::Pixel => return self.export_fragment(),
            HardwareStage::Vertex => {
                self.capture_stream(0);
                return self.export_vertex();
            }
            HardwareStage::Local | HardwareStage::Export => self.hand_over(),
            HardwareStage::Hull => return self.finish_control().err().into_iter().collect(),
            HardwareStage::Geometry => self.finish_geometry(),
            HardwareStage::Compute => {}
        }
        Vec::new()
    }

    /// Lowers the main program and what follows it.
    fn program(&mut self) -> Vec<Failure> {
        let mut failures = self.prepare_stage();
        if self.is_copy() {
            failures.extend(self.copy_emitted());
            self.builder.end();
            return failures;
        }
        let instructions = std::mem::take(&mut self.instructions);
        self.flow.prepare(&instructions);
        self.instructions = instructions;
        self.builder.zero_wins = [PropertyName::MultiplyZeroWins, PropertyName::LegacyMathRules]
            .into_iter()
            .any(|name| self.declared.property(name).is_some_and(|value| value != 0));
        let mut budget = MOST_INSTRUCTIONS * 2;
        while let Some(instruction) = self.instructions.get(self.flow.next).copied() {
            self.flow.next += 1;
            self.vectors.clear();
            self.place = instruction.opcode.range;
            self.builder.set_line(instruction.ordinal);
            self.historic = (!instruction.historic.is_empty()).then_some(instruction);
            if let Err(failure) = self.instruction(instruction) {
                failures.push(failure);
            }
            if self.flow.ended() {
                break;
            }
            budget -= 1;
            if budget == 0 {
                let construct = "calls that repeat too many instructions".to_owned();
                failures.push(unsupported(instruction.opcode.range, construct));
                return failures;
            }
        }
        failures.extend(self.close());
        failures.extend(self.hand_on());
        self.end_half();
        failures
    }
}
