//! From IR text to assembly and bytes inside the worker: the order of calls
//! that works on every LLVM from 15 on.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr;

use crate::api::{self, Api};
use crate::error::{JobError, LoadError, Message};
use crate::module::{Context, Module, TRIPLE, take_message};
use crate::object::Object;
use crate::{Output, Warning};

/// Plain atomics, as the drivers of these chips emitted them; by default LLVM
/// 17 and later wrap them in a loop over the lanes.
const OPTIONS: [&CStr; 2] = [c"tungsten", c"-amdgpu-atomic-optimizer-strategy=None"];
/// Code generation at level 2: level 1 gives the same code, 3 a slightly worse one.
const CODE_GENERATION_LEVEL: c_int = 2;
const FILE_ASSEMBLY: c_int = 0;
const FILE_OBJECT: c_int = 1;
/// Target machines kept; one is some hundred kilobytes and takes little to make.
const MAXIMAL_MACHINES: usize = 64;
/// The pipeline every LLVM knows.
const FALLBACK_PIPELINE: &CStr = c"default<O1>";

/// A loaded and initialised LLVM.
pub(crate) struct Session {
    api: Api,
    target: *mut api::Target,
    machines: HashMap<(String, String), *mut api::TargetMachine>,
    pipeline: &'static CStr,
    version: String,
}

impl Session {
    /// Loads and initialises the library.
    ///
    /// # Errors
    /// Why the library cannot be used, for the user.
    pub(crate) fn load(path: &Path, fatal: api::FatalErrorHandler) -> Result<Session, LoadError> {
        let api = Api::load(path)?;
        let (version, major) = match api.version() {
            Some((major, minor, patch)) => (format!("{major}.{minor}.{patch}"), major),
            // Only 16 and later can tell.
            None if api.has_opaque_pointers => ("15".to_owned(), 15),
            None => return Err(LoadError::TooOld("14 or earlier")),
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
            return Err(take_message(&api, message).into());
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
    ) -> Result<Output, JobError> {
        let machine = self.machine(processor, features)?;
        let (assembly, warnings) = self.generate(ir, machine, FILE_ASSEMBLY)?;
        let assembly = String::from_utf8_lossy(&assembly).into_owned();
        // Shaders have no calls; from LLVM 17 on a misspelt intrinsic becomes one.
        if assembly.contains("s_swappc") {
            return Err(JobError::Call);
        }
        // Assembling the text takes a tenth of the time of a second code
        // generation, and the bytes are certain to be those of the text. Where
        // LLVM cannot read what it wrote, the second generation gives them.
        let code = match self.assemble(&assembly, machine) {
            Ok(code) => code,
            Err(_) => code_of(&self.generate(ir, machine, FILE_OBJECT)?.0)?,
        };
        Ok(Output { assembly, code, warnings })
    }

    /// From IR text to an assembly or object file, with the warnings on the way.
    fn generate(
        &self,
        ir: &str,
        machine: *mut api::TargetMachine,
        kind: c_int,
    ) -> Result<(Vec<u8>, Vec<Warning>), Message> {
        let context = Context::new(&self.api);
        let module = context.parse(ir)?;
        module.prepare(machine);
        module.verify()?;
        self.optimise(&module, machine)?;
        context.check()?;
        let file = module.emit(machine, kind)?;
        context.check()?;
        Ok((file, context.warnings()))
    }

    /// From assembly text to the bytes of its code.
    fn assemble(
        &self,
        assembly: &str,
        machine: *mut api::TargetMachine,
    ) -> Result<Vec<u8>, JobError> {
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
    ) -> Result<*mut api::TargetMachine, JobError> {
        let key = (processor.to_owned(), features.to_owned());
        if let Some(machine) = self.machines.get(&key) {
            return Ok(*machine);
        }
        let name = CString::new(processor).map_err(|_| JobError::Nul("the processor's name"))?;
        let list = CString::new(features).map_err(|_| JobError::Nul("the feature list"))?;
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
            return Err(JobError::Processor(processor.to_owned()));
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
    ) -> Result<(), Message> {
        match module.run_passes(self.pipeline, machine) {
            // A pass was renamed in an LLVM newer than this list of names.
            Err(_) if self.pipeline != FALLBACK_PIPELINE => {
                module.run_passes(FALLBACK_PIPELINE, machine)
            }
            result => result,
        }
    }
}

/// The code in an object file.
fn code_of(object: &[u8]) -> Result<Vec<u8>, JobError> {
    Object::open(object)
        .and_then(|object| object.section(".text").map(<[u8]>::to_vec))
        .ok_or(JobError::NoCode)
}

/// All that decides what becomes of a program in a given LLVM: two that are equal compile
/// alike.
pub(crate) fn recipe() -> impl std::hash::Hash {
    (TRIPLE, OPTIONS, CODE_GENERATION_LEVEL, [15, 16, 18].map(pipeline), FALLBACK_PIPELINE)
}

/// The passes radeonsi ran, in the spelling of each LLVM. Some pipeline is
/// required: from 18 on the code generator leaves variables in memory.
fn pipeline(major: u32) -> &'static CStr {
    match major {
        0..16 => c"function(mem2reg,sroa,loop-mssa(licm),adce,simplifycfg,early-cse<memssa>,instcombine)",
        16..18 => c"function(mem2reg,sroa<modify-cfg>,loop-mssa(licm),adce,simplifycfg,early-cse<memssa>,instcombine)",
        18.. => c"function(mem2reg,sroa<modify-cfg>,loop-mssa(licm),adce,simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>)",
    }
}

#[cfg(test)]
mod tests;
