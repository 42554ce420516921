//! Facts that metadata state of kernels: sizes of workgroups and local data share, and the
//! arguments that nobody passes.
//!
//! The two generations of LLVM's metadata are YAML, with the same facts under other names.
//! They are read key by key: a text that is being written is rarely whole, and nothing but
//! these keys is asked for.

use rustc_hash::FxHashMap;

use super::hidden_arguments::{HiddenArgument, HiddenKind};
use crate::assembler::Expansion;

/// The sizes that are stated of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sizes {
    /// The work-items of every workgroup.
    required: Option<u32>,
    /// The most work-items of a workgroup.
    most: Option<u32>,
    /// Bytes of local data share of a workgroup.
    pub(super) lds: Option<u32>,
}

impl Sizes {
    /// The work-items of a workgroup: as many as it must have, else as many as it may.
    pub(super) fn work_items(self) -> Option<u32> {
        self.required.or(self.most)
    }
}

/// The metadata of all kernels, by their names. Takes time linear in the text.
pub(super) fn sizes(expansion: &Expansion) -> FxHashMap<Box<str>, Sizes> {
    read(expansion).kernels
}

/// The hidden arguments of all kernels that have some, by their names. Takes time linear in the
/// text.
pub(super) fn hidden_arguments(expansion: &Expansion) -> FxHashMap<Box<str>, Vec<HiddenArgument>> {
    read(expansion).hidden
}

fn read(expansion: &Expansion) -> Reader {
    let mut reader = Reader::default();
    for metadata in &expansion.metadata {
        metadata.text.lines().for_each(|line| reader.line(line));
        reader.end_of_text();
    }
    reader
}

/// The product of sizes: `64`, `[16, 16, 1]` or `16, 16, 1`; `None` where one is not a number.
pub(super) fn product(sizes: &str) -> Option<u32> {
    let sizes = sizes.trim().trim_start_matches('[').trim_end_matches(']');
    let mut product = 1_u32;
    for size in sizes.split(',') {
        product = product.saturating_mul(size.trim().parse().ok()?);
    }
    (product > 0).then_some(product)
}

#[derive(Debug, Default)]
struct Reader {
    kernels: FxHashMap<Box<str>, Sizes>,
    /// Tells whether the list of kernels has begun.
    in_kernels: bool,
    /// The column of the dash of each kernel, once there was one.
    dash: Option<usize>,
    /// The column of the keys of the kernel.
    keys: usize,
    /// The kernel's symbol, and its name in the language that it was written in.
    names: [Box<str>; 2],
    sizes: Sizes,
    /// The size of a workgroup so far, where its dimensions stand in lines of their own.
    dimensions: Option<u32>,
    /// The hidden arguments of kernels, and of the kernel.
    hidden: FxHashMap<Box<str>, Vec<HiddenArgument>>,
    own_hidden: Vec<HiddenArgument>,
    argument: Argument,
}

