//! `antecede-demo`: see `antecede-demo --help`.

use std::io::{self, Write};
use std::process::ExitCode;

use antecede_demo::{Cli, Command, Error, crypt, handle_signals, ipc, ipc_importer, race, timeline};
use clap::Parser;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "antecede-demo: {error}");
            error.exit_code().into()
        }
    }
}

fn run(command: Command) -> Result<(), Error> {
    handle_signals().map_err(Error::Start)?;
    match command {
        Command::Crypt(args) => crypt(&args),
        Command::Race(args) => race(args.device, &mut io::stdout().lock()),
        Command::Ipc(args) => ipc(&args, &mut io::stdout().lock()),
        Command::IpcImporter(args) => ipc_importer(&args),
        Command::Timeline(args) => timeline(&args),
    }
}
