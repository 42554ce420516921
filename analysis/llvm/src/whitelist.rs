//! The list of functions that an IR text may call.
//!
//! From LLVM 17 on a call to an intrinsic that does not exist (misspelt, or
//! removed in that version) silently becomes a call in the machine code. So
//! the names are checked here, before LLVM sees the text.

use std::collections::HashSet;

use thiserror::Error;

/// A function that an IR text may not call.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: the function @{name} is not one the compiler may be asked for")]
pub(crate) struct ForbiddenFunction {
    line: usize,
    name: String,
}

/// Checks that every function the text declares or calls is allowed or
/// defined in the text itself. An entry ending in `*` allows all that begin
/// with it.
///
/// # Errors
/// The first function that is not.
pub(crate) fn check(ir: &str, allowed: &[&str]) -> Result<(), ForbiddenFunction> {
    let mut defined = HashSet::new();
    let mut used = Vec::new();
    let mut seen = HashSet::new();
    let mut scanner = Scanner { bytes: ir.as_bytes(), position: 0 };
    let mut role = Role::None;
    while let Some(token) = scanner.next() {
        match token {
            Token::Word(word) => match word {
                b"define" => role = Role::Definition,
                b"declare" | b"call" | b"invoke" | b"callbr" => role = Role::Use,
                // What follows is text for the assembler, not a function.
                b"asm" => role = Role::None,
                _ => {}
            },
            Token::Global { name, start } => match std::mem::replace(&mut role, Role::None) {
                Role::Definition => {
                    defined.insert(name);
                }
                Role::Use => {
                    if seen.insert(name) {
                        used.push((name, start));
                    }
                }
                Role::None => {}
            },
            // A call through a pointer: the check of the output finds it.
            Token::LocalBeforeParenthesis => role = Role::None,
        }
    }
    for (name, start) in used {
        if !defined.contains(name) && !allowed.iter().any(|entry| matches(entry, name)) {
            let line = 1 + ir.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count();
            return Err(ForbiddenFunction {
                line,
                name: String::from_utf8_lossy(name).into_owned(),
            });
        }
    }
    Ok(())
}

fn matches(entry: &str, name: &[u8]) -> bool {
    match entry.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning.as_bytes()),
        None => entry.as_bytes() == name,
    }
}

enum Role {
    None,
    Definition,
    Use,
}

enum Token<'a> {
    Word(&'a [u8]),
    /// A global's name without `@` and quotes, and where it starts.
    Global {
        name: &'a [u8],
        start: usize,
    },
    LocalBeforeParenthesis,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let start = self.position;
            let byte = *self.bytes.get(start)?;
            self.position += 1;
            match byte {
                b';' => {
                    self.run(|byte| byte != b'\n');
                }
                b'"' => {
                    self.string();
                }
                b'@' | b'%' => {
                    let name = if self.bytes.get(self.position) == Some(&b'"') {
                        self.position += 1;
                        self.string()
                    } else {
                        self.run(is_name)
                    };
                    if byte == b'@' {
                        return Some(Token::Global { name, start });
                    }
                    if self.bytes.get(self.position) == Some(&b'(') {
                        return Some(Token::LocalBeforeParenthesis);
                    }
                }
                _ if is_name(byte) => {
                    self.run(is_name);
                    return Some(Token::Word(&self.bytes[start..self.position]));
                }
                _ => {}
            }
        }
    }

    /// The bytes from here on that belong together.
    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    /// The inside of a string; LLVM writes a quote in it as `\22`.
    fn string(&mut self) -> &'a [u8] {
        let inside = self.run(|byte| byte != b'"');
        self.position = (self.position + 1).min(self.bytes.len());
        inside
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$' | b'-' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &[&str] = &["llvm.fma.f32", "llvm.amdgcn.exp.*"];

    #[test]
    fn allowed_and_defined_functions_pass() {
        let ir = "\
; call void @nothing()
@table = constant i32 0
declare float @llvm.fma.f32(float, float, float)
define void @main() #0 {
  %a = tail call nnan float @llvm.fma.f32(float 1.0, float 1.0, float 1.0)
  call void @\"llvm.amdgcn.exp.f32\"(i32 0)
  %v = call i32 asm sideeffect \"call @text\", \"=v,0\"(ptr @table)
  call void @helper(ptr @table)
  call void %pointer(ptr @table)
  ret void
}
define internal void @helper(ptr %p) { ret void }
attributes #0 = { \"call\"=\"@other\" }
";
        assert_eq!(check(ir, ALLOWED), Ok(()));
    }

    #[test]
    fn every_other_function_is_named_with_its_line() {
        let refused = |ir: &str| check(ir, ALLOWED).unwrap_err().to_string();
        assert_eq!(
            refused("\ndeclare float @llvm.fma.f64(float)"),
            "line 2: the function @llvm.fma.f64 is not one the compiler may be asked for"
        );
        assert!(
            refused("call void\n @\"odd name\"()").starts_with("line 2: the function @odd name ")
        );
        assert!(refused("%x = call %struct.a @f()").contains("@f "));
        assert!(refused("invoke void @g()").contains("@g "));
        assert!(refused("declare void @llvm.amdgcn.ex()").contains("@llvm.amdgcn.ex "));
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for ir in [
            "",
            "@",
            "@\"",
            "call @",
            "call @\"",
            "%\"",
            "\"",
            ";",
            "call é @é()",
            "call void @\"é",
        ] {
            let _ = check(ir, ALLOWED);
        }
    }
}
