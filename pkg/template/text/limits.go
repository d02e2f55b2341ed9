package text

// What a template may be and do. A step is about fifty nanoseconds of work.
const (
	// MaxSteps is what an Allowance holds.
	MaxSteps = 500_000
	// maxSource is how long a template may be, in characters, and maxDeclared in how many places it may declare
	// variables: each use of one looks at all of them.
	maxSource, maxDeclared = 10_240, 200
	// maxText is how long a text may be that a template or a function gives, in bytes. Lists and maps of what
	// functions are given and give hold no more than maxParts parts, maxValue bytes and maxDepth levels.
	maxText, maxValue, maxParts, maxDepth = 256 << 10, 2 << 20, 50_000, 100
	// maxItems is how many parts a function may make of a text or a number.
	maxItems = 10_000
	// maxCalls is how deep templates may call each other.
	maxCalls = 100
	// bytesPerStep is of how much text one step goes through, callSteps what calling a function takes, roundSteps
	// what a round of a loop takes beside its body.
	bytesPerStep, callSteps, roundSteps = 16, 8, 8
	// stepsPerLook is after how many steps the context is looked at.
	stepsPerLook = 4096
	// maxTransient is what printf may build before its result is measured, in bytes.
	maxTransient = 4 << 20
	// maxPattern is how long a regular expression may be, in bytes, and maxStates how large with its repetitions
	// written out. matchPerStep is how many states times bytes a step goes through, stepsPerMatch what replacing takes.
	maxPattern, maxStates, matchPerStep, stepsPerMatch = 4096, 5_000, 8, 16
	// maxReplaced is how long a text may be in which a Pattern replaces, and what it becomes, in bytes.
	maxReplaced = 1 << 20
	// maxVersion is how long a semantic version or a constraint on one may be.
	maxVersion = 256
	// maxSaid is how much of what fail says is told, in bytes.
	maxSaid = 200
)
