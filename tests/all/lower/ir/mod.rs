//! The main forms of the IR, and what is refused.

mod golden;
mod stages;

use expect_test::{Expect, expect};
use lower::environment::{ColorExport, Environment};
use lower::{Failure, FailureKind, Generation, lower, lower_for};
use tgsi::ast::Shader;

fn shader(text: &str) -> Shader {
    tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a header")
}

/// The instructions of a shader's function, without what all have.
fn body(text: &str, generation: Generation) -> String {
    let module = lower(&shader(text), generation).expect("a shader that is lowered");
    let (_, rest) = module.ir.split_once("{\nentry:\n").expect("a function");
    rest.split_once("\n}").expect("its end").0.to_owned()
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&body(text, Generation::Gfx8));
}

fn failures(text: &str) -> Vec<Failure> {
    lower(&shader(text), Generation::Gfx8).expect_err("a shader that is refused")
}

/// The text, construct and kind of every failure.
fn refused(text: &str) -> Vec<(String, String, FailureKind)> {
    failures(text)
        .into_iter()
        .map(|failure| (text[failure.range].to_owned(), failure.construct, failure.kind))
        .collect()
}

#[test]
fn numbers_and_bits_are_as_the_standard_library_writes_them() {
    let stored = |kind: &str, value: &str| {
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nIMM[0] {kind} {{{value}, 0, 0, 0}}\n\
                            MOV OUT[0], IMM[0]\nEND\n"
        );
        let body = body(&text, Generation::Gfx8);
        let store = body.lines().find_map(|line| line.trim().strip_prefix("store float "));
        store.expect("a store").split(", ptr").next().unwrap_or_default().to_owned()
    };
    for value in [0.1_f32, 0.5, 1.0, -2.5, 100.0, 3e38] {
        let bits = f64::from(value).to_bits();
        assert_eq!(stored("FLT32", &format!("{value:?}")), format!("0x{bits:016X}"));
    }
    // As floats these are not numbers.
    for number in [-1, -9, -10, -99, -100, -8_388_000, i32::MAX] {
        assert_eq!(
            stored("INT32", &number.to_string()),
            format!("bitcast (i32 {number} to float)")
        );
    }
}

#[test]
fn a_fragment_shader_interpolates_computes_and_exports() {
    check(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n\
         MAD_SAT OUT[0].x, -|IN[0].yyyy|, CONST[0], CONST[0].wwww\nEND",
        &expect![[r#"
              %v1 = extractelement <2 x float> %perspective_center, i32 0, !dbg !11
              %v2 = extractelement <2 x float> %perspective_center, i32 1, !dbg !11
              %v7 = ptrtoint ptr addrspace(6) %const_and_shader_buffers to i32, !dbg !11
              %v8 = insertelement <4 x i32> undef, i32 %v7, i32 0, !dbg !11
              %v9 = insertelement <4 x i32> %v8, i32 32768, i32 1, !dbg !11
              %v10 = insertelement <4 x i32> %v9, i32 16, i32 2, !dbg !11
              %v11 = insertelement <4 x i32> %v10, i32 163756, i32 3, !dbg !11
              %v18 = alloca float, align 4, addrspace(5)
              %v20 = alloca float, align 4, addrspace(5)
              %v22 = alloca float, align 4, addrspace(5)
              %v24 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v3 = call float @llvm.amdgcn.interp.p1(float %v1, i32 1, i32 0, i32 %primitive_mask), !dbg !11
              %v4 = call float @llvm.amdgcn.interp.p2(float %v3, float %v2, i32 1, i32 0, i32 %primitive_mask), !dbg !11
              %v5 = call float @llvm.fabs.f32(float %v4), !dbg !11
              %v6 = fneg float %v5, !dbg !11
              %v12 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v11, i32 0, i32 0), !dbg !11
              %v13 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v11, i32 12, i32 0), !dbg !11
              %v14 = fmul float %v6, %v12, !dbg !11
              %v15 = fadd float %v14, %v13, !dbg !11
              %v16 = call float @llvm.maxnum.f32(float %v15, float 0x0000000000000000), !dbg !11
              %v17 = call float @llvm.minnum.f32(float %v16, float 0x3FF0000000000000), !dbg !11
              store float %v17, ptr addrspace(5) %v18, align 4, !dbg !11
              %v19 = load float, ptr addrspace(5) %v18, align 4, !dbg !12
              %v21 = load float, ptr addrspace(5) %v20, align 4, !dbg !12
              %v23 = load float, ptr addrspace(5) %v22, align 4, !dbg !12
              %v25 = load float, ptr addrspace(5) %v24, align 4, !dbg !12
              %v26 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v19, float %v21), !dbg !12
              %v27 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v23, float %v25), !dbg !12
              call void @llvm.amdgcn.exp.compr.v2f16(i32 0, i32 15, <2 x half> %v26, <2 x half> %v27, i1 true, i1 true), !dbg !12
              ret void, !dbg !12"#]],
    );
}

