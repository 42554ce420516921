//! The messages to the worker and back.
//!
//! A frame is a length (32 bits, little endian) and a message, in which texts stand as they
//! are: some are long. Both ends are the same binary, so there is no version to agree on.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Layer;

/// The largest frame accepted, in bytes: some fifty times the largest shader
/// ever measured.
pub const MAXIMAL_FRAME: usize = 128 << 20;

/// The message of the parent, which lends the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request<J> {
    /// The job.
    pub job: J,
    /// Processor time the job may take before the system kills the worker, in seconds.
    pub seconds: u32,
    /// Address space that the worker may have meanwhile, in bytes.
    pub memory: u64,
}

/// The message of the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply<O> {
    /// The library is loaded and the worker in its sandbox.
    Ready {
        /// The library's version, as it tells itself.
        version: String,
        /// The parts of the sandbox.
        layers: Vec<Layer>,
    },
    /// An act that the sandbox forbids was tried; with the system's words, empty if it was not
    /// denied.
    Attempted(String),
    /// The library cannot be used; with the reason.
    Unusable(String),
    /// The job has arrived: from here on the worker's end is the job's doing.
    Begun,
    /// The job's result.
    Done(O),
    /// The library refused the job; with its words.
    Rejected(String),
    /// The library gave up and the worker ends; with its words.
    Fatal(String),
}

impl<J: Serialize> Request<&J> {
    /// A request as a frame.
    ///
    /// # Errors
    /// When it is too large.
    pub fn frame(&self) -> io::Result<Vec<u8>> {
        frame(self)
    }
}

impl<J: DeserializeOwned> Request<J> {
    /// Reads the next request; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream breaks or holds something else.
    pub fn read(source: &mut impl Read) -> io::Result<Option<Request<J>>> {
        read_frame(source)
    }
}

impl<O: Serialize> Reply<O> {
    /// Writes the reply as a frame.
    ///
    /// # Errors
    /// When the stream breaks or the reply is too large.
    pub fn write(&self, sink: &mut impl Write) -> io::Result<()> {
        sink.write_all(&frame(self)?)?;
        sink.flush()
    }
}

impl<O: DeserializeOwned> Reply<O> {
    /// Reads the next reply; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream breaks or holds something else.
    pub fn read(source: &mut impl Read) -> io::Result<Option<Reply<O>>> {
        read_frame(source)
    }
}

/// Bytes of a frame's length.
const LENGTH: usize = 4;

fn frame(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = postcard::to_extend(message, vec![0; LENGTH]).map_err(io::Error::other)?;
    let size = bytes.len() - LENGTH;
    if size > MAXIMAL_FRAME {
        let message = format!("{size} bytes are too large for one message to the compiler");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    // The bound keeps every length within 32 bits.
    bytes[..LENGTH].copy_from_slice(&(size as u32).to_le_bytes());
    Ok(bytes)
}

fn read_frame<T: DeserializeOwned>(source: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; LENGTH];
    match source.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAXIMAL_FRAME {
        return Err(malformed());
    }
    // Grows with what really arrives, not with what a broken length claims.
    let mut body = Vec::new();
    source.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match postcard::take_from_bytes(&body) {
        Ok((message, [])) => Ok(Some(message)),
        Ok(_) | Err(_) => Err(malformed()),
    }
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a message of the compiler's protocol")
}
