//! [`Open`]: the open list, in layers by f and buckets by g and h.

use std::cmp::Ordering;

use super::entries::Entries;
use super::entry::Entry;
use super::files::{FileId, Run};
use crate::cost::Cost;

/// The open entries with one g and one h: some in memory, and before them those that were written.
#[derive(Debug)]
pub(super) struct Bucket<S, C> {
    pub(super) g: C,
    pub(super) h: C,
    pub(super) f: C,
    pub(super) entries: Entries<S>,
    /// Entries that were sorted into shards in a visit that was left early; none, or a power of two of lists.
    pub(super) shards: Vec<Entries<S>>,
    pub(super) runs: Vec<Run>,
    pub(super) files: Vec<FileId>,
    /// The entries in the runs that are still open.
    pub(super) written: u64,
}

impl<S, C: Cost> Bucket<S, C> {
    pub(super) fn new((g, h, f): (C, C, C)) -> Self {
        let entries = Entries::new();
        let (shards, runs, files) = (Vec::new(), Vec::new(), Vec::new());
        Self { g, h, f, entries, shards, runs, files, written: 0 }
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> u64 {
        let sorted: usize = self.shards.iter().map(Entries::len).sum();
        self.written + (self.entries.len() + sorted) as u64
    }

    /// The bytes of the entries in memory.
    pub(super) fn in_memory(&self) -> usize {
        self.entries.bytes() + self.shards.iter().map(Entries::bytes).sum::<usize>()
    }

    /// The bytes that it takes in memory.
    pub(super) fn held(&self) -> usize {
        let runs = (self.runs.capacity() - self.runs.len()) * size_of::<Run>();
        let lists = self.shards.capacity() * size_of::<Entries<S>>()
            + self.files.capacity() * size_of::<FileId>();
        self.in_memory() + lists + runs + self.runs.iter().map(Run::held).sum::<usize>()
    }
}

/// All open entries.
#[derive(Debug)]
pub(super) struct Open<S, C> {
    /// In falling order of f, so that the least is the last.
    layers: Vec<Layer<S, C>>,
    /// How many entries there are.
    pub(super) len: u64,
    /// The bytes that they take in memory, without the lists of buckets.
    pub(super) bytes: usize,
    /// The bytes of the lists of buckets.
    lists: usize,
}

/// An upper bound on the bytes that are taken by a list of `len` items of `size` bytes to which up to `more` are added, one by one.
pub(super) fn growth_of_list((len, capacity): (usize, usize), more: usize, size: usize) -> usize {
    // It is copied to a place of twice the size.
    if len + more > capacity { 2 * size * (len + more + 4) } else { 0 }
}

#[derive(Debug)]
struct Layer<S, C> {
    f: C,
    /// In rising order of g, those with equal g in rising order of h.
    buckets: Vec<Bucket<S, C>>,
    /// While [`Open::growth`] counts: how many buckets may come.
    coming: usize,
}

impl<S, C: Cost> Open<S, C> {
    pub(super) fn new() -> Self {
        Self { layers: Vec::new(), len: 0, bytes: 0, lists: 0 }
    }

    /// The least f.
    pub(super) fn least(&self) -> Option<C> {
        self.layers.last().map(|layer| layer.f)
    }

    /// What it takes in memory.
    pub(super) fn held(&self) -> usize {
        self.bytes + self.lists()
    }

    /// The bytes of the lists of buckets and of layers.
    pub(super) fn lists(&self) -> usize {
        self.lists + self.layers.capacity() * size_of::<Layer<S, C>>()
    }

    /// Adds an entry with this g, h and f.
    pub(super) fn add(&mut self, key: (C, C, C), entry: Entry<S>) {
        let (layer, bucket) = self.place(key);
        self.len += 1;
        self.bytes += self.layers[layer].buckets[bucket].entries.push(entry);
    }

    /// Moves entries to those with this g, h and f.
    pub(super) fn add_all(&mut self, key: (C, C, C), entries: &mut Entries<S>) {
        let (layer, bucket) = self.place(key);
        self.len += entries.len() as u64;
        self.bytes += self.layers[layer].buckets[bucket].entries.link(entries);
    }

    /// Adds a bucket, or puts one back: before what came in the meantime.
    pub(super) fn add_bucket(&mut self, mut bucket: Bucket<S, C>) {
        self.len += bucket.len();
        let (layer, at) = self.place((bucket.g, bucket.h, bucket.f));
        let place = &mut self.layers[layer].buckets[at];
        let before = place.held();
        bucket.entries.append(std::mem::replace(&mut place.entries, Entries::new()));
        bucket.runs.append(&mut place.runs);
        bucket.files.append(&mut place.files);
        bucket.written += place.written;
        *place = bucket;
        self.bytes += place.held();
        self.bytes -= before;
    }

