//! From IR text to assembly and bytes inside the worker: the order of calls
//! that works on every LLVM from 15 on.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use crate::Output;
use crate::api::{self, Api};
use crate::library;
use crate::object::Object;

/// The bare triple. Others move the scalar arguments of graphics functions.
const TRIPLE: &CStr = c"amdgcn--";
/// Plain atomics, as the drivers of these chips emitted them; by default LLVM
/// 17 and later wrap them in a loop over the lanes.
const OPTIONS: [&CStr; 2] = [c"tungsten", c"-amdgpu-atomic-optimizer-strategy=None"];
/// Code generation at level 2: level 1 gives the same code, 3 a slightly worse one.
const CODE_GENERATION_LEVEL: c_int = 2;
/// The verifier shall return its verdict instead of ending the process.
const VERIFY_RETURN_STATUS: c_int = 2;
const FILE_ASSEMBLY: c_int = 0;
const FILE_OBJECT: c_int = 1;
const SEVERITY_ERROR: c_int = 0;
/// Target machines kept; one is some hundred kilobytes and takes little to make.
const MAXIMAL_MACHINES: usize = 64;
/// The pipeline every LLVM knows.
const FALLBACK_PIPELINE: &CStr = c"default<O1>";

/// A loaded and initialised LLVM.
pub(crate) struct Session {
    api: Api,
    target: *mut api::Target,
    machines: HashMap<(String, String), *mut api::TargetMachine>,
    pipeline: CString,
    version: String,
}

impl Session {
    /// Loads and initialises the library.
    ///
    /// # Errors
    /// Why the library cannot be used, for the user.
    pub(crate) fn load(path: &Path, fatal: api::FatalErrorHandler) -> Result<Session, String> {
        let api = Api::load(path)?;
        let (version, major) = match api.version() {
            Some((major, minor, patch)) => (format!("{major}.{minor}.{patch}"), major),
            // Only 16 and later can tell.
            None if api.has_opaque_pointers => ("15".to_owned(), 15),
            None => return Err(library::too_old("14 or earlier")),
        };
        let overview = c"";
        let options = OPTIONS.map(CStr::as_ptr);
        let mut target = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: these take no arguments or pointers that live through the
        // call, and run once, before any other use of the library.
        let failed = unsafe {
            (api.initialize_target_info)();
            (api.initialize_target)();
            (api.initialize_target_mc)();
            (api.initialize_asm_printer)();
            (api.initialize_asm_parser)();
            (api.install_fatal_error_handler)(fatal);
            (api.parse_command_line_options)(
                options.len() as c_int,
                options.as_ptr(),
                overview.as_ptr(),
            );
            (api.target_from_triple)(TRIPLE.as_ptr(), &mut target, &mut message)
        };
        if failed != 0 {
            return Err(take_message(&api, message));
        }
        let pipeline = pipeline(major);
        Ok(Session { api, target, machines: HashMap::new(), pipeline, version })
    }

    /// LLVM's version, `22.1.2`, or `15`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Compiles one program.
    ///
    /// # Errors
    /// LLVM's words. What LLVM cannot say in words ends the process.
    pub(crate) fn compile(
        &mut self,
        ir: &str,
        processor: &str,
        features: &str,
    ) -> Result<Output, String> {
        let machine = self.machine(processor, features)?;
        let assembly = self.generate(ir, machine, FILE_ASSEMBLY)?;
        let assembly = String::from_utf8_lossy(&assembly).into_owned();
        // Shaders have no calls; from LLVM 17 on a misspelt intrinsic becomes one.
        if assembly.contains("s_swappc") {
            return Err("the compiled code calls a function, which a shader cannot do".to_owned());
        }
        // Assembling the text takes a tenth of the time of a second code
        // generation, and the bytes are certain to be those of the text. Where
        // LLVM cannot read what it wrote, the second generation gives them.
        let code = match self.assemble(&assembly, machine) {
            Ok(code) => code,
            Err(_) => code_of(&self.generate(ir, machine, FILE_OBJECT)?)?,
        };
        Ok(Output { assembly, code })
    }

