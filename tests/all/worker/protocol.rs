//! Messages between a worker and its parent.

use std::io;

use worker::protocol::MAXIMAL_FRAME;
use worker::{Layer, LayerState};

/// A text to work on, and the name of a processor.
type Job = (String, String);
type Request = worker::protocol::Request<Job>;
type Reply = worker::protocol::Reply<Vec<u8>>;

/// A request as a frame.
fn bytes(worker::protocol::Request { job, seconds, memory }: &Request) -> io::Result<Vec<u8>> {
    worker::protocol::Request { job, seconds: *seconds, memory: *memory }.frame()
}

fn request() -> Request {
    worker::protocol::Request {
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
                Layer { name: "seccomp".to_owned(), state: LayerState::Holds("yes".to_owned()) },
                Layer { name: "Landlock".to_owned(), state: LayerState::Missing(String::new()) },
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
