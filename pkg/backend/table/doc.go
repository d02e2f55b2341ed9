// Package table compiles a BackendTable, which describes an HTTP API, and resolves resources by it.
//
// Shape: a BackendTable in, a Table out; Resolve turns a Resource (kind, parent, body) into an Item with its key, its paths
// and its links to other resources. A Table does not change, and may be used concurrently.
// Cost: O(bytes), no I/O.
// Errors: a field.ErrorList with every fault of a table; one line for a resource.
// Source: midonet-kubernetes, its resource types; package api/waybill for the fields of a table.
package table
