package chart

import (
	"errors"
	"strconv"
	"strings"
)

// maxSchemaSteps is how many subschemas one value may meet, with all that they refer to.
const maxSchemaSteps = 100_000

var errSchema = errors.New("the schema refers to itself too often; validating one value by it would take too long")

// boundSchema refuses a schema in which references double the work again and again: few lines of it could take for ever.
func boundSchema(doc any) error {
	b := &schemaBound{named: map[string]any{"": doc}, cost: map[string]int{}}
	b.index(doc, 0)
	if b.of(doc, 0) > maxSchemaSteps {
		return errSchema
	}
	return nil
}

// schemaBound counts the subschemas of a document. named are those with an identifier or an anchor, cost remembers that of
// each reference.
type schemaBound struct {
	named map[string]any
	cost  map[string]int
}

// maxSchemaDepth is how deep schemas may be in each other.
const maxSchemaDepth = 500

// index takes note of identifiers and anchors.
func (b *schemaBound) index(v any, depth int) {
	if depth > maxSchemaDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"$id", "id", "$anchor", "$dynamicAnchor"} {
			if name, ok := v[key].(string); ok {
				b.named[strings.TrimPrefix(name, "#")] = v
			}
		}
		for _, value := range v {
			b.index(value, depth+1)
		}
	case []any:
		for _, value := range v {
			b.index(value, depth+1)
		}
	}
}

// of is how many subschemas there are below v, references followed; more than maxSchemaSteps if there are too many.
func (b *schemaBound) of(v any, depth int) (n int) {
	if depth > maxSchemaDepth {
		return maxSchemaSteps + 1
	}
	switch v := v.(type) {
	case map[string]any:
		n = 1
		for key, value := range v {
			switch ref, isText := value.(string); {
			case isText && (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef"):
				n += b.reference(ref, depth)
			case key == "$defs" || key == "definitions": // counted where they are referred to
			default:
				n += b.of(value, depth+1)
			}
			if n > maxSchemaSteps {
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

// reference is the cost of what a reference means. A reference to what is being counted, as for a tree of values, costs one.
func (b *schemaBound) reference(ref string, depth int) int {
	if cost, known := b.cost[ref]; known {
		return cost
	}
	b.cost[ref] = 1
	cost := b.of(b.target(ref), depth+1)
	b.cost[ref] = cost
	return cost
}

// target is what a reference in the document means; nil for one out of it, which is refused elsewhere.
func (b *schemaBound) target(ref string) any {
	base, fragment, _ := strings.Cut(ref, "#")
	if base == "" && !strings.HasPrefix(fragment, "/") {
		return b.named[fragment]
	}
	target := b.named[base]
	for step := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := target.(type) {
		case map[string]any:
			target = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			target = v[i]
		default:
			return nil
		}
	}
	return target
}
