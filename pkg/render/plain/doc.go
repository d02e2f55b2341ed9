// Package plain recognizes KRM resources in plain YAML without parsing it.
//
// Shape: Resources reads a text once and says yes only if krm.Read would accept it, and every document is an object with
// apiVersion, kind and metadata.name. No says nothing: the caller parses the text.
// It knows block mappings and sequences, whose keys are words, with plain, quoted and block scalars in printable ASCII on lines of
// their own, empty flow collections, and comments. That is what functions write; there are no anchors, aliases, tags and tabs.
// Cost: one pass, a twentieth of a parse; it allocates only for the open levels.
// Errors: none.
// Source: YAML 1.2; the tests compare with krm.Read.
package plain
