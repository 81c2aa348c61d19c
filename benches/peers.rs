//! This library against the most used crates and against code written by hand.
//!
//! ```text
//! cargo bench --bench peers                      every case
//! cargo bench --bench peers -- crucible          those whose names contain "crucible"
//! cargo bench --bench peers -- --quick           smaller cases, one timed run each
//! cargo bench --bench peers -- --lists           the rival gets a new list for every state
//! cargo bench --bench peers -- --markdown        puts the tables into BENCHMARKS.md
//! cargo bench --bench peers -- --busy            also where others use the machine
//! cargo bench --profile release --bench peers -- "first call" --default-profile
//!                                                names its table by the default profile, which it does not know of
//! ```
//!
//! All contestants of a case get the same problem: the same code generates the successors, computes the
//! heuristic and tests the goal. They run in turn in one process. The report is the median of the
//! processor time, which other work on the machine disturbs less than wall-clock time. Before the
//! timed runs, each has one run that is not timed, which counts memory, expansions and stored states.
//! All must agree on the cost.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::sync::atomic::Ordering::Relaxed;

use bestfirst::problems::amphipod::{Burrow, Reduced};
use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
use bestfirst::problems::grid_map::{Cell, EightWay, GridMap, Moves, Scenario};
use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles, Tracked};
use bestfirst::{AStar, Cost, Dijkstra, IdaStar, SearchProblem};
use petgraph::graph::{DiGraph, NodeIndex};

use handwritten::crucible::City;
use handwritten::crucible_hashed::Town;
use handwritten::roads::Roads;
use rival::Rival;
use support::contest::{Answer, Bench, Case, Options, Side, count};
use support::foreign::Program;
use support::libraries::Libraries;
use support::load::Watch;
use support::{data, new_york, rival};

mod first_call;
mod handwritten;
mod support {
    pub mod clock;
    pub mod contest;
    pub mod data;
    pub mod foreign;
    pub mod lender;
    pub mod libraries;
    pub mod load;
    pub mod median;
    pub mod memory;
    pub mod new_york;
    pub mod page;
    pub mod rival;
}

fn main() {
    let mut options =
        Options { filter: String::new(), quick: false, markdown: false, rounds: None };
    let (mut is_bench, mut is_busy, mut is_default) = (false, false, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => is_bench = true,
            "--quick" => options.quick = true,
            "--markdown" => options.markdown = true,
            "--busy" => is_busy = true,
            support::page::DEFAULT_PROFILE => is_default = true,
            "--lists" => rival::GETS_LISTS.store(true, Relaxed),
            "--rounds" => options.rounds = words.next().and_then(|word| word.parse().ok()),
            "--child" => return child(&words.collect::<Vec<_>>()),
            filter if !filter.starts_with('-') => filter.clone_into(&mut options.filter),
            unknown => {
                eprintln!(
                    "unknown option {unknown}; known: --quick --lists --markdown --busy --default-profile --rounds N FILTER"
                );
                std::process::exit(2);
            }
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench peers`");
        return;
    }
    let watch = Watch::begin(is_busy);
    let mut first_call = Bench::new(options.clone());
    let mut bench = Bench::new(options);
    println!(
        "median processor time in milliseconds; ratio: the other's time by ours; bytes: most held at \
         one time by stored state"
    );
    amphipods(&mut bench);
    crucibles(&mut bench);
    tiles(&mut bench);
    grids(&mut bench);
    roads(&mut bench);
    bench.finish("peers", &watch);
    println!("as a user would first write it:");
    let watch = Watch::begin(is_busy);
    first_call::cases(&mut first_call);
    let section = if is_default { "first-call-default" } else { "first-call" };
    first_call.finish(section, &watch);
}

fn amphipods(bench: &mut Bench) {
    let burrow = Burrow::example().unfolded().expect("it has four rooms");
    bench.run(burrows("amphipod example, part 2", &[burrow]));
    let mut random = Random(2021);
    let burrows_: Vec<Burrow> = (0..10).map(|_| random_burrow(&mut random, 4)).collect();
    bench.run(burrows("amphipod, ten random burrows", &burrows_));
}

fn burrows<'c>(name: &str, burrows: &[Burrow]) -> Case<'c> {
    let problems: Vec<Reduced> = burrows
        .iter()
        .map(|burrow| Reduced::new(burrow).expect("four rooms of four fit"))
        .collect();
    let others = problems.clone();
    Case::new(name)
        .contestant(Side::Ours, "A*", move |_| {
            let mut answer = Answer::default();
            for problem in &problems {
                let report = AStar::new(problem).search_from([problem.start()]).run();
                let report = report.expect("the energy fits");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", move |counts| {
            let mut answer = Answer::default();
            for problem in &others {
                let (start, fixed) = problem.start();
                let mut found = Rival::new(problem, counts).astar(&start);
                found.cost = found.cost.map(|detours| detours + fixed);
                answer.add_rival(found);
            }
            answer
        })
}

/// A random burrow with four rooms and a hallway of the puzzle's width.
fn random_burrow(random: &mut Random, depth: usize) -> Burrow {
    let mut all: Vec<char> =
        "ABCD".chars().flat_map(|kind| std::iter::repeat_n(kind, depth)).collect();
    for i in (1..all.len()).rev() {
        all.swap(i, random.below(i + 1));
    }
    let mut drawing = "#############\n#...........#\n".to_owned();
    for (n, row) in all.chunks(4).enumerate() {
        let outside = if n == 0 { "##" } else { "  " };
        let row: Vec<String> = row.iter().map(ToString::to_string).collect();
        let _ = writeln!(drawing, "{outside}#{}#{}", row.join("#"), outside.trim());
    }
    drawing.push_str("  #########\n");
    drawing.parse().unwrap_or_else(|fault| panic!("{fault}\n{drawing}"))
}

/// The generator `xorshift64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }
}

