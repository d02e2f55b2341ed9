package mapping

import "fmt"

// What an answer may hold, whoever gives it: so many parts, so deep, so many bytes of JSON.
const (
	MaxAnswerParts = 1_000_000
	MaxAnswerDepth = 100
	MaxAnswerBytes = 64 << 20
	// maxOutputs is how many outputs one input may have, and maxRules how many kinds of objects a customize
	// hook may ask for.
	maxOutputs, maxRules = 10_000, 100
	// maxMessage is how much of what a hook says is told, in bytes.
	maxMessage = 1024
	// maxTypes is how many types of inputs or outputs there may be.
	maxTypes = 50
)

var (
	errManyParts = fmt.Errorf("it has more than %d parts", MaxAnswerParts)
	errDeep      = fmt.Errorf("it nests more than %d levels", MaxAnswerDepth)
	errLong      = fmt.Errorf("it is longer than %d bytes", MaxAnswerBytes)
)
