//! Tests that several processes play together.

use antecede::driver::Driver;
use antecede::{Device, Scoped};
use antecede_sim::Sim;
use antecede_trace::{Log, Trace, judge};
use std::any::type_name_of_val;
use std::env;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What tells a process its part: test, part, seed and words, each after a line feed.
const PART: &str = "ANTECEDE_TESTKIT_PART";

/// How long a process may take to end. A test that needs it has failed: nothing may hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// Whose device it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum House {
    /// A simulator in each process.
    Sim,
    /// The first GPU.
    Gpu,
}

/// One run of a test that several processes play: one directs, and starts the others, which run the test's own binary again
/// with the test's name and a part.
#[derive(Clone, Debug)]
pub struct Theatre {
    test: String,
    house: House,
    seed: u64,
    part: Option<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    name: String,
    words: String,
}

/// What a process that was started plays.
pub type Actor = fn(&Theatre, OwnedFd);

/// A process that was started. Killed if it is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    part: String,
    receipt: String,
}

/// Mounts tests of `fn name(theatre: &Theatre)` on the simulator, with several seeds, and on a GPU, where they are ignored
/// unless they are asked for: the tests `on_sim::name` and `on_cust::name`.
#[macro_export]
macro_rules! mount_theatre {
    ($seeds:expr; $($name:ident),* $(,)?) => {
        mod on_sim {
            $(#[test]
            fn $name() {
                fn here() {}
                $crate::Theatre::open(&here, $crate::House::Sim, 0..$seeds, super::$name);
            })*
        }

        mod on_cust {
            $(#[test]
            #[ignore = "needs a GPU"]
            fn $name() {
                fn here() {}
                $crate::Theatre::open(&here, $crate::House::Gpu, 0..1, super::$name);
            })*
        }
    };
}

impl Theatre {
    /// Runs `test` once for each seed; in a process that was started for one part of it, once with the seed it was given.
    /// `here` is an item inside the test function.
    ///
    /// # Panics
    /// If the test does.
    pub fn open<F>(here: &F, house: House, seeds: std::ops::Range<u64>, test: impl Fn(&Theatre)) {
        let name = crate::process::test_name(type_name_of_val(here));
        match env::var(PART) {
            Ok(told) => {
                let mut lines = told.splitn(4, '\n');
                let mut next = || lines.next().unwrap_or_default().to_owned();
                let (of, part, seed, words) = (next(), next(), next(), next());
                assert_eq!(of, name, "this process was started for another test");
                let seed = seed.parse().expect("the seed is a number");
                let part = Some(Part { name: part, words });
                test(&Theatre { test: name, house, seed, part });
            }
            Err(_) => seeds.for_each(|seed| test(&Theatre { test: name.clone(), house, seed, part: None })),
        }
    }

    /// Plays a part: in the process that the test began in, `director`; in one that was started, the part of its name.
    ///
    /// # Panics
    /// If the part does, or there is none of that name.
    pub fn play(&self, director: impl FnOnce(&Theatre), parts: &[(&str, Actor)]) {
        let Some(part) = &self.part else { return director(self) };
        let (_, actor) = parts.iter().find(|(name, _)| *name == part.name).expect("a part of that name");
        let socket = std::io::stdin().as_fd().try_clone_to_owned().expect("standard input is the socket");
        actor(self, socket);
        println!("{}", receipt(&self.test, &part.name));
    }

