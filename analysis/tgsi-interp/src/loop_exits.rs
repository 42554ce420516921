//! Instructions that are on the way out of a loop: from them control comes back to no further
//! round.
//!
//! In a compiler's control flow graph such code is behind the loop, and invocations that leave
//! the loop in different rounds may run it together.

use std::collections::BTreeSet;

use crate::action::Action;
use crate::program::Program;

/// Returns the places of questions to the subgroup that are on the way out of a loop, or in a
/// subroutine, which may be called there.
pub(crate) fn questions_on_exits(program: &Program) -> BTreeSet<usize> {
    let is_question = |place: &usize| matches!(program.ops[*place].action, Action::Subgroup(_));
    let mut found = BTreeSet::new();
    if !(0..program.ops.len()).any(|place| is_question(&place)) {
        return found;
    }
    let blocks = Blocks::of(program);
    for (first, last) in &blocks.closed {
        let inside = *first + 1..*last;
        let stays = match program.ops[*first].action {
            Action::Subroutine => BTreeSet::new(),
            action if action.opens_loop() => blocks.stays_in(*first, *last),
            _ => continue,
        };
        found.extend(inside.filter(|place| !stays.contains(place)).filter(is_question));
    }
    found
}

/// The blocks of a program.
struct Blocks<'a> {
    program: &'a Program,
    /// The first and the last place of each.
    closed: Vec<(usize, usize)>,
    /// For each place the block around it, by its number in `closed`; a block's own ends are in it.
    around: Vec<Option<usize>>,
    /// For each block the one around it.
    outer: Vec<Option<usize>>,
}

impl<'a> Blocks<'a> {
    fn of(program: &'a Program) -> Blocks<'a> {
        let mut blocks =
            Blocks { program, closed: Vec::new(), around: Vec::new(), outer: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        for (place, op) in program.ops.iter().enumerate() {
            if op.action.opens_block() {
                blocks.outer.push(open.last().copied());
                open.push(blocks.closed.len());
                blocks.closed.push((place, place));
            }
            blocks.around.push(open.last().copied());
            if let Some(own) = open.pop_if(|_| program.closes_block(place)) {
                blocks.closed[own].1 = place;
            }
        }
        blocks
    }

    /// Returns the places of a loop from which control comes to another round.
    fn stays_in(&self, first: usize, last: usize) -> BTreeSet<usize> {
        let mut leads_to: Vec<Vec<usize>> = vec![Vec::new(); last + 1 - first];
        for place in first..last {
            for next in self.successors(place).into_iter().filter(|it| (first..=last).contains(it))
            {
                leads_to[next - first].push(place);
            }
        }
        let mut stays = BTreeSet::from([last]);
        let mut open = vec![last];
        while let Some(place) = open.pop() {
            for before in &leads_to[place - first] {
                if stays.insert(*before) {
                    open.push(*before);
                }
            }
        }
        stays
    }

    /// Returns the places that control may come to behind one, of which a loop's own end is
    /// another round.
    fn successors(&self, place: usize) -> Vec<usize> {
        let op = &self.program.ops[place];
        let own = self.around[place].map(|block| self.closed[block]);
        match op.action {
            Action::IfFloat | Action::IfInteger => {
                let (_, last) = own.unwrap_or((place, place));
                let other = if op.partner == 0 { last } else { op.partner + 1 };
                vec![self.behind(place), other]
            }
            Action::Switch => {
                let last = own.map_or(place, |own| own.1);
                op.targets.iter().copied().chain([last]).collect()
            }
            Action::Break => self.left_by_break(place),
            Action::BreakIf => {
                let mut all = self.left_by_break(place);
                all.push(self.behind(place));
                all
            }
            Action::Continue => self.end_of(place, Action::opens_loop).into_iter().collect(),
            Action::Return | Action::End => Vec::new(),
            _ => vec![self.behind(place)],
        }
    }

    /// The place behind one: from the first branch of a condition its end.
    fn behind(&self, place: usize) -> usize {
        let next = place + 1;
        match self.program.ops.get(next).map(|op| op.action) {
            Some(Action::Else) => self.around[next].map_or(next, |block| self.closed[block].1),
            _ => next,
        }
    }

    /// The place behind the block that a break leaves.
    fn left_by_break(&self, place: usize) -> Vec<usize> {
        let end = self.end_of(place, |it| it.opens_loop() || matches!(it, Action::Switch));
        end.map(|end| end + 1).into_iter().collect()
    }

    /// Returns the end of the innermost block of a kind around a place.
    fn end_of(&self, place: usize, is_wanted: impl Fn(Action) -> bool) -> Option<usize> {
        let mut block = self.around[place];
        while let Some(own) = block {
            let (first, last) = self.closed[own];
            if is_wanted(self.program.ops[first].action) {
                return Some(last);
            }
            block = self.outer[own];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the questions on the way out of a loop, among all questions of a shader with
    /// some lines.
    fn on_exits(lines: &str) -> Vec<usize> {
        let text = format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n{}\nMOV OUT[0], TEMP[0]\nEND\n",
            lines.replace(", ", "\n").replace("ask", "VOTE_ANY TEMP[0].x, IN[0].xxxx")
        );
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.expect("a shader")).expect("it runs");
        let is_question = |place: &usize| matches!(program.ops[*place].action, Action::Subgroup(_));
        let questions = (0..program.ops.len()).filter(is_question);
        let found = questions.enumerate().filter(|(_, place)| program.on_exits.contains(place));
        found.map(|(number, _)| number).collect()
    }

    #[test]
    fn what_leads_to_no_further_round_is_on_the_way_out() {
        for (lines, expected) in [
            ("ask, BGNLOOP, ask, UIF IN[0].xxxx, ask, BRK, ENDIF, ask, ENDLOOP, ask", vec![2]),
            // Both branches leave, or one goes on.
            (
                "BGNLOOP, UIF IN[0].xxxx, ask, UIF IN[0].yyyy, BRK, ELSE, RET, ENDIF, ENDIF, ENDLOOP",
                vec![0],
            ),
            ("BGNLOOP, UIF IN[0].xxxx, ask, UIF IN[0].yyyy, BRK, ENDIF, ENDIF, ENDLOOP", vec![]),
            (
                "BGNLOOP, UIF IN[0].xxxx, ask, UIF IN[0].yyyy, CONT, ENDIF, BRK, ENDIF, ENDLOOP",
                vec![],
            ),
            // The first branch does not come to the second one.
            ("BGNLOOP, UIF IN[0].xxxx, ask, ELSE, BRK, ENDIF, ENDLOOP", vec![]),
            ("BGNLOOP, UIF IN[0].xxxx, ELSE, ask, BRK, ENDIF, ENDLOOP", vec![0]),
            // A break out of a switch, and one out of an inner loop.
            ("BGNLOOP, SWITCH IN[0].xxxx, DEFAULT, ask, BRK, ENDSWITCH, ENDLOOP", vec![]),
            ("BGNLOOP, BGNLOOP, UIF IN[0].xxxx, ask, BRK, ENDIF, ENDLOOP, ENDLOOP", vec![0]),
            ("BGNLOOP, BGNLOOP, ask, UIF IN[0].xxxx, BRK, ENDIF, ENDLOOP, ENDLOOP", vec![]),
            // All of an inner loop, where the outer one ends behind it.
            (
                "BGNLOOP, UIF IN[0].xxxx, BGNLOOP, ask, UIF IN[0].xxxx, BRK, ENDIF, ENDLOOP, BRK, ENDIF, ENDLOOP",
                vec![0],
            ),
        ] {
            assert_eq!(on_exits(lines), expected, "{lines}");
        }
    }
}
