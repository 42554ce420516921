//! Ways of writing shaders into a file, such as logs, mail, traces and sources: whatever the
//! shader, it must come out of the file as it went in.

use std::fmt::Write as _;

use crate::corpus::Program;
use source::{TextRange, TextSize, no_checkpoint};
use tgsi::holes::HOLE;
use tgsi::regions::{Region, split};

/// A way of writing shaders into a file.
#[derive(Debug)]
pub struct Layout {
    /// Names it in messages.
    pub name: &'static str,
    /// The file with these shaders.
    pub wrap: fn(&[&str]) -> String,
}

/// Every layout.
pub const LAYOUTS: [Layout; 26] = [
    Layout { name: "one after the other", wrap: |shaders| shaders.join("\n\n") + "\n" },
    Layout {
        name: "kernel times",
        wrap: |shaders| {
            prefixed(shaders, |line| {
                format!("[{:>5}.{:06}] radeonsi: ", 90 + line / 3, line * 7919 % 1_000_000)
            })
        },
    },
    Layout {
        name: "debug messages",
        wrap: |shaders| prefixed(shaders, |_| "mesa: debug: ".to_owned()),
    },
    Layout {
        name: "system log",
        wrap: |shaders| {
            prefixed(shaders, |line| {
                format!(
                    "Mar {:>2} 10:{:02}:{:02} box game[{}]: ",
                    9 + line / 400,
                    line / 60 % 60,
                    line % 60,
                    4000 + line % 7
                )
            })
        },
    },
    Layout {
        name: "times of the international kind",
        wrap: |shaders| {
            prefixed(shaders, |line| {
                format!(
                    "2024-05-0{}T10:11:{:02}.{:03}Z | ",
                    1 + line / 900 % 9,
                    line / 10 % 60,
                    line % 1000
                )
            })
        },
    },
    Layout {
        name: "threads",
        wrap: |shaders| {
            prefixed(shaders, |line| {
                format!(
                    "05-11 10:11:12.{:03}  {:>4}  {:>4} D gallium : ",
                    line % 1000,
                    88 + line % 50,
                    9990 + line % 13
                )
            })
        },
    },
    Layout {
        name: "addresses",
        wrap: |shaders| prefixed(shaders, |line| format!("ctx 0x7f{line:x}0: ")),
    },
    Layout {
        name: "line numbers",
        wrap: |shaders| prefixed(shaders, |line| format!("{line:>6}\t")),
    },
    Layout { name: "quoted mail", wrap: |shaders| quoted(shaders, "> ") },
    Layout { name: "mail quoted twice", wrap: |shaders| quoted(shaders, "> > ") },
    Layout { name: "quoted with bars", wrap: |shaders| quoted(shaders, "| ") },
    Layout {
        name: "Markdown fences",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!("Shader of the game:\n\n```tgsi\n{shader}\n```\n\nIt hangs here.\n")
            })
        },
    },
    Layout { name: "framed with IR and machine code", wrap: |shaders| each(shaders, framed) },
    Layout {
        name: "virglrenderer",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!(
                    "vrend_compile_shader: Illegal shader\nvs: 1 TGSI:\n{shader}\nvs: 7 GLSL:\n   1: #version 140\n   2: in vec4 in_0;\n   3: void main(void)\n   4: {{\n   5: temp0 = vec4(0.0);\n   6: }}\n"
                )
            })
        },
    },
    Layout {
        name: "nouveau",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!(
                    "// TGSI\n{shader}\n// NVC0 code\nMAIN:-1 ()\nBB:0 (3 instructions)\n  0: ld u32 $r0 a[0x80] (0)\n  1: export b32 # o[0x70] $r0 (0)\n  2: exit - # (0)\n\n"
                )
            })
        },
    },
    Layout {
        name: "literals of C",
        wrap: |shaders| {
            each(shaders, |shader| {
                let lines: Vec<String> =
                    shader.lines().map(|line| format!("      \"{}\\n\"", escaped(line))).collect();
                format!(
                    "static const char *text =\n{};\nif (!parse(text))\n   return NULL;\n",
                    lines.join("\n")
                )
            })
        },
    },
    Layout {
        name: "one literal",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!("   run(ctx, \"{}\", 3);\n", escaped(shader).replace('\n', "\\n"))
            })
        },
    },
    Layout {
        name: "a literal over spliced lines",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!("   text = \"{}\";\n", escaped(shader).replace('\n', "\\n\\\n"))
            })
        },
    },
    Layout {
        name: "lines with a plus and no semicolon",
        wrap: |shaders| {
            each(shaders, |shader| {
                let lines: Vec<String> =
                    shader.lines().map(|line| format!("\"{}\\n\"", escaped(line))).collect();
                format!("const text = {}\n\nfunc draw() {{}}\n", lines.join(" +\n\t"))
            })
        },
    },
    Layout {
        name: "a list of lines",
        wrap: |shaders| {
            each(shaders, |shader| {
                let lines: Vec<String> =
                    shader.lines().map(|line| format!("    \"{}\",\n", escaped(line))).collect();
                format!("let text = [\n{}].join(\"\\n\");\n", lines.concat())
            })
        },
    },
    Layout {
        name: "pieces that a macro joins",
        wrap: |shaders| {
            each(shaders, |shader| {
                let lines: Vec<String> =
                    shader.lines().map(|line| format!("\"{}\\n\"", escaped(line))).collect();
                format!("const TEXT: &str = concat!({});\n", lines.join(", "))
            })
        },
    },
    Layout {
        name: "a terminal in colours",
        wrap: |shaders| {
            each(shaders, |shader| {
                let lines: Vec<String> =
                    shader.lines().map(|line| format!("\x1b[1;32m{line}\x1b[0m\n")).collect();
                format!("\x1b]0;a game\x07$ run\n{}\x1b[1m$\x1b[0m exit\n", lines.concat())
            })
        },
    },
    Layout {
        name: "JSON",
        wrap: |shaders| {
            let rows: Vec<String> = shaders
                .iter()
                .map(|shader| {
                    format!("{{\"id\": 7, \"text\": \"{}\"}}", escaped(shader).replace('\n', "\\n"))
                })
                .collect();
            format!("[{}]\n", rows.join(", "))
        },
    },
    Layout {
        name: "trace with entities",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!(
                    "<call no='3' class='pipe_context' method='create_fs_state'><arg name='state'><struct name='pipe_shader_state'><member name='tokens'><string>{}</string></member></struct></arg></call>\n",
                    entities(shader).replace('\n', "&#10;")
                )
            })
        },
    },
    Layout {
        name: "trace with lines",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!(
                    "<call no='4'>\n <arg><string>{}\n</string></arg>\n</call>\n",
                    entities(shader)
                )
            })
        },
    },
    Layout {
        name: "attributes",
        wrap: |shaders| {
            each(shaders, |shader| {
                format!(
                    "  <shader id=\"12\" tokens=\"{}\"/>\n",
                    entities(shader).replace('\n', "&#xA;")
                )
            })
        },
    },
];

