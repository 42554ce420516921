//! Values in cells: `1.5`, `-2`, `0x7f`, `2.5d`, `7L`, `inf`, and what a result may be beside
//! them: `nan`, `_` for anything, `~0.3` for a float close to it.

/// A word that a run must leave.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    Any,
    Nan,
    Bits(u32),
    Near(f32),
}

impl Wanted {
    fn holds(self, found: u32) -> bool {
        let value = f32::from_bits(found);
        match self {
            Wanted::Any => true,
            Wanted::Nan => value.is_nan(),
            Wanted::Bits(bits) => bits == found,
            Wanted::Near(near) => (value - near).abs() <= near.abs() * 2e-6,
        }
    }
}

/// The bits of values, two words for each of 64 bits.
pub(super) fn words(cell: &str) -> Result<Vec<u32>, String> {
    let mut bits = Vec::new();
    for value in cell.split_whitespace() {
        bits.extend(word(value).ok_or_else(|| format!("`{value}` is not a value"))?);
    }
    Ok(bits)
}

fn word(value: &str) -> Option<Vec<u32>> {
    let halves = |bits: u64| vec![bits as u32, (bits >> 32) as u32];
    if let Some(double) = value.strip_suffix('d').filter(|_| !value.starts_with("0x")) {
        return Some(halves(double.parse::<f64>().ok()?.to_bits()));
    }
    if let Some(long) = value.strip_suffix('L') {
        return Some(halves(long.parse::<i128>().ok()? as u64));
    }
    if let Some(digits) = value.strip_prefix("0x") {
        return Some(vec![u32::from_str_radix(digits, 16).ok()?]);
    }
    if value.contains(['.', 'n']) {
        return Some(vec![value.parse::<f32>().ok()?.to_bits()]);
    }
    Some(vec![value.parse::<i64>().ok()? as u32])
}

/// Compares words with the cell's, which may be fewer.
pub(super) fn compare(cell: &str, found: &[u32]) -> Result<(), String> {
    let mut wanted = Vec::new();
    for value in cell.split_whitespace() {
        match (value, value.strip_prefix('~')) {
            ("_", _) => wanted.push(Wanted::Any),
            ("nan", _) => wanted.push(Wanted::Nan),
            (_, Some(near)) => {
                wanted.push(Wanted::Near(near.parse().map_err(|_| format!("`{value}`"))?));
            }
            _ => wanted.extend(words(value)?.into_iter().map(Wanted::Bits)),
        }
    }
    if !wanted.iter().any(|it| !matches!(it, Wanted::Any)) {
        return Err("every value may be anything".to_owned());
    }
    if wanted.len() > found.len() || !wanted.iter().zip(found).all(|(it, bits)| it.holds(*bits)) {
        let show = |bits: &u32| format!("{:?} (0x{bits:x})", f32::from_bits(*bits));
        let found: Vec<String> = found.iter().map(show).collect();
        return Err(format!("{} found, `{cell}` expected", found.join(" ")));
    }
    Ok(())
}
