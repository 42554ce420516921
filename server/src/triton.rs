//! Triton's folder of compiled kernels: beside each `.hsaco` a `.json` says how it is launched.

use std::path::Path;

use serde_json::Value;

use crate::files::Access;

/// Bytes of such a file that are read at most.
const LONGEST: usize = 64 << 10;

/// Characters of a word of it that are shown.
const SHOWN: usize = 200;

/// A sentence about the launch of a kernel, where a file beside it says it: the code object
/// itself knows no local data that is added there.
pub(crate) fn launch_of(path: &Path, access: &Access) -> Option<String> {
    path.extension().filter(|it| it.eq_ignore_ascii_case("hsaco"))?;
    let text = access.read_text(&path.with_extension("json"), LONGEST).ok()?;
    launch(&text)
}

fn launch(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let number = |key: &str| value.get(key)?.as_u64();
    let (shared, waves) = (number("shared")?, number("num_warps")?);
    let name = value.get("name").and_then(Value::as_str).unwrap_or("the kernel");
    let name: String = name.chars().filter(|it| !it.is_control()).take(SHOWN).collect();
    Some(format!("Triton launches {name} with num_warps {waves} and adds {shared} bytes of LDS"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_describes_a_launch_is_told() {
        let text =
            r#"{"name": "add_\u001bkernel", "num_warps": 4, "shared": 2048, "num_stages": 2}"#;
        let told = "Triton launches add_kernel with num_warps 4 and adds 2048 bytes of LDS";
        assert_eq!(launch(text).as_deref(), Some(told));
        assert_eq!(launch(r#"{"name": "a", "shared": -1, "num_warps": 4}"#), None);
        assert_eq!(launch(r#"{"shared": 0}"#), None);
        assert_eq!(launch("shared"), None);
    }

    #[test]
    fn it_stands_beside_the_kernel() {
        let folder = std::env::temp_dir().join(format!("tungsten-triton-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("k.json"), r#"{"num_warps": 1, "shared": 0}"#).unwrap();
        let of = |name: &str| launch_of(&folder.join(name), &Access::Anywhere);
        assert!(of("k.hsaco").is_some_and(|it| it.contains("the kernel with num_warps 1")));
        assert_eq!(of("k.co"), None);
        assert_eq!(of("other.hsaco"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
