package expression

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// pattern is a regular expression whose size is known.
type pattern struct {
	*regexp.Regexp
	states int
}

// matcher is the function matches for patterns that are given by arg; a constant one is compiled
// here, once.
func matcher(arg interpreter.InterpretableV2) func(text, expr ref.Val) ref.Val {
	constant, is := arg.(interpreter.InterpretableConst)
	if !is {
		return matches
	}
	expr, is := constant.Value().(types.String)
	if !is {
		return matches
	}
	p, err := compilePattern(string(expr))
	return func(text, _ ref.Val) ref.Val {
		if err != nil {
			return types.WrapErr(err)
		}
		return p.match(text)
	}
}

func matches(text, expr ref.Val) ref.Val {
	written, is := expr.(types.String)
	if !is {
		return noOverload(overloads.Matches)
	}
	p, err := compilePattern(string(written))
	if err != nil {
		return types.WrapErr(err)
	}
	return p.match(text)
}

func (p *pattern) match(text ref.Val) ref.Val {
	s, is := text.(types.String)
	if !is {
		return noOverload(overloads.Matches)
	}
	if p.cost(len(s)) > MaxCost {
		return types.NewErr("matching %d bytes of text with this regular expression costs more than %d", len(s), MaxCost)
	}
	return types.Bool(p.MatchString(string(s)))
}

// cost is what matching n bytes of text takes: every byte may visit every state.
func (p *pattern) cost(n int) int { return p.states + p.states*n/perUnit }

// matchingCost is what a call of matches took. A refused one takes all there is.
func matchingCost(text, expr ref.Val) int {
	written, _ := expr.(types.String)
	states, err := countStates(string(written))
	if err != nil {
		return min(len(written), maxPattern)
	}
	return min((&pattern{states: states}).cost(length(text)), MaxCost)
}

func compilePattern(expr string) (*pattern, error) {
	states, err := countStates(expr)
	if err != nil {
		return nil, err
	}
	compiled, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	return &pattern{compiled, states}, nil
}

// countStates says how large a pattern will be before it is compiled.
func countStates(expr string) (int, error) {
	if len(expr) > maxPattern {
		return 0, fmt.Errorf("a regular expression has %d bytes, at most %d are allowed", len(expr), maxPattern)
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	states := expand(parsed)
	if states > maxStates {
		return 0, fmt.Errorf("a regular expression has more than %d states when its repetitions are written out", maxStates)
	}
	return states, nil
}

// expand counts states with repetitions written out. The parser refuses repetitions of more than
// 1000 in all, so that nothing overflows.
func expand(re *syntax.Regexp) int {
	states := 1 + len(re.Rune)
	if re.Op == syntax.OpCharClass { // one state, however many ranges
		states = 1 + len(re.Rune)/perUnit
	}
	for _, sub := range re.Sub {
		states += expand(sub)
	}
	if re.Op == syntax.OpRepeat {
		states *= max(re.Min, re.Max, 1)
	}
	return states
}
