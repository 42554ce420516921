//! The ends of workers, told in words. A shell stands in for a worker.

use std::time::Duration;

use worker::{Failure, Host, Launch, Limits, Priority};

/// The reason for which a worker that runs a script did not start.
fn reason(script: &str, start: Duration) -> String {
    let launch = Launch {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: Vec::new(),
        library: "library".into(),
        priority: Priority::Normal,
    };
    let mut host: Host<(), ()> =
        Host::new(launch, Limits { start, memory: u64::MAX, jobs: u32::MAX });
    match host.version() {
        Err(Failure::NotStarted(reason)) => reason,
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn an_end_is_told_with_the_last_words() {
    for (script, expected) in [
        ("exit 3", "library: exit status: 3"),
        ("echo sorry >&2; exit 3", "library: exit status: 3: sorry"),
        ("echo a >&2; echo b >&2; kill -ABRT $$", "library: it aborted: a\nb"),
        ("kill -SEGV $$", "library: it accessed memory it must not"),
        ("kill -BUS $$", "library: it accessed memory it must not"),
        ("kill -ILL $$", "library: it ran into an impossible state"),
        ("kill -KILL $$", "library: it was killed"),
        ("kill -XCPU $$", "library: it used up its processor time"),
        ("kill -USR1 $$", "library: it ended with signal 10"),
    ] {
        assert_eq!(reason(script, Duration::from_secs(20)), expected, "{script}");
    }
}

#[test]
fn one_that_says_nothing_is_not_waited_for() {
    let said = reason("exec sleep 100", Duration::from_millis(100));
    assert_eq!(said, "library: loading took longer than 100ms");
}
