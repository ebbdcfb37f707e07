//! All programs of all languages, compiled and judged.

use crate::compiler::{self, Library, Refusal};
use crate::erase::{Takes, erase};
use crate::language::Language;
use crate::program::Program;
use crate::ran::expected;
use crate::render::{Doors, function};
use crate::tally::Tally;
use crate::verdict::verdict;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub struct Experiment<'a> {
    /// The library to compile against.
    pub library: &'a Library,
    /// The number of operations, which languages add to.
    pub length: usize,
    /// Programs of one file.
    pub file: NonZero<usize>,
    /// Files that are compiled at once.
    pub jobs: NonZero<usize>,
    /// How hand-overs are written, and what they then do.
    pub doors: Doors,
}

impl Experiment<'_> {
    /// Compiles and judges every program of the languages. `progress` is told of each file: the language, how many of
    /// its programs are done, and how many there are.
    ///
    /// # Errors
    /// If the verdicts of rustc are not to be trusted.
    ///
    /// # Panics
    /// If the two deciders disagree on a program.
    pub fn run(
        &self,
        languages: &[Language],
        progress: impl Fn(&'static str, usize, usize) + Sync,
    ) -> Result<Tally, compiler::Error> {
        let mut tally = Tally::default();
        let mut accepted = Vec::new();
        for (language, programs) in Language::programs_of(languages, self.length) {
            tally.begin(language.name, language.length(self.length));
            let done = AtomicUsize::new(0);
            let refusals = self.compile(&programs, |more| {
                let done = done.fetch_add(more, Ordering::Relaxed) + more;
                progress(language.name, done, programs.len());
            })?;
            for (program, refusal) in programs.iter().zip(&refusals) {
                let verdict = verdict(program, self.takes()).expect("enumerated programs are well-formed");
                tally.add(program, verdict, refusal.as_ref());
                accepted.extend(refusal.is_none().then(|| program.clone()));
            }
        }
        if self.doors == Doors::Checked {
            if tally.holes.is_empty() {
                self.compare_calls(&accepted, &progress)?;
            }
            let plans = tally.completeness.plans();
            let done = AtomicUsize::new(0);
            let refusals = self.compile(&plans, |more| {
                let done = done.fetch_add(more, Ordering::Relaxed) + more;
                progress("plain ways to do the same", done, plans.len());
            })?;
            for (plan, _) in plans.iter().zip(&refusals).filter(|(_, refusal)| refusal.is_none()) {
                tally.completeness.add(plan, false, None);
            }
        }
        Ok(tally)
    }

    /// Runs accepted programs: they make the calls that are judged, and the judge finds no race in them.
    fn compare_calls(
        &self,
        accepted: &[Program],
        progress: &(impl Fn(&'static str, usize, usize) + Sync),
    ) -> Result<(), compiler::Error> {
        let done = AtomicUsize::new(0);
        let made = self.run_all(accepted, |more| {
            let done = done.fetch_add(more, Ordering::Relaxed) + more;
            progress("accepted programs, run", done, accepted.len());
        })?;
        for (program, made) in accepted.iter().zip(made) {
            let calls = erase(program, Takes::Made).expect("it is a program").calls;
            assert_eq!(made, expected(&calls), "the calls of {program:?} are not those that were judged");
        }
        Ok(())
    }

    /// What hand-overs do, as they are written.
    fn takes(&self) -> Takes {
        match self.doors {
            Doors::Checked => Takes::Made,
            Doors::TakeUnchecked => Takes::Believed,
        }
    }

    /// Why each program is refused, or `None`.
    ///
    /// # Errors
    /// If the verdicts of rustc are not to be trusted.
    pub fn compile(
        &self,
        programs: &[Program],
        done: impl Fn(usize) + Sync,
    ) -> Result<Vec<Option<Refusal>>, compiler::Error> {
        self.in_files(programs, self.file, done, |programs, folder| self.compile_file(programs, folder))
    }

    /// By program, the calls that it makes when it is run. All are accepted.
    ///
    /// # Errors
    /// If one is not, or fails or races.
    pub fn run_all(&self, programs: &[Program], done: impl Fn(usize) + Sync) -> Result<Vec<String>, compiler::Error> {
        // To make machine code takes longer than to check.
        let file = NonZero::new(self.file.get().div_ceil(4)).unwrap_or(self.file);
        self.in_files(programs, file, done, |programs, folder| compiler::run(self.library, folder, programs))
    }

    /// Has the files done by as many threads as there are jobs.
    fn in_files<T: Clone + Send>(
        &self,
        programs: &[Program],
        file: NonZero<usize>,
        done: impl Fn(usize) + Sync,
        each: impl Fn(&[Program], &Path) -> Result<Vec<T>, compiler::Error> + Sync,
    ) -> Result<Vec<T>, compiler::Error> {
        let files: Vec<&[Program]> = programs.chunks(file.get()).collect();
        let next = AtomicUsize::new(0);
        let finished = Mutex::new(vec![None; files.len()]);
        let work = || -> Result<(), compiler::Error> {
            let folder = tempfile::tempdir().map_err(compiler::Error::Io)?;
            while let Some(place) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < files.len()) {
                let found = each(files[place], folder.path())?;
                done(files[place].len());
                finished.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(found);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.get()).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
        let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(finished.into_iter().flat_map(|file| file.expect("every file is done")).collect())
    }

    fn compile_file(&self, programs: &[Program], folder: &Path) -> Result<Vec<Option<Refusal>>, compiler::Error> {
        let render = |(number, program)| function(&format!("p{number}"), program, self.doors);
        let functions: Vec<String> = programs.iter().enumerate().map(render).collect();
        compiler::compile(self.library, folder, &functions)
    }
}