fn each(shaders: &[&str], wrap: fn(&str) -> String) -> String {
    shaders.iter().map(|shader| wrap(shader)).collect()
}

/// Log lines with a prefix each, and messages between the shaders.
fn prefixed(shaders: &[&str], prefix: fn(usize) -> String) -> String {
    let mut out = String::new();
    let mut number = 0;
    for shader in shaders {
        let lines = ["shader 12 is compiled now"].into_iter().chain(shader.lines());
        for line in lines.chain(["took 3 ms", ""]) {
            let _ = writeln!(out, "{}{line}", prefix(number));
            number += 1;
        }
    }
    out
}

/// Lines with a mark each, and an answer between the shaders.
fn quoted(shaders: &[&str], mark: &str) -> String {
    let mut out = String::new();
    for shader in shaders {
        for line in ["The dump is:", ""].into_iter().chain(shader.lines()).chain(["", "Bye"]) {
            let _ = writeln!(out, "{}", format!("{mark}{line}").trim_end());
        }
        out.push_str("\nI see the same here, with VERT too.\n\n");
    }
    out
}

fn framed(shader: &str) -> String {
    let rule = "-".repeat(62);
    format!(
        "{rule}\n{shader}\n; ModuleID = 'tgsi'\nsource_filename = \"tgsi\"\n\n\
         define amdgpu_ps <{{ float }}> @main(i32 inreg %0, float %1) #0 {{\nmain_body:\n  \
         %2 = fadd float %1, 1.000000e+00\n  ret <{{ float }}> undef\n}}\n\
         Shader Disassembly:\n\tv_mov_b32_e32 v0, 0 ; 7E000280\n\ts_endpgm ; BF810000\n\n\
         *** SHADER STATS ***\nSGPRS: 8\nVGPRS: 4\nCode Size: 8 bytes\n{rule}\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t").replace('\r', "\\r")
}

fn entities(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&apos;")
}

/// A range by its start and length.
pub fn range(start: usize, length: usize) -> TextRange {
    TextRange::at(TextSize::new(start as u32), TextSize::new(length as u32))
}

