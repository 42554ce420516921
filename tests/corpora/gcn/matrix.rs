//! Products of matrices against AMD's matrix instruction calculator: sizes, clocks, registers,
//! modifiers, and the places of elements, which the calculator gives as formulas.

use std::collections::{BTreeMap, HashMap};

use gcn::Target;
use gcn::matrix::{Element, Layout, Part, Place, index_place};
use gcn::mnemonics::op_info;
use isa::gcn::matrix::{FirstModifier, MatrixProduct, MatrixType, SecondModifier};
use tests::corpora::shared;

/// The rows of instructions that Tungsten's chips have: those of MI100 to MI300.
const ROWS: usize = 93;

/// Rows of the calculator, each a map from column to cell.
fn rows() -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(shared("data/cdna/mfma-table.tsv")).expect("the table");
    let mut lines =
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let own = lines.filter(|row| row[0].starts_with("cdna"));
    own.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

fn chip(architecture: &str) -> Target {
    let name = match architecture {
        "cdna1" => "gfx908",
        "cdna2" => "gfx90a",
        "cdna3" => "gfx942",
        other => panic!("{other}"),
    };
    Target::find(name).expect(name)
}

fn ty(words: &str) -> MatrixType {
    let known = [
        ("FP64", MatrixType::F64),
        ("FP32", MatrixType::F32),
        ("FP16", MatrixType::F16),
        ("BF16", MatrixType::Bf16),
        ("int8", MatrixType::I8),
        ("int32", MatrixType::I32),
        ("FP8", MatrixType::Fp8),
        ("BF8", MatrixType::Bf8),
    ];
    let found = known.iter().find(|(word, _)| words.starts_with(word));
    found.unwrap_or_else(|| panic!("{words}")).1
}

