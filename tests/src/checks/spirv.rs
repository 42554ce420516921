//! A structural check of SPIR-V modules: what every consumer counts on, from the words alone.
//!
//! Ids are defined once and before their uses, by dominance within functions; every block ends
//! once; parts of selections and loops meet where they said; operands have the types that their
//! operation wants.

use std::collections::{BTreeMap, BTreeSet};

use spirv::words::{Op, OperandKind, ResultKind, Times};

mod control_flow;
mod types;

/// An instruction, taken apart.
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) ty: Option<u32>,
    pub(crate) result: Option<u32>,
    /// The words behind the result.
    pub(crate) operands: Vec<u32>,
    /// The ids among them.
    pub(crate) ids: Vec<u32>,
}

/// A block of a function, by its label.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) label: u32,
    pub(crate) instructions: Vec<Instruction>,
}

/// Checks a module.
///
/// # Errors
/// The first thing that is wrong.
pub fn well_formed(words: &[u32]) -> Result<(), String> {
    let [magic, version, _, bound, 0] = *words.get(..5).ok_or("no header")? else {
        return Err("the header is none".to_owned());
    };
    if magic != 0x0723_0203 || version != 0x0001_0300 {
        return Err(format!("the header begins with {magic:#x} {version:#x}"));
    }
    let instructions = read(&words[5..])?;
    let mut defined = BTreeSet::new();
    for result in instructions.iter().filter_map(|it| it.result) {
        if result >= bound {
            return Err(format!("%{result} is not below the bound {bound}"));
        }
        if !defined.insert(result) {
            return Err(format!("%{result} is defined twice"));
        }
    }
    let first = instructions.iter().position(|it| it.op == Op::Function);
    let first = first.ok_or("there is no function")?;
    let global = globals(&instructions[..first], &defined)?;
    let functions = control_flow::functions(&instructions[first..])?;
    for blocks in &functions {
        control_flow::check(blocks, &global, &defined)?;
    }
    types::check(&instructions)
}

/// The module of the shader of a seed, without the lines that are refused, and the text that is
/// left; `None` where one of them holds others together.
pub fn random_module(seed: u64) -> Option<(String, spirv::Module)> {
    let mut shader = crate::random_shaders::Shader::of(seed);
    // Each round takes a line out.
    for _ in 0..shader.text().lines().count() {
        let text = shader.text();
        let lines = source::LineIndex::new(&text);
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        let failures = match spirv::translate(&parse.shader?, &spirv::Options::default()) {
            Ok(module) => return Some((text, module)),
            Err(failures) => failures,
        };
        let mut wrong: Vec<usize> =
            failures.iter().map(|failure| lines.line(failure.range.start()) as usize).collect();
        wrong.dedup();
        shader = shader.without(&wrong)?;
    }
    None
}

/// Takes the words behind the header apart.
fn read(words: &[u32]) -> Result<Vec<Instruction>, String> {
    let mut all = Vec::new();
    let mut place = 0;
    while let Some(first) = words.get(place) {
        let (length, number) = ((first >> 16) as usize, *first as u16);
        let row = Op::row(number).ok_or(format!("word {place}: instruction {number}"))?;
        let rest = words.get(place + 1..place + length.max(1)).ok_or("the module is cut off")?;
        let heads = match row.result {
            ResultKind::None => 0,
            ResultKind::Id => 1,
            ResultKind::Typed => 2,
        };
        let operands = rest.get(heads..).ok_or(format!("{} is too short", row.name))?;
        let ids = ids(row.operands, operands).ok_or(format!("the operands of {}", row.name))?;
        all.push(Instruction {
            op: row.op,
            ty: (heads == 2).then(|| rest[0]),
            result: (heads > 0).then(|| rest[heads - 1]),
            operands: operands.to_vec(),
            ids,
        });
        place += length.max(1);
    }
    Ok(all)
}

/// The ids among operands; `None` where there are too few or too many words.
fn ids(kinds: &[(OperandKind, Times)], words: &[u32]) -> Option<Vec<u32>> {
    let mut ids = Vec::new();
    let mut rest = words;
    for (kind, times) in kinds {
        match times {
            Times::Once => take(kind, &mut rest, &mut ids)?,
            Times::Optional if rest.is_empty() => {}
            Times::Optional => take(kind, &mut rest, &mut ids)?,
            Times::Repeated => {
                while !rest.is_empty() {
                    take(kind, &mut rest, &mut ids)?;
                }
            }
        }
    }
    rest.is_empty().then_some(ids)
}

fn take(kind: &OperandKind, rest: &mut &[u32], ids: &mut Vec<u32>) -> Option<()> {
    let (first, behind) = rest.split_first()?;
    *rest = behind;
    match kind {
        OperandKind::Id => ids.push(*first),
        OperandKind::Literal => {}
        OperandKind::Value => *rest = &[],
        OperandKind::Case => {
            let (target, behind) = rest.split_first()?;
            ids.push(*target);
            *rest = behind;
        }
        OperandKind::String => {
            let mut last = *first;
            while last.to_le_bytes()[3] != 0 {
                let (next, behind) = rest.split_first()?;
                (last, *rest) = (*next, behind);
            }
        }
        OperandKind::Enumerant(rows) => {
            let row = rows.iter().find(|row| row.number == *first)?;
            row.parameters.iter().try_for_each(|(kind, _)| take(kind, rest, ids))?;
        }
        OperandKind::Mask(rows) => {
            for row in rows.iter().filter(|row| row.number & first != 0) {
                row.parameters.iter().try_for_each(|(kind, _)| take(kind, rest, ids))?;
            }
        }
    }
    Some(())
}

/// Checks what stands before the functions; returns the ids that are defined there.
fn globals(instructions: &[Instruction], all: &BTreeSet<u32>) -> Result<BTreeSet<u32>, String> {
    let mut known = BTreeSet::new();
    for instruction in instructions {
        // These name what comes later.
        let ahead = matches!(
            instruction.op,
            Op::EntryPoint | Op::ExecutionMode | Op::Name | Op::Decorate | Op::MemberDecorate
        );
        let (known_now, what) = if ahead { (all, "anywhere") } else { (&known, "before") };
        for id in instruction.ty.iter().chain(&instruction.ids) {
            if !known_now.contains(id) {
                return Err(format!(
                    "{:?} uses %{id}, which is not defined {what}",
                    instruction.op
                ));
            }
        }
        known.extend(instruction.result);
    }
    Ok(known)
}

/// The instructions that define ids, by these.
pub(crate) fn definitions(instructions: &[Instruction]) -> BTreeMap<u32, &Instruction> {
    instructions.iter().filter_map(|it| Some((it.result?, it))).collect()
}
