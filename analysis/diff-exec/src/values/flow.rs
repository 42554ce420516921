//! The lines of instructions whose values say none, by where their values come from and go to.

use gcn::analysis::{Code, Dataflow, Origin};
use gcn::instruction::Register;

use super::machine::Role;
use super::matching::Claim;

/// Instructions of a code that is followed, at most: the time grows faster than their number.
const MOST: usize = 4096;
/// Steps by which lines spread from one instruction to the next.
const ROUNDS: usize = 64;

/// The instructions that read what each writes, and those that write what each reads.
#[derive(Debug, Default)]
pub(super) struct Flow {
    readers: Vec<Vec<usize>>,
    writers: Vec<Vec<usize>>,
}

impl Flow {
    /// Follows the values of a code; of one that is too long, none.
    pub(super) fn of(code: Code) -> Flow {
        let count = code.instructions.len();
        let mut flow = Flow { readers: vec![Vec::new(); count], writers: vec![Vec::new(); count] };
        if count > MOST {
            return flow;
        }
        let values = Dataflow::of(code, &source::no_checkpoint);
        for reader in 0..count {
            let Some(def_use) = values.def_use.get(reader) else { continue };
            for access in def_use.reads() {
                let Register { bank, first, dwords } = access.register;
                // Which lanes are active is read by all.
                if access.operand.is_none() && !is_branch(def_use) {
                    continue;
                }
                for number in first..first + u16::from(dwords.min(MOST_DWORDS)) {
                    let register = Register { bank, first: number, dwords: 1 };
                    for origin in values.origins(reader as u32, register) {
                        if let Origin::Instruction(writer) = origin {
                            flow.add(writer as usize, reader);
                        }
                    }
                }
            }
        }
        flow
    }

    fn add(&mut self, writer: usize, reader: usize) {
        if !self.readers[writer].contains(&reader) {
            self.readers[writer].push(reader);
            self.writers[reader].push(writer);
        }
    }
}

/// Registers of an operand that are followed: a descriptor's.
const MOST_DWORDS: u8 = 8;

fn is_branch(def_use: &gcn::analysis::DefUse) -> bool {
    def_use.writes().is_empty() && def_use.reads().iter().all(|it| it.operand.is_none())
}

/// An instruction before lines are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) claim: Claim,
    pub(super) role: Role,
    /// True if it is of the scalar unit.
    pub(super) is_scalar: bool,
}

/// Tells of an instruction and a line how many registers it reads that hold none of the line's
/// operands.
pub(super) type OtherOperands<'a> = &'a dyn Fn(usize, u32) -> Option<usize>;

/// Gives lines to instructions that have none of their own.
pub(super) fn spread(
    joined: &[Joined],
    flow: &Flow,
    other_operands: OtherOperands<'_>,
) -> Vec<Option<u32>> {
    let line = |it: &Joined| match it.claim {
        Claim::Line(line) => Some(line),
        Claim::Nothing | Claim::Ambiguous => None,
    };
    let mut found: Vec<Option<u32>> = joined.iter().map(line).collect();
    spread_to_parts(joined, flow, other_operands, &mut found);
    spread_to_control(joined, flow, &mut found);
    // A wait is for what comes next.
    let mut next = None;
    for (line, own) in found.iter_mut().zip(joined).rev() {
        match (*line, own.role) {
            (None, Role::Waits) => *line = next,
            (own, _) => next = own,
        }
    }
    found
}

/// Gives a line what only it reads, if that is made of what the line reads.
fn spread_to_parts(
    joined: &[Joined],
    flow: &Flow,
    other_operands: OtherOperands<'_>,
    found: &mut [Option<u32>],
) {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (at, own) in joined.iter().enumerate().rev() {
            if found[at].is_some() || own.claim != Claim::Nothing {
                continue;
            }
            // What leaves the shader has been computed before.
            let readers = flow.readers[at].iter().filter(|it| joined[**it].role != Role::Exports);
            let lines: Vec<Option<u32>> = readers.map(|it| found[*it]).collect();
            let is_part = |line: &u32| {
                let computed = |it: &&usize| joined[**it].role.computes();
                let writers: Vec<usize> =
                    flow.writers[at].iter().filter(computed).copied().collect();
                let is_own = |it: &usize| found[*it] == Some(*line);
                match other_operands(at, *line) {
                    Some(0) => true,
                    // One more is what parts before it add up to.
                    Some(1) => writers.iter().any(|it| joined[*it].claim == Claim::Nothing),
                    _ => writers.iter().any(is_own),
                }
            };
            let writers = &flow.writers[at];
            let is_set = own.role == Role::Moves && writers.is_empty();
            let is_first = is_set || matches!(own.role, Role::Fetches | Role::Describes);
            // What the vector unit cannot read where it is.
            let is_lifted = !own.is_scalar && writers.iter().all(|it| joined[*it].is_scalar);
            let line = match own.role {
                // A descriptor, or an address, is of the first that needs it.
                _ if is_first && lines.iter().all(Option::is_some) => {
                    lines.iter().flatten().min().copied()
                }
                // A copy joins ways, unless it is of a constant.
                Role::Moves if !is_set && !is_lifted => {
                    let writers = flow.writers[at].iter().map(|it| found[*it]);
                    the_one(&writers.chain(lines).collect::<Vec<_>>())
                }
                Role::Moves => the_one(&lines),
                Role::Steers | Role::Waits | Role::Ends | Role::Exports => None,
                _ => the_one(&lines).filter(is_part),
            };
            if line.is_some() {
                found[at] = line;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Control, and what prepares it, is of the comparison that it goes by.
fn spread_to_control(joined: &[Joined], flow: &Flow, found: &mut [Option<u32>]) {
    for (at, own) in joined.iter().enumerate() {
        let readers = &flow.readers[at];
        let leaves =
            !readers.is_empty() && readers.iter().all(|it| joined[*it].role == Role::Exports);
        let lines = flow.writers[at].iter().filter(|it| **it < at).map(|it| found[*it]);
        if found[at].is_some() || own.claim != Claim::Nothing {
            continue;
        }
        match own.role {
            Role::Steers => {
                let known: Vec<Option<u32>> = lines.filter(Option::is_some).collect();
                found[at] = the_one(&known);
            }
            // A conversion on the way out.
            Role::Computes if leaves => found[at] = the_one(&lines.collect::<Vec<_>>()),
            _ => {}
        }
    }
    // The mask that is kept while a comparison holds is of that comparison.
    for (at, own) in joined.iter().enumerate().rev() {
        if found[at].is_none() && own.role == Role::Steers {
            let lines: Vec<Option<u32>> = flow.readers[at].iter().map(|it| found[*it]).collect();
            found[at] = the_one(&lines);
        }
    }
}

/// The line that all have.
fn the_one(lines: &[Option<u32>]) -> Option<u32> {
    let first = *lines.first()?;
    first.filter(|_| lines.iter().all(|it| *it == first))
}
