//! [`Callback`]: closures as objects.

/// A closure that is passed as an object, so that what calls it is compiled once.
///
/// The object of a `FnMut` also has the function of `FnOnce`: another copy of the closure, which nobody calls. This has
/// none. Several arguments are a tuple.
pub trait Callback<A, B = ()> {
    fn call(&mut self, argument: A) -> B;
}

impl<A, B, F: FnMut(A) -> B> Callback<A, B> for F {
    #[inline]
    fn call(&mut self, argument: A) -> B {
        self(argument)
    }
}
