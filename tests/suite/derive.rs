//! `#[derive(Encode)]`: values are read as they were written, and bytes that no value has are refused at their place.

use std::fmt::Debug;

use bestfirst::{DecodeError, Encode, ExternalAStar, FnProblem};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
struct Place {
    room: u16,
    is_lit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
struct Pair<T, const N: usize>(T, [u8; N])
where
    T: Copy;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
struct Nothing;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
enum Robot<T> {
    Parked,
    At { x: u16, y: u16 },
    Carries(T, Option<Place>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode)]
#[repr(C, packed)]
struct Packed {
    kind: u8,
    place: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode)]
#[repr(C, packed(2))]
struct PackedPair<T: Copy>(u8, T);

/// No item is taken for one of the derived code, and nothing is imported.
#[expect(
    dead_code,
    non_camel_case_types,
    non_upper_case_globals,
    reason = "the names are what is tested"
)]
#[no_implicit_prelude]
mod others {
    use ::bestfirst::Encode;
    use ::core::clone::Clone;
    use ::core::cmp::PartialEq;
    use ::core::fmt::Debug;

    struct u8;
    struct usize;
    struct rest;
    struct own;
    struct value;
    struct fault;
    enum Result {}
    const at: ::core::primitive::u32 = 1;
    const bytes: ::core::primitive::u32 = 1;
    const most: ::core::primitive::u32 = 1;
    const number: ::core::primitive::u32 = 1;
    const place: ::core::primitive::u32 = 1;
    const byte: ::core::primitive::u32 = 1;
    const expected: ::core::primitive::u32 = 1;
    const field_0: ::core::primitive::u32 = 1;

    #[derive(Clone, Debug, PartialEq, Encode)]
    pub struct Cell {
        pub at: ::core::primitive::u16,
    }

    #[derive(Clone, Debug, PartialEq, Encode)]
    pub enum Step {
        None,
        Some(Cell),
        Ok { rest: ::core::primitive::u8, at: ::core::primitive::bool },
    }
}

#[track_caller]
fn check<T: Encode + PartialEq + Debug>(value: &T, expected: &[u8]) {
    assert_eq!(T::BYTES, expected.len());
    let mut bytes = vec![255; T::BYTES];
    value.encode(&mut bytes);
    assert_eq!(bytes, expected);
    assert_eq!(T::decode(&bytes).as_ref(), Ok(value));
}

#[test]
fn values_are_read_as_they_were_written() {
    check(&Place { room: 260, is_lit: true }, &[4, 1, 1]);
    check(&Pair(Place { room: 1, is_lit: false }, [7, 8]), &[1, 0, 0, 7, 8]);
    check(&Nothing, &[]);
    check(&Packed { kind: 1, place: 260 }, &[1, 4, 1, 0, 0]);
    check(&PackedPair(1, 260_u32), &[1, 4, 1, 0, 0]);
    check(&others::Step::None, &[0, 0, 0]);
    check(&others::Step::Some(others::Cell { at: 260 }), &[1, 4, 1]);
    check(&others::Step::Ok { rest: 3, at: true }, &[2, 3, 1]);
    check(&Robot::<u8>::Parked, &[0, 0, 0, 0, 0, 0]);
    check(&Robot::<u8>::At { x: 1, y: 2 }, &[1, 1, 0, 2, 0, 0]);
    check(&Robot::Carries(9_u8, Some(Place { room: 3, is_lit: true })), &[2, 9, 1, 3, 0, 1]);
    check(&Robot::<[u8; 4]>::Carries([1, 2, 3, 4], None), &[2, 1, 2, 3, 4, 0, 0, 0, 0]);
}

/// Whatever is read is written as it was.
#[test]
fn bytes_that_no_value_has_are_refused_at_their_place() {
    let fault = |bytes: &[u8]| Robot::<u8>::decode(bytes).unwrap_err();
    assert_eq!(
        fault(&[3, 0, 0, 0, 0, 0]),
        DecodeError { at: 0, expected: "the number of a variant" }
    );
    assert_eq!(fault(&[0, 0, 0, 0, 1, 0]), DecodeError { at: 4, expected: "0" });
    assert_eq!(fault(&[1, 0, 0, 0, 0, 1]), DecodeError { at: 5, expected: "0" });
    assert_eq!(fault(&[2, 9, 1, 3, 0, 2]), DecodeError { at: 5, expected: "0 or 1" });

    for number in 0..4_u32.pow(6) {
        let bytes: [_; 6] = std::array::from_fn(|place| (number >> (2 * place) & 3) as u8);
        if let Ok(robot) = Robot::<u8>::decode(&bytes) {
            let mut again = [255; Robot::<u8>::BYTES];
            robot.encode(&mut again);
            assert_eq!(again, bytes, "{robot:?}");
        }
    }
}

#[test]
fn derived_states_are_searched_on_disk() {
    let problem = FnProblem::new(
        |&robot: &Robot<u8>| match robot {
            Robot::Parked => vec![(Robot::At { x: 0, y: 0 }, 1_u32)],
            Robot::At { x: 9, y } => vec![(Robot::Carries(u8::try_from(y).unwrap(), None), 2)],
            Robot::At { x, y } => {
                vec![(Robot::At { x: x + 1, y }, 1), (Robot::At { x, y: (y + 1) % 50 }, 1)]
            }
            Robot::Carries(..) => Vec::new(),
        },
        |_| 0,
        |robot| matches!(robot, Robot::Carries(20, _)),
    );
    let report = ExternalAStar::new(&problem).search(Robot::Parked).run().unwrap();
    assert_eq!(report.cost(), Some(1 + 9 + 20 + 2));
}
