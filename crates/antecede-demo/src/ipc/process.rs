//! The other processes: started with one end of a connection as their standard input, and none left behind.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use antecede::DeviceBrand;
use antecede_ipc::{Exporter, ImporterId, pair};
use clap::ValueEnum;

use super::{IpcArgs, START_LIMIT};
use crate::error::Error;
use crate::trusted;

/// How long a process may take to end once its connection has ended.
const END_LIMIT: Duration = Duration::from_secs(10);

/// What to start.
#[derive(Debug)]
pub(super) enum Peer {
    /// This program.
    Own { arguments: Vec<OsString> },
    /// A script that speaks the protocol. One that exports says at its standard output when it is ready.
    Script { python: PathBuf, script: PathBuf, arguments: Vec<OsString>, exports: bool },
}

impl Peer {
    /// The importer of that number. The first one makes the mistake that is asked for.
    pub(super) fn of(number: u32, args: &IpcArgs) -> Peer {
        if let Some(script) = &args.python_import {
            return Peer::Script {
                python: args.python.clone(),
                script: script.clone(),
                arguments: args.script_arguments.clone(),
                exports: false,
            };
        }
        let mut arguments: Vec<OsString> = ["ipc-importer", "--device"].map(Into::into).into();
        arguments.push(value_name(args.device));
        arguments.extend(["--time-limit".into(), args.time_limit.to_string().into()]);
        if let Some(plant) = args.plant.filter(|_| number == 0) {
            arguments.extend(["--plant".into(), value_name(plant)]);
        }
        Peer::Own { arguments }
    }
}

fn value_name(value: impl ValueEnum) -> OsString {
    // Each has a name: none is skipped.
    value.to_possible_value().map(|value| value.get_name().into()).unwrap_or_default()
}

/// A process that was started. Killed if it is dropped.
#[derive(Debug)]
struct Process {
    child: Child,
    name: String,
    is_script: bool,
    /// This process's end of the connection, until it is used.
    socket: Option<OwnedFd>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Processes(Vec<Process>);

impl Processes {
    /// Starts one more, under that name.
    pub(super) fn start(&mut self, name: String, peer: Peer) -> Result<(), Error> {
        let (here, there) = pair()?;
        let is_script = matches!(peer, Peer::Script { .. });
        let mut command = match peer {
            Peer::Own { arguments } => {
                let mut command = Command::new(env::current_exe().map_err(Error::Start)?);
                // Its only words are why it failed.
                command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
                command
            }
            Peer::Script { python, script, arguments, exports } => {
                let mut command = Command::new(python);
                command.arg(script).args(arguments);
                command.stdout(if exports { Stdio::piped() } else { Stdio::null() });
                command
            }
        };
        let program = command.get_program().to_owned();
        let child = command.stdin(there).spawn().map_err(|source| Error::Spawn { program: program.into(), source })?;
        self.0.push(Process { child, name, is_script, socket: Some(here) });
        Ok(())
    }

    /// Makes importers of all.
    pub(super) fn connect<D: DeviceBrand>(&mut self, exporter: &mut Exporter<D>) -> Result<Vec<ImporterId>, Error> {
        let connect = |process: &mut Process| match (process.socket.take(), process.is_script) {
            (Some(socket), true) => Ok(trusted::add_script(exporter, socket)?),
            (Some(socket), false) => Ok(exporter.add(socket)?),
            (None, _) => Err(antecede_ipc::Error::UnknownImporter.into()),
        };
        self.0.iter_mut().map(connect).collect()
    }

    /// The connection with the first one, once it has said at its standard output that it is ready.
    pub(super) fn when_ready(&mut self) -> Result<OwnedFd, Error> {
        let process = self.0.first_mut().ok_or(antecede_ipc::Error::NotListening)?;
        process.wait_until_ready()?;
        Ok(process.socket.take().ok_or(antecede_ipc::Error::NotListening)?)
    }

    /// Waits for the end of all: each must end well. Returns how long each of its rounds took each importer, as far as it
    /// tells.
    pub(super) fn finish(mut self) -> Result<Vec<Vec<Duration>>, Error> {
        self.0.iter_mut().map(Process::finish).collect()
    }

    /// What `error` came of: the end of a process, if one has failed.
    pub(super) fn explain(mut self, error: Error) -> Error {
        if !error.is_of_a_peer_that_is_gone() {
            return error;
        }
        self.0.iter_mut().find_map(|process| process.finish().err()).unwrap_or(error)
    }
}

impl Process {
    fn wait_until_ready(&mut self) -> Result<(), Error> {
        let Some(stdout) = self.child.stdout.take() else { return Ok(()) };
        let (said, hear) = mpsc::channel();
        // Ends with the process, which is waited for or killed.
        thread::spawn(move || said.send(BufReader::new(stdout).lines().next()));
        match hear.recv_timeout(START_LIMIT) {
            Ok(Some(Ok(line))) if line == "ready" => Ok(()),
            _ => Err(self.finish().err().unwrap_or(Error::NotReady)),
        }
    }

    fn finish(&mut self) -> Result<Vec<Duration>, Error> {
        // An end that nobody has taken would keep the process waiting.
        self.socket = None;
        // While it is waited for: it may have more to say than a pipe holds. A script tells nothing, or something else.
        let stdout = self.child.stdout.take().filter(|_| !self.is_script);
        let reader = thread::spawn(move || {
            let mut times = Vec::new();
            let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut times));
            read.map(|_| times)
        });
        match self.wait().map_err(Error::Start)? {
            Some(status) if status.success() => {
                let times = reader.join().unwrap_or_else(|_| Ok(Vec::new())).map_err(Error::Start)?;
                let times = times.as_chunks().0.iter().map(|bytes| Duration::from_nanos(u64::from_le_bytes(*bytes)));
                Ok(times.collect())
            }
            // The reader ends when the process is killed.
            status => Err(self.failed(status)),
        }
    }

    /// `None`: it does not end.
    fn wait(&mut self) -> Result<Option<ExitStatus>, std::io::Error> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait()? {
                None if begun.elapsed() < END_LIMIT => thread::sleep(Duration::from_millis(1)),
                status => return Ok(status),
            }
        }
    }

    fn failed(&mut self, status: Option<ExitStatus>) -> Error {
        let mut said = String::new();
        // Only of one that has ended: it could go on saying nothing.
        if let (Some(_), Some(mut stderr)) = (&status, self.child.stderr.take()) {
            // What can be read of it.
            let _ = stderr.read_to_string(&mut said);
        }
        let said = said.trim().trim_start_matches("antecede-demo: ").replace('\n', "; ");
        Error::Process { name: self.name.clone(), pid: self.child.id(), status, said }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended, and have been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
