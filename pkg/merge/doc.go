// Package merge joins what upstream became with what was made of the same start.
//
// Shape: three Trees in (base, theirs, ours), one Tree and a sorted list of Conflicts out; pure.
// Packages knows what is in the files: it merges objects field by field and lists item by item, keeps
// Kptfiles, subpackages and marks as kpt does, and calls each place where one side loses a Conflict.
// Changes compares two Trees by the same rules, and calls each difference a Change.
// Cost: O(bytes). A file that is the same in all three trees is looked at for marks only; of any other
// each version is parsed once, all processors at work; that parsing is nearly all of the time. What did
// not change keeps its bytes, down to single documents of a file. Changes parses the files that differ,
// and definitions of kinds only when an object of an unknown kind differs.
// Errors: for YAML that is refused a *krm.ParseError with file and line; a *ModifiedError; else one line
// that names the file or subpackage. A conflict is no error, nor is anything in a Tree to Changes.
// Source: kpt's documentation and behaviour, its update strategies under their names;
// docs/pkg-differences.md lists what is different on purpose. How lists merge: see package schema.
package merge
