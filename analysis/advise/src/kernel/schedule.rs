//! The order of instructions within their dependences.

use gcn::analysis::RegisterSet;
use isa::gcn::behaviour::Unit;

use super::Change;
use super::listing::{Kind, Listing};
use super::values::{self, Values};
use crate::search::Promise;

/// Clocks until a result is there, as far as the order of instructions cares: as in the column
/// `typical` of `result_clocks.tsv`.
const MEMORY_CLOCKS: u32 = 290;
const SCALAR_MEMORY_CLOCKS: u32 = 30;
const SHARE_CLOCKS: u32 = 64;
const OTHER_CLOCKS: u32 = 4;

/// Instructions of one stretch that are moved one by one, at most.
const MOST_MOVED: usize = 120;

/// Schedules that are tried until no two values wait for each other, at most.
const MOST_TRIES: usize = 8;

/// Preferences among instructions that are ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Preference {
    /// The one that most others wait for.
    Longest,
    /// Memory first, else the order of the text.
    Memory,
    /// The one that most others wait for, loads the sooner, even if it has to wait itself for
    /// fewer clocks than another one would take.
    Critical,
}

impl Preference {
    const ALL: [Preference; 3] = [Preference::Longest, Preference::Memory, Preference::Critical];

    /// The order in words.
    fn words(self) -> &'static str {
        match self {
            Preference::Longest => "ordered by what is waited for",
            Preference::Memory => "ordered with memory first",
            Preference::Critical => "ordered by what is waited for, loads the sooner",
        }
    }
}

/// All stretches in another order.
pub(super) fn whole(listing: &Listing, changes: &mut Vec<Change>) {
    for preference in Preference::ALL {
        let (mut stretch, mut order) = (Vec::new(), Vec::new());
        for own in movable(listing) {
            order.extend(scheduled(listing, &own, preference));
            stretch.extend(own);
        }
        if order != stretch {
            let what = format!("all {}", preference.words());
            changes.push(change(listing, &stretch, &order, what, Promise::Much));
        }
    }
}

/// The instructions of each stretch that have their own places.
fn movable(listing: &Listing) -> impl Iterator<Item = Vec<usize>> + '_ {
    listing.stretches().into_iter().map(|stretch| {
        stretch.filter(|place| listing.instructions[*place].kind != Kind::Waits).collect()
    })
}

pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    whole(listing, changes);
    for own in movable(listing) {
        if own.len() < 2 {
            continue;
        }
        for preference in Preference::ALL {
            let order = scheduled(listing, &own, preference);
            if order != own {
                let [first, last] = [own[0], own[own.len() - 1]].map(|it| listing.place(it));
                let what = format!("lines {first} to {last} {}", preference.words());
                changes.push(change(listing, &own, &order, what, Promise::Much));
            }
        }
        if own.len() <= MOST_MOVED {
            one_by_one(listing, &own, changes);
        }
    }
}

/// Instructions in another order, with waits where that order needs them.
fn change(
    listing: &Listing,
    own: &[usize],
    order: &[usize],
    what: String,
    promise: Promise,
) -> Change {
    let reordered = listing.reordered(own, order);
    // Waits are lines of their own: without them the others keep their order.
    let gone: Vec<usize> =
        listing.instructions.iter().filter(|it| it.kind == Kind::Waits).map(|it| it.line).collect();
    let lines = reordered.into_iter().enumerate();
    let lines = lines.filter(|(line, _)| gone.binary_search(line).is_err());
    Change { lines: lines.map(|(_, text)| text).collect(), what, promise }
}

fn one_by_one(listing: &Listing, own: &[usize], changes: &mut Vec<Change>) {
    let depends = |late: usize, early: usize| {
        listing.instructions[own[late]].depends_on(&listing.instructions[own[early]])
    };
    for place in 0..own.len() {
        let first = (0..place).rev().take_while(|early| !depends(place, *early)).last();
        let last = (place + 1..own.len()).take_while(|late| !depends(*late, place)).last();
        let mut targets: Vec<usize> = first.into_iter().chain(last).collect();
        targets.extend(first.filter(|first| *first + 1 < place).map(|_| place - 1));
        for target in targets {
            let mut order = own.to_vec();
            let moved = order.remove(place);
            order.insert(target, moved);
            let [from, to] = [own[place], own[target]].map(|it| listing.place(it));
            let word = if target < place { "before" } else { "after" };
            let what = format!("line {from} {word} line {to}");
            let is_memory = matches!(listing.instructions[own[place]].kind, Kind::Loads(_));
            let promise = if is_memory { Promise::Some } else { Promise::Little };
            changes.push(change(listing, own, &order, what, promise));
        }
    }
}

