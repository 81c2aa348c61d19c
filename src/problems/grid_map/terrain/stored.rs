//! Maps with terrain for `serde`: the fields that cannot be computed. They are checked when they are read.

use serde::{Deserialize, Serialize};

use super::{MapError, TerrainCost, TerrainMap, checked_cost, checked_size};

/// The serialised form of a [`TerrainMap`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredTerrain<C> {
    width: u16,
    height: u16,
    /// The letters of all rows, one after the other.
    letters: String,
    /// `None` for a blocked cell.
    costs: Vec<Option<C>>,
    exits: Vec<u8>,
}

impl<C: TerrainCost> From<TerrainMap<C>> for StoredTerrain<C> {
    fn from(map: TerrainMap<C>) -> Self {
        let costs = map.cells().map(|cell| map.cost(cell)).collect();
        let TerrainMap { width, height, letters, exits, .. } = map;
        Self { width, height, letters: letters.into_iter().collect(), costs, exits }
    }
}

impl<C: TerrainCost> TryFrom<StoredTerrain<C>> for TerrainMap<C> {
    type Error = String;

    fn try_from(stored: StoredTerrain<C>) -> Result<Self, String> {
        let StoredTerrain { width, height, letters, costs, exits } = stored;
        let letters: Vec<_> = letters.chars().collect();
        let count = checked_size(width, height).map_err(|fault| fault.to_string())?;
        if [letters.len(), costs.len(), exits.len()] != [count; 3] {
            return Err(format!(
                "{width} times {height} cells, but {} letters, {} costs and {} exits",
                letters.len(),
                costs.len(),
                exits.len()
            ));
        }
        let cell = |index| super::super::map::cell_at(width, index);
        let costs = costs.into_iter().zip(0..).map(|(cost, index)| checked_cost(cell(index), cost));
        let costs = costs.collect::<Result<_, _>>().map_err(|fault| fault.to_string())?;
        let mut map = Self::from_parts((width, height), letters, costs)
            .map_err(|fault| MapError::out_of_memory(height, width, fault).to_string())?;
        map.exits = exits;
        Ok(map)
    }
}
