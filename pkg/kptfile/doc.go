// Package kptfile parses the Kptfile of a package strictly, edits it in place and prints it.
//
// Shape: Parse returns a File with the YAML (Object) and its values (Spec, kpt's own types). Edits
// change both and only the nodes they must, so comments, key order and style of everything else stay;
// an edit without effect changes no byte. A File belongs to one goroutine.
// Cost: one parse and one decode, or a copy of a recent result. After an edit, Bytes parses the source
// once more to find out whether anything differs.
// Errors: *krm.ParseError for invalid YAML; one line with file and field path or line for a file that
// is not a Kptfile; *InvalidError for a pipeline that cannot run, with kpt's text.
// Source: kpt's Kptfile v1; types from github.com/kptdev/kpt/api, see
// docs/decisions/0003-kptfile-types.md.
package kptfile
