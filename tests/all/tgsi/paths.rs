//! Diagnostics about paths, against all paths: random programs are run with every outcome
//! of every condition, until no new state appears. A state has the calls that are open, so
//! that each returns behind its own.

use std::collections::BTreeSet;

use proptest::prelude::*;
use source::no_checkpoint;

/// Temporaries of a program; each has four components.
const REGISTERS: u8 = 3;
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A part of a program.
#[derive(Debug, Clone)]
enum Part {
    Write(u8, u8),
    Break,
    Continue,
    Return,
    /// Of the subroutine behind the one that this stands in, and so on.
    Call(u8),
    If(Vec<Part>, Option<Vec<Part>>),
    Loop(Vec<Part>),
    /// The parts behind each `CASE`, and the number of the one that is `DEFAULT` instead.
    Switch(Vec<Vec<Part>>, usize),
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Write(u8, u8),
    Read(u8, u8),
    Break,
    Continue,
    Return,
    Call(u8),
    Subroutine,
    EndSubroutine,
    If,
    Else,
    EndIf,
    Loop,
    EndLoop,
    Switch,
    Case,
    Default,
    EndSwitch,
    End,
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let leaf = prop_oneof![
        6 => (0..REGISTERS, 1u8..16).prop_map(|(register, mask)| Part::Write(register, mask)),
        2 => Just(Part::Break),
        1 => Just(Part::Continue),
        1 => Just(Part::Return),
        1 => (0u8..2).prop_map(Part::Call),
    ];
    let part = leaf.prop_recursive(4, 24, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (block(), prop::option::of(block())).prop_map(|(then, other)| Part::If(then, other)),
            block().prop_map(Part::Loop),
            (prop::collection::vec(block(), 1..4), 0usize..5)
                .prop_map(|(cases, default)| Part::Switch(cases, default)),
        ]
    });
    prop::collection::vec(part, 1..6)
}

/// The place of parts: the jumps that lead somewhere, and the subroutines that can be
/// called.
#[derive(Debug, Clone, Copy)]
struct Place {
    in_loop: bool,
    in_block: bool,
    /// The first subroutine that this may call, and how many there are: none calls
    /// back.
    callees: (u8, u8),
}

/// Writes parts as instructions; jumps and calls that lead nowhere become writes.
fn flatten(parts: &[Part], here: Place, steps: &mut Vec<Step>) {
    for part in parts {
        match part {
            Part::Write(register, mask) => steps.push(Step::Write(*register, *mask)),
            Part::Break if here.in_block => steps.push(Step::Break),
            Part::Continue if here.in_loop => steps.push(Step::Continue),
            Part::Call(further) if here.callees.0 + further < here.callees.1 => {
                steps.push(Step::Call(here.callees.0 + further));
            }
            Part::Break | Part::Continue | Part::Call(_) => steps.push(Step::Write(0, 1)),
            Part::Return => steps.push(Step::Return),
            Part::If(then, other) => {
                steps.push(Step::If);
                flatten(then, here, steps);
                if let Some(other) = other {
                    steps.push(Step::Else);
                    flatten(other, here, steps);
                }
                steps.push(Step::EndIf);
            }
            Part::Loop(body) => {
                steps.push(Step::Loop);
                flatten(body, Place { in_loop: true, in_block: true, ..here }, steps);
                steps.push(Step::EndLoop);
            }
            Part::Switch(cases, default) => {
                steps.push(Step::Switch);
                for (number, body) in cases.iter().enumerate() {
                    steps.push(if number == *default { Step::Default } else { Step::Case });
                    flatten(body, Place { in_block: true, ..here }, steps);
                }
                steps.push(Step::EndSwitch);
            }
        }
    }
}

/// The steps that may follow each step.
fn successors(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = (0..steps.len()).map(|place| vec![place + 1]).collect();
    // Where each open block began, its `ELSE` or cases, and its breaks.
    let mut open: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    let innermost = |open: &[(usize, Vec<usize>, Vec<usize>)], wanted: &[Step]| {
        open.iter().rposition(|(start, ..)| wanted.contains(&steps[*start])).expect("a block")
    };
    for (place, step) in steps.iter().enumerate() {
        match step {
            Step::If | Step::Loop | Step::Switch => open.push((place, Vec::new(), Vec::new())),
            Step::Else | Step::Case | Step::Default => {
                open.last_mut().expect("a block").1.push(place);
            }
            Step::EndIf => {
                let (start, other, _) = open.pop().expect("an IF");
                match other.first() {
                    Some(other) => {
                        next[start].push(other + 1);
                        next[*other] = vec![place];
                    }
                    None => next[start].push(place),
                }
            }
            Step::EndLoop => {
                let (start, _, breaks) = open.pop().expect("a loop");
                next[place] = vec![start + 1];
                breaks.into_iter().for_each(|it| next[it] = vec![place + 1]);
            }
            Step::EndSwitch => {
                let (start, cases, breaks) = open.pop().expect("a switch");
                let default = cases.iter().any(|case| steps[*case] == Step::Default);
                next[start] = cases;
                if !default {
                    next[start].push(place);
                }
                breaks.into_iter().for_each(|it| next[it] = vec![place + 1]);
            }
            Step::Break => {
                let block = innermost(&open, &[Step::Loop, Step::Switch]);
                open[block].2.push(place);
            }
            Step::Continue => {
                let block = innermost(&open, &[Step::Loop]);
                next[place] = vec![open[block].0 + 1];
            }
            Step::Return | Step::EndSubroutine | Step::End => next[place].clear(),
            Step::Write(..) | Step::Read(..) | Step::Call(_) | Step::Subroutine => {}
        }
    }
    next
}

