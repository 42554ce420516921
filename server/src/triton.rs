//! Triton's folder of compiled kernels: beside each `.hsaco` a `.json` says how it is launched.

use std::path::Path;

use serde_json::Value;

use crate::files::Access;

/// Bytes of such a file that are read at most.
const LONGEST: usize = 64 << 10;

/// Characters of a word of it that are shown.
const SHOWN: usize = 200;

/// Lines about the launch of a kernel, where a file beside it says it: a sentence, and the
/// comment by which the local data that is added there counts. The code object itself knows
/// nothing of it.
pub(crate) fn launch_of(path: &Path, access: &Access) -> Vec<String> {
    let is_kernel = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("hsaco"));
    let text = is_kernel.then(|| access.read_text(&path.with_extension("json"), LONGEST).ok());
    text.flatten().and_then(|text| launch(&text)).unwrap_or_default()
}

fn launch(text: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let number = |key: &str| value.get(key)?.as_u64();
    let (shared, waves) = (number("shared")?, number("num_warps")?);
    let name = value.get("name").and_then(Value::as_str).unwrap_or("the kernel");
    let name: String = name.chars().filter(|it| !it.is_control()).take(SHOWN).collect();
    let told =
        format!("Triton launches {name} with num_warps {waves} and adds {shared} bytes of LDS");
    Some(vec![told, format!("tungsten: launch-lds={shared}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_describes_a_launch_is_told() {
        let text =
            r#"{"name": "add_\u001bkernel", "num_warps": 4, "shared": 2048, "num_stages": 2}"#;
        let told = "Triton launches add_kernel with num_warps 4 and adds 2048 bytes of LDS";
        let lines = launch(text).expect("a launch");
        assert_eq!(lines, [told, "tungsten: launch-lds=2048"]);
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
        assert!(of("k.hsaco")[0].contains("the kernel with num_warps 1"));
        assert!(of("k.co").is_empty() && of("other.hsaco").is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