/// The marks around literals; two that are joined may have different ones.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Checks that each character of a region is where its map says, both ways.
///
/// # Errors
/// The character that is not.
pub fn check_map(file: &str, region: &Region) -> Result<(), String> {
    let text = region.text(file);
    for (offset, character) in text.char_indices() {
        // A hole, and the line ends of one that is a line, stand for an expression.
        let feeds_hole = text[offset..].starts_with("\n\u{1a}") || text[..offset].ends_with(HOLE);
        if character == HOLE || character == '\n' && feeds_hole {
            continue;
        }
        let place = region.map().to_file(range(offset, character.len_utf8()));
        let written = &file[place];
        let escape = match character {
            // Between the literals of a list no line end is written.
            '\n' if written.starts_with(QUOTES) => written.ends_with(QUOTES),
            '\n' => ["\\n", "&#10;", "&#xA;"].contains(&written),
            // In a format string they stand for themselves twice.
            '{' | '}' | '%' if written.len() == 2 => {
                written.bytes().all(|it| it == character as u8)
            }
            _ => written.starts_with(['\\', '&']) && written.len() > character.len_utf8(),
        };
        if written != character.to_string() && !escape {
            return Err(format!("{character:?} at {offset} is written {written:?}"));
        }
        if region.map().to_region(place.start()) != Some(TextSize::new(offset as u32)) {
            return Err(format!("{character:?} at {offset} is not found from {place:?}"));
        }
    }
    Ok(())
}

/// Checks that shaders come out of a layout as they went in.
fn check(layout: &Layout, shaders: &[&str]) -> Result<(), String> {
    let file = (layout.wrap)(shaders);
    let regions = split(&file);
    if let Some(diagnostic) = regions.diagnostics.first() {
        return Err(format!("outside of shaders: {}\n{file}", diagnostic.message));
    }
    let found: Vec<&str> = regions.shaders.iter().map(|region| region.text(&file)).collect();
    if found.len() != shaders.len() {
        return Err(format!("{} shaders found\n{file}", found.len()));
    }
    for (found, shader) in found.iter().zip(shaders) {
        // Mail programs cut blanks at the ends of lines.
        let lines =
            |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        if lines(found) != lines(shader) {
            return Err(format!("found:\n{found}\nof:\n{shader}"));
        }
        let parse = |text| tgsi::parser::parse(text, &no_checkpoint);
        if found == shader && parse(found).diagnostics != parse(shader).diagnostics {
            return Err("other diagnostics".to_owned());
        }
    }
    regions.shaders.iter().try_for_each(|region| check_map(&file, region))
}

/// The shaders of the corpora as they stand in their files, but for those
/// without an `END`: in a log nobody can tell where they end, and in a source
/// they are parts of something.
fn shaders(programs: &[Program]) -> Vec<(&str, &str)> {
    let accepted = programs.iter().filter(|program| program.accepted);
    accepted
        .flat_map(|program| {
            let regions = split(&program.text).shaders.into_iter();
            regions.map(|region| (program.name.as_str(), &program.text[region.range()]))
        })
        .filter(|(_, text)| text.split_whitespace().any(|word| word == "END"))
        .collect()
}

/// Every n-th accepted shader comes out of every layout; returns how many were wrapped.
///
/// # Panics
/// Names those that do not.
pub fn every_shader_comes_out_of_every_layout(programs: &[Program], step: usize) -> usize {
    let shaders = shaders(programs);
    let mut wrong = Vec::new();
    let mut tried = 0;
    for layout in &LAYOUTS {
        for (name, shader) in shaders.iter().step_by(step) {
            tried += 1;
            if let Err(error) = check(layout, &[shader]) {
                wrong.push(format!("{} in {}: {error}", name, layout.name));
            }
        }
    }
    eprintln!("{} shaders, {tried} wrapped, {} wrong", shaders.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", sample(&wrong));
    tried
}

/// The first of many messages.
fn sample(messages: &[String]) -> String {
    messages.iter().take(4).map(String::as_str).collect::<Vec<_>>().join("\n\n")
}

/// Every n-th group of accepted shaders comes out of every layout, and of all at once.
///
/// # Panics
/// Names those that do not.
pub fn several_shaders_of_a_file_stay_apart(programs: &[Program], step: usize) {
    let shaders: Vec<&str> = shaders(programs).into_iter().map(|(_, text)| text).collect();
    let mut wrong = Vec::new();
    for layout in &LAYOUTS {
        for group in shaders.chunks(3).step_by(step) {
            if let Err(error) = check(layout, group) {
                wrong.push(format!("{}: {error}", layout.name));
            }
        }
    }
    // All layouts in one file.
    for group in shaders.chunks_exact(LAYOUTS.len()).step_by(step) {
        let parts: String = LAYOUTS
            .iter()
            .zip(group)
            .map(|(layout, shader)| format!("{}\nnext:\n", (layout.wrap)(&[shader])))
            .collect();
        let regions = split(&parts);
        let found: Vec<&str> = regions.shaders.iter().map(|region| region.text(&parts)).collect();
        if found.len() != group.len() || !regions.diagnostics.is_empty() {
            wrong.push(format!("{} of {}: {:?}", found.len(), group.len(), regions.diagnostics));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), sample(&wrong));
}
