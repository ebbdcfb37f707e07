//! Buffers of what arrives.

use antecede::ipc::{Import, ImportedPool, Manifest};
use antecede::{Buffer, Failed, Imported, Memory, On, PeerAccess, Stream};
use bytemuck::Pod;

/// Imports what an exporter has offered over a connection, for the access and the elements that it named.
///
/// `manifest` is what it told of the memory, and `pool` was opened by the descriptor that it sent for the pool it names.
/// Called by [`Offer::import`](crate::Offer::import) alone, which answers the offer by the end of the import, where there is
/// one, and else at once.
pub(crate) fn import<T: Pod, A: PeerAccess, S, D>(
    stream: Stream<S, D>,
    pool: &ImportedPool<D>,
    manifest: &Manifest,
) -> Result<(Buffer<T, On<S, D>, Imported<A>>, Import<D>), Failed<Option<Import<D>>>>
where
    Imported<A>: Memory,
{
    // SAFETY: (1) an exporter fills an offer from a parcel with the access that it names (checked against `A`), and `T: Pod`
    // takes every byte pattern of elements of its size (checked). (2) it opens the parcel when it has the receipt, which is
    // sent only when the import is seen to have ended (`Importer`). (3) it lends a parcel once (`Exporter::lend`).
    unsafe { stream.import(pool, manifest) }
}