#[test]
fn a_vertex_shader_fetches_and_exports() {
    check(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].xy, GENERIC[4]\n\
         MOV OUT[0], IN[0]\nMOV OUT[1].xy, IN[0].zwzw\nEND",
        &expect![[r#"
              %v9 = alloca float, align 4, addrspace(5)
              %v10 = alloca float, align 4, addrspace(5)
              %v11 = alloca float, align 4, addrspace(5)
              %v12 = alloca float, align 4, addrspace(5)
              %v19 = alloca float, align 4, addrspace(5)
              %v20 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v1 = getelementptr inbounds <4 x i32>, ptr addrspace(6) %vertex_buffers, i32 0, !amdgpu.uniform !0, !dbg !11
              %v2 = load <4 x i32>, ptr addrspace(6) %v1, align 16, !invariant.load !0, !dbg !11
              %v3 = add i32 %vertex_id, %base_vertex, !dbg !11
              %v4 = call <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32> %v2, i32 %v3, i32 0, i32 0, i32 0), !dbg !11
              %v5 = extractelement <4 x float> %v4, i32 0, !dbg !11
              %v6 = extractelement <4 x float> %v4, i32 1, !dbg !11
              %v7 = extractelement <4 x float> %v4, i32 2, !dbg !11
              %v8 = extractelement <4 x float> %v4, i32 3, !dbg !11
              store float %v5, ptr addrspace(5) %v9, align 4, !dbg !11
              store float %v6, ptr addrspace(5) %v10, align 4, !dbg !11
              store float %v7, ptr addrspace(5) %v11, align 4, !dbg !11
              store float %v8, ptr addrspace(5) %v12, align 4, !dbg !11
              %v13 = getelementptr inbounds <4 x i32>, ptr addrspace(6) %vertex_buffers, i32 0, !amdgpu.uniform !0, !dbg !12
              %v14 = load <4 x i32>, ptr addrspace(6) %v13, align 16, !invariant.load !0, !dbg !12
              %v15 = add i32 %vertex_id, %base_vertex, !dbg !12
              %v16 = call <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32> %v14, i32 %v15, i32 0, i32 0, i32 0), !dbg !12
              %v17 = extractelement <4 x float> %v16, i32 2, !dbg !12
              %v18 = extractelement <4 x float> %v16, i32 3, !dbg !12
              store float %v17, ptr addrspace(5) %v19, align 4, !dbg !12
              store float %v18, ptr addrspace(5) %v20, align 4, !dbg !12
              %v21 = load float, ptr addrspace(5) %v9, align 4, !dbg !13
              %v22 = load float, ptr addrspace(5) %v10, align 4, !dbg !13
              %v23 = load float, ptr addrspace(5) %v11, align 4, !dbg !13
              %v24 = load float, ptr addrspace(5) %v12, align 4, !dbg !13
              call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float %v21, float %v22, float %v23, float %v24, i1 true, i1 false), !dbg !13
              %v25 = load float, ptr addrspace(5) %v19, align 4, !dbg !13
              %v26 = load float, ptr addrspace(5) %v20, align 4, !dbg !13
              call void @llvm.amdgcn.exp.f32(i32 32, i32 15, float %v25, float %v26, float undef, float undef, i1 false, i1 false), !dbg !13
              ret void, !dbg !13"#]],
    );
}