/// An argument as far as it was read.
#[derive(Debug, Default)]
struct Argument {
    offset: Option<u32>,
    size: Option<u32>,
    kind: Option<HiddenKind>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let code = line.trim_ascii_start();
        let column = line.len() - code.len();
        if !self.in_kernels {
            self.in_kernels = code.starts_with("amdhsa.kernels:") || code.starts_with("Kernels:");
            return;
        }
        if let Some(product) = self.dimensions {
            let size = code.strip_prefix('-').and_then(|it| it.trim().parse::<u32>().ok());
            if let Some(size) = size {
                self.dimensions = Some(product.saturating_mul(size));
                return;
            }
            self.sizes.required = Some(product).filter(|it| *it > 0);
            self.dimensions = None;
        }
        if code.starts_with('-') && self.dash.is_none_or(|dash| dash == column) {
            self.end_of_kernel();
            self.dash = Some(column);
            let key = |letter: char| letter == '.' || letter.is_ascii_alphabetic();
            self.keys = column + code.find(key).unwrap_or(1);
        } else if code.starts_with('-') {
            self.end_of_argument();
        }
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once(':') {
            let key = before.rsplit([' ', '\t', '{', ',', '-']).next().unwrap_or_default();
            let start = line.len() - rest.len() + before.len() - key.len();
            self.entry(key, start, behind);
            rest = behind;
        }
    }

    /// A key at a column, with all that is behind it in its line.
    fn entry(&mut self, key: &str, column: usize, behind: &str) {
        let behind = behind.trim();
        let end = match behind.strip_prefix('[') {
            Some(list) => list.find(']').map_or(behind.len(), |it| it + 2),
            None => behind.find([',', '}', '#']).unwrap_or(behind.len()),
        };
        let value = behind[..end].trim();
        let name = || -> Box<str> {
            let bare = value.trim_matches(['\'', '"']);
            bare.trim_end_matches(".kd").trim_end_matches("@kd").into()
        };
        match key {
            ".symbol" | "SymbolName" => self.names[0] = name(),
            // Arguments have names as well, further to the right.
            ".name" | "Name" if column == self.keys => self.names[1] = name(),
            ".reqd_workgroup_size" | "ReqdWorkGroupSize" if value.is_empty() => {
                self.dimensions = Some(1);
            }
            ".reqd_workgroup_size" | "ReqdWorkGroupSize" => self.sizes.required = product(value),
            ".max_flat_workgroup_size" | "MaxFlatWorkGroupSize" => self.sizes.most = product(value),
            ".group_segment_fixed_size" | "GroupSegmentFixedSize" => {
                self.sizes.lds = value.parse().ok();
            }
            ".offset" => self.argument.offset = value.parse().ok(),
            ".size" => self.argument.size = value.parse().ok(),
            ".value_kind" => self.argument.kind = HiddenKind::from_word(value),
            _ => {}
        }
    }

    fn end_of_argument(&mut self) {
        let Argument { offset, size, kind } = std::mem::take(&mut self.argument);
        if let (Some(offset), Some(size), Some(kind)) = (offset, size, kind) {
            self.own_hidden.push(HiddenArgument { offset, size, kind });
        }
    }

    fn end_of_kernel(&mut self) {
        self.end_of_argument();
        let hidden = std::mem::take(&mut self.own_hidden);
        let [symbol, name] = std::mem::take(&mut self.names);
        let sizes = std::mem::take(&mut self.sizes);
        let name = if symbol.is_empty() { name } else { symbol };
        if !name.is_empty() {
            if !hidden.is_empty() {
                self.hidden.insert(name.clone(), hidden);
            }
            self.kernels.insert(name, sizes);
        }
    }

    fn end_of_text(&mut self) {
        self.line("");
        self.end_of_kernel();
        let Reader { kernels, hidden, .. } = std::mem::take(self);
        *self = Reader { kernels, hidden, ..Reader::default() };
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::program::{Options, assemble};

    fn stated(text: &str) -> String {
        let program = assemble(text, &Options::of(text, ""), &|_| None, &source::no_checkpoint);
        let mut all: Vec<_> = program.metadata.iter().collect();
        all.sort_by(|left, right| left.0.cmp(right.0));
        let shown = all
            .iter()
            .map(|(name, it)| format!("{name}: {:?} of {:?}, {:?}", it.required, it.most, it.lds));
        shown.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn both_generations_of_metadata_state_sizes() {
        let newer = "\
.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .name: size
        .offset: 0
    .group_segment_fixed_size: 16384
    .max_flat_workgroup_size: 256
    .name: one
    .symbol: one.kd
  - .name:           two
    .reqd_workgroup_size:
      - 8
      - 4
      - 2
    .symbol:         'two.kd'
  - { .name: three, .symbol: three.kd, .reqd_workgroup_size: [ 64, 1, 1 ], .max_flat_workgroup_size: 1024 }
  - .name: four
    .max_flat_workgroup_size: many
amdhsa.version: [1, 0]
...
.end_amdgpu_metadata
";
        let older = "\
.macro metadata wg_x
  .amd_amdgpu_hsa_metadata
  { Version: [ 1, 0 ],
    Kernels:
    - { Name: five, SymbolName: 'five@kd', Language: OpenCL C,
        Attrs:
          { ReqdWorkGroupSize: [ \\wg_x, 1, 1 ] }
        CodeProps:
          { KernargSegmentSize: 72, GroupSegmentFixedSize: 512, WavefrontSize: 64, MaxFlatWorkGroupSize: \\wg_x }
        Args:
        - { Name: N, Size: 4 }
      }
  }
  .end_amd_amdgpu_hsa_metadata
.endm
metadata 192
";
        let in_lines = "\
.amd_amdgpu_hsa_metadata
Version: [ 1, 0 ]
Kernels:
  - Name: six
    SymbolName: 'six@kd'
    Attrs:
      ReqdWorkGroupSize:
        - 16
        - 2
        - 1
.end_amd_amdgpu_hsa_metadata
";
        expect![[r#"
            four: None of None, None
            one: None of Some(256), Some(16384)
            three: Some(64) of Some(1024), None
            two: Some(64) of None, None"#]]
        .assert_eq(&stated(newer));
        expect!["five: Some(192) of Some(192), Some(512)"].assert_eq(&stated(older));
        expect!["six: Some(32) of None, None"].assert_eq(&stated(in_lines));
    }
}
