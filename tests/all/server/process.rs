//! The real process: how fast it is there, and that it survives its compiler.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;

const URI: &str = "file:///shader.tgsi";

fn start() -> Client {
    Client::start(Path::new(crate::TUNGSTEN), json!({}), Value::Null)
}

fn shader(instructions: usize) -> String {
    let mut text = String::from("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..3]\n");
    for number in 0..instructions {
        text.push_str(&format!("{number:3}: ADD TEMP[{}], IN[0], TEMP[1]\n", number % 4));
    }
    text.push_str(&format!("{instructions}: MOV OUT[0], TEMP[0]\n{}: END\n", instructions + 1));
    text
}

#[test]
fn first_diagnostics_come_soon_after_the_start() {
    // The best of some: the machine does other things too. Code that is not
    // optimised may take longer.
    let bar = Duration::from_millis(if cfg!(debug_assertions) { 250 } else { 50 });
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let start_of_it = Instant::now();
        let mut server = start();
        server.open(URI, &shader(300));
        let found = server.arrived_diagnostics(URI, 0);
        best = best.min(found.at - start_of_it);
        server.stop();
    }
    println!("start to first diagnostics: {best:?}");
    assert!(best <= bar, "{best:?} is more than {bar:?}");
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_killed_compiler_is_started_again_by_the_next_edit() {
    let mut server = start();
    assert!(server.has_compiler());
    server.open(URI, &shader(3));
    for round in 0..4 {
        let view = loop {
            let params = json!({"textDocument": {"uri": URI}});
            let view = server.call("tungsten/compiledCode", params).expect("a view");
            if view["state"] == "fresh" {
                break view;
            }
            assert_ne!(view["state"], "unavailable", "{view}");
            server.message("tungsten/compiledCodeChanged");
        };
        assert!(view["text"].as_str().is_some_and(|text| text.contains("s_endpgm")));
        assert!(kill_compilers(server.process()) > 0, "no compiler process was found");
        let item = json!({"uri": URI, "version": round + 1});
        let text = shader(4 + round);
        let params = json!({"textDocument": item, "contentChanges": [{"text": text}]});
        server.notify("textDocument/didChange", params);
    }
    server.stop();
}

/// Kills every compiler process of a server; returns how many there were.
fn kill_compilers(server: u32) -> usize {
    let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children"));
    let mut killed = 0;
    let tasks = std::fs::read_dir(format!("/proc/{server}/task")).expect("it runs");
    let lists = tasks.flatten().map(|task| std::fs::read_to_string(task.path().join("children")));
    for list in lists.flatten().chain(children) {
        for child in list.split_whitespace() {
            let command = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&command).contains("compile-worker") {
                killed += usize::from(
                    Command::new("kill").args(["-KILL", child]).status().expect("kill").success(),
                );
            }
        }
    }
    killed
}
