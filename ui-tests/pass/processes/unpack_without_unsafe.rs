// guarantee: nobody takes a buffer back that another process may have
use antecede::ipc::Parcel;
use antecede::{Buffer, Exportable, ReadWrite, Synced};

type Own = Buffer<f32, Synced, Exportable>;

fn program(parcel: Parcel<Own, ReadWrite>) -> Own {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { parcel.unpack() }
}

fn main() {}