#[test]
fn sources_are_read_before_the_destination_is_written() {
    check(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV TEMP[0].xy, TEMP[0].yxyx\nEND",
        &expect![[r#"
              %v1 = alloca float, align 4, addrspace(5)
              %v3 = alloca float, align 4, addrspace(5)
              %v5 = alloca float, align 4, addrspace(5)
              %v7 = alloca float, align 4, addrspace(5)
              %v9 = alloca float, align 4, addrspace(5)
              %v11 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v2 = load float, ptr addrspace(5) %v1, align 4, !dbg !11
              %v4 = load float, ptr addrspace(5) %v3, align 4, !dbg !11
              store float %v2, ptr addrspace(5) %v3, align 4, !dbg !11
              store float %v4, ptr addrspace(5) %v1, align 4, !dbg !11
              %v6 = load float, ptr addrspace(5) %v5, align 4, !dbg !12
              %v8 = load float, ptr addrspace(5) %v7, align 4, !dbg !12
              %v10 = load float, ptr addrspace(5) %v9, align 4, !dbg !12
              %v12 = load float, ptr addrspace(5) %v11, align 4, !dbg !12
              %v13 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v6, float %v8), !dbg !12
              %v14 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v10, float %v12), !dbg !12
              call void @llvm.amdgcn.exp.compr.v2f16(i32 0, i32 15, <2 x half> %v13, <2 x half> %v14, i1 true, i1 true), !dbg !12
              ret void, !dbg !12"#]],
    );
}

