//! The products of matrices: `matrix.tsv`.

use tables::print::array;

use super::Input;
use super::families;
use crate::plain::matrix::{
    FirstModifier, LayoutSource, MatrixKind, MatrixProduct, MatrixType, SecondModifier,
};
use tables::{Result, Row};

/// Returns the code for the products, and the number of each opcode's on each set of features.
pub(crate) fn code(input: Input<'_>) -> Result<String> {
    let table = input.table("matrix")?;
    let rows = table.rows().map(product).collect::<Result<Vec<_>>>()?;
    let of = families::resolve(&table, input, families::fits, |_| false)?;
    let sets = input.features.sets().len();
    let mut numbers = Vec::new();
    for (op, of) in input.ops.iter().zip(&of).filter(|(_, of)| of.iter().any(Option::is_some)) {
        let own = of.iter().map(|it| it.map_or(u8::MAX, |row| row as u8));
        let own: Vec<u8> = own.collect();
        numbers.push(format!("    (Opcode::{}, {own:?}),\n", op.name));
    }
    if rows.len() >= usize::from(u8::MAX) {
        return Err(format!("{}: more rows than a byte counts", table.path()).into());
    }
    let printed: Vec<String> = rows.iter().map(|row| format!("    {row:?},\n")).collect();
    let products = array("PRODUCTS", "MatrixProduct", &printed);
    Ok(products + &array("PRODUCTS_OF", &format!("(Opcode, [u8; {sets}])"), &numbers))
}

fn product(row: Row<'_>) -> Result<MatrixProduct> {
    let passes = row.cell("passes")?;
    let (passes, byte_passes) = passes.split_once('|').unwrap_or((passes, passes));
    let count = |cell: &str| cell.parse::<u8>().map_err(|_| row.refuse("passes"));
    let registers = row.cell("registers")?.split(' ').map(str::parse);
    let registers = registers.collect::<Result<Vec<u8>, _>>().unwrap_or_default();
    let beside = row.optional_number("beside")?.map(u8::try_from);
    let product = MatrixProduct {
        side: row.number("side")?,
        depth: row.number("depth")?,
        blocks: row.number("blocks")?,
        a: row.named("a", MatrixType::named)?,
        b: row.named("b", MatrixType::named)?,
        d: row.named("d", MatrixType::named)?,
        kind: row.named("kind", MatrixKind::named)?,
        passes: count(passes)?,
        byte_passes: count(byte_passes)?,
        registers: registers.try_into().map_err(|_| row.refuse("registers"))?,
        first_modifier: row.named("a_modifier", FirstModifier::named)?,
        second_modifier: row.named("b_modifier", SecondModifier::named)?,
        beside: beside.transpose().map_err(|_| row.refuse("beside"))?,
        layout: row.named("layout", LayoutSource::named)?,
        source: row.cell("source")?.to_owned().leak(),
    };
    // 64 lanes hold all elements, and nothing else.
    let MatrixProduct { side, blocks, .. } = product;
    let dwords = |elements: u32, ty: MatrixType| elements * blocks * ty.bits() / 32 / 64;
    let wanted = [
        dwords(side * product.held_depth(), product.a),
        dwords(side * product.depth, product.b),
        dwords(side * side, product.d),
    ];
    if product.registers.map(u32::from) == wanted {
        Ok(product)
    } else {
        Err(row.refuse("registers"))
    }
}
