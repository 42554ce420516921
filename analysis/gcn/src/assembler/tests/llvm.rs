//! The LLVM dialect; what llvm-mc 19 makes of the same texts was looked at.

use super::{check, expect};

#[test]
fn lines_comments_and_labels() {
    check(
        "# file\na:b: s_nop 1 ; c\n s_nop /* two\nlines */ 2 // d\n.ascii \"a;b//\\\" /*\"\nc: # e\n",
        &expect![[r#"
            expanded
            a:
            b:
            	s_nop 1
            	s_nop                 2
            	.ascii "a;b//\" /*"
            c:
        "#]],
    );
    check(
        "s_nop 1 /* never\ns_nop 2\n",
        &expect![[r#"
            expanded
            	s_nop 1
            error at ``: this comment is never closed
        "#]],
    );
}

#[test]
fn operators_have_the_ranks_of_the_assembler() {
    check(
        "a = 2+3*4|1\nb = 1|2+4\nc = 1<<2+1\nd = 7&3==3\ne = -7/2\nf = 5 ! 2\ng = -1>>60\n\
         h = 1 && 2\ni = !0\nj = - - 3\nk = max(1, 2*3)\nl = 'a'\nm = 0b11 + 017 + 0x1f\n\
         n = 0x7fffffffffffffff + 1\n.quad a,b,c,d,e,f,g,h,i,j,k,l,m,n\n",
        &expect![[r#"
            expanded
            .set a, 15
            .set b, 7
            .set c, 5
            .set d, -1
            .set e, -3
            .set f, -3
            .set g, 15
            .set h, 1
            .set i, 1
            .set j, 3
            .set k, 6
            .set l, 97
            .set m, 49
            .set n, -9223372036854775808
            	.quad a,b,c,d,e,f,g,h,i,j,k,l,m,n
        "#]],
    );
    check(
        "a = 5 / 0\n.if 5 % 0\n.endif\nb = (1\nc = 1 2\nd = 99999999999999999999\n.if 1 +\n.endif\n",
        &expect![[r#"
            expanded
            warning at `/ 0`: division by zero
            error at `%`: division by zero
            error at `b = (1`: `)` expected
            error at `2`: the end of the statement was expected
            error at `d = 99999999999999999999`: the number does not fit in 64 bits
            error at `.if 1 +`: an expression was expected
        "#]],
    );
}

#[test]
fn macros_take_arguments_by_place_and_by_name() {
    check(
        ".macro m a b=3 c:req\n s_nop \\a+\\b+\\c\n.endm\n\
         m 1 c=5\nm 1,2 3\nm a=1, c=2\nm 1 + 2, 4 -3 7\nm (1, 2), , x\n",
        &expect![[r#"
            expanded
            	s_nop 1+3+5
            	s_nop 1+2+3
            	s_nop 1+3+2
            	s_nop 1+2+4-3+7
            	s_nop (1, 2)+3+x
        "#]],
    );
    check(
        ".macro m a:req\n.endm\n.macro none\n.endm\n m\n none 1\n m b=1\n m 1 2\n m a=1 2\n m (1\n",
        &expect![[r#"
            expanded
            error at `m`: macro `m` needs a value for `a`
            error at `1`: macro `none` takes no arguments
            error at `b`: macro `m` has no parameter `b`
            error at `2`: macro `m` takes one argument
            error at `2`: an argument without a name cannot follow one with a name
            error at `(1`: a parenthesis is not closed
        "#]],
    );
}

#[test]
fn variadic_arguments_counters_and_joined_names() {
    check(
        ".macro m a, b:vararg\n .ifb \\b\n s_nop \\a\n.else\n s_nop \\@\n m \\b\n.endif\n.endm\n\
         m 1, 2, 3\n.macro label name\n\\name\\()_end_\\@:\n .long \"\\name\"\n.endm\n label x\n",
        &expect![[r#"
            expanded
            	s_nop 0
            	s_nop 1
            	s_nop 3
            x_end_3:
            	.long "x"
        "#]],
    );
}

#[test]
fn macros_in_macros_and_early_exits() {
    check(
        ".macro maker name, value\n.macro \\name x\n s_nop \\value + \\x\n.endm\n.endm\n\
         maker one, 1\n one 2\n.purgem one\n one 3\n\
         .macro leaves x\n.if \\x\n.exitm\n.endif\n s_nop \\x\n.endm\n leaves 1\n leaves 0\n",
        &expect![[r#"
            expanded
            	s_nop 1 + 2
            	one 3
            	s_nop 0
        "#]],
    );
    check(
        ".macro m\n.endm\n.macro m\n.endm\n.purgem x\n.exitm\n.endm\n.endr\n.else\n.endif\n.if 1\n",
        &expect![[r#"
            expanded
            error at `m`: macro `m` is already defined
            error at `x`: no macro is named `x`
            error at `.exitm`: `.exitm` is outside of a macro
            error at `.endm`: `.endm` has no `.macro` before it
            error at `.endr`: `.endr` has no `.rept` before it
            error at `.else`: `.else` has no `.if` before it
            error at `.endif`: `.endif` has no `.if` before it
            error at `.if 1`: this conditional has no matching `.endif`
        "#]],
    );
    check(
        ".macro m\n s_nop 1\n",
        &expect![[r#"
            expanded
            error at `.macro m`: `.macro` has no matching `.endm`
        "#]],
    );
}

#[test]
fn the_alternate_mode() {
    check(
        ".altmacro\n.macro old a\n s_waitcnt a(\\a)\n.endm\n.macro new a\n .long a, a&1, \"a\"\n.endm\n\
         old %(1+2)\n old <a, b>\n new 3\n.noaltmacro\n new 3\n",
        &expect![[r#"
            expanded
            	s_waitcnt a(3)
            	s_waitcnt a(a, b)
            	.long 3, 31, "3"
            	.long a, a&1, "a"
        "#]],
    );
}

#[test]
fn repetitions() {
    check(
        ".rept 2\n s_nop 1\n.endr\n.irp x, 1, , 2 3\n s_nop \\x+0\n.endr\n.irp x,\n s_nop 9\n.endr\n\
         .irpc y, 12\n s_nop \\y\\()1\n.endr\n.rep 2\n s_nop 4\n.exitm\n s_nop 5\n.endr\n.rept 0\n x\n.endr\n",
        &expect![[r#"
            expanded
            	s_nop 1
            	s_nop 1
            	s_nop 1+0
            	s_nop +0
            	s_nop 2+0
            	s_nop 3+0
            	s_nop 11
            	s_nop 21
            	s_nop 4
        "#]],
    );
    check(
        ".rept -1\n.endr\n.irp x 1\n.endr\n.rept 2\n",
        &expect![[r#"
            expanded
            error at `-1`: nothing can be repeated -1 times
            error at ` 1`: a comma was expected
            error at `.rept 2`: `.rept` has no matching `.endr`
        "#]],
    );
    check(
        ".irp x, 1, a=b\n s_nop \\x\n.endr\n s_nop 2\n",
        &expect![[r#"
            expanded
            	s_nop 2
            error at `=`: an argument cannot hold `=`
        "#]],
    );
}

#[test]
fn conditionals() {
    check(
        ".if 0\n.unknown\n.if 1\n s_nop 0\n.endif\n.elseif 2 > 1\n s_nop 1\n.else\n s_nop 2\n.endif\n\
         .ifc a b, a b\n s_nop 3\n.endif\n.ifnes \"x\", \"y\"\n s_nop 4\n.endif\n\
         .ifdef x\n s_nop 5\n.endif\nx = 1\n.ifndef x\n s_nop 6\n.endif\n.IFLT x - 2\n s_nop 7\n.ENDIF\n",
        &expect![[r#"
            expanded
            	s_nop 1
            	s_nop 3
            	s_nop 4
            	s_nop 7
        "#]],
    );
}

#[test]
fn what_is_not_known_is_no_error() {
    check(
        ".if given == 1\n.error \"wrong\"\n s_nop 1\n.end\n.endif\n s_nop 2\n.foo 1\n.endif\n",
        &expect![[r#"
            expanded
            	s_nop 1
            	s_nop 2
            warning at `given == 1`: `given` is not defined in this text, so this condition is not evaluated; a command line or another file may define it
            hint at `.error "wrong"`: wrong
            hint at `.foo`: `.foo` is not a known directive or macro
            warning at `.endif`: `.endif` has no `.if` before it
        "#]],
    );
    check(
        ".include \"absent.inc\"\n.include \"defines.inc\"\n twice 4\n",
        &expect![[r#"
            expanded
            	s_nop 4
            	s_nop 4
            warning at `"absent.inc"`: `absent.inc` was not found: what it defines is not known
        "#]],
    );
}

#[test]
fn symbols_are_defined_once_where_they_must_be() {
    check(
        "l:\nl:\n.set l, 2\n.equiv c, 1\n.equiv c, 2\n.set c, 3\nv = 1\nv:\n.set f, g\n.set g, 4\n s_nop f\n",
        &expect![[r#"
            expanded
            l:
            l:
            v:
            .set f, 4
            	s_nop f
            error at `l`: `l` is already defined
            error at `l`: `l` is already defined
            error at `c`: `c` is already defined
        "#]],
    );
}

#[test]
fn errors_in_macros_are_shown_at_the_call() {
    check(
        ".macro m x\n.if \\x\n.error \"no\"\n.endif\n s_nop 1\n.endm\n.macro n\n m 1\n.endm\n n\n n\n.error\n",
        &expect![[r#"
            expanded
            	s_nop 1
            	s_nop 1
            error at `n`: no (in macro `m`, line 3)
            error at `.error`: `.error` was met
        "#]],
    );
}

#[test]
fn descriptors_and_metadata() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\nk:\n v_mov_b32 v7, s[2:3]\n s_endpgm\n\
                .rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr .amdgcn.next_free_vgpr\n\
                .amdhsa_next_free_sgpr .amdgcn.next_free_sgpr\n.end_amdhsa_kernel\n\
                .amdgpu_metadata\nx: # y\n  - 1\n.end_amdgpu_metadata\n\
                .text\nold:\n.amd_kernel_code_t\n is_ptr64 = 1\n.end_amd_kernel_code_t\n";
    let expansion = super::read(text, super::Dialect::Llvm, &super::Options::default());
    assert_eq!(expansion.problems, []);
    assert_eq!(expansion.target.map(|it| it.0.name()), Some("gfx906"));
    let fields: Vec<String> = expansion
        .kernels
        .iter()
        .flat_map(|kernel| {
            kernel.fields.iter().map(|it| format!("{} {} {:?}", kernel.name, it.name, it.value))
        })
        .collect();
    expect![[r#"
        k .amdhsa_next_free_vgpr Some(8)
        k .amdhsa_next_free_sgpr Some(4)
        old is_ptr64 Some(1)"#]]
    .assert_eq(&fields.join("\n"));
    expect![[r#"
        x:
          - 1
    "#]]
    .assert_eq(&expansion.metadata[0].text);
    let sections: Vec<&str> = expansion.sections.iter().map(|it| &*it.name).collect();
    assert_eq!(sections, [".text", ".rodata"]);
    let counts = " v_mov_b32 v7, 0\n.amdgpu_hsa_kernel k\n v_mov_b32 v1, 0\n\
                  .if .kernel.vgpr_count == 2\n.error \"two\"\n.endif\n";
    let expansion = super::read(counts, super::Dialect::Llvm, &super::Options::default());
    let problems = expansion.problems.iter().map(|it| &*it.message);
    assert_eq!(problems.collect::<Vec<_>>(), ["two"], "a kernel's counts begin anew");
    check(
        ".amdhsa_kernel k\n",
        &expect![[r#"
            expanded
            error at `.amdhsa_kernel k`: this has no matching `.end_amdhsa_kernel`
        "#]],
    );
}

#[test]
fn nothing_is_read_behind_the_end() {
    let shown_of = |dialect| {
        let text = " s_nop 1\n.macro ends\n s_nop 2\n.end\n s_nop 3\n.endm\n ends\n s_nop 4\n.end\n s_nop 5\n";
        let expansion = super::read(text, dialect, &super::Options::default());
        super::shown(&expansion)
    };
    let lines = |shown: String| {
        let nops = shown.lines().filter_map(|line| line.trim().strip_prefix("s_nop "));
        nops.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(shown_of(super::Dialect::Llvm)), ["1", "2", "4"]);
    assert_eq!(lines(shown_of(super::Dialect::Clrx)), ["1", "2"]);
}
