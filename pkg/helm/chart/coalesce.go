package chart

import (
	"maps"
	"slices"
)

// global is the key of values that charts in a chart see, too.
const global = "global"

// joined are the values that the chart and those in it see: over, with their defaults where over says nothing. A null in over
// removes a default. With keepNull it stays, so that a later join can still see it. Neither over nor defaults change.
func (n *node) joined(over map[string]any, keepNull bool) (map[string]any, error) {
	values := copyMap(over)
	return values, n.join(values, keepNull)
}

// join fills values with the defaults of the chart and of the charts in it.
func (n *node) join(values map[string]any, keepNull bool) error {
	n.addDefaults(values, keepNull)
	for _, dep := range n.deps {
		below, ok := values[dep.name].(map[string]any)
		if !ok {
			if _, exists := values[dep.name]; exists {
				return &ValuesError{Chart: n.path(), Path: dep.name, Reason: "want a map, the values of the chart of this name"}
			}
			below = map[string]any{}
			values[dep.name] = below
		}
		shareGlobals(below, values)
		if err := dep.join(below, keepNull); err != nil {
			return err
		}
	}
	return nil
}

// addDefaults adds the chart's own defaults to values.
func (n *node) addDefaults(values map[string]any, keepNull bool) {
	for _, key := range sorted(n.values) {
		value := n.values[key]
		given, exists := values[key]
		if !exists {
			if keepNull {
				values[key] = copyValue(value)
			} else if value != nil {
				values[key] = withoutNull(copyValue(value))
			}
			continue
		}
		if given == nil && !keepNull {
			delete(values, key)
			continue
		}
		to, isMap := given.(map[string]any)
		from, fromMap := value.(map[string]any)
		if !isMap || !fromMap {
			continue
		}
		from, keep := copyMap(from), keepNull || n.dep(key) != nil
		if !keep {
			withoutNull(from)
		}
		fill(to, from, keep)
	}
}

// withoutNull removes nulls from a map and the maps in it.
func withoutNull(value any) any {
	m, _ := value.(map[string]any)
	for key, v := range m {
		if v == nil {
			delete(m, key)
		} else {
			withoutNull(v)
		}
	}
	return value
}

// fill adds to a map what it lacks of from, and likewise in the maps of both. A null in to removes what from has, unless
// keepNull is set. As with Helm, what is added is shared, and the nulls of to are in from afterwards, also where another chart
// holds from.
func fill(to, from map[string]any, keepNull bool) {
	had := maps.Clone(from)
	for key, value := range to {
		if value == nil {
			from[key] = nil
		}
	}
	for _, key := range sorted(had) {
		value := had[key]
		given, exists := to[key]
		switch {
		case !exists:
			to[key] = value
		case given == nil:
			if !keepNull && value != nil {
				delete(to, key)
			}
		default:
			toMap, ok := given.(map[string]any)
			if fromMap, both := value.(map[string]any); ok && both {
				fill(toMap, fromMap, keepNull)
			}
		}
	}
}

// shareGlobals adds the globals of a chart's values to those of a chart in it. The outer ones win.
func shareGlobals(inner, outer map[string]any) {
	to, ok := globals(inner)
	from, fromOK := globals(outer)
	if !ok || !fromOK {
		return
	}
	for _, key := range sorted(from) {
		value := from[key]
		m, isMap := value.(map[string]any)
		given, exists := to[key]
		givenMap, givenIsMap := given.(map[string]any)
		switch {
		case isMap && !exists:
			to[key] = maps.Clone(m) // not deeper: with Helm, defaults of a chart get into the globals of its parent there
		case isMap && givenIsMap:
			merged := maps.Clone(m)
			fill(merged, givenMap, true)
			to[key] = merged
		case !isMap && (!exists || !givenIsMap):
			to[key] = value
		}
	}
	inner[global] = to
}

// globals are the globals in values, and whether they are a map or missing.
func globals(values map[string]any) (map[string]any, bool) {
	g, exists := values[global]
	if !exists {
		return map[string]any{}, true
	}
	m, ok := g.(map[string]any)
	return m, ok
}

// sorted are the keys of m in order. Maps may be shared, so that the order matters; with Helm, chance decides then.
func sorted(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
