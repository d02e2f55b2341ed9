// Package comments moves the comments of a YAML document to places where they stay: the YAML library prints them so that
// its parser gives them to the same field again.
//
// Shape: Normalise changes a document that was parsed, NormaliseEdited one that was edited; Place tries further places until
// a document can be written. Data is not changed; scalars are respelled when the writer would spell them in another way.
// Cost: a walk over the nodes; flow maps and lists with comments are printed and parsed once.
// Errors: none.
// Source: kpt's render: comments that are in its places stay there.
package comments
