//! The part of LLVM's C interface that a compile needs, as typed functions
//! looked up at run time.
//!
//! Only functions that exist under the same name and signature in every LLVM
//! from 15 to 22 are taken, except the version query, which came with 16.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;

use libloading::Library;

use crate::error::LoadError;

macro_rules! handles {
    ($($(#[$documentation:meta])* $name:ident;)*) => {$(
        $(#[$documentation])*
        #[repr(C)]
        pub(crate) struct $name {
            opaque: [u8; 0],
        }
    )*};
}

handles! {
    /// Owns the types and constants of the modules made in it.
    Context;
    /// A parsed program.
    Module;
    /// A code generator's description.
    Target;
    /// A code generator set up for one processor.
    TargetMachine;
    /// Sizes and alignments of a target.
    TargetData;
    /// A piece of text or bytes.
    MemoryBuffer;
    /// One diagnostic while it is being reported.
    DiagnosticInfo;
    /// Options of a pass pipeline.
    PassOptions;
    /// An error that has not been read yet.
    Error;
}

/// Receives a diagnostic and the pointer given at registration.
pub(crate) type DiagnosticHandler = extern "C" fn(*mut DiagnosticInfo, *mut c_void);
/// Receives the text of a fatal error; LLVM aborts if it returns.
pub(crate) type FatalErrorHandler = extern "C" fn(*const c_char);
/// LLVM's boolean; non-zero means failure wherever a status is returned.
pub(crate) type Status = c_int;

macro_rules! functions {
    ($($field:ident = $name:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of one loaded library. The library is never
        /// unloaded, so they stay valid as long as the process lives. They may unwind:
        /// C++ throws where there is no memory.
        pub(crate) struct Api {
            $(pub(crate) $field: unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?,)*
            /// Are there pointers without pointee types? Since 15.
            pub(crate) has_opaque_pointers: bool,
            /// `LLVMGetVersion`, absent before 16.
            get_version: Option<unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint)>,
        }

        impl Api {
            fn bind(library: &Library) -> Result<Api, LoadError> {
                Ok(Api {
                    $($field: {
                        // SAFETY: the type is the one of LLVM's public C headers for this name.
                        let symbol = unsafe {
                            library.get::<unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?>($name)
                        };
                        *symbol.map_err(LoadError::Function)?
                    },)*
                    has_opaque_pointers: {
                        // SAFETY: only its presence is asked.
                        unsafe { library.get::<unsafe extern "C" fn()>(b"LLVMPointerTypeInContext\0") }.is_ok()
                    },
                    get_version: {
                        // SAFETY: as above; the function is optional.
                        unsafe { library.get(b"LLVMGetVersion\0") }.ok().map(|symbol| *symbol)
                    },
                })
            }
        }
    };
}

functions! {
    initialize_target_info = b"LLVMInitializeAMDGPUTargetInfo\0": fn();
    initialize_target = b"LLVMInitializeAMDGPUTarget\0": fn();
    initialize_target_mc = b"LLVMInitializeAMDGPUTargetMC\0": fn();
    initialize_asm_printer = b"LLVMInitializeAMDGPUAsmPrinter\0": fn();
    initialize_asm_parser = b"LLVMInitializeAMDGPUAsmParser\0": fn();
    install_fatal_error_handler = b"LLVMInstallFatalErrorHandler\0": fn(FatalErrorHandler);
    parse_command_line_options = b"LLVMParseCommandLineOptions\0":
        fn(c_int, *const *const c_char, *const c_char);

    context_create = b"LLVMContextCreate\0": fn() -> *mut Context;
    context_dispose = b"LLVMContextDispose\0": fn(*mut Context);
    context_set_diagnostic_handler = b"LLVMContextSetDiagnosticHandler\0":
        fn(*mut Context, DiagnosticHandler, *mut c_void);
    diagnostic_severity = b"LLVMGetDiagInfoSeverity\0": fn(*mut DiagnosticInfo) -> c_int;
    diagnostic_description = b"LLVMGetDiagInfoDescription\0": fn(*mut DiagnosticInfo) -> *mut c_char;
    dispose_message = b"LLVMDisposeMessage\0": fn(*mut c_char);

    buffer_from_copy = b"LLVMCreateMemoryBufferWithMemoryRangeCopy\0":
        fn(*const c_char, usize, *const c_char) -> *mut MemoryBuffer;
    buffer_start = b"LLVMGetBufferStart\0": fn(*mut MemoryBuffer) -> *const c_char;
    buffer_size = b"LLVMGetBufferSize\0": fn(*mut MemoryBuffer) -> usize;
    buffer_dispose = b"LLVMDisposeMemoryBuffer\0": fn(*mut MemoryBuffer);

    parse_ir = b"LLVMParseIRInContext\0":
        fn(*mut Context, *mut MemoryBuffer, *mut *mut Module, *mut *mut c_char) -> Status;
    verify_module = b"LLVMVerifyModule\0": fn(*mut Module, c_int, *mut *mut c_char) -> Status;
    create_module = b"LLVMModuleCreateWithNameInContext\0":
        fn(*const c_char, *mut Context) -> *mut Module;
    set_module_assembly = b"LLVMSetModuleInlineAsm2\0": fn(*mut Module, *const c_char, usize);
    dispose_module = b"LLVMDisposeModule\0": fn(*mut Module);
    set_data_layout = b"LLVMSetModuleDataLayout\0": fn(*mut Module, *mut TargetData);
    set_triple = b"LLVMSetTarget\0": fn(*mut Module, *const c_char);

    target_from_triple = b"LLVMGetTargetFromTriple\0":
        fn(*const c_char, *mut *mut Target, *mut *mut c_char) -> Status;
    create_target_machine = b"LLVMCreateTargetMachine\0":
        fn(*mut Target, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> *mut TargetMachine;
    set_assembly_verbosity = b"LLVMSetTargetMachineAsmVerbosity\0": fn(*mut TargetMachine, c_int);
    create_data_layout = b"LLVMCreateTargetDataLayout\0": fn(*mut TargetMachine) -> *mut TargetData;
    dispose_target_machine = b"LLVMDisposeTargetMachine\0": fn(*mut TargetMachine);
    dispose_data_layout = b"LLVMDisposeTargetData\0": fn(*mut TargetData);
    emit = b"LLVMTargetMachineEmitToMemoryBuffer\0":
        fn(*mut TargetMachine, *mut Module, c_int, *mut *mut c_char, *mut *mut MemoryBuffer) -> Status;

    create_pass_options = b"LLVMCreatePassBuilderOptions\0": fn() -> *mut PassOptions;
    dispose_pass_options = b"LLVMDisposePassBuilderOptions\0": fn(*mut PassOptions);
    run_passes = b"LLVMRunPasses\0":
        fn(*mut Module, *const c_char, *mut TargetMachine, *mut PassOptions) -> *mut Error;
    error_message = b"LLVMGetErrorMessage\0": fn(*mut Error) -> *mut c_char;
    dispose_error_message = b"LLVMDisposeErrorMessage\0": fn(*mut c_char);
}

impl Api {
    /// Loads a library for the rest of the process's life.
    ///
    /// # Errors
    /// The loader's words, or the name of a function that is missing, such as
    /// `LLVMInitializeAMDGPUTarget` in an LLVM built without the AMD back end.
    pub(crate) fn load(path: &Path) -> Result<Api, LoadError> {
        // SAFETY: the user's own libLLVM is run on purpose; its initialisers
        // are those of every program linked with it, and this process exists
        // for nothing else.
        let library = unsafe { Library::new(path) }.map_err(LoadError::Loader)?;
        let api = Api::bind(&library)?;
        // Unloading would leave LLVM's exit handlers and threads without code.
        std::mem::forget(library);
        Ok(api)
    }

    /// Major, minor and patch number, if the library can tell (16 and later).
    pub(crate) fn version(&self) -> Option<(u32, u32, u32)> {
        let get_version = self.get_version?;
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: the function writes one unsigned number through each pointer.
        unsafe { get_version(&mut major, &mut minor, &mut patch) };
        Some((major, minor, patch))
    }
}
