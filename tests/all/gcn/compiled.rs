//! Real compilers' output in our reader: text and bytes must join, and our count of
//! registers must be the compiler's.

use std::fmt::Write as _;

use gcn::Target;
use gcn::analysis;
use gcn::compiled::{Compiled, read};
use llvm::{Compiler, Configuration, Job};
use tests::bench::libraries;

const TARGETS: [&str; 8] =
    ["tahiti", "hawaii", "bonaire", "tonga", "polaris10", "stoney", "vega10", "renoir"];

const FUNCTIONS: &[&str] = &["llvm.amdgcn.*", "llvm.sqrt.f32", "llvm.fma.f32"];

/// The last debug line; the first is 1.
const LAST_LINE: u32 = 6;

/// A fragment shader that interpolates inputs, picks one of them, loads from a
/// buffer, and branches on a lane's value. `limits` are function attributes that
/// make the compiler spill.
fn shader(inputs: usize, pick: &str, limits: &str) -> String {
    let mut body = String::new();
    let mut vector = "undef".to_owned();
    for index in 0..inputs {
        let element = index % 16;
        let _ = writeln!(
            body,
            "%p{index} = call float @llvm.amdgcn.interp.p1(float %i, i32 0, i32 {index}, i32 %mask), !dbg !11\n\
             %a{index} = call float @llvm.amdgcn.interp.p2(float %p{index}, float %j, i32 0, i32 {index}, i32 %mask), !dbg !11\n\
             %v{index} = insertelement <16 x float> {vector}, float %a{index}, i32 {element}, !dbg !12"
        );
        vector = format!("%v{index}");
    }
    let _ = writeln!(body, "%chosen = extractelement <16 x float> {vector}, i32 {pick}, !dbg !12");
    let mut sum = "%chosen".to_owned();
    for index in 0..inputs {
        let offset = 16 * index;
        let _ = writeln!(
            body,
            "%m{index} = fmul float %a{index}, 3.25, !dbg !13\n\
             %l{index} = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %buffer, i32 {offset}, i32 0), !dbg !13\n\
             %q{index} = call float @llvm.fma.f32(float %m{index}, float %l{index}, float {sum}), !dbg !13"
        );
        sum = format!("%q{index}");
    }
    let lines: String = (1..=LAST_LINE)
        .map(|line| format!("!{} = !DILocation(line: {line}, column: 1, scope: !3)\n", line + 10))
        .collect();
    format!(
        r#"define amdgpu_ps void @main(ptr addrspace(4) inreg %table, i32 inreg %index, i32 inreg %mask, <2 x float> %ij) #0 !dbg !3 {{
entry:
%i = extractelement <2 x float> %ij, i32 0, !dbg !11
%j = extractelement <2 x float> %ij, i32 1, !dbg !11
%buffer = load <4 x i32>, ptr addrspace(4) %table, !dbg !11
{body}
%test = fcmp ogt float {sum}, 0.5, !dbg !14
br i1 %test, label %inside, label %joined, !dbg !14
inside:
%root = call float @llvm.sqrt.f32(float {sum}), !dbg !15
br label %joined, !dbg !15
joined:
%value = phi float [ {sum}, %entry ], [ %root, %inside ]
call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %value, float %a0, float %value, float 1.0, i1 true, i1 true), !dbg !16
ret void, !dbg !16
}}
declare float @llvm.amdgcn.interp.p1(float, i32, i32, i32)
declare float @llvm.amdgcn.interp.p2(float, float, i32, i32, i32)
declare float @llvm.amdgcn.s.buffer.load.f32(<4 x i32>, i32, i32)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
declare float @llvm.sqrt.f32(float)
declare float @llvm.fma.f32(float, float, float)
attributes #0 = {{ "InitialPSInputAddr"="0xb077" {limits} }}
!llvm.module.flags = !{{!0}}
!llvm.dbg.cu = !{{!1}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "shader", directory: "")
!3 = distinct !DISubprogram(name: "main", file: !2, line: 0, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{{}}
{lines}"#
    )
}

/// A figure of the compiler's comments.
fn noted(assembly: &str, names: &[&str]) -> u32 {
    let line = assembly.lines().find_map(|line| {
        let (name, value) = line.strip_prefix("; ")?.split_once(':')?;
        names.contains(&name).then_some(value)
    });
    let value = line.and_then(|value| value.split_ascii_whitespace().next());
    value.unwrap_or_else(|| panic!("no {names:?}")).parse().unwrap()
}

