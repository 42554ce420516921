//! Prints forms as constants. What several have alike stands once.

use std::collections::HashMap;

use tables::print::array;

use super::description::Description;
use super::{Chip, Form, Tables, has_float_result};
use crate::gcn::families::number_in;
use crate::plain::slot::{Role, Slot};

/// Collects forms, and prints them.
pub(crate) struct Printer<'a> {
    tables: &'a Tables<'a>,
    slots: Shared<Slot>,
    roles: Shared<(Slot, Role)>,
    data: Shared<u8>,
    /// The forms of all lists, and where each list begins.
    forms: Vec<String>,
    lists: HashMap<String, (u16, u8)>,
    /// For each dialect and set of features, for each opcode, its list.
    sets: Vec<Vec<(u16, u8)>>,
}

/// Lists of which each stands once.
struct Shared<T>(Vec<Vec<T>>);

impl<T: PartialEq + Clone> Shared<T> {
    /// Prints the place of a list among all values.
    fn list(&mut self, values: &[T]) -> String {
        let known = number_in(&mut self.0, values.to_vec());
        let start: usize = self.0[..known].iter().map(Vec::len).sum();
        format!("List {{ start: {start}, count: {} }}", values.len())
    }

    fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }
}

impl<'a> Printer<'a> {
    pub(crate) fn new(tables: &'a Tables<'a>) -> Printer<'a> {
        Printer {
            tables,
            slots: Shared(Vec::new()),
            roles: Shared(Vec::new()),
            data: Shared(Vec::new()),
            forms: Vec::new(),
            lists: HashMap::new(),
            sets: Vec::new(),
        }
    }

    /// Begins the opcodes of another dialect or set of features.
    pub(crate) fn begin_set(&mut self) {
        self.sets.push(Vec::new());
    }

    /// Adds the forms of the next opcode.
    pub(crate) fn add(&mut self, forms: &[Form], chip: &Chip<'_>) {
        let printed: Vec<String> = forms.iter().map(|form| self.form(form, chip)).collect();
        let key = printed.concat();
        let list = match self.lists.get(&key) {
            Some(list) => *list,
            None => {
                let list = (self.forms.len() as u16, printed.len() as u8);
                self.forms.extend(printed);
                self.lists.insert(key, list);
                list
            }
        };
        if let Some(set) = self.sets.last_mut() {
            set.push(list);
        }
    }

    fn form(&mut self, form: &Form, chip: &Chip<'_>) -> String {
        let row = &self.tables.operands.rows[form.row];
        let description = Description::of(form, row, chip);
        let Description { roles, data, must_mask, must_value, known, half_result } = description;
        let behaviour = self.tables.behaviours[form.op][chip.place].unwrap_or(usize::MAX);
        let Form { op, encoding, number, extension, base, words, check, reads_vcc, .. } = form;
        let (slots, roles) = (self.slots.list(&form.slots), self.roles.list(&roles));
        let data = self.data.list(&data);
        format!(
            "    InstDesc {{ opcode: {op}, encoding: {encoding:?}, number: {number}, extension: \
             {extension:?}, base: {base:#x}, words: {words}, check: Check::{check:?}, reads_vcc: \
             {reads_vcc}, float_result: {}, half_result: {half_result}, row: {}, behaviour: \
             {behaviour}, slots: {slots}, operands: {roles}, data: {data}, must_mask: \
             {must_mask:#x}, must_value: {must_value:#x}, known: {known:#x} }},\n",
            has_float_result(row),
            form.row,
        )
    }

    /// Returns all that was collected as code.
    pub(crate) fn code(self) -> String {
        let slots: Vec<String> = self.slots.values().map(|it| slot(it) + ",\n").collect();
        let role = |(it, role): &(Slot, Role)| format!("({}, {role:?}),\n", slot(it));
        let roles: Vec<String> = self.roles.values().map(role).collect();
        let data: Vec<&u8> = self.data.values().collect();
        let sets: Vec<String> = self.sets.iter().map(|set| format!("    {set:?},\n")).collect();
        [
            array("SLOTS", "Slot", &slots),
            array("ROLES", "(Slot, Role)", &roles),
            format!("static DATA: [u8; {}] = {data:?};\n", data.len()),
            array("FORMS", "InstDesc", &self.forms),
            array("FORMS_OF", &format!("[(u16, u8); {}]", self.tables.input.ops.len()), &sets),
        ]
        .concat()
    }
}

fn slot(slot: &Slot) -> String {
    let Slot { kind, low, width, default, negate, magnitude, extend, scalar } = slot;
    format!(
        "Slot {{ kind: SlotKind::{kind:?}, low: {low}, width: {width}, default: {default:?}, negate: \
         {negate}, magnitude: {magnitude}, extend: {extend}, scalar: {scalar} }}"
    )
}
