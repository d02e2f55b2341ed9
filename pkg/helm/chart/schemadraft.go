package chart

import (
	"fmt"
	"strings"
)

// unchecked are keywords of the drafts 2019-09 and 2020-12 that the library does not check. A schema with one is refused, as
// values that Helm refuses would pass.
var unchecked = []string{"unevaluatedProperties", "unevaluatedItems", "minContains", "maxContains", "$anchor", "$dynamicRef",
	"$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}

// toDraft7 rewrites what the drafts 2019-09 and 2020-12 say with other keywords than draft 7.
func toDraft7(v any, depth int) error {
	newer := false
	if m, ok := v.(map[string]any); ok {
		uri, _ := m["$schema"].(string)
		newer = strings.Contains(uri, "/draft/20")
	}
	return eachSchema(v, depth, func(m map[string]any) error {
		for _, keyword := range unchecked {
			if _, ok := m[keyword]; ok {
				return fmt.Errorf("keyword %s is not supported; write the schema as draft-07 has it", keyword)
			}
		}
		if ref, ok := m["$ref"].(string); ok && strings.HasPrefix(ref, "urn:") {
			delete(m, "$ref") // as with Helm, a URN that nothing defines allows everything
		}
		if newer {
			delete(m, "format") // these drafts do not check it
		}
		splitTuple(m)
		joinDependencies(m)
		return nil
	})
}

// splitTuple writes prefixItems and items as items and additionalItems.
func splitTuple(m map[string]any) {
	prefix, ok := m["prefixItems"].([]any)
	if !ok {
		return
	}
	if rest, ok := m["items"]; ok {
		m["additionalItems"] = rest
	}
	m["items"] = prefix
	delete(m, "prefixItems")
}

// joinDependencies writes dependentRequired and dependentSchemas as dependencies. A property that both name has its required
// ones in a schema beside its own.
func joinDependencies(m map[string]any) {
	required, _ := m["dependentRequired"].(map[string]any)
	schemas, _ := m["dependentSchemas"].(map[string]any)
	if len(required)+len(schemas) == 0 {
		return
	}
	all := map[string]any{}
	for name, list := range required {
		all[name] = list
	}
	for name, schema := range schemas {
		if list, both := required[name]; both {
			schema = map[string]any{"allOf": []any{schema, map[string]any{"required": list}}}
		}
		all[name] = schema
	}
	m["dependencies"] = all
	delete(m, "dependentRequired")
	delete(m, "dependentSchemas")
}

// named are the keywords whose values have schemas under names of the user; literal those whose values are no schemas.
var (
	namedSchemas = map[string]bool{"properties": true, "patternProperties": true, "definitions": true, "$defs": true,
		"dependencies": true, "dependentSchemas": true}
	literal = map[string]bool{"const": true, "enum": true, "default": true, "examples": true, "required": true, "dependentRequired": true}
)

// eachSchema calls edit for every schema in v.
func eachSchema(v any, depth int, edit func(map[string]any) error) error {
	if depth > maxSchemaDepth {
		return errSchema
	}
	switch v := v.(type) {
	case []any:
		for _, below := range v {
			if err := eachSchema(below, depth+1, edit); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, below := range v {
			if err := eachBelow(key, below, depth+1, edit); err != nil {
				return err
			}
		}
		return edit(v)
	}
	return nil
}

func eachBelow(key string, v any, depth int, edit func(map[string]any) error) error {
	named, isMap := v.(map[string]any)
	switch {
	case literal[key]:
		return nil
	case namedSchemas[key] && isMap:
		for _, below := range named {
			if err := eachSchema(below, depth, edit); err != nil {
				return err
			}
		}
		return nil
	}
	return eachSchema(v, depth, edit)
}
