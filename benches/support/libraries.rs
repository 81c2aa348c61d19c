//! LEMON and Boost.Graph, where they are installed.

use std::cell::RefCell;
use std::rc::Rc;

use bestfirst::problems::road_network::RoadNetwork;

use super::contest::{Answer, Case, Side};
use super::foreign::Program;
use super::new_york;

/// One name for a search by each way to compile it.
const DIJKSTRA: [(&str, [&str; 2]); 4] = [
    ("lemon-binary", ["LEMON, binary heap, -O3", "LEMON, binary heap, -O3 -march=native"]),
    ("lemon-quad", ["LEMON, quad heap, -O3", "LEMON, quad heap, -O3 -march=native"]),
    ("boost-csr", ["Boost, CSR, -O3", "Boost, CSR, -O3 -march=native"]),
    ("boost-list", ["Boost, adjacency_list, -O3", "Boost, adjacency_list, -O3 -march=native"]),
];
const ASTAR: [(&str, [&str; 2]); 2] = [
    ("boost-csr-astar", ["Boost, CSR, -O3", "Boost, CSR, -O3 -march=native"]),
    (
        "boost-list-astar",
        ["Boost, adjacency_list, -O3", "Boost, adjacency_list, -O3 -march=native"],
    ),
];

/// The flags in the order of the names.
const FLAGS: [&[&str]; 2] = [&["-O3"], &["-O3", "-march=native"]];

/// The C++ libraries with a road network and pairs of nodes, for every way to compile them.
pub struct Libraries {
    programs: Vec<Rc<RefCell<Program>>>,
    distances: Rc<[u64]>,
}

impl Libraries {
    /// Compiles and starts them; says in one line what is not there. The distances of the pairs of nodes,
    /// which are counted from 0, are known.
    pub fn start(network: &RoadNetwork, pairs: &[(u32, u32, u64)], factor: f64) -> Self {
        let nodes: Vec<_> = pairs.iter().map(|&(from, to, _)| (from, to)).collect();
        let distances = pairs.iter().map(|pair| pair.2).collect();
        let Some(file) = new_york::file_for_cpp(network, &nodes, factor) else {
            return Self { programs: Vec::new(), distances };
        };
        let start = |flags: &&[&str]| Program::start("roads.cpp", flags, &[&file]);
        let programs: Vec<_> = FLAGS.iter().map_while(start).collect();
        if let Some(program) = programs.first() {
            for (prefix, name) in
                [("lemon", "LEMON (liblemon-dev)"), ("boost", "Boost.Graph (libboost-graph-dev)")]
            {
                if !program.searches.iter().any(|search| search.starts_with(prefix)) {
                    println!("skipped: {name} is not installed");
                }
            }
        }
        let programs = programs.into_iter().map(|program| Rc::new(RefCell::new(program))).collect();
        Self { programs, distances }
    }

    /// The case with what of them is there. They find all distances, or the bench fails.
    pub fn join<'c>(&self, mut case: Case<'c>, informed: bool) -> Case<'c> {
        let searches: &[_] = if informed { &ASTAR } else { &DIJKSTRA };
        for (way, program) in self.programs.iter().enumerate() {
            for &(search, names) in searches {
                if !program.borrow().searches.iter().any(|known| known == search) {
                    continue;
                }
                let (program, distances) = (Rc::clone(program), Rc::clone(&self.distances));
                case = case.contestant(Side::Rival, names[way], move |_| {
                    let found = program.borrow_mut().ask(search);
                    assert_eq!(found.numbers[..], distances[..], "{search}: the distances");
                    let mut answer = Answer::default();
                    answer.add(Some(found.numbers.iter().sum()), 0, 0);
                    answer.elsewhere = Some(found.time);
                    answer
                });
            }
        }
        case
    }
}
