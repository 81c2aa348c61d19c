//! The engines, and [`Search`], the machine that they all run in.
//!
//! Most engines can be called as a function ([`astar`], [`dijkstra`], …); all have a builder ([`AStar`], [`Dijkstra`],
//! …), which makes a [`Search`].
//!
//! An [`Engine`] knows how to expand states; a [`Search`] runs one, checks its limits, and reports. That is
//! done in one place for all engines, so a limit means the same everywhere. An engine of your own is
//! possible: see [`Engine`].
//!
//! | folder | engines |
//! |---|---|
//! | `best_first` | [`AStar`] (also weighted), [`Dijkstra`], [`Greedy`], [`AnytimeAStar`], [`Focal`], [`BoundedCost`]: one driver and one relaxation loop, several [orders](Order) |
//! | `policy` | [`PartialExpansion`], and what differs between the engines of one driver |
//! | `incumbent` | [`BranchAndBound`], [`BreadthFirst`], [`Beam`], [`Rectangle`]: the same loop, pruned by the best solution so far |
//! | `anytime` | [`Anytime`]: a beam and weighted A* by turns |
//! | `bidirectional` | [`Bidirectional`]: two halves of the same loop |
//! | `paths` | [`KBest`], [`AllOptimal`]: best-first search that is continued for more than one path; [`Alternatives`]: by two trees |
//! | `fewest_steps` | [`bfs`], [`bfs_all`]: a loop without a frontier |
//! | `depth_first` | [`IdaStar`] |
//! | `pareto` | [`Pareto`]: the same loop over labels instead of states |
//! | `replanning` | [`Replanner`]: a cheapest path again after changes |
//! | `threads` | best-first search on shards, by several threads (`AStar::threads`, `Dijkstra::threads`) |
//! | `disk` | with the feature `disk`: [`ExternalAStar`], open and closed lists in files |
//! | `processes` | with the feature `distributed`: the same shards in several processes, on one machine or many |
//!
//! The builders, their functions and their searches are at the root of the crate. Here is what only those name who
//! write types of engines down, or an engine of their own.

pub(crate) mod any;
pub(crate) mod anytime;
pub(crate) mod best_first;
pub(crate) mod bidirectional;
pub(crate) mod builder;
pub(crate) mod checked;
mod core;
pub(crate) mod depth_first;
#[cfg(any(feature = "disk", doc))]
pub(crate) mod disk;
mod driver;
pub(crate) mod fewest_steps;
pub(crate) mod halt;
pub(crate) mod incumbent;
#[cfg(feature = "parallel")]
mod limit_check;
mod lookahead;
#[cfg(any(feature = "disk", feature = "parallel", doc))]
mod owner;
pub(crate) mod pareto;
mod parts;
pub(crate) mod paths;
pub(crate) mod policy;
#[cfg(feature = "distributed")]
pub(crate) mod processes;
#[cfg(test)]
mod random;
mod relaxation;
pub(crate) mod replanning;
mod run;
pub(crate) mod search;
#[cfg(feature = "parallel")]
mod threads;

pub use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile, DiskHolder};
pub use crate::threads::SingleThreaded;
#[cfg(feature = "parallel")]
pub use crate::threads::Threads;
pub use anytime::AnytimeEngine;
pub use best_first::{
    BestFirstEngine, ByF, ByFallingWeight, ByG, ByH, ByKey, ByPotential, ByTurns, ByWeightedF,
    ImprovingEngine, Order,
};
pub use bidirectional::{
    Bae, BaeKey, BidirectionalEngine, Nbs, NbsKey, StagedKey, Strategy, UniformCost,
};
pub use depth_first::{
    Buffered, Expander, IdaStarEngine, InPlace, ParallelStrategy, TranspositionTable,
};
#[cfg(all(feature = "parallel", any(feature = "disk", doc)))]
pub use disk::SeveralThreads;
#[cfg(any(feature = "disk", doc))]
pub use disk::{DiskEngine, Workers};
#[cfg(feature = "parallel")]
pub use incumbent::BufferedOnThreads;
pub use incumbent::{
    BeamLayers, By, ByArrival, ByEstimate, DepthFirst, Depths, IncumbentEngine, Layers, OpenList,
    Ranking,
};
pub use pareto::ParetoEngine;
pub use paths::{AllOptimalEngine, AlternativesEngine, KBestEngine, Listing, Similar, Walks};
pub use policy::{ByStoredF, StoredF};
#[cfg(feature = "distributed")]
pub use processes::{ClusterError, DistributedError, DistributedProgress, Loss, Secret};
pub use replanning::{ReplanKey, ReplanRecord, ReplannerEngine, ReplanningRecord, ReplanningTable};
pub use run::Run;
pub use search::{Engine, ErrorOf, PathBy, Progress, ReportBy};
#[cfg(feature = "parallel")]
pub use threads::{Sharded, ShardedEngine, ShardedSearch};

#[cfg(doc)]
use crate::*;
