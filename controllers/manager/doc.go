// Package manager runs Waybill's controllers in a Kubernetes cluster: one manager with leader election, health and
// metrics, and a controller for each kind.
//
// Shape: objects come from the API server, by events; each event enqueues requests, each request is reconciled (observe,
// decide, act, report), and the report is written into statuses and events. The controllers store nothing else: a new
// leader starts from the API server and Git alone.
// Cost: a cache of the objects that the controllers watch; a process that does not lead fills it, too.
// Errors: Run ends with an error when it cannot start or another process leads. All else is in conditions and events.
// Source: Kubernetes API conventions.
package manager
