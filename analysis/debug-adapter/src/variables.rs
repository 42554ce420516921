//! Scopes and variables: what stands still is read once, and named by numbers until the run
//! moves.

use std::io::Write;
use std::rc::Rc;

use debugger::expression::{Expression, Value as ExpressionValue};
use debugger::{Bits, Origins, Subject, Variable, display};
use serde_json::{Value, json};

use crate::arguments::{Evaluate, Scopes, SetVariable, Variables};
use crate::origins::question;
use crate::refusal::Refusal;
use crate::running::Running;
use crate::show;

/// The meaning of a reference of variables.
pub(crate) enum Container {
    /// The lane that the client looks at.
    Focus { thread: usize },
    /// Variables of a thread.
    Variables { thread: usize, variables: Vec<Variable> },
    /// The lanes of a variable.
    Lanes { thread: usize, words: Vec<u32> },
    /// The lanes of an expression.
    Values { thread: usize, values: Vec<String> },
    /// Values with what they were made from.
    Origins { thread: usize, origins: Rc<Origins>, values: Vec<usize> },
}

impl Container {
    /// The thread that its values are of.
    pub(crate) fn thread(&self) -> usize {
        match self {
            Container::Focus { thread }
            | Container::Variables { thread, .. }
            | Container::Lanes { thread, .. }
            | Container::Values { thread, .. }
            | Container::Origins { thread, .. } => *thread,
        }
    }
}

/// References that are given until the run moves, at most.
const MOST_REFERENCES: usize = 1 << 16;
/// Variables of one answer, at most.
const MOST_VARIABLES: usize = 4096;

