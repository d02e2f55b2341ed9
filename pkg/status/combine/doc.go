// Package combine makes the CombinedStatuses of one package from its Bindings, the objects that they name, StatusCollectors
// and what clusters report. It holds the function combine-status.
//
// Shape: items in; a Summary out: what is known about each object that a Binding names, the items with the statuses that were
// requested, and Results. The function writes it into files; other callers show it. Items are not changed.
// Cost: each report is read once, each collector is compiled once, each object is converted to plain data once. The rest is
// one evaluation for each object, collector and cluster.
// Errors: Results, each at its object, all at once. The error of NewSummary itself is that of its context.
// Source: KubeStellar's CombinedStatus, singleton and multi-WEC status return.
package combine
