//! The `evens` program. Everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    evens::cli::main()
}
