//! Checks that a program means what it meant after words got other registers.
//!
//! The reads and writes of each value must be those of one value again, no more and no
//! fewer. Then each read gets what the same writes left: whatever else could write the
//! register on the way from a write to its read would reach the read, and be of its
//! value too.

use std::collections::{BTreeMap, BTreeSet};

use source::Severity;

use super::Found;
use super::group::RenameGroup;
use crate::analysis::{Access, DefUse, MemberKind, Origin, hazards, waits};
use crate::assembler::result::DescriptorKind;
use crate::behaviour::{CounterEvent, IssueClass};
use crate::instruction::{Bank, Class, Register};
use crate::program::{KernelValues, Program};
use crate::service::RenameError;
use crate::service::rename_error::{changes_meaning, unsuitable};

/// A group with the distance that it moves by.
pub(super) struct Moved {
    pub(super) group: RenameGroup,
    pub(super) distance: i32,
}

/// A read or write: the instruction, its operand, and the number of the register.
type Member = (u32, Option<u8>, MemberKind, i32);

/// A value: what reads and writes it, and how it comes from elsewhere or leaves.
type Value = (Vec<Member>, Vec<Origin>, Option<u32>);

impl Moved {
    /// The number of a register behind the move.
    fn number(&self, register: Register) -> i32 {
        i32::from(register.first) + self.distance
    }

    fn moves(&self, instruction: u32, operand: Option<u8>) -> bool {
        operand.is_some_and(|it| self.group.words.contains_key(&(instruction, it)))
    }
}

/// Checks that the registers are among those that the kernel asks for.
///
/// # Errors
/// A sentence why not.
pub(super) fn declared(found: &Found<'_>, moved: &Moved) -> Result<(), RenameError> {
    let (program, bank) = (found.program, found.word.register.bank);
    let Some(kernel) = program.kernels.get(found.kernel) else { return Ok(()) };
    let all = program.asked_registers(kernel);
    let descriptor = kernel.descriptor.and_then(|it| program.expansion.kernels.get(it as usize));
    let in_granules = descriptor.is_some_and(|it| it.kind == DescriptorKind::KernelCode);
    let limits = &program.target.row().limits;
    let asked = match bank {
        Bank::Scalar if in_granules => {
            // VCC and its like are among them, above those with numbers.
            let special = limits.extra_vcc.max(limits.extra_xnack).max(limits.extra_flat_scratch);
            all.sgprs.map(|asked| asked - i64::from(special))
        }
        Bank::Scalar => all.sgprs,
        Bank::Vector => all.vgprs,
        // Where both kinds have a file of their own, as many of each are allocated.
        Bank::Accumulator => all.agprs.or(all.vgprs),
    };
    let highest = moved.group.registers.iter().map(|it| moved.number(*it)).max().unwrap_or(0);
    let Some(asked) = asked.filter(|asked| i64::from(highest) >= *asked) else { return Ok(()) };
    let kind = if bank == Bank::Vector { "vector" } else { "scalar" };
    Err(unsuitable(format!(
        "the kernel's descriptor asks for {asked} {kind} registers; number {highest} would not be \
         its own"
    )))
}

/// Checks that the program with the edits means what it did.
///
/// # Errors
/// A sentence why not.
pub(super) fn same(found: &Found<'_>, moved: &Moved, after: &Program) -> Result<(), RenameError> {
    sound(found.program, after)?;
    let lost = || changes_meaning("lines would move to other offsets");
    let own = after.values(found.kernel, &source::no_checkpoint).ok_or_else(lost)?;
    if after.instructions.len() != found.program.instructions.len()
        || own.instructions != found.values.instructions
        || own.unclear.is_some()
        || after.labels != found.program.labels
        || after.kernels != found.program.kernels
    {
        return Err(lost());
    }
    same_words(found, moved, after)?;
    same_accesses(found, moved, own)?;
    same_values(found, moved, own)?;
    no_new_diagnostics(found, own)
}

