//! The five best routes between two towns, one after the other in the order of their lengths.
//!
//! ```text
//! cargo run --example best_routes
//! ```

use bestfirst::{KBest, SearchProblem, Successors};

/// Roads of Romania and their lengths in kilometres (Russell and Norvig, *Artificial Intelligence*, 1995).
const ROADS: [(&str, &str, u32); 23] = [
    ("Arad", "Zerind", 75),
    ("Arad", "Sibiu", 140),
    ("Arad", "Timisoara", 118),
    ("Zerind", "Oradea", 71),
    ("Oradea", "Sibiu", 151),
    ("Timisoara", "Lugoj", 111),
    ("Lugoj", "Mehadia", 70),
    ("Mehadia", "Drobeta", 75),
    ("Drobeta", "Craiova", 120),
    ("Craiova", "Rimnicu Vilcea", 146),
    ("Craiova", "Pitesti", 138),
    ("Rimnicu Vilcea", "Sibiu", 80),
    ("Rimnicu Vilcea", "Pitesti", 97),
    ("Sibiu", "Fagaras", 99),
    ("Fagaras", "Bucharest", 211),
    ("Pitesti", "Bucharest", 101),
    ("Bucharest", "Giurgiu", 90),
    ("Bucharest", "Urziceni", 85),
    ("Urziceni", "Hirsova", 98),
    ("Hirsova", "Eforie", 86),
    ("Urziceni", "Vaslui", 142),
    ("Vaslui", "Iasi", 92),
    ("Iasi", "Neamt", 87),
];

struct Roads {
    to: &'static str,
}

impl SearchProblem for Roads {
    type State = &'static str;
    type Action = ();
    type Cost = u32;

    fn successors(&self, town: &&'static str, next: &mut Successors<Self>) {
        for (a, b, length) in ROADS {
            if a == *town {
                next.push((), b, length);
            } else if b == *town {
                next.push((), a, length);
            }
        }
    }

    fn is_goal(&self, town: &&'static str) -> bool {
        *town == self.to
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Simple routes: none visits a town twice.
    let search = KBest::new(Roads { to: "Bucharest" }).simple().search("Arad");
    let routes = search.take(5).collect::<Result<Vec<_>, _>>()?;
    for route in &routes {
        println!("{} km: {}", route.cost(), route.states().join(", "));
    }
    let lengths: Vec<_> = routes.iter().map(bestfirst::Path::cost).collect();
    assert_eq!(lengths, [418, 450, 575, 605, 607]);
    Ok(())
}
