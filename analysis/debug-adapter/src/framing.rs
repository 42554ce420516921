//! Messages on a stream: `Content-Length`, an empty line, JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Bytes of a message, at most.
const MOST_BYTES: usize = 16 << 20;
/// Bytes of a header line, at most.
const MOST_HEADER: u64 = 4096;

/// The reason why no message can be read any more.
#[derive(Debug)]
pub enum FramingError {
    /// The stream ended or failed.
    Stream(io::Error),
    /// The bytes are no message.
    Malformed(&'static str),
}

impl From<io::Error> for FramingError {
    fn from(error: io::Error) -> FramingError {
        FramingError::Stream(error)
    }
}

impl std::fmt::Display for FramingError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FramingError::Stream(error) => write!(out, "the client's stream: {error}"),
            FramingError::Malformed(what) => out.write_str(what),
        }
    }
}

/// Reads the next message; `None` at the end of the stream.
///
/// # Errors
/// The stream failed, or its bytes are no message; nothing can be read behind them.
pub fn read_message(stream: &mut impl BufRead) -> Result<Option<Value>, FramingError> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        io::Read::take(&mut *stream, MOST_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(FramingError::Malformed("a header line has no end"));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or(FramingError::Malformed("a message has no Content-Length"))?;
    if length > MOST_BYTES {
        return Err(FramingError::Malformed("a message is longer than 16 MiB"));
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    let value = serde_json::from_slice(&bytes);
    value.map(Some).map_err(|_| FramingError::Malformed("a message is not JSON"))
}

/// Writes a message.
///
/// # Errors
/// The stream failed.
pub fn write_message(stream: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    stream.flush()
}
