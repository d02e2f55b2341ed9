// Package writeback decides which of the statuses that clusters report are returned into a workload object.
//
// Shape: what policies request goes into Resolve once. Then Decide takes one object, what is requested for it and what
// clusters report about it, and returns a Decision: the status and label that it gets, or that it is left alone. The inputs
// do not change; a Decision shares their statuses. Edit executes a Decision in a file; deciding again afterwards changes
// nothing. Errors returns errors for policies; MergeErrors merges one with those of other clients.
// Only whole fields are returned: for the reports of an Open Cluster Management agent, those in reports.Report.Fields.
// Cost: Resolve, one pass over all selections, and a merge of destinations for objects in several policies; Decide, a lookup
// for each destination.
// Errors: a wrong number of clusters for a singleton status is data, in the words that policies show. Edit fails for a status
// that YAML cannot hold.
// Source: KubeStellar, singleton and multi-WEC status return.
package writeback
