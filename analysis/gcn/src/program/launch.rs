//! Launches of the kernels in a text, as a comment describes them: `// tungsten: launch-lds=2048`.
//!
//! A launch may give a workgroup more of the local data share than its kernel's descriptor asks
//! for. No code object says how much: whoever knows the launcher writes it in a comment, as the
//! listing of a kernel from Triton's cache does.

/// The text of such a comment before its number.
const MARK: &str = "tungsten: launch-lds=";

/// Returns the bytes of local data share that a launch adds, as the last such comment says.
pub(super) fn added_share(text: &str) -> Option<u32> {
    if !text.contains(MARK) {
        return None;
    }
    let number_of = |line: &str| {
        let line = line.trim_start();
        let comment = ["//", ";", "#", "/*"].iter().find_map(|mark| line.strip_prefix(mark))?;
        let number = comment.trim_start().strip_prefix(MARK)?;
        let end = number.find(|it: char| !it.is_ascii_digit()).unwrap_or(number.len());
        number[..end].parse().ok()
    };
    text.lines().filter_map(number_of).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comment_counts() {
        assert_eq!(added_share("// tungsten: launch-lds=2048\ns_endpgm"), Some(2048));
        let two = "; tungsten: launch-lds=1\ns_nop 0\n\t# tungsten: launch-lds=64 bytes";
        assert_eq!(added_share(two), Some(64));
        assert_eq!(added_share("s_endpgm // tungsten: launch-lds=1"), None);
        assert_eq!(added_share(".ascii \"tungsten: launch-lds=1\""), None);
        assert_eq!(added_share("// tungsten: launch-lds=99999999999"), None);
        assert_eq!(added_share(""), None);
    }
}
