//! The hash index of names: made by a build script, searched when the program runs.
//!
//! Its slots hold one more than the number of a name, or zero.

/// Returns the slots of an index of names, the names numbered from 0.
///
/// # Panics
/// Where there are more names than a slot can number.
pub fn index<T: AsRef<str>>(names: &[T]) -> Vec<u16> {
    assert!(names.len() < usize::from(u16::MAX), "too many names for an index");
    let mut slots = vec![0_u16; (names.len() * 2).next_power_of_two()];
    for (number, name) in names.iter().enumerate() {
        // Half of the slots are free, so one is found.
        let free = probes(name.as_ref().bytes(), slots.len()).find(|at| slots[*at] == 0);
        if let Some(free) = free {
            slots[free] = number as u16 + 1;
        }
    }
    slots
}

/// Finds the number of a name; `spelled` tells the name of a number.
pub fn find(slots: &[u16], name: &[u8], spelled: impl Fn(usize) -> &'static str) -> Option<usize> {
    search(slots, name.iter().copied(), |number| spelled(number).as_bytes() == name)
}

/// Finds the number of a name; `is` tells whether a number is the one that is meant.
pub fn find_as(slots: &[u16], name: &[u8], is: impl Fn(usize) -> bool) -> Option<usize> {
    search(slots, name.iter().copied(), is)
}

/// Finds the number of a [`pair`] of words; `spelled` tells the words of a number.
pub fn find_pair(
    slots: &[u16],
    first: &str,
    second: &str,
    spelled: impl Fn(usize) -> (&'static str, &'static str),
) -> Option<usize> {
    let name = first.bytes().chain(std::iter::once(b' ')).chain(second.bytes());
    search(slots, name, |number| spelled(number) == (first, second))
}

/// Returns the name under which [`find_pair`] finds two words.
pub fn pair(first: &str, second: &str) -> String {
    format!("{first} {second}")
}

fn search(
    slots: &[u16],
    name: impl Iterator<Item = u8>,
    is: impl Fn(usize) -> bool,
) -> Option<usize> {
    probes(name, slots.len())
        .map_while(|at| slots[at].checked_sub(1))
        .map(usize::from)
        .find(|number| is(*number))
}

/// Returns the slots in which a name may be, the likeliest first. `size` is a power of two.
fn probes(name: impl Iterator<Item = u8>, size: usize) -> impl Iterator<Item = usize> {
    // FNV-1a: short names, and the build and the program must agree.
    let hash =
        name.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let first = (hash ^ (hash >> 15)) as usize;
    (0..size).map(move |step| first.wrapping_add(step) & (size - 1))
}
