//! Reasons why a name or register is not given another name.

use thiserror::Error;

/// The reason why nothing is renamed, in a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenameError {
    /// No shader is at the place, so there is no register.
    #[error("only registers can be renumbered")]
    NoShader,
    /// Names of assembly are not renamed so.
    #[error(transparent)]
    Assembly(#[from] gcn::service::RenameError),
    /// Registers of a shader are not renumbered so.
    #[error(transparent)]
    Shader(#[from] tgsi::service::rename::RenameError),
    /// One of the program's files is not an input of the engine.
    #[error("a file that uses the name is not known")]
    UnknownFile,
    /// The text around a shader has a form that the new name does not fit into.
    #[error("the file around the shader cannot hold the change")]
    DoesNotFit,
    /// A program that includes an edited file cannot follow.
    #[error("{file}, which includes it: {reason}")]
    Includer {
        /// The name of its file.
        file: String,
        /// The reason there.
        reason: Box<RenameError>,
    },
}
