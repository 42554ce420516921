//! The process that started the server: once it is gone nobody reads the answers, even
//! where somebody else holds the pipe open.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Notify;

/// Watches the process that the parameters of `initialize` name, and says once that it is
/// gone. One that is not seen from here at first is not watched: it may be on another
/// machine, or outside of a container.
#[cfg(target_os = "linux")]
pub(super) fn watch(params: &Value, gone: Arc<Notify>) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    let number = params.get("processId").and_then(Value::as_u64);
    let process = number.and_then(|number| Pid::from_raw(i32::try_from(number).ok()?));
    // Its number may come back as another process, the handle does not.
    let Some(Ok(process)) = process.map(|it| pidfd_open(it, PidfdFlags::empty())) else {
        return;
    };
    let watching = std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        while let Err(rustix::io::Errno::INTR) =
            poll(&mut [PollFd::new(&process, PollFlags::IN)], None)
        {}
        gone.notify_one();
    });
    // Without a thread the end of the pipe still tells.
    drop(watching);
}

/// Does nothing: here the end of the pipe has to do.
#[cfg(not(target_os = "linux"))]
pub(super) fn watch(_: &Value, _: Arc<Notify>) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_end_of_a_process_is_told_once_it_is_known() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("it starts");
        let gone = Arc::new(Notify::new());
        watch(&json!({"processId": child.id()}), Arc::clone(&gone));
        let soon = |gone: &Arc<Notify>| {
            let gone = Arc::clone(gone);
            async move { tokio::time::timeout(Duration::from_millis(300), gone.notified()).await }
        };
        assert!(soon(&gone).await.is_err(), "it lives");
        // Not waited for: it stays as a zombie, which is not a process any more.
        drop(child.stdin.take());
        let told = tokio::time::timeout(Duration::from_secs(20), gone.notified()).await;
        assert!(told.is_ok());
        child.wait().expect("it ended");
        for nobody in [
            json!({"processId": null}),
            json!({}),
            json!({"processId": -1}),
            json!({"processId": u64::MAX}),
        ] {
            watch(&nobody, Arc::clone(&gone));
        }
        assert!(soon(&gone).await.is_err(), "no process is watched");
    }
}
