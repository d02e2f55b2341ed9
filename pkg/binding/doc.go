// Package binding resolves policies: which objects of a package go to which clusters of a fleet, and how they are treated
// there. It holds the function bind-resolve.
//
// Shape: items in; for every BindingPolicy one Binding out, in place of the one generated before.
// The candidates for selection are collected and sorted once; each policy is compiled once and
// walks them in that order, so every Binding is sorted.
// Cost: policies × (clauses × objects of matching types + selectors × clusters), never clusters ×
// objects; one digest for each selected object.
// Errors: only results, each at its object and field, all of them at once. With any error nothing is generated.
// Source: KubeStellar's BindingPolicy and Binding, as its controllers treat them.
package binding
