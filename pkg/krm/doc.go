// Package krm is one Kubernetes object as YAML: read within bounds, looked at, edited and written
// so that comments, key order and style of what was not touched stay as they were.
//
// Shape: Read is the one entry point for YAML from outside. It gives an *Object per document,
// which wraps the parsed nodes; nothing is decoded into Go values before it is used. An Object
// that other code may hold is never changed: edit a DeepCopy.
// Cost: one parse and one walk per document; looking up a field is a scan of the keys on the way. To
// write is to copy text where that is plain, and the YAML library's work where it is not; a field
// that knows its text (WithDeferred) is written without ever becoming nodes. What the library wrote is
// read back once, so that nothing is ever written which says something else, or is no YAML.
// Errors: *ParseError with file, document and line. Oversized, deep, alias-laden or ambiguous
// (duplicate keys) documents are refused before anything interprets them.
// Source: YAML 1.2 as kyaml parses it, the parser kpt uses; KRM per the Kubernetes API conventions.
package krm
