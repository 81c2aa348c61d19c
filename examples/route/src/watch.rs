//! What is remembered for a picture.

use std::cell::RefCell;

use bestfirst::Observer;
use bestfirst::problems::road_network::NodeId;

/// The nodes that were expanded.
#[derive(Clone, Copy)]
pub struct Seen<'a>(pub &'a RefCell<Vec<bool>>);

impl Observer<NodeId, u32> for Seen<'_> {
    fn expanded(&mut self, node: &NodeId, _g: u32, _h: u32) {
        if let Some(seen) = self.0.borrow_mut().get_mut(node.index()) {
            *seen = true;
        }
    }
}
