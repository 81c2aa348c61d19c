//! Problems that answer every question at random. Shared by several tests; none uses all of it.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use bestfirst::{Cost, DenseStates, InPlaceProblem, ScalableCost, SearchProblem, Successors};

use crate::random::Random;

/// Lexicographic costs of floats: only a part of them can be compared.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Pair(pub f64, pub f64);

impl Cost for Pair {
    const ZERO: Self = Self(0.0, 0.0);
    const INFINITY: Self = Self(f64::INFINITY, f64::INFINITY);

    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self(self.0 + other.0, self.1 + other.1))
    }
}

/// A cost whose sums wrap around.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Wrapping(pub u8);

impl Cost for Wrapping {
    const ZERO: Self = Self(0);
    const INFINITY: Self = Self(200);

    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self(self.0.wrapping_add(other.0)))
    }
}

/// Makes a cost of a random number.
pub trait RandomCost: Cost {
    fn random(random: &mut Random) -> Self;
}

impl RandomCost for Wrapping {
    fn random(random: &mut Random) -> Self {
        Self(if random.one_in(2) { 1 } else { (random.next() % 255) as u8 })
    }
}

impl RandomCost for Pair {
    fn random(random: &mut Random) -> Self {
        let mut float = || match random.below(30) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            _ => f64::from((random.next() % 5) as u8),
        };
        Self(float(), float())
    }
}

impl RandomCost for f64 {
    fn random(random: &mut Random) -> Self {
        match random.below(300) {
            0 => f64::NAN,
            1 => -1.0,
            2 => f64::MAX,
            3 => f64::INFINITY,
            _ => f64::from((random.next() % 4) as u8),
        }
    }
}

impl RandomCost for u32 {
    fn random(random: &mut Random) -> Self {
        if random.one_in(50) { u32::MAX - 1 } else { (random.next() % 4) as u32 }
    }
}

thread_local! {
    /// Where the randomness of hostile problems and states comes from.
    static SOURCE: RefCell<Random> = RefCell::new(Random::new(0));
    /// Whether hash functions panic now and then.
    pub static PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Begins a new sequence of random numbers on this thread.
pub fn set_seed(seed: u64) {
    SOURCE.set(Random::new(seed));
}

pub fn random<T>(draw: impl FnOnce(&mut Random) -> T) -> T {
    SOURCE.with(|source| draw(&mut source.borrow_mut()))
}

/// A state whose hash and equality change now and then.
#[derive(Clone, Debug)]
pub struct Unsteady(pub u8);

impl PartialEq for Unsteady {
    fn eq(&self, other: &Self) -> bool {
        (self.0 == other.0) ^ random(|random| random.one_in(20))
    }
}

impl Eq for Unsteady {}

impl Hash for Unsteady {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let other = random(|random| random.one_in(20));
        assert!(!PANICS.get() || random(|random| !random.one_in(40)), "as planned");
        (self.0 ^ u8::from(other)).hash(hasher);
    }
}

/// Answers every question at random.
#[derive(Debug)]
pub struct Hostile<C>(PhantomData<C>);

impl<C> Hostile<C> {
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C: RandomCost> SearchProblem for Hostile<C> {
    type State = Unsteady;
    type Action = u8;
    type Cost = C;

    fn successors(&self, state: &Unsteady, next: &mut Successors<Self>) {
        let count = random(|random| {
            let large = random.one_in(100);
            random.below(if large { 2000 } else { 5 })
        });
        for _ in 0..count {
            let (to, cost) = random(|random| ((random.next() % 16) as u8, C::random(random)));
            next.push(to, Unsteady((state.0 / 2) ^ to), cost);
        }
    }
    fn heuristic(&self, _: &Unsteady) -> C {
        random(|random| match random.below(40) {
            0 => C::INFINITY,
            1..10 => C::random(random),
            _ => C::ZERO,
        })
    }
    fn is_goal(&self, _: &Unsteady) -> bool {
        random(|random| random.one_in(3000))
    }
}

impl<C: RandomCost> InPlaceProblem for Hostile<C> {
    type Actions = std::ops::Range<u8>;
    type Undo = ();

    fn actions(&self, _: &Unsteady) -> std::ops::Range<u8> {
        0..random(|random| (random.next() % 6) as u8)
    }
    fn apply(&self, state: &mut Unsteady, action: &u8) -> (C, ()) {
        state.0 ^= action;
        (random(C::random), ())
    }
    fn undo(&self, state: &mut Unsteady, (): ()) {
        state.0 = state.0.wrapping_add(random(|random| (random.next() % 2) as u8));
    }
    fn inverse(&self, _: &Unsteady, action: &u8) -> Option<u8> {
        random(|random| random.one_in(2)).then_some(*action)
    }
}

impl<C: RandomCost> DenseStates for Hostile<C> {
    fn state_count(&self) -> usize {
        // Not even that is always the same.
        250 + random(|random| random.index(10))
    }
    fn state_index(&self, state: &Unsteady) -> usize {
        usize::from(state.0) + random(|random| usize::from(random.one_in(30)))
    }
    fn state_at(&self, index: usize) -> Unsteady {
        Unsteady(u8::try_from(index % 256).unwrap())
    }
}

impl ScalableCost for Pair {
    fn scale(self, weight: f64) -> Option<Self> {
        Some(Self(self.0 * weight, self.1 * weight))
    }
    fn to_f64(self) -> f64 {
        self.0
    }
}

impl ScalableCost for Wrapping {
    fn scale(self, weight: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it wraps")]
        let scaled = (self.to_f64() * weight) as u64 % 256;
        u8::try_from(scaled).ok().map(Self)
    }
    fn to_f64(self) -> f64 {
        f64::from(self.0)
    }
}
