// Package merge merges packages three ways: the common base, what upstream made of it, and what was made of it locally.
//
// Shape: three Trees in (base, theirs, ours), one Tree and a sorted list of Conflicts out; pure. Packages merges
// objects field by field and lists item by item, keeps Kptfiles, subpackages and marks as kpt does, and reports each
// place where one side loses as a Conflict. Below it: document reads the files, object merges one object, diff lists
// the changes between two trees by the same rules.
// Cost: O(bytes). A file that is the same in all three trees is only searched for marks; of any other file each version
// is parsed once, on all processors, and that parsing takes nearly all of the time. What did not change keeps its
// bytes, down to single documents of a file.
// Errors: for YAML that is refused a *krm.ParseError with file and line; a *ModifiedError; else one line
// that names the file or subpackage. A conflict is no error.
// Source: kpt's documentation and behaviour, its update strategies under their names;
// docs/pkg-differences.md lists what is different on purpose. How lists merge: see package schema.
package merge
