//! A GCN kernel on the inputs of a file: what its grid leaves in memory.

use std::io;
use std::path::Path;

use debugger::kernel::{Kernel, KernelRun};
use debugger::{Bits, EventKind, Subject};
use gcn::program::assemble;
use gcn_emu::Wave;
use gcn_emu::launch::{KernelInputs, Launch};
use run_inputs::Unexpected;
use source::Severity;
use tgsi::opcodes::ValueType;
use tgsi::values;

use super::super::assembly::{Assembly, complain_of_guess, refuse_unsupported};
use super::super::files::SourceFile;
use super::super::output::{Output, Style};
use super::super::{check, read_target};
use super::{Arguments, INTERPRETER, Status, Stop, complain, failed};

/// Instructions that a trace shows, at most.
const MOST_TRACED: usize = 1 << 14;
/// Words that differ from what is expected and are shown, at most.
const MOST_UNEXPECTED: usize = 20;

pub(super) fn run(
    path: &Path,
    file: &SourceFile,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Status, Stop> {
    if arguments.engine != INTERPRETER {
        let message = "`--engine` is for shaders: a kernel is machine code, and `--target` names \
                       its chip";
        return Err(failed(format_args!("{}: {message}", file.name)));
    }
    if arguments.seed.is_some() {
        let message = "`--seed` makes up the inputs of shaders: nobody knows what a kernel expects";
        return Err(failed(format_args!("{}: {message}", file.name)));
    }
    let inputs = match &arguments.inputs {
        Some(path) => {
            let text = super::read(path)?;
            KernelInputs::read(&text).map_err(|mistake| {
                let line = mistake.line(&text);
                failed(format_args!("{}:{line}: {}", path.display(), mistake.message))
            })?
        }
        None => KernelInputs::default(),
    };
    let target = read_target(arguments.target.as_deref())?;
    let assembly = Assembly::new(file, path, &arguments.assembly);
    let reading = assembly.kind(target);
    let options = gcn::program::Options { target, ..assembly.options(reading.as_ref()) };
    let includes = |name: &str| assembly.include(name);
    let program = assemble(&file.text, &options, &includes, &source::no_checkpoint);
    refuse_unsupported(file, &program)?;
    if program.diagnostics.iter().any(|it| it.severity == Severity::Error) {
        check::complain_of(file, &program.diagnostics)?;
        complain_of_guess(&program);
        return Ok(Status::Bad);
    }
    let kernel = Kernel::new(&program, &file.text, inputs)
        .map_err(|error| failed(format_args!("{}: {error}", file.name)))?;
    if !kernel.launch().has_descriptor() {
        complain(format_args!(
            "{}: no descriptor says what registers hold at the beginning: those that the inputs \
             do not give are 0",
            file.name
        ));
    }
    if let Some(note) = kernel.launch().unfilled() {
        complain(format_args!("{}: {note}", file.name));
    }
    execute(file, &kernel, arguments, output)
}

fn execute(
    file: &SourceFile,
    kernel: &Kernel,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Status, Stop> {
    let before = kernel.launch().machine();
    let (group, wave, lane) = kernel.launch().watched();
    let mut run = kernel.run();
    let mut traced = 0;
    // The wave's registers as they are before its last instruction.
    let mut last: Option<Wave> = None;
    while let Some(turn) = run.thread() {
        let own = run.instruction(turn);
        let watched = (run.grid().group(), turn) == (group, wave);
        let active = run.active(turn);
        if watched && own.is_some_and(|own| kernel.ends(own)) {
            last = run.grid().machine().waves.get(wave).cloned();
        }
        let fault = match run.step() {
            Err(fault) => Some(fault.message),
            // The hardware need not have the values behind it.
            Ok(()) => {
                let mut events = run.events().into_iter();
                events.find(|event| event.kind == EventKind::MissingWait).map(|event| event.what)
            }
        };
        if let Some(fault) = fault {
            let line = own.and_then(|own| run.line(own));
            let place = line.map_or(String::new(), |line| format!("{line}:"));
            complain(format_args!("{}:{place} {fault} ({})", file.name, run.thread_name(turn)));
            return Ok(Status::Bad);
        }
        if let Some(own) = own.filter(|_| arguments.trace && watched) {
            if traced == MOST_TRACED {
                complain(format_args!("the trace ends after {traced} steps; the run went on"));
            }
            traced += 1;
            if traced <= MOST_TRACED {
                show_step(&run, own, wave, lane, active, output)?;
            }
        }
    }
    let steps = run.grid().steps();
    let changed = show_memory(&before, &run, output)?;
    if changed == 0 {
        output.line("nothing was written to memory")?;
    }
    complain(format_args!("{}: {steps} instructions", kernel.name()));
    let Some(expect) = &kernel.launch().inputs().expect else { return Ok(Status::Good) };
    let unexpected = expect.compare(&[0], |expected, word, _| match expected.table.name {
        "buf" => {
            let address = Launch::buffer_address(expected.number) + 4 * word as u64;
            run.grid().machine().memory.word(address).ok()
        }
        "img" => {
            let image = kernel.launch().image(expected.number)?;
            let texel = image.texel(&run.grid().machine().memory, word / 4)?;
            texel.get(word % 4).copied()
        }
        "sgpr" => {
            let number = u16::try_from(expected.number + word).ok()?;
            last.as_ref().map(|wave| wave.scalar(number))
        }
        _ => last.as_ref()?.vectors.get(expected.number)?.get(word).copied(),
    });
    conclude(&unexpected, expect.words(1), output)
}

/// Says whether a run left what was expected.
pub(super) fn conclude(
    unexpected: &[Unexpected],
    words: usize,
    output: &mut Output,
) -> Result<Status, Stop> {
    for one in unexpected.iter().take(MOST_UNEXPECTED) {
        output.line(&one.to_string())?;
    }
    if unexpected.is_empty() {
        output.line(&format!("as expected: {words} words"))?;
        return Ok(Status::Good);
    }
    let count = unexpected.len();
    complain(format_args!("{count} of {words} words are not as expected"));
    Ok(Status::Bad)
}

/// One instruction: its text, then a line for each register that it wrote.
fn show_step(
    run: &KernelRun<'_>,
    own: usize,
    wave: usize,
    lane: usize,
    active: u64,
    output: &mut Output,
) -> io::Result<()> {
    output.styled(Style::Place, &format!("{:>5}  ", run.line(own).unwrap_or(0)))?;
    output.styled_line(Style::Source, run.text(own))?;
    for (name, bits) in run.written(own, wave) {
        output.styled(Style::Strong, &format!("       {name:<9}"))?;
        let shown =
            |bits: u32| format!("{} ({bits:#010x})", values::word(ValueType::Untyped, bits));
        output.line(&match bits {
            Bits::Word(bits) => shown(bits),
            Bits::Mask { bits, .. } => format!("{bits:#018x}"),
            Bits::Lanes(words) => {
                let own = words.get(lane).copied().unwrap_or(0);
                let lanes = words.iter().enumerate();
                let differ =
                    lanes.filter(|(at, bits)| active >> at & 1 == 1 && **bits != own).count();
                match (active >> lane & 1, differ) {
                    (0, _) => format!("lane {lane} is not active"),
                    (_, 0) => shown(own),
                    (_, 1) => format!("{}, in lane {lane}; 1 lane differs", shown(own)),
                    (_, more) => format!("{}, in lane {lane}; {more} lanes differ", shown(own)),
                }
            }
            Bits::Said(_, said) => said,
            Bits::Parts => String::new(),
        })?;
    }
    Ok(())
}

/// The words of buffers and the texels of images that changed. Answers how many.
fn show_memory(
    before: &gcn_emu::Machine,
    run: &KernelRun<'_>,
    output: &mut Output,
) -> io::Result<usize> {
    let mut changed = 0;
    let (launch, after) = (run.grid().launch(), run.grid().machine());
    let word = |bits: u32| values::word(ValueType::Untyped, bits);
    for number in 0..launch.inputs().buffers.len() {
        let address = Launch::buffer_address(number);
        let (old, new) = (before.memory.words(address), after.memory.words(address));
        for (place, (old, new)) in old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a != b) {
            changed += 1;
            output.line(&format!(
                "buf[{number}] word {place}: {} ({new:#010x}), was {}",
                word(*new),
                word(*old)
            ))?;
        }
    }
    let images = launch.images().iter().enumerate();
    for (number, image) in images.filter_map(|(number, image)| Some((number, image.as_ref()?))) {
        for place in 0..image.shape.texels() as usize {
            let texel = |machine: &gcn_emu::Machine| image.texel(&machine.memory, place);
            let (Some(old), Some(new)) = (texel(before), texel(after)) else { continue };
            if old == new {
                continue;
            }
            changed += 1;
            let Some(([x, y, z, _], level)) = image.coordinates(place) else { continue };
            let level = if level > 0 { format!(", level {level}") } else { String::new() };
            let [new, old] = [new, old].map(|texel| texel.map(word).join(", "));
            output.line(&format!("img[{number}] ({x}, {y}, {z}){level}: [{new}], was [{old}]"))?;
        }
    }
    Ok(changed)
}
