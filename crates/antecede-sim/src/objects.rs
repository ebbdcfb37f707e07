//! What is made and let go of: contexts, streams, events, modules.

use antecede::driver::{
    ContextRef, DriverResult, ErrorKind, EventId, EventRef, LoadedModule, ModuleDecl, ModuleRef, StreamId, StreamKind,
    StreamRef,
};

use crate::Call;
use crate::error::{error, invalid_value};
use crate::state::{EventEntry, ModuleEntry, State, StreamEntry};

impl State {
    pub(crate) fn open_context(&mut self, ordinal: u32) -> DriverResult<ContextRef> {
        let Some(context) = self.contexts.get_mut(ordinal as usize) else {
            return Err(error(Call::ContextOpen, ErrorKind::NoDevice, format!("no device {ordinal}")));
        };
        context.opened += 1;
        Ok(ContextRef { id: context.id, ordinal, handle: Self::context_handle(ordinal) })
    }

    pub(crate) fn create_stream(&mut self, context: &ContextRef, id: StreamId, kind: StreamKind) -> DriverResult<u64> {
        let call = Call::StreamCreate;
        self.context(call, context)?;
        match kind {
            // Without a legacy stream there is nothing that would order a blocking one.
            StreamKind::NonBlocking | StreamKind::Blocking => {}
            other => return Err(error(call, ErrorKind::NotSupported, format!("streams of kind {other:?}"))),
        }
        if self.queues.context(id).is_some() {
            return Err(invalid_value(call, format!("{id:?} is in use")));
        }
        let handle = self.stream_handles.issue();
        self.streams.insert(id, StreamEntry { context: *context, handle });
        self.queues.add(id, context.id);
        Ok(handle)
    }

    pub(crate) fn destroy_stream(&mut self, stream: &StreamRef) -> DriverResult {
        self.stream(Call::StreamDestroy, stream)?;
        self.streams.remove(&stream.id);
        self.stream_handles.give_back(stream.handle);
        self.queues.destroy(stream.id);
        Ok(())
    }

    pub(crate) fn create_event(&mut self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        let call = Call::EventCreate;
        self.context(call, context)?;
        if self.events.contains_key(&id) {
            return Err(invalid_value(call, format!("{id:?} is in use")));
        }
        let handle = self.event_handles.issue();
        self.events.insert(id, EventEntry { context: *context, handle, latest: None });
        Ok(handle)
    }

    /// Waits hold a copy of the record: nothing depends on the event itself.
    pub(crate) fn destroy_event(&mut self, event: &EventRef) -> DriverResult {
        self.event(Call::EventDestroy, event)?;
        self.events.remove(&event.id);
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
