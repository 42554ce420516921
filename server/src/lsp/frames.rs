//! Frames of the wire: where each message begins and ends, whatever a client sends.
//!
//! The transport behind this ends the session at the first frame that it cannot read. So
//! every frame is looked at here first; a broken one becomes a request for the error that
//! answers it ([`BROKEN`]), and reading goes on behind it.

mod message;
mod reader;

use std::collections::VecDeque;

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::limits::{HEADER_BYTES, MESSAGE_BYTES};
pub(crate) use reader::FrameReader;

/// The method of the request that stands for a broken frame; its parameters are the error.
pub(crate) const BROKEN: &str = "$/tungsten/brokenMessage";

/// The field of a header without which nothing is known.
const LENGTH: &[u8] = b"content-length:";

/// A fault of a frame.
#[derive(Debug, PartialEq)]
struct Broken {
    kind: FrameErrorKind,
    why: String,
    /// The id that the answer goes to, as far as it is known.
    id: Value,
}

/// The errors of JSON-RPC that a frame can earn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameErrorKind {
    /// No JSON.
    Parse,
    /// JSON and no message.
    Request,
}

impl Broken {
    fn new(kind: FrameErrorKind, why: impl Into<String>) -> Broken {
        Broken { kind, why: why.into(), id: Value::Null }
    }

    /// The request that stands for it.
    fn body(&self) -> Vec<u8> {
        let code = match self.kind {
            FrameErrorKind::Parse => -32700,
            FrameErrorKind::Request => -32600,
        };
        let error = json!({"code": code, "message": self.why});
        let id = &self.id;
        json!({"jsonrpc": "2.0", "id": id, "method": BROKEN, "params": error}).to_string().into()
    }
}

/// The meaning of a header.
#[derive(Debug, PartialEq)]
enum Header {
    /// So many bytes follow, which are a message.
    Message(u64),
    /// So many bytes follow, which nobody reads, for a reason.
    Unread(u64, String),
    /// Nothing about what follows.
    Lost(String),
}

/// The state of reading.
#[derive(Debug, Default, PartialEq)]
enum State {
    /// A header comes next.
    #[default]
    Header,
    /// A message of so many bytes comes next.
    Body(usize),
    /// So many bytes are passed over.
    Skip(u64),
    /// Everything is passed over up to the next header.
    Lost,
}

/// Cuts a stream of bytes into messages.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// The bytes that have come and are not cut yet.
    bytes: VecDeque<u8>,
    state: State,
    /// The number of bytes that have come, and of those that are read again.
    came: u64,
    again: u64,
}

impl Frames {
    /// Takes what has come.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.came += bytes.len() as u64;
        // What is passed over is not kept.
        let passed = match &mut self.state {
            State::Skip(left) if self.bytes.is_empty() => {
                let passed = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                *left -= passed as u64;
                passed
            }
            _ => 0,
        };
        self.bytes.extend(&bytes[passed..]);
    }

    /// The next message, or what stands for a broken one, as soon as it is there.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.state {
                State::Header => match self.header()? {
                    Header::Message(length) => {
                        self.state = State::Body(usize::try_from(length).unwrap_or(usize::MAX));
                    }
                    Header::Unread(length, why) => {
                        self.state = State::Skip(length);
                        return Some(Broken::new(FrameErrorKind::Request, why).body());
                    }
                    Header::Lost(why) => {
                        self.state = State::Lost;
                        return Some(Broken::new(FrameErrorKind::Parse, why).body());
                    }
                },
                State::Body(length) => {
                    if self.bytes.len() < length {
                        return None;
                    }
                    self.state = State::Header;
                    return Some(self.message(length));
                }
                State::Skip(left) => {
                    let passed = usize::try_from(left).unwrap_or(usize::MAX).min(self.bytes.len());
                    self.bytes.drain(..passed);
                    let left = left - passed as u64;
                    if left > 0 {
                        self.state = State::Skip(left);
                        return None;
                    }
                    self.state = State::Header;
                }
                State::Lost => {
                    let bytes = self.bytes.make_contiguous();
                    let Some(at) = find_length(bytes) else {
                        // A header may have come in part.
                        let kept = bytes.len().min(LENGTH.len() - 1);
                        self.bytes.drain(..self.bytes.len() - kept);
                        return None;
                    };
                    self.bytes.drain(..at);
                    self.state = State::Header;
                }
            }
        }
    }

    /// The message of so many bytes.
    fn message(&mut self, length: usize) -> Vec<u8> {
        let body: Vec<u8> = self.bytes.drain(..length).collect();
        match message::judge(&body) {
            Ok(()) => body,
            Err(broken) => {
                // A body shorter than its header says holds the next header. Headers within
                // each other must not have the same bytes read over and over.
                if broken.kind == FrameErrorKind::Parse
                    && let Some(at) = find_length(&body).or_else(|| begun_length(&body))
                    && self.again + (body.len() - at) as u64 <= self.came
                {
                    let rest = &body[at..];
                    self.again += rest.len() as u64;
                    self.bytes.reserve(rest.len());
                    rest.iter().rev().for_each(|byte| self.bytes.push_front(*byte));
                }
                broken.body()
            }
        }
    }

    /// Takes a header, once it is whole.
    fn header(&mut self) -> Option<Header> {
        let bytes = self.bytes.make_contiguous();
        let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let known = &bytes[blank..bytes.len().min(blank + HEADER_BYTES)];
        let Some(end) = end_of_header(known) else {
            let too_long = known.len() >= HEADER_BYTES;
            // Other words than those of a header never become one.
            let foreign = known.first().is_some_and(|byte| !byte.is_ascii_alphabetic());
            if !too_long && !foreign {
                self.bytes.drain(..blank);
                return None;
            }
            // Whatever it is, it may be followed by a header; that it begins as one is known.
            let passed = if too_long { blank + 1 } else { blank };
            self.bytes.drain(..passed);
            let why = if too_long { "a header has no end" } else { "a header was expected" };
            return Some(Header::Lost(why.to_owned()));
        };
        let header = judge(&known[..end]);
        let taken = match header {
            // Another one may stand in it.
            Header::Lost(_) => second_length(&known[..end]).unwrap_or(end),
            _ => end,
        };
        self.bytes.drain(..blank + taken);
        Some(header)
    }
}

