// Package previous reads the works that an earlier run left in the package.
//
// Shape: items in; the earlier works out, in order, each with the identities of the objects that it holds, and which work of a
// Binding holds an object. This is the only memory of a run: what it cannot read counts as unreadable, not as empty.
// Cost: one scan of the text of each work; only what another writer wrote is parsed.
// Errors: none; a work that cannot be read has the field Unreadable.
package previous
