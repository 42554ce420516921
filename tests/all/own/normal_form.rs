//! Two forms of IR that the machine cannot tell apart.

use tests::mutation::normal::normal;

#[test]
fn what_the_machine_cannot_tell_apart_has_one_form() {
    let sample = |offset: &str, index: u32| {
        format!(
            "  %v1 = call <4 x float> @llvm.amdgcn.image.sample.c.o.2d.v4f32.f32(i32 15, i32 \
             {offset}, float %r)\n  %v2 = extractelement <4 x float> %v1, i32 {index}, !dbg !1\n"
        )
    };
    let text = normal(&sample("%o", 2));
    assert_eq!(text, normal(&sample("%o", 1)));
    assert_ne!(text, normal(&sample("%o", 3)));
    assert!(text.contains("%counting0 = and i32 %o, 16191\n"), "{text}");
    assert!(text.contains("(i32 15, i32 %counting0, float %r)"), "{text}");
    assert_ne!(text, normal(&sample("%p", 2)));
    // Without a comparison components differ.
    let plain = |index| sample("0", index).replace("sample.c.o.2d", "sample.l.2d");
    assert_ne!(normal(&plain(1)), normal(&plain(2)));
    assert_eq!(normal(&plain(1)), plain(1));
}
