//! Structs handed over as one, in a crate without `unsafe` where std's names mean something else.
#![forbid(unsafe_code)]
#![deny(warnings, missing_debug_implementations, unreachable_pub, private_interfaces, private_bounds)]

mod shadowed {
    #![allow(dead_code, reason = "only in the way")]

    use antecede::{Batch, Buffer, Loose, Pinned, State, Synced};

    struct Option;
    struct Kept;
    struct Parts;
    struct With;
    mod core {}

    #[derive(Batch, Debug)]
    pub(crate) struct Slot<St: State = Loose> {
        pub(crate) host: Buffer<u8, St, Pinned>,
        pub(crate) device: Buffer<u8, St>,
        #[batch(keep)]
        pub(crate) label: Label,
    }
    #[derive(Debug, PartialEq)]
    pub(crate) struct Label(pub(crate) &'static str);

    #[derive(Batch)]
    pub(crate) struct Pair<Next, St, const N: usize>(pub(crate) [Buffer<Next, St>; N], pub(crate) Inner<St>)
    where
        St: State;

    #[derive(Batch)]
    #[batch(state = Q)]
    pub(crate) struct Inner<Q: State>(pub(crate) ::std::option::Option<Buffer<u32, Q>>);

    #[derive(Batch)]
    pub(crate) struct Tagged<T, St: State> {
        pub(crate) x: Buffer<u8, St>,
        #[batch(keep)]
        pub(crate) tag: T,
    }

    pub(crate) type Idle = Slot<Synced>;
}

macro_rules! wide {
    ($name:ident: $($field:ident)*) => {
        #[derive(Batch)]
        struct $name<St: State> { $($field: Buffer<u32, St>),* }
        impl<St: State> $name<St> {
            fn filled(mut next: impl FnMut() -> Result<Buffer<u32, St>>) -> Result<Self> {
                Ok($name { $($field: next()?),* })
            }
            fn all(self) -> Vec<Buffer<u32, St>> { vec![$(self.$field),*] }
        }
    };
}
wide! { Twelve: a b c d e f g h i j k l }
wide! { Thirteen: a b c d e f g h i j k l m }
wide! { Many: a0 b0 c0 d0 e0 f0 g0 h0 i0 j0 k0 l0 a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 a2 b2 }

/// Public, with insides that nobody else can name: `pub` in a private module is visible enough for rustc.
pub mod public {
    use antecede::{Batch, Buffer, State};
    use inside::{Config, Hidden};

    mod inside {
        use antecede::{Batch, Buffer, State};

        #[derive(Batch, Debug)]
        pub struct Hidden<St: State> {
            pub(super) x: Buffer<u32, St>,
        }
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Config(pub(super) u32);
    }

    /// Its fields are nobody's business.
    #[derive(Batch, Debug)]
    pub struct Engine<St: State> {
        hidden: Hidden<St>,
        #[batch(keep)]
        config: Config,
    }

    impl<St: State> Engine<St> {
        /// Of one buffer.
        pub fn new(x: Buffer<u32, St>) -> Self {
            Engine { hidden: Hidden { x }, config: Config(3) }
        }
        /// Apart.
        pub fn parts(self) -> (Buffer<u32, St>, u32) {
            (self.hidden.x, self.config.0)
        }
    }
}

use antecede::{Batch, Buffer, Device, Result, Scoped, State, streams};
use antecede_sim::{Call, Sim};
use shadowed::{Inner, Label, Pair, Slot, Tagged};

streams! { Upload, Compute, Download }

fn on_sim(scene: impl for<'id> FnOnce(Device<Scoped<'id>>, &Sim) -> Result<()>) {
    let sim = Sim::builder().build();
    let counted = sim.clone();
    Device::scope(sim, 0, |device| scene(device, &counted)).unwrap();
}

#[test]
fn a_struct_is_handed_over_with_one_event() {
    on_sim(|device, sim| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let host = device.pinned_from(&[1, 2, 3])?.on(upload);
        let mut slot = Slot { host, device: upload.alloc(3)?, label: Label("first") };
        upload.copy(&slot.host, &mut slot.device)?;
        let slot = compute.take(slot)?;
        assert_eq!((sim.calls().of(Call::EventRecord), sim.calls().of(Call::EventWait)), (1, 1));
        assert_eq!(slot.label, Label("first"));
        assert_eq!(compute.download(&slot.device)?, [1, 2, 3]);
        Ok(())
    });
}

#[test]
fn several_sources_cost_one_event_each() {
    on_sim(|device, sim| {
        let (upload, compute, download) = device.streams::<(Upload, Compute, Download)>()?;
        let pair = Pair([upload.upload(&[1u8])?, upload.upload(&[2u8])?], Inner(Some(upload.upload(&[3u32])?)));
        let pair = compute.take(pair)?;
        assert_eq!(sim.calls().of(Call::EventRecord), 1);
        let tagged = Tagged { x: upload.upload(&[4u8])?, tag: "kept" };
        let (pair, tagged) = download.take((pair, tagged))?;
        assert_eq!(sim.calls().of(Call::EventRecord), 3);
        let Pair([first, second], Inner(Some(third))) = pair else { panic!("lost the third") };
        assert_eq!((download.download(&first)?, download.download(&second)?), (vec![1], vec![2]));
        assert_eq!((download.download(&third)?, tagged.tag), (vec![3], "kept"));
        Ok(())
    });
}

#[test]
fn fields_keep_their_places_however_many() {
    on_sim(|device, sim| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let mut next = 0;
        let mut x = || {
            next += 1;
            upload.upload(&[next])
        };
        let (twelve, thirteen, many) = (Twelve::filled(&mut x)?, Thirteen::filled(&mut x)?, Many::filled(&mut x)?);
        let (twelve, thirteen, many) = compute.take((twelve, thirteen, many))?;
        assert_eq!(sim.calls().of(Call::EventRecord), 1);
        let all = twelve.all().into_iter().chain(thirteen.all()).chain(many.all());
        for (x, value) in all.zip(1..) {
            assert_eq!(compute.download(&x)?, [value]);
        }
        assert_eq!(next, 12 + 13 + 26);
        Ok(())
    });
}

#[test]
fn a_public_batch_may_hide_what_is_in_it() {
    on_sim(|device, _| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let (x, config) = compute.take(public::Engine::new(upload.upload(&[9])?))?.parts();
        assert_eq!((compute.download(&x)?, config), (vec![9], 3));
        Ok(())
    });
}
