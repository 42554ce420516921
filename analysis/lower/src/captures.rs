//! The description of stream output: the components of outputs that are captured, read and
//! written as drivers dump them.

use std::fmt::Write as _;

/// The number of buffers.
pub(crate) const BUFFERS: usize = 4;
/// The most captures of one shader.
const MOST_CAPTURES: usize = 64;
/// The most words that a vertex has in one buffer.
const MOST_WORDS: u16 = 511;

/// Components of an output that are written to a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Capture {
    /// The number of the output register.
    pub(crate) register: u8,
    pub(crate) first: u8,
    /// 0 is not a capture at all.
    pub(crate) count: u8,
    pub(crate) buffer: u8,
    /// In words from where the vertex begins in the buffer.
    pub(crate) place: u16,
}

/// A component of an output that stream output writes, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// The number of the output register.
    pub register: u32,
    /// The component, from 0.
    pub component: usize,
    /// The buffer.
    pub buffer: usize,
    /// The word from where the vertex begins in the buffer.
    pub word: usize,
}

/// The outputs that are captured, and the strides of the buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamOutput {
    captures: [Capture; MOST_CAPTURES],
    /// In words; 0 is where the last capture ends.
    strides: [u16; BUFFERS],
}

impl Default for StreamOutput {
    fn default() -> StreamOutput {
        StreamOutput { captures: [Capture::default(); MOST_CAPTURES], strides: [0; BUFFERS] }
    }
}

impl StreamOutput {
    pub(crate) fn captures(&self) -> impl Iterator<Item = &Capture> {
        self.captures.iter().take_while(|capture| capture.count > 0)
    }

    /// All that is written, a component at a time.
    pub fn components(&self) -> impl Iterator<Item = Captured> {
        self.captures().flat_map(|capture| {
            (0..capture.count).map(|number| Captured {
                register: capture.register.into(),
                component: usize::from(capture.first + number),
                buffer: capture.buffer.into(),
                word: usize::from(capture.place) + usize::from(number),
            })
        })
    }

    /// Tells whether nothing is captured.
    pub fn is_empty(&self) -> bool {
        self.captures().next().is_none()
    }

    /// Returns the number of words that a vertex has in each buffer: 0 where it is not written.
    pub fn strides(&self) -> [u16; BUFFERS] {
        let mut strides = [0; BUFFERS];
        for capture in self.captures() {
            let buffer = usize::from(capture.buffer) % BUFFERS;
            let end = capture.place + u16::from(capture.count);
            strides[buffer] = strides[buffer].max(end).max(self.strides[buffer]);
        }
        strides
    }

    /// Replaces the captures. They are written as drivers dump them, without
    /// blanks and parted by commas: `BUF0[0..3]<-OUT[1].xyzw`; without the words
    /// in brackets a capture follows those before it in its buffer. `none` is no
    /// capture. Returns whether that was understood.
    pub(crate) fn read(&mut self, text: &str) -> bool {
        let mut captures = [Capture::default(); MOST_CAPTURES];
        if !text.eq_ignore_ascii_case("none") {
            let mut ends = [0_u16; BUFFERS];
            for (number, item) in text.split(',').enumerate() {
                let Some(capture) = capture(item.trim(), &ends) else { return false };
                let Some(place) = captures.get_mut(number) else { return false };
                let end = capture.place + u16::from(capture.count);
                ends[usize::from(capture.buffer)] = end;
                *place = capture;
            }
        }
        self.captures = captures;
        true
    }

    /// The captures as [`read`](Self::read) takes them.
    pub(crate) fn written(&self) -> String {
        let mut text = String::new();
        for capture in self.captures() {
            let Capture { register, first, count, buffer, place } = *capture;
            let separator = if text.is_empty() { "" } else { "," };
            let last = place + u16::from(count) - 1;
            let names = &"xyzw"[usize::from(first)..usize::from(first + count)];
            // Writing to a string cannot fail.
            let _ =
                write!(text, "{separator}BUF{buffer}[{place}..{last}]<-OUT[{register}].{names}");
        }
        if text.is_empty() { "none".to_owned() } else { text }
    }

    /// Replaces the strides, in words: numbers parted by commas, 0 for one that
    /// is where the last capture ends. Returns whether that was understood.
    pub(crate) fn read_strides(&mut self, text: &str) -> bool {
        let mut strides = [0; BUFFERS];
        for (number, item) in text.split(',').enumerate() {
            let stride = item.trim().parse().ok().filter(|stride| *stride <= MOST_WORDS);
            match (strides.get_mut(number), stride) {
                (Some(place), Some(stride)) => *place = stride,
                _ => return false,
            }
        }
        self.strides = strides;
        true
    }

    /// The strides as [`read_strides`](Self::read_strides) takes them.
    pub(crate) fn written_strides(&self) -> String {
        let last = self.strides.iter().rposition(|stride| *stride > 0).unwrap_or(0);
        let strides: Vec<String> = self.strides[..=last].iter().map(u16::to_string).collect();
        strides.join(",")
    }
}

/// Reads one capture. `ends` says where the captures before it end.
fn capture(text: &str, ends: &[u16; BUFFERS]) -> Option<Capture> {
    let (target, source) = text.split_once("<-")?;
    let target = target.strip_prefix("BUF")?;
    let (buffer, words) = match target.split_once('[') {
        Some((buffer, words)) => (buffer, Some(words.strip_suffix(']')?)),
        None => (target, None),
    };
    let buffer: u8 = buffer.parse().ok().filter(|buffer| usize::from(*buffer) < BUFFERS)?;
    let (register, components) = source.strip_prefix("OUT[")?.split_once(']')?;
    let register = register.parse().ok()?;
    let components = match components.strip_prefix('.') {
        Some(components) => components,
        None if components.is_empty() => "xyzw",
        None => return None,
    };
    let first = "xyzw".find(components).filter(|_| !components.is_empty())? as u8;
    let count = components.len() as u8;
    let place = match words {
        None => ends[usize::from(buffer)],
        Some(words) => {
            let (place, last) = words.split_once("..").unwrap_or((words, words));
            let (place, last): (u16, u16) = (place.parse().ok()?, last.parse().ok()?);
            let fits = last.checked_sub(place)? == u16::from(count - 1);
            fits.then_some(place)?
        }
    };
    (place <= MOST_WORDS - u16::from(count)).then_some(Capture {
        register,
        first,
        count,
        buffer,
        place,
    })
}