/// Checks that nothing is wrong with the text that was not.
fn sound(before: &Program, after: &Program) -> Result<(), RenameError> {
    match first_new(&before.diagnostics, &after.diagnostics, |it| it.code) {
        Some(diagnostic) => Err(changes_meaning(diagnostic.message.clone())),
        None => Ok(()),
    }
}

/// The first of a list of which there are more than there were, by what tells them apart.
fn first_new<'a, T, K: Ord>(before: &[T], after: &'a [T], key: impl Fn(&T) -> K) -> Option<&'a T> {
    let mut known: BTreeMap<K, usize> = BTreeMap::new();
    for one in before {
        *known.entry(key(one)).or_default() += 1;
    }
    after.iter().find(|one| match known.get_mut(&key(one)) {
        None | Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
    })
}

/// Checks that nothing but fields of the moved operands differs, in the whole program.
fn same_words(found: &Found<'_>, moved: &Moved, after: &Program) -> Result<(), RenameError> {
    let before = &found.program.instructions;
    for ((old, new), index) in before.iter().zip(&after.instructions).zip(0..) {
        let (Some(was), Some(is)) = (old.assembled, new.assembled) else {
            if old.assembled.is_some() || new.assembled.is_some() {
                return Err(changes_meaning("a line would be no instruction"));
            }
            continue;
        };
        let mut mask = 0_u128;
        if let Some(position) = found.values.position(index) {
            let desc = found.def_use(position).desc;
            for ((slot, _), operand) in desc.iter().flat_map(|it| it.operands()).zip(0..) {
                if moved.moves(position, Some(operand)) {
                    mask |= slot.covered();
                }
            }
        }
        let differ = |place: usize| {
            let word = |words: &[u32]| words.get(place).copied().unwrap_or(0);
            (word(was.words()) ^ word(is.words())) & !((mask >> (32 * place)) as u32) != 0
        };
        let placed = (old.statement, old.section, old.offset, was.words().len());
        if placed != (new.statement, new.section, new.offset, is.words().len())
            || differ(0)
            || (1..4).any(differ)
        {
            let line = found.program.expansion.line_of(super::place_of(found.program, old));
            return Err(changes_meaning(format!("line {line} would be another instruction")));
        }
    }
    Ok(())
}

/// Checks that every instruction reads and writes what it did, moved.
fn same_accesses(
    found: &Found<'_>,
    moved: &Moved,
    after: &KernelValues,
) -> Result<(), RenameError> {
    let before = &found.values.values.def_use;
    for ((old, new), index) in before.iter().zip(&after.values.def_use).zip(0..) {
        let number = |access: &Access| {
            let moves = moved.moves(index, access.operand);
            i32::from(access.register.first) + if moves { moved.distance } else { 0 }
        };
        let rest = |access: &Access| {
            let Register { bank, dwords, .. } = access.register;
            (bank, dwords, access.kind, access.operand)
        };
        let was = old.accesses().map(|(it, kind)| (kind, rest(it), number(it)));
        let is = new.accesses().map(|(it, kind)| (kind, rest(it), i32::from(it.register.first)));
        let form = |it: &DefUse| it.desc.map(std::ptr::from_ref);
        if form(old) != form(new) || !was.eq(is) {
            let line = found.line(index);
            return Err(changes_meaning(format!("line {line} would be another instruction")));
        }
        if overlaps_badly(new, found.program) && !overlaps_badly(old, found.program) {
            let line = found.line(index);
            return Err(changes_meaning(format!(
                "the result of line {line} would lie on what it still reads"
            )));
        }
    }
    Ok(())
}

/// Tells whether an instruction may write a part of its result before it has read all that
/// lies there.
fn overlaps_badly(def_use: &DefUse, program: &Program) -> bool {
    let Some(desc) = def_use.desc else { return false };
    let early = matches!(desc.class(), Class::Interpolation | Class::Matrix)
        || desc.behaviour().issue == IssueClass::Sad;
    // Where faults are replayed, the address must still be there.
    let results = desc.behaviour().counters.iter().any(|inc| inc.event == CounterEvent::Result);
    let loads = program.target.row().xnack && results;
    def_use.writes().iter().map(|it| it.register).any(|write| {
        def_use.reads().iter().map(|it| it.register).any(|read| {
            let overlap = read.singles().any(|single| write.holds(single));
            let partial = write.bank == Bank::Vector
                && (write.first, write.dwords) != (read.first, read.dwords)
                && (write.dwords > 1 || read.dwords > 1)
                && desc.class() == Class::Vector;
            overlap && (early || loads || partial)
        })
    })
}

