//! Ready problems.
