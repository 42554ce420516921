//! The origins of values, and the values that lines left: what editors show beside the protocol's
//! own requests, and the words of the console that ask for it.

use std::fmt::Write as _;
use std::io::Write;
use std::rc::Rc;

use debugger::expression::Expression;
use debugger::{Follow, Origin, Origins, Pace, Subject};
use serde_json::{Value, json};

use crate::arguments::{AskOrigins, GoTo, Scopes};
use crate::client::Request;
use crate::refusal::Refusal;
use crate::running::Running;
use crate::show;
use crate::variables::Container;

/// Lines of a tree in the console, at most.
const MOST_LINES: usize = 100;

/// The words of the console that ask for the origin of a value.
const QUESTIONS: [(&str, Follow); 2] = [("why ", Follow::Everything), ("nan ", Follow::NotANumber)];

/// A question of the console for the origin of a value, with what it is about.
pub(crate) fn question(text: &str) -> Option<(Follow, &str)> {
    QUESTIONS.iter().find_map(|(word, follow)| Some((*follow, text.strip_prefix(word)?)))
}

impl<S: Subject, W: Write> Running<'_, S, W> {
    fn find_origins(
        &mut self,
        expression: &str,
        thread: usize,
        follow: Follow,
    ) -> Result<Origins, Refusal> {
        let expression = Expression::parse(expression)?;
        let client = &mut *self.client;
        let found =
            self.debugger.origins(
                &expression,
                (thread, self.lane),
                follow,
                &mut || match client.interrupts() {
                    true => Pace::Pause,
                    false => Pace::Go,
                },
            )?;
        Ok(found)
    }

    /// The step that made a value, in words.
    fn told(&self, origin: &Origin) -> String {
        let value = show::word(origin.bits);
        match &origin.maker {
            Some(maker) => {
                let subject = self.debugger.subject();
                let line = subject.line(maker.instruction);
                let line = line.map_or(String::new(), |line| format!("line {line}: "));
                format!("{value} | {line}{}", subject.text(maker.instruction))
            }
            None if origin.is_known => format!("{value} | from the beginning"),
            None => value,
        }
    }

    /// A question of the console: the tree as text, which clients can open part by part as well.
    pub(crate) fn answer_question(
        &mut self,
        follow: Follow,
        expression: &str,
        thread: usize,
    ) -> Result<Value, Refusal> {
        let origins = self.find_origins(expression, thread, follow)?;
        let mut text = String::new();
        let mut lines = 0;
        let mut shown = vec![false; origins.values.len()];
        let mut stack: Vec<(usize, usize)> =
            origins.roots.iter().rev().map(|root| (*root, 0)).collect();
        while let Some((number, depth)) = stack.pop() {
            let own = &origins.values[number];
            if lines == MOST_LINES {
                text.push_str("…\n");
                break;
            }
            lines += 1;
            let lane = own.lane.filter(|lane| *lane != self.lane);
            let lane = lane.map_or(String::new(), |lane| format!(" in lane {lane}"));
            let again = if shown[number] { ", see above" } else { "" };
            let told = self.told(own);
            let _ = writeln!(
                text,
                "{:width$}{}{lane} = {told}{again}",
                "",
                own.name,
                width = 2 * depth
            );
            if !std::mem::replace(&mut shown[number], true)
                && let Some(maker) = &own.maker
            {
                stack.extend(maker.sources.iter().rev().map(|source| (*source, depth + 1)));
            }
        }
        let values = origins.roots.clone();
        let container = Container::Origins { thread, origins: Rc::new(origins), values };
        let reference = self.reference(container);
        Ok(json!({ "result": text.trim_end(), "variablesReference": reference }))
    }

    /// Values of a tree of origins, each with those that it was made from.
    pub(crate) fn origin_variables(
        &mut self,
        thread: usize,
        origins: &Rc<Origins>,
        values: &[usize],
    ) -> Vec<Value> {
        let mut all = Vec::new();
        for number in values {
            let own = &origins.values[*number];
            let sources = own.maker.as_ref().map(|maker| maker.sources.clone());
            let reference = match sources.filter(|sources| !sources.is_empty()) {
                Some(values) => {
                    self.reference(Container::Origins { thread, origins: origins.clone(), values })
                }
                None => 0,
            };
            all.push(json!({
                "name": own.name, "value": self.told(own), "variablesReference": reference,
            }));
        }
        all
    }

    /// The origins of a value as data.
    pub(crate) fn origins(&mut self, arguments: &AskOrigins) -> Result<Value, Refusal> {
        let thread = self.thread_of_frame(arguments.frame_id)?;
        let follow = match arguments.follow.as_deref() {
            None | Some("everything") => Follow::Everything,
            Some("nan") => Follow::NotANumber,
            Some(other) => {
                return Err(format!("`{other}` is neither `everything` nor `nan`").into());
            }
        };
        let found = self.find_origins(&arguments.expression, thread, follow)?;
        let subject = self.debugger.subject();
        let values = found.values.iter().map(|own| {
            let mut value = json!({
                "name": own.name,
                "value": show::word(own.bits),
                "isKnown": own.is_known,
                "sources": [],
            });
            if let Some(lane) = own.lane {
                value["lane"] = lane.into();
            }
            if let Some(maker) = &own.maker {
                value["position"] = maker.position.into();
                value["text"] = subject.text(maker.instruction).into();
                value["sources"] = json!(maker.sources);
                if let Some(line) = subject.line(maker.instruction) {
                    value["line"] = line.into();
                }
            }
            value
        });
        Ok(json!({ "values": values.collect::<Vec<_>>(), "roots": found.roots }))
    }

    /// The values that lines have left in the lane, and which of them passed it by.
    pub(crate) fn line_values(&mut self, arguments: &Scopes) -> Result<Value, Refusal> {
        let thread = self.thread_of_frame(Some(arguments.frame_id))?;
        let client = &mut *self.client;
        let all = self.debugger.line_values(thread, self.lane, &mut || match client.interrupts() {
            true => Pace::Pause,
            false => Pace::Go,
        });
        let subject = self.debugger.subject();
        let is_statement = |instruction: usize| {
            subject.listing().start == 0 || !subject.listing().contains(&instruction)
        };
        let own = all.iter().filter(|it| is_statement(it.instruction));
        let lines = own.filter_map(|own| {
            let line = subject.line(own.instruction)?;
            let values = own
                .written
                .iter()
                .map(|(name, bits)| json!({ "name": name, "value": show::word(*bits) }));
            let values: Vec<Value> = values.collect();
            Some(json!({ "line": line, "isActive": own.is_active, "values": values }))
        });
        let lines: Vec<Value> = lines.collect();
        let mut body = json!({ "lane": self.lane, "lines": lines });
        if let Some(own) = subject.beneath(thread) {
            body["machineAddress"] = subject.address(own).into();
        }
        Ok(body)
    }

    /// Goes to a moment of the run that an answer has named.
    pub(crate) fn go_to(&mut self, request: &Request) {
        let position = match request.arguments::<GoTo>() {
            Ok(GoTo { position }) => position,
            Err(reason) => return self.client.refuse(request, &reason.0),
        };
        if position > self.debugger.recording().furthest() {
            let reason = format!("the run has not been at step {position}");
            return self.client.refuse(request, &reason);
        }
        self.client.answer(request, Value::Null);
        self.debugger.go_to(position);
        self.tell("goto", "", None, &[]);
    }
}
