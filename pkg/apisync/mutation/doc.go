// Package mutation changes an object on its way to the other side, by the rules of a PublishedResource, and reads the values
// at a path.
//
// Shape: New compiles rules to a Mutation. Spec runs the spec rules on a source, Status the status rules on a destination:
// JSON documents in and out, each rule on the result of the one before. A nil Mutation changes nothing. Text that no rule
// changes stays the same, byte for byte, so that no number loses a digit. Texts and Find read.
// A Mutation is safe for concurrent use.
//
// Paths are those of gjson: keys with dots between them, \. for a dot within a key, a number for a place in a list,
// #(name=="a") for the first item of a list that matches, * and ? within keys for the first key that matches, or in a
// delete rule for all of them. In rules, -1 is the place after the end of a list (for delete, its last), and :8080 is a
// key and no place in a list. Only reads may have # for all items, #(...)# for all that match, and | in place of a dot.
// Modifiers (@...), literals (!...) and multipaths ({...}, [...]) are refused: some of them grow without bound, and none
// is needed to name a field. A rule whose query or wildcard matches nothing does nothing. Where a path leads through
// missing values, objects are created, and lists where a number follows; where it leads through a string or a number,
// that is an error. A query compares numbers as floats, which cannot tell large ones apart.
//
// Rules may change everything except apiVersion and kind, which are restored: the caller sets them on the copy. The result
// must be an object with a name.
// Templates get .Self, the changed object, and .Other; which of them is .Source and which .Destination depends on the kind
// of the rule. For compatibility, .LocalObject is .Self and .RemoteObject is .Other in all rules. A template that writes a
// missing value is an error; only a missing .Value is written as the empty text.
//
// Cost: each rule reads the document once; template and cel rules also decode it. All rules of one call share an
// allowance, see limits.go.
// Errors: which rule, by its index and path, and why; never a value.
// Source: gjson's syntax for paths; the mutation guide of kcp's api-syncagent; CEL's language definition.
package mutation
