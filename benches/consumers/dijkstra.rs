use bestfirst::{FnProblem, dijkstra};

fn main() {
    let goal = 100 * std::env::args().count() as u32;
    let problem = FnProblem::new(
        |&n: &u32| [(n + 1, 1_u32), (n * 2, 3)],
        |_: &u32| 0,
        move |&n: &u32| n == goal,
    );
    let report = dijkstra(&problem, 1).unwrap();
    println!("{:?}", report.cost());
}
