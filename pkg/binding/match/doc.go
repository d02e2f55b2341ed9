// Package match says what policies select: clusters by their labels, and objects by type, namespace, labels and name.
//
// Shape: Candidates are all objects that a policy can select, in the order of a Binding. A Policy is compiled once; SelectClusters
// and SelectObjects walk clusters and candidates in order, so every selection is sorted. Terms explain a selection;
// Unmatched are the parts of a policy that match nothing.
// Cost: policies × (clauses × objects of matching types + selectors × clusters).
// Errors: none; policies and items are valid when they get here.
// Source: KubeStellar's BindingPolicy, as its controllers match it.
package match
