//! The process that started the server: once it is gone nobody reads the answers, even
//! where somebody else holds the pipe open.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;

/// How often it is looked for.
const INTERVAL: Duration = Duration::from_secs(1);

/// Watches the process that the parameters of `initialize` name, and says once that it is
/// gone. One that is not seen from here at first is not watched: it may be on another
/// machine, or outside of a container.
pub(super) fn watch(params: &Value, gone: Arc<Notify>) {
    let number = params.get("processId").and_then(Value::as_u64);
    let Some((number, born)) = number.and_then(|number| Some((number, birth(number)?))) else {
        return;
    };
    let watching = std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        // A number may come back as another process.
        while birth(number) == Some(born) {
            std::thread::sleep(INTERVAL);
        }
        gone.notify_one();
    });
    // Without a thread the end of the pipe still tells.
    drop(watching);
}

/// When a living process began, in the system's count.
#[cfg(target_os = "linux")]
fn birth(process: u64) -> Option<u64> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which may hold anything.
    let mut fields = line.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    // The twenty-second field, of which three are read.
    let born = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(born)
}

/// No way here that needs no more than reading a file: the end of the pipe has to do.
#[cfg(not(target_os = "linux"))]
fn birth(_: u64) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

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
        // Not waited for: it stays as a zombie, which is no process any more.
        drop(child.stdin.take());
        let told = tokio::time::timeout(Duration::from_secs(20), gone.notified()).await;
        assert!(told.is_ok());
        child.wait().expect("it ended");
        for nobody in [json!({"processId": null}), json!({}), json!({"processId": u64::MAX})] {
            watch(&nobody, Arc::clone(&gone));
        }
        assert!(soon(&gone).await.is_err(), "nobody is watched");
    }
}
