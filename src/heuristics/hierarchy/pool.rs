//! [`Pool`]: memory of queries that has been used and can be used again.

use crate::debug::show_fields;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// What queries have given back.
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// An empty one.
impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> Pool<T> {
    /// Takes one out, or makes one.
    pub(super) fn take(&self, make: impl FnOnce() -> T) -> Pooled<'_, T> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Pooled { item: Some(kept.unwrap_or_else(make)), pool: self }
    }
}

/// One of a pool, to which it returns.
pub(super) struct Pooled<'h, T> {
    /// There until it is dropped.
    item: Option<T>,
    pool: &'h Pool<T>,
}

impl<T> Deref for Pooled<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.item.as_ref().unwrap_or_else(|| unreachable!("it is there until it is dropped"))
    }
}

impl<T> DerefMut for Pooled<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.item.as_mut().unwrap_or_else(|| unreachable!("it is there until it is dropped"))
    }
}

impl<T> Drop for Pooled<'_, T> {
    fn drop(&mut self) {
        let mut kept = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(self.item.take());
    }
}

show_fields! { [T: fmt::Debug] Pooled<'_, T>, "Pooled" {} }