fn check_registers(compiled: &Compiled, assembly: &str, target: Target) {
    let (code, _) = compiled.code(target);
    let def_use = analysis::DefUse::of_all(&code, &source::no_checkpoint);
    let ours = analysis::register_use(&code, &def_use);
    let vgprs = noted(assembly, &["NumVgprs"]);
    assert_eq!(compiled.statistics.vgprs, vgprs, "{target}");
    // All registers are named but those that an index reaches.
    let indexes = |it: &gcn::compiled::Instruction| {
        it.text.starts_with("v_movrel") || it.text.starts_with("s_set_gpr_idx_on")
    };
    if compiled.instructions.iter().any(indexes) {
        assert!(ours.vgprs <= vgprs, "{target}: {} for {vgprs}", ours.vgprs);
    } else {
        assert_eq!(ours.vgprs, vgprs, "{target}");
    }
    let sgprs = noted(assembly, &["NumSgprs", "TotalNumSgprs"]);
    let row = target.row();
    let counted = ours.sgprs(target);
    if let Some(fixed) = row.limits.fixed_sgprs {
        assert!(sgprs == fixed && counted <= fixed, "{target}: {counted} of {sgprs}");
    } else if row.processor == "gfx810" {
        // Some versions allocate for retry of page faults there, some do not.
        assert!(sgprs - counted <= row.limits.extra_xnack, "{target}: {counted} for {sgprs}");
    } else {
        assert_eq!(counted, sgprs, "{target}");
    }
}

/// The compiler's code is correct: it has no diagnostics, and its words
/// name the attributes that its text names.
fn check_costs(compiled: &Compiled, target: Target) {
    let (code, _) = compiled.code(target);
    let def_use = analysis::DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = analysis::Cfg::of(&code, &def_use);
    let liveness = analysis::Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
    let diagnostics =
        analysis::check(&code, &def_use, &cfg, &liveness, None, &source::no_checkpoint);
    let wrong = |it: &&analysis::InstDiagnostic| it.severity != source::Severity::Hint;
    let wrong: Vec<&analysis::InstDiagnostic> = diagnostics.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{target}: {wrong:#?}");
    let attributes = compiled.instructions.iter().filter_map(|it| {
        let (number, _) = it.text.split_once("attr")?.1.split_once('.')?;
        number.parse::<u32>().ok()
    });
    let used = analysis::register_use(&code, &def_use);
    assert_eq!(used.interpolants, attributes.max().map_or(0, |it| it + 1), "{target}");
    let most = liveness.peak().vgprs;
    assert!(u32::from(most) <= compiled.statistics.vgprs, "{target}: {most} live");
}

fn check(compiler: &mut Compiler, target: Target, shader: &str) -> Compiled {
    let job = Job {
        ir: shader.to_owned(),
        processor: target.row().processor.to_owned(),
        features: target.row().llvm_features.to_owned(),
        instructions: LAST_LINE,
    };
    let output = compiler.compile(&job).unwrap_or_else(|error| panic!("{target}: {error}"));
    let compiled = read(&output.assembly, &output.code, target)
        .unwrap_or_else(|error| panic!("{target}: {error}\n{}", output.assembly));
    check_registers(&compiled, &output.assembly, target);
    check_costs(&compiled, target);
    assert!(compiled.instructions.iter().all(|it| it.ordinal <= LAST_LINE), "{target}");
    assert_eq!(compiled.instructions.last().map(|it| it.text.as_str()), Some("s_endpgm"));
    for ordinal in [1, 3, LAST_LINE] {
        let found = compiled.instructions.iter().any(|it| it.ordinal == ordinal);
        assert!(found, "{target}: nothing of line {ordinal}");
    }
    compiled
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn what_compilers_say_of_their_code_is_found_in_it() {
    let libraries = libraries();
    assert!(!libraries.is_empty(), "no libLLVM");
    for library in libraries {
        let mut compiler =
            Compiler::new(Configuration::new(crate::TUNGSTEN, library.path.clone(), FUNCTIONS));
        for target in TARGETS.iter().filter_map(|name| Target::find(name)) {
            let easy = check(&mut compiler, target, &shader(4, "2", "")).statistics;
            assert_eq!((easy.spilled_vgprs, easy.scratch), (0, 0), "{target}");
            let indexed = check(&mut compiler, target, &shader(4, "%index", "")).statistics;
            // Sixteen registers that an index may reach.
            assert!(indexed.vgprs >= 16, "{target}: {indexed:?}");
            let hard = shader(32, "2", r#""amdgpu-num-vgpr"="20""#);
            let hard = check(&mut compiler, target, &hard).statistics;
            assert!(hard.spilled_vgprs > 0 && hard.scratch > 0, "{target}: {hard:?}");
            assert!(hard.bytes > easy.bytes && hard.instructions > easy.instructions);
        }
        eprintln!("LLVM {}: {} chips", library.version, TARGETS.len());
    }
}
