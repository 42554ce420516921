//! Machine code and memory: addresses that stay the same for the whole session.

use std::io::Write;

use debugger::Subject;
use serde_json::{Value, json};

use crate::arguments::{Disassemble, ReadMemory};
use crate::base64;
use crate::refusal::Refusal;
use crate::running::Running;

/// The address of the first instruction: what is shown before it has addresses too.
const FIRST: u64 = 1 << 20;
/// The distance of addresses where there is no instruction.
const STEP: u64 = 4;
/// Instructions of an answer, at most.
const MOST_INSTRUCTIONS: usize = 1 << 14;
/// Bytes of an answer, at most.
const MOST_BYTES: usize = 1 << 20;

impl<S: Subject, W: Write> Running<'_, S, W> {
    /// The address of an instruction.
    pub(crate) fn address(&self, instruction: usize) -> String {
        format!("{:#x}", self.address_of(instruction))
    }

    fn address_of(&self, instruction: usize) -> u64 {
        let subject = self.debugger.subject();
        let count = subject.instructions();
        match instruction < count {
            true => FIRST + STEP * self.scaled(subject.address(instruction)),
            false => {
                let last = count.checked_sub(1).map_or(0, |last| subject.address(last));
                FIRST + STEP * (self.scaled(last) + (instruction - count) as u64 + 4)
            }
        }
    }

    /// An address in units of [`STEP`]: machine code counts bytes, statements are numbered.
    fn scaled(&self, address: u64) -> u64 {
        let subject = self.debugger.subject();
        let has_bytes = !subject.bytes_of(subject.listing().start).is_empty();
        if has_bytes { address / STEP } else { address }
    }

    pub(crate) fn parse_address(&self, text: &str) -> Option<u64> {
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// The instruction that begins at an address.
    pub(crate) fn instruction_at(&self, address: u64) -> Option<usize> {
        let count = self.debugger.subject().listing().end;
        let place = self.first_from(address);
        (place < count && self.address_of(place) == address).then_some(place)
    }

    /// The first instruction at an address or behind it.
    fn first_from(&self, address: u64) -> usize {
        let std::ops::Range { start: mut low, end: mut high } = self.debugger.subject().listing();
        while low < high {
            let middle = low + (high - low) / 2;
            match self.address_of(middle) < address {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// Exactly as many instructions as are asked for: what lies outside is marked as invalid.
    pub(crate) fn disassemble(&mut self, arguments: &Disassemble) -> Result<Value, Refusal> {
        if arguments.instruction_count > MOST_INSTRUCTIONS {
            return Err(format!("more than {MOST_INSTRUCTIONS} instructions at once").into());
        }
        let address = self.parse_address(&arguments.memory_reference);
        let address = address.and_then(|it| it.checked_add_signed(arguments.offset));
        let address = address.ok_or("the address is none")?;
        let subject = self.debugger.subject();
        let listing = subject.listing();
        let (start, count) = (listing.start as i64, listing.end as i64);
        let end = self.address_of(count as usize);
        // Places outside are counted on, so that each has its own address.
        let base = match address {
            before if before < FIRST => start - ((FIRST - before) / STEP) as i64,
            behind if behind >= end => count + ((behind - end) / STEP) as i64,
            within => self.first_from(within) as i64,
        };
        let first = base.saturating_add(arguments.instruction_offset);
        let mut instructions = Vec::with_capacity(arguments.instruction_count);
        for place in 0..arguments.instruction_count as i64 {
            let own = first.saturating_add(place);
            if !(start..count).contains(&own) {
                let address = match own < start {
                    true => FIRST.saturating_sub(STEP * (start - own).unsigned_abs()),
                    false => self.address_of(own as usize),
                };
                instructions.push(json!({
                    "address": format!("{address:#x}"),
                    "instruction": "",
                    "presentationHint": "invalid",
                }));
                continue;
            }
            let own = own as usize;
            let mut shown = json!({
                "address": self.address(own),
                "instruction": subject.text(own),
            });
            let bytes = subject.bytes_of(own);
            if !bytes.is_empty() {
                shown["instructionBytes"] = bytes.into();
            }
            if let Some(line) = subject.line(own) {
                shown["location"] = self.source();
                shown["line"] = line.into();
            }
            instructions.push(shown);
        }
        Ok(json!({ "instructions": instructions }))
    }

    pub(crate) fn read_memory(&mut self, arguments: &ReadMemory) -> Result<Value, Refusal> {
        if arguments.count > MOST_BYTES {
            return Err(format!("more than {MOST_BYTES} bytes at once").into());
        }
        let address = self.parse_address(&arguments.memory_reference);
        let address = address.and_then(|it| it.checked_add_signed(arguments.offset));
        let address = address.ok_or("the address is none")?;
        let bytes = self.debugger.subject().memory(address, arguments.count);
        let mut body = json!({ "address": format!("{address:#x}") });
        if bytes.len() < arguments.count {
            body["unreadableBytes"] = (arguments.count - bytes.len()).into();
        }
        body["data"] = base64::encode(&bytes).into();
        Ok(body)
    }
}
