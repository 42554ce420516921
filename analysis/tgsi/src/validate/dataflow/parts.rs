//! A program and its subroutines, as stretches of instructions, and who calls whom.
//!
//! Facts: "GLSL ISA" of the Gallium documentation of 2020: `CAL` goes to the
//! instruction of its label, counted from 0, and `RET` back behind it.

use rustc_hash::FxHashMap;

use crate::opcodes::Control;
use crate::validate::call_graph::CallGraph;
use crate::validate::context::Context;

/// The program itself, part 0, and each subroutine.
pub(super) struct Parts {
    /// The numbers of each part's instructions, from 0, in order.
    pub(super) instructions: Vec<Vec<usize>>,
    /// The part that each instruction calls.
    pub(super) callees: FxHashMap<usize, usize>,
    /// The parts, those before that others call.
    pub(super) callees_first: Vec<usize>,
}

impl Parts {
    /// `None` where it is not known what is called, or a call leads back to itself.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn new(context: &Context<'_>) -> Option<Parts> {
        let parts = |control: Control| {
            use Control::{Call, EndSubroutine, Jump, Subroutine};
            matches!(control, Subroutine | EndSubroutine | Call | Jump)
        };
        // Nearly all programs are one part.
        if !context.steps().any(|(_, row)| parts(row.path())) {
            let instructions = vec![(0..context.instructions.len()).collect()];
            return Some(Parts {
                instructions,
                callees: FxHashMap::default(),
                callees_first: vec![0],
            });
        }
        let mut instructions = vec![Vec::with_capacity(context.instructions.len())];
        let mut starts = FxHashMap::default();
        let mut part = 0;
        for (number, (_, row)) in context.instructions.iter().enumerate() {
            match row.path() {
                Control::Subroutine if part == 0 => {
                    part = instructions.len();
                    instructions.push(Vec::new());
                    starts.insert(number, part);
                }
                Control::EndSubroutine if part != 0 => part = 0,
                Control::Subroutine | Control::EndSubroutine | Control::Jump => return None,
                Control::Next
                | Control::If
                | Control::Else
                | Control::EndIf
                | Control::Loop
                | Control::EndLoop
                | Control::Switch
                | Control::Case
                | Control::Default
                | Control::EndSwitch
                | Control::Break
                | Control::Continue
                | Control::Return
                | Control::End
                | Control::Call => instructions[part].push(number),
            }
        }
        if part != 0 {
            return None;
        }
        let mut callees = FxHashMap::default();
        if context.steps().all(|(_, row)| row.path() != Control::Call) {
            let callees_first = (0..instructions.len()).collect();
            return Some(Parts { instructions, callees, callees_first });
        }
        for (number, (instruction, row)) in context.instructions.iter().enumerate() {
            if row.path() == Control::Call {
                let target = instruction.label?.value as usize;
                callees.insert(number, *starts.get(&target)?);
            }
        }
        let calls = |part: &Vec<usize>| {
            let callees = part.iter().filter_map(|number| callees.get(number).copied());
            callees.map(Some).collect()
        };
        let calls: Vec<Vec<Option<usize>>> = instructions.iter().map(calls).collect();
        let CallGraph { callees_first, circles } = CallGraph::new(&calls);
        circles.is_empty().then_some(Parts { instructions, callees, callees_first })
    }
}