fn crucibles(bench: &mut Bench) {
    let sizes: [(usize, u64); 2] =
        if bench.options.quick { [(141, 17), (600, 17)] } else { [(141, 17), (2000, 17)] };
    for (size, seed) in sizes {
        if !bench.wants(&format!("crucible {size}×{size}"))
            && !"crucible".contains(&bench.options.filter)
        {
            let any = ["1..3", "4..10", "A*", "Dijkstra"];
            if !any.iter().any(|part| bench.options.filter.contains(part)) {
                continue;
            }
        }
        let map = HeatMap::random(size, size, seed).expect("it is not too large");
        let (city, town) = (City::new(&map), Town::new(&map));
        for (min, max) in [(1, 3), (4, 10)] {
            let crucible = Crucible::new(&map, min..=max).expect("min is not above max");
            let crucible = crucible.bound(LossBound::Manhattan);
            for informed in [false, true] {
                bench.run(crossing(&crucible, (&city, &town), size, (min, max), informed));
            }
        }
    }
}

fn crossing<'c>(
    crucible: &'c Crucible,
    (city, town): (&'c City, &'c Town),
    size: usize,
    (min, max): (u32, u32),
    informed: bool,
) -> Case<'c> {
    let engine = if informed { "A*" } else { "Dijkstra" };
    let start = crucible.start();
    macro_rules! ours {
        ($($part:ident)*) => {
            move |_| {
                let mut answer = Answer::default();
                if informed {
                    let report = AStar::new(crucible)$(.$part())*.search(start).run();
                    let report = report.expect("the loss fits");
                    answer.add_ours(report.cost(), &report.stats);
                } else {
                    let report = Dijkstra::new(crucible)$(.$part())*.search(start).run();
                    let report = report.expect("the loss fits");
                    answer.add_ours(report.cost(), &report.stats);
                }
                answer
            }
        };
    }
    Case::new(format!("crucible {size}×{size} {min}..{max} {engine}"))
        .contestant(Side::Ours, "hashed", ours!())
        .contestant(Side::Rival, "pathfinding", move |counts| {
            let mut answer = Answer::default();
            let rival = Rival::new(crucible, counts);
            answer.add_rival(if informed { rival.astar(&start) } else { rival.dijkstra(&start) });
            answer
        })
        .contestant(Side::Ours, "dense", ours!(dense))
        .contestant(Side::Ours, "dense, costs only", ours!(dense costs_only))
        .contestant(Side::Handwritten, "by hand, hashed", move |_| {
            let (cost, expanded, stored, path) = town.cross(min as usize, max as usize, informed);
            let mut answer = Answer::default();
            answer.add(cost.map(u64::from), expanded, stored);
            black_box(path);
            answer
        })
        .contestant(Side::Handwritten, "by hand, flat", move |_| {
            let found = city.cross(min as usize, max as usize, informed);
            let mut answer = Answer::default();
            answer.add(found.cost.map(u64::from), found.expanded, found.stored);
            black_box(found.path);
            answer
        })
}

/// The instance for A*, and the one for IDA*.
fn korf_numbers(quick: bool) -> (u32, u32) {
    if quick { (79, 79) } else { (2, 1) }
}

