package template

import (
	"regexp"
	"regexp/syntax"
)

// CompileRegexp compiles a regular expression of RE2 and counts its states: matching a byte takes at most one step for each
// state. The expression is nil if there are more than maxStates.
func CompileRegexp(expr string, maxStates int) (re *regexp.Regexp, states int, err error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	if states = statesOf(parsed); states <= maxStates {
		re, err = regexp.Compile(expr)
	}
	return re, states, err
}

// statesOf counts states with repetitions written out. The parser refuses repetitions of more than 1000 in all, so that the
// sum cannot overflow.
func statesOf(re *syntax.Regexp) int {
	states := 1 + len(re.Rune)
	if re.Op == syntax.OpCharClass { // one state for any number of ranges
		states = 1 + len(re.Rune)/32
	}
	for _, sub := range re.Sub {
		states += statesOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		states *= max(re.Min, re.Max, 1)
	}
	return states
}
