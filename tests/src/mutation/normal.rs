//! Normal forms of lowered text: rules of machines that a compiler does not know bring
//! texts that mean the same into a form from which the same code is compiled.
//!
//! - What a look-up compares is in its first three components.
//! - Offsets count along the axes that a texture has, and cubes have none.
//! - The faces of cubes are square.
//!
//! Who uses the form has to see that right text is still right in it.

/// The bits of offsets that count, by the dimension in the name of a look-up.
const OFFSETS: &[(&str, u32)] = &[
    (".1d.", 0x3f),
    (".1darray.", 0x3f),
    (".2d.", 0x3f3f),
    (".2darray.", 0x3f3f),
    (".3d.", 0x3f_3f3f),
    (".cube.", 0),
];

/// The name of a line's value.
fn name(line: &str) -> Option<&str> {
    line.trim().split_once(" = ").map(|(name, _)| name)
}

/// The bits of its offset that count, and the offset, of a line that looks up with one.
fn offset(line: &str) -> Option<(u32, &str)> {
    let (_, call) = line.split_once("@llvm.amdgcn.image.")?;
    let (intrinsic, arguments) = call.split_once('(')?;
    let own = OFFSETS.iter().find(|(dimension, _)| intrinsic.contains(dimension));
    let (_, bits) = own.filter(|_| intrinsic.contains(".o."))?;
    Some((*bits, arguments.split(", ").nth(1)?.strip_prefix("i32 ")?))
}

/// The text in its normal form.
pub fn normal(ir: &str) -> String {
    let of = |part: &str| -> Vec<&str> {
        ir.lines().filter(|line| line.contains(part)).filter_map(name).collect()
    };
    let compared = of("@llvm.amdgcn.image.sample.c.");
    let cubes = of("@llvm.amdgcn.image.getresinfo.cube.");
    let mut text = String::new();
    for (number, line) in ir.lines().enumerate() {
        let mut line = line.to_owned();
        if let Some((head, rest)) = line.split_once(" = extractelement <4 x float> ")
            && let Some((vector, rest)) = rest.split_once(", i32 ")
            && let Some((index, rest)) = rest.split_once(',')
            && (compared.contains(&vector) && index != "3"
                || cubes.contains(&vector) && index == "1")
        {
            line = format!("{head} = extractelement <4 x float> {vector}, i32 0,{rest}");
        } else if let Some((bits, value)) = offset(&line) {
            text += &format!("  %counting{number} = and i32 {value}, {bits}\n");
            line = line.replacen(
                &format!(", i32 {value}, "),
                &format!(", i32 %counting{number}, "),
                1,
            );
        }
        text += &line;
        text.push('\n');
    }
    text
}
