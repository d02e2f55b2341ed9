package chart

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
	open := map[string]bool{}
	return eachSchema(doc, 0, func(m map[string]any) error {
		if ref, ok := m["$ref"].(string); ok && b.far(ref) {
			return fmt.Errorf("%s is not in the schema; copy it into $defs: nothing is fetched while rendering", ref)
		}
		return b.ends(m, open)
	})
}

var errLoop = errors.New("a $ref leads to itself before it leads to another value; validating would not end")

// far reports whether a reference leads out of the schema. The library has the drafts, and a URN is free to mean anything.
func (b *schemaBound) far(ref string) bool {
	base, _, _ := strings.Cut(ref, "#")
	_, known := b.named[base]
	return !known && !strings.HasPrefix(ref, "urn:") && !strings.HasPrefix(ref, "http://json-schema.org/")
}

// ends refuses references that lead back to themselves without a step into the value: along other references and what applies to the
// same value. open says of each reference that was met whether it is still being followed.
func (b *schemaBound) ends(v any, open map[string]bool) error {
	m, isMap := v.(map[string]any)
	if !isMap {
		return nil
	}
	if ref, ok := m["$ref"].(string); ok {
		switch inside, met := open[ref]; {
		case inside:
			return errLoop
		case !met:
			open[ref] = true
			if err := b.ends(b.target(ref), open); err != nil {
				return err
			}
			open[ref] = false
		}
	}
	for _, below := range sameValue(m) {
		if err := b.ends(below, open); err != nil {
			return err
		}
	}
	return nil
}

// sameValue are the schemas in m that apply to the value that m applies to.
func sameValue(m map[string]any) (all []any) {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[key].([]any)
		all = append(all, list...)
	}
	all = append(all, m["not"], m["if"], m["then"], m["else"])
	for _, key := range []string{"dependencies", "dependentSchemas"} {
		named, _ := m[key].(map[string]any)
		all = slices.AppendSeq(all, maps.Values(named))
	}
	return all
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
