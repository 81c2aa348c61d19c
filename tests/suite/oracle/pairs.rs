//! The list of engines covers pairs: each kind of engine with each table, frontier and form, each table with each frontier, and each of
//! these with each type of costs. (Faults of parts are faults of one or of two together, hardly ever of three; to
//! compile all together would take minutes.)

use std::collections::BTreeSet;

use bestfirst::{DenseStates, InPlaceProblem};

use support::engines::{Engine, Listed, engines, odd_engines};
use support::hostile::Wrapping;
use support::random::{Clashing, Name, Problem, Units, Wide};

use super::costs::Graph;

/// What can be chosen, and between what.
const CHOICES: [(&str, &[&str]); 4] = [
    ("table", &["hashed", "dense", "far"]),
    ("frontier", &["buckets", "heap", "indexed"]),
    ("form", &["copied", "in_place"]),
    ("ids", &["narrow", "wide"]),
];

fn values(choice: &str) -> impl Iterator<Item = &'static str> {
    CHOICES
        .iter()
        .filter(move |(of, _)| *of == choice)
        .flat_map(|(_, values)| values.iter().copied())
}

/// What was chosen for one engine: what it is called, and the value.
type Row = Vec<(&'static str, &'static str)>;

fn rows<P: DenseStates + InPlaceProblem>(engines: Vec<Engine<P>>) -> Vec<Row> {
    let rows = engines.into_iter().map(|engine| {
        let kind = engine.name.split(',').next().expect("a name");
        let mut row = vec![("kind", kind)];
        for &part in engine.parts {
            let part = match part {
                "far_costs" | "far_dense" => "far",
                part => part,
            };
            row.extend(
                CHOICES
                    .iter()
                    .filter(|(_, values)| values.contains(&part))
                    .map(|(c, _)| (*c, part)),
            );
        }
        let has = |row: &Row, choice| row.iter().any(|&(of, _)| of == choice);
        if has(&row, "frontier") && !has(&row, "ids") {
            row.push(("ids", "narrow"));
        }
        if kind == "IDA*" {
            for (word, choice) in
                [("table", "IDA* table"), ("bounds", "IDA* bounds"), ("cycles", "IDA* cycles")]
            {
                row.extend(engine.name.contains(word).then_some((choice, word)));
            }
        } else if ["breadth first", "beam", "rectangle", "anytime search", "branch and bound"]
            .contains(&kind)
            && !has(&row, "form")
        {
            row.push(("form", "copied"));
        }
        row
    });
    rows.collect()
}

/// The pairs of values of two choices that are in a list.
fn pairs(rows: &[Row], first: &str, second: &str) -> BTreeSet<(&'static str, &'static str)> {
    let mut pairs = BTreeSet::new();
    for row in rows {
        for &(_, value) in row.iter().filter(|&&(of, _)| of == first) {
            pairs.extend(
                row.iter().filter(|&&(of, _)| of == second).map(|&(_, other)| (value, other)),
            );
        }
    }
    pairs
}

fn check_type<P: DenseStates + InPlaceProblem>(all: &[Row], types: &str, engines: Vec<Engine<P>>) {
    let value_set = |rows: &[Row]| rows.iter().flatten().copied().collect::<BTreeSet<_>>();
    let (wanted, there) = (value_set(all), value_set(&rows(engines)));
    let missing: Vec<_> = wanted.difference(&there).collect();
    assert!(missing.is_empty(), "{types} without {missing:?}");
}

fn check_costs<C: Listed + Units, S: Name>(all: &[Row]) {
    let engines = engines::<Problem<C, S>>();
    check_type(all, std::any::type_name::<C>(), engines);
}

#[test]
fn pairs_are_covered() {
    let all = rows(engines::<Problem<i32, u32>>());
    for (choice, values) in CHOICES {
        // Every kind that has the choice at all has each value; but some have narrow ids only.
        let of_kinds = pairs(&all, "kind", choice);
        let kinds: BTreeSet<_> = of_kinds.iter().map(|&(kind, _)| kind).collect();
        assert!(kinds.len() >= 4, "{choice}: {kinds:?}");
        for kind in kinds {
            for &value in values.iter().filter(|&&value| value != "wide") {
                assert!(of_kinds.contains(&(kind, value)), "{kind} without {value}");
            }
        }
    }
    for first in ["table", "ids"] {
        let there = pairs(&all, first, "frontier");
        for value in values(first) {
            for frontier in values("frontier") {
                assert!(there.contains(&(value, frontier)), "{value} without {frontier}");
            }
        }
    }
    check_costs::<u8, u32>(&all);
    check_costs::<u32, u32>(&all);
    check_costs::<u64, Clashing>(&all);
    check_costs::<f32, Wide>(&all);
    check_costs::<f64, u32>(&all);
    check_type(&all, "costs that wrap around", odd_engines::<Graph<Wrapping>>());
}
