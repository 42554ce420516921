//! How the registers of an instruction are read from its words: a recipe for
//! every form, made once for each chip from the tables of operands.

use std::sync::{Mutex, OnceLock};

use rustc_hash::FxHashMap;

use crate::Target;
use crate::behaviour::Behaviour;
use crate::encoding::{self, Encoding, Extension};
use crate::instruction::form::{Check, Form, Kind, Slot};
use crate::instruction::set::InstructionSet;
use crate::instruction::{
    Class, Features, Layout, Operand, Signature, Traits, Type, field, signature,
};

/// Whether an operand is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Read,
    Write,
    /// Both, whatever is between.
    ReadWrite,
    /// Read, and written where the instruction returns what memory held.
    Exchange,
}

/// Where control goes after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// To the next instruction.
    Next,
    /// To its target.
    Jump,
    /// To its target or the next instruction.
    Branch(Condition),
    /// To its target, and back behind it.
    Call,
    /// To where a register says, and perhaps back behind it.
    IndirectCall,
    /// To its target or the next instruction, one after the other, by the hardware's
    /// own stack.
    Fork,
    /// To where a register says.
    Indirect,
    /// Nowhere: the wave ends.
    End,
}

/// When a branch is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// SCC is clear, or set: nothing about lanes.
    Scalar,
    /// VCC is zero.
    VccZero,
    /// VCC is not zero.
    VccNotZero,
    /// EXEC is zero.
    ExecZero,
    /// EXEC is not zero.
    ExecNotZero,
    /// The debugger's conditions.
    Debugger,
}

/// An instruction's form, as the analyses see it.
#[derive(Debug)]
pub struct Recipe {
    /// The mnemonic, without suffix.
    pub name: &'static str,
    /// The encoding.
    pub encoding: Encoding,
    /// What follows the encoding's own words in this form.
    pub extension: Extension,
    /// The row of its operands, where it has one.
    pub signature: Option<&'static Signature>,
    /// How its encodings are built.
    pub class: Class,
    /// What may follow it, and how it deals with its operands.
    pub traits: Traits,
    /// The unit that takes it, the counters it raises, what it uses unnamed.
    pub behaviour: Option<Behaviour>,
    /// Where control goes.
    pub control: Control,
    pub(crate) operands: Vec<(Slot, Role)>,
    /// Where the fields of the data begin that memory operations move.
    pub(crate) data: Vec<u8>,
    /// The form's own rules, for what needs the whole of it.
    pub(crate) form: &'static Form,
    /// Bits that must have these values.
    must_mask: u64,
    must_value: u64,
    /// Bits that mean something.
    known: u64,
    /// Whether a result is 16 bits wide, so that it may go to one half.
    pub(crate) half_result: bool,
}

/// The recipes of a chip.
#[derive(Debug)]
pub(crate) struct Recipes {
    set: &'static InstructionSet,
    /// In the order of the set's forms.
    recipes: Vec<Recipe>,
}

