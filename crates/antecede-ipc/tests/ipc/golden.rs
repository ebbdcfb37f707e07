//! The bytes of one frame of each kind, as Python's `struct` packs them by the tables in the documentation of `wire`.

use antecede_ipc::wire::Kind;

/// In hexadecimal, 32 bytes a line: [`frames`](crate::support::frames), in their order.
pub(crate) const GOLDEN: [(Kind, &str); 6] = [
    (
        Kind::Hello,
        "\
         416e497001000100380000000000000030313233343536373839616263646566\
         222100000000000000000000000000000100000000000000\
         ",
    ),
    (
        Kind::Welcome,
        "\
         416e497001000200380000000000000030313233343536373839616263646566\
         323100000000000000000000000000000000000000000000\
         ",
    ),
    (
        Kind::Ready,
        "\
         416e497001000300200000000000000032310000000000000000000000000000\
         ",
    ),
    (
        Kind::Refused,
        "\
         416e497001000400380000000000000002000000000000003031323334353637\
         3839616263646566746865206f7468657220646576696365\
         ",
    ),
    (
        Kind::Offer,
        "\
         416e4970010005002001000000000000100f0e0d0c0b0a090807060504030201\
         02010300040000000400000000000000e8030000000000000000000000000000\
         3031323334353637383961626364656612110000000000000000000000000000\
         aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
         aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
         bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\
         bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\
         6633320000000000000000000000000000000000000000000000000000000000\
         0000000000000000000000000000000000000000000000000000000000000000\
         ",
    ),
    (
        Kind::Receipt,
        "\
         416e497001000600280000000000000042410000000000000000000000000000\
         0100000000000000\
         ",
    ),
];
