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
            // Only 16 and later can tell; the file's own name knows at least the major number.
            None => library::version_of(path).unwrap_or_else(|| ("15".to_owned(), 15)),
        };
        if major < library::OLDEST {
            return Err(library::too_old(&version));
        }
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
        let context = Context::new(&self.api);
        let module = context.parse(ir)?;
        module.prepare(machine);
        module.verify()?;
        self.optimise(&module, machine)?;
        context.check()?;
        // Emission rewrites a module for good, so each gets a copy; copies of
        // the same module give the same code.
        let assembly = module.copy().emit(machine, FILE_ASSEMBLY)?;
        context.check()?;
        let object = module.copy().emit(machine, FILE_OBJECT)?;
        context.check()?;
        let assembly = String::from_utf8_lossy(&assembly).into_owned();
        // Shaders have no calls; from LLVM 17 on a misspelt intrinsic becomes one.
        if assembly.contains("s_swappc") {
            return Err("the compiled code calls a function, which a shader cannot do".to_owned());
        }
        let code = Object::open(object.as_slice())
            .and_then(|mut object| object.section(".text"))
            .ok_or("LLVM's object file has no code section")?;
        Ok(Output { assembly, code })
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

    fn copy(&self) -> Module<'_> {
        // SAFETY: the module is alive.
        let raw = unsafe { (self.api.clone_module)(self.raw) };
        Module { api: self.api, raw, context: std::marker::PhantomData }
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
