//! Both ways to the bytes, with every libLLVM of this machine.

use std::ffi::c_char;

use super::*;
use crate::library;

extern "C" fn fatal(_: *const c_char) {}

/// LLVM is initialised by one thread only, as in the worker.
static LOADING: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Programs in which text and object differ most easily: branches, debug lines, memory
/// shared and private, a table of constants, stores to scratch.
const PROGRAMS: [&str; 3] = [
    r#"
define amdgpu_ps void @main(i32 inreg %count, float %x) !dbg !5 {
  br label %loop, !dbg !6
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ %x, %0 ], [ %t, %loop ]
  %p = fmul float %s, 1.5, !dbg !7
  %q = fadd float %p, %x, !dbg !8
  %c = fcmp ogt float %q, 3.0, !dbg !8
  %t = select i1 %c, float %p, float %q, !dbg !9
  %next = add i32 %i, 1, !dbg !9
  %more = icmp ult i32 %next, %count, !dbg !9
  br i1 %more, label %loop, label %end, !dbg !9
end:
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %t, float %s, float %x, float 1.0, i1 true, i1 true), !dbg !9
  ret void, !dbg !9
}
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
!llvm.module.flags = !{!1}
!llvm.dbg.cu = !{!2}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "a \22quoted\22 name", directory: "/")
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "main", file: !3, line: 1, type: !4, unit: !2, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, column: 1, scope: !5)
!7 = !DILocation(line: 3, column: 1, scope: !5)
!8 = !DILocation(line: 4, column: 1, scope: !5)
!9 = !DILocation(line: 5, column: 1, scope: !5)
"#,
    r#"
@shared = external addrspace(3) global [0 x i32], align 65536
@placed = external addrspace(3) global [0 x i32], align 256
define amdgpu_cs void @main(i32 %thread) #0 {
  %slot = getelementptr [0 x i32], ptr addrspace(3) @shared, i32 0, i32 %thread
  %other = getelementptr [0 x i32], ptr addrspace(3) @placed, i32 0, i32 %thread
  %old = atomicrmw add ptr addrspace(3) @shared, i32 7 syncscope("workgroup-one-as") monotonic
  call void @llvm.amdgcn.s.barrier()
  %value = load i32, ptr addrspace(3) %other
  %sum = add i32 %old, %value
  store i32 %sum, ptr addrspace(3) %slot
  ret void
}
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "amdgpu-flat-work-group-size"="256,256" }
"#,
    r#"
@table = private unnamed_addr addrspace(4) constant [64 x float] [
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0,
    float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0]
define amdgpu_ps void @main(i32 inreg %uniform, i32 %index, float %x) {
  %array = alloca [500 x float], addrspace(5)
  %bounded = and i32 %index, 63
  %from = getelementptr [64 x float], ptr addrspace(4) @table, i32 0, i32 %bounded
  %constant = load float, ptr addrspace(4) %from
  %to = getelementptr [500 x float], ptr addrspace(5) %array, i32 0, i32 %bounded
  store volatile float %x, ptr addrspace(5) %to
  %back = getelementptr [500 x float], ptr addrspace(5) %array, i32 0, i32 %uniform
  %value = load volatile float, ptr addrspace(5) %back
  %sum = fadd float %value, %constant
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %sum, float %x, float %x, float 1.0, i1 true, i1 true)
  ret void
}
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
"#,
];

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn assembling_gives_the_bytes_of_a_second_code_generation() {
    let _alone = LOADING.lock().unwrap();
    for found in usable_libraries() {
        let mut session = Session::load(&found.path, fatal).unwrap();
        for (processor, features) in
            [("gfx600", ""), ("gfx704", ""), ("gfx803", ""), ("gfx900", "-xnack")]
        {
            let machine = session.machine(processor, features).unwrap();
            for program in PROGRAMS {
                let text = session.generate(program, machine, FILE_ASSEMBLY).unwrap();
                let text = String::from_utf8(text.0).unwrap();
                let object = session.generate(program, machine, FILE_OBJECT).unwrap();
                let code = code_of(&object.0).unwrap();
                assert!(code.len() > 40);
                let assembled = session.assemble(&text, machine);
                assert_eq!(assembled, Ok(code), "LLVM {} {processor}\n{text}", found.version);
            }
        }
    }
}

