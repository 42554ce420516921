//! Rules over the whole of an instruction.

use isa::gcn::OpGroup;

use super::encode::Assembly;
use super::form::Check;
use super::modifier::cache;
use super::parse::{Parsed, Value};
use super::register::{Register, code};
use crate::codes;
use crate::encoding::Extension;

/// A broken rule: its code, the operand to blame, the message.
pub(crate) type Broken = (source::Code, usize, String);

/// Checks what looks at more than one operand.
pub(crate) fn check(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    match assembly.form.check {
        Check::None | Check::Scalar | Check::Export => Ok(()),
        Check::Vector => vector(assembly, operands),
        Check::Image => super::image::check(assembly, operands),
        Check::Matrix => sums(operands),
        Check::Returns(returns) => returns_value(assembly, operands, returns),
    }
}

fn vector(assembly: &Assembly<'_>, operands: &[Parsed]) -> Result<(), Broken> {
    constant_bus(assembly)?;
    let Assembly { form, target, .. } = assembly;
    // The reversed operations have no path from the local data share.
    let is_direct = |it: &Parsed| it.register().is_some_and(Register::is_lds_direct);
    let from_lds = operands.iter().position(is_direct);
    if let Some(index) = from_lds
        && (form.opcode().group() == Some(OpGroup::Reversed) || form.extension != Extension::None)
    {
        let message = format!("`{}` cannot take its source from the local data share", form.name());
        return Err((codes::OPERAND, index, message));
    }
    if target.generation() <= crate::Generation::Gfx7
        && let Some(index) = clamp_of(operands)
        && !form.float_result
    {
        let message = format!("{} cannot clamp an integer result", target.processor());
        return Err((codes::MODIFIER, index, message));
    }
    Ok(())
}

/// The path from the scalar registers to the vector units carries one value.
pub(crate) fn constant_bus(assembly: &Assembly<'_>) -> Result<(), Broken> {
    let form = assembly.form;
    let mut reads = assembly.scalars;
    if form.reads_vcc {
        reads.add_implicit(Register::scalar(code::VCC, 2));
    }
    if form.flags().reads_m0() {
        reads.add_implicit(Register::scalar(code::M0, 1));
    }
    let scalars = reads.count();
    let literals = usize::from(assembly.literal.is_some());
    if scalars + literals > 1 {
        let blamed = usize::from(assembly.scalars.last_operand);
        let message = format!(
            "a vector instruction reads at most one scalar register or literal; \
             `{}` would read {}",
            form.name(),
            scalars + literals,
        );
        return Err((codes::CONSTANT_BUS, blamed, message));
    }
    Ok(())
}

fn clamp_of(operands: &[Parsed]) -> Option<usize> {
    operands.iter().position(|it| it.value.flag(super::modifier::Flag::Clamp) == Some(true))
}

/// The sum may come from where it goes, but not from a part of it.
fn sums(operands: &[Parsed]) -> Result<(), Broken> {
    let register = |index: usize| operands.get(index)?.register();
    let (Some(to), Some(from)) = (register(0), register(3)) else { return Ok(()) };
    let apart = to.first.abs_diff(from.first);
    if to.dwords > 4 && apart != 0 && apart < u16::from(to.dwords) {
        let message = "the sum must come from the very registers it goes to, or from others";
        return Err((codes::OPERAND, 3, message.to_owned()));
    }
    Ok(())
}

fn returns_value(
    assembly: &Assembly<'_>,
    operands: &[Parsed],
    returns: bool,
) -> Result<(), Broken> {
    let word = assembly.form.returning_word();
    let bit = cache::ALL.iter().find(|it| it.0 == word).map_or(0, |it| it.1);
    let asks = |it: &Parsed| matches!(it.value, Value::CachePolicy(bits) if bits & bit != 0);
    match (operands.iter().position(asks), returns) {
        (None, true) => Err((
            codes::MODIFIER,
            0,
            format!("with a result register, `{word}` must ask for the value that was there"),
        )),
        (Some(index), false) => Err((
            codes::MODIFIER,
            index,
            format!("`{word}` asks for the value that was there, but no register takes it"),
        )),
        _ => Ok(()),
    }
}
