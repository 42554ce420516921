//! Tells whether the bytes of a frame are a message that the transport reads.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use tower_lsp::jsonrpc::Response;

use super::{Broken, FrameErrorKind};

/// Judges the bytes of a frame. Nothing of them is kept: a message may be large.
///
/// # Errors
/// What is wrong with it.
pub(super) fn judge(bytes: &[u8]) -> Result<(), Broken> {
    let text = std::str::from_utf8(bytes).map_err(|wrong| {
        let why = format!("the message is not UTF-8 at byte {}", wrong.valid_up_to());
        Broken::new(FrameErrorKind::Parse, why)
    })?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut envelope = Envelope::default();
    let read = (&mut reader).deserialize_map(&mut envelope).and_then(|()| reader.end());
    read.map_err(|wrong| match wrong.is_data() {
        true => Broken::new(FrameErrorKind::Request, format!("no message: {wrong}")),
        false => Broken::new(FrameErrorKind::Parse, format!("no JSON: {wrong}")),
    })?;
    match envelope.wrong(text) {
        None => Ok(()),
        Some(why) => {
            let id = envelope.id.filter(is_id).unwrap_or_default();
            Err(Broken { id, ..Broken::new(FrameErrorKind::Request, why) })
        }
    }
}

/// The members of a message that say what it is.
#[derive(Debug, Default)]
struct Envelope {
    version: Option<Value>,
    method: Option<Value>,
    id: Option<Value>,
    /// True if it has a result or an error.
    answers: bool,
    /// The members that came.
    members: Vec<&'static str>,
}

/// Members that may stand in a message once.
const MEMBERS: [&str; 6] = ["jsonrpc", "method", "id", "params", "result", "error"];

fn is_id(id: &Value) -> bool {
    id.is_null() || id.is_string() || id.is_i64()
}

impl Envelope {
    /// The reason why it is not a message, if it is none.
    fn wrong(&self, text: &str) -> Option<String> {
        if self.version.as_ref().and_then(Value::as_str) != Some("2.0") {
            return Some("`jsonrpc` is not \"2.0\"".to_owned());
        }
        if !self.id.as_ref().is_none_or(is_id) {
            return Some("`id` is neither a whole number nor a string".to_owned());
        }
        match (&self.method, self.answers) {
            (Some(Value::String(_)), false) => None,
            (Some(_), false) => Some("`method` is not a string".to_owned()),
            (None, false) => Some("the message has neither a method nor a result".to_owned()),
            // Answers are to our own questions, and short.
            (_, true) => serde_json::from_str::<Response>(text)
                .err()
                .map(|wrong| format!("the message is not an answer: {wrong}")),
        }
    }
}

impl<'de> Visitor<'de> for &mut Envelope {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("one message, as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let member = MEMBERS.into_iter().find(|it| *it == name);
            if let Some(member) = member {
                if self.members.contains(&member) {
                    return Err(A::Error::duplicate_field(member));
                }
                self.members.push(member);
            }
            match member {
                Some("jsonrpc") => self.version = Some(map.next_value()?),
                Some("method") => self.method = Some(map.next_value()?),
                Some("id") => self.id = Some(map.next_value()?),
                _ => {
                    self.answers |= matches!(member, Some("result" | "error"));
                    map.next_value_seed(Anything)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads any value as strictly as if it were kept: numbers in range, strings whole, not
/// too deep.
#[derive(Debug, Clone, Copy)]
struct Anything;

impl<'de> DeserializeSeed<'de> for Anything {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Visits of values that hold no others.
macro_rules! leaves {
    ($($visit:ident($value:ty);)*) => {$(
        fn $visit<E: Error>(self, _: $value) -> Result<(), E> {
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for Anything {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key_seed(self)?.is_some() {
            map.next_value_seed(self)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    leaves! {
        visit_bool(bool);
        visit_i64(i64);
        visit_u64(u64);
        visit_f64(f64);
        visit_str(&str);
    }
}
