//! Hosts asked for an editor: a thread with virglrenderer, which is asked about the newest
//! texts alone.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{FileId, HostAnswer, HostOutcome};
use vrend::Host;

use super::mailbox::{Event, Mailbox};
use crate::hosts::Hosts;

/// A question that nobody has answered: a shader of a file, and a host.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    /// The shader's text.
    pub(crate) text: Arc<str>,
    /// The host.
    pub(crate) host: Host,
}

/// The time without questions after which the servers end.
const REST: Duration = Duration::from_secs(60);

/// Asks hosts, on a thread that the first question starts.
pub(super) struct Asker {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    mailbox: Mailbox,
    /// Our own executable, and the user's server.
    worker: PathBuf,
    setting: Option<PathBuf>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(FileId, Question)>,
    running: Option<(FileId, Question)>,
    started: bool,
    stopping: bool,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.shared.lock().stopping = true;
        self.shared.wake.notify_all();
    }
}

impl Asker {
    /// An asker whose thread is not started yet.
    pub(super) fn new(mailbox: Mailbox, worker: PathBuf, setting: Option<PathBuf>) -> Asker {
        let (state, wake) = (Mutex::default(), Condvar::new());
        Asker { shared: Arc::new(Shared { state, wake, mailbox, worker, setting }) }
    }

    /// Replaces what is asked about a file.
    pub(super) fn want(&self, file: FileId, questions: Vec<Question>) {
        let mut state = self.shared.lock();
        state.waiting.retain(|(own, _)| *own != file);
        for question in questions {
            let question = (file, question);
            if state.running.as_ref() != Some(&question) {
                state.waiting.push_back(question);
            }
        }
        if !state.started && !state.waiting.is_empty() {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("hosts".to_owned());
            // Without a thread views stay as they are: asked.
            state.started = thread.spawn(move || shared.run()).is_ok();
        }
        drop(state);
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Consistent between statements, whoever panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut hosts = Hosts::find(&self.worker, self.setting.as_deref());
        loop {
            let mut state = self.lock();
            state.running = None;
            let next = loop {
                if state.stopping {
                    return;
                }
                if let Some(next) = state.waiting.pop_front() {
                    break next;
                }
                let (waited, time) =
                    self.wake.wait_timeout(state, REST).unwrap_or_else(PoisonError::into_inner);
                state = waited;
                if let (true, Ok(hosts)) = (time.timed_out(), &mut hosts) {
                    hosts.rest();
                }
            };
            state.running = Some(next.clone());
            drop(state);
            let (file, Question { text, host }) = next;
            let answer = match &mut hosts {
                Ok(hosts) => hosts.ask(&text, &host),
                Err(advice) => HostAnswer {
                    text,
                    host: host.to_string().into(),
                    outcome: HostOutcome::Failed(advice.to_string()),
                },
            };
            self.mailbox.post(Event::HostAnswered(file, answer));
        }
    }
}
