package mutation

import "github.com/waybill-dev/waybill/pkg/template/text"

const (
	// maxSteps bounds the work of all rules of one call, in steps of package text: less than half a second.
	maxSteps = 10 * text.MaxSteps
	// maxDocument bounds an object, in bytes of JSON: a few times what API servers accept.
	maxDocument = 4 << 20
	// maxPath bounds a path, in bytes, and maxKeys its keys.
	maxPath, maxKeys = 4 * 1024, 64
	// maxGap bounds the empty places of a list before one that is written.
	maxGap = 100
	// bytesPerStep is how much of a document one step reads.
	bytesPerStep = 64
	// maxErrorPath limits a path in an error.
	maxErrorPath = 100
)
