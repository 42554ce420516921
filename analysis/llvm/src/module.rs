//! Contexts and modules of LLVM with their lifetimes, so that every way out of
//! a compile frees what it made.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;

use crate::Warning;
use crate::api::{self, Api};
use crate::error::Message;

/// The bare triple. Others move the scalar arguments of graphics functions.
pub(crate) const TRIPLE: &CStr = c"amdgcn--";
/// The verifier shall return its verdict instead of ending the process.
const VERIFY_RETURN_STATUS: c_int = 2;
const SEVERITY_ERROR: c_int = 0;
const SEVERITY_WARNING: c_int = 1;
/// Warnings kept of one compile; more tell nothing new.
const MOST_WARNINGS: usize = 32;
/// Characters kept of a warning.
const LONGEST_WARNING: usize = 300;

/// A context for one compile, with the errors reported in it.
pub(crate) struct Context<'a> {
    api: &'a Api,
    raw: *mut api::Context,
    reports: *mut Reports,
}

/// The destination of the diagnostic handler.
struct Reports {
    severity: unsafe extern "C-unwind" fn(*mut api::DiagnosticInfo) -> c_int,
    description: unsafe extern "C-unwind" fn(*mut api::DiagnosticInfo) -> *mut c_char,
    dispose: unsafe extern "C-unwind" fn(*mut c_char),
    errors: Vec<String>,
    warnings: Vec<Warning>,
}

extern "C" fn report(diagnostic: *mut api::DiagnosticInfo, reports: *mut c_void) {
    // SAFETY: LLVM calls this on the compiling thread with a live diagnostic
    // and the pointer given at registration, which outlives the context and
    // is not borrowed while LLVM runs.
    unsafe {
        let reports = &mut *reports.cast::<Reports>();
        // Remarks tell nothing: there is one of the size for every function.
        let severity = (reports.severity)(diagnostic);
        if severity != SEVERITY_ERROR && severity != SEVERITY_WARNING {
            return;
        }
        let text = (reports.description)(diagnostic);
        if text.is_null() {
            return;
        }
        let words = CStr::from_ptr(text).to_string_lossy().into_owned();
        (reports.dispose)(text);
        if severity == SEVERITY_ERROR {
            reports.errors.push(placed(&words).message);
        } else if reports.warnings.len() < MOST_WARNINGS {
            reports.warnings.push(placed(&words));
        }
    }
}

/// A diagnostic's words without the place before them, `shader:7:1: ` or `<unknown>:0:0: `,
/// which is taken for its line, and without the name of the function that every module has.
fn placed(words: &str) -> Warning {
    let place = |words: &str| {
        let (place, rest) = words.split_once(": ")?;
        let (file_and_line, column) = place.rsplit_once(':')?;
        let (_, line) = file_and_line.rsplit_once(':')?;
        let _: u32 = column.parse().ok()?;
        Some((line.parse().ok()?, rest.to_owned()))
    };
    let (line, rest) = place(words).unwrap_or_else(|| (0, words.to_owned()));
    let rest = rest.trim_end().replace(" in function 'main'", "").replace("in function main ", "");
    Warning { line, message: rest.chars().take(LONGEST_WARNING).collect() }
}

