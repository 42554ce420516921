//! The values of a kernel's registers, with the ways into it that its own code does not
//! show.

use rustc_hash::{FxHashMap, FxHashSet};
use source::Checkpoint;

use super::{Kernel, KernelCode, Program};
use crate::analysis::{Code, Control, Dataflow, DefUse, Instruction};
use crate::assembler::lines::is_word;
use crate::assembler::result::StatementKind;
use crate::assembler::symbols::SymbolKind;
use crate::expression::Value;
use crate::instruction::FixupKind;

/// Kernels with more instructions are not followed: an editor's question must not take
/// longer than people wait.
pub(crate) const MOST_FOLLOWED: usize = 150_000;

/// A kernel whose values can be followed.
#[derive(Debug)]
pub struct KernelValues {
    /// Its code and values.
    pub values: Dataflow,
    /// For each instruction of the code the program's, by index.
    pub instructions: Vec<u32>,
    /// The number of its lines that are not an instruction, or none yet.
    pub missing: usize,
    /// A branch to a place that is not known.
    pub unclear: Option<u32>,
}

impl KernelValues {
    /// The instruction of the code that one of the program's is.
    pub fn position(&self, instruction: u32) -> Option<u32> {
        self.instructions.binary_search(&instruction).ok().map(|place| place as u32)
    }
}

impl Program {
    /// Returns the values of a kernel, by its place among the kernels; worked out when first
    /// asked for. `None` where there is no code, or too much. `checkpoint` may unwind.
    pub fn values(&self, kernel: usize, checkpoint: Checkpoint<'_>) -> Option<&KernelValues> {
        let own = self.kernels.get(kernel)?;
        self.values.get(kernel)?.get_or_init(|| find(self, own, checkpoint)).as_ref()
    }

    /// The kernel that an instruction is of, by its place among the kernels.
    pub fn kernel_of(&self, instruction: u32) -> Option<usize> {
        let place = self.kernels.partition_point(|it| it.instructions.end <= instruction);
        self.kernels.get(place).filter(|it| it.instructions.contains(&instruction)).map(|_| place)
    }
}

fn find(program: &Program, kernel: &Kernel, checkpoint: Checkpoint<'_>) -> Option<KernelValues> {
    if kernel.instructions.len() > MOST_FOLLOWED {
        return None;
    }
    let addresses = program.address_counts();
    let KernelCode { mut code, instructions, missing, .. } =
        KernelCode::of(program, kernel, addresses, checkpoint);
    if instructions.is_empty() {
        return None;
    }
    checkpoint();
    code.entries = entries(program, kernel)
        .into_iter()
        .filter_map(|entry| instructions.binary_search(&entry).ok())
        .filter_map(|place| code.instructions.get(place))
        .map(|instruction| instruction.offset)
        .collect();
    let known: FxHashSet<&str> = program.labels.iter().map(|it| &*it.name).collect();
    let unclear = kernel.instructions.clone().find(|index| !leads(program, *index, &known));
    checkpoint();
    let values = Dataflow::of(code, checkpoint);
    Some(KernelValues { values, instructions, missing, unclear })
}

/// Tells whether the place is known that a branch leads to.
fn leads(program: &Program, index: u32, known: &FxHashSet<&str>) -> bool {
    let Some(instruction) = program.instructions.get(index as usize) else { return true };
    let fixup = instruction.assembled.and_then(|it| it.fixup);
    let Some(fixup) = fixup.filter(|it| it.kind == FixupKind::Branch) else { return true };
    let operand = fixup.text(program.text(instruction));
    let words = operand.unwrap_or_default().split(|it: char| !it.is_ascii() || !is_word(it as u8));
    words.filter(|word| !word.is_empty()).all(|word| {
        known.contains(word) || word == "." || word.starts_with(|it: char| it.is_ascii_digit())
    })
}

/// The instructions of a kernel, beside its first, that code elsewhere may go to: where
/// another piece of code jumps to, and where a label stands whose address somebody takes
/// or exports.
fn entries(program: &Program, kernel: &Kernel) -> Vec<u32> {
    let mut entries = Vec::new();
    let inner = kernel.instructions.start + 1..kernel.instructions.end;
    let section = program.instructions_of_section(kernel.section);
    let mut indirect = false;
    let mut branches = FxHashSet::default();
    let mut at_offset: Option<FxHashMap<i64, u32>> = None;
    for (instruction, index) in program.instructions.iter().zip(0..) {
        let Some(assembled) = instruction.assembled else { continue };
        if assembled.fixup.is_some_and(|it| it.kind == FixupKind::Branch) {
            branches.insert(instruction.statement);
        }
        // Scalar operations begin so; all others go on to the next instruction.
        if assembled.words().first().is_none_or(|word| word >> 30 != 0b10) {
            continue;
        }
        let own = Instruction::new(instruction.offset, assembled.words(), None);
        let desc = DefUse::of(&own, program.target).desc;
        match desc.map_or(Control::Next, |desc| desc.control()) {
            Control::Next | Control::End => {}
            Control::Indirect | Control::IndirectCall => indirect = true,
            Control::Jump | Control::Branch(_) | Control::Call | Control::Fork => {
                let elsewhere = !kernel.instructions.contains(&index);
                if elsewhere && section.contains(&(index as usize)) {
                    let places = at_offset.get_or_insert_with(|| {
                        let offset = |it: &u32| program.instructions[*it as usize].offset.into();
                        inner.clone().map(|it| (offset(&it), it)).collect()
                    });
                    entries.extend(places.get(&Code::jump_target(&own)));
                }
            }
        }
    }
    let labels = program.labels.iter().filter(|label| inner.contains(&label.instruction));
    let labels: FxHashMap<&str, u32> = labels.map(|it| (&*it.name, it.instruction)).collect();
    if labels.is_empty() {
        return entries;
    }
    let symbols = program.expansion.symbols().iter();
    let mut named = symbols.filter(|symbol| symbol.kind != SymbolKind::Label);
    let is_place = |value| matches!(value, Value::Address(_));
    if indirect && named.any(|symbol| symbol.values().any(is_place)) {
        // Another name for a place: which one is not asked.
        entries.extend(labels.values());
    }
    for (statement, index) in program.expansion.statements.iter().zip(0..) {
        let text = program.expansion.text(statement);
        let taken = match statement.kind {
            StatementKind::Label(_) | StatementKind::NumericLabel => false,
            StatementKind::Instruction => indirect && !branches.contains(&index),
            _ if text.starts_with(".glob") || text.starts_with(".weak") => true,
            _ => indirect,
        };
        if taken {
            let words = text.split(|it: char| it.is_ascii() && !is_word(it as u8));
            entries.extend(words.filter_map(|word| labels.get(word)));
        }
    }
    entries.sort_unstable();
    entries.dedup();
    entries
}
