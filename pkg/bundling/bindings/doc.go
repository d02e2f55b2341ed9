// Package bindings is what Bindings name: objects of the package, and clusters.
//
// Shape: items in; every Binding out, by name, with its entries; Sources finds the one object that an entry means.
// Cost: one look-up for all entries of all Bindings.
// Errors: results at the Binding for what is wrong with it; an error for an entry that means no object or several.
package bindings
