//! Names of ids: those that a module gives, and for types and constants what they are.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashMap;

use crate::disassembler::instructions;
use crate::disassembler::numbers::{NumberType, string};
use crate::words::{Op, StorageClass};

/// The longest name that is made of other names, in bytes. A type of two equal types doubles
/// theirs, so a few dozen nested ones would fill the memory.
const LONGEST: usize = 256;

/// The names of a module's ids.
pub(crate) struct Names {
    names: FxHashMap<u32, String>,
    used: HashSet<String>,
    /// The number that the next id of a wanted name tries first. The names are the module's,
    /// so the hash has a key of its own.
    next: HashMap<String, u32>,
    numbers: FxHashMap<u32, NumberType>,
}

impl Names {
    /// Gathers the names of a module.
    pub(crate) fn of(words: &[u32]) -> Result<Names, usize> {
        let mut names = Names {
            names: FxHashMap::default(),
            used: HashSet::new(),
            next: HashMap::new(),
            numbers: FxHashMap::default(),
        };
        for instruction in instructions(words) {
            let instruction = instruction?;
            let place = instruction.place;
            names.add(&instruction).ok_or(place)?;
        }
        Ok(names)
    }

    fn add(&mut self, instruction: &crate::disassembler::Instruction<'_>) -> Option<()> {
        let operands = instruction.operands;
        let operand = |place: usize| operands.get(place).copied();
        if instruction.row.op == Op::Name {
            let (name, _) = string(operand(1)?, operands.get(2..)?)?;
            self.save(operand(0)?, &name);
            return Some(());
        }
        let Some(result) = instruction.result else { return Some(()) };
        let name = match instruction.row.op {
            Op::TypeVoid => "void".to_owned(),
            Op::TypeBool => "bool".to_owned(),
            Op::TypeInt | Op::TypeFloat => {
                let ty = NumberType::of(instruction.row.op, operand(0)?, operand(1))?;
                self.numbers.insert(result, ty);
                ty.name().to_owned()
            }
            Op::TypeVector => format!("v{}{}", operand(1)?, self.of_id(operand(0)?)),
            Op::TypeArray => {
                format!("_arr_{}_{}", self.of_id(operand(0)?), self.of_id(operand(1)?))
            }
            Op::TypeRuntimeArray => format!("_runtimearr_{}", self.of_id(operand(0)?)),
            Op::TypeStruct => format!("_struct_{result}"),
            Op::TypePointer => {
                let class = StorageClass::name_of(operand(0)?)?;
                format!("_ptr_{class}_{}", self.of_id(operand(1)?))
            }
            Op::ConstantTrue => "true".to_owned(),
            Op::ConstantFalse => "false".to_owned(),
            Op::Constant => {
                let ty = self.number_type(instruction.ty?)?;
                let high = operand(1).unwrap_or(0);
                let number = ty.number(u64::from(high) << 32 | u64::from(operand(0)?));
                format!("{}_{}", ty.name(), number.replace('-', "n"))
            }
            _ => result.to_string(),
        };
        let name = if name.len() > LONGEST { result.to_string() } else { name };
        self.save(result, &name);
        Some(())
    }

    /// Gives an id a name if it has none; one that is taken gets a number.
    fn save(&mut self, id: u32, name: &str) {
        if self.names.contains_key(&id) {
            return;
        }
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let wanted: String = name.chars().map(plain).collect();
        let wanted = if wanted.is_empty() { "_".to_owned() } else { wanted };
        let mut name = wanted.clone();
        if !self.used.insert(name.clone()) {
            let number = self.next.entry(wanted.clone()).or_default();
            loop {
                name = format!("{wanted}_{number}");
                *number += 1;
                if self.used.insert(name.clone()) {
                    break;
                }
            }
        }
        self.names.insert(id, name);
    }

    /// Returns the name of an id, without the sign before it.
    pub(crate) fn of_id(&self, id: u32) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// The type of numbers that an id stands for.
    pub(crate) fn number_type(&self, id: u32) -> Option<NumberType> {
        self.numbers.get(&id).copied()
    }
}
