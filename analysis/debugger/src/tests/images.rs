//! Images of a kernel as variables, in expressions and as memory.

use super::kernel;
use crate::expression::Expression;
use crate::*;

const HALVE: &str = include_str!("../../../../examples/halve.s");
const INPUTS: &str = include_str!("../../../../examples/halve.inputs.toml");

#[test]
fn images_are_shown_asked_about_and_read() {
    let kernel = kernel(HALVE, INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    let scopes = debugger.subject().scopes(0);
    let images = scopes.iter().find(|scope| scope.name == "Images").expect("images");
    let texel = &images.variables[0].parts[5];
    assert_eq!((images.variables[0].parts.len(), texel.name.as_str()), (16, "img[0][5]"));
    assert_eq!(texel.parts[0].bits, Bits::Word(6.0_f32.to_bits()));
    let value = |debugger: &Debugger<_>, text: &str| {
        let own = Expression::parse(text).expect("an expression");
        debugger.evaluate(&own, 0, 3).map(|it| display(&it))
    };
    assert_eq!(value(&debugger, "img[0][10].x == 255.0"), Ok("true".to_owned()));
    assert_eq!(value(&debugger, "img[0][16].x"), Err("there is no `img[0][16]`".into()));
    assert_eq!(value(&debugger, "img[1][0].x"), Err("there is no `img[1]`".into()));
    let (name, address, bytes) = debugger.subject().memories().pop().expect("memories");
    assert_eq!((name.as_str(), bytes), ("img[0]", 4 * 256));
    assert_eq!(debugger.subject().memory(address, 4), [0, 2, 10, 20]);
    assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
    assert_eq!(value(&debugger, "buf[0][3] == 191.25"), Ok("true".to_owned()));
    // Backwards to the beginning: nothing is written any more.
    assert_eq!(debugger.go_back(&mut || Pace::Go), Stop::Beginning);
    assert_eq!(value(&debugger, "buf[0][3]"), Ok("0".to_owned()));
}
