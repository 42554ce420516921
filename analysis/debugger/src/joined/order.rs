//! The order in which statements and their machine instructions take turns.
//!
//! The machine executes an instruction once the interpreter stands at its statement or behind it,
//! and whatever a compiler has moved before that: when the interpreter comes to a line the
//! machine has done all of the lines before it. This is an order of the view alone: what each
//! side computes does not depend on it.

use gcn::behaviour::Control;
use gcn_emu::Program as Code;
use tgsi::Opcode;
use tgsi::ast::Shader;

/// The statements of each subroutine, as numbers from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Functions {
    /// The first and the last statement of each.
    ranges: Vec<(u32, u32)>,
}

impl Functions {
    /// The subroutines of shaders whose statements follow each other.
    pub(super) fn of(shaders: &[&Shader]) -> Functions {
        let mut ranges = Vec::new();
        let mut before = 0;
        for shader in shaders {
            let (mut first, mut last) = (None, before);
            for instruction in shader.instructions() {
                last = before + instruction.ordinal;
                match instruction.opcode.value {
                    Opcode::BGNSUB => first = Some(last),
                    Opcode::ENDSUB => ranges.extend(first.take().map(|it| (it, last))),
                    _ => {}
                }
            }
            before = last;
        }
        Functions { ranges }
    }

    /// The subroutine of a statement; `None` for the main program.
    fn of_statement(&self, ordinal: u32) -> Option<usize> {
        self.ranges.iter().position(|(first, last)| (*first..=*last).contains(&ordinal))
    }
}

/// The place where the interpreter stands.
pub(super) struct Standing<'a> {
    /// The statement, from 1.
    pub(super) ordinal: u32,
    /// The statements that follow the open calls, the innermost last.
    pub(super) returns: &'a [Option<u32>],
}

impl Functions {
    /// Tells whether the machine may execute an instruction of a statement.
    pub(super) fn may_go(&self, standing: &Standing<'_>, machine: u32) -> bool {
        if machine == 0 {
            return true;
        }
        let own = self.of_statement(machine);
        if own == self.of_statement(standing.ordinal) {
            return machine <= standing.ordinal;
        }
        // Of a caller what stands before the call; of a subroutine that has returned all of it.
        let mut callers = standing.returns.iter().flatten();
        let caller = callers.find(|next| self.of_statement(**next) == own);
        caller.is_none_or(|next| machine < *next)
    }
}

/// For each machine instruction the first of the statements that it and those behind it come
/// from, up to the next branch; 0 where they come from none.
pub(super) fn pending(code: &Code, lines: &[(String, u32)]) -> Vec<u32> {
    let mut first = 0;
    let mut all = vec![0; lines.len()];
    for (number, (_, ordinal)) in lines.iter().enumerate().rev() {
        let control = code.def_use(number).and_then(|own| own.desc).map(|desc| desc.control());
        if control != Some(Control::Next) {
            first = 0;
        }
        first = match (first, *ordinal) {
            (0, own) => own,
            (first, 0) => first,
            (first, own) => first.min(own),
        };
        all[number] = first;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_follows_through_calls() {
        let functions = Functions { ranges: vec![(6, 8)] };
        let main = Standing { ordinal: 2, returns: &[] };
        assert!(functions.may_go(&main, 0) && functions.may_go(&main, 2));
        assert!(!functions.may_go(&main, 3));
        // The subroutine has returned, or was never called.
        assert!(functions.may_go(&main, 7));
        let inside = Standing { ordinal: 7, returns: &[Some(3)] };
        assert!(functions.may_go(&inside, 2) && functions.may_go(&inside, 7));
        assert!(!functions.may_go(&inside, 3) && !functions.may_go(&inside, 8));
    }
}
