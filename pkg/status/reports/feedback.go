package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// feedback reads what an agent reports about one manifest.
type feedback struct {
	id        Identity
	requested requested
	remarks   []string
	raw       int // bytes of JSON in values so far
}

// value is one reported value.
type value struct {
	spot
	name string
	data any
}

// statusOf is the object's status as far as values have it, and the part that is whole fields of it. Both are nil when they
// are empty. A value for an unknown field is in neither.
func statusOf(values []value) (status, fields map[string]any) {
	var concluded []value
	for _, v := range values {
		switch _, isText := v.data.(string); {
		case v.known && v.condition != "" && isText:
			concluded = append(concluded, v)
		case v.known && v.condition == "":
			setField(&fields, v.field, v.data) // of two values for one field the first counts
		}
	}
	status = maps.Clone(fields)
	if conditions := withConcluded(status["conditions"], concluded); conditions != nil {
		if status == nil {
			status = map[string]any{}
		}
		status["conditions"] = conditions
	}
	return status, fields
}

// withConcluded adds conditions whose status is a value to those of the object; of two with one type the first wins. It is
// nil when there is nothing to add, or when the object's conditions are no list.
func withConcluded(own any, concluded []value) (conditions []any) {
	conditions, isList := own.([]any)
	if own != nil && !isList || len(concluded) == 0 {
		return nil
	}
	conditions = slices.Clip(conditions) // append copies it
	for _, v := range concluded {
		if conditionAt(conditions, v.condition) == nil {
			conditions = append(conditions, map[string]any{"type": v.condition, "status": v.data})
		}
	}
	return conditions
}

// byName has all values by their names; of two with one name the first counts.
func byName(values []value) (named map[string]any) {
	for _, v := range values {
		if named == nil {
			named = map[string]any{}
		}
		if _, twice := named[v.name]; !twice {
			named[v.name] = v.data
		}
	}
	return named
}

// values reads the values of an agent: fields before those below them, then by name.
func (f *feedback) values(reported []any) (values []value) {
	for _, r := range reported {
		entry, _ := r.(map[string]any)
		v := value{name: text(entry, "name")}
		data, why := f.dataOf(child(entry, "fieldValue"))
		if why != "" {
			f.remark("value %q: %s", v.name, why)
			continue
		}
		if v.data, v.spot = data, f.locate(v.name); v.name != "" {
			values = append(values, v)
		}
	}
	slices.SortStableFunc(values, func(a, b value) int {
		return cmp.Or(cmp.Compare(len(a.field), len(b.field)), cmp.Compare(a.name, b.name))
	})
	return values
}

// locate finds the place of a value: by the rules of the work, or by its well-known name. A name that the rules do not
// request has none.
func (f *feedback) locate(name string) spot {
	if path, ok := f.requested.paths[name]; ok {
		return spotOfPath(path)
	}
	if f.requested.paths != nil && !f.requested.wellKnown {
		return spot{}
	}
	return spotOfName(kindName{f.id.Group, f.id.Kind}, name)
}

func (f *feedback) remark(format string, args ...any) {
	f.remarks = append(f.remarks, fmt.Sprintf(format, args...))
}

// setField sets a field of m, which it creates when it is nil. It never replaces another value. Without steps it sets all of
// m, which must be nil.
func setField(m *map[string]any, steps []string, data any) {
	if len(steps) == 0 {
		whole, isMap := data.(map[string]any)
		if isMap && *m == nil {
			*m = whole
		}
		return
	}
	at := *m
	for _, step := range steps[:len(steps)-1] {
		next, isMap := at[step].(map[string]any)
		if _, there := at[step]; there && !isMap {
			return
		}
		at = next
	}
	last := steps[len(steps)-1]
	if _, there := at[last]; there {
		return
	}
	if *m == nil {
		*m = map[string]any{}
	}
	grow(*m, steps[:len(steps)-1])[last] = data
}

// grow returns the map at steps below m, and creates what is missing.
func grow(m map[string]any, steps []string) map[string]any {
	for _, step := range steps {
		next, _ := m[step].(map[string]any)
		if next == nil {
			next = map[string]any{}
			m[step] = next
		}
		m = next
	}
	return m
}
