//! Many queries on one state space: what landmarks, hierarchies (also with traffic and with turn costs) and jump points
//! save, and what routes of any angle cost.
//!
//! ```text
//! cargo bench --bench queries                    all tables
//! cargo bench --bench queries -- --roads         New York only
//! cargo bench --bench queries -- --grids         maps of games only
//! cargo bench --bench queries -- --markdown      puts the tables into BENCHMARKS.md
//! cargo bench --bench queries --features parallel    landmarks are made on several threads as well
//! ```
//!
//! Every distance is compared with the reference. Seconds are processor time, except for what runs on several
//! threads.

mod query {
    pub mod angles;
    pub mod grids;
    pub mod roads;
}
mod support {
    pub mod clock;
    pub mod data;
    pub mod median;
    pub mod new_york;
    pub mod page;
}

#[path = "../tests/support/turns.rs"]
mod turns;

use support::page;

/// Whether a part is left out, the name of its table, and what makes it.
type Part = (bool, &'static str, fn() -> Option<String>);

fn main() {
    let (mut is_bench, mut only_roads, mut only_grids, mut markdown) = (false, false, false, false);
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "--bench" => is_bench = true,
            "--roads" => only_roads = true,
            "--grids" => only_grids = true,
            "--markdown" => markdown = true,
            _ => {
                eprintln!("usage: cargo bench --bench queries -- [--roads] [--grids] [--markdown]");
                std::process::exit(2);
            }
        }
    }
    if !is_bench {
        println!("a benchmark: run it by `cargo bench --bench queries`");
        return;
    }
    let parts: [Part; 3] = [
        (only_grids, "landmarks", query::roads::table),
        (only_roads, "jump-points", query::grids::table),
        (only_roads, "any-angle", query::angles::table),
    ];
    for (is_left_out, name, table) in parts {
        if is_left_out {
            continue;
        }
        let Some(table) = table() else { continue };
        println!("{table}");
        if markdown {
            page::publish(name, &format!("{}\n\n{table}", page::circumstances("queries")));
        }
    }
}
