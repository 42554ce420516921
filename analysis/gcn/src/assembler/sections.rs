//! Sections: which is open, and how the text moves between them.

use rustc_hash::FxHashMap;

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name: `.text`.
    pub name: Box<str>,
    /// The CLRX kernel it belongs to, by index.
    pub kernel: Option<u32>,
}

/// All sections and the open one.
#[derive(Debug)]
pub(super) struct Sections {
    pub(super) sections: Vec<Section>,
    names: FxHashMap<(Option<u32>, Box<str>), u32>,
    pub(super) current: u32,
    previous: u32,
    stack: Vec<(u32, u32)>,
}

impl Default for Sections {
    fn default() -> Sections {
        let text = Section { name: ".text".into(), kernel: None };
        let names = FxHashMap::from_iter([((None, text.name.clone()), 0)]);
        Sections { sections: vec![text], names, current: 0, previous: 0, stack: Vec::new() }
    }
}

/// Pushed sections that are remembered.
const STACK_LIMIT: usize = 10_000;

impl Sections {
    /// Opens the section of this name, of a kernel or of the whole.
    pub(super) fn open(&mut self, name: &str, kernel: Option<u32>) {
        let key = (kernel, Box::from(name));
        let next = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        let sections = &mut self.sections;
        let index = *self.names.entry(key).or_insert_with_key(|(_, name)| {
            sections.push(Section { name: name.clone(), kernel });
            next
        });
        self.previous = self.current;
        self.current = index;
    }

    pub(super) fn push(&mut self) {
        if self.stack.len() < STACK_LIMIT {
            self.stack.push((self.current, self.previous));
        }
    }

    /// Goes back to what was open before the last push; false where there was none.
    pub(super) fn pop(&mut self) -> bool {
        match self.stack.pop() {
            Some((current, previous)) => {
                (self.current, self.previous) = (current, previous);
                true
            }
            None => false,
        }
    }

    pub(super) fn back(&mut self) {
        std::mem::swap(&mut self.current, &mut self.previous);
    }
}
