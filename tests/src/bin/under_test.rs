//! The `tungsten` binary, as the tests of this package find it.
//!
//! With the word `compile-for-ever` it is a server whose compiler never ends, for the test
//! that such a compiler does not outlive it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == tests::endless::WORD) {
        tests::endless::run(arguments.next().unwrap_or_default().into());
    }
    server::cli::main()
}
