//! Messages of a client: what is read of its frames, and requests as a server answers them.

use super::shapes::{Shape, shape};
use super::{SIZE, judge, work_of};

/// Streams of frames, broken ones among them.
const STREAMS: [Shape; 8] = [
    shape("sound frames", "", "Content-Length: 2\r\n\r\n{}", ""),
    shape("frames that are not JSON", "", "Content-Length: 3\r\n\r\n{]}", ""),
    shape("frames without a length", "", "X-Other: {n}\r\n\r\n", ""),
    shape("headers of one frame", "", "X-Other: {n}\r\n", "\r\n"),
    shape("one header", "Content-Length: 2\r\nX-Other: ", "a", "\r\n\r\n{}"),
    shape("lines that are none", "", "\n", ""),
    shape("no frame", "", "{n}", ""),
    shape("lengths that are too large", "", "Content-Length: 99999999999\r\n\r\n", ""),
];

/// The bodies of single frames.
const BODIES: [Shape; 7] = [
    shape("lists in each other", "", "[¦]", ""),
    shape("objects in each other", "", "{\"a\":¦}", "1"),
    shape("a batch", "[{}", ",{}", "]"),
    shape("members of a message", "{\"a\":1", ",\"b{n}\":{n}", "}"),
    shape("members of one name", "{\"a\":1", ",\"a\":{n}", "}"),
    shape("escapes", "{\"method\":\"", "\\u0041", "\"}"),
    shape("a list that does not end", "[1", ",{n}", ""),
];

/// Reads a stream that comes in pieces of so many bytes.
fn read(stream: &str, piece: usize) -> u64 {
    work_of(|| drop(server::readers::messages(stream.as_bytes().chunks(piece))))
}

#[test]
fn frames_take_work_in_proportion() {
    let mut wrong = Vec::new();
    for piece in [7, 1 << 12, usize::MAX] {
        let streams = STREAMS.iter().map(|it| (it, Shape::text as fn(&Shape, usize) -> String));
        let framed = |shape: &Shape, bytes| {
            let body = shape.text(bytes);
            format!("Content-Length: {}\r\n\r\n{body}", body.len())
        };
        let bodies = BODIES.iter().map(|it| (it, framed as fn(&Shape, usize) -> String));
        for (shape, text) in streams.chain(bodies) {
            let name = format!("{} in pieces of {piece}", shape.name);
            let [one, four] = [SIZE, 4 * SIZE].map(|bytes| text(shape, bytes));
            wrong.extend(judge(&name, || (read(&one, piece), read(&four, piece))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The requests of an editor, as a server in this process answers them.
#[cfg(counted)]
mod answered {
    use std::path::PathBuf;
    use std::time::Duration;

    use serde_json::json;
    use tests::client::Client;
    use tests::measure::stretches_run;

    use super::super::is_too_much;
    use super::super::shapes::{GCN, Shape, TGSI};
    use crate::server::memory::requests;

    /// Bytes of the smaller text. Each request is about the whole of it and sends its answer
    /// through a client, which takes longer than a question of the engine.
    const SIZE: usize = 1 << 13;

    /// Bytes of the smaller text of nested scopes. A name is looked for in all scopes around it,
    /// but in no more than a limit: work is quadratic up to that depth and in proportion from
    /// there on. The text is more than three times as deep.
    const NESTED_SIZE: usize = 128 * gcn::limits::SCOPES;

    /// More stretches than adding up the counters takes, which are counted, too.
    const LOOKING: u64 = 100;

    /// Longer than a server rests before the work that follows diagnostics.
    const REST: Duration = Duration::from_millis(100);

    /// Waits until no thread has done anything for a time. Returns what all have run up to then.
    fn settled(time: Duration) -> u64 {
        loop {
            let before = stretches_run();
            std::thread::sleep(time);
            if stretches_run() - before < LOOKING && working_threads() == 0 {
                return stretches_run();
            }
        }
    }

    /// The other threads that run, or wait for a processor.
    fn working_threads() -> usize {
        let tasks = std::fs::read_dir("/proc/self/task").expect("Linux").flatten();
        let states =
            tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        let states =
            states.filter(|stat| stat.rsplit(')').next().is_some_and(|it| it.starts_with(" R")));
        states.count() - 1
    }

    /// The work of each request about a document and a line of it, that of the client's side
    /// included.
    fn works(language: &str, text: &str, line: usize) -> Vec<(&'static str, u64)> {
        let options = json!({"compile": false});
        let mut client = Client::in_folders(&[], json!({}), options, PathBuf::new());
        let uri = format!("file:///a.{language}");
        client.open_as(language, &uri, text);
        client.diagnostics(&uri, 0);
        let requests = requests(&uri, text.lines().count(), line);
        let mut before = settled(REST);
        let works = requests.into_iter().map(|(method, parameters)| {
            let _ = client.call(method, parameters);
            let now = settled(Duration::from_millis(5));
            let work = now - before;
            before = now;
            (method, work)
        });
        let works = works.collect();
        client.stop();
        works
    }

    fn check(language: &str, shapes: &[Shape]) {
        let mut wrong = Vec::new();
        for shape in shapes {
            let size = if shape.name == "CLRX: nested scopes" { NESTED_SIZE } else { SIZE };
            let [one, four] = [size, 4 * size].map(|bytes| {
                let (text, line) = shape.text_and_line(bytes);
                works(language, &text, line)
            });
            for ((method, one), (_, four)) in one.into_iter().zip(four) {
                if is_too_much(one, four) {
                    wrong.push(format!("{method} of {}: {one} became {four}", shape.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn requests_about_shaders_take_work_in_proportion() {
        check("tgsi", &TGSI);
    }

    #[test]
    fn requests_about_assembly_take_work_in_proportion() {
        check("gcn", &GCN);
    }
}
