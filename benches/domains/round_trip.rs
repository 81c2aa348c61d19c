//! The travelling salesman: a shortest round trip through all cities.

use bestfirst::{SearchProblem, Successors};

use super::Random;

/// At most 64 cities. The trip begins and ends in the first.
#[derive(Clone, Debug)]
pub struct RoundTrip {
    /// From each city to each.
    distances: Vec<Vec<u32>>,
    /// The shortest way into each city.
    nearest: Vec<u32>,
}

/// The cities that are left, as bits; where the trip is; and the shortest ways into all that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trip {
    left: u64,
    city: u8,
    h: u32,
}

impl RoundTrip {
    /// Cities at random places of a square.
    pub fn random(cities: usize, random: &mut Random) -> Self {
        let places: Vec<_> =
            (0..cities).map(|_| (random.below(1000) as f64, random.below(1000) as f64)).collect();
        let distance = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1).round() as u32;
        let distances: Vec<Vec<u32>> =
            places.iter().map(|&a| places.iter().map(|&b| distance(a, b)).collect()).collect();
        let nearest = |city: usize| {
            (0..cities).filter(|&from| from != city).map(|from| distances[from][city]).min()
        };
        let nearest = (0..cities).map(|city| nearest(city).unwrap_or(0)).collect();
        Self { distances, nearest }
    }

    /// In the first city, which is to be reached again at the end.
    pub fn start(&self) -> Trip {
        let left = u64::MAX >> (64 - self.nearest.len());
        Trip { left, city: 0, h: self.nearest.iter().sum() }
    }
}

impl SearchProblem for RoundTrip {
    type State = Trip;
    /// The city that comes next.
    type Action = u8;
    type Cost = u32;

    fn successors(&self, trip: &Trip, next: &mut Successors<Self>) {
        // The first city comes last.
        let mut open = if trip.left == 1 { 1 } else { trip.left & !1 };
        while open != 0 {
            let to = open.trailing_zeros() as usize;
            open &= open - 1;
            let state =
                Trip { left: trip.left & !(1 << to), city: to as u8, h: trip.h - self.nearest[to] };
            next.push(to as u8, state, self.distances[usize::from(trip.city)][to]);
        }
    }

    fn heuristic(&self, trip: &Trip) -> u32 {
        trip.h
    }

    fn is_goal(&self, trip: &Trip) -> bool {
        trip.left == 0
    }
}