    /// Starts a process for a part, and gives it `socket` and some words.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start(&self, part: &str, words: impl ToString, socket: impl Into<Stdio>) -> Running {
        let told = format!("{}\n{part}\n{}\n{}", self.test, self.seed, words.to_string());
        let binary = env::current_exe().expect("the test's binary is known");
        let child = Command::new(binary)
            .args([&self.test, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"])
            .env(PART, told)
            .stdin(socket)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the test's binary runs again");
        Running { child, part: part.to_owned(), receipt: receipt(&self.test, part) }
    }

    /// Plays a part in a process of its own, where nothing else goes on: for what counts a process's descriptors or memory.
    ///
    /// # Panics
    /// If the part fails, or does not end.
    pub fn play_alone(&self, patience: Duration, director: Actor, parts: &[(&str, Actor)]) {
        let mut all = vec![("director", director)];
        all.extend(parts);
        let start = |theatre: &Theatre| {
            theatre.start("director", "", Stdio::null()).finish_within(patience);
        };
        self.play(start, &all);
    }

    /// What the process was told when it was started.
    pub fn words(&self) -> &str {
        self.part.as_ref().map_or("", |part| &part.words)
    }

    /// The seed of this run. Each part draws from it.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whose device it is.
    pub fn house(&self) -> House {
        self.house
    }

    /// A driver for this process.
    ///
    /// # Panics
    /// If there is no GPU and it is a GPU's.
    pub fn driver(&self) -> Arc<dyn Driver> {
        match self.house {
            House::Sim => {
                Sim::builder().seed(self.seed.wrapping_mul(31) + u64::from(std::process::id() % 7)).build().into()
            }
            House::Gpu => crate::driver_on_cust(),
        }
    }

    /// Opens the device for a part, and checks at its end that nothing raced and that `leaked` buffers were leaked.
    ///
    /// # Panics
    /// If a check fails, or the closure does.
    #[track_caller]
    pub fn on_device(&self, leaked: usize, part: impl for<'id> FnOnce(Device<Scoped<'id>>)) -> Log {
        let trace = Trace::new(self.driver());
        let found = Device::scope(trace.clone(), 0, |device| {
            part(device);
            Ok(device.leaked())
        });
        assert_eq!(found, Ok(leaked), "leaked buffers, as expected of this part");
        let log = trace.log();
        let report = judge(&log);
        assert!(report.is_silent(), "{report}\n{log}");
        log
    }
}

impl Running {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it (`SIGKILL`), and waits for its end.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }

    /// Waits for its end: it must have played its part to the end.
    ///
    /// # Panics
    /// If it fails, or does not end.
    #[track_caller]
    pub fn finish(self) -> String {
        self.finish_within(PATIENCE)
    }

    /// [`finish`](Running::finish), for a part that takes its time.
    ///
    /// # Panics
    /// As [`finish`](Running::finish).
    #[track_caller]
    pub fn finish_within(mut self, patience: Duration) -> String {
        let (status, stdout, stderr) = self.ended(patience);
        assert!(status.success(), "the part `{}` failed: {status}\n{stdout}{stderr}", self.part);
        assert!(stdout.contains(&self.receipt), "the part `{}` was not played to its end\n{stdout}{stderr}", self.part);
        stdout
    }

    /// Waits for its end: it must have been killed.
    ///
    /// # Panics
    /// If it was not, or does not end.
    #[track_caller]
    pub fn finish_killed(mut self) {
        use std::os::unix::process::ExitStatusExt;
        let (status, stdout, stderr) = self.ended(PATIENCE);
        assert_eq!(status.signal(), Some(9), "the part `{}` was to be killed: {status}\n{stdout}{stderr}", self.part);
    }

    #[track_caller]
    fn ended(&mut self, patience: Duration) -> (ExitStatus, String, String) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its end can be waited for") {
                break status;
            }
            if begin.elapsed() > patience {
                let _ = self.child.kill();
                panic!("the part `{}` does not end", self.part);
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let (stdout, stderr) = self.said();
        (status, stdout, stderr)
    }

    fn said(&mut self) -> (String, String) {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        if let Some(mut pipe) = self.child.stdout.take() {
            let _ = pipe.read_to_string(&mut stdout);
        }
        if let Some(mut pipe) = self.child.stderr.take() {
            let _ = pipe.read_to_string(&mut stderr);
        }
        (stdout, stderr)
    }
}

/// If the test fails, what the process has said is part of what went wrong.
impl Drop for Running {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // It may be about to say more.
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let (stdout, stderr) = self.said();
            eprintln!("---- the part `{}` said:\n{stdout}{stderr}----", self.part);
        }
    }
}

/// What a process prints that has played its part to the end: that it exits with success alone would also be true of one
/// that found no test of that name.
fn receipt(test: &str, part: &str) -> String {
    format!("`{test}`: the part `{part}` was played to its end")
}