impl<'a> Context<'a> {
    /// A new context.
    pub(crate) fn new(api: &'a Api) -> Context<'a> {
        let reports = Box::into_raw(Box::new(Reports {
            severity: api.diagnostic_severity,
            description: api.diagnostic_description,
            dispose: api.dispose_message,
            errors: Vec::new(),
            warnings: Vec::new(),
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
    ///
    /// # Errors
    /// That error's text.
    pub(crate) fn check(&self) -> Result<(), Message> {
        // SAFETY: the sandbox is alive and LLVM is not running, so nothing writes.
        let errors = unsafe { &(*self.reports).errors };
        errors.first().map_or(Ok(()), |error| Err(Message(error.clone())))
    }

    /// Returns LLVM's warnings so far.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        // SAFETY: as above.
        unsafe { &*self.reports }.warnings.clone()
    }

    /// Parses IR text.
    ///
    /// # Errors
    /// LLVM's words, with line and column.
    pub(crate) fn parse(&self, ir: &str) -> Result<Module<'_>, Message> {
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
        let module = Module { api: self.api, raw, context: PhantomData };
        self.check()?;
        Ok(module)
    }

    /// A module that is nothing but assembly text.
    pub(crate) fn module_of(&self, assembly: &str) -> Module<'_> {
        // SAFETY: the context is alive and the text is copied.
        let raw = unsafe {
            let raw = (self.api.create_module)(c"assembly".as_ptr(), self.raw);
            (self.api.set_module_assembly)(raw, assembly.as_ptr().cast(), assembly.len());
            raw
        };
        Module { api: self.api, raw, context: PhantomData }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left; the reports
        // were made from a sandbox and nothing can be reported any more.
        unsafe {
            (self.api.context_dispose)(self.raw);
            drop(Box::from_raw(self.reports));
        }
    }
}

/// A module; it cannot outlive its context.
pub(crate) struct Module<'a> {
    api: &'a Api,
    raw: *mut api::Module,
    context: PhantomData<&'a Context<'a>>,
}

impl Module<'_> {
    /// Gives the module the triple and the layout of the target. The text
    /// does not hold the layout because it differs between versions.
    pub(crate) fn prepare(&self, machine: *mut api::TargetMachine) {
        // SAFETY: module and machine are alive; the layout is copied.
        unsafe {
            (self.api.set_triple)(self.raw, TRIPLE.as_ptr());
            let layout = (self.api.create_data_layout)(machine);
            (self.api.set_data_layout)(self.raw, layout);
            (self.api.dispose_data_layout)(layout);
        }
    }

    /// Code generation does not verify: it crashes on what this refuses.
    ///
    /// # Errors
    /// LLVM's words.
    pub(crate) fn verify(&self) -> Result<(), Message> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is alive; the message is freed below in both cases.
        let failed =
            unsafe { (self.api.verify_module)(self.raw, VERIFY_RETURN_STATUS, &mut message) };
        let text = take_message(self.api, message);
        if failed != 0 { Err(text) } else { Ok(()) }
    }

    /// Runs a pipeline of passes.
    ///
    /// # Errors
    /// When LLVM does not know a pass; the module is as it was.
    pub(crate) fn run_passes(
        &self,
        passes: &CStr,
        machine: *mut api::TargetMachine,
    ) -> Result<(), Message> {
        // SAFETY: module and machine are alive, the options are freed after
        // use, and reading the message consumes the error.
        unsafe {
            let options = (self.api.create_pass_options)();
            let error = (self.api.run_passes)(self.raw, passes.as_ptr(), machine, options);
            (self.api.dispose_pass_options)(options);
            if error.is_null() {
                return Ok(());
            }
            let message = (self.api.error_message)(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.api.dispose_error_message)(message);
            Err(Message(text))
        }
    }

    /// Generates code; the module cannot be used again.
    ///
    /// # Errors
    /// LLVM's words.
    pub(crate) fn emit(
        self,
        machine: *mut api::TargetMachine,
        kind: c_int,
    ) -> Result<Vec<u8>, Message> {
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
pub(crate) fn take_message(api: &Api, message: *mut c_char) -> Message {
    if message.is_null() {
        return Message("LLVM gave no reason".to_owned());
    }
    // SAFETY: LLVM's messages are NUL-terminated, owned by the caller and freed once.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api.dispose_message)(message);
        Message(text.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{Warning, placed};

    #[test]
    fn the_place_of_a_diagnostic_is_its_line() {
        let is = |words: &str, line: u32, message: &str| {
            assert_eq!(placed(words), Warning { line, message: message.to_owned() }, "{words}");
        };
        is(
            "shader:7:1: stack frame size (9) exceeds limit (8)",
            7,
            "stack frame size (9) exceeds limit (8)",
        );
        is("<unknown>:0:0: odd: very", 0, "odd: very");
        is("no place: here", 0, "no place: here");
        is("", 0, "");
        is("a:b:c: d", 0, "a:b:c: d");
        is("a:1:2: b in function 'main' c \n", 1, "b c");
        is("a:1:2: in function main b", 1, "b");
        is(&"x".repeat(301), 0, &"x".repeat(300));
    }
}
