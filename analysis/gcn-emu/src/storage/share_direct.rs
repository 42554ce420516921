//! The share as a source of vector instructions: one number for all lanes, which M0 names.
//!
//! Source: Vega ISA and MI100 ISA 11.3.1, "LDS Direct Reads": M0 holds the place in bytes,
//! a multiple of four, and above it the type. What the manual leaves open is refused:
//! other places, and types without a meaning. Behind the share's end there are zeros, as
//! for all reads of the share.

use crate::stop::Reason;

/// The number that M0 names.
pub(crate) fn direct(m0: u32, share: &[u8]) -> Result<u32, Reason> {
    let (place, ty) = (m0 & 0xffff, m0 >> 16 & 7);
    if !place.is_multiple_of(4) {
        return Err(Reason::Unsupported(format!("the share read by M0 at {place:#x}")));
    }
    let place = place as usize;
    let bytes = share.get(place..place + 4).unwrap_or(&[0; 4]);
    let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Ok(match ty {
        0 => word & 0xff,
        1 => word & 0xffff,
        2 => word,
        4 => word as i8 as u32,
        5 => word as i16 as u32,
        _ => return Err(Reason::Unsupported(format!("the share read by M0 as type {ty}"))),
    })
}