/// So that the second code generation can take over.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn text_that_cannot_be_assembled_is_an_error_in_words() {
    let _alone = LOADING.lock().unwrap();
    for found in usable_libraries() {
        let mut session = Session::load(&found.path, fatal).unwrap();
        let machine = session.machine("gfx803", "").unwrap();
        for (text, words) in [
            ("v_nonsense v0", "invalid instruction"),
            ("s_branch .Lnowhere", "undefined label '.Lnowhere'"),
        ] {
            let message = session.assemble(text, machine).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        }
    }
}

/// The attribute asks for a warning on a stack that is larger than it says.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn warnings_come_with_the_code() {
    let _alone = LOADING.lock().unwrap();
    let warned = PROGRAMS[2].replace("%x) {", "%x) \"warn-stack-size\"=\"8\" {");
    assert_ne!(warned, PROGRAMS[2]);
    for found in usable_libraries() {
        let mut session = Session::load(&found.path, fatal).unwrap();
        let version = &found.version;
        assert_eq!(session.compile(PROGRAMS[2], "gfx803", "").unwrap().warnings, [], "{version}");
        let output = session.compile(&warned, "gfx803", "").unwrap();
        assert!(!output.code.is_empty());
        let messages: Vec<&str> = output.warnings.iter().map(|it| &*it.message).collect();
        assert!(matches!(messages[..], [it] if it.contains("stack frame size")), "{messages:?}");
        assert!(
            !messages[0].contains("<unknown>") && !messages[0].contains("main"),
            "{messages:?}"
        );
    }
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn so_many_warnings_are_kept() {
    let _alone = LOADING.lock().unwrap();
    let function = |number: usize| {
        format!(
            "define amdgpu_ps void @main{number}(i32 %index, float %x) \"warn-stack-size\"=\"8\" {{\n  \
             %array = alloca [500 x float], addrspace(5)\n  \
             %bounded = and i32 %index, 63\n  \
             %to = getelementptr [500 x float], ptr addrspace(5) %array, i32 0, i32 %bounded\n  \
             store volatile float %x, ptr addrspace(5) %to\n  ret void\n}}\n"
        )
    };
    for found in usable_libraries() {
        let mut session = Session::load(&found.path, fatal).unwrap();
        for (functions, warnings) in [(3, 3), (32, 32), (40, 32)] {
            let text: String = (0..functions).map(function).collect();
            let output = session.compile(&text, "gfx803", "").unwrap();
            assert_eq!(output.warnings.len(), warnings, "LLVM {}", found.version);
        }
    }
}

/// The code generator alone would leave an array of this size in scratch memory.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn the_passes_run_before_code_is_generated() {
    let _alone = LOADING.lock().unwrap();
    let program = r#"
define amdgpu_ps void @main(float %x) {
  %array = alloca [500 x float], addrspace(5)
  %to = getelementptr [500 x float], ptr addrspace(5) %array, i32 0, i32 77
  store float %x, ptr addrspace(5) %to
  %from = getelementptr [500 x float], ptr addrspace(5) %array, i32 0, i32 77
  %y = load float, ptr addrspace(5) %from
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %y, float %x, float %x, float 1.0, i1 true, i1 true)
  ret void
}
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
"#;
    for found in usable_libraries() {
        let mut session = Session::load(&found.path, fatal).unwrap();
        let text = session.compile(program, "gfx803", "").unwrap().assembly;
        assert!(text.contains("ScratchSize: 0"), "LLVM {}: {text}", found.version);
    }
}

fn usable_libraries() -> Vec<library::Found> {
    let mut found = library::find(None);
    found.retain(library::Found::is_usable);
    assert!(!found.is_empty(), "no libLLVM on this machine");
    found
}