/// Checks that the values of the old and the new registers are the same as before.
fn same_values(found: &Found<'_>, moved: &Moved, after: &KernelValues) -> Result<(), RenameError> {
    let bank = found.word.register.bank;
    let olds = moved.group.registers.iter().map(|it| i32::from(it.first));
    let news = moved.group.registers.iter().map(|it| moved.number(*it));
    let registers: BTreeSet<i32> = olds.chain(news).collect();
    let old = values(found.values, bank, &registers, |instruction, operand| {
        if moved.moves(instruction, operand) { moved.distance } else { 0 }
    });
    let new = values(after, bank, &registers, |_, _| 0);
    if old == new {
        return Ok(());
    }
    Err(changes_meaning(why_not(found, moved, &new)))
}

/// The values of some registers, in order, with numbers that some operands move.
fn values(
    kernel: &KernelValues,
    bank: Bank,
    registers: &BTreeSet<i32>,
    distance: impl Fn(u32, Option<u8>) -> i32,
) -> Vec<Value> {
    let mut all = Vec::new();
    for number in registers {
        let Ok(first) = u16::try_from(*number) else { continue };
        let webs = kernel.values.webs(Register { bank, first, dwords: 1 });
        let mut own: Vec<Value> =
            webs.webs.iter().map(|web| (Vec::new(), web.given.clone(), web.leaves)).collect();
        for member in &webs.members {
            let number = number + distance(member.instruction, member.operand);
            let (members, ..) = &mut own[member.web as usize];
            members.push((member.instruction, member.operand, member.kind, number));
        }
        all.append(&mut own);
    }
    all.sort();
    all
}

/// Says what keeps the values from being the same: those that they would be mixed with.
fn why_not(found: &Found<'_>, moved: &Moved, after: &[Value]) -> String {
    let name = |number: i32| {
        let first = u16::try_from(number).unwrap_or(0);
        Register { first, dwords: 1, ..found.word.register }.name(found.program.target)
    };
    for (members, given, leaves) in after {
        let is_moved = |member: &&Member| moved.moves(member.0, member.1);
        let Some((.., number)) = members.iter().find(is_moved) else { continue };
        let name = name(*number);
        if let Some((instruction, _, kind, _)) = members.iter().find(|it| !is_moved(it)) {
            let does = if *kind == MemberKind::Use { "reads" } else { "writes" };
            let line = found.line(*instruction);
            return format!("`{name}` is in use: line {line} {does} another value of it");
        }
        if !given.is_empty() {
            return format!("`{name}` may hold what it held when the code was entered");
        }
        if let Some(index) = leaves {
            let line = found.line(*index);
            return format!("code that is not seen may read `{name}` after line {line}");
        }
    }
    "another value that shares the registers would be lost".to_owned()
}

/// Checks that no wait is missing and no hazard violated that was not before.
fn no_new_diagnostics(found: &Found<'_>, after: &KernelValues) -> Result<(), RenameError> {
    let diagnostics = |kernel: &KernelValues| {
        let values = &kernel.values;
        let (code, def_use, cfg) = (&values.code, &values.def_use, &values.cfg);
        let mut all = waits(code, def_use, cfg, None, &source::no_checkpoint);
        all.extend(hazards(code, def_use, cfg, &source::no_checkpoint));
        all.retain(|diagnostic| diagnostic.severity <= Severity::Warning);
        all
    };
    let (before, after) = (diagnostics(found.values), diagnostics(after));
    match first_new(&before, &after, |it| (it.instruction, it.code)) {
        Some(new) => {
            let line = found.line(new.instruction);
            Err(changes_meaning(format!("in line {line} {}", new.message)))
        }
        None => Ok(()),
    }
}
