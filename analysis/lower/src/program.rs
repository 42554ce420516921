//! The lowering of a whole shader: checks, the main program, and what follows it.

use isa::gcn::Generation;
use tgsi::ast::{Shader, StatementKind};
use tgsi::words::PropertyName;

use crate::builder::Builder;
use crate::context::Lowering;
use crate::declared::Declared;
use crate::environment::Environment;
use crate::failure::{Failure, invalid, unsupported};

/// The most instructions that radeonsi accepted; LLVM takes seconds for them.
const MOST_INSTRUCTIONS: usize = 16384;

/// Lowers a shader with a builder, which may be a silent one.
pub(crate) fn run<'a>(
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
pub(crate) fn lower_whole(
    lowering: &mut Lowering<'_>,
    failures: Vec<Failure>,
) -> Result<(), Vec<Failure>> {
    // What uses a declaration that cannot be lowered would only say so again.
    if !failures.is_empty() {
        return Err(failures);
    }
    let shader = lowering.shader;
    if let Some(beyond) = lowering.instructions.get(MOST_INSTRUCTIONS) {
        let construct = format!("more than {MOST_INSTRUCTIONS} instructions");
        return Err(vec![unsupported(beyond.opcode.range, construct)]);
    }
    let mut failures = refused_properties(shader);
    failures.extend(lowering.program());
    if !failures.is_empty() {
        failures.sort_by_key(|failure| (failure.range.start(), failure.range.end()));
        failures.dedup();
        return Err(failures);
    }
    Ok(())
}

/// Statements with an error say too little to be lowered.
pub fn broken_statements(shader: &Shader) -> Vec<Failure> {
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
    /// Lowers the main program and what follows it.
    fn program(&mut self) -> Vec<Failure> {
        let behind_half = self.begin_half();
        let mut failures = self.prepare_stage();
        if self.is_copy() {
            self.copy_emitted();
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
            self.begin_instruction(instruction);
            if let Err(failure) = self.instruction(instruction) {
                failures.push(failure);
            }
            if self.flow.ended {
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
        failures.extend(self.finish_stage());
        self.end_half(behind_half);
        failures
    }
}
