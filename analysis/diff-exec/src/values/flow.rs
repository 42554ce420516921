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
}

/// Tells whether all that an instruction reads in registers is what a line reads.
pub(super) type ReadsOperands<'a> = &'a dyn Fn(usize, u32) -> bool;

/// Gives lines to instructions that have none of their own.
pub(super) fn spread(
    joined: &[Joined],
    flow: &Flow,
    reads_operands: ReadsOperands<'_>,
) -> Vec<Option<u32>> {
    let line = |it: &Joined| match it.claim {
        Claim::Line(line) => Some(line),
        Claim::Nothing | Claim::Ambiguous => None,
    };
    let mut found: Vec<Option<u32>> = joined.iter().map(line).collect();
    spread_to_parts(joined, flow, reads_operands, &mut found);
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

/// What only one line reads is of that line, if it is made of what that line reads.
fn spread_to_parts(
    joined: &[Joined],
    flow: &Flow,
    reads_operands: ReadsOperands<'_>,
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
                let mut writers = flow.writers[at].iter();
                reads_operands(at, *line) || writers.any(|it| found[*it] == Some(*line))
            };
            let is_set = own.role == Role::Moves && flow.writers[at].is_empty();
            let line = match own.role {
                // A descriptor, or an address, is of the first that needs it.
                _ if (is_set || own.role == Role::Fetches) && lines.iter().all(Option::is_some) => {
                    lines.iter().flatten().min().copied()
                }
                // A copy joins ways, unless it is of a constant.
                Role::Moves if !flow.writers[at].is_empty() => {
                    let writers = flow.writers[at].iter().map(|it| found[*it]);
                    the_one(&writers.chain(lines).collect::<Vec<_>>())
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(edges: &[(usize, usize)], count: usize) -> Flow {
        let mut flow = Flow { readers: vec![Vec::new(); count], writers: vec![Vec::new(); count] };
        for (writer, reader) in edges {
            flow.add(*writer, *reader);
        }
        flow
    }

    fn joined(claims: &[Claim], role: Role) -> Vec<Joined> {
        claims.iter().map(|claim| Joined { claim: *claim, role }).collect()
    }

    #[test]
    fn what_one_line_reads_is_of_that_line() {
        use Claim::{Ambiguous, Line, Nothing};
        let claims = [Nothing, Nothing, Ambiguous, Line(3), Line(4)];
        let edges = [(0, 1), (1, 3), (2, 3), (1, 4)];
        let computed = joined(&claims, Role::Computes);
        // The first reads what the line reads, the second what the first wrote.
        let first = |at: usize, line: u32| (at, line) == (0, 3);
        let found =
            spread(&computed, &flow(&edges[..2], 5), &|at, line| first(at, line) || at == 1);
        assert_eq!(found, [Some(3), Some(3), None, Some(3), Some(4)]);
        assert_eq!(spread(&computed, &flow(&edges, 5), &first)[..3], [None; 3]);
        // What is made of something else is no part of the line.
        assert_eq!(spread(&computed, &flow(&edges[..3], 5), &|_, _| false)[..3], [None; 3]);
        // What is fetched is of the first.
        let found = spread(&joined(&claims, Role::Fetches), &flow(&edges, 5), &|_, _| false);
        assert_eq!(found, [Some(3), Some(3), None, Some(3), Some(4)]);
    }

    #[test]
    fn control_is_of_its_comparison() {
        use Claim::{Line, Nothing};
        // The mask is kept, compared, and made whole again behind a branch.
        let mut all = joined(&[Nothing, Line(2), Nothing, Line(5), Nothing], Role::Steers);
        all[1].role = Role::Compares;
        all[3].role = Role::Computes;
        let found = spread(&all, &flow(&[(0, 4), (1, 2), (1, 4)], 5), &|_, _| false);
        assert_eq!(found, [Some(2), Some(2), Some(2), Some(5), Some(2)]);
    }

    #[test]
    fn a_wait_is_for_what_comes_next() {
        use Claim::{Line, Nothing};
        let mut all = joined(&[Nothing, Line(7), Nothing, Nothing, Line(8)], Role::Computes);
        (all[0].role, all[2].role, all[3].role) = (Role::Waits, Role::Waits, Role::Ends);
        let found = spread(&all, &flow(&[], 5), &|_, _| false);
        assert_eq!(found, [Some(7), Some(7), None, None, Some(8)]);
    }
}
