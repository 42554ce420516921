//! Snippets as plain text.

use source::without_places;

#[test]
fn what_stands_in_a_place_stays() {
    assert_eq!(without_places("a ${1:b[0:1]}, ${2:c}\n${1:b[0:1]}"), "a b[0:1], c\nb[0:1]");
    assert_eq!(without_places("none"), "none");
    assert_eq!(without_places("open ${1:x"), "open x");
}