    /// From IR text to an assembly or object file.
    fn generate(
        &self,
        ir: &str,
        machine: *mut api::TargetMachine,
        kind: c_int,
    ) -> Result<Vec<u8>, String> {
        let context = Context::new(&self.api);
        let module = context.parse(ir)?;
        module.prepare(machine);
        module.verify()?;
        self.optimise(&module, machine)?;
        context.check()?;
        let file = module.emit(machine, kind)?;
        context.check()?;
        Ok(file)
    }

    /// From assembly text to the bytes of its code.
    fn assemble(
        &self,
        assembly: &str,
        machine: *mut api::TargetMachine,
    ) -> Result<Vec<u8>, String> {
        let context = Context::new(&self.api);
        let module = context.module_of(assembly);
        module.prepare(machine);
        let object = module.emit(machine, FILE_OBJECT)?;
        context.check()?;
        code_of(&object)
    }

    fn machine(
        &mut self,
        processor: &str,
        features: &str,
    ) -> Result<*mut api::TargetMachine, String> {
        let key = (processor.to_owned(), features.to_owned());
        if let Some(machine) = self.machines.get(&key) {
            return Ok(*machine);
        }
        let name =
            CString::new(processor).map_err(|_| "the processor's name holds a NUL".to_owned())?;
        let list = CString::new(features).map_err(|_| "the feature list holds a NUL".to_owned())?;
        // Relocation and code model 0 are the target's defaults.
        // SAFETY: the target came from LLVM and the strings live through the call.
        let machine = unsafe {
            (self.api.create_target_machine)(
                self.target,
                TRIPLE.as_ptr(),
                name.as_ptr(),
                list.as_ptr(),
                CODE_GENERATION_LEVEL,
                0,
                0,
            )
        };
        if machine.is_null() {
            return Err(format!("LLVM has no code generator for {processor}"));
        }
        // SAFETY: the machine was just made.
        unsafe { (self.api.set_assembly_verbosity)(machine, 1) };
        if self.machines.len() >= MAXIMAL_MACHINES {
            for (_, machine) in self.machines.drain() {
                // SAFETY: made by LLVM, removed from the map, used by nobody now.
                unsafe { (self.api.dispose_target_machine)(machine) };
            }
        }
        self.machines.insert(key, machine);
        Ok(machine)
    }

    fn optimise(
        &self,
        module: &Module<'_>,
        machine: *mut api::TargetMachine,
    ) -> Result<(), String> {
        match run_pipeline(module, &self.pipeline, machine) {
            Ok(()) => Ok(()),
            // A pass was renamed in an LLVM newer than this list of names.
            Err(_) if self.pipeline.as_c_str() != FALLBACK_PIPELINE => {
                run_pipeline(module, FALLBACK_PIPELINE, machine)?;
                Ok(())
            }
            Err(message) => Err(message),
        }
    }
}

/// The code in an object file.
fn code_of(object: &[u8]) -> Result<Vec<u8>, String> {
    Object::open(object)
        .and_then(|mut object| object.section(".text"))
        .ok_or_else(|| "LLVM's object file has no code section".to_owned())
}

/// The passes radeonsi ran, in the spelling of each LLVM. Some pipeline is
/// required: from 18 on the code generator leaves variables in memory.
fn pipeline(major: u32) -> CString {
    let aggregates = if major < 16 { "sroa" } else { "sroa<modify-cfg>" };
    let combine = if major < 18 { "instcombine" } else { "instcombine<no-verify-fixpoint>" };
    let text = format!(
        "function(mem2reg,{aggregates},loop-mssa(licm),adce,simplifycfg,early-cse<memssa>,{combine})"
    );
    CString::new(text).unwrap_or_else(|_| FALLBACK_PIPELINE.to_owned())
}

