//! A robot that knows nothing of the walls until it stands beside them: it walks, looks around, and plans again.
//!
//! ```text
//! cargo run --release --example replanning_robot
//! ```

use bestfirst::problems::grid_map::{Cell, FourWay, GridMap, GridRoute};
use bestfirst::{AStar, Replanner};

const WORLD: &str = "\
..............................
.@@@@@@@@@@@@@@@@@@@@@@@@@@@@.
.@..........@.................
.@.@@@@@@@@.@.@@@@@@@@@@@@@@@.
.@.@......@.@.@...........@...
.@.@.@@@@.@.@.@.@@@@@@@@@.@.@@
...@.@....@...@.........@.@...
.@@@.@@@@@@@@@@@@@@@@@@.@.@@@.
...............@........@.....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let world = GridMap::from_rows(WORLD)?;
    let (mut robot, goal) = (Cell::new(0, 6), Cell::new(24, 4));
    // What the robot believes: all is free. The search owns it.
    let belief = GridMap::new(world.width(), world.height(), |_| true)?;
    let route = GridRoute::new(belief, goal).by::<FourWay>();
    let mut search = Replanner::new(route).consistent().search(robot);
    let (mut walked, mut replanned, mut afresh) = (vec![robot], 0, 0);
    loop {
        let sees = |cell: Cell| cell.x.abs_diff(robot.x) <= 1 && cell.y.abs_diff(robot.y) <= 1;
        let cells =
            (0..world.height()).flat_map(|y| (0..world.width()).map(move |x| Cell::new(x, y)));
        let walls: Vec<_> = cells.filter(|&cell| sees(cell) && !world.is_free(cell)).collect();
        for wall in walls {
            for cell in search.problem_mut().set_free(wall, false) {
                search.changed(&cell);
            }
        }
        let report = search.run()?;
        replanned += report.stats.expanded;
        afresh += AStar::new(search.problem()).search(robot).run()?.stats.expanded;
        let Some(path) = report.path() else { return Err("the goal is walled in".into()) };
        if walked.len() % 40 == 1 || robot == goal {
            println!("after {} steps, {} to go:", walked.len() - 1, path.cost());
            println!("{}", search.problem().map().draw_path(&walked));
        }
        let Some(&next) = path.states().get(1) else { break };
        robot = next;
        walked.push(robot);
        search.moved_to(&robot);
    }
    println!("{replanned} expansions in all; {afresh} if every plan had been made afresh");
    Ok(())
}
