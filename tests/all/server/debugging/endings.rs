//! The end of sessions whose client breaks off.

use std::time::{Duration, Instant};

use super::*;

/// The time that a process may take to end.
const PATIENCE: Duration = Duration::from_secs(60);
/// A shader that never ends.
const ENDLESS: &str = "VERT\nDCL OUT[0], POSITION\nDCL TEMP[0]\nBGNLOOP\n\
ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].xxxx\nENDLOOP\nEND\n";

/// The exit status of a process that is to end by itself.
fn ends(child: &mut Child) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it is there");
    panic!("the adapter is still there");
}

#[test]
fn a_client_that_breaks_off_leaves_no_process() {
    let folder = Folder::with("endless", &[("endless.tgsi", ENDLESS)]);
    let program = folder.path().join("endless.tgsi");
    let running = || {
        let mut adapter = Adapter::start(&folder.path().to_string_lossy());
        adapter.ask("initialize", json!({ "adapterID": "tungsten" }));
        assert_eq!(adapter.ask("launch", json!({ "program": program }))["success"], true);
        adapter.event("initialized");
        adapter.ask("configurationDone", json!({}));
        adapter
    };
    // It goes without a word while the shader runs, or breaks off within a message.
    let mut adapter = running();
    adapter.to = None;
    assert_eq!(ends(&mut adapter.child), Some(0));
    let mut adapter = running();
    write!(adapter.to.as_mut().expect("a stream"), "Content-Length: 90\r\n\r\n{{")
        .expect("it reads");
    adapter.to = None;
    assert_eq!(ends(&mut adapter.child), Some(2));
    // What it sends is no protocol, at first or while the shader runs.
    for bytes in
        ["GET / HTTP/1.1\r\n\r\n", "Content-Length: 2\r\n\r\n{x", "Content-Length: -7\r\n\r\n"]
    {
        for mut adapter in [Adapter::start(EXAMPLES), running()] {
            let to = adapter.to.as_mut().expect("a stream");
            to.write_all(bytes.as_bytes()).and_then(|()| to.flush()).expect("it reads");
            assert_eq!(ends(&mut adapter.child), Some(2), "{bytes:?}");
        }
    }
    // Nobody reads what the adapter says.
    let mut adapter = running();
    adapter.from = Box::new(std::io::empty());
    let to = adapter.to.as_mut().expect("a stream");
    let pause = json!({
        "seq": 9, "type": "request", "command": "pause", "arguments": { "threadId": 1 },
    });
    let pause = pause.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{pause}", pause.len()).expect("it reads");
    to.flush().expect("it reads");
    assert_eq!(ends(&mut adapter.child), Some(0));
}
