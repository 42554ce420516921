//! Digits without format strings.

use source::digits::{bytes, capitals_of_bytes, decimal, hex, of_bytes, signed};

#[test]
fn digits_are_those_of_format_strings() {
    for value in [0, 1, 9, 10, 15, 16, 99, 100, 255, 1000, 12_345, 1 << 32, u64::MAX] {
        let mut out = String::new();
        decimal(&mut out, value);
        out.push(' ');
        signed(&mut out, value as i64);
        out.push(' ');
        hex(&mut out, value, 4);
        out.push(' ');
        hex(&mut out, value, 18);
        bytes(&mut out, [value as u8, 0xab]);
        let [low, signed] = [value as u8 as i64, value as i64];
        let wanted = format!("{value} {signed} {value:04x} {value:018x}{low:02x}ab");
        assert_eq!(out, wanted);
        let capitals = capitals_of_bytes(value.to_be_bytes());
        assert_eq!(capitals.as_flattened(), format!("{value:016X}").as_bytes());
        assert_eq!(
            of_bytes([value as u8, 0xab]).as_flattened(),
            &wanted.as_bytes()[wanted.len() - 4..]
        );
    }
}