fn run_pipeline(
    module: &Module<'_>,
    passes: &CStr,
    machine: *mut api::TargetMachine,
) -> Result<(), String> {
    let api = module.api;
    // SAFETY: module and machine are alive, the options are freed after use,
    // and reading the message consumes the error.
    unsafe {
        let options = (api.create_pass_options)();
        let error = (api.run_passes)(module.raw, passes.as_ptr(), machine, options);
        (api.dispose_pass_options)(options);
        if error.is_null() {
            return Ok(());
        }
        let message = (api.error_message)(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api.dispose_error_message)(message);
        Err(text)
    }
}

/// A context for one compile, with the errors reported in it.
struct Context<'a> {
    api: &'a Api,
    raw: *mut api::Context,
    reports: *mut Reports,
}

/// What the diagnostic handler writes to.
struct Reports {
    severity: unsafe extern "C" fn(*mut api::DiagnosticInfo) -> c_int,
    description: unsafe extern "C" fn(*mut api::DiagnosticInfo) -> *mut c_char,
    dispose: unsafe extern "C" fn(*mut c_char),
    errors: Vec<String>,
}

extern "C" fn report(diagnostic: *mut api::DiagnosticInfo, reports: *mut c_void) {
    // SAFETY: LLVM calls this on the compiling thread with a live diagnostic
    // and the pointer given at registration, which outlives the context and
    // is not borrowed while LLVM runs.
    unsafe {
        let reports = &mut *reports.cast::<Reports>();
        // Warnings and remarks (there is a size remark for every function)
        // do not make the result doubtful.
        if (reports.severity)(diagnostic) != SEVERITY_ERROR {
            return;
        }
        let text = (reports.description)(diagnostic);
        if !text.is_null() {
            reports.errors.push(CStr::from_ptr(text).to_string_lossy().into_owned());
            (reports.dispose)(text);
        }
    }
}

impl<'a> Context<'a> {
    fn new(api: &'a Api) -> Context<'a> {
        let reports = Box::into_raw(Box::new(Reports {
            severity: api.diagnostic_severity,
            description: api.diagnostic_description,
            dispose: api.dispose_message,
            errors: Vec::new(),
        }));
        // SAFETY: the context is new, and `reports` is freed only after it.
        let raw = unsafe {
            let raw = (api.context_create)();
            (api.context_set_diagnostic_handler)(raw, report, reports.cast());
            raw
        };
        Context { api, raw, reports }
    }

    /// The first error reported so far: text may be produced in spite of one.
    fn check(&self) -> Result<(), String> {
        // SAFETY: the box is alive and LLVM is not running, so nothing writes.
        let errors = unsafe { &(*self.reports).errors };
        errors.first().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn parse(&self, ir: &str) -> Result<Module<'_>, String> {
        let mut raw = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the buffer copies the text and the parser consumes the buffer.
        let failed = unsafe {
            let buffer = (self.api.buffer_from_copy)(ir.as_ptr().cast(), ir.len(), c"ir".as_ptr());
            (self.api.parse_ir)(self.raw, buffer, &mut raw, &mut message)
        };
        if failed != 0 {
            return Err(take_message(self.api, message));
        }
        let module = Module { api: self.api, raw, context: std::marker::PhantomData };
        self.check()?;
        Ok(module)
    }

    /// A module that is nothing but assembly text.
    fn module_of(&self, assembly: &str) -> Module<'_> {
        // SAFETY: the context is alive and the text is copied.
        let raw = unsafe {
            let raw = (self.api.create_module)(c"assembly".as_ptr(), self.raw);
            (self.api.set_module_assembly)(raw, assembly.as_ptr().cast(), assembly.len());
            raw
        };
        Module { api: self.api, raw, context: std::marker::PhantomData }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left; the reports
        // were made from a box and nothing can be reported any more.
        unsafe {
            (self.api.context_dispose)(self.raw);
            drop(Box::from_raw(self.reports));
        }
    }
}

