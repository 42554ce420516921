//! The largest texts that are analysed, of ordinary shape: what `check`, and a server that is
//! asked everything, take for them in memory and time. `.ci/full largest` runs these tests.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use server::limits;
use tests::client::Client;
use tests::measure;

use super::memory::requests;

/// The processor time that a text may take `check` on any machine.
const CHECK_TIME: Duration = Duration::from_secs(30);

/// A text of as many bytes as one may have, nearly: so many lines of it are made.
fn largest(language: &str) -> String {
    let text = |lines: usize| match language {
        "gcn" => format!("{}{}", measure::CHIP, measure::kernel(lines, 0)),
        _ => measure::shader(lines, 0),
    };
    // Later lines have longer numbers.
    let of_a_line = (text(1_000_000).len() - text(500_000).len()) / 500_000 + 1;
    let text = text(source::MAX_TEXT_LENGTH / of_a_line);
    let most = source::MAX_TEXT_LENGTH;
    assert!((most / 100 * 90..=most).contains(&text.len()), "{}", text.len());
    text
}

#[test]
#[ignore = "takes minutes where it is not optimised: run by name"]
fn the_largest_ordinary_texts_take_the_server_the_memory_and_time_that_they_may() {
    for language in ["gcn", "tgsi"] {
        let text = largest(language);
        let lines = text.lines().count();
        let uri = format!("file:///largest.{language}");
        let program = Path::new(crate::TUNGSTEN);
        let mut client = Client::start(program, json!({}), json!({"compile": false}));
        let begun = Instant::now();
        client.open_as(language, &uri, &text);
        client.arrived_diagnostics(&uri, 0);
        println!("{language}: {} bytes, diagnostics after {:.1?}", text.len(), begun.elapsed());
        let mut slowest = (Duration::ZERO, "none");
        let mut answered = 0;
        for (method, parameters) in requests(&uri, lines, lines / 2) {
            let id = client.send(method, parameters);
            let (time, answer) = client.timed_answer(id);
            // What takes too long is answered with an error, as what is refused is.
            assert!(time < Duration::from_secs(limits::REQUEST_SECONDS), "{method}: {time:?}");
            answered += usize::from(answer.is_ok_and(|result| !result.is_null()));
            slowest = slowest.max((time, method));
        }
        let edit = json!({"start": {"line": lines / 2, "character": 0},
                          "end": {"line": lines / 2, "character": 0}});
        let begun = Instant::now();
        client.edit(&uri, 1, edit, " ");
        client.arrived_diagnostics(&uri, 1);
        println!("{language}: diagnostics {:.1?} after an edit", begun.elapsed());
        let took = client.most_resident() * 1024;
        let (time, method) = slowest;
        println!("{language}: {} MiB at most; {method} took {time:.1?}", took >> 20);
        assert!(answered > 10, "{language}: {answered} answers");
        let may = limits::REQUEST_MEMORY + limits::ORDINARY_MEMORY * text.len() as u64;
        assert!(took <= may, "{language}: {took} bytes, {may} it may");
        client.stop();
    }
}

#[test]
#[ignore = "takes minutes where it is not optimised: run by name"]
fn the_largest_ordinary_texts_take_check_the_memory_and_time_that_they_may() {
    for language in ["gcn", "tgsi"] {
        let text = largest(language);
        let file = std::env::temp_dir()
            .join(format!("tungsten-largest-{}.{language}", std::process::id()));
        std::fs::write(&file, &text).expect("written");
        let mut check = Command::new(crate::TUNGSTEN);
        let check = check.arg("check").arg(&file).stdout(Stdio::null());
        let took = measure::run(check).expect("it runs");
        std::fs::remove_file(&file).expect("it is there");
        let (memory, time) = (took.most_resident >> 20, took.processor_time);
        println!("{language}: check of {} bytes took {memory} MiB, {time:.1?}", text.len());
        // The kernel's waits are missing, which are errors.
        assert!(took.status.code().is_some_and(|code| code < 2), "{language}: {}", took.status);
        let may = limits::REQUEST_MEMORY + limits::ORDINARY_MEMORY / 2 * text.len() as u64;
        assert!(took.most_resident <= may, "{language}: {memory} MiB");
        assert!(time < CHECK_TIME, "{language}: {time:?}");
    }
}
