//! The pages of image formats, and what look-ups return of which components.

use crate::formats::{Channel, ChannelKind, Format};
use std::fmt::Write as _;

/// The page of a format.
pub fn format(format: &Format) -> String {
    let mut page = format!("**`{}`** image format\n\n{}\n", format.name, memory(format));
    if format.name != "PIPE_FORMAT_NONE" {
        let _ = write!(page, "\nRead by a shader: {}\n", returned(format));
    }
    match format.color_space {
        "srgb" => page.push_str("\nColours are kept in sRGB: reading makes them linear.\n"),
        "yuv" => page.push_str("\nLuma and chroma, not red, green and blue.\n"),
        "zs" => page.push_str("\nDepth and stencil; x is the depth and y the stencil.\n"),
        _ => {}
    }
    let _ = write!(page, "\n*{}*\n", format.source);
    page
}

/// Returns how a texel lies in memory.
pub(super) fn memory(format: &Format) -> String {
    if format.name == "PIPE_FORMAT_NONE" {
        return "No format: what the image is bound with decides.".to_owned();
    }
    let bits: u32 = format.channels.iter().map(|channel| u32::from(channel.bits)).sum();
    if format.layout != "plain" {
        let [width, height, depth] = format.block;
        let deep = if depth > 1 { format!("×{depth}") } else { String::new() };
        let family = match format.layout {
            "subsampled" => "chroma is shared by neighbours".to_owned(),
            "planar2" => "two planes in memory".to_owned(),
            "planar3" => "three planes in memory".to_owned(),
            "other" if [width, height, depth] == [1, 1, 1] => {
                "packed in a way of its own".to_owned()
            }
            "other" => "a layout of its own".to_owned(),
            compressed => format!("{} compression", compressed.to_uppercase()),
        };
        // What the table holds of planar formats stands for no real bits.
        return match format.layout {
            "planar2" | "planar3" => format!("Planar: {family}."),
            _ if [width, height, depth] == [1, 1, 1] => {
                format!("{bits} bits per texel, {family}: {}.", fields(format))
            }
            _ => format!("{bits} bits for {width}×{height}{deep} texels: {family}."),
        };
    }
    format!("{bits} bits per texel, the lowest first: {}.", fields(format))
}

/// `R 8-bit unsigned normalised, …`, equal fields joined.
fn fields(format: &Format) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut run: Option<(String, Channel)> = None;
    for (place, channel) in format.channels.iter().enumerate() {
        let name = field_name(format, place, *channel);
        match &mut run {
            Some((names, last)) if *last == *channel => names.push_str(&name),
            _ => {
                parts.extend(run.take().map(phrase));
                run = Some((name, *channel));
            }
        }
    }
    parts.extend(run.map(phrase));
    parts.join(", ")
}

fn phrase((names, channel): (String, Channel)) -> String {
    let kind = match channel.kind {
        ChannelKind::Padding => return format!("{} unused bits", channel.bits),
        ChannelKind::Float => "float",
        ChannelKind::Fixed => "fixed point",
        ChannelKind::Signed => "signed integer",
        ChannelKind::SignedNormalized => "signed, normalised to -1..1",
        ChannelKind::SignedScaled => "signed, read as a float of that value",
        ChannelKind::Unsigned => "unsigned integer",
        ChannelKind::UnsignedNormalized => "unsigned, normalised to 0..1",
        ChannelKind::UnsignedScaled => "unsigned, read as a float of that value",
    };
    let each = if names.len() > 1 { " each" } else { "" };
    format!("{names} {} bits{each} ({kind})", channel.bits)
}

/// The letter of a field: the component that it becomes, or those that it
/// becomes in luminance and intensity formats.
fn field_name(format: &Format, place: usize, channel: Channel) -> String {
    if channel.kind == ChannelKind::Padding {
        return "X".to_owned();
    }
    let letter = b"xyzw"[place.min(3)];
    let components: Vec<usize> =
        (0..4).filter(|at| format.swizzle.as_bytes()[*at] == letter).collect();
    let name = match (format.color_space, components.as_slice()) {
        ("zs", [0, ..]) => "Z",
        ("zs", _) => "S",
        (_, [0, 1, 2, 3]) => "I",
        (_, [0, 1, 2]) => "L",
        (_, [0]) => "R",
        (_, [1]) => "G",
        (_, [2]) => "B",
        (_, [3]) => "A",
        _ => "?",
    };
    name.to_owned()
}

/// `(r, g, 0, 1)`: what x, y, z and w of a look-up are.
pub(crate) fn returned(format: &Format) -> String {
    let components: Vec<char> = format.swizzle.chars().collect();
    let names: Vec<String> = (0..4)
        .map(|at| match (format.color_space, components[at]) {
            ("zs", '_') => "-".to_owned(),
            ("zs", _) => ["z", "s"][at.min(1)].to_owned(),
            (_, sign @ ('0' | '1')) => sign.to_string(),
            (_, '_') => "-".to_owned(),
            (_, letter) => {
                let same: Vec<usize> =
                    (0..4).filter(|other| components[*other] == letter).collect();
                match same.as_slice() {
                    [0, 1, 2, 3] => "i",
                    [0, 1, 2] => "l",
                    _ => ["r", "g", "b", "a"][at],
                }
                .to_owned()
            }
        })
        .collect();
    format!("({})", names.join(", "))
}

/// The results of look-ups in a texture with some components, from `data/texture_components.tsv`.
#[derive(Debug)]
pub struct TextureComponents {
    /// The components that the texture has.
    pub components: &'static str,
    /// The values of x, y, z and w in TGSI.
    pub gallium: &'static str,
    /// The same in OpenGL.
    pub opengl: &'static str,
    /// The same in Direct3D 9.
    pub direct3d: &'static str,
    /// A remark; may be empty.
    pub note: &'static str,
    /// The source of the facts.
    pub source: &'static str,
}

/// Returns what look-ups return, a row for each set of components.
pub fn texture_components() -> &'static [TextureComponents] {
    &TEXTURE_COMPONENTS
}

include!(concat!(env!("OUT_DIR"), "/texture_components.rs"));
