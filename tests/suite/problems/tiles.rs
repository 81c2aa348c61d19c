//! Sliding tiles: every representation against boards, the successors in all forms, which boards can be solved, and
//! what is read.

use std::collections::HashMap;
use std::ops::ControlFlow;

use bestfirst::problems::sliding_tiles::{
    BlankMove, Board, BoardError, Packed, SlidingTiles, TileCells, TileState, Tracked,
};
use bestfirst::{InPlaceProblem, SearchProblem, SuccessorBuffer, UnrolledSuccessors, Visit};
use support::random::rounds;

const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

/// The distance of each state from the goal, by breadth-first search up to `depth`.
fn distances<S: TileState>(puzzle: &SlidingTiles<S>, depth: u16) -> HashMap<S, u16> {
    let mut known = HashMap::from([(puzzle.goal(), 0)]);
    let mut layer = vec![puzzle.goal()];
    let mut next = SuccessorBuffer::new();
    for far in 1..=depth {
        for state in std::mem::take(&mut layer) {
            next.clear();
            puzzle.successors(&state, &mut next);
            for successor in next.drain() {
                assert_eq!(successor.cost, 1);
                known.entry(successor.state.clone()).or_insert_with(|| {
                    layer.push(successor.state);
                    far
                });
            }
        }
    }
    known
}

/// Records the visited successors with their heuristic values.
struct Recorded<'p, S: TileState>(&'p SlidingTiles<S>, Vec<(BlankMove, S, u16, u16)>, usize);

/// Compares the heuristic values that are known of successors of successors.
struct Below<'p, S: TileState>(&'p SlidingTiles<S>);

impl<S: TileState> Visit<S, BlankMove, u16> for Below<'_, S> {
    fn visit(&mut self, _: BlankMove, _: S, _: u16) -> ControlFlow<()> {
        unreachable!("the successors are unrolled")
    }

    fn visit_known<N: UnrolledSuccessors<S, BlankMove, u16>>(
        &mut self,
        next: N,
        _: BlankMove,
        state: S,
        _: u16,
    ) -> ControlFlow<()> {
        let h = self.0.unrolled_heuristic(&next);
        assert!(h.is_none_or(|h| h == self.0.heuristic(&state)), "{state:?}");
        ControlFlow::Continue(())
    }
}

impl<S: TileState> Visit<S, BlankMove, u16> for Recorded<'_, S> {
    fn visit(&mut self, way: BlankMove, state: S, cost: u16) -> ControlFlow<()> {
        let h = self.0.heuristic(&state);
        self.1.push((way, state, h, cost));
        ControlFlow::Continue(())
    }

    fn visit_known<N: UnrolledSuccessors<S, BlankMove, u16>>(
        &mut self,
        next: N,
        way: BlankMove,
        state: S,
        cost: u16,
    ) -> ControlFlow<()> {
        if let Some(h) = (&self.0).unrolled_heuristic(&next) {
            assert_eq!(h, self.0.heuristic(&state), "{state:?}");
            self.2 += 1;
        }
        // What is known is passed on.
        let mut below = Below(self.0);
        let _ = next.visit_all::<true>(&state, Some(&way), &mut below);
        self.visit(way, state, cost)
    }
}

/// Makes a random walk and compares the state with its board at every step. `is_known`: whether the heuristic values of
/// unrolled successors are known from that of their parent.
fn walk<S: TileState>(width: usize, height: usize, is_known: bool) {
    let puzzle = SlidingTiles::<S>::new(width, height).unwrap();
    assert_eq!((puzzle.width(), puzzle.height()), (width, height));
    let mut state = puzzle.goal();
    let mut next = SuccessorBuffer::new();
    let mut random = 12_345_u32;
    for _ in 0..rounds(200) {
        let board = puzzle.board(&state);
        assert_eq!(puzzle.state(&board).as_ref(), Ok(&state));
        assert_eq!(puzzle.heuristic(&state), board.manhattan());
        let solved = board == Board::goal(width, height).unwrap();
        assert_eq!(puzzle.is_goal(&state), solved);
        assert!(board.is_solvable());

        next.clear();
        puzzle.successors(&state, &mut next);
        assert_eq!(
            puzzle.actions(&state).collect::<Vec<_>>(),
            next.as_slice().iter().map(|successor| successor.action).collect::<Vec<_>>()
        );
        for successor in next.as_slice() {
            let mut moved = state.clone();
            let (cost, undo) = puzzle.apply(&mut moved, &successor.action);
            assert_eq!((cost, &moved), (1, &successor.state));
            assert_eq!(puzzle.heuristic(&moved), puzzle.heuristic(&successor.state));
            let back = puzzle.inverse(&moved, &successor.action).unwrap();
            let mut there_and_back = moved.clone();
            puzzle.apply(&mut there_and_back, &back);
            assert_eq!(there_and_back, state);
            puzzle.undo(&mut moved, undo);
            assert_eq!(moved, state);
            assert_eq!(puzzle.heuristic(&moved), puzzle.heuristic(&state));
        }
        for reached in [None, Some(BlankMove::Up), Some(BlankMove::Left)] {
            let mut recorded = Recorded(&puzzle, Vec::new(), 0);
            let _ = puzzle.unrolled().visit_all::<false>(&state, reached.as_ref(), &mut recorded);
            recorded.1.reverse();
            assert_eq!(recorded.2, if is_known { recorded.1.len() } else { 0 });
            let back = reached.map(BlankMove::opposite);
            let expected = next.as_slice().iter().filter(|next| Some(next.action) != back);
            let expected = expected
                .map(|next| (next.action, next.state.clone(), puzzle.heuristic(&next.state), 1));
            assert_eq!(recorded.1, expected.collect::<Vec<_>>());
        }
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let chosen = (random >> 16) as usize % next.len();
        state = next.as_slice()[chosen].state.clone();
    }
}

