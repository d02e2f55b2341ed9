// Package krm reads, edits and writes Kubernetes objects as YAML, within limits. Comments, key order and
// style of unchanged fields stay as they were.
//
// Shape: Read is the one entry point for YAML from outside. It gives an *Object per document,
// which wraps the parsed nodes; they are decoded into Go values only on demand. An Object
// that other code may hold is never changed: edit a DeepCopy.
// Cost: one parse and one walk per document; looking up a field is a scan of the keys of its parents.
// Plain nodes are written by copying text, others by the YAML library; a field that has its text
// (WithDeferred) is written without nodes. The output of the library is read back once, so that no file
// is written with other data, or as invalid YAML.
// Errors: *ParseError with file, document and line. Documents that are too large or deep, have too
// many aliases, or a key twice are refused before they are used.
// Source: YAML 1.2 as kyaml parses it, the parser kpt uses; KRM per the Kubernetes API conventions.
package krm
