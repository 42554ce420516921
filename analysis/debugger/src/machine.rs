//! The registers of waves as values, whoever launched them.

use std::ops::Range;

use gcn::Target;
use gcn::analysis::{AccessKind, CounterState, EXEC, InFlight, M0, RegisterSet, SCC, VCC};
use gcn::behaviour::CounterEvent;
use gcn::instruction::{Bank, Register};
use gcn_emu::{Execution, LANES, Machine, Program, Wave};

use crate::expression::{ExpressionError, Reference, Value, ValueKind};
use crate::location::Location;
use crate::subject::{Bits, Event, EventKind, Scope, Variable};

/// The vector and accumulation registers of a wave.
pub(crate) const VECTORS: usize = 512;
/// The number of the first accumulation register among the vector registers.
pub(crate) const ACCUMULATORS: usize = 256;

/// The numbers of registers: accumulation registers follow the vector ones.
pub(crate) fn numbers(register: Register) -> std::ops::Range<usize> {
    let first = usize::from(register.first)
        + if register.bank == Bank::Accumulator { ACCUMULATORS } else { 0 };
    first..first + usize::from(register.dwords)
}

/// The words of an instruction in hexadecimal.
pub(crate) fn words_text(program: &Program, instruction: usize) -> String {
    let mut text = String::new();
    for word in program.words(instruction) {
        if !text.is_empty() {
            text.push(' ');
        }
        source::digits::hex(&mut text, (*word).into(), 8);
    }
    text
}

pub(crate) fn register_name(bank: Bank, number: usize) -> String {
    match bank {
        Bank::Scalar => match number as u16 {
            EXEC => "exec_lo".to_owned(),
            VCC => "vcc_lo".to_owned(),
            M0 => "m0".to_owned(),
            SCC => "scc".to_owned(),
            own if own == EXEC + 1 => "exec_hi".to_owned(),
            own if own == VCC + 1 => "vcc_hi".to_owned(),
            _ => format!("s{number}"),
        },
        Bank::Vector | Bank::Accumulator if number >= ACCUMULATORS => {
            format!("a{}", number - ACCUMULATORS)
        }
        Bank::Vector | Bank::Accumulator => format!("v{number}"),
    }
}

/// The register that a name means, with the number of its first bracket left out.
fn named(name: &str) -> Option<(Bank, usize)> {
    let (letter, number) = name.split_at_checked(1)?;
    let number = number.parse::<usize>().ok()?;
    match letter {
        "v" | "V" if number < ACCUMULATORS => Some((Bank::Vector, number)),
        "a" | "A" if number < ACCUMULATORS => Some((Bank::Accumulator, ACCUMULATORS + number)),
        "s" | "S" if number < usize::from(VCC) => Some((Bank::Scalar, number)),
        _ => None,
    }
}

/// The number of a reference's bracket; 0 where it has none.
pub(crate) fn index(reference: &Reference, place: usize) -> Result<usize, ExpressionError> {
    let index = reference.indices.get(place).copied().unwrap_or(0);
    usize::try_from(index).map_err(|_| format!("`{}`: {index} is negative", reference.name).into())
}

/// The value of a register of a wave in a lane, of the local data share, or a word of memory.
pub(crate) fn value(
    execution: &Execution<'_>,
    number: usize,
    lane: usize,
    reference: &Reference,
) -> Result<Value, ExpressionError> {
    let machine = execution.machine();
    let wave = machine.waves.get(number).ok_or("the wave has ended")?;
    let Reference { name, indices, components } = reference;
    if !components.is_empty() {
        return Err(format!("`{name}` has no components").into());
    }
    let word = |bits: u32| Ok(Value::Bits(bits, ValueKind::Integer));
    match &*name.to_ascii_lowercase() {
        "exec" => return Ok(Value::Integer(wave.exec() as i64)),
        "vcc" => return Ok(Value::Integer(wave.vcc() as i64)),
        "scc" => return Ok(Value::Truth(wave.scc)),
        "m0" => return word(wave.m0()),
        "lds" => {
            let at = index(reference, 0)?;
            let bytes = machine.share.get(at..at.saturating_add(4));
            let bytes = bytes.and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
            let bytes = bytes.ok_or_else(|| format!("there is no `lds[{at}]`"))?;
            return word(u32::from_le_bytes(bytes));
        }
        "mem" => {
            let read = machine.memory.word(index(reference, 0)? as u64);
            return word(read.map_err(|error| error.to_string())?);
        }
        counter => {
            let mut counters = counters(execution, number).into_iter();
            if let Some(own) = counters.find(|own| own.name == counter) {
                return Ok(Value::Integer(own.most.into()));
            }
        }
    }
    match named(name) {
        Some((Bank::Scalar, number)) if indices.is_empty() => word(wave.scalar(number as u16)),
        Some((bank, first)) if bank != Bank::Scalar => {
            let lane = if indices.is_empty() { lane } else { index(reference, 0)? };
            match lane < LANES {
                true => word(wave.lane(first, lane)),
                false => Err(format!("`{name}[{lane}]`: a wave has {LANES} lanes").into()),
            }
        }
        _ => Err(format!("there is no register `{name}`").into()),
    }
}