    /// An upper bound on the bytes that are taken if entries with these keys, of which no two are equal, are added.
    pub(super) fn growth<'e>(
        &mut self,
        added: impl Iterator<Item = ((C, C, C), &'e Entries<S>)> + Clone,
    ) -> usize
    where
        S: 'e,
    {
        let bucket = size_of::<Bucket<S, C>>();
        let (mut bytes, mut new_layers) = (0, 0);
        for ((g, h, f), entries) in added.clone() {
            let first = Entries::new().growth_by(entries);
            let Some(layer) = self.layer_of(f) else {
                new_layers += 1;
                bytes += 4 * bucket + first;
                continue;
            };
            let by_key = |bucket: &Bucket<S, C>| order(bucket.g, g).then(order(bucket.h, h));
            let at = layer.buckets.binary_search_by(by_key);
            layer.coming += usize::from(at.is_err());
            bytes += at.map_or(first, |at| layer.buckets[at].entries.growth_by(entries));
        }
        // Each list once, by all that come.
        for ((.., f), _) in added {
            if let Some(Layer { buckets, coming, .. }) = self.layer_of(f) {
                let room = (buckets.len(), buckets.capacity());
                bytes += growth_of_list(room, std::mem::take(coming), bucket);
            }
        }
        let room = (self.layers.len(), self.layers.capacity());
        bytes + growth_of_list(room, new_layers, size_of::<Layer<S, C>>())
    }

    /// The layer with this f, if there is one.
    fn layer_of(&mut self, f: C) -> Option<&mut Layer<S, C>> {
        let at = self.layers.binary_search_by(|layer| order(f, layer.f)).ok()?;
        self.layers.get_mut(at)
    }

    /// Whether a bucket with a smaller f, or with this f and a larger g, is `worth` it.
    pub(super) fn has_deeper(&self, f: C, g: C, worth: impl Fn(&Bucket<S, C>) -> bool) -> bool {
        self.layers.last().is_some_and(|layer| {
            layer.f <= f
                && layer
                    .buckets
                    .iter()
                    .rev()
                    .any(|bucket| (layer.f < f || bucket.g > g) && worth(bucket))
        })
    }

    /// The place of the bucket with this g, h and f, which is made where there is none.
    fn place(&mut self, (g, h, f): (C, C, C)) -> (usize, usize) {
        let layer = match self.layers.binary_search_by(|layer| order(f, layer.f)) {
            Ok(at) => at,
            Err(at) => {
                self.layers.insert(at, Layer { f, buckets: Vec::new(), coming: 0 });
                at
            }
        };
        let buckets = &mut self.layers[layer].buckets;
        let by_key = |bucket: &Bucket<S, C>| order(bucket.g, g).then(order(bucket.h, h));
        let bucket = buckets.binary_search_by(by_key).unwrap_or_else(|at| {
            let before = buckets.capacity();
            buckets.insert(at, Bucket::new((g, h, f)));
            self.lists += (buckets.capacity() - before) * size_of::<Bucket<S, C>>();
            at
        });
        (layer, bucket)
    }

    /// Takes a bucket out of the layer with the least f: the one with the largest g that is `worth` it, or if none
    /// is, the one with the least g.
    pub(super) fn take(&mut self, worth: impl Fn(&Bucket<S, C>) -> bool) -> Option<Bucket<S, C>> {
        let buckets = &mut self.layers.last_mut()?.buckets;
        let at = buckets.iter().rposition(worth).unwrap_or(0);
        if at >= buckets.len() {
            return None;
        }
        let bucket = buckets.remove(at);
        if buckets.is_empty() {
            self.lists -= buckets.capacity() * size_of::<Bucket<S, C>>();
            self.layers.pop();
        }
        self.bytes -= bucket.held();
        self.len -= bucket.len();
        Some(bucket)
    }

    /// The bucket that takes the most memory, of those with an f above `above` if there is one.
    pub(super) fn largest(&self, above: Option<C>) -> Option<(usize, usize, usize)> {
        let layers = self.layers.iter().enumerate();
        let layers = layers.filter(|(_, layer)| above.is_none_or(|above| layer.f > above));
        let buckets = layers.flat_map(|(at, layer)| {
            let buckets = layer.buckets.iter().enumerate();
            buckets.map(move |(of, bucket)| (bucket.in_memory(), at, of))
        });
        buckets.max_by_key(|&(bytes, ..)| bytes)
    }

    /// Changes what a bucket holds, and counts it anew.
    pub(super) fn change<R>(
        &mut self,
        (layer, bucket): (usize, usize),
        change: impl FnOnce(&mut Bucket<S, C>) -> R,
    ) -> R {
        let bucket = &mut self.layers[layer].buckets[bucket];
        let before = bucket.held();
        let result = change(bucket);
        self.bytes += bucket.held();
        self.bytes -= before;
        result
    }

    /// Holds no more than it must.
    pub(super) fn tidy(&mut self) {
        self.layers.shrink_to_fit();
        (self.bytes, self.lists) = (0, 0);
        for layer in &mut self.layers {
            layer.buckets.shrink_to_fit();
            self.lists += layer.buckets.capacity() * size_of::<Bucket<S, C>>();
            for bucket in &mut layer.buckets {
                bucket.entries.shrink_to_fit();
                bucket.shards.iter_mut().for_each(Entries::shrink_to_fit);
                bucket.shards.shrink_to_fit();
                bucket.runs.iter_mut().for_each(|run| run.parts.shrink_to_fit());
                bucket.runs.shrink_to_fit();
                bucket.files.shrink_to_fit();
                self.bytes += bucket.held();
            }
        }
    }

    /// All buckets, with their places.
    pub(super) fn buckets(&self) -> impl Iterator<Item = ((usize, usize), &Bucket<S, C>)> {
        self.layers.iter().enumerate().flat_map(|(at, layer)| {
            layer.buckets.iter().enumerate().map(move |(of, bucket)| ((at, of), bucket))
        })
    }
}

/// The order of costs that have one.
pub(super) fn order<C: Copy + PartialOrd>(a: C, b: C) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
