// Package whatif changes the clusters that a package knows, before it is rendered: it adds or replaces clusters, removes
// them, and sets or removes labels.
//
// Shape: Change.Apply takes a tree and returns another, and where each line of the written files comes from. Pure.
// Errors: a cluster to remove or to label that no ManagedCluster and no Inventory names.
package whatif
