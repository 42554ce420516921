//! Entries of code: kernels and functions, with their instructions.
//!
//! A descriptor names its kernel's label; `.type name,@function` names a function.
//! From such a label to the next one of the section all instructions belong
//! together. A text without any is one piece for each section with instructions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Program;
use crate::assembler::result::{DescriptorKind, Field, StatementKind};

/// A piece of code that is entered on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its label; empty for code before any label that begins a piece.
    pub name: Box<str>,
    /// Its descriptor: an index of `Expansion::kernels`.
    pub descriptor: Option<u32>,
    /// Its section: an index of `Expansion::sections`.
    pub section: u32,
    /// Its instructions: indices of `Program::instructions`.
    pub instructions: std::ops::Range<u32>,
}

impl Program {
    /// Returns the fields of a kernel's descriptor; none where it has no descriptor.
    pub(super) fn descriptor_fields(&self, kernel: &Kernel) -> &[Field] {
        let descriptor = kernel.descriptor.and_then(|it| self.expansion.kernels.get(it as usize));
        descriptor.map_or(&[], |descriptor| &descriptor.fields)
    }
}

/// The pieces of a program, in the order of their instructions.
pub(super) fn find(program: &Program) -> Vec<Kernel> {
    let expansion = &program.expansion;
    let mut names: FxHashSet<&str> =
        expansion.kernels.iter().map(|kernel| &*kernel.name).filter(|it| !it.is_empty()).collect();
    let directives = expansion.statements.iter().filter(|it| it.kind == StatementKind::Directive);
    names.extend(directives.filter_map(|it| function_name(expansion.text(it))));
    let descriptors = descriptors(program);
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut labels = program.labels.iter().filter(|it| names.contains(&*it.name)).peekable();
    let mut first = 0;
    while let Some(instruction) = program.instructions.get(first as usize) {
        let section = instruction.section;
        let end = program.instructions_of_section(section).end as u32;
        let owner = expansion.sections.get(section as usize).and_then(|it| it.kernel);
        let owner_name = owner.and_then(|it| expansion.kernels.get(it as usize));
        let mut name = owner_name.map_or("", |it| &it.name);
        let mut begin = first;
        // Labels are in the order of instructions; those of other sections that
        // end where this one begins were passed before.
        while let Some(label) = labels.next_if(|label| label.instruction < end) {
            let of = expansion.statements.get(label.statement as usize).map(|it| it.section);
            if of != Some(section) {
                continue;
            }
            add(&descriptors, &mut kernels, name, section, begin..label.instruction);
            (name, begin) = (&label.name, label.instruction);
        }
        add(&descriptors, &mut kernels, name, section, begin..end);
        first = end;
    }
    match program.parts.is_empty() {
        true => kernels,
        false => kernels.into_iter().flat_map(|kernel| by_disassembly(program, kernel)).collect(),
    }
}

/// The pieces of a kernel that are in different disassemblies of a dump; code without a
/// label gets the name of its stage.
fn by_disassembly(program: &Program, kernel: Kernel) -> Vec<Kernel> {
    let mut pieces: Vec<Kernel> = Vec::new();
    let mut last = None;
    for index in kernel.instructions.clone() {
        let instruction = program.instructions.get(index as usize);
        let place = instruction.map(|it| program.range(it).start()).unwrap_or_default();
        let part = program.disassembly_at(place);
        let start = part.map(|part| part.range.start());
        match pieces.last_mut().filter(|_| start == last) {
            Some(piece) => piece.instructions.end = index + 1,
            None => {
                let is_named = !kernel.name.is_empty() && pieces.is_empty();
                let name = match part.filter(|_| !is_named) {
                    Some(part) => part.title.clone(),
                    None => kernel.name.clone(),
                };
                pieces.push(Kernel { name, instructions: index..index + 1, ..kernel.clone() });
                last = start;
            }
        }
    }
    pieces
}

/// The descriptor of each name: an index of `Expansion::kernels`.
fn descriptors(program: &Program) -> FxHashMap<&str, u32> {
    let mut found: FxHashMap<&str, u32> = FxHashMap::default();
    let all = &program.expansion.kernels;
    for (kernel, index) in all.iter().zip(0..).filter(|(kernel, _)| !kernel.name.is_empty()) {
        let known = found.entry(&kernel.name).or_insert(index);
        // A name alone says nothing where a descriptor says more; of equal ones the last
        // counts.
        let says_less = kernel.kind == DescriptorKind::Symbol
            && all[*known as usize].kind != DescriptorKind::Symbol;
        if !says_less {
            *known = index;
        }
    }
    found
}

fn add(
    descriptors: &FxHashMap<&str, u32>,
    kernels: &mut Vec<Kernel>,
    name: &str,
    section: u32,
    instructions: std::ops::Range<u32>,
) {
    if instructions.is_empty() {
        return;
    }
    let descriptor = descriptors.get(name).copied();
    kernels.push(Kernel { name: name.into(), descriptor, section, instructions });
}

/// The name in `.type name,@function`.
fn function_name(directive: &str) -> Option<&str> {
    let (name, kind) = directive.strip_prefix(".type")?.split_once(',')?;
    matches!(kind.trim(), "@function" | "%function" | "#function" | "STT_FUNC")
        .then_some(name.trim())
}