#[test]
fn loops_and_branches_become_blocks() {
    check(
        "VERT\nDCL TEMP[0]\nBGNLOOP\nUIF TEMP[0].xxxx\nBRK\nELSE\nNOP\nENDIF\nENDLOOP\nEND",
        &expect![[r#"
              %v1 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              br label %block1, !dbg !11
            block1:
              %v2 = load float, ptr addrspace(5) %v1, align 4, !dbg !12
              %v3 = bitcast float %v2 to i32, !dbg !12
              %v4 = icmp ne i32 %v3, 0, !dbg !12
              %v5 = freeze i1 %v4, !dbg !12
              br i1 %v5, label %block3, label %block4, !dbg !12
            block3:
              br label %block2, !dbg !13
            block6:
              br label %block5, !dbg !14
            block4:
              br label %block5, !dbg !16
            block5:
              br label %block1, !dbg !17
            block2:
              call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x3FF0000000000000, i1 true, i1 false), !dbg !18
              ret void, !dbg !18"#]],
    );
}

#[test]
fn an_index_register_reaches_an_array() {
    check(
        "VERT\nDCL TEMP[2..4], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL OUT[0], POSITION\n\
         MOV OUT[0].x, TEMP[ADDR[0].y+3](1).xxxx\nEND",
        &expect![[r#"
              %v1 = alloca i32, align 4, addrspace(5)
              %v6 = alloca [3 x float], align 4, addrspace(5)
              %v7 = getelementptr inbounds [3 x float], ptr addrspace(5) %v6, i32 0, i32 0, !dbg !11
              store float 0x0000000000000000, ptr addrspace(5) %v7, align 4, !dbg !11
              %v8 = getelementptr inbounds [3 x float], ptr addrspace(5) %v6, i32 0, i32 1, !dbg !11
              store float 0x0000000000000000, ptr addrspace(5) %v8, align 4, !dbg !11
              %v9 = getelementptr inbounds [3 x float], ptr addrspace(5) %v6, i32 0, i32 2, !dbg !11
              store float 0x0000000000000000, ptr addrspace(5) %v9, align 4, !dbg !11
              %v12 = alloca float, align 4, addrspace(5)
              %v14 = alloca float, align 4, addrspace(5)
              %v16 = alloca float, align 4, addrspace(5)
              %v18 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v2 = load i32, ptr addrspace(5) %v1, align 4, !dbg !11
              %v3 = add i32 %v2, 3, !dbg !11
              %v4 = sub i32 %v3, 2, !dbg !11
              %v5 = call i32 @llvm.umin.i32(i32 %v4, i32 2), !dbg !11
              %v10 = getelementptr inbounds [3 x float], ptr addrspace(5) %v6, i32 0, i32 %v5, !dbg !11
              %v11 = load float, ptr addrspace(5) %v10, align 4, !dbg !11
              store float %v11, ptr addrspace(5) %v12, align 4, !dbg !11
              %v13 = load float, ptr addrspace(5) %v12, align 4, !dbg !12
              %v15 = load float, ptr addrspace(5) %v14, align 4, !dbg !12
              %v17 = load float, ptr addrspace(5) %v16, align 4, !dbg !12
              %v19 = load float, ptr addrspace(5) %v18, align 4, !dbg !12
              call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float %v13, float %v15, float %v17, float %v19, i1 true, i1 false), !dbg !12
              ret void, !dbg !12"#]],
    );
}

#[test]
fn doubles_are_pairs_of_components() {
    check(
        "VERT\nDCL TEMP[0]\nDMUL TEMP[0].zw, TEMP[0].xyxy, TEMP[0].xyzw\nD2F TEMP[0].x, TEMP[0]\nEND",
        &expect![[r#"
              %v1 = alloca float, align 4, addrspace(5)
              %v3 = alloca float, align 4, addrspace(5)
              %v10 = alloca float, align 4, addrspace(5)
              %v12 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v2 = load float, ptr addrspace(5) %v1, align 4, !dbg !11
              %v4 = load float, ptr addrspace(5) %v3, align 4, !dbg !11
              %v5 = bitcast float %v2 to i32, !dbg !11
              %v6 = bitcast float %v4 to i32, !dbg !11
              %v7 = insertelement <2 x i32> undef, i32 %v5, i32 0, !dbg !11
              %v8 = insertelement <2 x i32> %v7, i32 %v6, i32 1, !dbg !11
              %v9 = bitcast <2 x i32> %v8 to double, !dbg !11
              %v11 = load float, ptr addrspace(5) %v10, align 4, !dbg !11
              %v13 = load float, ptr addrspace(5) %v12, align 4, !dbg !11
              %v14 = bitcast float %v11 to i32, !dbg !11
              %v15 = bitcast float %v13 to i32, !dbg !11
              %v16 = insertelement <2 x i32> undef, i32 %v14, i32 0, !dbg !11
              %v17 = insertelement <2 x i32> %v16, i32 %v15, i32 1, !dbg !11
              %v18 = bitcast <2 x i32> %v17 to double, !dbg !11
              %v19 = fmul double %v9, %v18, !dbg !11
              %v20 = bitcast double %v19 to <2 x i32>, !dbg !11
              %v21 = extractelement <2 x i32> %v20, i32 0, !dbg !11
              %v22 = extractelement <2 x i32> %v20, i32 1, !dbg !11
              %v23 = bitcast i32 %v21 to float, !dbg !11
              store float %v23, ptr addrspace(5) %v10, align 4, !dbg !11
              %v24 = bitcast i32 %v22 to float, !dbg !11
              store float %v24, ptr addrspace(5) %v12, align 4, !dbg !11
              %v25 = load float, ptr addrspace(5) %v1, align 4, !dbg !12
              %v26 = load float, ptr addrspace(5) %v3, align 4, !dbg !12
              %v27 = bitcast float %v25 to i32, !dbg !12
              %v28 = bitcast float %v26 to i32, !dbg !12
              %v29 = insertelement <2 x i32> undef, i32 %v27, i32 0, !dbg !12
              %v30 = insertelement <2 x i32> %v29, i32 %v28, i32 1, !dbg !12
              %v31 = bitcast <2 x i32> %v30 to double, !dbg !12
              %v32 = fptrunc double %v31 to float, !dbg !12
              store float %v32, ptr addrspace(5) %v1, align 4, !dbg !12
              call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x3FF0000000000000, i1 true, i1 false), !dbg !13
              ret void, !dbg !13"#]],
    );
}

#[test]
fn comparisons_of_pairs_write_x_and_z_alone() {
    let count = |mask: &str| {
        let text = format!(
            "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n\
             MOV TEMP[0], IN[0]\nU64SGE TEMP[0]{mask}, IN[0].xyxy, IN[1].zwzw\n\
             MOV OUT[0], TEMP[0]\nEND\n"
        );
        body(&text, Generation::Gfx6).matches("icmp uge i64").count()
    };
    assert_eq!(["", ".xy", ".x", ".yz", ".y", ".w"].map(count), [2, 1, 1, 1, 0, 0]);
}

#[test]
fn a_shadow_lookup_clamps_its_reference_where_depth_was_upgraded() {
    check(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[1]\n\
         TXP OUT[0].x, IN[0], SAMP[1], SHADOW2D\nEND",
        &expect![[r#"
              %v5 = extractelement <2 x float> %linear_center, i32 0, !dbg !11
              %v6 = extractelement <2 x float> %linear_center, i32 1, !dbg !11
              %v29 = alloca float, align 4, addrspace(5)
              %v31 = alloca float, align 4, addrspace(5)
              %v33 = alloca float, align 4, addrspace(5)
              %v35 = alloca float, align 4, addrspace(5)
              br label %body, !dbg !10
            body:
              %v1 = getelementptr inbounds <8 x i32>, ptr addrspace(6) %samplers_and_images, i32 18, !amdgpu.uniform !0, !dbg !11
              %v2 = load <8 x i32>, ptr addrspace(6) %v1, align 32, !invariant.load !0, !dbg !11
              %v3 = getelementptr inbounds <4 x i32>, ptr addrspace(6) %samplers_and_images, i32 39, !amdgpu.uniform !0, !dbg !11
              %v4 = load <4 x i32>, ptr addrspace(6) %v3, align 16, !invariant.load !0, !dbg !11
              %v7 = call float @llvm.amdgcn.interp.p1(float %v5, i32 0, i32 0, i32 %primitive_mask), !dbg !11
              %v8 = call float @llvm.amdgcn.interp.p2(float %v7, float %v6, i32 0, i32 0, i32 %primitive_mask), !dbg !11
              %v9 = call float @llvm.amdgcn.interp.p1(float %v5, i32 1, i32 0, i32 %primitive_mask), !dbg !11
              %v10 = call float @llvm.amdgcn.interp.p2(float %v9, float %v6, i32 1, i32 0, i32 %primitive_mask), !dbg !11
              %v11 = call float @llvm.amdgcn.interp.p1(float %v5, i32 2, i32 0, i32 %primitive_mask), !dbg !11
              %v12 = call float @llvm.amdgcn.interp.p2(float %v11, float %v6, i32 2, i32 0, i32 %primitive_mask), !dbg !11
              %v13 = call float @llvm.amdgcn.interp.p1(float %v5, i32 3, i32 0, i32 %primitive_mask), !dbg !11
              %v14 = call float @llvm.amdgcn.interp.p2(float %v13, float %v6, i32 3, i32 0, i32 %primitive_mask), !dbg !11
              %v15 = call float @llvm.amdgcn.rcp.f32(float %v14), !dbg !11
              %v16 = fmul float %v8, %v15, !dbg !11
              %v17 = call float @llvm.amdgcn.rcp.f32(float %v14), !dbg !11
              %v18 = fmul float %v10, %v17, !dbg !11
              %v19 = call float @llvm.amdgcn.rcp.f32(float %v14), !dbg !11
              %v20 = fmul float %v12, %v19, !dbg !11
              %v21 = call float @llvm.maxnum.f32(float %v20, float 0x0000000000000000), !dbg !11
              %v22 = call float @llvm.minnum.f32(float %v21, float 0x3FF0000000000000), !dbg !11
              %v23 = extractelement <4 x i32> %v4, i32 3, !dbg !11
              %v24 = and i32 %v23, 536870912, !dbg !11
              %v25 = icmp ne i32 %v24, 0, !dbg !11
              %v26 = select i1 %v25, float %v22, float %v20, !dbg !11
              %v27 = call <4 x float> @llvm.amdgcn.image.sample.c.2d.v4f32.f32(i32 15, float %v26, float %v16, float %v18, <8 x i32> %v2, <4 x i32> %v4, i1 false, i32 0, i32 0), !dbg !11
              %v28 = extractelement <4 x float> %v27, i32 0, !dbg !11
              store float %v28, ptr addrspace(5) %v29, align 4, !dbg !11
              %v30 = load float, ptr addrspace(5) %v29, align 4, !dbg !12
              %v32 = load float, ptr addrspace(5) %v31, align 4, !dbg !12
              %v34 = load float, ptr addrspace(5) %v33, align 4, !dbg !12
              %v36 = load float, ptr addrspace(5) %v35, align 4, !dbg !12
              %v37 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v30, float %v32), !dbg !12
              %v38 = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %v34, float %v36), !dbg !12
              call void @llvm.amdgcn.exp.compr.v2f16(i32 0, i32 15, <2 x half> %v37, <2 x half> %v38, i1 true, i1 true), !dbg !12
              ret void, !dbg !12"#]],
    );
}

#[test]
fn killing_before_a_derivative_keeps_helper_lanes() {
    let kill = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n";
    let last = format!("{kill}TEX OUT[0], IN[0], SAMP[0], 2D\nKILL_IF IN[0].xxxx\nEND");
    let first = format!("{kill}KILL_IF IN[0].xxxx\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND");
    assert!(body(&last, Generation::Gfx6).contains("@llvm.amdgcn.kill(i1"));
    assert!(body(&first, Generation::Gfx6).contains("@llvm.amdgcn.wqm.demote(i1"));
}

#[test]
fn one_dimensional_textures_have_two_axes_from_gfx9_on() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                TEX OUT[0], IN[0], SAMP[0], 1D\nEND";
    assert!(body(text, Generation::Gfx8).contains("image.sample.1d.v4f32.f32"));
    assert!(body(text, Generation::Gfx9).contains("image.sample.2d.v4f32.f32"));
}

#[test]
fn the_environment_chooses_the_color_exports() {
    let text = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], COLOR, COLOR\n\
                DCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND";
    let environment = Environment {
        color_exports: [ColorExport::Full; 8],
        color_buffers: 2,
        ..Environment::default()
    };
    let module = lower_for(&shader(text), Generation::Gfx8, environment).expect("a module");
    let exports: Vec<&str> =
        module.ir.lines().filter(|line| line.contains("call void @llvm.amdgcn.exp.f32")).collect();
    assert_eq!(exports.len(), 2);
    assert!(exports[0].contains("i32 0, i32 15") && exports[0].contains("i1 false, i1 false"));
    assert!(exports[1].contains("i32 1, i32 15") && exports[1].contains("i1 true, i1 true"));
}

#[test]
fn every_construct_that_is_not_compiled_is_named_in_order() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
                IMG2HND OUT[0], IN[0]\nTEX OUT[0], IN[0], SAMP[0], 2D_MSAA\nIMG2HND OUT[0], IN[0]\nEND";
    let unsupported = FailureKind::Unsupported;
    assert_eq!(
        refused(text),
        [
            ("IMG2HND".into(), "opcode IMG2HND".into(), unsupported),
            ("TEX".into(), "TEX of target 2D_MSAA".into(), unsupported),
            ("IMG2HND".into(), "opcode IMG2HND".into(), unsupported),
        ]
    );
    assert!(failures(text)[0].message.starts_with("IMG2HND cannot be compiled: a handle is"));
    assert_eq!(failures(text)[1].message, "not compiled yet: TEX of target 2D_MSAA");
}

