//! The values of the environment's keys: described, read and written. Lists are parted by
//! commas, without blanks.

use crate::environment::MOST_ATTRIBUTES;
use crate::vertex_formats::VertexFormat;

/// The values that a key takes.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// One of some words.
    Words(&'static [&'static str]),
    /// Some words, one for each buffer; the last is that of all further ones.
    List(&'static [&'static str]),
    /// A number between two others, both included.
    Number(u32, u32),
    /// Vertex formats by name, one for each attribute; the last is that of all
    /// further ones.
    Formats,
    /// Numbers up to another, one for each of some things; the last is that of
    /// all further ones where there are more.
    Numbers(u32, usize),
    /// `none`, `all`, or some of the numbers below another.
    Places(u32),
    /// A size along one to three axes with `x` between them; 0 if it is not known.
    Size(u32),
    /// `none`, or what is written to which buffer: `BUF0[0..3]<-OUT[1].xyzw`.
    Captures,
}

impl Values {
    /// Describes the values, in words that follow "takes".
    pub fn text(&self) -> String {
        match self {
            Values::Words(words) => format!("one of {}", words.join(", ")),
            Values::List(words) => format!("up to eight of {}, parted by commas", words.join(", ")),
            Values::Number(least, most) => format!("a number from {least} to {most}"),
            Values::Formats => format!(
                "up to {MOST_ATTRIBUTES} formats in Mesa's words, parted by commas: any, \
                 r32g32b32_float, r8g8b8a8_unorm, b10g10r10a2_snorm"
            ),
            Values::Numbers(most, count) => {
                format!("up to {count} numbers, none above {most}, parted by commas")
            }
            Values::Places(end) => {
                format!("none, all, or numbers below {end}, parted by commas")
            }
            Values::Size(most) => format!("a size like 8x8x1, at most {most} along an axis"),
            Values::Captures => {
                "none, or up to 64 captures like BUF0[0..3]<-OUT[1].xyzw, parted by commas"
                    .to_owned()
            }
        }
    }

    /// Some of the values, each as it is written again; enough to reach all that
    /// the key decides.
    pub fn examples(&self) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Values::Words(words) | Values::List(words) => owned(words),
            Values::Number(least, most) => vec![least.to_string(), most.to_string()],
            Values::Formats => owned(VertexFormat::names()),
            Values::Numbers(most, _) => vec!["0,1".into(), "1".into(), most.to_string()],
            Values::Places(_) => owned(&["none", "all", "0", "1,2"]),
            Values::Size(_) => owned(&["0", "64x1x1", "8x4x2"]),
            Values::Captures => owned(&["none", "BUF0[0..3]<-OUT[0].xyzw,BUF1[0..0]<-OUT[0].y"]),
        }
    }
}

/// A word and what it stands for.
pub(crate) type NamedValue<T> = (&'static str, T);

/// Returns the meaning of a word, in any case of its letters.
pub(crate) fn find<T: Copy>(list: &[NamedValue<T>], value: &str) -> Option<T> {
    let found = list.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    found.map(|(_, meaning)| *meaning)
}

/// Sets what a word stands for.
pub(crate) fn choose<T: Copy>(list: &[NamedValue<T>], place: &mut T, value: &str) -> bool {
    find(list, value).map(|meaning| *place = meaning).is_some()
}

/// The word for a meaning.
pub(crate) fn word_of<T: PartialEq>(list: &[NamedValue<T>], meaning: &T) -> String {
    let found = list.iter().find(|(_, other)| other == meaning);
    found.map_or_else(String::new, |(word, _)| (*word).to_owned())
}

/// Reads a number between two others, both included.
pub(crate) fn number<T: TryFrom<u32>>(place: &mut T, value: &str, least: u32, most: u32) -> bool {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.and_then(|number| T::try_from(number).ok()).map(|number| *place = number).is_some()
}

/// Reads a list, whose last entry is that of all further ones.
pub(crate) fn list<T: Copy>(
    places: &mut [T],
    value: &str,
    mut read: impl FnMut(&str) -> Option<T>,
) -> bool {
    let found: Option<Vec<T>> = value.split(',').map(|item| read(item.trim())).collect();
    let Some(found) = found.filter(|found| found.len() <= places.len()) else { return false };
    let Some(last) = found.last() else { return false };
    for (number, place) in places.iter_mut().enumerate() {
        *place = *found.get(number).unwrap_or(last);
    }
    true
}

/// Writes a list as [`list`] reads it.
pub(crate) fn written<T: PartialEq>(places: &[T], word: impl Fn(&T) -> String) -> String {
    let last = places.last();
    let last = places.iter().rposition(|place| Some(place) != last).map_or(0, |place| place + 1);
    let words: Vec<String> = places.iter().take(last + 1).map(word).collect();
    words.join(",")
}

/// Reads the numbers of bits.
pub(crate) fn places<T: TryFrom<u32>>(bits: &mut T, value: &str, end: u32) -> bool {
    let numbers = value.split(',').map(|item| item.trim().parse::<u32>().ok());
    let mut read = numbers.map(|number| number.filter(|number| *number < end).map(|it| 1 << it));
    let read = match value {
        "none" => Some(0),
        "all" => Some(u32::MAX >> (32 - end)),
        _ => read.try_fold(0, |all, one| Some(all | one?)),
    };
    read.and_then(|read| T::try_from(read).ok()).map(|read| *bits = read).is_some()
}

/// Writes bits as [`places`] reads them.
pub(crate) fn written_places(bits: impl Into<u32>, end: u32) -> String {
    match bits.into() {
        0 => "none".to_owned(),
        bits if bits == u32::MAX >> (32 - end) => "all".to_owned(),
        bits => {
            let set = (0..end).filter(|bit| bits >> bit & 1 == 1);
            set.map(|bit| bit.to_string()).collect::<Vec<_>>().join(",")
        }
    }
}

/// Reads a size along up to three axes.
pub(crate) fn size(place: &mut [u16; 3], value: &str, most: u32) -> bool {
    if value == "0" {
        *place = [0; 3];
        return true;
    }
    let axes = value.split('x').map(|axis| {
        axis.parse::<u16>().ok().filter(|length| (1..=most).contains(&u32::from(*length)))
    });
    let Some(axes) = axes.collect::<Option<Vec<u16>>>() else { return false };
    if axes.len() > 3 {
        return false;
    }
    *place = [0, 1, 2].map(|axis| axes.get(axis).copied().unwrap_or(1));
    true
}

/// Writes a size as [`size`] reads it.
pub(crate) fn written_size(size: &[u16; 3]) -> String {
    match size {
        [0, ..] => "0".to_owned(),
        [x, y, z] => format!("{x}x{y}x{z}"),
    }
}
