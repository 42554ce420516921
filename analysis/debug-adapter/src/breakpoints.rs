//! Breakpoints of every kind, as clients set them.

use std::io::Write;

use debugger::expression::Expression;
use debugger::{Breakpoint, EventKind, HitCondition, LogMessage, Subject, Watch};
use serde_json::{Value, json};

use crate::arguments::{
    BreakpointLocations, DataBreakpointInfo, SetBreakpoints, SetDataBreakpoints,
    SetExceptionBreakpoints, SetInstructionBreakpoints,
};
use crate::refusal::Refusal;
use crate::running::Running;

/// The breakpoints of a session, by the requests that set them.
#[derive(Debug, Default)]
pub(crate) struct Breakpoints {
    last: u64,
    of_source: Vec<Breakpoint>,
    of_instructions: Vec<Breakpoint>,
}

/// Breakpoints of one request, at most.
const MOST: usize = 1000;

/// A client's wishes for a breakpoint beside its place.
struct Wish<'a> {
    condition: Option<&'a str>,
    hit_condition: Option<&'a str>,
    log: Option<&'a str>,
}

impl Breakpoints {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Makes a breakpoint of what a client says.
    fn make(&mut self, instruction: usize, wish: &Wish<'_>) -> Result<Breakpoint, Refusal> {
        let text = |text: Option<&str>| text.filter(|it| !it.trim().is_empty()).map(str::to_owned);
        let condition = text(wish.condition).map(|it| Expression::parse(&it)).transpose();
        let condition = condition.map_err(|error| format!("the condition: {error}"))?;
        let hits = text(wish.hit_condition).map(|it| HitCondition::parse(&it)).transpose();
        let hit_condition = hits.map_err(|error| format!("the number of hits: {error}"))?;
        let log = text(wish.log).map(|it| LogMessage::parse(&it)).transpose();
        let log = log.map_err(|error| format!("the message: {error}"))?;
        Ok(Breakpoint { id: self.next(), instruction, condition, hit_condition, log, hits: 0 })
    }
}

