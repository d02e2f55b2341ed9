// Package format puts a FleetPreview into words: for a terminal, for a pull request, for code scanning, and as annotations of
// a workflow run.
//
// Shape: functions of a *waybill.FleetPreview to text, pure. Names and values are anybody's: each form has them inert, so
// that nothing acts on a terminal, makes markup, or ends an annotation.
// Cost: that of the text, which is bounded but for Text with All: what does not fit is counted.
// Errors: none but what encoding JSON may give.
// Source: GitHub documentation, "Workflow commands", "Basic writing and formatting syntax", and limits of comments; OASIS,
// "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
package format
