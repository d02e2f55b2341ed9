// Package combine makes CombinedStatuses of what stands in one package: Bindings, the objects they
// name, StatusCollectors and what clusters report. It holds the function combine-status.
//
// Shape: items in; a Summary out, which is a list of what Bindings name with what is known about each,
// items with the statuses that were asked for, and Results. The function files it; whoever shows it to
// people takes it as it is. Items are not changed.
// Cost: each report is read once, each collector is compiled once, each object becomes plain data once.
// What is left is one evaluation for each object, collector and cluster.
// Errors: Results, each at the object that it is about, all at once. An error of NewSummary itself is
// that of its context.
// Source: KubeStellar's CombinedStatus, singleton and multi-WEC status return.
package combine