impl<S: Subject, W: Write> Running<'_, S, W> {
    pub(crate) fn set_breakpoints(&mut self, arguments: &SetBreakpoints) -> Value {
        let is_own =
            arguments.source.path.as_deref().is_some_and(|path| same_path(path, &self.path));
        if is_own {
            self.breakpoints.of_source.clear();
        }
        let mut answers = Vec::new();
        for wish in arguments.breakpoints.iter().take(MOST) {
            let place = match is_own {
                true => self.instruction_of_line(wish.line),
                false => Err("this file is not the one that runs".into()),
            };
            let own = Wish {
                condition: wish.condition.as_deref(),
                hit_condition: wish.hit_condition.as_deref(),
                log: wish.log_message.as_deref(),
            };
            let made = place.and_then(|place| self.breakpoints.make(place, &own));
            let made = made.map(|made| {
                let answer = self.verified(&made);
                self.breakpoints.of_source.push(made);
                answer
            });
            answers.push(made.unwrap_or_else(|reason| self.refused(&reason.0)));
        }
        self.place_breakpoints();
        json!({ "breakpoints": answers })
    }

    pub(crate) fn set_instruction_breakpoints(
        &mut self,
        arguments: &SetInstructionBreakpoints,
    ) -> Value {
        self.breakpoints.of_instructions.clear();
        let mut answers = Vec::new();
        for wish in arguments.breakpoints.iter().take(MOST) {
            let address = self.parse_address(&wish.instruction_reference);
            let address = address.and_then(|it| it.checked_add_signed(wish.offset));
            let place = address.and_then(|address| self.instruction_at(address));
            let place = place.ok_or_else(|| Refusal::from("no instruction begins there"));
            let own = Wish {
                condition: wish.condition.as_deref(),
                hit_condition: wish.hit_condition.as_deref(),
                log: None,
            };
            let made = place.and_then(|place| self.breakpoints.make(place, &own));
            let made = made.map(|made| {
                let answer = self.verified(&made);
                self.breakpoints.of_instructions.push(made);
                answer
            });
            answers.push(made.unwrap_or_else(|reason| self.refused(&reason.0)));
        }
        self.place_breakpoints();
        json!({ "breakpoints": answers })
    }

    /// The first instruction of a line, or of the next one that has any.
    fn instruction_of_line(&self, line: u32) -> Result<usize, Refusal> {
        let subject = self.debugger.subject();
        let lines = (0..subject.instructions()).filter_map(|own| Some((subject.line(own)?, own)));
        let first = lines.filter(|(own, _)| *own >= line).min();
        first
            .map(|(_, own)| own)
            .ok_or_else(|| Refusal::from("nothing is executed here or after it"))
    }

    fn verified(&self, breakpoint: &Breakpoint) -> Value {
        let mut answer = json!({
            "id": breakpoint.id,
            "verified": true,
            "source": self.source(),
            "instructionReference": self.address(breakpoint.instruction),
        });
        if let Some(line) = self.debugger.subject().line(breakpoint.instruction) {
            answer["line"] = line.into();
        }
        answer
    }

    fn refused(&mut self, reason: &str) -> Value {
        json!({ "id": self.breakpoints.next(), "verified": false, "message": reason, "reason": "failed" })
    }

    fn place_breakpoints(&mut self) {
        let Breakpoints { of_source, of_instructions, .. } = &self.breakpoints;
        let mut all: Vec<Breakpoint> = of_source.iter().chain(of_instructions).cloned().collect();
        // Those that stay go on counting.
        for breakpoint in &mut all {
            let before = self.debugger.breakpoints.iter().find(|it| it.id == breakpoint.id);
            breakpoint.hits = before.map_or(0, |before| before.hits);
        }
        self.debugger.breakpoints = all;
    }

    pub(crate) fn breakpoint_locations(&self, arguments: &BreakpointLocations) -> Value {
        let end = arguments.end_line.unwrap_or(arguments.line);
        let subject = self.debugger.subject();
        let lines = (0..subject.instructions()).filter_map(|own| subject.line(own));
        let mut lines: Vec<u32> =
            lines.filter(|line| (arguments.line..=end).contains(line)).collect();
        lines.sort_unstable();
        lines.dedup();
        let places: Vec<Value> = lines.into_iter().map(|line| json!({ "line": line })).collect();
        json!({ "breakpoints": places })
    }

    pub(crate) fn data_breakpoint_info(
        &mut self,
        arguments: &DataBreakpointInfo,
    ) -> Result<Value, Refusal> {
        let thread = match arguments.variables_reference.and_then(|it| it.checked_sub(1)) {
            Some(place) => self.containers.get(place).map_or(0, |it| it.thread()),
            None => self.thread_of_frame(arguments.frame_id)?,
        };
        let name = &arguments.name;
        let expression = Expression::parse(name);
        let value = expression.and_then(|it| self.debugger.evaluate(&it, thread, self.lane));
        Ok(match value {
            Ok(_) => json!({
                "dataId": format!("{}:{name}", thread + 1),
                "description": format!("{name} changes"),
                "accessTypes": ["write"],
                "canPersist": false,
            }),
            Err(error) => json!({ "dataId": null, "description": format!("`{name}`: {error}") }),
        })
    }

    pub(crate) fn set_data_breakpoints(&mut self, arguments: &SetDataBreakpoints) -> Value {
        let mut watches = Vec::new();
        let mut answers = Vec::new();
        for wish in arguments.breakpoints.iter().take(MOST) {
            let id = self.breakpoints.next();
            let made =
                wish.data_id.split_once(':').ok_or_else(|| Refusal::from("there is no such value"));
            let made = made.and_then(|(thread, name)| {
                let thread = thread.parse().map_err(|_| "there is no such value")?;
                let thread = self.thread(thread)?;
                let expression = Expression::parse(name).map_err(|error| error.0)?;
                let condition = wish.condition.as_deref().filter(|it| !it.trim().is_empty());
                let condition = condition.map(Expression::parse).transpose();
                let condition = condition.map_err(|error| format!("the condition: {error}"))?;
                Ok(Watch { id, name: name.to_owned(), expression, thread, condition })
            });
            answers.push(match made {
                Ok(watch) => {
                    watches.push(watch);
                    json!({ "id": id, "verified": true })
                }
                Err(reason) => json!({ "id": id, "verified": false, "message": reason.0 }),
            });
        }
        self.debugger.watches = watches;
        json!({ "breakpoints": answers })
    }

    pub(crate) fn set_exception_breakpoints(
        &mut self,
        arguments: &SetExceptionBreakpoints,
    ) -> Result<Value, Refusal> {
        let options = arguments.filter_options.iter().map(|option| &option.filter_id);
        let mut events = std::collections::BTreeSet::new();
        for word in arguments.filters.iter().chain(options) {
            let kind = EventKind::ALL.into_iter().find(|kind| kind.word() == word);
            events.insert(kind.ok_or_else(|| format!("`{word}` is not a filter"))?);
        }
        self.debugger.events = events;
        Ok(Value::Null)
    }
}

/// Tells whether two paths name one file, as far as their words show it.
fn same_path(one: &str, other: &str) -> bool {
    let plain = |path: &str| path.replace('\\', "/");
    let (one, other) = (plain(one), plain(other));
    match cfg!(windows) {
        true => one.eq_ignore_ascii_case(&other),
        false => one == other,
    }
}