/// The place of a register of a wave.
pub(crate) fn locate(wave: usize, reference: &Reference) -> Result<Vec<Location>, ExpressionError> {
    let place = |bank, number| Location::Register { wave, bank, number };
    let pair = |first: u16| {
        let numbers = [first, first + 1].map(usize::from);
        Ok(numbers.map(|number| place(Bank::Scalar, number)).to_vec())
    };
    match &*reference.name.to_ascii_lowercase() {
        "exec" => pair(EXEC),
        "vcc" => pair(VCC),
        "scc" => Ok(vec![place(Bank::Scalar, SCC.into())]),
        "m0" => Ok(vec![place(Bank::Scalar, M0.into())]),
        name => match named(name) {
            Some((bank, number)) => Ok(vec![place(bank, number)]),
            None => Err(format!("`{name}` is not a register").into()),
        },
    }
}

/// The bits of a register of a wave in a lane.
pub(crate) fn bits(wave: &Wave, bank: Bank, number: usize, lane: usize) -> u32 {
    match bank {
        Bank::Scalar if number == usize::from(SCC) => wave.scc.into(),
        Bank::Scalar => wave.scalar(number as u16),
        Bank::Vector | Bank::Accumulator => wave.lane(number, lane.min(LANES - 1)),
    }
}

/// The missing wait of the last step, in the lanes that were active.
pub(crate) fn missing_wait(execution: &Execution<'_>, active: u64) -> Option<Event> {
    let fault = execution.timing_fault()?;
    let lane = (active.trailing_zeros() as usize).min(LANES - 1);
    Some(Event { kind: EventKind::MissingWait, lane, what: fault.to_string() })
}

/// The registers that an instruction of a wave writes, each with its lanes.
pub(crate) fn targets(
    program: &Program,
    instruction: usize,
    wave: usize,
    active: u64,
) -> Vec<(Location, u64)> {
    let Some(def_use) = program.def_use(instruction) else { return Vec::new() };
    let mut all = Vec::new();
    for access in def_use.writes().iter().filter(|it| it.kind != AccessKind::Indexed) {
        let bank = access.register.bank;
        let lanes = match (bank, access.kind) {
            (Bank::Scalar, _) | (_, AccessKind::CrossLane) => u64::MAX,
            _ => active,
        };
        let own = numbers(access.register);
        all.extend(own.map(|number| (Location::Register { wave, bank, number }, lanes)));
    }
    all
}

/// The registers that an instruction of a wave reads to make a value in a lane. Which lanes are
/// active is not among them, nor is memory.
pub(crate) fn sources(
    program: &Program,
    instruction: usize,
    wave: usize,
    lane: usize,
) -> Vec<(Location, usize)> {
    let Some(def_use) = program.def_use(instruction) else { return Vec::new() };
    let mut all = Vec::new();
    for access in def_use.reads() {
        let register = access.register;
        let is_mask = register.bank == Bank::Scalar && [EXEC, M0].contains(&register.first);
        if access.kind == AccessKind::Indexed || is_mask && access.operand.is_none() {
            continue;
        }
        let bank = register.bank;
        for number in numbers(register) {
            let own = (Location::Register { wave, bank, number }, lane);
            if !all.contains(&own) {
                all.push(own);
            }
        }
    }
    all
}

/// Bytes of a machine, roughly.
pub(crate) fn bytes(machine: &Machine) -> usize {
    let registers: usize = machine.waves.iter().map(|wave| wave.vectors.len()).sum();
    let records = machine.messages.len() + machine.signals.len();
    256 * registers
        + machine.waves.len() * (size_of::<Wave>() + VECTORS * 12)
        + machine.memory.bytes()
        + machine.share.len()
        + machine.exports.len() * size_of::<gcn_emu::Export>()
        + records * size_of::<gcn_emu::Message>()
}

