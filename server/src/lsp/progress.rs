//! A progress display for compiles that take long enough to be noticed.

use std::time::{Duration, Instant};

use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd,
};

use super::outbox::{Message, Outbox, Question};

/// Shorter work is not worth a flicker.
const NOTICEABLE: Duration = Duration::from_secs(1);

/// The display's state.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    state: State,
    /// Makes each token new.
    count: u32,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Hidden,
    /// Work is going on since then.
    Working(Instant),
    /// The client was asked.
    Asked,
    /// The client shows it.
    Shown,
    /// The client does not want this one.
    Refused,
}

impl Progress {
    /// Compiles run or wait.
    pub(crate) fn working(&mut self, now: Instant) {
        if self.state == State::Hidden {
            self.state = State::Working(now);
        }
    }

    /// No compile runs or waits.
    pub(crate) fn rest(&mut self, outbox: &Outbox) {
        if self.state == State::Shown {
            let end = WorkDoneProgressEnd { message: None };
            self.post(outbox, WorkDoneProgress::End(end));
        }
        self.state = State::Hidden;
    }

    /// The time at which [`Self::pass`] has something to do.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Working(since) => Some(since + NOTICEABLE),
            _ => None,
        }
    }

    /// Asks the client for a display where work has gone on for long.
    pub(crate) fn pass(&mut self, now: Instant, outbox: &Outbox) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.count += 1;
            self.state = State::Asked;
            outbox.post(Message::Ask(Question::CreateProgress(self.token())));
        }
    }

    /// The client's answer.
    pub(crate) fn created(&mut self, answer: Result<(), ()>, outbox: &Outbox) {
        if self.state != State::Asked {
            return; // The work has ended meanwhile.
        }
        self.state = State::Refused;
        if answer.is_ok() {
            self.state = State::Shown;
            let begin = WorkDoneProgressBegin {
                title: "Compiling shaders".to_owned(),
                ..WorkDoneProgressBegin::default()
            };
            self.post(outbox, WorkDoneProgress::Begin(begin));
        }
    }

    fn post(&self, outbox: &Outbox, value: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(value);
        outbox.post(Message::Progress(ProgressParams { token: self.token(), value }));
    }

    fn token(&self) -> ProgressToken {
        ProgressToken::String(format!("tungsten/compile/{}", self.count))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    #[test]
    fn only_long_work_is_shown_and_what_is_shown_ends() {
        let (sender, mut messages) = unbounded_channel();
        let outbox = Outbox::to(sender);
        let mut progress = Progress::default();
        let start = Instant::now();

        // Short work.
        progress.working(start);
        progress.pass(start, &outbox);
        progress.rest(&outbox);
        progress.pass(start + NOTICEABLE * 2, &outbox);
        assert!(messages.try_recv().is_err());

        // Long work.
        progress.working(start);
        assert_eq!(progress.deadline(), Some(start + NOTICEABLE));
        progress.pass(start + NOTICEABLE, &outbox);
        assert!(matches!(messages.try_recv(), Ok(Message::Ask(Question::CreateProgress(_)))));
        progress.created(Ok(()), &outbox);
        assert!(matches!(messages.try_recv(), Ok(Message::Progress(_))));
        progress.working(start + NOTICEABLE * 2);
        assert_eq!(progress.deadline(), None);
        progress.rest(&outbox);
        assert!(matches!(messages.try_recv(), Ok(Message::Progress(_))));

        // Work that ends before the client has answered.
        progress.working(start);
        progress.pass(start + NOTICEABLE, &outbox);
        progress.rest(&outbox);
        progress.created(Ok(()), &outbox);
        assert!(matches!(messages.try_recv(), Ok(Message::Ask(Question::CreateProgress(_)))));
        assert!(messages.try_recv().is_err());
    }
}
