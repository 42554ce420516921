//! The functions that lowered shaders may call.
//!
//! From LLVM 17 on a call of a function that does not exist silently becomes
//! a call in the machine code. So whoever hands IR to LLVM checks its calls
//! against this list, which is data: one name a line, in byte order, with the
//! LLVM versions that it was compiled with.

const TEXT: &[u8] = include_bytes!("../data/intrinsics.txt");

/// Every name, in byte order.
pub const INTRINSICS: &[&str] = &names::<{ count() }>();

/// Whether lowered shaders may call a function.
pub fn intrinsic_allowed(name: &str) -> bool {
    INTRINSICS.binary_search(&name).is_ok()
}

/// Where the line that begins at a place ends.
const fn line_end(mut place: usize) -> usize {
    while place < TEXT.len() && TEXT[place] != b'\n' {
        place += 1;
    }
    place
}

/// How many lines have a name: all but those that begin with `#`.
const fn count() -> usize {
    let mut lines = 0;
    let mut place = 0;
    while place < TEXT.len() {
        if TEXT[place] != b'#' {
            lines += 1;
        }
        place = line_end(place) + 1;
    }
    lines
}

/// What stands before the first tab of every such line.
const fn names<const COUNT: usize>() -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut found = 0;
    let mut place = 0;
    while place < TEXT.len() {
        if TEXT[place] != b'#' {
            let mut end = place;
            while TEXT[end] != b'\t' {
                end += 1;
            }
            let (_, rest) = TEXT.split_at(place);
            let (name, _) = rest.split_at(end - place);
            names[found] = match std::str::from_utf8(name) {
                Ok(name) => name,
                Err(_) => panic!("data/intrinsics.txt is not text"),
            };
            found += 1;
        }
        place = line_end(place) + 1;
    }
    names
}
