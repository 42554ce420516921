//! Compute shaders as SPIR-V, each of which wants much of one resource.

use std::collections::BTreeMap;

/// The resources that a shader needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    /// Invocations of a workgroup.
    pub(super) invocations: u32,
    /// Values of an invocation that live over a barrier.
    pub(super) values: u32,
    /// Values that all invocations share and that live over it as well, in fours.
    pub(super) shared_fours: u32,
    /// Bytes of local data share.
    pub(super) lds: u32,
    /// Words of an array whose place nobody knows before it runs.
    pub(super) array: u32,
}

const LITTLE: Needs = Needs { invocations: 64, values: 1, shared_fours: 0, lds: 0, array: 0 };

/// Returns every shader of the family.
pub(super) fn family() -> Vec<Needs> {
    let values = [1, 12, 18, 22, 26, 30, 34, 42, 58, 76, 118, 140, 220];
    let values = values.map(|values| Needs { values, ..LITTLE });
    let shared = [6, 9, 11, 13, 16, 18, 22];
    let shared = shared.map(|shared_fours| Needs { shared_fours, ..LITTLE });
    let groups = [128, 192, 256, 512, 1024].map(|invocations| Needs { invocations, ..LITTLE });
    let lds = [
        (64, 4),
        (64, 700),
        (64, 1600),
        (64, 4000),
        (64, 32768),
        (128, 2048),
        (128, 9000),
        (192, 12000),
        (256, 8192),
        (256, 16384),
        (256, 40000),
        (512, 20000),
        (1024, 6000),
        (1024, 24000),
        (1024, 32768),
        (1024, 65536),
    ];
    let lds = lds.map(|(invocations, lds)| Needs { invocations, lds, ..LITTLE });
    let several = [
        Needs { invocations: 256, values: 40, lds: 8192, ..LITTLE },
        Needs { invocations: 1024, values: 100, ..LITTLE },
        Needs { array: 100, ..LITTLE },
        Needs { array: 1000, shared_fours: 12, values: 20, ..LITTLE },
    ];
    values.into_iter().chain(shared).chain(groups).chain(lds).chain(several).collect()
}

/// Operations, by their numbers in the specification.
mod op {
    pub(super) const MEMORY_MODEL: u32 = 14;
    pub(super) const ENTRY_POINT: u32 = 15;
    pub(super) const EXECUTION_MODE: u32 = 16;
    pub(super) const CAPABILITY: u32 = 17;
    pub(super) const TYPE_VOID: u32 = 19;
    pub(super) const TYPE_INT: u32 = 21;
    pub(super) const TYPE_VECTOR: u32 = 23;
    pub(super) const TYPE_ARRAY: u32 = 28;
    pub(super) const TYPE_RUNTIME_ARRAY: u32 = 29;
    pub(super) const TYPE_STRUCT: u32 = 30;
    pub(super) const TYPE_POINTER: u32 = 32;
    pub(super) const TYPE_FUNCTION: u32 = 33;
    pub(super) const CONSTANT: u32 = 43;
    pub(super) const FUNCTION: u32 = 54;
    pub(super) const FUNCTION_END: u32 = 56;
    pub(super) const VARIABLE: u32 = 59;
    pub(super) const LOAD: u32 = 61;
    pub(super) const STORE: u32 = 62;
    pub(super) const ACCESS_CHAIN: u32 = 65;
    pub(super) const DECORATE: u32 = 71;
    pub(super) const MEMBER_DECORATE: u32 = 72;
    pub(super) const COMPOSITE_EXTRACT: u32 = 81;
    pub(super) const ADD: u32 = 128;
    pub(super) const MULTIPLY: u32 = 132;
    pub(super) const XOR: u32 = 198;
    pub(super) const CONTROL_BARRIER: u32 = 224;
    pub(super) const LABEL: u32 = 248;
    pub(super) const RETURN: u32 = 253;
}

/// Storage classes.
const INPUT: u32 = 1;
const UNIFORM: u32 = 2;
const WORKGROUP: u32 = 4;
const FUNCTION: u32 = 7;
const STORAGE_BUFFER: u32 = 12;

