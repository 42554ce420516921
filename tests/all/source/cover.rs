//! Overlapping ranges, and the one that counts at a place.

use source::Cover;

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "an empty range covers nothing")]
fn the_least_value_that_covers_a_number_is_found() {
    let ranges = [(4..=6, 3), (0..=9, 5), (5..=5, 1), (12..=u32::MAX, 2), (20..=19, 0)];
    let cover = Cover::new(ranges.clone());
    for number in (0..30).chain([u32::MAX]) {
        let covers = ranges.iter().filter(|(range, _)| range.contains(&number));
        assert_eq!(cover.at(number), covers.map(|(_, value)| *value).min(), "{number}");
    }
    assert_eq!(Cover::<u8>::new([]).at(0), None);
}