impl Recipes {
    /// Those of a target; built at the first call, shared by chips with equal sets.
    pub(crate) fn of(target: Target) -> &'static Recipes {
        static ALL: OnceLock<Mutex<FxHashMap<Target, &'static Recipes>>> = OnceLock::new();
        let mut all = ALL
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(recipes) = all.get(&target) {
            return recipes;
        }
        let set = InstructionSet::of(target);
        let same = all.values().copied().find(|recipes| std::ptr::eq(recipes.set, set));
        // Leaked once for each of some ten sets: they live as long as the program.
        let recipes = same.unwrap_or_else(|| Box::leak(Box::new(Recipes::build(set))));
        all.insert(target, recipes);
        recipes
    }

    fn build(set: &'static InstructionSet) -> Recipes {
        let mut signatures: FxHashMap<&str, Option<&'static Signature>> = FxHashMap::default();
        let generation = set.features().generation;
        let recipes = set
            .forms
            .iter()
            .map(|form| {
                let name = form.mnemonic.name;
                let row = *signatures.entry(name).or_insert_with(|| signature(name, generation));
                recipe(form, row, set.features())
            })
            .collect();
        Recipes { set, recipes }
    }

    /// What the chip's instruction set has.
    pub(crate) fn features(&self) -> &'static Features {
        self.set.features()
    }

    /// All of them.
    #[cfg(test)]
    pub(crate) fn all(&self) -> &[Recipe] {
        &self.recipes
    }

    /// The recipe of an instruction, with its bits: literals are not among them.
    pub(crate) fn find(&'static self, words: &[u32]) -> Option<(&'static Recipe, u64)> {
        let shape = encoding::shape(words, self.features().generation).ok()?;
        let literal = shape.extension == Extension::Literal;
        let extension = if literal { Extension::None } else { shape.extension };
        let candidates = self.set.by_code.get(&(shape.encoding, shape.opcode, extension))?;
        let second = if shape.words > 1 && !literal { words.get(1).copied()? } else { 0 };
        let bits = u64::from(*words.first()?) | u64::from(second) << 32;
        let mut best: Option<(u32, &'static Recipe)> = None;
        for index in candidates {
            let Some(recipe) = self.recipes.get(*index as usize) else { continue };
            if bits & recipe.must_mask != recipe.must_value {
                continue;
            }
            let unknown = (bits & !recipe.known).count_ones();
            if best.is_none_or(|(fewest, _)| unknown < fewest) {
                best = Some((unknown, recipe));
            }
            if unknown == 0 {
                break;
            }
        }
        best.map(|(_, recipe)| (recipe, bits))
    }
}

fn recipe(form: &'static Form, row: Option<&'static Signature>, features: &Features) -> Recipe {
    let covered = form.slots.iter().fold(0, |mask, slot| mask | slot.covered());
    // Fixed bits that the form has set must be set; others are ignored.
    let mut must_mask = form.base & !covered;
    let mut must_value = must_mask;
    let mut must = |low: u8, width: u8, value: u64| {
        let mask = ((1_u64 << width) - 1) << low;
        must_mask |= mask;
        must_value = must_value & !mask | value << low;
    };
    for slot in &form.slots {
        match slot.kind {
            Kind::Flag(_) if slot.default.is_none() => must(slot.low, 1, 1),
            Kind::Off { code } if slot.width > 0 => must(slot.low, slot.width, code.into()),
            _ => {}
        }
    }
    let policy = field(Layout::Of(form.encoding), features.set, "glc");
    if let (Check::Returns(returns), Some(field)) = (form.check, policy) {
        must(field.low, 1, returns.into());
    }
    let class = row.map_or(Class::Scalar, |row| row.class);
    Recipe {
        name: form.mnemonic.name,
        encoding: form.encoding,
        extension: form.extension,
        signature: row,
        class,
        traits: form.traits,
        behaviour: form.mnemonic.behaviour(features.generation),
        control: control(form.mnemonic.name),
        operands: operands(form, row, class, features),
        data: ["vdata", "data", "data0", "data1"]
            .into_iter()
            .filter_map(|name| field(Layout::Of(form.encoding), features.set, name))
            .map(|field| field.low)
            .collect(),
        form,
        must_mask,
        must_value,
        known: covered | form.base,
        half_result: matches!(
            row.and_then(|row| row.operands.first()),
            Some(Operand::Number { ty: Type { bits: 16, .. }, .. })
        ),
    }
}

fn control(name: &str) -> Control {
    match name {
        "s_branch" => Control::Jump,
        "s_cbranch_scc0" | "s_cbranch_scc1" => Control::Branch(Condition::Scalar),
        "s_cbranch_vccz" => Control::Branch(Condition::VccZero),
        "s_cbranch_vccnz" => Control::Branch(Condition::VccNotZero),
        "s_cbranch_execz" => Control::Branch(Condition::ExecZero),
        "s_cbranch_execnz" => Control::Branch(Condition::ExecNotZero),
        "s_cbranch_i_fork" => Control::Fork,
        "s_cbranch_g_fork" | "s_cbranch_join" | "s_setpc_b64" => Control::Indirect,
        "s_swappc_b64" => Control::IndirectCall,
        "s_call_b64" => Control::Call,
        _ if name.starts_with("s_rfe") => Control::Indirect,
        _ if name.starts_with("s_cbranch_cdbg") => Control::Branch(Condition::Debugger),
        _ if name.starts_with("s_endpgm") => Control::End,
        _ => Control::Next,
    }
}

