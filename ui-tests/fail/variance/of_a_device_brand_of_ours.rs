// guarantee: no subtyping turns one device into another, whatever names it and in whatever type
// message: mismatched types
// errors: 14
use antecede::__private::Module;
use antecede::ipc::{Import, ImportedPool, Parcel, PeerEvent};
use antecede::{AnyStream, Device, Loose, Peer, Pool, ReadOnly, Recorded, Shared, Stream, Synced, Vram};

struct Mine<T>(T);

type Here = Mine<for<'a> fn(&'a ())>;
type There = Mine<fn(&'static ())>;

fn device(x: Device<Here>) -> Device<There> { x }
fn stream(x: Stream<u8, Here>) -> Stream<u8, There> { x }
fn any_stream(x: AnyStream<Here>) -> AnyStream<There> { x }
fn pool(x: Pool<Vram, Here>) -> Pool<Vram, There> { x }
fn peer(x: Peer<u8, Here>) -> Peer<u8, There> { x }
fn synced(x: Option<Synced<Here>>) -> Option<Synced<There>> { x }
fn loose(x: Option<Loose<Here>>) -> Option<Loose<There>> { x }
fn parcel(x: Parcel<u8, ReadOnly, Here>) -> Parcel<u8, ReadOnly, There> { x }
fn import(x: Import<Here>) -> Import<There> { x }
fn imported_pool(x: ImportedPool<Here>) -> ImportedPool<There> { x }
fn peer_event(x: PeerEvent<Here>) -> PeerEvent<There> { x }
fn module(x: Module<u8, Here>) -> Module<u8, There> { x }
fn recorded(x: Recorded<(), Here>) -> Recorded<(), There> { x }
fn shared(x: Shared<(), Here>) -> Shared<(), There> { x }

fn main() {
    let _: Option<Mine<u8>> = None;
}