/// A packed state holds no heuristic value, so it is handed on; a tracked one does.
fn walk_both<C: TileCells>(width: usize, height: usize) {
    walk::<Packed<C>>(width, height, true);
    walk::<Tracked<C>>(width, height, false);
}

#[test]
fn all_representations_agree_with_the_board() {
    for (width, height) in [(2, 2), (3, 3), (4, 4), (8, 2), (2, 8), (16, 1), (1, 2)] {
        walk_both::<u64>(width, height);
        walk_both::<[u8; 16]>(width, height);
    }
    for (width, height) in [(2, 2), (4, 4), (5, 5), (12, 2), (1, 25)] {
        walk_both::<u128>(width, height);
    }
    for (width, height) in [(3, 2), (6, 5), (16, 16), (256, 1), (1, 256)] {
        walk_both::<[u8; 256]>(width, height);
    }
}

#[test]
fn states_have_the_documented_sizes() {
    assert_eq!(size_of::<Packed>(), 8);
    assert_eq!(size_of::<Tracked>(), 16);
    assert_eq!(size_of::<Packed<u128>>(), 16);
    assert_eq!(size_of::<Packed<[u8; 30]>>(), 30);
}

#[test]
fn moves_are_generated_up_left_right_down() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let mut next = SuccessorBuffer::new();
    puzzle.successors(&puzzle.state(&KORF_1.parse().unwrap()).unwrap(), &mut next);
    let actions: Vec<_> = next.as_slice().iter().map(|successor| successor.action).collect();
    assert_eq!(actions, BlankMove::ALL);
    let boards = next.as_slice().iter().map(|successor| puzzle.board(&successor.state));
    let blanks: Vec<_> =
        boards.map(|board| board.tiles().iter().position(|&tile| tile == 0)).collect();
    assert_eq!(blanks, [Some(5), Some(8), Some(10), Some(13)]);
    assert_eq!(BlankMove::ALL.map(BlankMove::opposite)[0], BlankMove::Down);
    assert_eq!(BlankMove::ALL.map(BlankMove::opposite)[1], BlankMove::Right);
    assert_eq!(format!("{:>6}", BlankMove::Left), "  left");
}

#[test]
fn half_of_all_boards_are_solvable() {
    for (width, height, reachable) in [(2, 2, 12), (3, 2, 360), (2, 3, 360), (4, 1, 4), (1, 5, 5)] {
        let puzzle = SlidingTiles::<Packed>::new(width, height).unwrap();
        let known = distances(&puzzle, 40);
        assert_eq!(known.len(), reachable);
        let mut solvable = 0;
        let mut tiles: Vec<u8> = (0..u8::try_from(width * height).unwrap()).collect();
        permute(&mut tiles, 0, &mut |tiles| {
            let board = Board::new(width, height, tiles).unwrap();
            let state = puzzle.state(&board).unwrap();
            assert_eq!(board.is_solvable(), known.contains_key(&state), "\n{board}");
            solvable += usize::from(board.is_solvable());
        });
        assert_eq!(solvable, reachable);
        for (state, far) in known {
            assert!(puzzle.heuristic(&state) <= far);
        }
    }
}

