//! Both sides together, over shaders that a compiler has compiled before: `programs` of
//! `diff-exec` holds them.

mod merged;

use std::path::Path;

use gcn::Target;
use tgsi_interp::inputs::Inputs;
use tgsi_interp::{Register, Resources};

use super::{Joined, JoinedRun, MachineCode};
use crate::shader::ShaderError;
use crate::tests::{Seeded, walk};
use crate::*;

/// A shader with its recorded machine code.
struct Program {
    name: String,
    target: Target,
    /// The text of the shader, or of two that are one program.
    shader: String,
    shaders: usize,
    code: MachineCode,
}

/// The programs of one shader each.
fn programs() -> Vec<Program> {
    all_programs().into_iter().filter(|program| program.shaders == 1).collect()
}

fn all_programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../diff-exec/programs");
    let files = std::fs::read_dir(folder).expect("the programs");
    let mut paths: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a program");
        let parts = text.split("--- ").skip(1).filter_map(|part| part.split_once('\n'));
        let parts: Vec<(&str, &str)> = parts.collect();
        let part = |name| parts.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        let digit = |pair: &[u8]| {
            u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("a byte")
        };
        let shaders = parts.iter().filter(|it| it.0 == "shader").map(|(_, text)| *text);
        Program {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            target: Target::find(part("chip").trim()).expect("a chip"),
            shaders: shaders.clone().count(),
            shader: shaders.collect(),
            code: MachineCode {
                assembly: part("assembly").to_owned(),
                code: part("code").trim().as_bytes().chunks(2).map(digit).collect(),
                edited: None,
            },
        }
    };
    paths.iter().map(read).collect()
}

/// Small floats, and here and there an integer.
fn inputs(seed: u64) -> Inputs {
    let mut random = Seeded(seed);
    let mut word = move || match random.next() % 4 {
        0 => (random.next() % 5) as u32,
        _ => ((random.next() % 64) as f32 / 8.0 - 2.0).to_bits(),
    };
    let mut register = || -> Register { std::array::from_fn(|_| std::array::from_fn(|_| word())) };
    let vertices = (0..6).map(|_| (0..8).map(|_| register()).collect()).collect();
    let system_values = (0..8).map(|_| register()).collect();
    let constants = vec![(0..8).map(|_| register().map(|it| it[0])).collect()];
    let buffers = vec![(0..4).flat_map(|_| register().map(|it| it[0])).collect()];
    let resources = Resources { constants, buffers, ..Resources::default() };
    Inputs { vertices, system_values, resources, ..Inputs::default() }
}

fn joined(program: &Program, code: &MachineCode, seed: u64) -> Result<Joined, ShaderError> {
    Joined::new(&program.shader, 1, inputs(seed), program.target, &mut |_| Ok(code.clone()))
}

/// Shaders with their machine code for the records: sound ones, some with a wrong bit, and those
/// of two shaders. Each with its name.
pub(crate) fn recorded() -> impl Iterator<Item = (String, Result<Joined, ShaderError>)> {
    let single = programs().into_iter().step_by(3).map(|program| {
        let sound = joined(&program, &program.code, 1);
        (program.name, sound)
    });
    let wrong = programs().into_iter().skip(1).step_by(5).map(|program| {
        let mut code = program.code.clone();
        let place = code.code.len() / 8 * 4;
        code.code[place] ^= 1;
        (format!("{} with a wrong bit", program.name), joined(&program, &code, 1))
    });
    let both = merged::merged_programs().map(|program| {
        let joined = merged::merged(&program, &program.code, 3);
        (program.name, joined)
    });
    single.chain(wrong).chain(both)
}

/// The positions and values of the shader alone.
fn of_shader(scopes: Vec<Scope>) -> Vec<Scope> {
    const OWN: [&str; 4] = ["Outputs", "Temporaries", "Addresses", "Memory"];
    scopes.into_iter().filter(|scope| OWN.contains(&scope.name)).collect()
}

/// The machine by itself, group after group.
struct Alone<'j> {
    joined: &'j Joined,
    machine: gcn_emu::Execution<'j>,
    textures: diff_exec::HeldTextures,
    group: usize,
}

