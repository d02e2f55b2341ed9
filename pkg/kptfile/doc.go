// Package kptfile is the Kptfile of a package: parsed strictly, edited in place, printed.
//
// Shape: Parse gives a File, which holds the YAML (Object) and what it says (Spec, kpt's own
// types). Edits change both, touch only the nodes they must, and so keep comments, key order and
// style of everything else; an edit that would change nothing changes no byte. A File belongs to
// one goroutine.
// Cost: one parse and one decode; Bytes parses the source once more to see whether it still holds.
// Errors: *krm.ParseError for YAML that is refused; one line with file and field path or line for
// what is no Kptfile; *InvalidError for a pipeline that cannot run, in kpt's own words.
// Source: kpt's Kptfile v1; types from github.com/kptdev/kpt/api, see
// docs/decisions/0003-kptfile-types.md.
package kptfile
