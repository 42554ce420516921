//! The line of an instruction by what it computes of what.

use super::machine::{Executed, Role};
use super::series::{
    Agreement, ENOUGH, is_constant, is_near, is_operand, is_read, is_telling, truth,
};
use super::shader::{Kind, Line, Read};

/// The lines that the values of an instruction say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Claim {
    /// Its values are of no line, such as those of a part of what a line computes.
    #[default]
    Nothing,
    /// Several lines have them, or too little is known.
    Ambiguous,
    /// One has them.
    Line(u32),
}

/// The fit of a line and an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// All operands are the line's.
    whole: bool,
    /// The operands that are.
    operands: usize,
    /// The line ran wherever the instruction did.
    covers: bool,
}

/// Returns how many of the registers that an instruction reads hold nothing that a line reads;
/// `None` where none of them says anything.
pub(super) fn other_operands(own: &Executed, ordinal: u32, lines: &[Line]) -> Option<usize> {
    let line = lines.iter().find(|line| line.ordinal == ordinal)?;
    // Constants of a part are the compiler's.
    let own = Executed { reads: own.reads.clone(), ..Executed::default() };
    let Operands { all, found, tells } = operands(&own, line);
    tells.then_some(all - found)
}

/// Finds the line of an instruction of the machine.
pub(super) fn claim(own: &Executed, lines: &[Line]) -> Claim {
    match own.role {
        Role::Computes | Role::Chooses | Role::Compares => computed(own, lines),
        Role::Fetches => fetched(own, lines),
        Role::Stores => stored(own, lines),
        Role::Describes
        | Role::Moves
        | Role::Exports
        | Role::Waits
        | Role::Ends
        | Role::Steers
        | Role::Combines => Claim::Nothing,
    }
}

/// The operands of an instruction: those that are given, those among what a line reads, and
/// whether one of these says anything.
struct Operands {
    all: usize,
    found: usize,
    /// One has several values, or is a constant that is written out.
    tells: bool,
}

fn operands(own: &Executed, line: &Line) -> Operands {
    let mut found = Operands { all: own.reads.len() + own.constants.len(), found: 0, tells: false };
    for series in &own.reads {
        let reads = line.reads.iter();
        let best = reads.filter_map(|read| series.within(&read.values, is_operand));
        if let Some(best) = best.max_by_key(|it| it.distinct) {
            found.found += 1;
            found.tells |= best.distinct > 1 || series.values().any(is_telling);
        }
    }
    for value in &own.constants {
        let mut all = line.reads.iter().filter_map(|read| read.values.constant());
        if all.any(|it| is_constant(*value, it)) {
            found.found += 1;
            found.tells = true;
        }
    }
    found
}

/// The results of an instruction that are those of a line.
fn results(own: &Executed, line: &Line) -> Option<Agreement> {
    let words = own
        .writes
        .iter()
        .flat_map(|own| line.writes.iter().filter_map(|written| own.within(written, is_near)));
    let holds = |expected: bool| {
        move |one: u32, other: u32| truth(other).is_some_and(|it| it == ((one != 0) == expected))
    };
    let masks = own.masks.iter().flat_map(|own| {
        line.writes.iter().filter_map(move |written| {
            let found = own.within(written, holds(true));
            found.or_else(|| own.within(written, holds(false)))
        })
    });
    words.chain(masks).max_by_key(|it| (it.invocations, it.distinct))
}

/// Tells whether the results of an instruction are one of its operands.
fn passes(own: &Executed) -> bool {
    own.writes.iter().any(|result| own.reads.iter().any(|it| result.within(it, is_near).is_some()))
}

/// The invocations that a record has values of.
fn invocations(own: &Executed) -> usize {
    let all = own.writes.iter().chain(&own.masks);
    all.filter_map(|it| it.within(it, |one, other| one == other))
        .map(|it| it.invocations)
        .max()
        .unwrap_or(0)
}

