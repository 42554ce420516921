//! Types of operands and results.

use std::collections::BTreeMap;

use spirv::words::Op;

use super::{Instruction, definitions};

/// Checks the types of every instruction whose rule is simple to say.
pub(super) fn check(instructions: &[Instruction]) -> Result<(), String> {
    let known = definitions(instructions);
    for instruction in instructions {
        if !fits(instruction, &known).unwrap_or(false) {
            let (op, result) = (instruction.op, instruction.result.unwrap_or(0));
            return Err(format!("the types of {op:?} of %{result}: {:?}", instruction.ids));
        }
    }
    Ok(())
}

/// Tells whether the types fit; `None` where an operand has none.
fn fits(instruction: &Instruction, known: &BTreeMap<u32, &Instruction>) -> Option<bool> {
    let of = |place: usize| known.get(instruction.ids.get(place)?)?.ty;
    let is = |ty: u32, op: Op| known.get(&ty).is_some_and(|it| it.op == op);
    // The type of numbers in a vector, or itself.
    let scalar = |ty: u32| match known.get(&ty) {
        Some(vector) if vector.op == Op::TypeVector => vector.ids[0],
        _ => ty,
    };
    let pointee = |ty: u32| {
        let pointer = known.get(&ty).filter(|it| it.op == Op::TypePointer)?;
        pointer.ids.last().copied()
    };
    let result = instruction.ty;
    Some(match instruction.op {
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => {
            is(scalar(result?), Op::TypeFloat) && of(0) == result && of(1) == result
        }
        Op::FNegate | Op::DPdxFine | Op::DPdyFine | Op::DPdxCoarse | Op::DPdyCoarse => {
            is(scalar(result?), Op::TypeFloat) && of(0) == result
        }
        Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::UDiv
        | Op::SDiv
        | Op::UMod
        | Op::SRem
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor => is(scalar(result?), Op::TypeInt) && of(0) == result && of(1) == result,
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
            is(result?, Op::TypeInt) && of(0) == result && is(of(1)?, Op::TypeInt)
        }
        Op::LogicalAnd | Op::LogicalOr => {
            is(result?, Op::TypeBool) && of(0) == result && of(1) == result
        }
        Op::IEqual
        | Op::INotEqual
        | Op::ULessThan
        | Op::SLessThan
        | Op::UGreaterThan
        | Op::SGreaterThan
        | Op::UGreaterThanEqual
        | Op::SGreaterThanEqual => {
            is(scalar(result?), Op::TypeBool) && of(0) == of(1) && is(of(0)?, Op::TypeInt)
        }
        Op::FOrdEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FOrdGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FOrdGreaterThanEqual => {
            is(scalar(result?), Op::TypeBool) && of(0) == of(1) && is(of(0)?, Op::TypeFloat)
        }
        Op::Select => is(scalar(of(0)?), Op::TypeBool) && of(1) == result && of(2) == result,
        Op::Load => pointee(of(0)?) == result,
        Op::Store => pointee(of(0)?) == of(1),
        Op::BranchConditional => is(of(0)?, Op::TypeBool),
        Op::Switch => is(of(0)?, Op::TypeInt),
        Op::Phi => (0..instruction.ids.len()).step_by(2).all(|place| of(place) == result),
        Op::CompositeConstruct => {
            let vector = known.get(&result?).filter(|it| it.op == Op::TypeVector)?;
            (0..instruction.ids.len()).all(|place| of(place) == Some(vector.ids[0]))
                && vector.operands[1] as usize == instruction.ids.len()
        }
        Op::AccessChain => is(result?, Op::TypePointer) && is(of(0)?, Op::TypePointer),
        Op::CopyObject => of(0) == result,
        _ => true,
    })
}
