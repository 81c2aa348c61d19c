//! The bytes of values: they are read as they were written, and bytes that no value has are refused at their place.

use std::fmt::Debug;

use bestfirst::problems::grid_map::{Cell, GridMap, JumpPoint, JumpPoints, Waypoint};
use bestfirst::{Encode, ExternalAStar, SearchProblem, SuccessorBuffer};

fn encoded<T: Encode>(value: &T) -> Vec<u8> {
    // Bytes that are not written keep this value.
    let mut bytes = vec![0xAA; T::BYTES];
    value.encode(&mut bytes);
    bytes
}

fn check<T: Encode + PartialEq + Debug>(value: T, bytes: &[u8]) {
    assert_eq!(encoded(&value), bytes);
    assert_eq!(T::decode(bytes), Ok(value));
}

#[test]
fn values_come_back_from_their_bytes() {
    check(0x0102_u16, &[2, 1]);
    check(-2_i32, &[0xFE, 0xFF, 0xFF, 0xFF]);
    check(1.5_f32, &[0, 0, 0xC0, 0x3F]);
    check(7_usize, &[7, 0, 0, 0, 0, 0, 0, 0]);
    check(-1_isize, &[0xFF; 8]);
    check('é', &[0xE9, 0, 0, 0]);
    check(true, &[1]);
    check((), &[]);
    check([(); 3], &[]);
    check([3_u8, 4], &[3, 4]);
    check((1_u8, [2_u16; 2], false), &[1, 2, 0, 2, 0, 0]);
    check(Some(5_u16), &[1, 5, 0]);
    check(None::<u16>, &[0, 0, 0]);
    check(Some(None::<bool>), &[1, 0, 0]);
    check((1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8), &[1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn jump_points_are_stored() {
    check(JumpPoint::start(Cell::new(260, 7)), &[4, 1, 7, 0, 4]);
    let map = GridMap::new(30, 20, |cell| cell.x % 7 != 3 || cell.y % 5 == 0).unwrap();
    let (jumps, start) = (JumpPoints::new(&map).unwrap(), JumpPoint::start(Cell::new(0, 19)));
    // A point beside the map leads nowhere.
    let (beside, mut next) =
        (JumpPoint::decode(&[255, 255, 255, 255, 2]).unwrap(), SuccessorBuffer::new());
    jumps.route_to(Cell::new(0, 0)).successors(&beside, &mut next);
    assert!(next.is_empty());
    let route = jumps.route_to(Cell::new(29, 18));
    let report = ExternalAStar::new(&route).search(start).run().unwrap();
    let expected = bestfirst::astar(&route, start).unwrap();
    assert_eq!(report.cost(), expected.cost());
    let points = report.path().unwrap().states();
    assert!(points.len() > 5);
    for &point in points {
        check(point, &encoded(&point));
    }
}

#[test]
fn bytes_of_no_value_are_told_with_their_place() {
    fn fault<T: Encode + Debug>(bytes: &[u8]) -> String {
        T::decode(bytes).unwrap_err().to_string()
    }
    assert_eq!(fault::<bool>(&[2]), "byte 0 is not 0 or 1");
    // It overflowed where its distance to another point was computed.
    assert_eq!(fault::<Waypoint>(&[0xFF; 8]), "byte 0 is not a point on a map");
    assert_eq!(fault::<JumpPoint>(&[0, 0, 0, 0, 5]), "byte 0 is not a jump point");
    assert_eq!(fault::<char>(&[0, 0xD8, 0, 0]), "byte 0 is not a character of Unicode");
    assert_eq!(fault::<[bool; 3]>(&[0, 5, 6]), "byte 1 is not 0 or 1");
    assert_eq!(fault::<(u16, u8, bool)>(&[9, 9, 9, 9]), "byte 3 is not 0 or 1");
    assert_eq!(fault::<Option<u8>>(&[0, 3]), "byte 1 is not 0, as the value is absent");
    assert_eq!(fault::<(u8, Option<bool>)>(&[0, 1, 3]), "byte 2 is not 0 or 1");
}
