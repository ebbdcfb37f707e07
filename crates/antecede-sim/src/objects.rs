//! What is made and let go of: contexts, events, modules.

use antecede::driver::{ContextRef, DriverResult, ErrorKind, EventId, EventRef, LoadedModule, ModuleDecl, ModuleRef};

use crate::Call;
use crate::error::{error, invalid_value};
use crate::processes::Sharing;
use crate::state::{EventEntry, ModuleEntry, State};

impl State {
    pub(crate) fn open_context(&mut self, ordinal: u32) -> DriverResult<ContextRef> {
        let context = self.context_ref(ordinal);
        let context =
            context.ok_or_else(|| error(Call::ContextOpen, ErrorKind::NoDevice, format!("no device {ordinal}")))?;
        if let Some(entry) = self.contexts.get_mut(ordinal as usize) {
            entry.opened += 1;
        }
        Ok(context)
    }

    pub(crate) fn create_event(&mut self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        let call = Call::EventCreate;
        self.context(call, context)?;
        if self.events.contains_key(&id) {
            return Err(invalid_value(call, format!("{id:?} is in use")));
        }
        let handle = self.event_handles.issue();
        self.events.insert(id, EventEntry { context: *context, handle, latest: None, sharing: Sharing::Private });
        Ok(handle)
    }

    /// Waits hold a copy of the record: nothing depends on the event itself.
    pub(crate) fn destroy_event(&mut self, event: &EventRef) -> DriverResult {
        self.event(Call::EventDestroy, event)?;
        if let Some(Sharing::Made(slot)) = self.events.remove(&event.id).map(|entry| entry.sharing)
            && let Some(exports) = &mut self.exports
        {
            exports.give_back(slot);
        }
        self.event_handles.give_back(event.handle);
        Ok(())
    }

    pub(crate) fn load(&mut self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        self.context(Call::ModuleLoad, context)?;
        let handle = self.module_handles.issue();
        let first = self.next_function;
        self.next_function += decl.kernels.len() as u64;
        let entry = ModuleEntry { context: *context, functions: first, kernels: decl.kernels };
        self.modules.insert(handle, entry);
        Ok(LoadedModule { handle, functions: (first..self.next_function).collect() })
    }

    pub(crate) fn unload(&mut self, module: &ModuleRef) -> DriverResult {
        self.module(Call::ModuleUnload, module)?;
        self.modules.remove(&module.handle);
        Ok(())
    }
}
