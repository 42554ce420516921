//! The compilers of shaders, and what is compiled for: a chip by a compiler.

use gcn::Target;

/// A compiler of shaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Compiler {
    /// LLVM.
    #[default]
    Llvm,
    /// Mesa's ACO.
    Aco,
}

impl Compiler {
    /// Every compiler.
    pub const ALL: [Compiler; 2] = [Compiler::Llvm, Compiler::Aco];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Llvm => "llvm",
            Compiler::Aco => "aco",
        }
    }

    /// The compiler of a name.
    pub fn find(name: &str) -> Option<Compiler> {
        Compiler::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(name))
    }
}

/// A target, and the compiler that compiles for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Build {
    /// The target.
    pub target: Target,
    /// The compiler.
    pub compiler: Compiler,
}

impl Build {
    /// Its name: that of the target, behind that of a compiler that is not LLVM.
    pub fn name(self) -> String {
        let target = self.target.name();
        match self.compiler {
            Compiler::Llvm => target.to_owned(),
            other => format!("{}:{target}", other.name()),
        }
    }

    /// The build of a name.
    pub fn find(name: &str) -> Option<Build> {
        let (compiler, target) = match name.split_once(':') {
            Some((compiler, target)) => (Compiler::find(compiler)?, target),
            None => (Compiler::Llvm, name),
        };
        Some(Build { target: Target::find(target)?, compiler })
    }
}

impl From<Target> for Build {
    fn from(target: Target) -> Build {
        Build { target, compiler: Compiler::Llvm }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_found_by_their_names() {
        let target = Target::default();
        for compiler in Compiler::ALL {
            let build = Build { target, compiler };
            assert_eq!(Build::find(&build.name()), Some(build));
        }
        assert_eq!(Build::from(target).name(), "polaris10");
        assert_eq!(Build { target, compiler: Compiler::Aco }.name(), "aco:polaris10");
        assert_eq!((Build::find("gcc:polaris10"), Build::find("aco:none")), (None, None));
    }
}