/// The slots that name registers, each with what is done to them.
fn operands(
    form: &'static Form,
    row: Option<&'static Signature>,
    class: Class,
    features: &Features,
) -> Vec<(Slot, Role)> {
    let mut found = Vec::new();
    let traits = form.traits;
    for (index, slot) in form.slots.iter().enumerate() {
        let role = match class {
            Class::Vector | Class::Interpolation => vector_role(form, index, slot),
            Class::Scalar => scalar_role(row, index),
            Class::ScalarMemory => scalar_memory_role(row, traits, index),
            Class::Matrix => {
                if index == 0 {
                    Role::Write
                } else {
                    Role::Read
                }
            }
            Class::DataShare | Class::Flat => {
                let result = field(Layout::Of(form.encoding), features.set, "vdst");
                match result {
                    Some(field) if field.low == slot.low => Role::Write,
                    _ => Role::Read,
                }
            }
            Class::Buffer | Class::Image => {
                let data = field(Layout::Of(form.encoding), features.set, "vdata");
                match data {
                    Some(field) if field.low == slot.low => data_role(traits),
                    _ => Role::Read,
                }
            }
            Class::Export => Role::Read,
        };
        let role = match role {
            Role::Write if traits.reads_destination() && !writes_part(form, class) => {
                Role::ReadWrite
            }
            role => role,
        };
        if names_registers(slot) {
            found.push((*slot, role));
        }
    }
    found
}

/// Whether a destination that counts is not added to, but written in part: one lane,
/// one half.
pub(crate) fn writes_part(form: &Form, class: Class) -> bool {
    match class {
        Class::Vector => form.traits.mix() || form.traits.ignores_exec(),
        Class::DataShare | Class::Flat | Class::Buffer | Class::Image => true,
        _ => false,
    }
}

fn names_registers(slot: &Slot) -> bool {
    matches!(
        slot.kind,
        Kind::Vector { .. }
            | Kind::Vectors
            | Kind::VectorOrLds
            | Kind::Accumulator { .. }
            | Kind::VectorOrAccumulator { .. }
            | Kind::Scalar { .. }
            | Kind::Mask
            | Kind::Vcc
            | Kind::Source(_)
            | Kind::ScalarSource { .. }
            | Kind::Lane { .. }
            | Kind::ExportSource { .. }
    )
}

/// The first operand is the result; a mask behind it is the carry, which some
/// forms do not name.
fn vector_role(form: &Form, index: usize, slot: &Slot) -> Role {
    let is_mask = |slot: &Slot| matches!(slot.kind, Kind::Mask | Kind::Vcc);
    match index {
        0 => Role::Write,
        1 if form.mnemonic.name == "v_swap_b32" => Role::ReadWrite,
        // `v_cndmask_b32` has its mask last, behind its sources.
        1 if is_mask(slot) && !form.slots.first().is_some_and(is_mask) => Role::Write,
        _ => Role::Read,
    }
}

fn scalar_role(row: Option<&'static Signature>, index: usize) -> Role {
    match row.and_then(|row| row.operands.get(index)) {
        Some(Operand::Scalar { read: false, .. }) => Role::Write,
        _ => Role::Read,
    }
}

fn scalar_memory_role(row: Option<&'static Signature>, traits: Traits, index: usize) -> Role {
    let first = row.and_then(|row| row.operands.first());
    match (index, first) {
        (0, Some(Operand::Part { letter: 'r', .. })) => Role::Write,
        (0, Some(Operand::Part { letter: 'd', .. })) => data_role(traits),
        _ => Role::Read,
    }
}

fn data_role(traits: Traits) -> Role {
    if traits.atomic() {
        if traits.no_return() { Role::Read } else { Role::Exchange }
    } else if traits.store() {
        Role::Read
    } else {
        Role::Write
    }
}
