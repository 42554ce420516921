//! Sums and products that are to be in a range: the numbers of what they are made of.

use super::Range;

/// A summand: a source, or the product of two.
pub(super) struct Term {
    source: usize,
    factor: Option<usize>,
}

impl Term {
    pub(super) fn of(source: usize) -> Term {
        Term { source, factor: None }
    }

    pub(super) fn product(source: usize, factor: usize) -> Term {
        Term { source, factor: Some(factor) }
    }
}

/// The sources of a sum: constants are taken off the range, the rest is shared out.
pub(super) fn summands(
    terms: &[Term],
    constant: impl Fn(usize) -> Option<i64>,
    range: Range,
) -> Vec<(usize, Range)> {
    let known = |term: &Term| match term.factor {
        None => constant(term.source),
        Some(factor) => constant(term.source)?.checked_mul(constant(factor)?),
    };
    let sum = terms.iter().filter_map(known).try_fold(0_i64, i64::checked_add);
    let open: Vec<&Term> = terms.iter().filter(|term| known(term).is_none()).collect();
    let share =
        sum.and_then(|sum| range.less(sum)).and_then(|range| range.divided(open.len() as i64));
    let Some(share) = share else { return Vec::new() };
    let mut wanted = Vec::new();
    for Term { source, factor } in open {
        let ranges = match factor.map(|it| (it, constant(*source), constant(it))) {
            None => [Some((*source, share)), None],
            Some((factor, None, None)) => {
                let root = share.root();
                [root.map(|it| (*source, it)), root.map(|it| (factor, it))]
            }
            Some((factor, Some(known), _)) => [share.divided(known).map(|it| (factor, it)), None],
            Some((_, None, Some(known))) => [share.divided(known).map(|it| (*source, it)), None],
        };
        wanted.extend(ranges.into_iter().flatten());
    }
    wanted
}