/// A module; it cannot outlive its context.
struct Module<'a> {
    api: &'a Api,
    raw: *mut api::Module,
    context: std::marker::PhantomData<&'a Context<'a>>,
}

impl Module<'_> {
    /// Gives the module the triple and the layout of the target. The text
    /// does not hold the layout because it differs between versions.
    fn prepare(&self, machine: *mut api::TargetMachine) {
        // SAFETY: module and machine are alive; the layout is copied.
        unsafe {
            (self.api.set_triple)(self.raw, TRIPLE.as_ptr());
            let layout = (self.api.create_data_layout)(machine);
            (self.api.set_data_layout)(self.raw, layout);
            (self.api.dispose_data_layout)(layout);
        }
    }

    /// Code generation does not verify: it crashes on what this refuses.
    fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is alive; the message is freed below in both cases.
        let failed =
            unsafe { (self.api.verify_module)(self.raw, VERIFY_RETURN_STATUS, &mut message) };
        let text = take_message(self.api, message);
        if failed != 0 { Err(text) } else { Ok(()) }
    }

    /// Generates code; the module cannot be used again.
    fn emit(self, machine: *mut api::TargetMachine, kind: c_int) -> Result<Vec<u8>, String> {
        let mut message = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        // SAFETY: module and machine are alive; LLVM fills in one of the two pointers.
        let failed = unsafe { (self.api.emit)(machine, self.raw, kind, &mut message, &mut buffer) };
        if failed != 0 || buffer.is_null() {
            return Err(take_message(self.api, message));
        }
        // SAFETY: start and size describe the buffer until it is freed.
        unsafe {
            let start = (self.api.buffer_start)(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, (self.api.buffer_size)(buffer)).to_vec();
            (self.api.buffer_dispose)(buffer);
            Ok(bytes)
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: made by LLVM, freed once, and the context is still alive.
        unsafe { (self.api.dispose_module)(self.raw) };
    }
}

/// Copies and frees a message of LLVM's, which may be missing.
fn take_message(api: &Api, message: *mut c_char) -> String {
    if message.is_null() {
        return "LLVM gave no reason".to_owned();
    }
    // SAFETY: LLVM's messages are NUL-terminated, owned by the caller and freed once.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api.dispose_message)(message);
        text.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn fatal(_: *const c_char) {}

    /// LLVM is initialised by one thread only, as in the worker.
    static LOADING: std::sync::Mutex<()> = std::sync::Mutex::new(());

    /// What makes text and object differ most easily: branches, debug lines,
    /// memory shared and private, a table of constants, stores to scratch.
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
                    let text = String::from_utf8(text).unwrap();
                    let object = session.generate(program, machine, FILE_OBJECT).unwrap();
                    let code = code_of(&object).unwrap();
                    assert!(code.len() > 40);
                    let assembled = session.assemble(&text, machine);
                    assert_eq!(assembled, Ok(code), "LLVM {} {processor}\n{text}", found.version);
                }
            }
        }
    }

    /// So that the second code generation can take over.
    #[test]
    fn text_that_cannot_be_assembled_is_an_error_in_words() {
        let _alone = LOADING.lock().unwrap();
        for found in usable_libraries() {
            let mut session = Session::load(&found.path, fatal).unwrap();
            let machine = session.machine("gfx803", "").unwrap();
            for (text, words) in [
                ("v_nonsense v0", "invalid instruction"),
                ("s_branch .Lnowhere", "undefined label '.Lnowhere'"),
            ] {
                let message = session.assemble(text, machine).unwrap_err();
                assert!(message.contains(words), "{message}");
            }
        }
    }

    fn usable_libraries() -> Vec<library::Found> {
        let mut found = library::find(&library::Search::default());
        found.retain(library::Found::is_usable);
        if found.is_empty() {
            eprintln!("skipped: no libLLVM on this machine");
        }
        found
    }
}
