//! What instructions do to masks of lanes: the operations on scalar pairs that EXEC
//! may be computed from.

use super::effects::Effects;
use super::recipe::{Recipe, Role};
use super::register_set::EXEC;
use crate::instruction::form::Kind;
use crate::instruction::{Bank, Class};

/// The pair of an even scalar register, from 0.
pub(crate) const fn pair(code: u16) -> u32 {
    code as u32 / 2
}

/// Where a mask comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Pair(u8),
    /// All lanes alike.
    Constant(bool),
    Open,
}

/// What a lane's bit of a mask becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// Anything.
    Open,
    /// A bit of this table: bit 0 for (0, 0), bit 1 for (1, 0), bit 2 for (0, 1).
    Table(u8, Source, Source),
    /// Anything in active lanes, 0 in others.
    ActiveOpen,
    /// One or the other.
    Either(Source, Source),
    /// Set if the source is, else anything.
    Widened(Source),
    /// What the first value became.
    AsFirst,
}

/// What an instruction does to masks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub(crate) instruction: u32,
    /// All pairs that it writes, those below among them.
    pub(crate) written: u64,
    pub(crate) values: [Option<(u8, Value)>; 2],
    /// Whether it exchanges registers: it gets a segment of its own, since what it needs
    /// depends on what is needed behind it.
    pub(crate) exchanges: bool,
}

/// Whether an instruction wakes lanes that were inactive from the start.
pub(crate) fn widens(event: &Event) -> bool {
    let exec = event.values.iter().flatten().find(|(own, _)| u32::from(*own) == pair(EXEC));
    match exec {
        Some((_, Value::Widened(_))) => true,
        Some((_, Value::Table(_, first, second))) => {
            [first, second].into_iter().any(|source| *source == Source::Constant(true))
        }
        _ => false,
    }
}

/// The tables of operations on two masks.
const COPY: u8 = 0b1010;
const NOT: u8 = 0b0101;

fn table(operation: &str) -> Option<u8> {
    Some(match operation {
        "and" => 0b1000,
        "or" => 0b1110,
        "xor" => 0b0110,
        "andn2" => 0b0010,
        "orn2" => 0b1011,
        "andn1" => 0b0100,
        "orn1" => 0b1101,
        "nand" => 0b0111,
        "nor" => 0b0001,
        "xnor" => 0b1001,
        _ => return None,
    })
}

/// What an instruction does to masks; `None` where it writes no scalar register.
pub(crate) fn event(index: usize, effects: &Effects) -> Option<Event> {
    let recipe = effects.recipe?;
    let mut written = 0;
    // The first result that is a whole pair.
    let mut result = None;
    for access in effects.writes() {
        let register = access.register;
        if register.bank != Bank::Scalar || register.first >= 128 {
            continue;
        }
        let last = (register.first + u16::from(register.dwords.max(1)) - 1).min(127);
        for own in pair(register.first)..=pair(last) {
            written |= 1 << own;
        }
        if result.is_none() && register.dwords == 2 && register.first.is_multiple_of(2) {
            result = Some(pair(register.first) as u8);
        }
    }
    let exchanges = recipe.name == "v_swap_b32";
    if written == 0 && !exchanges {
        return None;
    }
    let values = result.map_or([None, None], |result| values(recipe, effects, result));
    Some(Event { instruction: index as u32, written, values, exchanges })
}

fn values(recipe: &Recipe, effects: &Effects, result: u8) -> [Option<(u8, Value)>; 2] {
    let exec = pair(EXEC) as u8;
    if recipe.class == Class::Vector {
        let compare = recipe.name.starts_with("v_cmp");
        if !compare {
            return [None, None];
        }
        let second =
            (recipe.traits.writes_exec() && result != exec).then_some((exec, Value::AsFirst));
        return [Some((result, Value::ActiveOpen)), second];
    }
    let name = recipe.name.strip_prefix("s_").unwrap_or("");
    let first = source(recipe, effects, 0);
    let second = source(recipe, effects, 1);
    let old = Source::Pair(exec);
    if let Some(operation) = name.strip_suffix("_saveexec_b64") {
        let Some(table) = table(operation) else { return [None, None] };
        let save = Value::Table(COPY, old, Source::Open);
        return [Some((result, save)), Some((exec, Value::Table(table, first, old)))];
    }
    if let Some(operation) = name.strip_suffix("_wrexec_b64") {
        let Some(table) = table(operation) else { return [None, None] };
        let value = Value::Table(table, first, old);
        return [Some((result, value)), Some((exec, Value::AsFirst))];
    }
    let value = match name {
        "mov_b64" => Value::Table(COPY, first, Source::Open),
        "not_b64" => Value::Table(NOT, first, Source::Open),
        "wqm_b64" => Value::Widened(first),
        "cselect_b64" => Value::Either(first, second),
        "cmov_b64" => Value::Either(first, Source::Pair(result)),
        _ => match name.strip_suffix("_b64").and_then(table) {
            Some(table) => Value::Table(table, first, second),
            None => return [None, None],
        },
    };
    [Some((result, value)), None]
}

/// The mask that a source of a scalar instruction is.
fn source(recipe: &Recipe, effects: &Effects, index: usize) -> Source {
    const ZERO: u64 = 128;
    const MINUS_ONE: u64 = 193;
    let mut sources = recipe.operands.iter().filter(|(slot, role)| {
        *role == Role::Read && matches!(slot.kind, Kind::ScalarSource { .. })
    });
    let Some((slot, _)) = sources.nth(index) else { return Source::Open };
    match effects.bits >> (slot.low & 63) & ((1 << slot.width) - 1) {
        code @ 0..=127 if code % 2 == 0 => Source::Pair((code / 2) as u8),
        ZERO => Source::Constant(false),
        MINUS_ONE => Source::Constant(true),
        _ => Source::Open,
    }
}
