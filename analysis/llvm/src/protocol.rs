//! The messages to the worker and back.
//!
//! A frame is a length (32 bits, little endian), a kind (one byte) and the
//! fields of that kind, each with its own length. Both ends are the same
//! binary, so there is no version to agree on.

use std::io::{self, Read, Write};

use crate::confinement::{Layer, LayerState};

/// The largest frame accepted, in bytes: some fifty times the largest shader
/// ever measured.
pub(crate) const MAXIMAL_FRAME: usize = 128 << 20;

/// One compile job.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Job {
    /// LLVM IR as text, without target triple and data layout.
    pub ir: String,
    /// The processor, `gfx803`. A name LLVM does not know kills the worker.
    pub processor: String,
    /// LLVM's feature string; empty for none.
    pub features: String,
    /// The size of the source, in TGSI instructions: bounds the time.
    pub instructions: u32,
}

/// The output of the compiler for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Verbose assembly text.
    pub assembly: String,
    /// The bytes of the object's `.text` section.
    pub code: Vec<u8>,
    /// LLVM's warnings, in its order.
    pub warnings: Vec<Warning>,
}

/// A warning of LLVM's, which did not keep it from compiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The debug line that it is about; 0 where it names none.
    pub line: u32,
    /// LLVM's words.
    pub message: String,
}

/// The message of the parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The job.
    pub(crate) job: Job,
    /// Processor time the job may take before the system kills the worker, in seconds.
    pub(crate) seconds: u32,
    /// Address space that the worker may have meanwhile, in bytes.
    pub(crate) memory: u64,
}

/// The message of the worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The library is loaded and the worker in its sandbox.
    Ready {
        /// LLVM's version.
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
    Compiled(Output),
    /// LLVM refused the job; with its words.
    Rejected(String),
    /// LLVM gave up and the worker ends; with its words.
    Fatal(String),
}

impl Request {
    /// A request as a frame, without a copy of the job.
    ///
    /// # Errors
    /// When it is too large.
    pub(crate) fn frame(job: &Job, seconds: u32, memory: u64) -> io::Result<Vec<u8>> {
        let Job { ir, processor, features, instructions } = job;
        let numbers = [instructions.to_le_bytes(), seconds.to_le_bytes()].concat();
        let numbers = [&numbers[..], &memory.to_le_bytes()].concat();
        frame(b'J', &[ir.as_bytes(), processor.as_bytes(), features.as_bytes(), &numbers])
    }

    /// Reads the next request; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream breaks or holds something else.
    pub(crate) fn read(source: &mut impl Read) -> io::Result<Option<Request>> {
        let Some((kind, body)) = read_frame(source)? else { return Ok(None) };
        if kind != b'J' {
            return Err(malformed());
        }
        let mut fields = Fields(&body);
        let job = Job {
            ir: fields.text()?,
            processor: fields.text()?,
            features: fields.text()?,
            instructions: 0,
        };
        let numbers = fields.next()?;
        let (instructions, rest) = numbers.split_first_chunk::<4>().ok_or_else(malformed)?;
        let (seconds, rest) = rest.split_first_chunk::<4>().ok_or_else(malformed)?;
        let memory: [u8; 8] = rest.try_into().map_err(|_| malformed())?;
        let instructions = u32::from_le_bytes(*instructions);
        let (seconds, memory) = (u32::from_le_bytes(*seconds), u64::from_le_bytes(memory));
        Ok(Some(Request { job: Job { instructions, ..job }, seconds, memory }))
    }
}

impl Reply {
    /// Writes the reply as a frame.
    ///
    /// # Errors
    /// When the stream breaks or the reply is too large.
    pub(crate) fn write(&self, sink: &mut impl Write) -> io::Result<()> {
        let bytes = match self {
            Reply::Ready { version, layers } => ready_frame(version, layers),
            Reply::Attempted(denied) => frame(b'A', &[denied.as_bytes()]),
            Reply::Unusable(reason) => frame(b'U', &[reason.as_bytes()]),
            Reply::Begun => frame(b'B', &[]),
            Reply::Compiled(output) => Reply::compiled_frame(output),
            Reply::Rejected(message) => frame(b'E', &[message.as_bytes()]),
            Reply::Fatal(message) => frame(b'F', &[message.as_bytes()]),
        }?;
        sink.write_all(&bytes)?;
        sink.flush()
    }

    /// A result as a frame, without a copy of it.
    ///
    /// # Errors
    /// When it is too large.
    pub(crate) fn compiled_frame(output: &Output) -> io::Result<Vec<u8>> {
        let Output { assembly, code, warnings } = output;
        let lines: Vec<[u8; 4]> = warnings.iter().map(|it| it.line.to_le_bytes()).collect();
        let mut fields = vec![assembly.as_bytes(), code];
        for (line, warning) in lines.iter().zip(warnings) {
            fields.extend([&line[..], warning.message.as_bytes()]);
        }
        frame(b'C', &fields)
    }

