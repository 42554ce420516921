//! Products of matrices: the lane and the register that hold an element of A, B, C or D, and
//! the way back.
//!
//! One rule gives them all. A matrix has lines, of which each lane has one: rows of A, columns of
//! B, C and D. What lies along a line is dealt out to groups of lanes in runs: of A and B as much
//! as a lane holds, of D four rows. Several blocks lie beside each other in the lanes, but for D
//! of more than 4 by 4, where they follow each other in the registers.

#[cfg(test)]
mod tests;

use isa::gcn::matrix::{MatrixProduct, MatrixType};

/// The lanes that hold a matrix.
pub const LANES: u32 = 64;

/// So many elements of 8 bits of a product of any format lie together, then come those of the
/// other lanes.
const RUN_OF_BYTES: u32 = 16;

/// A part of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The first factor.
    A,
    /// The second factor.
    B,
    /// The result, and what is added.
    D,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 3] = [Part::A, Part::B, Part::D];
}

/// An element of a part. Of a sparse A only the columns that are there count: two of every four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Element {
    /// Its row.
    pub row: u32,
    /// Its column.
    pub column: u32,
    /// Its block.
    pub block: u32,
}

/// The place of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The lane.
    pub lane: u32,
    /// The register, from the operand's first.
    pub register: u32,
    /// The lowest bit there.
    pub bit: u32,
}

/// The places of the elements of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    part: Part,
    /// The type of the elements.
    pub ty: MatrixType,
    /// Lines: rows of A, columns of B and D.
    pub side: u32,
    /// Elements of a line.
    pub length: u32,
    /// Blocks, all of the same size.
    pub blocks: u32,
    /// Blocks beside each other in the lanes.
    pub lane_blocks: u32,
    /// Elements of a line that lie together in a lane. They fill whole registers.
    pub run: u32,
}

impl Layout {
    /// Returns the layout of a part; `formats` are the numbers of `cbsz` and `blgp`, which some
    /// products read as types. `None` where one stands for no type.
    pub fn of(product: &MatrixProduct, part: Part, formats: [u8; 2]) -> Option<Layout> {
        let MatrixProduct { side, blocks, .. } = *product;
        let (ty, length) = match part {
            Part::A => (product.a.with_format(formats[0])?, product.held_depth()),
            Part::B => (product.b.with_format(formats[1])?, product.depth),
            Part::D => (product.d, side),
        };
        let lane_blocks = if part != Part::D || side == 4 { blocks } else { 1 };
        let mut layout = Layout { part, ty, side, length, blocks, lane_blocks, run: 1 };
        layout.run = match part {
            Part::D if ty.bits() == 64 => 1,
            Part::D => 4,
            Part::A if product.a == MatrixType::ByFormat && ty.bits() == 8 => RUN_OF_BYTES,
            Part::B if product.b == MatrixType::ByFormat && ty.bits() == 8 => RUN_OF_BYTES,
            Part::A | Part::B => length / layout.groups(),
        };
        Some(layout)
    }

    /// The groups of lanes to which a line is dealt out.
    pub fn groups(&self) -> u32 {
        LANES / (self.side * self.lane_blocks)
    }

    /// Returns the elements that a lane holds.
    pub fn held(&self) -> u32 {
        self.length / self.groups() * (self.blocks / self.lane_blocks)
    }

    /// Returns the registers that it takes.
    pub fn registers(&self) -> u32 {
        self.held() * self.ty.bits() / 32
    }

    /// Returns the rows and columns of a block.
    pub fn size(&self) -> (u32, u32) {
        if self.part == Part::A { (self.side, self.length) } else { (self.length, self.side) }
    }

    /// Returns the place of an element; `None` where the part has no such element.
    pub fn place(&self, element: Element) -> Option<Place> {
        let (rows, columns) = self.size();
        let Element { row, column, block } = element;
        if row >= rows || column >= columns || block >= self.blocks {
            return None;
        }
        let (line, along) = if self.part == Part::A { (row, column) } else { (column, row) };
        let groups = self.groups();
        let group = along / self.run % groups;
        let (lane_block, register_block) = (block % self.lane_blocks, block / self.lane_blocks);
        let own = along / (self.run * groups) * self.run + along % self.run;
        let number = own + register_block * (self.length / groups);
        let bit = number * self.ty.bits();
        Some(Place {
            lane: line + self.side * (lane_block + self.lane_blocks * group),
            register: bit / 32,
            bit: bit % 32,
        })
    }

    /// Returns the element that begins at a place; `None` where none does.
    pub fn element(&self, place: Place) -> Option<Element> {
        let bit = place.register.checked_mul(32)?.checked_add(place.bit)?;
        if place.bit >= 32 || place.lane >= LANES || bit % self.ty.bits() != 0 {
            return None;
        }
        let number = bit / self.ty.bits();
        if number >= self.held() {
            return None;
        }
        let groups = self.groups();
        let line = place.lane % self.side;
        let lane_block = place.lane / self.side % self.lane_blocks;
        let group = place.lane / (self.side * self.lane_blocks);
        let held = self.length / groups;
        let (own, register_block) = (number % held, number / held);
        let along = (own / self.run * groups + group) * self.run + own % self.run;
        let (row, column) = if self.part == Part::A { (line, along) } else { (along, line) };
        Some(Element { row, column, block: lane_block + register_block * self.lane_blocks })
    }
}

/// The place of the index that says which of four columns of a sparse A an element is: two bits
/// in the register of indexes, of the part that `abid` chooses.
pub fn index_place(layout: &Layout, element: Element, chosen: u32) -> Option<Place> {
    let Place { lane, .. } = layout.place(element)?;
    let bit = 2 * (element.column % layout.held() + chosen * layout.held());
    (bit < 32).then_some(Place { lane, register: 0, bit })
}

/// Returns how many parts the register of indexes has, of which `abid` chooses one.
pub fn index_parts(layout: &Layout) -> u32 {
    32 / (2 * layout.held())
}
