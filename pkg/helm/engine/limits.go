package engine

// The limits of a chart. A step is about fifty nanoseconds of work.
const (
	// maxSteps is the work of one Render.
	maxSteps = 10_000_000
	// maxMade is how much text functions and templates may make in one Render, in bytes, and maxOutput how much of it may be
	// the result.
	maxMade, maxOutput = 512 << 20, 64 << 20
	// maxText is the longest text of a function or a file, in bytes; maxItems is how many parts a function may make of a text or
	// a number. Values that functions read nest at most maxDepth levels.
	maxText, maxItems, maxDepth = 8 << 20, 100_000, 200
	// maxCalls is how deep templates may call each other.
	maxCalls = 500
	// MaxFile is the longest template, in bytes.
	MaxFile = 4 << 20
	// maxSource is the most of all templates together, in bytes, and maxNesting how deep blocks and parentheses may nest.
	maxSource, maxNesting = 32 << 20, 200

	// bytesPerStep is how many bytes of text one step reads, callSteps the cost of calling a function, roundSteps that of a
	// round of a loop, or of a template, without its body.
	bytesPerStep, callSteps, roundSteps = 16, 8, 8
	// bytesPerCode is how many bytes of YAML, JSON or TOML one step writes.
	bytesPerCode = 2
	// encodingSteps is the cost of writing or reading an empty text of YAML, and constraintSteps that of reading a constraint on
	// versions.
	encodingSteps, constraintSteps = 100, 100
	// maxVersion is the longest text of a value with methods that is no plain data, such as a semantic version.
	maxVersion = 256
	// maxMessage is how much of a message is shown, in bytes.
	maxMessage = 1000
)
