//! Literate suites as they are read.

use tests::literate::{missing_pattern, read};

#[test]
fn headings_and_fences_make_cases() {
    let suite = "# Title\n\n## One\nprose\n```tgsi\nFRAG\nEND\n```\n```gcn tahiti fiji\ns_endpgm\n```\n## Two\n";
    let cases = read(suite);
    assert_eq!(cases.len(), 2);
    assert_eq!(cases[0].name, "One");
    assert_eq!(cases[0].blocks[0].text, "FRAG\nEND\n");
    assert_eq!(cases[0].blocks[1].arguments, ["tahiti", "fiji"]);
    assert!(cases[1].blocks.is_empty());
}

#[test]
fn patterns_are_found_in_order_only() {
    let text = "v_mul_f32_e32   v0, v1, v2\ns_endpgm\n";
    assert_eq!(missing_pattern(text, "v_mul_f32_e32 v0\ns_endpgm"), None);
    assert_eq!(missing_pattern(text, "s_endpgm\nv_mul_f32"), Some("v_mul_f32"));
}
