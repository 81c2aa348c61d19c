//! The engines, and [`Search`], the machine that they all run in.
//!
//! Each engine can be called as a function ([`astar`], [`dijkstra`], …) or configured with a builder
//! ([`AStar`], [`Dijkstra`], …). A builder makes a [`Search`].
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
//! | `bidirectional` | [`Bidirectional`]: two halves of the same loop |
//! | `paths` | [`KBest`], [`AllOptimal`]: best-first search that is continued for more than one path |
//! | `depth_first` | [`IdaStar`] |
//! | `pareto` | [`Pareto`]: the same loop over labels instead of states |
//! | `replanning` | [`Replanner`]: a cheapest path again after changes |
//! | `scale` | shards: best-first search on several threads (`AStar::threads`, `Dijkstra::threads`) and, with the feature `distributed`, in several processes; [`DiskSearch`]: open and closed lists in files |

mod any;
pub mod best_first;
pub mod bidirectional;
pub(crate) mod checked;
pub mod depth_first;
mod driver;
pub mod incumbent;
#[cfg(feature = "parallel")]
mod limit_check;
mod lookahead;
pub mod pareto;
pub mod paths;
mod policy;
mod relaxation;
pub mod replanning;
mod run;
pub mod scale;
mod search;

pub use any::{AnySearch, BoxedSearch};
pub use best_first::{
    AStar, AStarSearch, AnytimeAStar, AnytimeAStarSearch, BestFirstEngine, BoundedCost,
    BoundedCostSearch, ByF, ByFallingWeight, ByG, ByH, ByKey, ByPotential, ByTurns, ByWeightedF,
    Dijkstra, DijkstraSearch, Focal, FocalSearch, Greedy, GreedySearch, ImprovingEngine, Order,
    Reached, Settled, anytime_astar, astar, bounded_cost, dijkstra, dijkstra_all, focal, greedy,
    solve,
};
pub use bidirectional::{
    Bae, BaeKey, Bidirectional, BidirectionalEngine, BidirectionalSearch, Nbs, NbsKey, StagedKey,
    Strategy, UniformCost, bidirectional,
};
pub use depth_first::{Deepening, IdaStar, IdaStarSearch, idastar};
pub use incumbent::{
    Beam, BeamSearch, BranchAndBound, BranchAndBoundSearch, BreadthFirst, BreadthFirstSearch,
    IncumbentEngine, Rectangle, RectangleSearch, beam, branch_and_bound, breadth_first, rectangle,
};
pub use pareto::{Front, FrontOf, Pareto, ParetoEngine, ParetoSearch};
pub use paths::{
    AllOptimal, AllOptimalEngine, AllOptimalSearch, KBest, KBestEngine, KBestSearch, Listing,
    OptimalPaths, PathCount, Walks, all_optimal, k_best,
};
pub use policy::{ByStoredF, PartialExpansion, PartialExpansionSearch, StoredF, partial_expansion};
pub use replanning::{Replanner, ReplannerEngine, ReplannerSearch};
pub use run::Run;
pub use scale::disk::{
    DiskEngine, DiskFault, DiskFaultKind, DiskFile, DiskHolder, DiskSearch, DiskSearchRun,
};
#[cfg(feature = "distributed")]
pub use scale::{
    Cluster, ClusterError, Distributed, DistributedError, DistributedProgress, Loss, Secret,
};
#[cfg(feature = "parallel")]
pub use scale::{Sharded, ShardedEngine, ShardedSearch};
pub use search::{Engine, ErrorOf, PathBy, Progress, ReportBy, Search};