/// The registers that a program names.
pub(crate) fn used(program: &Program) -> RegisterSet {
    let mut used = RegisterSet::EMPTY;
    for number in 0..program.instructions.len() {
        let Some(own) = program.def_use(number) else { continue };
        for access in own.reads().iter().chain(own.writes()) {
            // An index may lead anywhere; the registers that are named are enough.
            if access.kind != AccessKind::Indexed {
                used.insert(access.register);
            }
        }
    }
    used
}

fn leaf(name: String, bits: Bits) -> Variable {
    Variable { name, bits, parts: Vec::new() }
}

/// The wait counters of a wave.
fn counters(execution: &Execution<'_>, wave: usize) -> Vec<CounterState> {
    execution.waits(wave).map(|waits| waits.counters().to_vec()).unwrap_or_default()
}

/// The wait counters with the operations that are in flight on each. `named` names an
/// instruction.
fn counter_scope(execution: &Execution<'_>, wave: usize, named: &dyn Fn(usize) -> String) -> Scope {
    let target = execution.program().target;
    let variable = |CounterState { name, most, operations }: CounterState| {
        let said = match most {
            0 => "nothing is in flight".to_owned(),
            1 => "1 operation may be in flight".to_owned(),
            more => format!("{more} operations may be in flight"),
        };
        let operation = |own: &InFlight| leaf(named(own.instruction), arrival(name, own, target));
        let parts = operations.iter().map(operation).collect();
        Variable { name: name.to_owned(), bits: Bits::Said(most.into(), said), parts }
    };
    let variables = counters(execution, wave).into_iter().map(variable).collect();
    Scope { name: "Counters in flight", registers: true, variables }
}

/// Says what an operation in flight will have done, and which value of its counter says so.
fn arrival(counter: &str, operation: &InFlight, target: Target) -> Bits {
    let InFlight { event, registers, done_at, .. } = operation;
    let names: Vec<String> = registers.registers().map(|own| own.name(target)).collect();
    let names = names.join(", ");
    let effect = match event {
        CounterEvent::Done => "is done".to_owned(),
        CounterEvent::Result => format!("has written {names}"),
        CounterEvent::Source => format!("has read {names}"),
    };
    Bits::Said((*done_at).into(), format!("{effect} at {counter}({done_at})"))
}

/// The registers of a wave that a program names, of vector registers some lanes; and its wait
/// counters, whose instructions `named` names.
pub(crate) fn scopes(
    execution: &Execution<'_>,
    number: usize,
    (used, lanes): (&RegisterSet, Range<usize>),
    named: &dyn Fn(usize) -> String,
) -> Vec<Scope> {
    let Some(wave) = execution.machine().waves.get(number) else { return Vec::new() };
    let mask = |bits| Bits::Mask { bits, lanes: LANES };
    let special = vec![
        leaf("exec".to_owned(), mask(wave.exec())),
        leaf("vcc".to_owned(), mask(wave.vcc())),
        leaf("scc".to_owned(), Bits::Word(wave.scc.into())),
        leaf("m0".to_owned(), Bits::Word(wave.m0())),
    ];
    let vector = |number: usize| {
        let words = wave.vector(number).get(lanes.clone()).unwrap_or_default().to_vec();
        leaf(register_name(Bank::Vector, number), Bits::Lanes(words))
    };
    let is_used = |number: &usize| used.vector[number / 64] >> (number % 64) & 1 == 1;
    let vectors: Vec<Variable> = (0..ACCUMULATORS).filter(is_used).map(vector).collect();
    let accumulators: Vec<Variable> = (ACCUMULATORS..VECTORS).filter(is_used).map(vector).collect();
    let scalars: Vec<Variable> = (0..usize::from(VCC))
        .filter(|number| used.scalar >> number & 1 == 1)
        .map(|number| leaf(format!("s{number}"), Bits::Word(wave.scalar(number as u16))))
        .collect();
    let scope = |name, variables| Scope { name, registers: true, variables };
    vec![
        scope("Special registers", special),
        scope("Vector registers", vectors),
        scope("Accumulation registers", accumulators),
        scope("Scalar registers", scalars),
        counter_scope(execution, number, named),
    ]
}
