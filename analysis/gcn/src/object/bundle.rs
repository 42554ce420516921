//! Bundles of clang's offload bundler: the code of one source for several chips in one file.
//!
//! Numbers are of 64 bits, the lowest byte first. Behind the signature stands the number of
//! entries, then for each its offset from the signature, its size, the length of its name and
//! the name: `hipv4-amdgcn-amd-amdhsa--gfx906:xnack-`.

use std::ops::Range;

use super::Fault;
use super::fields::Fields;

/// The signature at the begin of a bundle.
pub(super) const SIGNATURE: &[u8; 24] = b"__CLANG_OFFLOAD_BUNDLE__";

/// Names are longer nowhere: a kind, a target triple, a chip and two features.
const LONGEST_NAME: usize = 1024;

/// A bundle at the begin of some bytes.
#[derive(Debug)]
pub(super) struct Bundle {
    /// Names of entries and their offsets, in the order of the table.
    pub(super) entries: Vec<(String, Range<usize>)>,
    /// The end of its table and of all its entries.
    pub(super) end: usize,
}

impl Bundle {
    /// Reads the bundle that begins with the bytes, which are more than its own as a rule.
    pub(super) fn read(bytes: &[u8]) -> Result<Bundle, Fault> {
        let mut fields = Fields::new(bytes.get(SIGNATURE.len()..).ok_or(Fault::Table)?);
        let count = fields.long().ok_or(Fault::Table)?;
        let mut entries: Vec<(String, Range<usize>)> = Vec::new();
        // A table that claims more rows than there are bytes ends where they do.
        for entry in 1..=count {
            let row = entry_row(&mut fields).ok_or(Fault::Table)?;
            let (offset, size, name) = row;
            let entry = usize::try_from(entry).map_err(|_| Fault::Table)?;
            let range = range(offset, size).filter(|range| range.end <= bytes.len());
            entries.push((name, range.ok_or(Fault::Outside(entry))?));
        }
        let table = bytes.len() - fields.rest();
        let end = check(&entries, table)?;
        Ok(Bundle { entries, end })
    }
}

/// The offsets of so many bytes from an offset; `None` where they are no numbers of bytes.
pub(super) fn range(offset: u64, size: u64) -> Option<Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(usize::try_from(size).ok()?)?)
}

/// Offset, size and name of the next entry.
fn entry_row(fields: &mut Fields<'_>) -> Option<(u64, u64, String)> {
    let (offset, size) = (fields.long()?, fields.long()?);
    let length = usize::try_from(fields.long()?).ok().filter(|it| *it <= LONGEST_NAME)?;
    let name = String::from_utf8_lossy(fields.take(length)?);
    Some((offset, size, name.replace(char::is_control, "\u{fffd}")))
}

/// Checks that entries lie behind the table and do not overlap, and returns where the last ends.
fn check(entries: &[(String, Range<usize>)], table: usize) -> Result<usize, Fault> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.retain(|entry| !entries[*entry].1.is_empty());
    order.sort_by_key(|entry| (entries[*entry].1.start, entries[*entry].1.end));
    let mut end = table;
    let mut last = None;
    for entry in order {
        let range = &entries[entry].1;
        if range.start < end {
            return Err(match last {
                None => Fault::InTable(entry + 1),
                Some(last) => Fault::Overlap(last + 1, entry + 1),
            });
        }
        (end, last) = (range.end, Some(entry));
    }
    Ok(end)
}