/// The end of the blank line behind a header; lines may end as they like.
fn end_of_header(bytes: &[u8]) -> Option<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    let mut before = None;
    for at in ends {
        let from = before.map_or(0, |before: usize| before + 1);
        if before.is_some() && matches!(&bytes[from..at], b"" | b"\r") {
            return Some(at + 1);
        }
        before = Some(at);
    }
    None
}

/// The meaning of the lines of a header.
fn judge(header: &[u8]) -> Header {
    let mut length: Option<u64> = None;
    let mut refused = None;
    for line in header.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.is_empty() {
            continue;
        }
        let Some((name, value)) = std::str::from_utf8(line).ok().and_then(|it| it.split_once(':'))
        else {
            return Header::Lost("a line of a header has no name".to_owned());
        };
        let value = value.trim();
        if name.eq_ignore_ascii_case("Content-Length") {
            match value.parse() {
                Ok(number) if length.is_none_or(|known| known == number) => length = Some(number),
                Ok(_) => return Header::Lost("two lengths of one message".to_owned()),
                Err(_) => {
                    return Header::Lost("the length of a message is not a number".to_owned());
                }
            }
        } else if name.eq_ignore_ascii_case("Content-Type") {
            refused = charset(value)
                .filter(|name| !matches!(name.to_ascii_lowercase().as_str(), "utf-8" | "utf8"))
                .map(|name| format!("the character set {name:?} is not supported, only utf-8"));
        }
    }
    match (length, refused) {
        (None, _) => Header::Lost("a header without the length of its message".to_owned()),
        (Some(length), _) if length > u64::from(u32::MAX) => {
            Header::Lost(format!("no message has {length} bytes"))
        }
        (Some(length), _) if length > MESSAGE_BYTES => {
            let why = format!("a message of {length} bytes; {MESSAGE_BYTES} are read at most");
            Header::Unread(length, why)
        }
        (Some(length), Some(why)) => Header::Unread(length, why),
        (Some(length), None) => Header::Message(length),
    }
}

/// The character set of a media type, if it names one.
fn charset(value: &str) -> Option<&str> {
    let parameters = value.split(';').skip(1).filter_map(|it| it.trim().split_once('='));
    let mut sets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    sets.next().map(|(_, set)| set.trim().trim_matches('"'))
}

/// The place of a length that can be read behind the start of a broken header.
fn second_length(header: &[u8]) -> Option<usize> {
    let at = 1 + find_length(header.get(1..)?)?;
    let value = header[at + LENGTH.len()..].trim_ascii_start();
    value.first().is_some_and(u8::is_ascii_digit).then_some(at)
}

/// The start of the next line about a length.
fn find_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(LENGTH.len()).position(|it| it.eq_ignore_ascii_case(LENGTH))
}

/// The start of a header of which only the first letters stand behind a whole value.
fn begun_length(body: &[u8]) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_slice(body).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let rest = body[values.byte_offset()..].trim_ascii_start();
    let is_begun = LENGTH.get(..rest.len())?.eq_ignore_ascii_case(rest);
    (is_begun && !rest.is_empty()).then(|| body.len() - rest.len())
}

#[cfg(test)]
mod tests;
