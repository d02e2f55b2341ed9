// Package document reads the documents of a file and the marks by which kpt knows objects again.
//
// Shape: a file in, Documents with their text and object out, and back; text that did not change keeps its bytes.
// Cost: one parse; a file that plainly has its marks is not parsed.
// Errors: a *krm.ParseError with file and line.
// Source: kpt's documentation and behaviour.
package document
