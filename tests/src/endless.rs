//! A compile that never ends.

use std::path::PathBuf;

use llvm::{Compiler, Configuration, Job};

use crate::bench::own_program;

/// The word that makes a program compile without end.
pub const WORD: &str = "compile-for-ever";

/// On the first generation, code generation never ends.
pub const IR: &str = r#"
define amdgpu_ps void @main(<2 x i16> %a, <2 x i16> %b, i32 %c) {
  %r = call i32 @llvm.amdgcn.udot2(<2 x i16> %a, <2 x i16> %b, i32 %c, i1 false)
  %f = bitcast i32 %r to float
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %f, float %f, float %f, float %f, i1 true, i1 true)
  ret void
}
declare i32 @llvm.amdgcn.udot2(<2 x i16>, <2 x i16>, i32, i1)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
"#;

/// Compiles without end, in a worker that is this program too.
///
/// # Panics
/// Where it ends.
pub fn run(library: PathBuf) -> ! {
    let mut compiler =
        Compiler::new(Configuration::new(own_program(), library, &["llvm.amdgcn.*"]));
    let job = Job {
        ir: IR.to_owned(),
        processor: "tahiti".to_owned(),
        features: String::new(),
        instructions: 10,
    };
    panic!("it ended: {:?}", compiler.compile(&job))
}
