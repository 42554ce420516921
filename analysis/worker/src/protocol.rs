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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LayerState;

    /// A text to work on, and the name of a processor.
    type Job = (String, String);
    type Request = super::Request<Job>;
    type Reply = super::Reply<Vec<u8>>;

    /// A request as a frame.
    fn bytes(super::Request { job, seconds, memory }: &Request) -> io::Result<Vec<u8>> {
        super::Request { job, seconds: *seconds, memory: *memory }.frame()
    }

    fn request() -> Request {
        super::Request {
            job: ("define".to_owned(), "gfx900".to_owned()),
            seconds: 9,
            memory: 5 << 30,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bytes = bytes(&request()).unwrap();
        assert_eq!(Request::read(&mut bytes.as_slice()).unwrap(), Some(request()));
        let replies = [
            Reply::Ready {
                version: "22.1.2".to_owned(),
                layers: vec![
                    Layer {
                        name: "seccomp".to_owned(),
                        state: LayerState::Holds("yes".to_owned()),
                    },
                    Layer {
                        name: "Landlock".to_owned(),
                        state: LayerState::Missing(String::new()),
                    },
                ],
            },
            Reply::Attempted("denied".to_owned()),
            Reply::Unusable("no".to_owned()),
            Reply::Begun,
            Reply::Done(vec![0, 0xff]),
            Reply::Rejected(String::new()),
            Reply::Fatal("Cannot select".to_owned()),
        ];
        let mut stream = Vec::new();
        for reply in &replies {
            reply.write(&mut stream).unwrap();
        }
        let mut source = stream.as_slice();
        for reply in &replies {
            assert_eq!(Reply::read(&mut source).unwrap().as_ref(), Some(reply));
        }
        assert_eq!(Reply::read(&mut source).unwrap(), None);
    }

    #[test]
    fn a_frame_is_a_length_and_a_message() {
        let written = |reply: &Reply| {
            let mut bytes = Vec::new();
            reply.write(&mut bytes).unwrap();
            bytes
        };
        // The number of the kind, and texts behind their lengths.
        assert_eq!(written(&Reply::Begun), *b"\x01\0\0\0\x03");
        assert_eq!(written(&Reply::Rejected("ab".to_owned())), *b"\x04\0\0\0\x05\x02ab");
        assert_eq!(written(&Reply::Fatal(String::new())), *b"\x02\0\0\0\x06\0");
        assert_eq!(written(&Reply::Unusable("x".to_owned())), *b"\x03\0\0\0\x02\x01x");
        assert_eq!(written(&Reply::Attempted("\n".to_owned())), *b"\x03\0\0\0\x01\x01\n");
        assert!(bytes(&request()).unwrap()[4..].starts_with(b"\x06define\x06gfx900"));
        // A message of the other side, one without a kind, of no kind, with more behind it.
        assert!(Request::read(&mut written(&Reply::Begun).as_slice()).is_err());
        assert!(Reply::read(&mut b"\0\0\0\0\x03".as_slice()).is_err());
        assert!(Reply::read(&mut b"\x01\0\0\0\x07".as_slice()).is_err());
        assert!(Reply::read(&mut b"\x02\0\0\0\x03\x03".as_slice()).is_err());
        assert_eq!(Reply::read(&mut b"\x01\0\0".as_slice()).unwrap(), None);
    }

    #[test]
    fn the_largest_frame_is_sent_and_no_larger_one() {
        let of_length = |length: usize| {
            let job = (";".repeat(length), String::new());
            Request { job, ..request() }
        };
        let half = MAXIMAL_FRAME / 2;
        let rest = bytes(&of_length(half)).unwrap().len() - 4 - half;
        let fits = bytes(&of_length(MAXIMAL_FRAME - rest)).unwrap();
        assert_eq!(fits.len(), 4 + MAXIMAL_FRAME);
        let read = Request::read(&mut fits.as_slice()).unwrap().unwrap();
        assert_eq!(read, of_length(MAXIMAL_FRAME - rest));
        let error = bytes(&of_length(MAXIMAL_FRAME - rest + 1)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let words = "134217729 bytes are too large for one message to the compiler";
        assert_eq!(error.to_string(), words);
        let mut claimed = (MAXIMAL_FRAME as u32 + 1).to_le_bytes().to_vec();
        claimed.extend(b"B");
        let error = Reply::read(&mut claimed.as_slice()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn every_broken_frame_is_an_error_or_an_end() {
        let bytes = bytes(&request()).unwrap();
        for end in 4..bytes.len() {
            assert!(Request::read(&mut &bytes[..end]).is_err(), "cut at {end}");
        }
        for position in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[position] = value;
                // Any answer will do as long as it comes.
                let _ = Request::read(&mut changed.as_slice());
                let _ = Reply::read(&mut changed.as_slice());
            }
        }
        assert!(Reply::read(&mut [0xff; 64].as_slice()).is_err());
        assert!(Reply::read(&mut [0; 64].as_slice()).is_err());
    }
}
