//! Hierarchies in files, and tables by them.

use std::fs::File;
use std::io;
use std::path::Path;

use bestfirst::Outcome;
use bestfirst::heuristics::{DistanceError, Hierarchy};
use bestfirst::problems::road_network::{NodeId, Route};
use program::{Fault, Output, ProgressLine, Verdict, bar, thousands};

use super::args::Args;
use super::input::{Pair, Roads};

/// The hierarchy in a file, which is made if it is not there.
pub fn load_or_make(args: &Args, file: &Path, route: &Route<'_>) -> Result<Hierarchy<u32>, Fault> {
    let in_file = |fault: &dyn std::fmt::Display| {
        Fault::Input(format!("--hierarchy: {}: {fault}", file.display()))
    };
    match File::open(file) {
        Ok(opened) => return Hierarchy::load(route, opened).map_err(|fault| in_file(&fault)),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
        Err(fault) => return Err(in_file(&fault)),
    }
    let [output] = program::open(&[], [("--hierarchy", Some(file))])?;
    let mut line = (!args.quiet).then(ProgressLine::new);
    let builder = Hierarchy::of(route).limits(args.limits()).progress(|done, all| {
        if let Some(line) = &mut line {
            let [done, all] = [done, all].map(|count| count as u64);
            line.show(|| {
                format!("{}  {} of {} nodes", bar(done, all), thousands(done), thousands(all))
            });
        }
    });
    let hierarchy = builder.build().map_err(|fault| match fault {
        DistanceError::Stopped(_) => Fault::Stopped(format!("--hierarchy: {fault}")),
        _ => Fault::Input(format!("--hierarchy: {fault}")),
    })?;
    if let Some(output) = output {
        output.write(|out| hierarchy.save(out))?;
    }
    Ok(hierarchy)
}

/// Writes the distances from the first nodes of all pairs to the second nodes.
pub fn write_table(
    args: &Args,
    hierarchy: &Hierarchy<u32>,
    roads: &Roads,
    pairs: &[Pair],
    file: Output,
) -> Result<Verdict, Fault> {
    let distinct = |node: fn(&Pair) -> NodeId| {
        let mut seen = std::collections::HashSet::new();
        pairs.iter().map(node).filter(|&node| seen.insert(node)).collect::<Vec<_>>()
    };
    let (from, to) = (distinct(|pair| pair.from), distinct(|pair| pair.to));
    let indices = |nodes: &[NodeId]| nodes.iter().map(|node| node.index()).collect::<Vec<_>>();
    let table = hierarchy.table(&indices(&from), &indices(&to));
    let mut is_whole = true;
    for (row, &from) in table.rows().zip(&from) {
        for (_, &to) in row.iter().zip(&to).filter(|(distance, _)| distance.is_none()) {
            is_whole = false;
            // A distance that does not fit is missing, too: a query tells it apart.
            let query = hierarchy.query(roads.network.route_to(to));
            let query = query.map_err(|fault| Fault::input(&fault))?;
            let report = query.limits(args.limits()).search(from).run();
            if let Outcome::Stopped(reason) = report.map_err(|fault| Fault::input(&fault))?.outcome
            {
                return Err(Fault::Stopped(format!("--table: a query was stopped: {reason}")));
            }
        }
    }
    file.write(|out| {
        write!(out, "from")?;
        to.iter().try_for_each(|&node| write!(out, ",{}", roads.number(node)))?;
        writeln!(out)?;
        for (&node, row) in from.iter().zip(table.rows()) {
            write!(out, "{}", roads.number(node))?;
            for distance in row {
                // Where there is no route, nothing.
                match distance {
                    Some(distance) => write!(out, ",{distance}")?,
                    None => write!(out, ",")?,
                }
            }
            writeln!(out)?;
        }
        io::Result::Ok(())
    })?;
    Ok(if is_whole { Verdict::Solved } else { Verdict::NoSolution })
}
