//! Two shaders that are one program beside its machine code.

use super::*;
use crate::tests::walk;

pub(super) fn merged_programs() -> impl Iterator<Item = Program> {
    all_programs().into_iter().filter(|program| program.shaders == 2)
}

pub(super) fn merged(
    program: &Program,
    code: &MachineCode,
    seed: u64,
) -> Result<Joined, ShaderError> {
    let mut patch = inputs(seed + 1);
    patch.vertices.truncate(3);
    let inputs = [(1, inputs(seed)), (2, patch)];
    Joined::merged(&program.shader, inputs, program.target, &mut |_| Ok(code.clone()))
}

/// The bits of a component in a lane.
fn bits(run: &JoinedRun<'_>, (thread, lane): (usize, usize), name: &str) -> u32 {
    let expression = expression::Expression::parse(name).expect("an expression");
    match conditions::evaluate(run, &expression, thread, lane) {
        Ok(expression::Value::Bits(bits, _)) => bits,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn the_second_shader_reads_what_the_first_hands_over() {
    let mut ran = 0;
    for program in merged_programs() {
        let joined = match merged(&program, &program.code, 3) {
            Ok(joined) => joined,
            Err(error) => {
                assert_eq!(error.message, "lanes of two stages that see each other");
                continue;
            }
        };
        assert!(joined.verdict().contains("agree"), "{}: {}", program.name, joined.verdict());
        let mut run = joined.run().expect("inputs");
        let of_first = joined.before[0].run().expect("inputs").instructions();
        let barrier = joined.lines.iter().position(|(text, _)| text == "s_barrier");
        assert!(run.threads() >= 2, "{} threads", run.threads());
        assert!(run.thread_name(0).starts_with("VERT: four vertices"), "{}", run.thread_name(0));
        assert!(run.thread_name(1).starts_with("TESS_CTRL: "), "{}", run.thread_name(1));
        let mut at_first = 0;
        while run.thread() == Some(0) {
            // Nothing of the second is done before its turn.
            let next = run.stepping_beneath().map(|it| it - run.listing().start);
            assert!(next.is_none_or(|next| run.ordinal(next) as usize <= of_first));
            assert_eq!(run.beneath(1), None);
            at_first += usize::from(run.stepping_beneath().is_some());
            run.step().expect("a step");
        }
        assert!(at_first > 5, "{at_first} machine instructions of the first");
        assert!(run.next(0) > barrier, "{:?}", run.next(0));
        assert_eq!(run.instruction(0), None, "the first has ended");
        for (vertex, component) in (0..3).flat_map(|vertex| (0..4).map(move |it| (vertex, it))) {
            let letter = ["x", "y", "z", "w"][component];
            let left = bits(&run, (0, vertex), &format!("OUT[0].{letter}"));
            let read = bits(&run, (1, 0), &format!("IN[{vertex}][0].{letter}"));
            assert_eq!(left, read, "{}: vertex {vertex}, {letter}", program.name);
        }
        let statement = run.instruction(1).expect("a statement");
        assert_eq!(statement, of_first);
        assert!(run.line(statement) > run.line(of_first - 1));
        while run.thread().is_some() {
            run.step().expect("a step");
        }
        let mut alone = Alone::new(&joined);
        while alone.machine.wave().is_some() {
            alone.step();
        }
        assert_eq!(run.execution.machine(), alone.machine.machine(), "{}", program.name);
        ran += 1;
    }
    assert_eq!(ran, 2);
}

#[test]
fn both_shaders_walk_both_ways() {
    for program in merged_programs() {
        let Ok(joined) = merged(&program, &program.code, 2) else { continue };
        walk(joined.run().expect("inputs"), 1 << 22, 5, 60);
        let mut debugger = debugger(&joined);
        assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
        assert_eq!(debugger.go_back(&mut || Pace::Go), Stop::Beginning);
        // From line to line through both, and back.
        let mut forth = Vec::new();
        while let Some(thread) = debugger.subject().thread() {
            let own = debugger.subject().instruction(thread);
            forth.extend(own.filter(|own| *own < debugger.subject().listing().start));
            debugger.step_in(thread, Stride::Line, &mut || Pace::Go);
        }
        forth.dedup();
        assert_eq!(forth, (0..debugger.subject().listing().start).collect::<Vec<_>>());
    }
}

#[test]
fn a_difference_in_either_shader_stops_the_run() {
    let mut halves = [0; 2];
    for program in merged_programs() {
        let Ok(sound) = merged(&program, &program.code, 3) else { continue };
        let of_first = sound.before[0].run().expect("inputs").instructions();
        for (number, word) in sound.code.instructions.iter().map(|it| it.offset).enumerate() {
            let mut code = program.code.clone();
            code.code[word as usize] ^= 1;
            let Ok(joined) = merged(&program, &code, 3) else { continue };
            let Some(difference) = &joined.difference else { continue };
            let mut debugger = debugger(&joined);
            debugger.events.insert(EventKind::Difference);
            let Stop::Event(event) = debugger.go_on(&mut || Pace::Go) else { continue };
            assert_eq!(event.what, difference.difference.to_string());
            halves[usize::from(sound.lines[number].1 as usize > of_first)] += 1;
        }
    }
    assert!(halves[0] >= 3 && halves[1] >= 10, "{halves:?}");
}
