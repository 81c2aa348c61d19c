//! The cheapest way through a yard of 40 columns, with pillars.
use petgraph::graphmap::DiGraphMap;

const WIDTH: u32 = 40;

fn steps(&(x, y): &(u32, u32)) -> Vec<((u32, u32), u32)> {
    let around = [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))];
    let is_free = |&(x, y): &(u32, u32)| x < WIDTH && y < WIDTH && (x % 3 != 2 || y % 5 == 0);
    around.into_iter().filter(is_free).map(|(x, y)| ((x, y), 1 + x % 3)).collect()
}

fn main() {
    let far = 30 + std::env::args().count() as u32;
    let mut yard: DiGraphMap<_, _> = DiGraphMap::new();
    for from in (0..WIDTH).flat_map(|x| (0..WIDTH).map(move |y| (x, y))) {
        for (to, cost) in steps(&from) {
            yard.add_edge(from, to, cost);
        }
    }
    let rest = |(x, y): (u32, u32)| far.abs_diff(x) + far.abs_diff(y);
    let is_goal = |place| place == (far, far);
    match petgraph::algo::astar(&yard, (0, 0), is_goal, |(_, _, &cost)| cost, rest) {
        Some((cost, path)) => println!("{cost} for {} steps", path.len() - 1),
        None => println!("no way"),
    }
}
