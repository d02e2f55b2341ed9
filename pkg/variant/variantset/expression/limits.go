package expression

// What an expression may cost. A unit of cost is about as much work as looking up one variable;
// an ordinary expression costs less than fifty.
const (
	// MaxLength is the longest expression, in characters.
	MaxLength = 10240
	// maxDepth is how deep expressions may nest; a chain of additions nests, too.
	maxDepth = 250
	// maxEstimate bounds what an expression may cost by its text alone, with everything whose size
	// the text does not tell taken to have assumedSize parts. Loops over all labels within a loop over
	// all labels pass; a third level does not.
	maxEstimate = 1_000_000
	assumedSize = 256
	// MaxCost bounds what one evaluation may really cost: some milliseconds.
	MaxCost = 100_000
	// maxText is the longest text that an expression may make, and so its longest result, in bytes.
	maxText = 64 << 10
	// maxParts is how many parts a list may have, and a comparison may look at in lists of lists: they
	// share their parts, so that thirty steps make one of a billion.
	maxParts = 10_000
	// maxPattern is the longest regular expression in bytes, and maxStates its size when repetitions
	// are written out.
	maxPattern, maxStates = 1024, 5_000
)
