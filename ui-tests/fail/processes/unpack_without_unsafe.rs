// guarantee: nobody takes a buffer back that another process may have
// message: call to unsafe function `Parcel::<B, A, D>::unpack` is unsafe
use antecede::ipc::Parcel;
use antecede::{Buffer, Exportable, ReadWrite, Synced};

type Own = Buffer<f32, Synced, Exportable>;

fn program(parcel: Parcel<Own, ReadWrite>) -> Own {
    parcel.unpack()
}

fn main() {}