fn tiles(bench: &mut Bench) {
    let (by_astar, by_ida) = korf_numbers(bench.options.quick);
    let (astar_name, ida_name) = (format!("Korf {by_astar}, A*"), format!("Korf {by_ida}, IDA*"));
    if !bench.wants(&astar_name) && !bench.wants(&ida_name) {
        return;
    }
    let Some(instances) = data::korf() else { return };
    let tiles_of = |number: u32| {
        let instance = &instances[number as usize - 1];
        assert_eq!(instance.number, number, "instances are in order");
        instance.tiles
    };
    let packed = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let tracked = SlidingTiles::<Tracked>::new(4, 4).expect("16 cells fit");

    let tiles = tiles_of(by_astar);
    let board = Board::new(4, 4, &tiles).expect("it is a board");
    let start = packed.state(&board).expect("it is 4×4");
    bench.run(
        Case::new(astar_name.as_str())
            .contestant(Side::Ours, "packed", |_| {
                let mut answer = Answer::default();
                let report = AStar::new(&packed).search(start).run().expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
                answer
            })
            .contestant(Side::Rival, "pathfinding", |counts| {
                let mut answer = Answer::default();
                answer.add_rival(Rival::new(&packed, counts).astar(&start));
                answer
            })
            .contestant(Side::Handwritten, "by hand", |_| {
                let mut answer = Answer::default();
                let found = handwritten::tiles_astar::solve(&tiles);
                answer.add(Some(found.length.into()), found.expanded, found.stored);
                black_box(found.path);
                answer
            }),
    );
    if bench.wants(&astar_name) {
        let peaks =
            ["ours", "pathfinding", "by hand"].map(|who| (who, peak_of_child(who, by_astar)));
        let megabytes = |peak: Option<u64>| peak.map_or(f64::NAN, |kb| count(kb) / 1024.0);
        let mut note = format!("{astar_name}, peak resident memory of a process of its own:");
        for (who, peak) in peaks {
            let _ = write!(note, " {who} {:.1} MB,", megabytes(peak));
        }
        let part = megabytes(peaks[0].1) / megabytes(peaks[1].1);
        let _ = write!(note, " ours by pathfinding's {part:.2}");
        bench.notes.push(note);
    }

    let (tiles, nodes) = (tiles_of(by_ida), instances[by_ida as usize - 1].nodes);
    let board = Board::new(4, 4, &tiles).expect("it is a board");
    let start = tracked.state(&board).expect("it is 4×4");
    let case = Case::new(ida_name.as_str())
        .contestant(Side::Ours, "in place", |_| {
            let mut answer = Answer::default();
            let report = IdaStar::new(&tracked).in_place().search(start).run();
            let report = report.expect("the length fits");
            answer.add(report.cost().map(u64::from), report.stats.expanded, 0);
            assert_eq!(report.stats.generated + 1, nodes, "the count of nodes is known");
            answer
        })
        .contestant(Side::Rival, "pathfinding", |counts| {
            let mut answer = Answer::default();
            let found = Rival::new(&tracked, counts).idastar(&start);
            answer.add(found.cost.map(u64::from), found.expanded, 0);
            answer
        })
        .contestant(Side::Handwritten, "by hand, with tables", |_| {
            by_hand(handwritten::tiles_ida::solve_by_tables(&tiles), nodes)
        })
        .contestant(Side::Handwritten, "by hand, unrolled", |_| {
            by_hand(handwritten::tiles_ida::solve(&tiles), nodes)
        });
    if bench.wants(&ida_name) {
        bench.run(with_c(case, &tiles, nodes));
    }
}

/// The case with the recursion that Korf describes, in C, for every way to compile it.
fn with_c<'c>(mut case: Case<'c>, tiles: &[u8; 16], nodes: u64) -> Case<'c> {
    let ways: [(&[&str], _); 2] = [
        (&["-O3"], "by hand, in C, -O3"),
        (&["-O3", "-march=native"], "by hand, in C, -O3 -march=native"),
    ];
    let board = tiles.map(|tile| tile.to_string()).join(",");
    for (flags, name) in ways {
        let Some(mut program) = Program::start("tiles_ida.c", flags, &[]) else { break };
        let board = board.clone();
        case = case.contestant(Side::Handwritten, name, move |_| {
            let found = program.ask(&board);
            let [length, generated] = found.numbers[..] else { panic!("two numbers") };
            assert_eq!(generated, nodes, "the count of nodes is known");
            let mut answer = Answer::default();
            answer.add(Some(length), 0, 0);
            answer.elsewhere = Some(found.time);
            answer
        });
    }
    case
}