/// Every state on every path: a step, what is written before it, and where the open
/// calls return to.
fn states(steps: &[Step]) -> BTreeSet<(usize, u16, Vec<usize>)> {
    let next = successors(steps);
    let starts = starts(steps);
    let mut seen = BTreeSet::from([(0, 0, Vec::new())]);
    let mut open = vec![(0, 0, Vec::new())];
    while let Some((place, written, calls)) = open.pop() {
        let after = match steps[place] {
            Step::Write(register, mask) => written | u16::from(mask) << (register * 4),
            _ => written,
        };
        let follow: Vec<(usize, Vec<usize>)> = match steps[place] {
            Step::Call(callee) => {
                let calls = calls.iter().copied().chain([place + 1]).collect();
                vec![(starts[callee as usize], calls)]
            }
            Step::Return | Step::EndSubroutine => match calls.split_last() {
                Some((back, calls)) => vec![(*back, calls.to_vec())],
                None => Vec::new(),
            },
            _ => next[place].iter().map(|next| (*next, calls.clone())).collect(),
        };
        for (place, calls) in follow {
            let state = (place, after, calls);
            if seen.insert(state.clone()) {
                open.push(state);
            }
        }
    }
    seen
}

/// The steps that subroutines begin with.
fn starts(steps: &[Step]) -> Vec<usize> {
    let begins = |(_, step): &(usize, &Step)| **step == Step::Subroutine;
    steps.iter().enumerate().filter(begins).map(|(place, _)| place).collect()
}

fn mask_text(mask: u8) -> String {
    (0..4).filter(|bit| mask & 1 << bit != 0).map(|bit| LETTERS[bit]).collect()
}

fn text_of(steps: &[Step]) -> String {
    let mut text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..{}]\n\
         IMM[0] UINT32 {{0, 1, 2, 3}}\n",
        REGISTERS - 1
    );
    let starts = starts(steps);
    for step in steps {
        text += &match step {
            Step::Call(callee) => format!("CAL :{}", starts[*callee as usize]),
            Step::Subroutine => "BGNSUB".to_owned(),
            Step::EndSubroutine => "ENDSUB".to_owned(),
            Step::Write(register, mask) => {
                format!("MOV TEMP[{register}].{}, IN[0]", mask_text(*mask))
            }
            Step::Read(register, component) => {
                let letter = LETTERS[*component as usize].to_string().repeat(4);
                format!("MOV OUT[0].x, TEMP[{register}].{letter}")
            }
            Step::If => "IF IN[0].xxxx".to_owned(),
            Step::Switch => "SWITCH IN[0].xxxx".to_owned(),
            Step::Case => "CASE IMM[0].xxxx".to_owned(),
            Step::Break => "BRK".to_owned(),
            Step::Continue => "CONT".to_owned(),
            Step::Return => "RET".to_owned(),
            Step::Else => "ELSE".to_owned(),
            Step::EndIf => "ENDIF".to_owned(),
            Step::Loop => "BGNLOOP".to_owned(),
            Step::EndLoop => "ENDLOOP".to_owned(),
            Step::Default => "DEFAULT".to_owned(),
            Step::EndSwitch => "ENDSWITCH".to_owned(),
            Step::End => "END".to_owned(),
        };
        text.push('\n');
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1200))]

    #[test]
    fn reads_and_dead_code_are_judged_as_all_paths_say(
        parts in parts(),
        subroutines in prop::collection::vec(parts(), 0..3),
        place in any::<prop::sample::Index>(),
        register in 0..REGISTERS,
        component in 0u8..4,
    ) {
        let mut steps = Vec::new();
        let count = subroutines.len() as u8;
        let here = Place { in_loop: false, in_block: false, callees: (0, count) };
        flatten(&parts, here, &mut steps);
        steps.push(Step::End);
        for (number, subroutine) in subroutines.iter().enumerate() {
            steps.push(Step::Subroutine);
            let callees = (number as u8 + 1, count);
            flatten(subroutine, Place { callees, ..here }, &mut steps);
            steps.push(Step::EndSubroutine);
        }
        // Somewhere in the program or in a subroutine, and not between them.
        let mut reads: Vec<usize> = (0..steps.len()).collect();
        reads.retain(|place| steps[*place] != Step::Subroutine);
        let read = reads[place.index(reads.len())];
        steps.insert(read, Step::Read(register, component));
        let text = text_of(&steps);
        let states = states(&steps);
        let shader = tgsi::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
        let found = tgsi::validate(&shader, &no_checkpoint);

        let bit = 1u16 << (register * 4 + component);
        let here = states.iter().filter(|state| state.0 == read).map(|state| state.1 & bit != 0);
        let here: BTreeSet<bool> = here.collect();
        let has = |code: &str| found.iter().any(|it| it.code.0 == code);
        let never = here == BTreeSet::from([false]);
        let sometimes = here.len() == 2;
        prop_assert_eq!(has("tgsi::unwritten-temporary"), never, "{}", text);
        prop_assert_eq!(has("tgsi::maybe-unwritten"), sometimes, "{}", text);

        let reached: BTreeSet<usize> = states.iter().map(|(place, ..)| *place).collect();
        for (place, instruction) in shader.instructions().enumerate() {
            if matches!(steps[place], Step::Write(..) | Step::Read(..) | Step::If | Step::Loop) {
                let range = instruction.opcode.range;
                let dead = found.iter().any(|it| {
                    it.code.0 == "tgsi::unreachable" && it.range.contains_range(range)
                });
                prop_assert_eq!(dead, !reached.contains(&place), "instruction {}\n{}", place, text);
            }
        }
    }
}