    /// Reads the next reply; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream breaks or holds something else.
    pub(crate) fn read(source: &mut impl Read) -> io::Result<Option<Reply>> {
        let Some((kind, body)) = read_frame(source)? else { return Ok(None) };
        let mut fields = Fields(&body);
        Ok(Some(match kind {
            b'R' => {
                let (version, mut layers) = (fields.text()?, Vec::new());
                while !fields.0.is_empty() {
                    let (name, holds, text) = (fields.text()?, fields.next()?, fields.text()?);
                    let state = if holds == HOLDS {
                        LayerState::Holds(text)
                    } else {
                        LayerState::Missing(text)
                    };
                    layers.push(Layer { name, state });
                }
                Reply::Ready { version, layers }
            }
            b'A' => Reply::Attempted(fields.text()?),
            b'U' => Reply::Unusable(fields.text()?),
            b'B' => Reply::Begun,
            b'C' => {
                let (assembly, code) = (fields.text()?, fields.next()?.to_vec());
                let mut warnings = Vec::new();
                while !fields.0.is_empty() {
                    let line: [u8; 4] = fields.next()?.try_into().map_err(|_| malformed())?;
                    let line = u32::from_le_bytes(line);
                    warnings.push(Warning { line, message: fields.text()? });
                }
                Reply::Compiled(Output { assembly, code, warnings })
            }
            b'E' => Reply::Rejected(fields.text()?),
            b'F' => Reply::Fatal(fields.text()?),
            _ => return Err(malformed()),
        }))
    }
}

/// Field of a layer that holds; else it is empty.
const HOLDS: &[u8] = b"+";

fn ready_frame(version: &str, layers: &[Layer]) -> io::Result<Vec<u8>> {
    let mut fields = vec![version.as_bytes()];
    for Layer { name, state } in layers {
        let (holds, text) = match state {
            LayerState::Holds(text) => (HOLDS, text),
            LayerState::Missing(text) => (&b""[..], text),
        };
        fields.extend([name.as_bytes(), holds, text.as_bytes()]);
    }
    frame(b'R', &fields)
}

fn frame(kind: u8, fields: &[&[u8]]) -> io::Result<Vec<u8>> {
    let size = 1 + fields.iter().map(|field| 4 + field.len()).sum::<usize>();
    if size > MAXIMAL_FRAME {
        let message = format!("{size} bytes are too large for one message to the compiler");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut bytes = Vec::with_capacity(4 + size);
    // The bound keeps every length within 32 bits.
    bytes.extend_from_slice(&(size as u32).to_le_bytes());
    bytes.push(kind);
    for field in fields {
        bytes.extend_from_slice(&(field.len() as u32).to_le_bytes());
        bytes.extend_from_slice(field);
    }
    Ok(bytes)
}

fn read_frame(source: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut length = [0; 4];
    match source.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(length) as usize;
    if length == 0 || length > MAXIMAL_FRAME {
        return Err(malformed());
    }
    let mut kind = [0];
    source.read_exact(&mut kind)?;
    // Grows with what really arrives, not with what a broken length claims.
    let mut body = Vec::new();
    source.by_ref().take(length as u64 - 1).read_to_end(&mut body)?;
    if body.len() != length - 1 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((kind[0], body)))
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn next(&mut self) -> io::Result<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>().ok_or_else(malformed)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (field, rest) = rest.split_at_checked(length).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(field)
    }

    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.next()?.to_vec()).map_err(|_| malformed())
    }
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a message of the compiler's protocol")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            job: Job {
                ir: "define".to_owned(),
                processor: "gfx900".to_owned(),
                features: "-xnack".to_owned(),
                instructions: 70_000,
            },
            seconds: 9,
            memory: 5 << 30,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bytes = Request::frame(&request().job, request().seconds, request().memory).unwrap();
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
            Reply::Compiled(Output {
                assembly: "s_endpgm".to_owned(),
                code: vec![0, 0xff],
                warnings: vec![
                    Warning { line: 7, message: "large".to_owned() },
                    Warning { line: 0, message: String::new() },
                ],
            }),
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
    fn a_frame_is_a_length_a_kind_and_fields() {
        let written = |reply: &Reply| {
            let mut bytes = Vec::new();
            reply.write(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(written(&Reply::Begun), *b"\x01\0\0\0B");
        assert_eq!(written(&Reply::Rejected("ab".to_owned())), *b"\x07\0\0\0E\x02\0\0\0ab");
        assert_eq!(written(&Reply::Fatal(String::new())), *b"\x05\0\0\0F\0\0\0\0");
        assert_eq!(written(&Reply::Unusable("x".to_owned())), *b"\x06\0\0\0U\x01\0\0\0x");
        assert_eq!(written(&Reply::Attempted("x".to_owned())), *b"\x06\0\0\0A\x01\0\0\0x");
        // A frame of another kind is refused, whatever it holds.
        let bytes = Request::frame(&request().job, 1, 2).unwrap();
        assert_eq!(bytes[4], b'J');
        assert!(Reply::read(&mut bytes.as_slice()).is_err());
        assert!(Request::read(&mut written(&Reply::Begun).as_slice()).is_err());
        assert!(Reply::read(&mut b"\0\0\0\0B".as_slice()).is_err());
        assert!(Reply::read(&mut b"\x01\0\0\0b".as_slice()).is_err());
        assert_eq!(Reply::read(&mut b"\x01\0\0".as_slice()).unwrap(), None);
    }

    #[test]
    fn the_largest_frame_is_sent_and_no_larger_one() {
        // The kind, and four lengths before the fields.
        let rest = 1 + 4 * 4 + "gfx900".len() + "-xnack".len() + 16;
        let fits = Job { ir: ";".repeat(MAXIMAL_FRAME - rest), ..request().job };
        let bytes = Request::frame(&fits, 1, 2).unwrap();
        assert_eq!(bytes.len(), 4 + MAXIMAL_FRAME);
        let read = Request::read(&mut bytes.as_slice()).unwrap().unwrap();
        assert_eq!((read.job.ir.len(), read.seconds, read.memory), (fits.ir.len(), 1, 2));
        let larger = Job { ir: fits.ir + ";", ..request().job };
        let error = Request::frame(&larger, 1, 2).unwrap_err();
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
        let bytes = Request::frame(&request().job, request().seconds, request().memory).unwrap();
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
