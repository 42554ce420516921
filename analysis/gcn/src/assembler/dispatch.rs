//! Directives: what each does to the state of expansion.

use source::Severity;

use super::data;
use super::directives::{self, Action, Terminated};
use super::expand::{Expander, Here};
use super::lines::{is_word, skip_blanks};
use super::result::StatementKind;
use super::symbols::{Definition, Setting, SymbolKind};
use crate::Target;
use crate::codes;
use crate::dialect::{Dialect, settings_in, target_of_directive};
use crate::expression::Value;
use crate::target_id::Settings;

impl Expander<'_> {
    pub(super) fn directive(&mut self, here: &Here<'_>) {
        let Some(action) = directives::action(here.name(), self.dialect) else {
            return self.unknown_directive(here);
        };
        match action {
            Action::If(condition) => self.if_(condition, here),
            Action::ElseIf(condition) => self.else_if(condition, here),
            Action::Else => self.else_(here),
            Action::EndIf => self.end_if(here),
            Action::Macro => self.define_macro(here),
            Action::EndMacro => self.unmatched(here, "`.macro` before it"),
            Action::EndRepeat => self.unmatched(here, "`.rept` before it"),
            Action::ExitMacro => self.exit_macro(here),
            Action::PurgeMacro => self.purge_macro(here),
            Action::AlternateMacros(switch) => self.alternate = switch,
            Action::MacroCase(switch) => self.macro_case = switch,
            Action::Repeat
            | Action::ForEach
            | Action::ForEachLetter
            | Action::For
            | Action::While => self.repetition(action, here),
            Action::Set => self.set_directive(here, SymbolKind::Variable),
            Action::SetOnce => self.set_directive(here, SymbolKind::Constant),
            Action::SetExpression => self.set_directive(here, SymbolKind::Expression),
            Action::Undefine => self.undefine(here),
            Action::Include => self.include(here),
            Action::End => self.end(),
            Action::Error => self.user_message(here, Severity::Error),
            Action::Warning => self.user_message(here, Severity::Warning),
            Action::Fail => {
                let value = self.absolute(here, here.rest.0).map_or(0, |(value, _)| value);
                let severity = if value >= 500 { Severity::Warning } else { Severity::Error };
                self.user_message(here, severity);
            }
            Action::Section => self.section(here),
            Action::PushSection => {
                self.sections.push();
                self.section(here);
            }
            Action::PopSection => {
                if !self.sections.pop() {
                    self.unmatched(here, "`.pushsection` before it");
                }
            }
            Action::PreviousSection => self.sections.back(),
            Action::Target => self.choose_target(here),
            Action::Get => self.get(here),
            Action::OpenScope => {
                let statement = self.next_statement();
                self.out.symbols.open_scope(here.rest(), statement);
            }
            Action::CloseScope => {
                let statement = self.next_statement();
                if !self.out.symbols.close_scope(statement) {
                    self.unmatched(here, "`.scope` before it");
                }
            }
            Action::Using => {
                if !self.out.symbols.use_scope(here.rest()) {
                    let message = format!("no scope is named `{}`", here.rest());
                    let span = here.rest_span();
                    self.tell(codes::UNDEFINED_SYMBOL, Severity::Warning, span, here.node, message);
                }
            }
            Action::Unusing => self.out.symbols.stop_using(here.rest()),
            Action::RegisterVariables => self.register_variables(here),
            Action::Enumerate => self.enumerate(here),
            Action::Data(_)
            | Action::Strings(..)
            | Action::Fill
            | Action::Space
            | Action::Align
            | Action::AlignPower
            | Action::Origin
            | Action::Variable(_)
            | Action::Unsized => {
                let kind = self.data(action, here);
                self.emit(kind, here, here.whole());
            }
            Action::Block(end) => self.open_descriptor(end, here),
            Action::Text(end) => self.open_text(end, here),
            Action::KernelSymbol => self.kernel_symbol(here),
            Action::Kernel => self.open_kernel(here),
            Action::Main => self.enter_kernel(None),
            Action::Config => self.open_config(here),
            Action::Note => {
                if !self.field(here) {
                    // Before any kernel such directives describe the whole file.
                    self.emit(StatementKind::Directive, here, here.whole());
                }
            }
        }
    }

    fn unknown_directive(&mut self, here: &Here<'_>) {
        if self.field(here) {
            return;
        }
        let (name, span) = (here.name(), here.name_span());
        if !self.is_news(codes::UNKNOWN_DIRECTIVE, span) {
            return self.emit(StatementKind::Directive, here, here.whole());
        }
        let other = self.dialect.other();
        let mut compared = 0;
        let message = if directives::action(name, other).is_some() {
            format!("`{name}` is a directive of the {} dialect", other.name())
        } else {
            let known = directives::names(self.dialect).inspect(|_| compared += 1);
            match source::closest_match(name, known) {
                Some(near) => format!("`{name}` is not a known directive; `{near}` is"),
                None => format!("`{name}` is not a known directive or macro"),
            }
        };
        self.work(compared);
        self.tell(codes::UNKNOWN_DIRECTIVE, Severity::Hint, span, here.node, message);
        self.emit(StatementKind::Directive, here, here.whole());
    }

    /// `.set name, value`.
    fn set_directive(&mut self, here: &Here<'_>, kind: SymbolKind) {
        let rest = here.rest();
        let length = super::lines::end_of_name(rest, 0, self.dialect);
        // A path of scopes may begin with its separator.
        let length = if length == 0 { rest.find(',').unwrap_or(0) } else { length };
        let comma = skip_blanks(rest.as_bytes(), length);
        if length == 0 || rest.as_bytes().get(comma) != Some(&b',') {
            let message = "`name, value` was expected";
            return self.error(codes::DIRECTIVE, here, here.whole(), message);
        }
        let value = here.rest.0 + skip_blanks(rest.as_bytes(), comma + 1);
        let name = (here.rest.0, here.rest.0 + rest[..length].trim_ascii_end().len());
        self.set(here, name, value, kind);
    }

    /// `name = value`; within a descriptor that is a field.
    pub(super) fn assignment(&mut self, here: &Here<'_>) {
        if here.name() == "." {
            return self.emit(StatementKind::Moved, here, here.whole());
        }
        if self.code_field(here) {
            return;
        }
        self.set(here, here.name, here.rest.0, SymbolKind::Variable);
    }

    fn undefine(&mut self, here: &Here<'_>) {
        if let Some(id) = self.out.symbols.find(here.rest()) {
            let statement = self.next_statement();
            let setting = Setting { statement, value: Value::Undefined, expression: None };
            self.out.symbols.set(id, setting, None);
        }
    }

    fn user_message(&mut self, here: &Here<'_>, severity: Severity) {
        let text = here.rest().trim_matches('"');
        let name = here.name();
        let message = if text.is_empty() { format!("`{name}` was met") } else { text.to_owned() };
        let severity = match self.is_guess() || self.lacks_name() {
            true => Severity::Hint,
            false => severity,
        };
        let code = match severity {
            Severity::Error => codes::USER_ERROR,
            _ => codes::USER_WARNING,
        };
        self.tell(code, severity, here.whole(), here.node, message);
    }

    fn section(&mut self, here: &Here<'_>) {
        let rest = here.rest();
        let named = here.name().len() > ".section".len() && here.name().ends_with("section");
        let name = if here.name().eq_ignore_ascii_case(".section") || named {
            rest.split([',', ' ', '\t']).next().unwrap_or_default().trim_matches('"')
        } else {
            here.name()
        };
        if name.is_empty() {
            let message = "the name of a section was expected";
            return self.error(codes::DIRECTIVE, here, here.whole(), message);
        }
        let kernel = self.kernel;
        self.sections.open(name, kernel);
        self.end_of_config();
        self.emit(StatementKind::Directive, here, here.whole());
    }

    fn choose_target(&mut self, here: &Here<'_>) {
        let code = &here.line[here.name.0..here.rest.1];
        match target_of_directive(code) {
            Some(Ok(target)) => {
                self.out.target = Some((target, here.whole()));
                self.out.unsupported = None;
                self.choose_settings(target, code, here);
                if target.is_former_name() {
                    let (name, today) = (target.name(), target.processor());
                    let message = format!(
                        "{name} is {today} today: LLVM after version 19 knows no {name}, and the \
                         code is the same"
                    );
                    self.tell(
                        codes::TARGET_ID,
                        Severity::Hint,
                        here.rest_span(),
                        here.node,
                        message,
                    );
                }
            }
            Some(Err(unsupported)) => {
                let (span, message) = (here.rest_span(), unsupported.sentence());
                self.tell(codes::UNKNOWN_TARGET, Severity::Warning, span, here.node, message);
                self.out.unsupported = Some(unsupported);
            }
            None if here.rest().is_empty() => {}
            None => {
                let message = format!("`{}` is not a known chip", here.rest());
                let span = here.rest_span();
                self.tell(codes::UNKNOWN_TARGET, Severity::Hint, span, here.node, message);
            }
        }
        self.emit(StatementKind::Directive, here, here.whole());
    }

    /// Reads the settings of a target id.
    fn choose_settings(&mut self, target: Target, code: &str, here: &Here<'_>) {
        // Up to LLVM 12 the settings that are on stood behind the name: `gfx906+xnack`.
        let settings = settings_in(code).filter(|it| !it.starts_with('+')).unwrap_or_default();
        match Settings::parse(settings, target) {
            Ok(settings) => self.out.settings = settings,
            Err(wrong) => {
                self.out.settings = Settings::default();
                self.error(codes::TARGET_ID, here, here.rest_span(), wrong.to_string());
            }
        }
    }

    /// `.get_arch symbol` and the like.
    fn get(&mut self, here: &Here<'_>) {
        let target = self.target();
        let name = here.rest();
        if name.is_empty() || !name.bytes().all(|byte| is_word(byte) || byte == b':') {
            return self.error(codes::DIRECTIVE, here, here.whole(), "a symbol was expected");
        }
        let number = match (here.name().to_ascii_lowercase().as_str(), target) {
            (".get_arch", Some(target)) => target.generation() as i64,
            (".get_64bit", _) => 1,
            _ => {
                // It depends on the assembler: a symbol of unknown value.
                let id = self.out.symbols.define(name, SymbolKind::Variable);
                let statement = self.next_statement();
                let setting = Setting { statement, value: Value::Unknown, expression: None };
                let definition = Definition { span: here.rest_span(), node: here.node };
                return self.out.symbols.set(id, setting, Some(definition));
            }
        };
        self.set_number(name, number, here.rest_span(), here.node);
    }

    /// `.enum >first, name, …`: symbols with consecutive numbers. Each scope counts on
    /// from where it left off.
    fn enumerate(&mut self, here: &Here<'_>) {
        let rest = here.rest();
        let scope = self.out.symbols.scope;
        let mut next = self.enumerations.get(&scope).copied().unwrap_or(0);
        let mut from = here.rest.0;
        for item in rest.split(',') {
            let start = from + item.len() - item.trim_ascii_start().len();
            from += item.len() + 1;
            let item = item.trim_ascii();
            if item.starts_with('>') {
                match self.evaluate(&here.line[..start + item.len()], start + 1) {
                    Ok((Value::Absolute(value), _)) => next = value,
                    Ok(_) => return,
                    Err(wrong) => return self.report_expression_error(here, &wrong),
                }
                continue;
            }
            let span = here.span(start, start + item.len());
            let begins = item.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
            if !begins || !item.bytes().all(is_word) {
                let message = "the name of a symbol, or `>` and a number, was expected";
                return self.error(codes::DIRECTIVE, here, span, message);
            }
            self.set_number(item, next, span, here.node);
            next = next.wrapping_add(1);
        }
        self.enumerations.insert(scope, next);
    }

    /// `.regvar name:v:4, …`.
    fn register_variables(&mut self, here: &Here<'_>) {
        let rest = here.rest();
        let mut from = here.rest.0;
        for item in rest.split(',') {
            let start = from + item.len() - item.trim_ascii_start().len();
            from += item.len() + 1;
            let item = item.trim_ascii();
            let (name, registers) = item.split_once(':').unwrap_or((item, ""));
            let name = name.trim_ascii_end();
            if name.is_empty() || registers.is_empty() {
                let message = "`name:kind:count` was expected";
                return self.error(codes::DIRECTIVE, here, here.whole(), message);
            }
            let span = here.span(start, start + name.len());
            self.set_registers(name, registers, span, here.node);
        }
    }

    /// Returns the data that a directive puts into the section.
    fn data(&mut self, action: Action, here: &Here<'_>) -> StatementKind {
        let rest = here.rest();
        match action {
            Action::Data(size) => {
                self.check_values(size, here);
                sized(Some(u64::from(size) * data::items(rest).count() as u64))
            }
            Action::Strings(width, terminated) => {
                let zero = u64::from(terminated == Terminated::Yes);
                // LLVM ends each string with a zero, CLRX the whole.
                let (each, all) = match self.dialect {
                    Dialect::Llvm => (zero, 0),
                    Dialect::Clrx => (0, zero),
                };
                let letters = |inside| data::unescaped(inside).count() as u64 + each;
                let letters: u64 = super::blocks::strings(rest).map(letters).sum();
                sized(Some(u64::from(width) * (letters + all)))
            }
            Action::Fill => {
                let values = self.list(here);
                let size = values.get(1).copied().unwrap_or(Some(1));
                let bytes = values.first().copied().flatten().zip(size);
                sized(bytes.and_then(|(count, size)| count.checked_mul(size.clamp(0, 8))))
            }
            Action::Space => sized(self.list(here).first().copied().flatten()),
            Action::Align | Action::AlignPower => {
                let value = self.list(here).first().copied().flatten();
                let to = match (action, value.map(u32::try_from)) {
                    (Action::AlignPower, Some(Ok(power))) if power < 32 => Some(1 << power),
                    (Action::Align, Some(Ok(to))) if to.is_power_of_two() => Some(to),
                    _ => None,
                };
                to.map_or(StatementKind::Moved, StatementKind::Align)
            }
            Action::Origin => {
                let to = self.list(here).first().copied().flatten();
                let to = to.and_then(|to| u32::try_from(to).ok());
                to.map_or(StatementKind::Moved, StatementKind::Origin)
            }
            Action::Variable(sign) => {
                let lengths = self.list(here).into_iter();
                let lengths =
                    lengths.map(|it| Some(data::variable_length(it?, sign).count() as u64));
                sized(lengths.sum::<Option<u64>>())
            }
            _ => StatementKind::Data(None),
        }
    }

    /// Tells numbers that do not fit into so many bytes. LLVM refuses them, CLRX
    /// cuts them and says so. What only becomes known later is cut by both.
    fn check_values(&mut self, size: u32, here: &Here<'_>) {
        let name = here.name().to_ascii_lowercase();
        if !(1..8).contains(&size) || matches!(name.as_str(), ".float" | ".single" | ".half") {
            return;
        }
        let bits = 8 * size;
        let (lowest, highest) = (-1_i64 << (bits - 1), (1_i64 << bits) - 1);
        let severity = match self.dialect {
            Dialect::Llvm => Severity::Error,
            Dialect::Clrx => Severity::Warning,
        };
        for item in data::items(here.rest()) {
            let Some((value, _)) = self.number(item, 0) else { continue };
            if !(lowest..=highest).contains(&value) {
                let from = item.as_ptr() as usize - here.line.as_ptr() as usize;
                let span = here.span(from, from + item.len());
                let message = format!("{value} does not fit into the {bits} bits of `{name}`");
                self.tell(codes::RANGE, severity, span, here.node, message);
            }
        }
    }

    /// The values of expressions with commas between; `None` for what is not known.
    fn list(&mut self, here: &Here<'_>) -> Vec<Option<i64>> {
        let text = here.rest();
        let mut values = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let (value, end) = self.evaluate(text, at).unwrap_or((Value::Unknown, at));
            values.push(value.absolute());
            match text[end..].find(',') {
                Some(comma) => at = end + comma + 1,
                None => break,
            }
        }
        values
    }
}

/// Data of so many bytes. What would not fit into any address space of the chip is
/// of unknown size.
fn sized(bytes: Option<impl TryInto<u32>>) -> StatementKind {
    StatementKind::Data(bytes.and_then(|bytes| bytes.try_into().ok()))
}
