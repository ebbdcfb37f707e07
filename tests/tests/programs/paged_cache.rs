//! A paged cache: blocks are on the compute stream, on their way out, or out in pinned memory. Which, is known at run
//! time.

use antecede::{Buffer, Device, Loose, Pinned, Primary, Recorded, Result, Stream, Synced, kernels, streams};
use antecede_testkit::shared_device;
use antecede_trace::Call;

streams! { Compute, Offload }

kernels! {
    Pages {
        unsafe fn append(at: u32, value: f32, block: &mut [f32]) where [(at as usize) < block.len()] {
            block[at as usize] = value;
        }
    }
}

enum Page {
    Resident(Buffer<f32>),
    Evicting(Recorded<(Buffer<f32, Loose, Pinned>, Buffer<f32>)>),
    Evicted(Buffer<f32, Synced, Pinned>),
}

struct Cache {
    device: Device<Primary>,
    compute: Stream<Compute>,
    offload: Stream<Offload>,
    kernels: Pages,
    pages: Vec<Page>,
    free: Vec<Buffer<f32>>,
}

impl Cache {
    fn new(device: Device, blocks: usize, len: usize) -> Result<Self> {
        let (compute, offload) = device.streams::<(Compute, Offload)>()?;
        let free = (0..blocks).map(|_| Ok(compute.zeroed::<f32>(len)?.loose())).collect::<Result<_>>()?;
        Ok(Cache { device, compute, offload, kernels: device.load::<Pages>()?, pages: Vec::new(), free })
    }

    fn open(&mut self) -> Option<usize> {
        self.pages.push(Page::Resident(self.free.pop()?));
        Some(self.pages.len() - 1)
    }

    fn append(&mut self, page: usize, at: u32, value: f32) -> Result<()> {
        let Page::Resident(place) = &mut self.pages[page] else { panic!("page {page} is not resident") };
        let mut block = self.compute.take_from(place)?;
        let launched = self.kernels.append(self.compute, at, value, &mut block);
        *place = block.loose();
        launched
    }

    fn evict(&mut self, page: usize) -> Result<()> {
        let Page::Resident(place) = &mut self.pages[page] else { panic!("page {page} is not resident") };
        let block = self.offload.take_from(place)?;
        let mut host = self.device.pinned(block.len())?.on(self.offload);
        self.offload.copy(&block, &mut host)?;
        self.pages[page] = Page::Evicting(self.offload.record((host, block))?);
        Ok(())
    }

    fn finish(&mut self, page: usize) -> Result<()> {
        let resident = Page::Resident(Buffer::default());
        if let Page::Evicting(record) = std::mem::replace(&mut self.pages[page], resident) {
            let (host, block) = record.synchronize()?;
            self.pages[page] = Page::Evicted(host);
            self.free.push(block.loose());
        }
        Ok(())
    }

    fn restore(&mut self, page: usize) -> Result<()> {
        let block = self.free.pop().expect("a block is free");
        let Page::Evicted(host) = std::mem::replace(&mut self.pages[page], Page::Resident(block)) else {
            panic!("page {page} is not evicted")
        };
        let Page::Resident(place) = &mut self.pages[page] else { unreachable!("just put there") };
        let (host, mut block) = self.offload.take((host, std::mem::take(place)))?;
        self.offload.copy(&host, &mut block)?;
        *place = block.loose();
        Ok(())
    }

    fn read(&mut self, page: usize) -> Result<Vec<f32>> {
        match &mut self.pages[page] {
            Page::Resident(place) => {
                let block = self.compute.take_from(place)?;
                let words = self.compute.download(&block);
                *place = block.loose();
                words
            }
            Page::Evicting(_) => panic!("page {page} is on its way"),
            Page::Evicted(host) => Ok(host.as_slice().to_vec()),
        }
    }
}

#[test]
fn pages_come_and_go() {
    let shared = shared_device();
    let mut cache = Cache::new(shared.device(), 2, 16).unwrap();
    let (one, two) = (cache.open().unwrap(), cache.open().unwrap());
    assert!(cache.open().is_none());
    let before = shared.mark();
    cache.append(one, 3, 7.0).unwrap();
    cache.append(one, 4, 8.0).unwrap();
    cache.append(two, 0, 9.0).unwrap();
    assert_eq!(shared.counts_since(&before).of(Call::EventRecord), 0, "all on one stream");
    cache.evict(one).unwrap();
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (2, 1));
    // The other page is worked on meanwhile.
    cache.append(two, 1, 10.0).unwrap();
    cache.finish(one).unwrap();
    assert_eq!(cache.read(one).unwrap()[3..5], [7.0, 8.0]);
    // Its block serves a new page, then the old one comes back into the other's.
    let three = cache.open().unwrap();
    cache.append(three, 0, 11.0).unwrap();
    cache.evict(two).unwrap();
    cache.finish(two).unwrap();
    cache.restore(one).unwrap();
    cache.append(one, 5, 12.0).unwrap();
    assert_eq!(cache.read(one).unwrap()[3..6], [7.0, 8.0, 12.0]);
    assert_eq!(cache.read(two).unwrap()[..2], [9.0, 10.0]);
    assert_eq!(cache.read(three).unwrap()[0], 11.0);
}
