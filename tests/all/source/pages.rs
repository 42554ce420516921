//! Pages of a document.

use source::page;

#[test]
fn a_page_is_what_stands_under_its_heading() {
    let pages = "# All\n\n## a::b\n\nThe first.\n\n## c\nThe second.\n";
    assert_eq!(page(pages, "a::b"), Some("The first."));
    assert_eq!(page(pages, "c"), Some("The second."));
    assert_eq!(page(pages, "All"), None);
}
