//! Alignment of two sequences.

use source::align;

#[test]
fn unchanged_instructions_keep_their_partner() {
    assert_eq!(align(&[1, 2, 3], &[1, 2, 3]), [Some(0), Some(1), Some(2)]);
    assert_eq!(align(&[1, 2, 3], &[1, 9, 2, 3]), [Some(0), Some(2), Some(3)]);
    assert_eq!(align(&[1, 2, 3], &[2]), [None, Some(0), None]);
    assert_eq!(align(&[], &[1]), []);
    assert_eq!(align(&[1, 1, 1], &[1, 1]), [Some(0), Some(1), None]);
}

#[test]
fn partners_are_in_order_and_equal() {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 60) % 5
    };
    for _ in 0..200 {
        let old: Vec<u64> = (0..12).map(|_| next()).collect();
        let new: Vec<u64> = (0..10).map(|_| next()).collect();
        let pairs: Vec<(usize, usize)> =
            align(&old, &new).into_iter().enumerate().filter_map(|(a, b)| Some((a, b?))).collect();
        assert!(pairs.iter().all(|(a, b)| old[*a] == new[*b]));
        assert!(pairs.windows(2).all(|pair| pair[0].1 < pair[1].1));
    }
}
