package mutation

import "github.com/waybill-dev/waybill/pkg/template/text"

const (
	// maxSteps is what all rules of one call may do, in steps of package text: less than half a second.
	maxSteps = 10 * text.MaxSteps
	// maxDocument is how large an object may be or become, in bytes of JSON: a few times what API servers take.
	maxDocument = 4 << 20
	// maxPath is how long a path may be, in bytes, and maxKeys how many keys it may have.
	maxPath, maxKeys = 4 * 1024, 64
	// maxGap is how many places of a list may stay empty before one that is written.
	maxGap = 100
	// bytesPerStep is how much of a document one step goes through.
	bytesPerStep = 64
	// maxErrorPath limits a path in an error.
	maxErrorPath = 100
)