#[test]
fn what_means_nothing_is_invalid_at_its_place() {
    let text = "VERT\nDCL OUT[0], POSITION\nMOV OUT[0], IN[3]\nMOV OUT[1], IMM[0]\nENDIF\nBRK\n\
                MOV OUT[2], OUT[0]\nEND";
    let invalid = FailureKind::Invalid;
    assert_eq!(
        refused(text),
        [
            ("IN[3]".into(), "register IN".into(), invalid),
            ("IMM[0]".into(), "register IMM".into(), invalid),
            ("ENDIF".into(), "control flow".into(), invalid),
            ("BRK".into(), "control flow".into(), invalid),
            ("OUT[2]".into(), "register OUT".into(), invalid),
        ]
    );
    let open = "VERT\nDCL TEMP[0]\nBGNLOOP\nIF TEMP[0].xxxx\nEND";
    let places: Vec<String> = refused(open).into_iter().map(|(place, ..)| place).collect();
    assert_eq!(places, ["BGNLOOP", "IF"]);
    let broken = "VERT\nDCL TEMP[0]\nMOV TEMP[0], TEMP[\nEND";
    assert!(failures(broken).iter().all(|failure| failure.kind == invalid));
}

#[test]
fn a_shader_without_an_end_is_lowered_to_its_end() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]";
    assert_eq!(body(text, Generation::Gfx7), body(text, Generation::Gfx8));
}