/// A module under construction, in the order that the specification wants.
#[derive(Default)]
struct Module {
    head: Vec<u32>,
    declarations: Vec<u32>,
    code: Vec<u32>,
    constants: BTreeMap<u32, u32>,
    ids: u32,
}

fn put(section: &mut Vec<u32>, op: u32, operands: &[u32]) {
    section.push((operands.len() as u32 + 1) << 16 | op);
    section.extend(operands);
}

impl Module {
    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    /// Declares a type.
    fn kind(&mut self, op: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        put(&mut self.declarations, op, &[&[id], operands].concat());
        id
    }

    /// Declares a global variable and the type of its pointer.
    fn global(&mut self, class: u32, kind: u32) -> u32 {
        let pointer = self.kind(op::TYPE_POINTER, &[class, kind]);
        let id = self.id();
        put(&mut self.declarations, op::VARIABLE, &[pointer, id, class]);
        id
    }

    /// Declares a buffer: a block with an array of elements of so many bytes.
    fn buffer(&mut self, class: u32, array: u32, stride: u32, binding: u32) -> u32 {
        let block = self.kind(op::TYPE_STRUCT, &[array]);
        let buffer = self.global(class, block);
        put(&mut self.head, op::DECORATE, &[array, 6, stride]);
        put(&mut self.head, op::DECORATE, &[block, 2]);
        put(&mut self.head, op::MEMBER_DECORATE, &[block, 0, 35, 0]);
        put(&mut self.head, op::DECORATE, &[buffer, 34, 0]);
        put(&mut self.head, op::DECORATE, &[buffer, 33, binding]);
        buffer
    }

    fn constant(&mut self, word: u32, value: u32) -> u32 {
        if let Some(id) = self.constants.get(&value) {
            return *id;
        }
        let id = self.id();
        put(&mut self.declarations, op::CONSTANT, &[word, id, value]);
        self.constants.insert(value, id);
        id
    }

    /// Computes a value.
    fn value(&mut self, op: u32, kind: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        put(&mut self.code, op, &[&[kind, id], operands].concat());
        id
    }

    fn store(&mut self, pointer: u32, value: u32) {
        put(&mut self.code, op::STORE, &[pointer, value]);
    }
}

