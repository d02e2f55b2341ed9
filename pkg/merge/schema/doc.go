// Package schema knows which lists of which kinds merge item by item, and by which fields.
//
// Shape: a Type describes a value in an object; Field and Items return the types below it. The types of
// Kubernetes come from a table of the few paths to such lists, those of custom resources from the
// CustomResourceDefinitions of a package. A nil Type is the type of an unknown value; all methods accept it
// and return unknown types.
// Cost: the table is read once, on first use, in well under a millisecond (the whole OpenAPI document
// of Kubernetes takes a tenth of a second); each step down is one map access.
// Errors: none. A definition without explicit list types leaves the type unknown.
// Source: the OpenAPI document that kyaml carries, the one kpt merges by; go generate writes the table
// from it, and a test fails if the table differs.
package schema

//go:generate go run ./generate lists.txt
