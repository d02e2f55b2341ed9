// Package plain reads plain YAML line by line, without parsing it.
//
// Shape: a Scanner returns the lines of a text as long as they are plain: block mappings and lists, whose keys are words, with plain,
// quoted and block scalars, empty flow collections, and comments. That is what functions and people mostly write. There are no anchors,
// aliases and tags, no key is null or occurs twice, and no quoted or plain scalar has more lines than one. IsMapping and Resources
// are the questions of most callers. No says nothing: the caller parses the text.
// Cost: one pass, a twentieth of a parse; it allocates only for the open levels.
// Errors: none.
// Source: YAML 1.2; the tests compare each line with the parser.
package plain
