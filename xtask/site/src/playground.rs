//! The playground as a part of the site: its files, its examples with the code they become, and
//! links that open an example in it.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use gcn::Target;
use serde_json::{Value, json};

use crate::commands;

/// The place of the playground in the site.
pub(crate) const PATH: &str = "playground/index.html";

/// Chips that the examples are compiled for while the site is made.
const COMPILED_FOR: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

/// An example: its name, the file of its text, and that of its inputs.
struct Example {
    name: &'static str,
    file: &'static str,
    inputs: Option<&'static str>,
}

const EXAMPLES: [Example; 6] = [
    Example {
        name: "Lit texture",
        file: "examples/lit_texture.tgsi",
        inputs: Some("examples/lit_texture.inputs.toml"),
    },
    Example {
        name: "A leaf",
        file: "examples/tutorial/leaf.tgsi",
        inputs: Some("examples/tutorial/leaf.inputs.toml"),
    },
    Example { name: "A log with two mistakes", file: "examples/tutorial/driver.log", inputs: None },
    Example { name: "Skinning", file: "examples/skinning.tgsi", inputs: None },
    Example { name: "A sum that waits", file: "examples/tutorial/sum.s", inputs: None },
    Example { name: "A sum that loads first", file: "examples/tutorial/sum-low.s", inputs: None },
];

/// Reads the files that `editors/playground/build` made, and adds the examples.
///
/// # Errors
/// A file that cannot be read, or an example that is not compiled.
pub(crate) fn files(
    built: &Path,
    root: &Path,
    tungsten: &Path,
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let failed = |why: std::io::Error| {
        format!("{}: {why}; `editors/playground/build` makes it", built.display())
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(built).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((format!("playground/{name}"), std::fs::read(&path).map_err(failed)?));
    }
    let examples: Result<Vec<Value>, String> =
        EXAMPLES.iter().map(|example| example.json(root, tungsten)).collect();
    let chips: Vec<&str> = Target::all().map(Target::name).collect();
    let data = json!({ "examples": examples?, "chips": chips });
    files.push(("playground/examples.json".to_owned(), data.to_string().into_bytes()));
    Ok(files)
}

impl Example {
    fn json(&self, root: &Path, tungsten: &Path) -> Result<Value, String> {
        let read = |file: &str| {
            std::fs::read_to_string(root.join(file)).map_err(|why| format!("{file}: {why}"))
        };
        let is_assembly = Path::new(self.file).extension().is_some_and(|it| it == "s");
        let is_shader = Path::new(self.file).extension().is_some_and(|it| it == "tgsi");
        let mut compiled = serde_json::Map::new();
        for chip in COMPILED_FOR.iter().filter(|_| is_shader) {
            let command = format!("tungsten compile {} --target {chip}", self.file);
            let code = commands::run(&command, root, tungsten, 0)?;
            compiled.insert((*chip).to_owned(), without_paths(&code).into());
        }
        Ok(json!({
            "name": self.name,
            "language": if is_assembly { "gcn" } else { "tgsi" },
            "text": read(self.file)?,
            "inputs": self.inputs.map(read).transpose()?.unwrap_or_default(),
            "compiled": compiled,
        }))
    }
}

/// Returns compiled code without the place of the library, which is of this machine.
fn without_paths(code: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("LLVM ") {
        true => line.split(" (").next().unwrap_or(line).to_owned() + "\n",
        false => format!("{line}\n"),
    };
    code.lines().map(line).collect()
}

/// Returns the address, from the root of the site, that opens a text in the playground. The text
/// is in the address itself, as `editors/playground/web/link.mjs` writes it.
pub(crate) fn link(text: &str, language: &str, chip: &str) -> String {
    let state = json!({ "text": text, "language": language, "chip": chip }).to_string();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Memory takes whatever is written.
    let packed = encoder.write_all(state.as_bytes()).and_then(|()| encoder.finish());
    format!("{PATH}#{}", base64(&packed.unwrap_or_default()))
}

/// Returns bytes in the letters that addresses take.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_own_letters() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(&[0xfb, 0xff]), "-_8");
        assert_eq!(base64(b""), "");
    }

    #[test]
    fn a_link_holds_the_text() {
        use flate2::read::DeflateDecoder;
        use std::io::Read as _;
        let link = link("END\n", "tgsi", "polaris10");
        let (_, fragment) = link.split_once('#').unwrap();
        let value = |letter: u8| match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            _ => 63,
        };
        let bits: String = fragment.bytes().map(|it| format!("{:06b}", value(it))).collect();
        let bytes: Vec<u8> = bits
            .as_bytes()
            .chunks_exact(8)
            .map(|it| u8::from_str_radix(std::str::from_utf8(it).unwrap(), 2).unwrap())
            .collect();
        let mut state = String::new();
        DeflateDecoder::new(&*bytes).read_to_string(&mut state).unwrap();
        assert!(state.contains("\"text\":\"END\\n\""), "{state}");
    }

    #[test]
    fn places_of_libraries_are_left_out() {
        assert_eq!(without_paths("  LLVM 22.1 (/lib/a.so)\n x (b)\n"), "  LLVM 22.1\n x (b)\n");
    }
}
