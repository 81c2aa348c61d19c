//! Prints the answers.

use std::io::Write;
use std::time::Instant;

use bestfirst::problems::road_network::NodeId;
use bestfirst::{Path, PathCount, StopReason};
use program::{Fault, thousands};

use super::args::Args;
use super::input::{Pair, Roads};
use super::plot::Drawn;

/// What is printed, as the options ask.
pub struct Printer<'a, W> {
    pub args: &'a Args,
    pub roads: &'a Roads,
    pub out: &'a mut W,
    /// The routes, if they are to be drawn.
    pub routes: Vec<Drawn>,
}

/// What there is to say of the routes of a pair, after them.
pub struct Summary {
    /// How many were printed.
    pub found: u64,
    /// Why there are no more, and what the next one costs at least.
    pub stopped: Option<(StopReason, u32)>,
    /// The route costs at most `factor` times the least.
    pub factor: Option<f64>,
    pub expanded: u64,
    pub began: Instant,
}

/// All cheapest routes of a pair.
pub struct Cheapest {
    /// What each of them costs, if there is any.
    pub cost: Option<u32>,
    pub count: PathCount,
    /// On any of them.
    pub nodes: usize,
    /// On any of them.
    pub arcs: usize,
    pub stopped: Option<StopReason>,
    pub began: Instant,
}

impl<W: Write> Printer<'_, W> {
    /// The title of a pair.
    pub fn begin(&mut self, pair: Pair) -> Result<(), Fault> {
        if !self.args.quiet {
            let [from, to] = [pair.from, pair.to].map(|node| self.roads.number(node));
            writeln!(self.out, "{from} to {to}")?;
        }
        Ok(())
    }

    /// A route.
    pub fn route(&mut self, path: &Path<NodeId, (), u32>) -> Result<(), Fault> {
        if self.args.plot.is_some() {
            self.routes.push(Drawn { cost: path.cost(), nodes: path.states().to_vec() });
        }
        if self.args.quiet {
            writeln!(self.out, "{}", path.cost())?;
            return Ok(());
        }
        writeln!(self.out, "  {}, {} arcs", path.cost(), thousands(path.len()))?;
        if self.args.path {
            write!(self.out, "   ")?;
            for node in path.states() {
                write!(self.out, " {}", self.roads.number(*node))?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// The end of a pair.
    pub fn end(&mut self, summary: &Summary) -> Result<(), Fault> {
        let Summary { found, stopped, factor, expanded, began } = *summary;
        if self.args.quiet {
            match stopped {
                Some(_) => writeln!(self.out, "stopped")?,
                None if found == 0 => writeln!(self.out, "no route")?,
                None => {}
            }
            return Ok(());
        }
        match (stopped, factor) {
            (Some((reason, bound)), _) => {
                writeln!(self.out, "  stopped: {reason}; any other route costs at least {bound}")?;
            }
            (None, _) if found == 0 => writeln!(self.out, "  no route")?,
            (None, Some(factor)) if factor > 1.0 => {
                writeln!(self.out, "  at most {factor:.3} times the least cost")?;
            }
            (None, _) if self.args.routes().is_some_and(|most| found < most) => {
                writeln!(self.out, "  no other route")?;
            }
            (None, _) => {}
        }
        writeln!(self.out, "  {} expanded in {:.1?}", thousands(expanded), began.elapsed())?;
        Ok(())
    }

    /// All cheapest routes of a pair.
    pub fn all(&mut self, all: &Cheapest) -> Result<(), Fault> {
        let count = all.count;
        if self.args.quiet {
            match (all.stopped, all.cost) {
                (Some(_), _) => writeln!(self.out, "stopped")?,
                (None, None) => writeln!(self.out, "no route")?,
                (None, Some(_)) => writeln!(self.out, "{count}")?,
            }
            return Ok(());
        }
        match (all.stopped, all.cost) {
            (Some(reason), _) => writeln!(self.out, "  stopped: {reason}")?,
            (None, None) => writeln!(self.out, "  no route")?,
            (None, Some(cost)) => {
                let (nodes, arcs) = (thousands(all.nodes), thousands(all.arcs));
                let one = if count == PathCount::Finite(1) { "route" } else { "routes" };
                writeln!(self.out, "  {cost}, {count} {one} over {nodes} nodes and {arcs} arcs")?;
            }
        }
        writeln!(self.out, "  in {:.1?}", all.began.elapsed())?;
        Ok(())
    }
}