fn permute(tiles: &mut [u8], from: usize, visit: &mut impl FnMut(&[u8])) {
    if from == tiles.len() {
        visit(tiles);
    }
    for i in from..tiles.len() {
        tiles.swap(from, i);
        permute(tiles, from + 1, visit);
        tiles.swap(from, i);
    }
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let absurd = 4_000_000_000_u32 as usize;
    for (width, height) in [(0, 0), (1, 1), (17, 16), (usize::MAX, 2), (1, 257), (absurd, absurd)] {
        assert!(matches!(Board::goal(width, height), Err(BoardError::Size { .. })));
        assert!(SlidingTiles::<Packed>::new(width, height).is_err());
    }
    let size = |width, height, most| Some(BoardError::Size { width, height, most });
    assert_eq!(SlidingTiles::<Packed>::new(17, 1).err(), size(17, 1, 16));
    assert_eq!(SlidingTiles::<Tracked<u128>>::new(13, 2).err(), size(13, 2, 25));
    assert_eq!(SlidingTiles::<Packed<[u8; 30]>>::new(8, 4).err(), size(8, 4, 30));
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    assert_eq!(
        puzzle.state(&Board::goal(8, 2).unwrap()).unwrap_err().to_string(),
        "found a board of 8×2, expected 4×4 as in the puzzle"
    );
}

/// A state of one puzzle has no meaning in another, but causes no panic.
#[test]
fn states_of_another_puzzle_do_not_panic() {
    fn try_all<S: TileState>(state: &S, puzzle: &SlidingTiles<S>) {
        let mut next = SuccessorBuffer::new();
        puzzle.successors(state, &mut next);
        for way in BlankMove::ALL {
            let mut state = state.clone();
            puzzle.apply(&mut state, &way);
            puzzle.apply(&mut state, &way);
            puzzle.heuristic(&state);
            let _ = puzzle.board(&state);
        }
    }
    fn try_representation<S: TileState>() {
        let small = SlidingTiles::<S>::new(2, 2).unwrap();
        let large = SlidingTiles::<S>::new(5, 3).unwrap();
        try_all(&small.goal(), &large);
        try_all(&large.goal(), &small);
    }
    try_representation::<Packed<u64>>();
    try_representation::<Tracked<u64>>();
    try_representation::<Packed<u128>>();
    try_representation::<Tracked<u128>>();
    try_representation::<Packed<[u8; 15]>>();
    try_representation::<Tracked<[u8; 15]>>();
}

#[test]
fn boards_are_read_in_every_format() {
    let board: Board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".parse().unwrap();
    assert_eq!(board.manhattan(), 41);
    assert_eq!(Board::parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 4, 4).as_ref(), Ok(&board));
    assert_eq!(board.to_string().parse().as_ref(), Ok(&board));
    assert_eq!(
        "\n 1, 2,3\r\n\n\t4,5,.\n\n".parse().ok(),
        Board::new(3, 2, &[1, 2, 3, 4, 5, 0]).ok()
    );
    assert_eq!(Board::parse("0 1 2\n3 4 5", 2, 3).ok(), Board::goal(2, 3).ok());
    assert_eq!(Board::goal(3, 4).unwrap().to_string(), " .  1  2\n 3  4  5\n 6  7  8\n 9 10 11");
}

#[test]
fn errors_have_positions() {
    let message = |text: &str| text.parse::<Board>().unwrap_err().to_string();
    assert_eq!(
        message(" \n"),
        "line 1, column 1: there are no numbers; a board is a rectangle of them"
    );
    assert_eq!(
        message("0 1\n2, x"),
        "line 2, column 4: `x` is not the number of a tile; they are separated by blanks or \
         commas, and 0 or . is the blank"
    );
    assert!(message("0 1 2 99999999999999999999999999").starts_with("line 1, column 7: `9999"));
    assert!(message("0 1 2 -3").starts_with("line 1, column 7: `-3` is not"));
    assert_eq!(message("0 1\n2 4"), "line 2, column 3: there is no tile 4; the last one is 3");
    assert_eq!(message("0 1\n2 1"), "line 2, column 3: tile 1 occurs twice");
    assert_eq!(message("0 1\n. 3"), "line 2, column 1: the blank occurs twice");
    assert_eq!(
        message("0 1 2\n3 4"),
        "line 2, column 3: found a row of 2 numbers, expected 3 as in the first row"
    );
    assert_eq!(
        message("0 1 2"),
        "line 1, column 1: a single line of 3 numbers is not a square board; write one row a line"
    );
    assert_eq!(
        message("0"),
        "line 1, column 1: a board of 1×1 has 1 cell; it must have at least 2 and at most 256"
    );
    let message = |width, height| Board::parse("0 1 2 3 4", width, height).unwrap_err().to_string();
    assert_eq!(message(3, 2), "line 1, column 1: found 5 numbers, expected 6 for a board of 3×2");
    assert_eq!(message(2, 2), "line 1, column 1: found 5 numbers, expected 4 for a board of 2×2");
    let error = Board::new(2, 1, &[1, 1]).unwrap_err();
    assert_eq!(error, BoardError::Twice { place: 1, number: 1 });
}
