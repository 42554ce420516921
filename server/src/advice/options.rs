//! Options of the compiler that are attributes of a function, and the code that comes of them.

use advise::{Bench, Figures, Proof};
use gcn::Target;
use llvm::Compiler;
use lower::Environment;

use super::{Budget, ShaderBench};

/// An attribute of a function that decides how LLVM's back end compiles it, and not what it
/// computes. A version that does not know one passes over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompilerOption {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: &'static str,
}

const fn option(name: &'static str, value: &'static str) -> CompilerOption {
    CompilerOption { name, value }
}

/// The options that are tried: how many waves the scheduler and the allocator aim at, and what
/// the scheduler orders by.
pub const OPTIONS: &[CompilerOption] = &[
    option("amdgpu-waves-per-eu", "2,2"),
    option("amdgpu-waves-per-eu", "4,4"),
    option("amdgpu-waves-per-eu", "6,6"),
    option("amdgpu-waves-per-eu", "8,8"),
    option("amdgpu-waves-per-eu", "10,10"),
    option("amdgpu-sched-strategy", "max-ilp"),
    option("amdgpu-sched-strategy", "max-memory-clause"),
];

/// The beginning of the attributes of the function, as `lower` writes them.
const ATTRIBUTES: &str = "\nattributes #0 = { ";

impl CompilerOption {
    /// The IR of a shader under the option.
    pub(super) fn applied(&self, ir: &str) -> String {
        let CompilerOption { name, value } = self;
        ir.replacen(ATTRIBUTES, &format!("{ATTRIBUTES}\"{name}\"=\"{value}\" "), 1)
    }
}

impl std::fmt::Display for CompilerOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// The code of a shader under an option, or none, beside what it is without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionResult {
    /// The option; `None` for the usual ones.
    pub option: Option<CompilerOption>,
    /// The figures; `None` where it does not compile.
    pub figures: Option<Figures>,
    /// True where it gives the code that there is without it.
    pub is_same: bool,
    /// The proof that the code does what the shader says, where it is another.
    pub proof: Option<Proof>,
}

/// Compiles a shader under every option. Code that is another than the usual is run beside the
/// shader.
pub fn of_options(
    text: &str,
    target: Target,
    environment: Environment,
    compiler: &mut Compiler,
) -> Vec<OptionResult> {
    let mut usual = None;
    let mut results = Vec::new();
    for option in std::iter::once(None).chain(OPTIONS.iter().copied().map(Some)) {
        let mut bench = ShaderBench::new(text, target, environment, compiler, Budget::none());
        bench.set_option(option);
        let code = bench.listing(text);
        let is_same = option.is_some() && code == usual;
        let proof = (!is_same && code.is_some()).then(|| bench.prove(text));
        results.push(OptionResult { option, figures: bench.measure(text), is_same, proof });
        if option.is_none() {
            usual = code;
        }
    }
    results
}
