//! Frames of the wire: sound ones, and ones whose headers, lengths and bodies are not.

use super::language::EDGES;
use super::settings;
use crate::random_shaders::Numbers;

/// A stream of bytes in the pieces in which it comes.
#[derive(Debug, Clone)]
pub struct Stream {
    /// The pieces.
    pub pieces: Vec<Vec<u8>>,
    /// The bodies of a sound stream; `None` where something is damaged.
    pub sound: Option<Vec<Vec<u8>>>,
}

impl crate::search::Size for Stream {
    fn bytes(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }
}

fn body(random: &mut Numbers) -> String {
    const METHODS: [&str; 5] =
        ["initialize", "textDocument/hover", "$/cancelRequest", "textDocument/didChange", "é🦀"];
    let params = settings::section(random);
    let method = random.one(&METHODS);
    match random.below(3) {
        0 => serde_json::json!({"jsonrpc": "2.0", "id": random.below(99), "method": method, "params": params}),
        1 => serde_json::json!({"jsonrpc": "2.0", "method": method, "params": params}),
        _ => serde_json::json!({"jsonrpc": "2.0", "id": random.below(99), "result": params}),
    }
    .to_string()
}

fn damaged_body(body: &str, random: &mut Numbers) -> Vec<u8> {
    const WHOLE: [&str; 8] =
        ["", "[]", "42", "null", "{}", "{\"jsonrpc\":\"1.0\"}", "[{}]", "\"a\""];
    let mut bytes = body.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes = random.one(&WHOLE).as_bytes().to_vec(),
        3 => bytes.splice(at..at, "[".repeat(random.below(400)).bytes()).for_each(drop),
        4 => bytes = body.replacen("\"2.0\"", random.one(&EDGES), 1).into_bytes(),
        _ => bytes.insert(at, random.below(256) as u8),
    }
    bytes
}

fn header(length: usize, random: &mut Numbers) -> String {
    let near = [length + 1, length.saturating_sub(1), 0, 2 * length, 1 << 40];
    let number = match random.once_in(2) {
        true => random.one(&EDGES).to_owned(),
        false => near[random.below(near.len())].to_string(),
    };
    match random.below(9) {
        0 => format!("Content-Length: {number}\r\n\r\n"),
        1 => format!("Content-Length: {length}\n\n"),
        2 => format!("content-length:{length}\r\nX: y\r\n\r\n"),
        3 => format!("Content-Length: {length}\r\nContent-Length: {number}\r\n\r\n"),
        4 => format!("Content-Type: a; charset=utf-16\r\nContent-Length: {length}\r\n\r\n"),
        5 => "Content-Type: a\r\n\r\n".to_owned(),
        6 => format!("{}Content-Length: {length}\r\n\r\n", "x".repeat(random.below(20))),
        7 => format!("Content-Length: {length}\r\n{}: y\r\n\r\n", "x".repeat(random.below(9000))),
        _ => String::new(),
    }
}

/// Some frames, one in three streams all sound.
pub fn stream(random: &mut Numbers) -> Stream {
    let is_sound = random.once_in(3);
    let (mut bytes, mut bodies) = (Vec::new(), Vec::new());
    for _ in 0..1 + random.below(6) {
        let whole = body(random);
        let body = match !is_sound && random.once_in(3) {
            true => damaged_body(&whole, random),
            false => whole.into_bytes(),
        };
        let header = match !is_sound && random.once_in(3) {
            true => header(body.len(), random),
            false => format!("Content-Length: {}\r\n\r\n", body.len()),
        };
        bytes.extend(header.into_bytes());
        bytes.extend(&body);
        bodies.push(body);
    }
    let mut pieces = Vec::new();
    let most = [1, 7, 100, 100_000][random.below(4)];
    while !bytes.is_empty() {
        let length = (1 + random.below(most)).min(bytes.len());
        pieces.push(bytes.drain(..length).collect());
    }
    Stream { pieces, sound: is_sound.then_some(bodies) }
}