#[test]
fn calls_are_inlined_and_recursion_is_refused() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nCAL :3\nCAL :3\nEND\nBGNSUB\n\
                MOV OUT[0], IN[0]\nRET\nENDSUB";
    assert_eq!(body(text, Generation::Gfx8).matches("buffer.load.format").count(), 2);
    let endless = "VERT\nCAL :2\nEND\nBGNSUB\nCAL :2\nENDSUB";
    assert_eq!(refused(endless)[0].1, "recursive CAL");
    // Each level calls the next twice: the text is short, its execution is not.
    let mut doubling = String::from("VERT\nDCL TEMP[0]\nCAL :2\nEND\n");
    for level in 0..30 {
        let next = 2 + (level + 1) * 4;
        doubling.push_str(&format!("BGNSUB\nCAL :{next}\nCAL :{next}\nENDSUB\n"));
    }
    doubling.push_str("BGNSUB\nENDSUB\n");
    assert_eq!(failures(&doubling).len(), 1);
}

#[test]
fn hostile_declarations_stay_small() {
    for text in [
        "VERT\nDCL TEMP[0..4294967295]\nMOV TEMP[4294967295], TEMP[7]\nEND",
        "VERT\nDCL CONST[0..4294967295]\nDCL TEMP[0]\nMOV TEMP[0], CONST[4294967295]\nEND",
        "VERT\nDCL CONST[4294967295][0..4294967295]\nDCL TEMP[0]\nEND",
        "VERT\nDCL IN[0..4294967295]\nEND",
        "VERT\nDCL OUT[0..4294967295], GENERIC[4294967295]\nEND",
        "FRAG\nDCL OUT[1], COLOR[4294967295]\nEND",
        "VERT\nDCL TEMP[0..4294967295]\nDCL ADDR[0]\nMOV TEMP[ADDR[0].x], TEMP[7]\nEND",
        "VERT\nDCL SAMP[0..4294967295]\nDCL ADDR[0]\nDCL TEMP[0]\n\
         TXL TEMP[0], TEMP[0], SAMP[ADDR[0].x], 2D\nEND",
        "VERT\nDCL TEMP[0]\nTXL TEMP[0], TEMP[0], SAMP[4294967295], 2D\nEND",
        "VERT\nDCL BUFFER[0..4294967295]\nDCL ADDR[0]\nDCL TEMP[0]\n\
         LOAD TEMP[0], BUFFER[ADDR[0].x-7], TEMP[0]\nEND",
    ] {
        for generation in Generation::ALL {
            match lower(&shader(text), generation) {
                Ok(module) => assert!(module.ir.len() < 20_000, "{text}"),
                Err(failures) => assert!(!failures.is_empty() && failures.len() < 4, "{text}"),
            }
        }
    }
}

/// The longest array is one of registers: memory may be longer.
#[test]
fn an_index_into_memory_may_reach_far() {
    let text = |file: &str, more: &str| {
        format!(
            "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0..4999]\nDCL TEMP[0..4999]{more}\n\
             DCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], {file}[ADDR[0].x]\nEND\n"
        )
    };
    assert!(lower(&shader(&text("CONST", "")), Generation::Gfx8).is_ok());
    let failures = refused(&text("TEMP", ""));
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].0, "TEMP[ADDR[0].x]");
}
