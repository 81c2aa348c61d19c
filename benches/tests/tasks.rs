//! Four tasks as users write them, with this crate and with `pathfinding`: a path in a game, a puzzle, an experiment of a
//! researcher, and a journey in a graph. This test compares the lines of code and runs the programs with `pathfinding`.
//! Ours are in `examples`, are run with all examples, and use actions, limits and a lower bound besides.
//!
//! ```text
//! cargo test --test tasks -- --nocapture
//! ```

#[path = "../tasks/experiment.rs"]
mod experiment;
#[path = "../tasks/petgraph_graph.rs"]
mod petgraph_graph;
#[path = "../tasks/platform_game.rs"]
mod platform_game;
#[path = "../tasks/sokoban.rs"]
mod sokoban;

/// Lines of code: neither empty nor a comment.
fn lines(source: &str) -> usize {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    source.lines().map(str::trim).filter(is_code).count()
}

macro_rules! programs {
    ($($name:ident),*) => {
        [$((
            stringify!($name),
            include_str!(concat!("../../examples/", stringify!($name), ".rs")),
            include_str!(concat!("../tasks/", stringify!($name), ".rs")),
            $name::main as fn(),
        )),*]
    };
}

#[test]
fn programs_are_at_most_twice_as_long() {
    println!("| program | `bestfirst` | `pathfinding` | ratio |\n|---|---:|---:|---:|");
    for (name, ours, theirs, run_theirs) in
        programs![platform_game, sokoban, experiment, petgraph_graph]
    {
        for what in ["limits(", "lower_bound"] {
            assert!(ours.contains(what), "{name} has no {what}");
        }
        assert!(ours.contains(".actions()") || ours.contains(".action"), "{name} has no actions");
        run_theirs();
        let (ours, theirs) = (lines(ours), lines(theirs));
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let ratio = ours as f64 / theirs as f64;
        println!("| `{name}` | {ours} | {theirs} | {ratio:.2} |");
        assert!(ratio <= 2.0, "{name}: {ours} lines against {theirs}");
    }
}
