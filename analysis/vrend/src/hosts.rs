//! Hosts: the version of GL that virglrenderer finds, and the extensions that it does not.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The kinds of GL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Api {
    /// OpenGL, its core profile.
    Gl,
    /// OpenGL ES.
    Gles,
}

impl Api {
    /// Its word in the name of a host.
    pub fn word(self) -> &'static str {
        match self {
            Api::Gl => "gl",
            Api::Gles => "gles",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Api::Gl => "OpenGL",
            Api::Gles => "OpenGL ES",
        })
    }
}

/// A host: what a driver of a version must have, and no extension that a later version made
/// a part of the language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Host {
    /// The kind of GL.
    pub api: Api,
    /// The version: tens and ones.
    pub version: u32,
    /// Extensions that it lacks besides, by their full names.
    pub without: Vec<String>,
    /// Extensions of later versions that it has all the same.
    pub with: Vec<String>,
}

/// The versions that are imitated.
pub const VERSIONS: [(Api, u32); 11] = [
    (Api::Gl, 33),
    (Api::Gl, 40),
    (Api::Gl, 41),
    (Api::Gl, 42),
    (Api::Gl, 43),
    (Api::Gl, 44),
    (Api::Gl, 45),
    (Api::Gl, 46),
    (Api::Gles, 30),
    (Api::Gles, 31),
    (Api::Gles, 32),
];

/// The reason why a name is no host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    /// No version begins it.
    #[error("there is no host `{name}`; there are {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// The word after a sign is not an extension.
    #[error(
        "`{0}` is not an extension: its name begins with `GL_` and has letters, digits and `_`"
    )]
    Extension(String),
}

fn names() -> String {
    let names: Vec<String> = Host::all().iter().map(Host::to_string).collect();
    format!("{}, and each with `-GL_EXTENSION` or `+GL_EXTENSION` after it", names.join(", "))
}

impl Default for Host {
    /// The newest GL that older machines have as well.
    fn default() -> Host {
        Host::of(Api::Gl, 45)
    }
}

impl Host {
    fn of(api: Api, version: u32) -> Host {
        Host { api, version, without: Vec::new(), with: Vec::new() }
    }

    /// Every host without further words, in order.
    pub fn all() -> Vec<Host> {
        VERSIONS.map(|(api, version)| Host::of(api, version)).to_vec()
    }

    /// The host for people: `OpenGL ES 3.1`.
    pub fn title(&self) -> String {
        let (major, minor) = (self.version / 10, self.version % 10);
        let mut title = format!("{} {major}.{minor}", self.api);
        for (word, extensions) in [("without", &self.without), ("with", &self.with)] {
            if !extensions.is_empty() {
                title.push_str(&format!(" {word} {}", extensions.join(", ")));
            }
        }
        title
    }

    /// The extensions that the driver is told to hide.
    pub fn hidden(&self) -> Vec<&str> {
        let later = core().filter(|it| it.api == self.api && it.version > self.version);
        let later =
            later.map(|it| it.extension).filter(|it| !self.with.iter().any(|own| own == it));
        later.chain(self.without.iter().map(String::as_str)).collect()
    }

    /// The variables by which Mesa imitates the host.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let version = format!("{}.{}", self.version / 10, self.version % 10);
        let hidden: Vec<String> = self.hidden().iter().map(|it| format!("-{it}")).collect();
        let version = match self.api {
            Api::Gl => ("MESA_GL_VERSION_OVERRIDE", version),
            Api::Gles => ("MESA_GLES_VERSION_OVERRIDE", version),
        };
        vec![version, ("MESA_EXTENSION_OVERRIDE", hidden.join(" "))]
    }

    /// The words of the test server for the host.
    pub(crate) fn arguments(&self) -> &'static [&'static str] {
        match self.api {
            Api::Gl => &[],
            Api::Gles => &["--use-gles"],
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.api.word(), self.version)?;
        self.without.iter().try_for_each(|it| write!(f, "-{it}"))?;
        self.with.iter().try_for_each(|it| write!(f, "+{it}"))
    }
}

impl FromStr for Host {
    type Err = HostError;

    fn from_str(name: &str) -> Result<Host, HostError> {
        let end = name.find(['-', '+']).unwrap_or(name.len());
        let (first, mut rest) = name.split_at(end);
        let all = Host::all();
        let found = all.into_iter().find(|it| it.to_string() == first);
        let mut host = found.ok_or_else(|| HostError::Unknown { name: first.to_owned() })?;
        while let Some(sign) = rest.chars().next() {
            rest = &rest[1..];
            let end = rest.find(['-', '+']).unwrap_or(rest.len());
            let (extension, behind) = rest.split_at(end);
            rest = behind;
            let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
            if !extension.starts_with("GL_") || !extension.bytes().all(is_word) {
                return Err(HostError::Extension(extension.to_owned()));
            }
            let list = if sign == '-' { &mut host.without } else { &mut host.with };
            list.push(extension.to_owned());
        }
        Ok(host)
    }
}

/// An extension that a version made a part of the language.
pub struct Core {
    /// The language.
    pub api: Api,
    /// Its version, without the point.
    pub version: u32,
    /// The extension.
    pub extension: &'static str,
}

/// Every row of the table of extensions.
pub fn core() -> impl Iterator<Item = &'static Core> {
    CORE.iter()
}

include!(concat!(env!("OUT_DIR"), "/core_extensions.rs"));
