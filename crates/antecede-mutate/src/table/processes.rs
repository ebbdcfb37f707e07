//! The types of antecede-ipc.

use crate::{Mutation, edit, mutation, refused};

const EXPORTED: &str = "crates/antecede-ipc/src/exported.rs";
const EXPORTER: &str = "crates/antecede-ipc/src/exporter.rs";
const EXPORT: &str = "crates/antecede/src/trusted/ipc/export.rs";
const IMPORTER: &str = "crates/antecede-ipc/src/importer.rs";
const LET_GO: &str = "crates/antecede-ipc/src/let_go.rs";
const OFFER: &str = "crates/antecede-ipc/src/offer.rs";
const OUT: &str = "crates/antecede-ipc/src/trusted/out.rs";

const PUBLISHED: &str = "impl<B, D> Deref for Published<B, D> {\n";
const PARCEL_READ: &str = "impl<B, D> Deref for Parcel<B, ReadOnly, D> {\n";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`Lent` dereferences to its buffer",
        &[
            edit(EXPORT, PARCEL_READ, "impl<B, A, D> Deref for Parcel<B, A, D> {\n"),
            edit(OUT, "impl<B, D> Out<B, ReadOnly, D> {\n", "impl<B, A, D> Out<B, A, D> {\n"),
            edit(
                EXPORTED,
                PUBLISHED,
                "impl<B, D> Deref for Lent<B, D> {\n    type Target = B;\n\n    fn deref(&self) -> &B {\n        self.0.contents()\n    }\n}\n\nimpl<B, D> Deref for Published<B, D> {\n",
            ),
        ],
        "a read of what another process is writing",
        refused("processes/read_a_lent_buffer"),
    ),
    mutation(
        "`Published` may be written through",
        &[
            edit(
                EXPORT,
                PARCEL_READ,
                "impl<B, D> std::ops::DerefMut for Parcel<B, ReadOnly, D> {\n    fn deref_mut(&mut self) -> &mut B {\n        &mut self.contents\n    }\n}\n\nimpl<B, D> Deref for Parcel<B, ReadOnly, D> {\n",
            ),
            edit(
                OUT,
                "impl<B, D> Out<B, ReadOnly, D> {\n",
                "impl<B, D> Out<B, ReadOnly, D> {\n    pub(crate) fn contents_mut(&mut self) -> &mut B {\n        &mut self.parcel\n    }\n\n",
            ),
            edit(
                EXPORTED,
                PUBLISHED,
                "impl<B, D> std::ops::DerefMut for Published<B, D> {\n    fn deref_mut(&mut self) -> &mut B {\n        self.0.contents_mut()\n    }\n}\n\nimpl<B, D> Deref for Published<B, D> {\n",
            ),
        ],
        "a write of what other processes are reading",
        refused("processes/write_through_a_published_buffer"),
    ),
    mutation(
        "`offer` takes what was lent",
        &[
            edit(
                EXPORTER,
                "    pub fn offer<B>(&mut self, published: &mut Published<B, D>, to: ImporterId) -> Result<()> {\n",
                "    pub fn offer<B, X: AsMut<Out<B, A, D>> + Exported, A: PeerAccess>(&mut self, published: &mut X, to: ImporterId) -> Result<()> {\n",
            ),
            edit(EXPORTER, "        self.tell(&mut published.0, to)\n", "        self.tell(published.as_mut(), to)\n"),
            edit(
                EXPORTED,
                PUBLISHED,
                "impl<B, D> AsMut<Out<B, ReadWrite, D>> for Lent<B, D> {\n    fn as_mut(&mut self) -> &mut Out<B, ReadWrite, D> {\n        &mut self.0\n    }\n}\n\nimpl<B, D> AsMut<Out<B, ReadOnly, D>> for Published<B, D> {\n    fn as_mut(&mut self) -> &mut Out<B, ReadOnly, D> {\n        &mut self.0\n    }\n}\n\nimpl<B, D> Deref for Published<B, D> {\n",
            ),
        ],
        "two processes that write one memory",
        refused("processes/offer_a_lent_buffer"),
    ),
    mutation(
        "an importer's id is made by anyone",
        &[edit(
            EXPORTER,
            "    pub(crate) exporter: u64,\n    pub(crate) number: usize,",
            "    #[allow(missing_docs)]\n    pub exporter: u64,\n    #[allow(missing_docs)]\n    pub number: usize,",
        )],
        "a buffer lent to an importer that was never greeted",
        refused("processes/make_an_importer_id"),
    ),
    mutation(
        "an exporter is of several devices",
        &[
            edit(EXPORTER, "impl<D: DeviceBrand> Exporter<D> {", "impl<D> Exporter<D> {"),
            edit(EXPORTER, "use antecede::{Device, DeviceBrand, ", "use antecede::{Device, "),
        ],
        "an offer that names another device than the memory is on",
        refused("processes/export_from_one_of_several"),
    ),
    mutation(
        "a buffer in flight may be let go",
        &[
            edit(
                LET_GO,
                "/// With the same parameter: a device",
                "impl<S, D> LetGo<D> for antecede::On<S, D> {\n    fn complete<T, A: PeerAccess>(buffer: Buffer<T, Self, Imported<A>>) -> Buffer<T, Synced<D>, Imported<A>>\n    where\n        Imported<A>: Memory,\n    {\n        drop(buffer);\n        Buffer::default()\n    }\n}\n\n/// With the same parameter: a device",
            ),
            edit(
                LET_GO,
                "    pub trait LetGo<D> {}\n",
                "    pub trait LetGo<D> {}\n    impl<S, D> LetGo<D> for antecede::On<S, D> {}\n",
            ),
        ],
        "the exporter told before the last work is over",
        refused("processes/release_in_flight"),
    ),
    mutation(
        "an import takes any device's stream",
        &[
            edit(
                IMPORTER,
                "pub fn import<T: Pod, A: PeerAccess, S>(&mut self, stream: Stream<S, D>) -> Result<Buffer<T, On<S, D>, Imported<A>>>",
                "pub fn import<T: Pod, A: PeerAccess, S, E>(&mut self, _stream: Stream<S, E>) -> Result<Buffer<T, On<S, D>, Imported<A>>>",
            ),
            edit(IMPORTER, "        Ok(self.next_offer()?.import(stream)?)\n", "        Ok(Buffer::default())\n"),
        ],
        "a wait on a stream of another device than the memory's",
        refused("processes/import_on_another_device"),
    ),
    mutation(
        "an offer is imported by a borrow",
        &[
            edit(
                OFFER,
                "    pub fn import<T: Pod, A: PeerAccess, S>(\n        mut self,\n",
                "    pub fn import<T: Pod, A: PeerAccess, S>(\n        &self,\n",
            ),
            edit(
                OFFER,
                "        match self.import_on(stream) {\n            Ok(buffer) => Ok(buffer),\n            Err(error) => Err(Failed { error, kept: self }),\n        }\n",
                "        let _ = stream;\n        Ok(Buffer::default())\n",
            ),
        ],
        "one memory imported twice, and two receipts for it",
        refused("processes/answer_an_offer_twice"),
    ),
    mutation(
        "an import is of any elements",
        &[
            edit(
                IMPORTER,
                "    pub fn import<T: Pod, A: PeerAccess, S>(&mut self",
                "    pub fn import<T, A: PeerAccess, S>(&mut self",
            ),
            edit(
                OFFER,
                "    pub fn import<T: Pod, A: PeerAccess, S>(\n        mut self",
                "    pub fn import<T, A: PeerAccess, S>(\n        mut self",
            ),
            edit(
                OFFER,
                "    fn import_on<T: Pod, A: PeerAccess, S>(&mut self",
                "    fn import_on<T, A: PeerAccess, S>(&mut self",
            ),
            edit(
                "crates/antecede-ipc/src/trusted/import.rs",
                "pub(crate) fn import<T: Pod, A: PeerAccess, S, D>(",
                "pub(crate) fn import<T, A: PeerAccess, S, D>(",
            ),
            edit(
                "crates/antecede/src/trusted/ipc/import.rs",
                "    pub unsafe fn import<T: Pod, A: PeerAccess>(",
                "    pub unsafe fn import<T, A: PeerAccess>(",
            ),
        ],
        "elements whose bytes, which another process writes, are no value",
        refused("processes/import_what_is_not_plain"),
    ),
];