fn computed(own: &Executed, lines: &[Line]) -> Claim {
    let count = invocations(own);
    if count == 0 {
        return by_constants(own, lines);
    }
    let passes = passes(own);
    let mut seen = false;
    let mut found: Vec<(u32, Fit, Agreement)> = Vec::new();
    for line in lines.iter().filter(|line| line.kind == Kind::Computes) {
        let Some(agreement) = results(own, line) else { continue };
        let Operands { all, found: operands, tells } = operands(own, line);
        let fit = Fit {
            whole: tells && operands == all,
            operands,
            covers: agreement.invocations == count,
        };
        let sure = own.role == Role::Computes && agreement.distinct >= ENOUGH && !passes;
        seen = true;
        if fit.whole || sure && fit.covers {
            found.push((line.ordinal, fit, agreement));
        }
    }
    let Some(best) = found.iter().map(|it| it.1).max() else {
        return match by_constants(own, lines) {
            Claim::Ambiguous if !seen => Claim::Nothing,
            claim => claim,
        };
    };
    found.retain(|it| it.1 == best);
    match found[..] {
        [(ordinal, ..)] => Claim::Line(ordinal),
        // The same computed twice is computed where it is first.
        [(ordinal, _, agreement), ..] if agreement.distinct >= ENOUGH && !passes => {
            Claim::Line(ordinal)
        }
        _ => by_constants(own, lines),
    }
}

/// Constants by which compilers change signs, whatever the shader says.
const SIGNS: [u32; 2] = [0x8000_0000, 0x7fff_ffff];

/// The only line that reads a constant of the instruction, where values say too little.
fn by_constants(own: &Executed, lines: &[Line]) -> Claim {
    if own.role == Role::Chooses {
        return Claim::Ambiguous;
    }
    let reads = |line: &&Line| {
        let has = |value: &u32| {
            !SIGNS.contains(value) && line.immediates.iter().any(|it| is_constant(*value, *it))
        };
        own.constants.iter().any(has)
    };
    let mut all = lines.iter().filter(reads);
    match (all.next(), all.next()) {
        (Some(line), None) if line.kind == Kind::Computes => Claim::Line(line.ordinal),
        _ => Claim::Ambiguous,
    }
}

/// Different values that are enough of what is fetched: contents of memory are as good as random.
const ENOUGH_FETCHED: usize = 2;

/// Finds the line of something fetched: a look-up's result, or an operand from outside.
fn fetched(own: &Executed, lines: &[Line]) -> Claim {
    if invocations(own) == 0 {
        return Claim::Ambiguous;
    }
    let sure = |agreement: &Agreement| agreement.distinct >= ENOUGH_FETCHED;
    let made = lines.iter().filter(|line| line.kind == Kind::Computes);
    let made: Vec<(&Line, Agreement)> =
        made.filter_map(|line| Some((line, results(own, line)?))).collect();
    if let Some((first, _)) = made.iter().find(|it| sure(&it.1)) {
        return Claim::Line(first.ordinal);
    }
    let reads = |line: &&Line| {
        let outer: Vec<&Read> = line.reads.iter().filter(|read| read.is_outer).collect();
        own.writes.iter().filter(|it| it.values().any(is_telling)).any(|result| {
            let mut all = outer.iter().filter_map(|it| result.within(&it.values, is_read));
            all.any(|it| sure(&it))
        })
    };
    if let Some(line) = lines.iter().find(reads) {
        return Claim::Line(line.ordinal);
    }
    let whole = made.iter().filter(|(line, _)| {
        let Operands { all, found, tells } = operands(own, line);
        all == found && tells
    });
    let is_nothing = made.is_empty() || own.is_scalar;
    match (whole.clone().count(), whole.map(|it| it.0.ordinal).next(), is_nothing) {
        (1, Some(ordinal), _) => Claim::Line(ordinal),
        (0, _, true) => Claim::Nothing,
        _ => Claim::Ambiguous,
    }
}

/// Finds the line of a store by its operands.
fn stored(own: &Executed, lines: &[Line]) -> Claim {
    let stores = lines.iter().filter(|line| line.kind == Kind::Stores);
    let fits: Vec<(u32, usize)> = stores
        .map(|line| (line.ordinal, operands(own, line)))
        .filter(|(_, operands)| operands.tells)
        .map(|(ordinal, operands)| (ordinal, operands.found))
        .collect();
    let Some(most) = fits.iter().map(|it| it.1).max() else { return Claim::Nothing };
    let mut best = fits.iter().filter(|it| it.1 == most);
    match (best.next(), best.next()) {
        (Some((ordinal, _)), None) => Claim::Line(*ordinal),
        _ => Claim::Ambiguous,
    }
}
