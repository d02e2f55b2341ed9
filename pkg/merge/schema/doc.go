// Package schema says which lists of which kinds merge item by item, and by which fields.
//
// Shape: a Type is a place in an object; Field and Items go down from it. The types of Kubernetes come
// from a table of the few paths that lead to such a list, those of custom resources from the
// CustomResourceDefinitions of a package. A nil Type is a place of which nothing is known, and all
// methods take it: what is below is unknown, too.
// Cost: the table is read once, on first use, in well under a millisecond (the whole OpenAPI document
// of Kubernetes takes a tenth of a second); a step down is one look into a map.
// Errors: none. What a definition does not say in so many words is not known.
// Source: the OpenAPI document that kyaml carries, the one kpt merges by; go generate writes the table
// from it, and a test fails when it has drifted.
package schema

//go:generate go run ./generate lists.txt
