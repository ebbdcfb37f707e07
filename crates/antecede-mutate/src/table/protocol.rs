//! Between processes: imports, receipts, and who speaks.

use crate::{Mutation, edit, mutation, test};

const DEBTS: &str = "crates/antecede-ipc/src/debts.rs";
const EVENTS: &str = "crates/antecede/src/trusted/ipc/events.rs";
const EXPORT: &str = "crates/antecede/src/trusted/ipc/export.rs";
const EXPORTER: &str = "crates/antecede-ipc/src/exporter.rs";
const HANDSHAKE: &str = "crates/antecede-ipc/src/link/handshake.rs";
const IMPORT: &str = "crates/antecede/src/trusted/ipc/import.rs";
const IMPORTER: &str = "crates/antecede-ipc/src/importer.rs";
const IMPORTS: &str = "crates/antecede/src/trusted/ipc/imports.rs";
const OFFER: &str = "crates/antecede-ipc/src/offer.rs";
const OUT: &str = "crates/antecede-ipc/src/trusted/out.rs";
const SENDER: &str = "crates/antecede-ipc/src/link/sender.rs";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "one memory is imported twice",
        &[edit(
            IMPORTS,
            "        if !lock(&IMPORTED).insert(key) {\n",
            "        if !lock(&IMPORTED).insert(key) && key.pool == 0 {\n",
        )],
        "two owners of one memory: the first free ends both",
        test("antecede-tests", "processes", "importing::on_sim::duplicate_import_is_refused"),
    ),
    mutation(
        "memory of one's own is imported",
        &[edit(
            IMPORT,
            "    if is_own(manifest.pool, device.driver.id()) {\n",
            "    if is_own(manifest.pool, device.driver.id()) && bytes == 0 {\n",
        )],
        "two owners of one memory in one process",
        test("antecede", "imports", "memory_of_ones_own_is_not_imported"),
    ),
    mutation(
        "more is imported than there is",
        &[edit(
            IMPORT,
            "        Ok(found) if found < needed => ",
            "        Ok(found) if found < needed && needed == 0 => ",
        )],
        "an access beyond the memory",
        test("antecede", "imports", "more_elements_than_the_memory_has_are_not_imported"),
    ),
    mutation(
        "an import that was refused stays mapped",
        &[edit(
            IMPORT,
            "        if unsafe { unmap(device, ptr) }.is_err() {\n",
            "        if ptr == DevicePtr::NULL && unsafe { unmap(device, ptr) }.is_err() {\n",
        )],
        "a mapping that nobody ends, and an exporter that is told that there is none",
        test("antecede", "imports", "more_elements_than_the_memory_has_are_not_imported"),
    ),
    mutation(
        "an import does not wait for the exporter's event",
        &[edit(
            IMPORT,
            "ready.map_or(Ok(()), |ready| stream.wait(&ready))",
            "ready.map_or(Ok::<(), crate::Error>(()), |_| Ok(()))",
        )],
        "a read of what the exporter is still writing",
        test("antecede-tests", "processes", "ready::on_sim::ready_by_event"),
    ),
    mutation(
        "an export's event is recorded before the work",
        &[edit(
            EXPORT,
            "        let ready = ready_on.map(|stream| stream.as_home(InterprocessEvent::recorded)).transpose()?;\n",
            "        let own = device.stream_of_its_own()?;\n        let ready = ready_on.map(|_| own.as_home(InterprocessEvent::recorded)).transpose()?;\n",
        )],
        "a wait on the other side that waits for nothing",
        test("antecede-tests", "processes", "ready::on_sim::ready_by_event"),
    ),
    mutation(
        "an import has ended before its free is seen",
        &[edit(IMPORTS, "            && has_passed(event)?\n", "            && (has_passed(event)? || true)\n")],
        "the exporter told while work on the memory is going on",
        test("antecede", "imports", "an_import_has_ended_when_its_free_has_taken_effect"),
    ),
    mutation(
        "a released import's free is not waited for",
        &[edit(IMPORTS, "freed.and_then(|()| own.drain())", "freed.and_then(|()| own.usable())")],
        "the exporter told before the mapping is gone",
        test("antecede", "imports", "a_synced_import_is_ended_and_its_end_is_seen"),
    ),
    mutation(
        "an import is freed like memory of one's own",
        &[edit(
            "crates/antecede/src/memory.rs",
            "        Imported<ReadWrite>: false, |freed| freed.end_import();\n",
            "        Imported<ReadWrite>: false, |freed| freed.in_stream_order();\n",
        )],
        "memory that is claimed for ever, and whose end nobody can see",
        test("antecede-tests", "processes", "importing::on_sim::import_takes_a_stream"),
    ),
    mutation(
        "a part of an import is released",
        &[edit(
            IMPORTS,
            "        if self.is_part() && !device.group.parents.rejoin(ptr, self.len() * size_of::<T>()) {\n",
            "        if self.is_part() && !device.group.parents.rejoin(ptr, self.len() * size_of::<T>()) && ptr == DevicePtr::NULL {\n",
        )],
        "the mapping of the other parts ended",
        test("antecede-tests", "processes", "importing::on_sim::a_part_is_not_released"),
    ),
    mutation(
        "a dropped parcel frees its memory",
        &[edit(
            EXPORT,
            "impl<B, A, D> Drop for Parcel<B, A, D> {\n    fn drop(&mut self) {\n        self.label.device.leak();\n",
            "impl<B, A, D> Drop for Parcel<B, A, D> {\n    fn drop(&mut self) {\n        unsafe { ManuallyDrop::drop(&mut self.contents) };\n",
        )],
        "memory freed under another process",
        test("antecede-tests", "processes", "letting_go::on_sim::dropped_export_is_leaked_and_counted"),
    ),
    mutation(
        "a receipt settles any debt",
        &[edit(
            DEBTS,
            "        let (debt, pool) = self.0.remove(&export)?;\n",
            "        let first = self.0.keys().copied().min_by_key(|known| (*known == export, known.0))?;\n        let (debt, pool) = self.0.remove(&first)?;\n",
        )],
        "a buffer taken back that the importer has",
        test("antecede-tests", "processes", "letting_go::on_sim::a_receipt_counts_for_its_own_buffer_alone"),
    ),
    mutation(
        "a debt is cancelled after any error",
        &[
            edit(DEBTS, "        if !may_have_left {\n", "        if may_have_left || !may_have_left {\n"),
            edit(DEBTS, "        !may_have_left\n", "        true\n"),
        ],
        "a buffer taken back that an importer may have",
        test("antecede-ipc", "", "debts::tests::an_offer_that_may_have_left_is_owed"),
    ),
    mutation(
        "a buffer comes back with debts open",
        &[
            edit(
                EXPORTER,
                "            let Some(&first) = open.first() else { return Ok(()) };\n",
                "            let Some(&first) = open.first().filter(|_| debts.is_empty()) else { return Ok(()) };\n",
            ),
            edit(
                OUT,
                "        if !self.debts.iter().all(|debt| debt.is_settled()) {\n",
                "        if !self.debts.iter().all(|debt| debt.is_settled()) && self.debts.is_empty() {\n",
            ),
        ],
        "a write of what another process is reading",
        test("antecede-tests", "processes", "letting_go::on_sim::free_waits_for_every_receipt"),
    ),
    mutation(
        "an importer that is gone has let go",
        &[
            edit(
                EXPORTER,
                "                self.importers[open[place]].read_receipt(deadline)?;\n",
                "                let _ = self.importers[open[place]].read_receipt(deadline);\n",
            ),
            edit(
                EXPORTER,
                "                links.push(importer.link().ok_or_else(|| importer.gone())?);\n",
                "                let Some(link) = importer.link() else { return Ok(()) };\n                links.push(link);\n",
            ),
            edit(
                OUT,
                "        if !self.debts.iter().all(|debt| debt.is_settled()) {\n",
                "        if !self.debts.iter().all(|debt| debt.is_settled()) && self.debts.is_empty() {\n",
            ),
        ],
        "memory used again while a dead process's work goes on",
        test("antecede-tests", "processes", "crashes::on_sim::importer_dies_at_work"),
    ),
    mutation(
        "any access is imported",
        &[edit(
            OFFER,
            "        if expected != found {\n            return Err(Error::WrongAccess",
            "        if expected != found && self.told.length == 0 {\n            return Err(Error::WrongAccess",
        )],
        "a write of what was published for reading",
        test("antecede-tests", "processes", "offers::on_sim::wrong_element_and_wrong_access"),
    ),
    mutation(
        "any element is imported",
        &[edit(
            OFFER,
            "        if expected != found {\n            return Err(Error::WrongElement",
            "        if expected != found && self.told.length == 0 {\n            return Err(Error::WrongElement",
        )],
        "more bytes than the memory has",
        test("antecede-tests", "processes", "offers::on_sim::wrong_element_and_wrong_access"),
    ),
    mutation(
        "an importer releases what came by another",
        &[edit(
            IMPORTER,
            "        if !buffer.import_id().is_some_and(|id| self.owed.holds(id)) {\n",
            "        if !buffer.import_id().is_some_and(|id| self.owed.holds(id)) && buffer.is_empty() {\n",
        )],
        "a mapping ended whose exporter is never told",
        test("antecede-tests", "processes", "importing::on_sim::an_importer_releases_what_came_by_it_alone"),
    ),
    mutation(
        "an exporter takes back what another handed out",
        &[edit(
            EXPORTER,
            "        if exported.out().exporter() == self.number { Ok(()) } else { Err(Error::OtherExporter) }\n",
            "        let _ = exported.out().exporter();\n        Ok(())\n",
        )],
        "the wrong connection asked, or none",
        test("antecede-tests", "processes", "offers::on_sim::an_importer_of_another_exporter_is_unknown"),
    ),
    mutation(
        "an importer of another exporter is told",
        &[edit(
            EXPORTER,
            "(importer.exporter == self.number).then(|| self.importers.get(importer.number)).flatten()",
            "Some(importer).and_then(|_| self.importers.get(importer.number))",
        )],
        "a buffer lent to another process than was meant",
        test("antecede-tests", "processes", "offers::on_sim::an_importer_of_another_exporter_is_unknown"),
    ),
    mutation(
        "an idle event is recorded before it has passed",
        &[edit(
            EVENTS,
            "unsafe { device.driver.event_query(event) } == Ok(true)",
            "unsafe { device.driver.event_query(event) }.is_ok()",
        )],
        "a wait in another process that does not end",
        test("antecede", "exports", "an_event_is_recorded_again_when_it_has_passed"),
    ),
    mutation(
        "a dropped parcel gives its event back",
        &[edit(
            EXPORT,
            "impl<B, A, D> Drop for Parcel<B, A, D> {\n    fn drop(&mut self) {\n        self.label.device.leak();\n",
            "impl<B, A, D> Drop for Parcel<B, A, D> {\n    fn drop(&mut self) {\n        self.label.device.leak();\n        if let Some(event) = self.label.ready.take() {\n            unsafe { event.give_back() };\n        }\n",
        )],
        "another process that waits for a later record",
        test("antecede", "exports", "the_event_of_a_dropped_parcel_is_not_recorded_again"),
    ),
    mutation(
        "another user's messages are taken",
        &[edit(
            SENDER,
            "        if sender.uid != user {\n",
            "        if sender.uid != user && sender.uid == u32::MAX {\n",
        )],
        "receipts and offers of another user",
        test("antecede-ipc", "", "link::sender::tests::a_message_that_is_refused_settles_nothing"),
    ),
    mutation(
        "another process's messages are taken",
        &[edit(
            SENDER,
            "            expected => Err(LinkError::OtherProcess { expected, found }),\n",
            "            expected if expected == 0 => Err(LinkError::OtherProcess { expected, found }),\n            _ => Ok(()),\n",
        )],
        "receipts of a process that inherited the socket",
        test("antecede-ipc", "ipc", "link::another_process_at_the_same_end_is_refused"),
    ),
    mutation(
        "a forked child goes on",
        &[edit(
            "crates/antecede-ipc/src/link/socket.rs",
            "            found => Err(LinkError::Forked { expected: self.owner, found }),\n        }\n    }\n}\n\n/// Both ends",
            "            found if found == 0 => Err(LinkError::Forked { expected: self.owner, found }),\n            _ => Ok(()),\n        }\n    }\n}\n\n/// Both ends",
        )],
        "two processes that share one connection",
        test("antecede-ipc", "ipc", "fork::a_forked_child_neither_sends_nor_receives"),
    ),
    mutation(
        "other programs are let in",
        &[edit(
            HANDSHAKE,
            "        if foreign && self.foreign == Foreign::Refused {\n",
            "        if foreign && self.foreign == Foreign::Refused && self.device.0 == [0; 16] {\n",
        )],
        "a peer whose types hold it to nothing",
        test("antecede-ipc", "ipc", "handshake::another_program_is_refused_unless_it_is_allowed"),
    ),
    mutation(
        "another device is let in",
        &[edit(
            HANDSHAKE,
            "        let expected = self.device;\n        if found != expected {\n",
            "        let expected = self.device;\n        if found != expected && found.0 == [0; 16] {\n",
        )],
        "memory of one device imported on another",
        test("antecede-ipc", "ipc", "handshake::another_device_is_named_at_both_ends"),
    ),
    mutation(
        "any nonce is taken",
        &[edit(HANDSHAKE, "    if ready.nonce != nonce {\n", "    if ready.nonce != nonce && ready.nonce.0 == 0 {\n")],
        "an answer to another handshake",
        test("antecede-ipc", "ipc", "handshake::the_nonce_must_come_back"),
    ),
    mutation(
        "a receipt is sent when the free is queued",
        &[edit(
            "crates/antecede-ipc/src/owed.rs",
            "place.get().import.state()? == ImportState::Ended",
            "place.get().import.state()? != ImportState::Held",
        )],
        "the exporter told while work on the memory is going on",
        test("antecede-tests", "processes", "letting_go::on_sim::import_is_freed_in_stream_order"),
    ),
];