fn by_hand(found: handwritten::tiles_ida::Found, nodes: u64) -> Answer {
    let mut answer = Answer::default();
    answer.add(Some(found.length.into()), 0, 0);
    assert_eq!(found.nodes, nodes, "the count of nodes is known");
    black_box(found.path);
    answer
}

/// The peak memory, in kilobytes, of a separate process for one search.
fn peak_of_child(who: &str, number: u32) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).args(["--child", who, &number.to_string()]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Solves one instance by A* and prints the most memory that this process had.
fn child(arguments: &[String]) {
    let [who, number] = arguments else { panic!("--child needs whose code, and an instance") };
    let number: usize = number.parse().expect("the number of an instance");
    let Some(instances) = data::korf() else { return };
    let tiles = instances[number - 1].tiles;
    let puzzle = SlidingTiles::<Packed>::new(4, 4).expect("16 cells fit");
    let board = Board::new(4, 4, &tiles).expect("it is a board");
    let start = puzzle.state(&board).expect("it is 4×4");
    let length = match who.as_str() {
        "ours" => AStar::new(&puzzle).search(start).run().expect("the length fits").cost(),
        "pathfinding" => Rival::new(&puzzle, false).astar(&start).cost,
        _ => Some(handwritten::tiles_astar::solve(&tiles).length),
    };
    assert_eq!(length, Some(instances[number - 1].optimal));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("{}", line.unwrap_or("").trim().trim_end_matches(" kB"));
}

/// [`EightWay`] with plain numbers for lengths, as the rival wants to be able to add them.
#[derive(Debug)]
struct PlainEightWay;

impl Moves for PlainEightWay {
    type Cost = u32;
    const STRAIGHT: u32 = 5741;
    const DIAGONAL: Option<u32> = Some(8119);

    #[inline]
    fn estimate(dx: u16, dy: u16) -> u32 {
        let (long, short) = (u32::from(dx.max(dy)), u32::from(dx.min(dy)));
        Self::STRAIGHT * (long - short) + 8119 * short
    }
}

fn grids(bench: &mut Bench) {
    let quick = bench.options.quick;
    for (name, stride) in [("arena", 1), ("brc202d", if quick { 64 } else { 1 })] {
        let case = format!("grid {name}");
        if !bench.wants(&case) {
            continue;
        }
        let Some(map) = data::text(&format!("movingai/{name}.map")) else { continue };
        let Some(scenario) = data::text(&format!("movingai/{name}.map.scen")) else { continue };
        let map: GridMap = map.parse().unwrap_or_else(|fault| panic!("{name}.map: {fault}"));
        let scenario: Scenario =
            scenario.parse().unwrap_or_else(|fault| panic!("{name}.map.scen: {fault}"));
        let queries: Vec<(Cell, Cell)> = scenario
            .queries
            .iter()
            .step_by(stride)
            .map(|query| (query.start, query.goal))
            .collect();
        bench.run(
            Case::new(case)
                .contestant(Side::Ours, "dense, restarted", |_| {
                    let mut answer = Answer::default();
                    let anywhere = Cell::new(0, 0);
                    let mut search =
                        AStar::new(map.route_by::<EightWay>(anywhere)).dense().search(anywhere);
                    for &(start, goal) in &queries {
                        search.restart_with(map.route_by::<EightWay>(goal), start);
                        let report = search.run().expect("the length fits");
                        // Both count in the same units.
                        let cost = report.cost().and_then(Cost::to_bucket);
                        let cost = cost.map(|units| units as u64);
                        answer.add(cost, report.stats.expanded, report.stats.stored);
                    }
                    answer
                })
                .contestant(Side::Rival, "pathfinding", |counts| {
                    let mut answer = Answer::default();
                    for &(start, goal) in &queries {
                        let route = map.route_by::<PlainEightWay>(goal);
                        answer.add_rival(Rival::new(&route, counts).astar(&start));
                    }
                    answer
                }),
        );
    }
}

/// The factor of the great-circle heuristic for New York; the weights are about ten to a metre.
const FACTOR: f64 = 7.15;

fn roads(bench: &mut Bench) {
    let names = ["New York, Dijkstra", "New York, A*"];
    if !names.iter().any(|name| bench.wants(name)) {
        return;
    }
    let Some(distances) = data::text("roads/reference_distances.csv") else { return };
    let Some(network) = new_york::network() else { return };

    let pair = |line: &str| -> Option<(NodeId, NodeId, u64)> {
        let mut fields = line.strip_prefix("USA-road-d.NY,")?.split(',').map(str::trim);
        let mut node = || network.node(fields.next()?.parse().ok()?);
        let (from, to) = (node()?, node()?);
        Some((from, to, fields.next()?.parse().ok()?))
    };
    let pairs: Vec<_> = distances
        .lines()
        .filter_map(pair)
        .step_by(if bench.options.quick { 10 } else { 1 })
        .collect();
    let total: u64 = pairs.iter().map(|pair| pair.2).sum();
    let arcs = network.nodes().flat_map(|node| {
        network.arcs(node).map(move |(to, weight)| (node.number() - 1, to.number() - 1, weight))
    });
    let graph: DiGraph<(), u32> = DiGraph::from_edges(arcs);
    let mut roads = Roads::new(&network);
    let numbered: Vec<_> = pairs
        .iter()
        .map(|&(from, to, distance)| (from.number() - 1, to.number() - 1, distance))
        .collect();
    let libraries = Libraries::start(&network, &numbered, FACTOR);

    for (name, informed) in names.into_iter().zip([false, true]) {
        let route_to = |goal| network.route_to(goal).great_circle(FACTOR);
        let case = Case::new(name)
            .contestant(Side::Ours, "dense, restarted", |_| {
                let mut answer = Answer::default();
                let (anywhere, _, _) = pairs[0];
                let first = route_to(anywhere);
                if informed {
                    let mut search = AStar::new(first).dense().search(anywhere);
                    for &(from, to, _) in &pairs {
                        search.restart_with(route_to(to), from);
                        let report = search.run().expect("the distance fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                } else {
                    let mut search = Dijkstra::new(first).dense().search(anywhere);
                    for &(from, to, _) in &pairs {
                        search.restart_with(route_to(to), from);
                        let report = search.run().expect("the distance fits");
                        answer.add_ours(report.cost(), &report.stats);
                    }
                }
                assert_eq!(answer.cost, total, "the distances are known");
                answer
            })
            .contestant(Side::Rival, "pathfinding", |counts| {
                let mut answer = Answer::default();
                for &(from, to, _) in &pairs {
                    let route = route_to(to);
                    let rival = Rival::new(&route, counts);
                    answer.add_rival(if informed {
                        rival.astar(&from)
                    } else {
                        rival.dijkstra(&from)
                    });
                }
                answer
            })
            .contestant(Side::Handwritten, "by hand", |_| {
                let mut answer = Answer::default();
                for &(from, to, _) in &pairs {
                    let (start, end) = (from.number() - 1, to.number() - 1);
                    let route = route_to(to);
                    let estimate =
                        |node: u32| network.node(node + 1).map_or(0, |node| route.heuristic(&node));
                    let (cost, expanded, stored, path) = if informed {
                        roads.route(start, end, estimate)
                    } else {
                        roads.route(start, end, |_| 0)
                    };
                    answer.add(cost.map(u64::from), expanded, stored);
                    black_box(path);
                }
                answer
            })
            .contestant(Side::Rival, "petgraph", |_| {
                let mut answer = Answer::default();
                for &(from, to, _) in &pairs {
                    let (cost, expanded, stored) = petgraph(&network, &graph, from, to, informed);
                    answer.add(cost.map(u64::from), expanded, stored);
                }
                answer
            });
        bench.run(libraries.join(case, informed));
    }
}

/// One search by petgraph: its cost, and the numbers of visited and of reached nodes (not reported for A*).
fn petgraph(
    network: &RoadNetwork,
    graph: &DiGraph<(), u32>,
    from: NodeId,
    to: NodeId,
    informed: bool,
) -> (Option<u32>, u64, u64) {
    let index = |node: NodeId| NodeIndex::new(node.number() as usize - 1);
    let mut looked_at = 0;
    if informed {
        let route = network.route_to(to).great_circle(FACTOR);
        let is_goal = |node| {
            looked_at += 1;
            node == index(to)
        };
        let estimate = |node: NodeIndex| {
            let number = u32::try_from(node.index() + 1).unwrap_or(0);
            network.node(number).map_or(u32::ZERO, |node| route.heuristic(&node))
        };
        let found =
            petgraph::algo::astar(graph, index(from), is_goal, |arc| *arc.weight(), estimate);
        let cost = found.map(|(cost, path)| {
            black_box(path);
            cost
        });
        (cost, looked_at, 0)
    } else {
        let is_goal = |&node: &NodeIndex| {
            looked_at += 1;
            node == index(to)
        };
        let found =
            petgraph::algo::dijkstra::with_dynamic_goal(graph, index(from), is_goal, |arc| {
                *arc.weight()
            });
        (found.scores.get(&index(to)).copied(), looked_at, found.scores.len() as u64)
    }
}