impl<S: Subject, W: Write> Running<'_, S, W> {
    pub(crate) fn reference(&mut self, container: Container) -> usize {
        if self.containers.len() >= MOST_REFERENCES {
            return 0;
        }
        self.containers.push(container);
        self.containers.len()
    }

    pub(crate) fn scopes(&mut self, arguments: &Scopes) -> Result<Value, Refusal> {
        let thread = self.thread_of_frame(Some(arguments.frame_id))?;
        let focus = self.reference(Container::Focus { thread });
        let mut scopes = vec![json!({
            "name": "Focus", "variablesReference": focus, "expensive": false,
        })];
        let mut all = self.debugger.subject().scopes(thread);
        if Self::is_beneath(arguments.frame_id) {
            all.sort_by_key(|scope| !scope.registers);
        }
        for scope in all {
            let count = scope.variables.len();
            let variables = scope.variables;
            let reference = self.reference(Container::Variables { thread, variables });
            let mut shown = json!({
                "name": scope.name,
                "variablesReference": reference,
                "namedVariables": count,
                "expensive": false,
            });
            if scope.registers {
                shown["presentationHint"] = "registers".into();
            }
            scopes.push(shown);
        }
        Ok(json!({ "scopes": scopes }))
    }

    pub(crate) fn variables(&mut self, arguments: &Variables) -> Result<Value, Refusal> {
        let place = arguments.variables_reference.checked_sub(1);
        let place = place.filter(|place| *place < self.containers.len());
        let place = place.ok_or("these variables are of a moment that has passed")?;
        let start = arguments.start.unwrap_or(0);
        let count = match arguments.count {
            None | Some(0) => MOST_VARIABLES,
            Some(count) => count.min(MOST_VARIABLES),
        };
        let lane_name =
            |own: &Self, thread: usize, lane: usize| own.debugger.subject().lane_name(thread, lane);
        let shown: Vec<Value> = match &self.containers[place] {
            Container::Focus { thread } => self.focus(*thread),
            Container::Lanes { thread, words } => {
                let own = words.get(self.lane).copied().unwrap_or(0);
                let active = self.debugger.subject().active(*thread);
                let lanes = words.iter().enumerate().skip(start).take(count);
                let shown = lanes.map(|(lane, bits)| {
                    let mark = match (active >> lane & 1 == 1, *bits == own) {
                        (false, _) => " (inactive)",
                        (true, false) => " (differs)",
                        (true, true) => "",
                    };
                    leaf(
                        &lane_name(self, *thread, lane),
                        format!("{}{mark}", show::every_way(*bits)),
                    )
                });
                shown.collect()
            }
            Container::Values { thread, values } => {
                let lanes = values.iter().enumerate().skip(start).take(count);
                lanes
                    .map(|(lane, value)| leaf(&lane_name(self, *thread, lane), value.clone()))
                    .collect()
            }
            Container::Origins { thread, origins, values } => {
                let (thread, origins) = (*thread, origins.clone());
                let values: Vec<usize> = values.iter().skip(start).take(count).copied().collect();
                self.origin_variables(thread, &origins, &values)
            }
            Container::Variables { thread, variables } => {
                let thread = *thread;
                let variables: Vec<Variable> =
                    variables.iter().skip(start).take(count).cloned().collect();
                variables.into_iter().map(|it| self.variable(thread, it)).collect()
            }
        };
        Ok(json!({ "variables": shown }))
    }

    fn focus(&self, thread: usize) -> Vec<Value> {
        let subject = self.debugger.subject();
        let active = show::mask(subject.active(thread), subject.lanes());
        let recording = self.debugger.recording();
        let mut lane =
            leaf("lane", format!("{} | {}", self.lane, subject.lane_name(thread, self.lane)));
        lane["presentationHint"] = json!({ "kind": "property" });
        vec![
            lane,
            leaf("active lanes", active),
            leaf("step", recording.position().to_string()),
            leaf("thread", subject.thread_name(thread)),
        ]
    }

    fn variable(&mut self, thread: usize, variable: Variable) -> Value {
        let subject = self.debugger.subject();
        let active = subject.active(thread);
        let memories = match variable.bits {
            Bits::Parts => subject.memories(),
            Bits::Word(_) | Bits::Mask { .. } | Bits::Lanes(_) | Bits::Said(..) => Vec::new(),
        };
        let memory = memories.iter().find(|(name, ..)| *name == variable.name);
        let memory = memory.map(|(_, address, _)| format!("{address:#x}"));
        let value = match &variable.bits {
            Bits::Parts if variable.parts.iter().any(|part| part.bits == Bits::Parts) => {
                format!("{} of them", variable.parts.len())
            }
            // A vector in one line: the value of each component in the lane.
            Bits::Parts => {
                let parts = variable.parts.iter().take(4).map(|part| match &part.bits {
                    Bits::Lanes(words) => show::word(words.get(self.lane).copied().unwrap_or(0)),
                    Bits::Word(bits) => show::word(*bits),
                    Bits::Mask { .. } | Bits::Said(..) | Bits::Parts => String::new(),
                });
                let shown = parts.collect::<Vec<_>>().join(", ");
                let more = if variable.parts.len() > 4 { ", …" } else { "" };
                format!("({shown}{more})")
            }
            bits => show::bits(bits, self.lane, active),
        };
        let mut shown = leaf(&variable.name, value);
        // An operation under way has a line in place of a name.
        if !matches!(variable.bits, Bits::Said(..)) || !variable.name.contains(' ') {
            shown["evaluateName"] = variable.name.clone().into();
        }
        if let Some(memory) = memory {
            shown["memoryReference"] = memory.into();
        }
        let inner = match variable.bits {
            Bits::Lanes(words) => {
                shown["indexedVariables"] = words.len().into();
                Some(Container::Lanes { thread, words })
            }
            Bits::Parts => {
                shown["namedVariables"] = variable.parts.len().into();
                Some(Container::Variables { thread, variables: variable.parts })
            }
            Bits::Said(..) if !variable.parts.is_empty() => {
                shown["namedVariables"] = variable.parts.len().into();
                Some(Container::Variables { thread, variables: variable.parts })
            }
            Bits::Word(_) | Bits::Mask { .. } | Bits::Said(..) => None,
        };
        if let Some(inner) = inner {
            shown["variablesReference"] = self.reference(inner).into();
        }
        shown
    }

    pub(crate) fn set_variable(&mut self, arguments: &SetVariable) -> Result<Value, Refusal> {
        if arguments.name != "lane" {
            return Err(format!(
                "`{}` is kept: a recorded run goes backwards only if nobody changes it; `lane` \
                 can be set",
                arguments.name
            )
            .into());
        }
        self.choose_lane(&arguments.value)?;
        Ok(json!({ "value": self.lane.to_string() }))
    }

    /// Chooses the lane that values are shown of.
    fn choose_lane(&mut self, text: &str) -> Result<(), Refusal> {
        let lanes = self.debugger.subject().lanes();
        let number = text.split('|').next().unwrap_or(text).trim().parse::<usize>().ok();
        self.lane = number
            .filter(|lane| *lane < lanes)
            .ok_or_else(|| format!("`{text}`: a lane from 0 to {} is expected", lanes - 1))?;
        self.client.event("invalidated", json!({ "areas": ["variables"] }));
        Ok(())
    }

    pub(crate) fn evaluate(&mut self, arguments: &Evaluate) -> Result<Value, Refusal> {
        let thread = self.thread_of_frame(arguments.frame_id)?;
        if arguments.context.as_deref() == Some("repl")
            && let Some(lane) = arguments.expression.trim().strip_prefix("lane ")
        {
            self.choose_lane(lane)?;
            let name = self.debugger.subject().lane_name(thread, self.lane);
            return Ok(json!({ "result": name, "variablesReference": 0 }));
        }
        if arguments.context.as_deref() == Some("repl")
            && let Some((follow, about)) = question(arguments.expression.trim())
        {
            return self.answer_question(follow, about, thread);
        }
        if arguments.context.as_deref() == Some("repl")
            && let Some(about) = arguments.expression.trim().strip_prefix("row ")
        {
            return self.row(about, thread);
        }
        let expression = Expression::parse(&arguments.expression)?;
        let value = self.debugger.evaluate(&expression, thread, self.lane)?;
        let lanes = 0..self.debugger.subject().lanes();
        let values: Vec<String> = lanes
            .map(|lane| match self.debugger.evaluate(&expression, thread, lane) {
                Ok(value) => display(&value),
                Err(error) => error.0,
            })
            .collect();
        let own = match &value {
            ExpressionValue::Bits(bits, _) => show::every_way(*bits),
            other => display(other),
        };
        let is_same = values.windows(2).all(|pair| pair[0] == pair[1]);
        let reference = match is_same {
            true => 0,
            false => self.reference(Container::Values { thread, values }),
        };
        let result = if is_same { own } else { format!("{own} | lanes differ") };
        Ok(json!({ "result": result, "variablesReference": reference }))
    }
}

impl<S: Subject, W: Write> Running<'_, S, W> {
    /// The values of an expression in all lanes, in a row.
    fn row(&self, about: &str, thread: usize) -> Result<Value, Refusal> {
        let expression = Expression::parse(about)?;
        let subject = self.debugger.subject();
        let values = (0..subject.lanes()).map(|lane| {
            match self.debugger.evaluate(&expression, thread, lane) {
                Ok(ExpressionValue::Bits(bits, _)) => show::word(bits),
                Ok(value) => display(&value),
                Err(error) => error.0,
            }
        });
        let values: Vec<String> = values.collect();
        let row = show::row(&values, self.lane, subject.active(thread));
        Ok(json!({ "result": row, "variablesReference": 0 }))
    }
}

fn leaf(name: &str, value: String) -> Value {
    json!({ "name": name, "value": value, "variablesReference": 0 })
}
