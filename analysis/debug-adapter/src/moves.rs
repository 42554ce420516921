//! Requests that move the run, and the events that tell where it stands then.

use std::io::Write;

use debugger::{Debugger, Pace, Stop, Stride, Subject};
use serde_json::{Value, json};

use crate::arguments::OfThread;
use crate::client::Request;
use crate::running::Running;

/// Messages of one movement that are written, at most.
const MOST_WRITTEN: usize = 2000;

impl<S: Subject, W: Write> Running<'_, S, W> {
    /// Does a request that moves the run. Answers whether it was one.
    pub(crate) fn moves(&mut self, request: &Request) -> bool {
        type Move<S> = fn(&mut Debugger<S>, usize, Stride, &mut dyn FnMut() -> Pace) -> Stop;
        let own: Move<S> = match request.command.as_str() {
            "next" => Debugger::step_over,
            "stepIn" => Debugger::step_in,
            "stepOut" => |debugger, thread, _, pace| debugger.step_out(thread, pace),
            "continue" => |debugger, _, _, pace| debugger.go_on(pace),
            "stepBack" => Debugger::step_back,
            "reverseContinue" => |debugger, _, _, pace| debugger.go_back(pace),
            _ => return false,
        };
        let arguments = request.arguments::<OfThread>();
        let thread = arguments.and_then(|it| Ok((self.thread(it.thread_id)?, it)));
        let (thread, arguments) = match thread {
            Ok(found) => found,
            Err(reason) => {
                self.client.refuse(request, &reason.0);
                return true;
            }
        };
        let stride = match arguments.granularity.as_deref() {
            Some("instruction") => Stride::Instruction,
            _ => Stride::Line,
        };
        let body = match request.command.as_str() {
            "continue" => json!({ "allThreadsContinued": true }),
            _ => Value::Null,
        };
        self.client.answer(request, body);
        if request.command == "continue" && self.debugger.subject().thread().is_none() {
            // There is nothing to go on with.
            self.client.event("terminated", Value::Null);
            return true;
        }
        let client = &mut *self.client;
        let stop = own(&mut self.debugger, thread, stride, &mut || match client.interrupts() {
            true => Pace::Pause,
            false => Pace::Go,
        });
        self.stopped(stop, thread);
        true
    }

    /// Begins the run.
    pub(crate) fn begin(&mut self) {
        let (thread, lane) = self.debugger.subject().watched();
        self.lane = lane;
        if self.stops_on_entry {
            return self.tell("entry", "the beginning of the run", None, &[]);
        }
        // A breakpoint on the first instruction counts.
        let client = &mut *self.client;
        let stop = self.debugger.begin(&mut || match client.interrupts() {
            true => Pace::Pause,
            false => Pace::Go,
        });
        self.stopped(stop, thread);
    }

    /// Tells the client where the run stands, and what brought it there.
    fn stopped(&mut self, stop: Stop, thread: usize) {
        let messages = std::mem::take(&mut self.debugger.messages);
        for message in messages.iter().take(MOST_WRITTEN) {
            self.client.say(message);
        }
        if let Some(more) = messages.len().checked_sub(MOST_WRITTEN).filter(|more| *more > 0) {
            self.client.say(&format!("{more} more messages are left out"));
        }
        let recording = self.debugger.recording();
        if recording.is_thinned() && !self.told_of_bound {
            self.told_of_bound = true;
            let message = format!(
                "the recording has reached its bound of memory: states are {} steps apart now, \
                 and the steps between are repeated to go back",
                recording.interval()
            );
            self.client.say(&message);
        }
        match stop {
            Stop::Step => self.tell("step", "", Some(thread), &[]),
            Stop::Breakpoint { ids, lane } => {
                self.lane = lane.unwrap_or(self.lane);
                self.tell("breakpoint", "", None, &ids);
            }
            Stop::Condition { id, message } => {
                let message = format!("the condition has no value: {message}");
                self.tell("breakpoint", &message, None, &[id]);
            }
            Stop::Changed { id, lane, message } => {
                self.lane = lane;
                self.tell("data breakpoint", &message, None, &[id]);
            }
            Stop::Event(event) => {
                self.lane = event.lane;
                self.last_stop = (event.kind.word().to_owned(), event.message());
                self.tell("exception", &event.message(), None, &[]);
            }
            Stop::Fault(fault) => {
                self.last_stop = ("fault".to_owned(), fault.message.clone());
                self.tell("exception", &fault.message, Some(fault.thread), &[]);
            }
            Stop::Pause => self.tell("pause", "", None, &[]),
            Stop::Beginning => self.tell("entry", "the beginning of the run", None, &[]),
            Stop::End => self.tell("pause", "the end of the run", Some(thread), &[]),
        }
    }

    pub(crate) fn tell(&mut self, reason: &str, text: &str, thread: Option<usize>, ids: &[u64]) {
        self.containers.clear();
        let subject = self.debugger.subject();
        let thread = thread.filter(|thread| *thread < subject.threads());
        let turn = subject.thread().unwrap_or(0);
        // A thread that has ended hands over to the one that goes on.
        let thread = thread.filter(|it| subject.instruction(*it).is_some()).unwrap_or(turn);
        let mut body = json!({
            "reason": reason,
            "threadId": thread + 1,
            "allThreadsStopped": true,
        });
        if !text.is_empty() {
            body["description"] = text.into();
            body["text"] = text.into();
        }
        if !ids.is_empty() {
            body["hitBreakpointIds"] = json!(ids);
        }
        self.client.event("stopped", body);
    }

    pub(crate) fn exception_info(&self) -> Value {
        let (id, description) = &self.last_stop;
        json!({ "exceptionId": id, "description": description, "breakMode": "always" })
    }
}
