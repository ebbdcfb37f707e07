//! A paged cache: one allocation in parts. A block is on the compute stream, on its way out, or out in pinned memory;
//! which, is known at run time.

use antecede::{Buffer, Device, Loose, Pinned, Primary, Recorded, Result, Stream, Synced, kernels, streams};
use antecede_testkit::shared_device;
use antecede_trace::{Call, Counts};

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
        let free = compute.zeroed::<f32>(blocks * len)?.loose().into_parts(blocks);
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
    let start = shared.mark();
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
    // Every block is a part of one allocation, which ends with the last of them, and not before.
    let ends = |page| {
        let before = shared.mark();
        drop::<Page>(page);
        shared.counts_since(&before).of(Call::Free)
    };
    let calls = shared.counts_since(&start);
    assert_eq!((calls.of(Call::Alloc), calls.of(Call::Free)), (1, 0));
    assert!(cache.free.is_empty());
    let freed: Vec<_> = cache.pages.into_iter().map(ends).collect();
    assert_eq!(freed, [0, 0, 1], "with the last of its two blocks; the evicted page has none");
}

/// A block that comes back is ordered after its own way out only: the other blocks' work goes on.
#[test]
fn work_on_one_part_costs_the_others_nothing() {
    let shared = shared_device();
    let mut cache = Cache::new(shared.device(), 4, 8).unwrap();
    let pages: Vec<_> = std::iter::from_fn(|| cache.open()).collect();
    assert_eq!(pages.len(), 4);
    pages.iter().for_each(|&page| cache.append(page, 0, page as f32 + 1.0).unwrap());
    cache.evict(pages[0]).unwrap();
    let before = shared.mark();
    for at in 1..8 {
        pages[1..].iter().for_each(|&page| cache.append(page, at, 0.5).unwrap());
    }
    assert_eq!(shared.counts_since(&before), Counts::from([(Call::Launch, 21)]));
    cache.finish(pages[0]).unwrap();
    let before = shared.mark();
    cache.restore(pages[0]).unwrap();
    let calls = shared.counts_since(&before);
    let events = (calls.of(Call::EventRecord), calls.of(Call::EventWait));
    assert_eq!(events, (1, 0), "one after which the pinned memory serves again");
    assert_eq!((calls.of(Call::Copy), calls.of(Call::PinnedFree), calls.of(Call::EventSync)), (1, 0, 0));
    let before = shared.mark();
    cache.append(pages[0], 1, 9.0).unwrap();
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (1, 1), "offload to compute");
    assert_eq!(cache.read(pages[0]).unwrap()[..2], [1.0, 9.0]);
    for &page in &pages[1..] {
        assert_eq!(cache.read(page).unwrap(), [&[page as f32 + 1.0][..], &[0.5; 7]].concat());
    }
}
