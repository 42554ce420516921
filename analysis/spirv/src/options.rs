//! Options: the state and the form that a translation depends on besides the shader.

use lower::Environment;

use crate::builder::Contraction;
use crate::exchange::Exchange;
use crate::interface::Interface;

/// The state that a shader is translated for, and the form of the module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Options {
    /// The state, by the keys of other compilers.
    pub environment: Environment,
    /// The treatment of products and sums.
    pub contraction: Contraction,
    /// The locations of varyings; `None` for those of the shader alone.
    pub interface: Option<Interface>,
    /// The way by which values come in and go out.
    pub exchange: Exchange,
    /// The name of the source file in debug lines.
    pub file: String,
    /// The line of each instruction in debug lines, in order of the instructions; `None` for
    /// their ordinals, which stay the same wherever the shader stands.
    pub lines: Option<Vec<u32>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            environment: Environment::default(),
            contraction: Contraction::default(),
            interface: None,
            exchange: Exchange::default(),
            file: "shader.tgsi".to_owned(),
            lines: None,
        }
    }
}
