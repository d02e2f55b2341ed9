package engine

import (
	"errors"
	"sync"

	"github.com/waybill-dev/waybill/pkg/template"
)

// regexes are sprig's functions with regular expressions. Of an expression that is wrong, regexMatch says that it does not
// match; all others fail.
func regexes() map[string]*function {
	all := map[string]*function{}
	for name := range (&template.Regexes{}).Functions() {
		all[name] = &function{make: func(r *run) any { return r.regexes()[name] }}
	}
	all["regexMatch"] = &function{make: func(r *run) any {
		match := r.regexes()["regexMatch"].(func(string, string) (bool, error))
		return func(expr, text string) (bool, error) {
			is, err := match(expr, text)
			if errors.Is(err, template.ErrPattern) {
				return false, nil
			}
			return is, err
		}
	}}
	return all
}

func (r *run) regexes() map[string]any {
	return (&template.Regexes{Meter: &r.budget, Compile: patterns.compile}).Functions()
}

// patterns are the compiled expressions of all charts.
var patterns patternCache

// patternCache keeps compiled expressions. When it is full it starts again.
type patternCache struct {
	mu    sync.Mutex
	known map[string]*template.Pattern
}

// maxPatterns is how many expressions are kept.
const maxPatterns = 500

func (c *patternCache) compile(expr string) (*template.Pattern, error) {
	c.mu.Lock()
	p := c.known[expr]
	c.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := template.CompilePattern(expr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxPatterns {
		c.known = map[string]*template.Pattern{}
	}
	c.known[expr] = p
	return p, nil
}
