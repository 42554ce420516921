//! Scratch memory, which each lane has for itself.

use super::kernel;
use crate::expression::Expression;
use crate::*;

/// Word n of a lane's scratch becomes n times the work-item.
pub(super) const INDEXED: &str = include_str!("../../../gcn-emu/data/scratch/gfx900.s");
pub(super) const INPUTS: &str = "group = [100]\n[arg]\n0 = \"buf.0\"\n8 = \"buf.1\"\n\
                                 [buf]\n0 = { words = 100 }\n1 = { words = 100 }\n";

#[test]
fn scratch_is_shown_and_asked_about_by_lane() {
    let kernel = kernel(INDEXED, INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    let ask = |debugger: &Debugger<kernel::KernelRun<'_>>, text: &str| {
        let expression = Expression::parse(text).expect("an expression");
        debugger.evaluate(&expression, 1, 3).map(|value| display(&value)).map_err(|it| it.0)
    };
    assert_eq!(ask(&debugger, "scratch[8]").as_deref(), Ok("0"));
    assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
    debugger.step_back(1, Stride::Instruction, &mut || Pace::Go);
    assert_eq!(ask(&debugger, "scratch[8] == 134").as_deref(), Ok("true"));
    assert_eq!(ask(&debugger, "all(scratch[4 * 3] == 3 * (64 + lane))").as_deref(), Ok("true"));
    assert_eq!(ask(&debugger, "scratch[36]").unwrap_err(), "there is no `scratch[36]`");
    let scopes = debugger.subject().scopes(1);
    let own = scopes.iter().find(|scope| scope.name == "Scratch").expect("a scope");
    assert_eq!(own.variables.len(), 9);
    let Bits::Lanes(lanes) = &own.variables[2].bits else { panic!("{own:?}") };
    assert_eq!((own.variables[2].name.as_str(), lanes[35]), ("scratch[8]", 2 * 99));
    // Backwards it is as it was.
    debugger.restart();
    assert_eq!(ask(&debugger, "scratch[8]").as_deref(), Ok("0"));
}
