//! The file of inputs: tables of numbered registers, in a subset of TOML.
//!
//! ```toml
//! [in]
//! 0 = [0.5, 0.25, 0.0, 1.0]        # one vector for all lanes
//! 1 = [[0.0], [1.0], [2.0], [3.0]] # or one for each of the four
//! [const]
//! 0 = [[1.0, 2.0, 3.0, 4.0]]       # the vectors of buffer 0
//! [sv]
//! 0 = [7]
//! [buf]
//! 0 = [1, 2, 3]                    # words
//! ```
//!
//! A number with a point or an exponent, `inf` and `nan` are floats; all others
//! are integers, whose bits are taken as they are. Missing components are 0.
//! The subset has tables, keys that are numbers, and arrays; no strings.

use run::launch::QuadInputs;
use run::{EMPTY, LANES, Register, Resources};

/// What a file of inputs says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Inputs {
    pub(super) inputs: Vec<Register>,
    pub(super) system_values: Vec<Register>,
    pub(super) resources: Resources,
}

impl Inputs {
    /// The inputs of one quad, all its lanes live.
    pub(super) fn quad(&self) -> QuadInputs {
        QuadInputs {
            inputs: vec![self.inputs.clone()],
            system_values: self.system_values.clone(),
            mask: 0xf,
            ..QuadInputs::default()
        }
    }
}

/// Reads a file of inputs.
///
/// # Errors
/// Says the line, from 1, and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Inputs, String> {
    let mut inputs = Inputs::default();
    let mut table = String::new();
    let mut statement = String::new();
    let (mut begin, mut open, mut has_key) = (1, 0usize, false);
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if statement.is_empty() {
            begin = number + 1;
            has_key = line.contains('=');
        }
        statement.push_str(line);
        statement.push(' ');
        // An array goes on until its brackets are closed.
        open += line.matches('[').count();
        open = open.saturating_sub(line.matches(']').count());
        if open > 0 && has_key {
            continue;
        }
        open = 0;
        let complete = std::mem::take(&mut statement);
        take(complete.trim(), &mut table, &mut inputs)
            .map_err(|message| format!("line {begin}: {message}"))?;
    }
    match statement.trim() {
        "" => Ok(inputs),
        _ => Err(format!("line {begin}: the array is not closed")),
    }
}

/// Numbers of registers and units, at most.
const MOST_NUMBERS: usize = 4096;

fn take(statement: &str, table: &mut String, inputs: &mut Inputs) -> Result<(), String> {
    if statement.is_empty() {
        return Ok(());
    }
    if let Some(name) = statement.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        const TABLES: [&str; 4] = ["in", "const", "sv", "buf"];
        table.clear();
        table.push_str(name.trim());
        return match TABLES.contains(&table.as_str()) {
            true => Ok(()),
            false => Err(format!("`[{table}]`: the tables are {}", TABLES.join(", "))),
        };
    }
    let (key, value) = statement.split_once('=').ok_or("neither a table nor `number = value`")?;
    let number: usize = key.trim().parse().map_err(|_| format!("`{}`: no number", key.trim()))?;
    if number >= MOST_NUMBERS {
        return Err(format!("{number} is not below {MOST_NUMBERS}"));
    }
    let value = value.trim();
    match table.as_str() {
        "in" => put(&mut inputs.inputs, number, register(value)?, EMPTY),
        "sv" => put(&mut inputs.system_values, number, register(value)?, EMPTY),
        "const" => put(&mut inputs.resources.constants, number, vectors(value)?, Vec::new()),
        "buf" => put(&mut inputs.resources.buffers, number, words(inside(value)?)?, Vec::new()),
        _ => return Err("it stands in no table".to_owned()),
    }
    Ok(())
}

fn put<T: Clone>(list: &mut Vec<T>, number: usize, value: T, absent: T) {
    if list.len() <= number {
        list.resize(number + 1, absent);
    }
    list[number] = value;
}

/// What stands between the brackets of an array.
fn inside(value: &str) -> Result<&str, String> {
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.map(str::trim).ok_or_else(|| format!("`{value}` is no array"))
}

/// A vector for all lanes, or one for each.
fn register(value: &str) -> Result<Register, String> {
    let lanes: [[u32; 4]; LANES] = if inside(value)?.starts_with('[') {
        let vectors = vectors(value)?;
        vectors.try_into().map_err(|_| format!("not one vector for each of {LANES} lanes"))?
    } else {
        [vector(inside(value)?)?; LANES]
    };
    Ok(std::array::from_fn(|component| lanes.map(|vector| vector[component])))
}

/// An array of arrays.
fn vectors(value: &str) -> Result<Vec<[u32; 4]>, String> {
    let mut rest = inside(value)?;
    let mut vectors = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(']').ok_or("an array of arrays is expected")?;
        vectors.push(vector(inside(&rest[..=end])?)?);
        rest = rest[end + 1..].trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Ok(vectors)
}

fn vector(list: &str) -> Result<[u32; 4], String> {
    let words = words(list)?;
    let mut vector = [0; 4];
    vector.get_mut(..words.len()).ok_or("more than four components")?.copy_from_slice(&words);
    Ok(vector)
}

fn words(list: &str) -> Result<Vec<u32>, String> {
    let numbers = list.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(word).collect()
}

fn word(number: &str) -> Result<u32, String> {
    let plain = number.replace('_', "");
    let digits = plain.strip_prefix("0x");
    let integer = match digits {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => plain.parse::<i64>().ok(),
    };
    if let Some(integer) = integer {
        let least = i64::from(i32::MIN);
        return match (least..=i64::from(u32::MAX)).contains(&integer) {
            true => Ok(integer as u32),
            false => Err(format!("`{number}` has more than 32 bits")),
        };
    }
    plain.parse::<f32>().map(f32::to_bits).map_err(|_| format!("`{number}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_floats_or_bits_and_lanes_may_differ() {
        let inputs = read(
            "# a comment\n[in]\n1 = [0.5, 1, -1, 0x10] # all lanes\n2 = [[1.0], [2.0],\n  [3.0], [4.0],]\n\
             [const]\n1 = [[1_0], []]\n[buf]\n0 = [7, nan]\n",
        )
        .unwrap();
        assert_eq!(inputs.inputs[0], EMPTY);
        assert_eq!(inputs.inputs[1], [[0x3f00_0000; 4], [1; 4], [u32::MAX; 4], [16; 4]]);
        assert_eq!(inputs.inputs[2][0], [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits));
        assert_eq!(inputs.resources.constants, [vec![], vec![[10, 0, 0, 0], [0; 4]]]);
        assert_eq!(inputs.resources.buffers[0][0], 7);
        assert!(f32::from_bits(inputs.resources.buffers[0][1]).is_nan());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, message) in [
            ("[inn]", "line 1: `[inn]`: the tables are in, const, sv, buf"),
            ("\n0 = [1]", "line 2: it stands in no table"),
            ("[in]\n0 = [1, x]", "line 2: `x` is no number"),
            ("[in]\n0 = [1, 2, 3, 4, 5]", "line 2: more than four components"),
            ("[in]\n0 = [[1], [2]]", "line 2: not one vector for each of 4 lanes"),
            ("[in]\n0 = [1,\n2", "line 2: the array is not closed"),
            ("[in]\n99999999 = [1]", "line 2: 99999999 is not below 4096"),
            ("[buf]\n0 = [4294967296]", "line 2: `4294967296` has more than 32 bits"),
            ("[const]\n0 = [1]", "line 2: an array of arrays is expected"),
        ] {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }
}
