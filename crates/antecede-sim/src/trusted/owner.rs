//! The handles of a simulator together, and its threads.

use std::io;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::executor::Shared;
use crate::processes::Courier;
use crate::sim::Builder;

/// What the handles of one simulator hold together. When the last one goes, so do its threads.
#[derive(Debug)]
pub(crate) struct Owner {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Owner {
    pub(crate) fn new(builder: &Builder, seed: u64) -> Self {
        Owner { shared: Arc::new(Shared::new(builder, seed)), threads: Mutex::default() }
    }

    /// Starts the thread that talks with other simulators, and the one that runs what they ask for, unless they run.
    pub(crate) fn start_courier(&self) -> io::Result<()> {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lock().courier.is_some() {
            return Ok(());
        }
        let (courier, talk) = Courier::start()?;
        let (talking, running) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        // The courier is there before its thread looks for it.
        self.lock().courier = Some(courier);
        let named = |name: &str| thread::Builder::new().name(name.into());
        let started = named("sim courier").spawn(move || talk(&talking)).and_then(|courier| {
            threads.push(courier);
            threads.push(named("sim runner").spawn(move || running.run_for_others())?);
            Ok(())
        });
        if started.is_err()
            && let Some(courier) = self.lock().courier.take()
        {
            courier.bell().ring();
        }
        started
    }
}

impl Deref for Owner {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.shared.close();
        let threads = std::mem::take(self.threads.get_mut().unwrap_or_else(PoisonError::into_inner));
        // A kernel of the runner may have held the last handle.
        for thread in threads.into_iter().filter(|thread| thread.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }
}