/// The values of the letters of a formula.
type Values<'a> = &'a [(&'a str, u32)];

/// Evaluates a formula: sums, products, remainders and `floor` of quotients.
struct Formula<'a> {
    rest: &'a str,
    values: Values<'a>,
}

impl Formula<'_> {
    fn of(text: &str, values: Values<'_>) -> u32 {
        let mut formula = Formula { rest: text.trim(), values };
        let value = formula.sum();
        assert_eq!(formula.rest, "", "{text}");
        value
    }

    fn eat(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    fn sum(&mut self) -> u32 {
        let mut value = self.product();
        while self.eat("+") {
            value += self.product();
        }
        value
    }

    fn product(&mut self) -> u32 {
        let mut value = self.atom();
        loop {
            if self.eat("*") {
                value *= self.atom();
            } else if self.eat("/") {
                value /= self.atom();
            } else if self.eat("%") {
                value %= self.atom();
            } else {
                return value;
            }
        }
    }

    fn atom(&mut self) -> u32 {
        if self.eat("floor") || self.rest.starts_with('(') {
            assert!(self.eat("("), "{}", self.rest);
            let value = self.sum();
            assert!(self.eat(")"), "{}", self.rest);
            return value;
        }
        let end = self.rest.find(|it: char| !it.is_alphanumeric() && it != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        let known = self.values.iter().find(|(name, _)| *name == word).map(|it| it.1);
        known.or_else(|| word.parse().ok()).unwrap_or_else(|| panic!("`{word}` `{rest}`"))
    }
}

/// Returns the register and lowest bit of a formula: `G`, `G.[HIGH : LOW]` or `[HIGH : LOW]`,
/// which are registers.
fn register(text: &str, values: Values<'_>) -> (u32, u32) {
    let Some((before, bits)) = text.split_once('[') else {
        return (Formula::of(text, values), 0);
    };
    let (_, low) = bits.trim_end_matches(']').split_once(':').expect(text);
    let low = Formula::of(low, values);
    match before.trim_end_matches('.') {
        "" => (low, 0),
        register => (Formula::of(register, values), low),
    }
}

const FORWARD: &str = "Matrix element to register mapping with no modifiers/";
const BACK: &str = "Register to matrix element mapping with no modifiers/";

/// Compares the places of all elements of a part; returns how many.
fn places(row: &HashMap<String, String>, product: &MatrixProduct, part: Part) -> usize {
    let name = &row["instruction"];
    let layout = Layout::of(product, part, [0, 0]).expect(name);
    let title = match part {
        Part::A => "A[i][k].block",
        Part::B => "B[k][j].block",
        Part::D if product.is_sparse() => "D[i][j].block",
        Part::D => "C or D[i][j].block",
    };
    let [gpr, lane] = ["GPR", "Lane"].map(|it| &row[&format!("{FORWARD}{title} {it}")]);
    let (rows, columns) = layout.size();
    let mut compared = 0;
    for block in 0..product.blocks {
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let element = Element { row: i, column: j, block };
            let place = layout.place(element).expect(name);
            let sparse_a = product.is_sparse() && part == Part::A;
            let values: &[(&str, u32)] = &match part {
                // The calculator counts the columns that are not there.
                Part::A => [("i", i), ("k", if sparse_a { 2 * j } else { j }), ("block", block)],
                Part::B => [("k", i), ("j", j), ("block", block)],
                Part::D => [("i", i), ("j", j), ("block", block)],
            };
            assert_eq!(
                place.lane,
                Formula::of(lane, values),
                "{name} {part:?} {element:?}: {lane}"
            );
            if product.is_sparse() && part == Part::B {
                back(row, product, place, element);
            } else {
                let found = register(gpr, values);
                // Which two of four columns a lane holds, indexes say: the formula names both.
                let pair = 2 * layout.ty.bits();
                let bit = if sparse_a { place.bit / pair * pair } else { place.bit };
                assert_eq!((place.register, bit), found, "{name} {part:?} {element:?}: {gpr}");
            }
            compared += 1;
        }
    }
    compared
}

/// Compares the way back for B of a sparse product, whose formula of registers the calculator
/// writes as if a register held one element: `k % 4`.
fn back(row: &HashMap<String, String>, product: &MatrixProduct, place: Place, element: Element) {
    let bits = product.b.bits();
    let values: &[(&str, u32)] =
        &[("lane", place.lane), ("GPR_num", place.register), ("GPR_bits", place.bit / bits * bits)];
    let name = &row["instruction"];
    assert_eq!(Formula::of(&row[&format!("{BACK}B k")], values), element.row, "{name}");
    assert_eq!(Formula::of(&row[&format!("{BACK}B j")], values), element.column, "{name}");
}

/// Compares the places of indexes; returns how many.
fn indexes(row: &HashMap<String, String>, product: &MatrixProduct) -> usize {
    let name = &row["instruction"];
    let layout = Layout::of(product, Part::A, [0, 0]).expect(name);
    let [gpr, lane] = ["GPR", "Lane"].map(|it| &row[&format!("{FORWARD}compression[i][k] {it}")]);
    let mut compared = 0;
    for i in 0..product.side {
        for column in (0..product.held_depth()).step_by(2) {
            let element = Element { row: i, column, block: 0 };
            let place = index_place(&layout, element, 0).expect(name);
            let values: &[(&str, u32)] = &[("i", i), ("k", 2 * column)];
            assert_eq!(place.lane, Formula::of(lane, values), "{name} {element:?}: {lane}");
            assert_eq!((place.register, place.bit), register(gpr, values), "{name}: {gpr}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn products_are_those_of_amds_calculator() {
    let rows = rows();
    assert_eq!(rows.len(), ROWS);
    let (mut elements, mut missing) = (BTreeMap::<&str, usize>::new(), Vec::new());
    let mut agreed = 0;
    for row in &rows {
        let (target, name) = (chip(&row["arch"]), row["instruction"].as_str());
        let subtarget = target.row().subtarget;
        let found = op_info(name).and_then(|info| info.opcode.matrix_product(subtarget));
        let Some(product) = found else {
            missing.push(format!("{} {name}", target.name()));
            continue;
        };
        let number =
            |column: &str| row[column].parse::<u32>().unwrap_or_else(|_| panic!("{column}"));
        let size = ["M", "N", "K", "blocks"].map(|it| number(&format!("Matrix Dimensions/{it}")));
        let MatrixProduct { side, depth, blocks, .. } = *product;
        assert_eq!(size, [side, side, depth, blocks], "{name}");
        let clocks = number("Execution statistics/Execution cycles");
        assert_eq!(clocks, 4 * u32::from(product.passes), "{name} on {}", target.name());
        let beside = &row["Execution statistics/VALU co-execution cycles possible"];
        let beside = if beside.is_empty() { 0 } else { beside.parse().expect(name) };
        assert_eq!(product.beside, Some(beside), "{name} on {}", target.name());
        let registers =
            ["A", "B", "D"].map(|it| number(&format!("Register usage/GPRs required for {it}")));
        assert_eq!(registers, product.registers.map(u32::from), "{name}");
        let types =
            ["Src0", "Src1", "Vdst"].map(|it| ty(&row[&format!("Register data types/{it}")]));
        let own = [product.a, product.b, product.d];
        // The calculator calls the cut floats by what the registers hold.
        let own = own.map(|it| if it == MatrixType::Xf32 { MatrixType::F32 } else { it });
        assert_eq!(types, own, "{name}");
        let flag = |column: &str| row[&format!("Register modifiers/{column}")] == "True";
        assert_eq!(flag("Sparse A matrix"), product.is_sparse(), "{name}");
        let first = product.first_modifier != FirstModifier::Ignored;
        assert_eq!(flag("CBSZ and ABID bits supported"), first, "{name} on {}", target.name());
        let second = product.second_modifier != SecondModifier::Ignored;
        assert_eq!(flag("BLGP bits supported"), second, "{name} on {}", target.name());
        let operations = ["FLOPs", "Ops"].map(|it| &row[&format!("Execution statistics/{it}")]);
        let operations = operations.iter().find_map(|it| it.parse::<u32>().ok());
        assert!(operations.is_none_or(|it| it == product.operations()), "{name}: {operations:?}");
        for part in Part::ALL {
            *elements.entry(target.name()).or_default() += places(row, product, part);
        }
        if product.is_sparse() {
            *elements.entry("indexes").or_default() += indexes(row, product);
        }
        agreed += 1;
    }
    println!("{agreed} of {ROWS} agree; places compared: {elements:?}; missing: {missing:?}");
    assert_eq!(agreed, ROWS, "{missing:?}");
}
