// Package binding resolves policies: which objects of a package go to which clusters of a fleet,
// and what is asked for them there. It holds the function bind-resolve.
//
// Shape: items in; for every BindingPolicy one Binding out, in place of the one generated before.
// A universe of what can be selected is built and sorted once; each policy is compiled once and
// walks it in that order, so every Binding comes out sorted.
// Cost: policies × (clauses × objects of fitting types + selectors × clusters), never clusters ×
// objects; one digest for each selected object.
// Errors: only results, each at its object and field; all that a look at the items can find comes
// at once. With any error nothing is generated.
// Source: KubeStellar's BindingPolicy and Binding, as its controllers treat them.
package binding
