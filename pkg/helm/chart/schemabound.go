package chart

import (
	"errors"
	"strings"
)

// maxSchemaSteps is how many subschemas one value may meet, with all that they refer to.
const maxSchemaSteps = 100_000

var errSchema = errors.New("the schema refers to itself too often; validating one value by it would take too long")

// boundSchema refuses a schema in which references double the work again and again: few lines of it could take for ever.
func boundSchema(doc any) error {
	b := &schemaBound{root: doc, cost: map[string]int{}}
	if b.of(doc, 0) > maxSchemaSteps {
		return errSchema
	}
	return nil
}

// schemaBound counts the subschemas of a document. cost remembers that of each reference.
type schemaBound struct {
	root any
	cost map[string]int
}

// of is how many subschemas there are below v, references followed; more than maxSchemaSteps if there are too many.
func (b *schemaBound) of(v any, depth int) (n int) {
	if depth > 500 {
		return maxSchemaSteps + 1
	}
	switch v := v.(type) {
	case map[string]any:
		n = 1
		for key, value := range v {
			if ref, ok := value.(string); ok && key == "$ref" {
				n += b.reference(ref, depth)
				continue
			}
			if key == "$defs" || key == "definitions" {
				continue // counted where they are referred to
			}
			if n += b.of(value, depth+1); n > maxSchemaSteps {
				return n
			}
		}
	case []any:
		for _, value := range v {
			if n += b.of(value, depth+1); n > maxSchemaSteps {
				return n
			}
		}
	}
	return n
}

// reference is the cost of what a local reference means. A reference to what is being counted, as for a tree of values, costs one.
func (b *schemaBound) reference(ref string, depth int) int {
	if cost, known := b.cost[ref]; known {
		return cost
	}
	target := b.root
	for step := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		m, _ := target.(map[string]any)
		if step != "" {
			target = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		}
	}
	b.cost[ref] = 1
	cost := b.of(target, depth+1)
	b.cost[ref] = cost
	return cost
}
