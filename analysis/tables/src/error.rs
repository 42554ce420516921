//! The error of tables.

use std::fmt;

/// A fault that ends a build, with the place in a table where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The file and the line at fault, where there is one.
    pub place: Option<(String, usize)>,
    /// The fault; a line for each where there are several.
    pub message: String,
}

/// A result whose error is that of tables.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl<T: Into<String>> From<T> for Error {
    fn from(message: T) -> Error {
        Error { place: None, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = &self.place {
            write!(f, "{file}:{line}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
