// Package backendtest gives tests a backend over HTTP that enforces the rules of MidoNet's API, and fails
// when it is told to. Only tests import it.
//
// Shape: New starts a Server. It knows the kinds of the table "midonet", refuses what names something that
// is not there, cannot replace what MidoNet cannot, takes tokens for a few requests only, and takes with a
// thing all that cannot be without it. State is what it holds, for a comparison with what it should.
// Cost: none worth naming; it holds everything in memory.
// Errors: those of the test.
// Source: midonet-kubernetes, its resource types; written from the rules of the API, not from the table.
package backendtest