/// Returns the words of a shader: it loads, waits at a barrier, and stores.
pub(super) fn words(needs: Needs) -> Vec<u32> {
    let mut module = Module::default();
    let it = &mut module;
    let (void, word, main) = (it.id(), it.id(), it.id());
    put(&mut it.declarations, op::TYPE_VOID, &[void]);
    put(&mut it.declarations, op::TYPE_INT, &[word, 32, 0]);
    let four = it.kind(op::TYPE_VECTOR, &[word, 4]);

    let index = it.global(INPUT, word);
    put(&mut it.head, op::CAPABILITY, &[1]);
    put(&mut it.head, op::MEMORY_MODEL, &[0, 1]);
    // "main"
    put(&mut it.head, op::ENTRY_POINT, &[5, main, 0x6e69_616d, 0, index]);
    put(&mut it.head, op::EXECUTION_MODE, &[main, 17, needs.invocations, 1, 1]);
    // The index of an invocation in its workgroup.
    put(&mut it.head, op::DECORATE, &[index, 11, 29]);

    let array = it.kind(op::TYPE_RUNTIME_ARRAY, &[word]);
    let data = it.buffer(STORAGE_BUFFER, array, 4, 0);
    let length = it.constant(word, 64);
    let array = it.kind(op::TYPE_ARRAY, &[four, length]);
    let shared = it.buffer(UNIFORM, array, 16, 1);
    let length = it.constant(word, needs.lds.div_ceil(4).max(1));
    let array = it.kind(op::TYPE_ARRAY, &[word, length]);
    let local = it.global(WORKGROUP, array);
    let length = it.constant(word, needs.array.max(1));
    let array = it.kind(op::TYPE_ARRAY, &[word, length]);
    let own = it.kind(op::TYPE_POINTER, &[FUNCTION, array]);
    let to_data = it.kind(op::TYPE_POINTER, &[STORAGE_BUFFER, word]);
    let to_shared = it.kind(op::TYPE_POINTER, &[UNIFORM, four]);
    let to_local = it.kind(op::TYPE_POINTER, &[WORKGROUP, word]);
    let to_own = it.kind(op::TYPE_POINTER, &[FUNCTION, word]);
    let function = it.kind(op::TYPE_FUNCTION, &[void]);

    put(&mut it.code, op::FUNCTION, &[void, main, 0, function]);
    let label = it.id();
    put(&mut it.code, op::LABEL, &[label]);
    let own = it.value(op::VARIABLE, own, &[FUNCTION]);
    let index = it.value(op::LOAD, word, &[index]);
    let zero = it.constant(word, 0);
    // Each invocation has 256 words of the buffer.
    let stride = it.constant(word, 256);
    let first = it.value(op::MULTIPLY, word, &[index, stride]);
    let places: Vec<u32> = (0..needs.values.max(needs.shared_fours * 4))
        .map(|number| {
            let number = it.constant(word, number);
            let place = it.value(op::ADD, word, &[first, number]);
            it.value(op::ACCESS_CHAIN, to_data, &[data, zero, place])
        })
        .collect();
    let mut values: Vec<u32> = places[..needs.values as usize]
        .iter()
        .map(|place| it.value(op::LOAD, word, &[*place]))
        .collect();
    let shared: Vec<u32> = (0..needs.shared_fours)
        .flat_map(|number| {
            let number = it.constant(word, number);
            let place = it.value(op::ACCESS_CHAIN, to_shared, &[shared, zero, number]);
            let loaded = it.value(op::LOAD, four, &[place]);
            [0, 1, 2, 3].map(|part| it.value(op::COMPOSITE_EXTRACT, word, &[loaded, part]))
        })
        .collect();
    // What is read before the barrier cannot be loaded behind it.
    for one in &shared {
        values[0] = it.value(op::XOR, word, &[values[0], *one]);
    }
    if needs.lds > 0 {
        let place = it.value(op::ACCESS_CHAIN, to_local, &[local, index]);
        it.store(place, values[0]);
    }
    if needs.array > 0 {
        for (number, value) in (0..needs.array.min(8)).zip(values.clone().into_iter().cycle()) {
            let number = it.constant(word, number);
            let place = it.value(op::ACCESS_CHAIN, to_own, &[own, number]);
            let value = it.value(op::XOR, word, &[value, number]);
            it.store(place, value);
        }
        let place = it.value(op::ACCESS_CHAIN, to_own, &[own, values[0]]);
        values[0] = it.value(op::LOAD, word, &[place]);
    }
    // Of the workgroup, over the memory of buffers and of the group: acquires and releases.
    let (group, memory) = (it.constant(word, 2), it.constant(word, 8 | 0x40 | 0x100));
    put(&mut it.code, op::CONTROL_BARRIER, &[group, group, memory]);
    if needs.lds > 0 {
        let next = it.value(op::XOR, word, &[index, group]);
        let place = it.value(op::ACCESS_CHAIN, to_local, &[local, next]);
        values[0] = it.value(op::LOAD, word, &[place]);
    }
    for (number, place) in places.iter().enumerate() {
        let value = match (values.get(number), shared.get(number)) {
            (Some(own), Some(shared)) => it.value(op::XOR, word, &[*own, *shared]),
            (Some(one), None) | (None, Some(one)) => *one,
            (None, None) => continue,
        };
        it.store(*place, value);
    }
    put(&mut it.code, op::RETURN, &[]);
    put(&mut it.code, op::FUNCTION_END, &[]);

    // Magic number, version 1.3, no tool, one more than the last id, no schema.
    let header = [0x0723_0203, 0x0001_0300, 0, module.ids + 1, 0];
    [&header[..], &module.head, &module.declarations, &module.code].concat()
}
