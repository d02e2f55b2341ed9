// Package guard refuses runs that would delete works by mistake: because Bindings are gone or name nothing, because a work was
// renamed since an earlier run, or because it no longer says what it holds.
//
// Shape: items, Bindings, the inventory and earlier works in; results out, errors at the object that has to be corrected.
// Cost: one pass over the items, and one over the earlier works.
// Source: ARCHITECTURE, decision 13: nothing that is empty or silent ever deletes.
package guard
