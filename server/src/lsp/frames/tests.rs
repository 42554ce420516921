//! Streams that are broken in every way that was thought of.

use serde_json::{Value, json};

use super::*;

const GOOD: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The result of a stream that arrives in pieces of this size: the methods of good
/// messages, the codes of broken ones.
fn read(stream: &[u8], piece: usize) -> Vec<String> {
    let (mut frames, mut told) = (Frames::default(), Vec::new());
    for piece in stream.chunks(piece) {
        frames.feed(piece);
        while let Some(body) = frames.next() {
            let body: Value = serde_json::from_slice(&body).unwrap();
            told.push(match body["method"].as_str() {
                Some(BROKEN) => body["params"]["code"].to_string(),
                Some(method) => method.to_owned(),
                None => "answer".to_owned(),
            });
        }
    }
    told
}

#[test]
fn the_session_goes_on_behind_every_broken_frame() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let long = format!("X: {}\r\n\r\n", "y".repeat(HEADER_BYTES));
    let short = format!("Content-Length: {}\r\n\r\n{GOOD}", GOOD.len() + 20);
    let shorter = format!("Content-Length: {}\r\n\r\n{GOOD}", GOOD.len() - 3);
    let little = format!("Content-Length: {}\r\n\r\n{GOOD}", GOOD.len() + 3);
    let cases: [(&str, Vec<u8>, &[&str]); 31] = [
        ("bad JSON", framed("{\"jsonrpc\":").into(), &["-32700"]),
        ("nothing", framed("").into(), &["-32700"]),
        ("not UTF-8", b"Content-Length: 3\r\n\r\n\"\xff\"".into(), &["-32700"]),
        ("batch", framed(&format!("[{GOOD}]")).into(), &["-32600"]),
        ("number", framed("42").into(), &["-32600"]),
        ("null", framed("null").into(), &["-32600"]),
        ("empty object", framed("{}").into(), &["-32600"]),
        ("id 1.5", framed(&GOOD.replace('7', "1.5")).into(), &["-32600"]),
        ("large id", framed(&GOOD.replace('7', "18446744073709551615")).into(), &["-32600"]),
        ("no jsonrpc", framed(r#"{"id":7,"method":"ping"}"#).into(), &["-32600"]),
        ("other jsonrpc", framed(&GOOD.replace("2.0", "1.0")).into(), &["-32600"]),
        ("no method", framed(r#"{"jsonrpc":"2.0","id":7}"#).into(), &["-32600"]),
        ("method 5", framed(&GOOD.replace("\"ping\"", "5")).into(), &["-32600"]),
        (
            "a member twice",
            framed(&GOOD.replace("\"id\":7", "\"id\":7,\"id\":8")).into(),
            &["-32600"],
        ),
        (
            "number out of range",
            framed(&GOOD.replace("\"id\"", "\"x\":1e999,\"id\"")).into(),
            &["-32700"],
        ),
        ("half a surrogate", framed(&GOOD.replace("ping", "\\ud800")).into(), &["-32700"]),
        (
            "deep nesting",
            framed(&GOOD.replace("}", &format!(",\"params\":{deep}}}"))).into(),
            &["-32700"],
        ),
        (
            "answer that is none",
            framed(r#"{"jsonrpc":"2.0","id":7,"error":3}"#).into(),
            &["-32600"],
        ),
        ("no number", b"Content-Length: x\r\n\r\n".into(), &["-32700"]),
        ("negative", b"Content-Length: -5\r\n\r\n".into(), &["-32700"]),
        ("overflow", b"Content-Length: 99999999999999999999999\r\n\r\n".into(), &["-32700"]),
        ("no length", format!("Content-Type: x\r\n\r\n{GOOD}").into(), &["-32700"]),
        ("no header", GOOD.into(), &["-32700"]),
        ("web", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".into(), &["-32700"]),
        ("endless header", long.into(), &["-32700"]),
        (
            "utf-16",
            format!("Content-Type: a; charset=utf-16\r\n{}", framed(GOOD)).into(),
            &["-32600"],
        ),
        ("body shorter", short.into(), &["-32700"]),
        ("body a little shorter", little.into(), &["-32700"]),
        ("body longer", shorter.into(), &["-32700", "-32700"]),
        ("LF alone", format!("Content-Length: {}\n\n{GOOD}", GOOD.len()).into(), &["ping"]),
        ("other header", format!("X-Other: 1\r\n{}", framed(GOOD)).into(), &["ping"]),
    ];
    for (name, bytes, expected) in cases {
        let stream = [&bytes[..], framed(&GOOD.replace("ping", "pong")).as_bytes()].concat();
        let expected: Vec<&str> = expected.iter().copied().chain(["pong"]).collect();
        for piece in [1, 7, stream.len()] {
            assert_eq!(read(&stream, piece), expected, "{name} in pieces of {piece}");
        }
    }
}

#[test]
fn a_message_too_large_is_answered_at_once_and_not_kept() {
    let mut frames = Frames::default();
    let length = MESSAGE_BYTES + 5;
    frames.feed(format!("Content-Length: {length}\r\n\r\n").as_bytes());
    let told: Value = serde_json::from_slice(&frames.next().unwrap()).unwrap();
    assert_eq!(told["params"]["code"], -32600);
    let piece = vec![b'x'; 1 << 20];
    let mut left = length;
    while left > 0 {
        let now = usize::try_from(left).unwrap().min(piece.len());
        frames.feed(&piece[..now]);
        assert_eq!(frames.next(), None);
        assert!(frames.bytes.capacity() < 4096, "{}", frames.bytes.capacity());
        left -= now as u64;
    }
    frames.feed(framed(GOOD).as_bytes());
    assert_eq!(frames.next().as_deref(), Some(GOOD.as_bytes()));
}

#[test]
fn what_is_known_of_a_broken_message_goes_into_its_answer() {
    let broken = |body: &str| message::judge(body.as_bytes()).unwrap_err();
    assert_eq!(broken(r#"{"id":"a","method":"ping"}"#).id, json!("a"));
    assert_eq!(broken(r#"{"id":1.5,"jsonrpc":"2.0","method":"ping"}"#).id, Value::Null);
    assert!(broken("[]").why.contains("one message"));
}

#[test]
fn answers_and_every_kind_of_id_pass() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":"a","result":{"a":[1,2.5,true,"\u00e9"]}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
        r#" {"other":[{}],"jsonrpc":"2.0","method":"a","params":[1],"id":-3} "#,
    ] {
        assert_eq!(message::judge(body.as_bytes()), Ok(()), "{body}");
    }
}

#[test]
fn a_header_without_an_end_is_told_once() {
    let endless = format!("Content-Length: 4\r\n{}: y\r\n\r\n", "x".repeat(2 * HEADER_BYTES));
    for piece in [1, 4000, 1 << 20] {
        let told = read(format!("{endless}{}", framed(GOOD)).as_bytes(), piece);
        assert_eq!(told, ["-32700", "ping"], "{piece}");
    }
}

#[test]
fn headers_within_each_other_are_read_twice_at_most() {
    let inner = "Content-Length: 400000\r\n\r\n".repeat(40_000);
    let (mut frames, mut told) = (Frames::default(), 0);
    frames.feed(framed(&inner).as_bytes());
    while frames.next().is_some() {
        told += 1;
    }
    assert!(frames.again <= frames.came, "{} of {} bytes again", frames.again, frames.came);
    assert!((2..40).contains(&told), "{told}");
}