/// A list schedule: of those that are ready the preferred one, which need not wait where that can
/// be. Values of a register change places where that leads nowhere into a dead end.
fn scheduled(listing: &Listing, own: &[usize], preference: Preference) -> Vec<usize> {
    let mut fixed = values::fixed(listing, own);
    for _ in 0..MOST_TRIES {
        match list_schedule(listing, own, preference, &fixed) {
            Ok(order) => return order,
            // Two values wait for each other: those of these registers keep their order.
            Err(blocked) => fixed.add_all(&blocked),
        }
    }
    list_schedule(listing, own, preference, &RegisterSet::ALL).unwrap_or_else(|_| own.to_vec())
}

/// Returns an order, or the registers that kept it from an end.
fn list_schedule(
    listing: &Listing,
    own: &[usize],
    preference: Preference,
    fixed: &RegisterSet,
) -> Result<Vec<usize>, RegisterSet> {
    let count = own.len();
    let instruction = |place: usize| &listing.instructions[own[place]];
    let issue = listing.issue_clocks();
    let clocks = |place: usize| issue.get(own[place]).copied().unwrap_or(OTHER_CLOCKS);
    let latency = |place: usize| match instruction(place).kind {
        Kind::Loads(Unit::Smem) => SCALAR_MEMORY_CLOCKS,
        Kind::Loads(Unit::Lds) => SHARE_CLOCKS,
        Kind::Loads(_) => MEMORY_CLOCKS,
        _ => clocks(place),
    };
    let mut values = Values::of(listing, own, fixed);
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (late, needs) in values.needs.iter().enumerate() {
        needs.iter().for_each(|early| followers[*early].push(late));
    }
    // The clocks from the beginning of each to the end of what waits for it.
    let mut height = vec![0_u32; count];
    for early in (0..count).rev() {
        let above = followers[early].iter().map(|late| height[*late]).max();
        height[early] = latency(early) + above.unwrap_or(0);
    }
    let mut open: Vec<usize> = values.needs.iter().map(Vec::len).collect();
    let mut ready_at = vec![0_u32; count];
    let mut done = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut clock = 0;
    while order.len() < count {
        let ready = || (0..count).filter(|it| !done[*it] && open[*it] == 0);
        // While a load is on its way others can be issued.
        let urgency = |it: usize| match instruction(it).kind {
            Kind::Loads(_) => height[it] + latency(it),
            _ => height[it],
        };
        let rank = |it: &usize| {
            let wait = ready_at[*it].saturating_sub(clock);
            let is_memory = matches!(instruction(*it).kind, Kind::Loads(_));
            match preference {
                Preference::Longest => (wait, 0, u32::MAX - height[*it], *it),
                Preference::Memory => (wait, u32::from(!is_memory), 0, *it),
                Preference::Critical => (wait, 0, u32::MAX - urgency(*it), *it),
            }
        };
        let free = || ready().filter(|it| values.may_come(*it));
        // What others wait for longer may be there before the next one would be done.
        let sooner = |next: usize| {
            let wait = |it: usize| ready_at[it].saturating_sub(clock);
            let mut others = free().filter(|it| (1..clocks(next)).contains(&wait(*it)));
            let most = others.by_ref().max_by_key(|it| urgency(*it))?;
            (preference == Preference::Critical && urgency(most) > urgency(next)).then_some(most)
        };
        let Some(next) = free().min_by_key(rank).map(|it| sooner(it).unwrap_or(it)) else {
            let blocking = ready().map(|it| values.blocking(it));
            return Err(blocking.fold(RegisterSet::EMPTY, |all, it| all.union(&it)));
        };
        clock = clock.max(ready_at[next]) + clocks(next);
        done[next] = true;
        values.take(next);
        order.push(own[next]);
        for late in &followers[next] {
            open[*late] -= 1;
            let reads = instruction(*late).reads.meets(&instruction(next).writes);
            let at = clock + if reads { latency(next).saturating_sub(clocks(next)) } else { 0 };
            ready_at[*late] = ready_at[*late].max(at);
        }
    }
    Ok(order)
}