impl<'j> Alone<'j> {
    fn new(joined: &'j Joined) -> Alone<'j> {
        let machine = joined.start.machine.clone();
        let machine = gcn_emu::Execution::new(&joined.code, machine, Default::default());
        Alone { joined, machine, textures: joined.start.textures.clone(), group: 0 }
    }

    fn step(&mut self) {
        self.machine.step(&mut self.textures).expect("a step");
        if self.machine.wave().is_none()
            && let Some(waves) = self.joined.start.groups.get(self.group)
        {
            let mut own = self.machine.machine().clone();
            own.waves = waves.clone();
            self.machine = gcn_emu::Execution::new(&self.joined.code, own, Default::default());
            self.group += 1;
        }
    }
}

#[test]
fn each_side_does_what_it_does_alone() {
    let (mut ran, mut refused, mut compared, mut quads) = (0, Vec::new(), 0, 0);
    for program in programs() {
        let joined = match joined(&program, &program.code, 1) {
            Ok(joined) => joined,
            Err(reason) => {
                refused.push(format!("{}: {reason}", program.name));
                continue;
            }
        };
        assert!(joined.verdict().contains("agree"), "{}: {}", program.name, joined.verdict());
        let mut both = joined.run().expect("inputs");
        let mut alone = joined.shader.run().expect("inputs");
        let mut machine = Alone::new(&joined);
        let statements = alone.instructions();
        while let Some(thread) = both.thread() {
            let beneath = both.stepping_beneath();
            both.step().expect("a step");
            match beneath {
                Some(_) => machine.step(),
                None => alone.step().expect("a step"),
            }
            if let Some(own) = both.instruction(thread).filter(|own| *own < statements) {
                assert_eq!(alone.instruction(thread), Some(own), "{}", program.name);
            }
            let (one, other) = (both.scopes(thread), alone.scopes(thread));
            assert_eq!(of_shader(one), of_shader(other), "{}", program.name);
            compared += 1;
        }
        assert!(alone.thread().is_none() && machine.machine.wave().is_none(), "{}", program.name);
        assert_eq!(both.execution.machine(), machine.machine.machine(), "{}", program.name);
        quads += usize::from(both.threads() > 1);
        ran += 1;
    }
    let is_told = |it: &String| it.ends_with("of which nothing is given");
    assert!(refused.iter().all(is_told) && ran >= 30, "{ran} ran; {refused:#?}");
    assert!(compared > 1000 && quads > 0, "{compared} steps, {quads} of several quads");
}

#[test]
fn the_machine_has_done_a_line_when_the_interpreter_goes_on() {
    let mut looked_at = 0;
    for program in programs() {
        let jumps = ["BGNLOOP", "CAL", "IF"].iter().any(|word| program.shader.contains(word));
        let Ok(joined) = joined(&program, &program.code, 1) else { continue };
        let mut run = joined.run().expect("inputs");
        let (listing, mut statement) = (run.listing(), None);
        while !jumps && run.thread().is_some() {
            let own = run.instruction(0).filter(|own| !listing.contains(own));
            let beneath = run.beneath(0).map(|own| own - listing.start);
            if let (Some(own), Some(beneath)) = (own.filter(|_| own != statement), beneath) {
                let pending = joined.pending[beneath] as usize;
                assert!(pending == 0 || pending > own, "{}: {own}, {pending}", program.name);
                looked_at += 1;
            }
            statement = own;
            run.step().expect("a step");
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}

#[test]
fn both_sides_walk_both_ways() {
    for program in programs().iter().step_by(5) {
        let Ok(joined) = joined(program, &program.code, 2) else { continue };
        walk(joined.run().expect("inputs"), 1 << 22, 5, 60);
    }
}

fn debugger(joined: &Joined) -> Debugger<JoinedRun<'_>> {
    Debugger::new(Recording::new(joined.run().expect("inputs"), DEFAULT_BYTES))
}

#[test]
fn the_first_difference_stops_the_run_where_it_is_made() {
    let mut found = 0;
    for program in programs().into_iter().step_by(3) {
        for word in (0..program.code.code.len()).step_by(8) {
            let mut code = program.code.clone();
            code.code[word] ^= 1;
            let Ok(joined) = joined(&program, &code, 1) else { continue };
            let Some(difference) = &joined.difference else { continue };
            let mut debugger = debugger(&joined);
            debugger.events.insert(EventKind::Difference);
            let stop = debugger.go_on(&mut || Pace::Go);
            let Stop::Event(event) = stop else { continue };
            assert_eq!(event.kind, EventKind::Difference);
            assert_eq!(event.what, difference.difference.to_string());
            let Some(instruction) = difference.instruction else { continue };
            // It was the last that the machine executed.
            let before = debugger.step_back(0, Stride::Instruction, &mut || Pace::Go);
            assert_eq!(before, Stop::Step);
            let listed = debugger.subject().listing().start + instruction;
            assert_eq!(debugger.subject().beneath(0), Some(listed), "{}", program.name);
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

/// The instructions of a program, as a listing has them: without statements.
fn listing(program: &Program) -> Vec<gcn::compiled::Instruction> {
    let MachineCode { assembly, code, .. } = &program.code;
    let read = gcn::compiled::read(assembly, code, program.target).expect("a program");
    read.instructions
        .into_iter()
        .map(|own| gcn::compiled::Instruction { ordinal: 0, ..own })
        .collect()
}

/// The same code with one of its instructions in another form, or left out.
fn edited(program: &Program, at: usize, words: Vec<u32>, text: &str) -> MachineCode {
    let mut own = listing(program);
    own[at] = gcn::compiled::Instruction { words, text: text.to_owned(), ..own[at].clone() };
    MachineCode { edited: Some(own), ..program.code.clone() }
}

#[test]
fn edited_code_runs_and_keeps_its_statements() {
    const NOP: u32 = 0xbf80_0000;
    let (mut ran, mut early) = (0, 0);
    for program in programs() {
        let Ok(compiled) = joined(&program, &program.code, 1) else { continue };
        let unchanged = MachineCode { edited: Some(listing(&program)), ..program.code.clone() };
        let same = joined(&program, &unchanged, 1).expect("a shader");
        assert_eq!(same.lines, compiled.lines, "{}", program.name);
        assert!(same.verdict().contains("agree"), "{}: {}", program.name, same.verdict());
        ran += 1;
        let waits = compiled.lines.iter().position(|(text, _)| text == "s_waitcnt lgkmcnt(0)");
        let Some(at) = waits else { continue };
        let code = edited(&program, at, vec![NOP], "s_nop 0");
        let edited = joined(&program, &code, 1).expect("a shader");
        let ordinals = |of: &Joined| of.lines.iter().map(|own| own.1).collect::<Vec<_>>();
        // One more in front of it has the place of what is there.
        let mut more = listing(&program);
        more.iter_mut().skip(at).for_each(|own| own.offset += 4);
        let nop = gcn::compiled::Instruction {
            offset: more[at].offset - 4,
            words: vec![NOP | 3],
            text: "s_nop 3".to_owned(),
            ordinal: 0,
        };
        more.insert(at, nop);
        let code = MachineCode { edited: Some(more), ..program.code.clone() };
        let longer = ordinals(&joined(&program, &code, 1).expect("a shader"));
        let shorter = ordinals(&compiled);
        assert_eq!((&longer[..at], &longer[at + 1..]), (&shorter[..at], &shorter[at..]));
        assert_eq!(longer[at], shorter[at.saturating_sub(1)], "{}", program.name);
        assert_eq!(ordinals(&edited), ordinals(&compiled), "{}", program.name);
        assert!(
            edited.verdict().contains("no wait after"),
            "{}: {}",
            program.name,
            edited.verdict()
        );
        let mut debugger = debugger(&edited);
        debugger.events.insert(EventKind::MissingWait);
        let stop = debugger.go_on(&mut || Pace::Go);
        let Stop::Event(event) = stop else { panic!("{}: {stop:?}", program.name) };
        assert_eq!(event.kind, EventKind::MissingWait);
        early += 1;
    }
    assert!(ran >= 30 && early >= 10, "{ran} ran, {early} without a wait");
}

#[test]
fn machine_instructions_stop_and_step() {
    let program = programs().into_iter().find(|it| it.name.starts_with("frag_alpha_test"));
    let program = program.expect("the program");
    let joined = joined(&program, &program.code, 1).expect("a shader");
    let mut debugger = debugger(&joined);
    let listing = debugger.subject().listing();
    let last = listing.start + 5;
    debugger.breakpoints.push(Breakpoint {
        id: 1,
        instruction: last,
        condition: None,
        hit_condition: None,
        log: None,
        hits: 0,
    });
    let stop = debugger.go_on(&mut || Pace::Go);
    assert_eq!(stop, Stop::Breakpoint { ids: vec![1], lane: None });
    assert_eq!(debugger.subject().beneath(0), Some(last));
    let positions = debugger.recording().position();
    debugger.step_back(0, Stride::Instruction, &mut || Pace::Go);
    assert!(debugger.recording().position() < positions);
    assert_eq!(debugger.subject().beneath(0), Some(last - 1));
    debugger.step_in(0, Stride::Instruction, &mut || Pace::Go);
    assert_eq!(debugger.subject().beneath(0), Some(last));
    // By lines it goes through all of them, in order where nothing jumps.
    debugger.breakpoints.clear();
    debugger.restart();
    let mut lines = Vec::new();
    while let Some(own) = debugger.subject().instruction(0).filter(|it| *it < listing.start) {
        lines.push(own);
        if debugger.step_in(0, Stride::Line, &mut || Pace::Go) == Stop::End {
            break;
        }
    }
    assert!(lines.len() > 3 && lines.is_sorted_by(|one, next| one < next), "{lines:?}");
    let mut back = Vec::new();
    while debugger.step_back(0, Stride::Line, &mut || Pace::Go) == Stop::Step {
        back.push(debugger.subject().instruction(0).expect("a statement"));
    }
    back.reverse();
    assert!(lines.ends_with(&back) || back.ends_with(&lines[1..]), "{lines:?} {back:?}");
}
