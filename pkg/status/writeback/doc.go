// Package writeback decides what of the statuses that clusters report goes back into a workload object.
//
// Shape: what policies ask for goes into Resolve once; then Decide takes one object, what is wanted of
// it and what clusters report about it, and returns a Decision: the status and label it gets, or that
// it is left alone. Nothing that is put in is changed; a Decision shares the statuses it was made from.
// Edit executes one in a file. Deciding again afterwards changes nothing.
// Errors are what policies are told; MergeErrors puts one among those that others tell them.
//
// Only whole fields go back: of what an Open Cluster Management agent reports, reports.Report.Fields.
//
// Cost: Resolve, one pass over all selections, and a merge of destinations for objects that several
// policies ask about; Decide, a lookup for each destination.
// Errors: a wrong number of clusters for the one status that is wanted is data, in the words that
// policies show it in. Edit fails for a status that YAML cannot hold.
// Source: KubeStellar, singleton and multi-WEC status return.
package writeback
