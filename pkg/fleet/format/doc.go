// Package format writes a FleetPreview as text for a terminal, Markdown for a pull request, SARIF for code scanning, and
// annotations of a workflow run.
//
// Shape: functions of a *waybill.FleetPreview to text, pure. Names and values may hold anything: each format escapes them,
// so that nothing acts on a terminal, makes markup, or ends an annotation.
// Cost: that of the text, which is bounded but for Text with All: what does not fit is counted.
// Errors: none but what encoding JSON may give.
// Source: GitHub documentation, "Workflow commands", "Basic writing and formatting syntax", and limits of comments; OASIS,
// "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
package format
