//! The worker without a parent: frames written by hand, its replies, its words, and the
//! status with which it ends.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::cases::{FATAL, Library, PIXEL};

/// A worker that has ended.
struct Ended {
    status: Option<i32>,
    /// The names of its replies.
    replies: Vec<String>,
    /// Contents of all of them.
    said: String,
    words: String,
}

/// Runs a worker with these arguments on these bytes, until it ends.
fn run(arguments: &[&str], input: &[u8]) -> Ended {
    let mut child = Command::new(crate::TUNGSTEN)
        .arg("compile-worker")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The end of its input ends a worker at once, at work or not: it comes when all is said.
    let mut pipe = child.stdin.take();
    // One that refuses to start does not read.
    let _ = pipe.as_mut().unwrap().write_all(input);
    let mut source = child.stdout.take().unwrap();
    let (mut replies, mut said) = (Vec::new(), String::new());
    while let Some((name, body)) = frame(&mut source) {
        if ["Compiled", "Rejected"].contains(&&*name) || input.is_empty() {
            pipe = None;
        }
        replies.push(name);
        said += &body;
    }
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    Ended { status: output.status.code(), replies, said, words }
}

/// The names of the replies, in the order of their numbers.
const REPLIES: [&str; 7] =
    ["Ready", "Attempted", "Unusable", "Begun", "Compiled", "Rejected", "Fatal"];

/// Reads a frame: its length, and a message, of which the name and the rest are returned.
fn frame(source: &mut impl std::io::Read) -> Option<(String, String)> {
    let mut length = [0; 4];
    source.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    source.read_exact(&mut bytes).unwrap();
    let (kind, body) = bytes.split_first().unwrap();
    let name = REPLIES[usize::from(*kind)].to_owned();
    Some((name, String::from_utf8_lossy(body).into_owned()))
}

/// Returns a job as a frame.
fn job(ir: &str, seconds: u64) -> Vec<u8> {
    let message =
        [text(ir), text("gfx803"), text(""), number(3), number(seconds), number(4 << 30)].concat();
    [&(message.len() as u32).to_le_bytes()[..], &message].concat()
}

/// A text as messages have it: its length, and its bytes.
fn text(text: &str) -> Vec<u8> {
    [&number(text.len() as u64), text.as_bytes()].concat()
}

/// A number as messages have it: seven bits a byte, the lowest first, and a bit that says
/// that more follow.
fn number(value: u64) -> Vec<u8> {
    match value {
        0..0x80 => vec![value as u8],
        _ => [vec![value as u8 | 0x80], number(value >> 7)].concat(),
    }
}

fn path(library: &Library) -> &str {
    library.found.path.to_str().unwrap()
}

pub(super) fn ends_with_its_input(library: &Library) {
    for manner in [&[path(library)][..], &[path(library), "background"]] {
        let ended = run(manner, b"");
        assert_eq!(
            (ended.status, &*ended.replies.join(" "), &*ended.words),
            (Some(0), "Ready", "")
        );
        assert!(ended.said.contains(&library.found.version), "{}", ended.said);
    }
}

pub(super) fn answers_a_job(library: &Library) {
    let ended = run(&[path(library)], &job(PIXEL, 60));
    assert_eq!(
        (ended.status, &*ended.replies.join(" ")),
        (Some(0), "Ready Begun Compiled"),
        "{}",
        ended.words
    );
    assert!(ended.said.contains("s_endpgm"), "{}", ended.said);
    let ended = run(&[path(library)], &job("nonsense", 60));
    assert_eq!(
        (ended.status, &*ended.replies.join(" ")),
        (Some(0), "Ready Begun Rejected"),
        "{}",
        ended.words
    );
    assert!(ended.said.contains("error"), "{}", ended.said);
}

pub(super) fn ends_on_what_is_no_message(library: &Library) {
    let ended = run(&[path(library)], b"\x02\0\0\0Jx");
    assert_eq!((ended.status, &*ended.replies.join(" ")), (Some(2), "Ready"), "{}", ended.words);
    assert_eq!(ended.words, "standard input: not a message of the compiler's protocol\n");
}

pub(super) fn ends_where_llvm_gives_up(library: &Library) {
    let ended = run(&[path(library)], &job(FATAL, 60));
    assert_eq!(
        (ended.status, &*ended.replies.join(" ")),
        (Some(70), "Ready Begun Fatal"),
        "{}",
        ended.words
    );
    assert!(ended.said.contains("annot select"), "{}", ended.said);
}

#[test]
fn without_a_library_it_says_how_it_is_called() {
    let ended = run(&[], b"");
    assert_eq!((ended.status, &*ended.replies.join(" ")), (Some(2), ""));
    assert_eq!(ended.words, "usage: compile-worker LIBRARY [background]\n");
}

#[test]
fn what_is_no_library_is_told_to_the_parent() {
    let ended = run(&["/nonexistent/libLLVM.so"], b"");
    assert_eq!((ended.status, &*ended.replies.join(" ")), (Some(0), "Unusable"), "{}", ended.words);
    assert!(ended.said.contains("dlopen"), "{}", ended.said);
}
