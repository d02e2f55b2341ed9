// Package backendtest gives tests a backend over HTTP that enforces the rules of MidoNet's API, and fails on request. Only
// tests import it.
//
// Shape: New starts a Server. It knows the kinds of the table "midonet", refuses references to what does not exist, cannot
// replace what MidoNet cannot replace, accepts a token for a few requests only, and deletes with a resource everything that
// depends on it. State is its content, for a comparison with the desired state.
// Cost: it holds everything in memory.
// Errors: those of the test.
// Source: midonet-kubernetes, its resource types; written from the rules of the API, not from the table.
package backendtest
